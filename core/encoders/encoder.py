"""A loaded transformer: batches of token ids in, every layer and every attention diagonal out."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Bool, Float, Int

from core.encoders.device import Device, find_device
from core.encoders.linear import use_onednn
from core.encoders.loading import load_config, load_model
from core.encoders.model_config import NOT_OF_EACH_OTHER
from core.encoders.models import Location
from core.encoders.output import Output, sent
from core.encoders.tokenizer import Encoded, Tokenizer
from core.encoders.transfer import Transfer
from core.errors import ModelError, RecipeError, first_line, shorten
from core.tokens.states import STATIC, States

Rows = Int[np.ndarray, "row token"]
Mask = Bool[np.ndarray, "row token"]
StateRows = Float[np.ndarray, "wanted dim"]


class Begun(NamedTuple):
    """A batch of stored texts that the device has been given: what it gives for them is on its way."""

    sentences: slice
    layers: Transfer
    diagonals: Transfer | None


class Encoder:
    """A transformer in evaluation mode, on the CPU or a GPU, with eager attention.

    The weights are loaded when the first batch is run. One batch runs at a time. ``device`` is where, as
    :func:`~core.encoders.device.find_device` is asked for it.
    """

    def __init__(self, location: Location, forward: str = "float32", device: str = "auto") -> None:
        self.location, self.forward, self._asked = location, forward, device
        self._share = 1
        self._lock, self._loading = threading.Lock(), threading.Lock()
        self._model: torch.nn.Module | None = None
        self._tokenizer: Tokenizer | None = None

    @property
    def tokenizer(self) -> Tokenizer:
        """The model's tokenizer, cut at the model's own limit; loaded once, as the model is."""
        with self._loading:
            if self._tokenizer is None:
                load_config(self.location)  # the library blames the tokenizer for a wrong configuration
                self._tokenizer = Tokenizer(self.location.folder, self.location.max_tokens)
            return self._tokenizer

    @cached_property
    def device(self) -> Device:
        """Where it reads; raises :class:`StrataError` where the machine has no such device."""
        return find_device(self._asked)

    @property
    def model(self) -> torch.nn.Module:
        """The transformer without its head; loaded once, however many threads ask for it."""
        with self._loading:
            if self._model is None:
                loaded, device = load_model(self.location), self.device.torch
                self._model = use_onednn(loaded) if device.type == "cpu" else loaded.to(device)
            return self._model

    @property
    def loaded(self) -> bool:
        """Whether the weights are in memory."""
        return self._model is not None

    @cached_property
    def widths(self) -> dict[int, int]:
        """The width of every layer; the static rows' may differ (ELECTRA, ALBERT)."""
        rows = int(self.model.get_input_embeddings().weight.shape[1])
        return {STATIC: rows} | dict.fromkeys(range(self.location.depth + 1), self.location.dim)

    def static_rows(self, ids: np.ndarray) -> Float[np.ndarray, "token dim"]:
        """The rows of the word-embedding matrix for some ids."""
        with torch.inference_mode():
            embeddings = self.model.get_input_embeddings().weight
            self._check_ids(ids, len(embeddings))
            rows = embeddings[torch.from_numpy(ids).to(self.device.torch)].float()
        return Transfer([rows]).arrays()[0]

    def run(self, encoded: Encoded, start: int = 0, dtype: str = "float32") -> Iterator[States]:
        """The states of the stored texts from ``start`` on, in batches of :meth:`batch_size`.

        Stored texts come longest first, so an interrupted pass can go on where it stopped. Texts
        without tokens need no batch: they stand at the end and are left out. A GPU has a batch to read
        while whoever asked does something with the one before. The states are rounded to ``dtype`` where
        they are made.
        """
        lengths, filled = encoded.tokens.lengths, encoded.tokens.filled
        under_way: deque[Begun] = deque()
        while start < filled:
            stop = min(start + self.batch_size(int(lengths[start])), filled)
            try:
                under_way.append(self._begin(encoded, slice(start, stop), dtype))
            except torch.OutOfMemoryError as error:
                self._halve_batches(stop - start, error)
                continue
            start = stop
            if len(under_way) > self.device.ahead:
                yield self._finish(under_way.popleft())
        yield from map(self._finish, under_way)

    def batch_size(self, length: int) -> int:
        """How many texts of a length fit into one batch, at least one."""
        squares, device = 4 * self.location.depth * max(self.location.heads, 1), self.device
        fit = min(device.tokens // length, device.attention_bytes // (squares * length**2))
        return max(1, fit // self._share)

    def _halve_batches(self, texts: int, error: torch.OutOfMemoryError) -> None:
        """Make batches half as large; raises :class:`ModelError` where one text is too much already."""
        if texts == 1:
            raise self._too_large() from error
        self._share *= 2
        if self.device.torch.type == "cuda":
            torch.cuda.empty_cache()

    def _too_large(self) -> ModelError:
        return ModelError(
            f"{self.location.name}: a text does not fit into the memory of {self.device.label} beside "
            "the model. Read on the CPU (STRATA_DEVICE=cpu), or let other programs go."
        )

    def attentions(self, encoded: Encoded, text: int) -> Float[np.ndarray, "layer head token token"]:
        """Who attends to whom in one text of the list, after softmax: ``[..., t, s]`` is t looking at s.

        Raises :class:`RecipeError` for a model that does not give its attention, and :class:`ModelError`
        where the text is too much for the device's memory.
        """
        span = encoded.tokens.span(text)
        ids = encoded.tokens.ids[None, span].astype(np.int64)
        types = encoded.type_ids[None, span].astype(np.int64)
        try:
            with self._lock, torch.inference_mode(), self._autocast():
                attentions = self._forward(ids, types, np.ones(ids.shape, bool)).every_attention()
        except torch.OutOfMemoryError as error:
            raise self._too_large() from error
        if attentions is None:
            raise RecipeError(f"{self.location.name} does not give its attention; take another model.")
        return Transfer([torch.stack([a[0] for a in attentions]).float()]).arrays()[0]

    def states(self, ids: Rows, types: Int[np.ndarray, " token"], wanted: Mask) -> dict[int, StateRows]:
        """The states of tokens of sequences of one length, ``[wanted, dim]`` by layer number.

        The layers are :data:`STATIC` and 0 … L.

        Parameters
        ----------
        ids
            The sequences, special tokens included; the caller keeps batches small. What is too much for
            the device's memory is read in halves.
        types
            The segment ids of every sequence.
        wanted
            The tokens whose states are given, sequence after sequence; only they leave the device.

        Raises
        ------
        ModelError
            One sequence is too much for the device's memory.
        """
        rows = np.ascontiguousarray(ids, np.int64)
        segments = np.array(np.broadcast_to(types, rows.shape), np.int64)
        layers: dict[int, StateRows] = {}
        try:
            with self._lock, torch.inference_mode(), self._autocast():
                out = self._forward(rows, segments, np.ones(rows.shape, bool))
                kept = torch.from_numpy(np.flatnonzero(wanted)).to(self.device.torch)
                on_their_way = sent(out.layers(kept))
            layers = self._received(on_their_way)
        except torch.OutOfMemoryError as error:
            self._halve_batches(len(rows), error)
        if not layers:  # here, where the error holds no memory of the device any more
            parts = zip(np.array_split(rows, 2), np.array_split(wanted, 2), strict=True)
            halves = [self.states(half, types, part) for half, part in parts]
            return {i: np.concatenate([half[i] for half in halves]) for i in halves[0]}
        return layers

    def _begin(self, encoded: Encoded, batch: slice, dtype: str) -> Begun:
        """Give the device a batch of stored texts."""
        tokens = encoded.tokens
        lengths = tokens.lengths[batch]
        longest = int(lengths[0])
        mask = np.arange(longest) < lengths[:, None]
        span = slice(int(tokens.offsets[batch.start]), int(tokens.offsets[batch.stop]))
        ids = np.full(mask.shape, self.tokenizer.pad_id, np.int64)
        ids[mask] = tokens.ids[span]
        types = np.zeros(mask.shape, np.int64)
        types[mask] = encoded.type_ids[span]
        kept = torch.from_numpy(np.flatnonzero(mask)).to(self.device.torch)
        kind = getattr(torch, dtype)
        with self._lock, torch.inference_mode(), self._autocast():
            out = self._forward(ids, types, mask)
            diagonals = out.diagonals(kept, self.location.depth, self.location.heads)
            diagonals_sent = None if diagonals is None else Transfer([diagonals.to(kind)])
            return Begun(batch, sent(out.layers(kept), kind), diagonals_sent)

    def _finish(self, begun: Begun) -> States:
        """The states of a batch, once the device has read it."""
        diagonals = None if begun.diagonals is None else begun.diagonals.arrays()[0]
        return States(begun.sentences, self._received(begun.layers), diagonals)

    def _received(self, on_their_way: Transfer) -> dict[int, np.ndarray]:
        """Layers that were :func:`~core.encoders.output.sent`, by number.

        Raises :class:`ModelError` where one has a number that is not finite.
        """
        finite, *layers = on_their_way.arrays()
        if not finite.all():
            raise ModelError(
                f"{shorten(self.location.name)} gave numbers that are not finite; "
                "its weights are damaged, or the precision is too low for it (try float32 for forward "
                "and storage)."
            )
        return dict(enumerate(layers, start=STATIC))

    def _forward(self, ids: Rows, types: Rows, mask: Mask) -> Output:
        """What the model gives for a batch, with all layers and attentions.

        Raises :class:`ModelError` when the batch does not fit the model, or layers are not as promised.
        """
        embeddings = self.model.get_input_embeddings().weight
        self._check_ids(ids, len(embeddings))
        inputs = {"input_ids": torch.from_numpy(ids)}
        inputs["attention_mask"] = torch.from_numpy(mask.astype(np.int64))
        if self.tokenizer.wants_type_ids:
            inputs["token_type_ids"] = torch.from_numpy(types)
        inputs = {name: value.to(self.device.torch) for name, value in inputs.items()}
        try:
            out = self.model(**inputs, output_hidden_states=True, output_attentions=True)
            hidden, attentions = tuple(out.hidden_states), out.attentions
        except (torch.OutOfMemoryError, MemoryError):
            raise
        except Exception as error:  # many kinds, for odd values of a config.json
            raise ModelError(
                f"{self.location.name} cannot read a batch of texts: {first_line(error)}. Is its "
                "config.json that of a text model, and of these weights?"
            ) from error
        if len(hidden) != self.location.depth + 1:
            raise ModelError(
                f"{self.location.name} gave {len(hidden)} hidden states; its config.json "
                f"promises {self.location.depth} layers. {NOT_OF_EACH_OTHER}"
            )
        return Output(hidden, attentions, embeddings[inputs["input_ids"]])

    def _check_ids(self, ids: Int[np.ndarray, ...], rows: int) -> None:
        """Refuse ids of a tokenizer that knows more tokens than the model."""
        if ids.size and int(ids.max()) >= rows:
            raise ModelError(
                f"{self.location.name}: the tokenizer gives the id {int(ids.max()):,}; the model knows "
                f"{rows:,} tokens. The folder needs the tokenizer of this model."
            )

    def _autocast(self) -> torch.autocast:
        enabled = self.forward == "bfloat16"
        return torch.autocast(self.device.torch.type, torch.bfloat16, enabled=enabled)
