"""Texts to token ids, with one setting and one thread at a time.

Fast tokenizers keep truncation and padding as shared state, so two threads with different settings
silently truncate each other's texts. Here the setting is made once, at load, and a lock guards every
call. Text that looks like a special token (``[MASK]``, ``</s>``) is tokenised as the plain text it is.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from pathlib import Path

import numpy as np
from jaxtyping import Bool
from numpy.typing import DTypeLike
from tokenizers import AddedToken, Encoding
from tokenizers import Tokenizer as Backend

from core.encoders.model_config import GET_AGAIN, why
from core.encoders.prompt import Prompt, as_arrays
from core.errors import ModelError, first_line, shorten
from core.loading import LOADING
from core.progress import Progress, Step, silent
from core.tokens import Tokens
from core.tokens.marks import begins_word

BATCH = 2048
"""Texts that are tokenised at once."""

LONGEST = 1 << 20
"""The most tokens of a text, for tokenizers that name no limit."""


@dataclass(frozen=True)
class Encoded:
    """Tokens and the segment ids that some models want beside them."""

    tokens: Tokens
    type_ids: np.ndarray


class Tokenizer:
    """A model's fast tokenizer, cut at ``max_tokens``."""

    def __init__(self, folder: Path, max_tokens: int | None = None) -> None:
        with LOADING:
            from transformers import AutoTokenizer

        try:
            loaded = AutoTokenizer.from_pretrained(
                str(folder), use_fast=True, trust_remote_code=False, local_files_only=True
            )
        except Exception as error:  # transformers raises many kinds for a damaged folder
            raise ModelError(
                f"No tokenizer could be loaded from {folder}: {why(error)}. "
                "The folder needs a tokenizer.json, or the files a fast tokenizer is made from."
            ) from error
        backend = getattr(loaded, "backend_tokenizer", None)
        if backend is None:
            raise ModelError(
                f"{folder} has no fast tokenizer (tokenizer.json), which is needed here; take a model that "
                "has one."
            )
        special = loaded.all_special_ids  # None for a special token that the vocabulary lacks
        self.special_ids = frozenset(int(i) for i in special if i is not None)
        if self.special_ids.issuperset(backend.get_vocab().values()):  # what transformers makes of no files
            raise ModelError(
                f"{folder} has no tokenizer: a file with its vocabulary is missing (tokenizer.json). "
                f"{GET_AGAIN}"
            )
        own = _limit_of(loaded.model_max_length, loaded.num_special_tokens_to_add() + 1, folder)
        self.max_tokens = min(own, max_tokens) if max_tokens else own
        self.wants_type_ids = "token_type_ids" in loaded.model_input_names
        self.pad_id = loaded.pad_token_id or 0
        self.vocabulary = int(backend.get_vocab_size())
        self.cls_id, self.mask_id = loaded.cls_token_id, loaded.mask_token_id
        self.unk_id = loaded.unk_token_id
        self._mask = _mask_of(loaded.mask_token_id, loaded.added_tokens_decoder)
        backend.no_padding()
        backend.enable_truncation(self.max_tokens)
        backend.encode_special_tokens = True
        self._backend: Backend = backend
        self._lock = threading.Lock()

    def __call__(self, texts: Sequence[str], progress: Progress = silent, template: str = "") -> Encoded:
        """Tokenise ``texts``, each in the template; the result is in stored order, longest text first.

        Raises :class:`RecipeError` for a template that leaves no room for a sentence, and
        :class:`ModelError` for a tokenizer that cannot read a text.
        """
        parts = [
            self._prompted(some, template) if template else self._plain(some)
            for some in _batches(texts, progress)
        ]
        column = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
        lengths = column.pop("lengths")
        truncated = column.pop("truncated")
        order = np.argsort(-lengths, kind="stable")
        offsets = np.concatenate([[0], np.cumsum(lengths[order])]).astype(np.int64)
        moved = (np.cumsum(lengths) - lengths)[order] - offsets[:-1]
        place = np.repeat(moved, lengths[order]) + np.arange(len(column["ids"]))
        column = {name: values[place] for name, values in column.items()}
        types, ids, words = column.pop("types"), column["ids"], column["words"]
        vocabulary = {int(i): self._backend.id_to_token(int(i)) or "" for i in np.unique(ids)}
        tokens = Tokens(
            **column,
            offsets=offsets,
            order=order,
            continues=_continues(ids, words, offsets, vocabulary),
            cls=self._find_cls(ids, column["special"], offsets),
            mask=column["template"] & (ids == (-1 if self.mask_id is None else self.mask_id)),
            truncated=truncated[order],
            vocabulary=vocabulary,
        )
        return Encoded(tokens, types)

    def too_long(self, texts: Sequence[str], progress: Progress = silent) -> Bool[np.ndarray, " text"]:
        """The texts that have more tokens than the model reads, without a template."""
        return np.concatenate([_cut(self._encodings(some)) for some in _batches(texts, progress)])

    def whole(self, texts: Sequence[str], progress: Progress = silent) -> Iterator[list[str]]:
        """The surface forms of each text's own tokens, those beyond the model's limit too."""
        for some in _batches(texts, progress):
            with self._lock, _in_words():
                encodings = self._uncut.encode_batch(list(some), add_special_tokens=False)
            yield from (encoding.tokens for encoding in encodings)

    @cached_property
    def pieces(self) -> tuple[str, ...]:
        """The surface form of every id, by id; "" for an unused id."""
        texts = {int(i): text for text, i in self._backend.get_vocab().items()}
        return tuple(texts.get(i, "") for i in range(max(texts, default=-1) + 1))

    def backend(self) -> Backend:
        """A copy of the tokenizer itself, which the caller may change."""
        copy: Backend = type(self._backend).from_str(self._backend.to_str())
        return copy

    @cached_property
    def _uncut(self) -> Backend:
        """The tokenizer itself without its limit: prompts cut sentences and keep what stands round them."""
        uncut = self.backend()
        uncut.no_truncation()
        uncut.encode_special_tokens = True
        return uncut

    def decode(self, ids: Sequence[int]) -> str:
        """The text that some tokens of one word stand for."""
        return str(self._backend.decode(list(ids), skip_special_tokens=False)).strip()

    def _plain(self, texts: Sequence[str]) -> dict[str, np.ndarray]:
        """Some texts as arrays: what the library returns takes twenty times their memory."""
        encodings = self._encodings(texts)
        special = _end_to_end((e.special_tokens_mask for e in encodings), bool)
        words = _end_to_end(((-1 if w is None else w for w in e.word_ids) for e in encodings), np.int32)
        words[special] = -1
        return {
            "lengths": np.array([len(e) for e in encodings], int),
            "ids": _end_to_end((e.ids for e in encodings), np.int32),
            "special": special,
            "words": words,
            "types": _end_to_end((e.type_ids for e in encodings), np.int8),
            "template": np.zeros(len(special), bool),
            "truncated": _cut(encodings),
        }

    def _encodings(self, texts: Sequence[str]) -> list[Encoding]:
        """What the library makes of some texts."""
        with self._lock, _in_words():
            encodings: list[Encoding] = self._backend.encode_batch(list(texts))
        return encodings

    def _prompted(self, texts: Sequence[str], template: str) -> dict[str, np.ndarray]:
        """The same, each text in a template."""
        with self._lock, _in_words():
            return as_arrays(Prompt(self._uncut, template, self._mask, self.max_tokens).rows(texts))

    def _find_cls(self, ids: np.ndarray, special: np.ndarray, offsets: np.ndarray) -> np.ndarray:
        """Where in each text its first classification token stands; -1 where there is none."""
        position = np.full(len(offsets) - 1, -1, int)
        if self.cls_id is not None:
            at = np.flatnonzero((ids == self.cls_id) & special)  # not one that a text spells out
            texts, first = np.unique(np.searchsorted(offsets, at, side="right") - 1, return_index=True)
            position[texts] = at[first] - offsets[texts]
        return position


