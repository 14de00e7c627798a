"""A loaded transformer: batches of token ids in, every layer and every attention diagonal out."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from safetensors import SafetensorError

from core.errors import ModelError, RecipeError, first_line, shorten
from core.models import Location
from core.tokenizer import Encoded, Tokenizer

STATIC = -1
"""The layer number of the raw rows of the word-embedding matrix."""

TOKENS_PER_BATCH = 1024
"""Padded tokens per batch: the fastest of 512 … 4096 for small encoders on two cores."""

ATTENTION_BYTES = 128_000_000
"""Bound on the attention matrices (all layers and heads) that one batch may hold."""

Rows = Int[np.ndarray, "row token"]
Mask = Bool[np.ndarray, "row token"]


@dataclass(frozen=True)
class States:
    """What one batch of stored texts gives.

    Attributes
    ----------
    sentences
        Which stored texts.
    layers
        By layer number (:data:`STATIC`, 0 … L): the states of their tokens, end to end, no padding.
    diagonals
        ``A[t, t]`` of every head after softmax, by token, layer 1 … L and head; NaN for a model
        that has heads but does not give their attention, None for one without heads.
    """

    sentences: slice
    layers: dict[int, Float[np.ndarray, "token dim"]]
    diagonals: Float[np.ndarray, "token layer head"] | None


class Encoder:
    """A transformer in evaluation mode, on the CPU or a GPU, with eager attention.

    The weights are loaded when the first batch is run. One batch runs at a time.
    """

    def __init__(self, location: Location, forward: str = "float32") -> None:
        self.location, self.forward = location, forward
        self._lock = threading.Lock()

    @cached_property
    def tokenizer(self) -> Tokenizer:
        """The model's tokenizer, cut at the model's own limit."""
        return Tokenizer(self.location.folder, self.location.max_tokens)

    @cached_property
    def device(self) -> torch.device:
        """A GPU when there is one."""
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")

    @cached_property
    def model(self) -> Any:
        """The transformer without its head."""
        from transformers import AutoModel
        from transformers.utils import logging

        logging.set_verbosity_error()  # its report on heads that are not used reads like a failure
        logging.disable_progress_bar()
        if self.location.config.get("is_encoder_decoder"):
            raise ModelError(
                f"{self.location.name} is an encoder-decoder model; take an encoder or a decoder."
            )
        try:
            loaded, report = AutoModel.from_pretrained(
                str(self.location.folder),
                attn_implementation="eager",
                dtype=torch.float32,
                use_safetensors=True,
                trust_remote_code=False,
                local_files_only=True,
                output_loading_info=True,
            )
        except (OSError, ValueError, ImportError, KeyError, RuntimeError) as error:
            raise ModelError(f"{self.location.name} could not be loaded: {first_line(error)}") from error
        except SafetensorError as error:
            raise ModelError(f"{self.location.name}: damaged weights ({error}).") from error
        lost = sorted(name for name in report["missing_keys"] if not _is_head(name))
        if lost:  # the library would fill them with random numbers
            raise ModelError(
                f"{self.location.name} could not be loaded: its files lack {len(lost):,} of the weights "
                f"that config.json promises ({', '.join(lost[:3])})."
            )
        return loaded.eval().to(self.device)

    @cached_property
    def widths(self) -> dict[int, int]:
        """The width of every layer; the static rows' may differ (ELECTRA, ALBERT)."""
        rows = int(self.model.get_input_embeddings().weight.shape[1])
        return {STATIC: rows} | dict.fromkeys(range(self.location.depth + 1), self.location.dim)

    def static_rows(self, ids: np.ndarray) -> Float[np.ndarray, "token dim"]:
        """The rows of the word-embedding matrix for some ids."""
        with torch.inference_mode():
            rows = self.model.get_input_embeddings().weight[torch.from_numpy(ids).to(self.device)]
        return np.ascontiguousarray(rows.float().cpu().numpy())

    def run(self, encoded: Encoded, start: int = 0) -> Iterator[States]:
        """The states of the stored texts from ``start`` on, in batches within the bounds above.

        Stored texts come longest first, so an interrupted pass can go on where it stopped. Texts
        without tokens need no batch: they stand at the end and are left out.
        """
        lengths = encoded.tokens.lengths
        filled = int((lengths > 0).sum())
        while start < filled:
            stop = min(start + self.batch_size(int(lengths[start])), filled)
            yield self._run_batch(encoded, slice(start, stop))
            start = stop

    def batch_size(self, length: int) -> int:
        """How many texts of a length fit into one batch, at least one."""
        squares = 4 * self.location.depth * max(self.location.heads, 1)
        return max(1, min(TOKENS_PER_BATCH // length, ATTENTION_BYTES // (squares * length**2)))

    def attentions(self, encoded: Encoded, text: int) -> Float[np.ndarray, "layer head token token"]:
        """Who attends to whom in one text of the list, after softmax: ``[..., t, s]`` is t looking at s.

        Raises :class:`RecipeError` for a model that does not give its attention.
        """
        span = encoded.tokens.span(text)
        ids = encoded.tokens.ids[None, span].astype(np.int64)
        types = encoded.type_ids[None, span].astype(np.int64)
        with self._lock, torch.inference_mode(), self._autocast():
            out, _ = self._forward(ids, types, np.ones(ids.shape, bool))
        if not out.attentions or any(a is None for a in out.attentions):
            raise RecipeError(f"{self.location.name} does not give its attention; take another model.")
        return torch.stack([a[0] for a in out.attentions]).float().cpu().numpy()

    def states(
        self, ids: Int[np.ndarray, "row token"], types: Int[np.ndarray, " token"]
    ) -> dict[int, Float[np.ndarray, "row token dim"]]:
        """The states of token sequences of one length, special tokens included, by layer number.

        The layers are :data:`STATIC` and 0 … L. ``types`` are the segment ids of all sequences. The caller
        keeps batches small.
        """
        rows = np.ascontiguousarray(ids, np.int64)
        segments = np.ascontiguousarray(np.broadcast_to(types, rows.shape), np.int64)
        with self._lock, torch.inference_mode(), self._autocast():
            out, looked_up = self._forward(rows, segments, np.ones(rows.shape, bool))
            hidden = (looked_up, *out.hidden_states)
            layers = {i: state.float().cpu().numpy() for i, state in enumerate(hidden, start=STATIC)}
        self._check(layers)
        return layers

    def _run_batch(self, encoded: Encoded, batch: slice) -> States:
        tokens = encoded.tokens
        lengths = tokens.lengths[batch]
        longest = int(lengths[0])
        mask = np.arange(longest) < lengths[:, None]
        span = slice(int(tokens.offsets[batch.start]), int(tokens.offsets[batch.stop]))
        ids = np.full(mask.shape, self.tokenizer.pad_id, np.int64)
        ids[mask] = tokens.ids[span]
        types = np.zeros(mask.shape, np.int64)
        types[mask] = encoded.type_ids[span]
        keep = torch.from_numpy(mask)
        with self._lock, torch.inference_mode(), self._autocast():
            out, rows = self._forward(ids, types, mask)
            hidden = (rows, *out.hidden_states)
            layers = {i: _flat(state, keep) for i, state in enumerate(hidden, start=STATIC)}
            diagonals = self._diagonals(out.attentions, keep)
        self._check(layers)
        return States(batch, layers, diagonals)

    def _forward(self, ids: Rows, types: Rows, mask: Mask) -> tuple[Any, torch.Tensor]:
        """What the model says of a batch, with all layers and attentions, and the rows of its ids."""
        inputs = {"input_ids": torch.from_numpy(ids)}
        inputs["attention_mask"] = torch.from_numpy(mask.astype(np.int64))
        if self.tokenizer.wants_type_ids:
            inputs["token_type_ids"] = torch.from_numpy(types)
        inputs = {name: value.to(self.device) for name, value in inputs.items()}
        out = self.model(**inputs, output_hidden_states=True, output_attentions=True)
        return out, self.model.get_input_embeddings().weight[inputs["input_ids"]]

    def _autocast(self) -> torch.autocast:
        enabled = self.forward == "bfloat16"
        return torch.autocast(self.device.type, torch.bfloat16, enabled=enabled)

    def _diagonals(self, attentions: Any, keep: torch.Tensor) -> np.ndarray | None:
        """``[token, layer, head]`` from a tuple of ``[batch, head, token, token]``."""
        depth, heads = self.location.depth, self.location.heads
        if not heads:
            return None
        if not attentions or any(a is None for a in attentions):
            return np.full((int(keep.sum()), depth, heads), np.nan, np.float32)
        stacked = torch.stack([a.diagonal(dim1=-2, dim2=-1) for a in attentions])
        return _flat(stacked.permute(1, 3, 0, 2), keep)

    def _check(self, layers: dict[int, np.ndarray]) -> None:
        if len(layers) != self.location.depth + 2:
            raise ModelError(
                f"{self.location.name} gave {len(layers) - 1} hidden states; its config.json "
                f"promises {self.location.depth} layers."
            )
        if not all(np.isfinite(states).all() for states in layers.values()):
            raise ModelError(
                f"{shorten(self.location.name)} gave numbers that are not finite; "
                "its weights are damaged, or the precision is too low for it (try float32)."
            )


def _is_head(weight: str) -> bool:
    """Whether a weight belongs to what stands on top of the transformer, of no use here."""
    return any(part == "pooler" or part.endswith("head") for part in weight.split("."))


def _flat(state: torch.Tensor, keep: torch.Tensor) -> np.ndarray:
    kept = state[keep.to(state.device)].float().cpu().numpy()
    return np.ascontiguousarray(kept)
