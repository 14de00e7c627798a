"""Sentences, pairs and gold scores."""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from jaxtyping import Bool, Float, Int

from core.errors import CorpusError, shorten


@dataclass(frozen=True, eq=False)
class Corpus:
    """Different sentences once, pairs as two columns of positions in them.

    Attributes
    ----------
    name, origin
        What it is called, and where its text comes from.
    address
        What a link or a recipe finds it by; empty where that is its name.
    sentences
        The different sentences, in order of first appearance.
    repeats
        How often each occurs: statistics count a sentence as often as it stands in the corpus.
    first, second, gold
        Pairs of positions and their human score; empty for a corpus of texts without pairs.
    subset, split
        For each pair, the part of the corpus it belongs to.
    notes
        What a reader must know: rows left out and why, repeats.
    scale
        The lowest and highest score that could be given, where whoever brought the corpus said it.
    """

    name: str
    origin: str
    sentences: tuple[str, ...]
    repeats: Int[np.ndarray, " sentence"]
    first: Int[np.ndarray, " pair"] = field(default_factory=lambda: np.zeros(0, int))
    second: Int[np.ndarray, " pair"] = field(default_factory=lambda: np.zeros(0, int))
    gold: Float[np.ndarray, " pair"] = field(default_factory=lambda: np.zeros(0))
    subset: tuple[str, ...] = ()
    split: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    address: str = ""
    scale: tuple[float, float] | None = None

    @classmethod
    def of_texts(
        cls, name: str, texts: Sequence[str], *, origin: str = "", notes: Sequence[str] = ()
    ) -> Corpus:
        """A corpus of texts without pairs; a text given twice counts twice."""
        sentences, positions = _unique(texts)
        repeats = np.bincount(positions, minlength=len(sentences))
        return cls(name, origin, sentences, repeats, notes=tuple(notes))

    @classmethod
    def of_pairs(
        cls,
        name: str,
        sentence1: Sequence[str],
        sentence2: Sequence[str],
        gold: Sequence[float],
        *,
        subset: Sequence[str] = (),
        split: Sequence[str] = (),
        origin: str = "",
        notes: Sequence[str] = (),
    ) -> Corpus:
        """A corpus of scored pairs."""
        sentences, positions = _unique([*sentence1, *sentence2])
        pairs = len(gold)
        return cls(
            name,
            origin,
            sentences,
            np.bincount(positions, minlength=len(sentences)),
            positions[:pairs],
            positions[pairs:],
            np.asarray(gold, float),
            tuple(subset) or ("",) * pairs,
            tuple(split) or ("",) * pairs,
            tuple(notes),
        )

    def __len__(self) -> int:
        """The number of pairs."""
        return len(self.gold)

    @property
    def link(self) -> str:
        """What a link or a recipe finds it by."""
        return self.address or self.name

    @property
    def splits(self) -> tuple[str, ...]:
        """The splits there are, in order of appearance."""
        return tuple(dict.fromkeys(s for s in self.split if s))

    @property
    def split_name(self) -> str:
        """The splits it holds, as captions and results name them: ``test``, ``train+dev``, ``all``."""
        return "+".join(self.splits) or "all"

    @cached_property
    def positions(self) -> Int[np.ndarray, " occurrence"]:
        """Every occurrence of a sentence, as its position: what statistics are fitted on."""
        return np.repeat(np.arange(len(self.sentences)), self.repeats)

    @cached_property
    def text_digest(self) -> str:
        """A hash of the different sentences in order: what a forward pass depends on."""
        return _digest(self.sentences)

    @cached_property
    def texts_fingerprint(self) -> str:
        """A hash of the sentences and how often each occurs: what statistics of the corpus depend on."""
        return _digest([self.text_digest, repr(self.repeats.tolist())])

    @cached_property
    def fingerprint(self) -> str:
        """A hash of everything a score depends on."""
        columns = [self.repeats, self.first, self.second, self.gold]
        return _digest([self.text_digest, *self.subset, *(repr(c.tolist()) for c in columns)])[:16]

    def rows_of(self, texts: Sequence[str]) -> Int[np.ndarray, " text"]:
        """Where each of some texts stands among the sentences; a text may come more than once."""
        places = {sentence: i for i, sentence in enumerate(self.sentences)}
        return np.array([places[text] for text in texts], int)

    def take(self, split: str | None) -> Corpus:
        """The pairs of one split; ``test`` if there is one, else all, when ``split`` is None."""
        wanted = ("test" if "test" in self.splits else "all") if split is None else split
        if wanted == "all":
            return self
        if wanted not in self.splits:
            allowed = ", ".join([*self.splits, "all"])
            raise CorpusError(f"The corpus {self.name} has no split {shorten(wanted)}; allowed: {allowed}.")
        return self._where(np.array([s == wanted for s in self.split]), wanted)

    def _where(self, kept: Bool[np.ndarray, " pair"], split: str) -> Corpus:
        rows = np.flatnonzero(kept)
        pairs = Corpus.of_pairs(
            self.name,
            [self.sentences[i] for i in self.first[rows]],
            [self.sentences[i] for i in self.second[rows]],
            self.gold[rows].tolist(),
            subset=[self.subset[i] for i in rows],
            split=[split] * len(rows),
            origin=self.origin,
        )
        return replace(pairs, notes=self.notes, address=self.address, scale=self.scale)


@dataclass(frozen=True)
class Cleaned:
    """Pasted lines made fit to read, and what was changed."""

    sentences: tuple[str, ...]
    notes: tuple[str, ...]


def clean_lines(text: str) -> Cleaned:
    """Sentences from pasted text, one per line.

    Lines without anything in them are skipped, control characters become spaces and halves of
    characters that cannot be written become U+FFFD; each is counted in the notes.
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    cleaned = [clean(line) for line in lines]
    changed = sum(a.strip() != b for a, b in zip(lines, cleaned, strict=True))
    kept = tuple(line for line in cleaned if line)
    blank = len(lines) - len(kept) if kept else 0
    notes = []
    if changed:
        notes.append(f"Control characters were replaced by spaces in {_count(changed, 'line')}.")
    if blank > 1:
        notes.append(f"{_count(blank, 'empty line')} skipped.")
    return Cleaned(kept, tuple(notes))


def clean(text: str) -> str:
    """``text`` without control characters and without spaces at its ends."""
    safe = text.encode("utf-8", "replace").decode("utf-8") if _broken(text) else text
    return "".join(" " if unicodedata.category(c) == "Cc" else c for c in safe).strip()


def _broken(text: str) -> bool:
    return any("\ud800" <= c <= "\udfff" for c in text)


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _unique(texts: Sequence[str]) -> tuple[tuple[str, ...], Int[np.ndarray, " occurrence"]]:
    places: dict[str, int] = {}
    positions = np.array([places.setdefault(text, len(places)) for text in texts], int)
    return tuple(places), positions


def _digest(parts: Sequence[str]) -> str:
    text = json.dumps(list(parts), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:40]