@contextmanager
def _in_words() -> Iterator[None]:
    """What a tokenizer stumbles over in a text, as one without a token for unknown words does."""
    try:
        yield
    except Exception as error:
        if type(error) is not Exception:  # the library raises that, and no class of its own
            raise
        raise ModelError(
            f"The model's tokenizer cannot read a text: {first_line(error)}. Leave such texts out, or take "
            "a model whose tokenizer has a token for what it does not know."
        ) from error


def _limit_of(limit: object, minimum: int, folder: Path) -> int:
    """The tokens of the longest text by ``model_max_length``, special tokens included."""
    if isinstance(limit, bool) or not isinstance(limit, int | float) or not limit >= minimum:
        raise ModelError(
            f"{folder}: tokenizer_config.json: got model_max_length {shorten(limit)}; allowed is a number "
            f"of tokens from {minimum}."
        )
    return int(min(limit, LONGEST))


def _mask_of(mask_id: int | None, added: Mapping[int, AddedToken]) -> tuple[int, bool, bool] | None:
    """The mask token's id, and whether it takes spaces before and after it into itself."""
    if mask_id is None:
        return None
    return int(mask_id), bool(added[mask_id].lstrip), bool(added[mask_id].rstrip)


def _batches(texts: Sequence[str], progress: Progress) -> Iterator[Sequence[str]]:
    """The texts, so many at once; an empty batch of none. Where there are several, each is told."""
    for start in range(0, max(len(texts), 1), BATCH):
        yield texts[start : start + BATCH]
        if len(texts) > BATCH:
            progress(Step("Tokenizing sentences", min(start + BATCH, len(texts)), len(texts)))


def _cut(encodings: Sequence[Encoding]) -> Bool[np.ndarray, " text"]:
    """Which texts are longer than the limit."""
    return np.array([bool(encoding.overflowing) for encoding in encodings], bool)


def _end_to_end(rows: Iterable[Iterable[int]], dtype: DTypeLike) -> np.ndarray:
    return np.fromiter(chain.from_iterable(rows), dtype)


def _continues(
    ids: np.ndarray, words: np.ndarray, offsets: np.ndarray, vocabulary: dict[int, str]
) -> np.ndarray:
    """Tokens of the same word as the token before, unless they carry a word-start mark."""
    marked = np.zeros(max(vocabulary, default=0) + 1, bool)
    marked[[i for i, text in vocabulary.items() if begins_word(text)]] = True
    same = np.zeros(len(ids), bool)
    same[1:] = (words[1:] == words[:-1]) & (words[1:] >= 0)
    same[offsets[:-1][np.diff(offsets) > 0]] = False
    return same & ~marked[ids]
