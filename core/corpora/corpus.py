"""Sentences, and rows of one or two of them with gold scores or labels."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain

import numpy as np
from jaxtyping import Float, Int

from core.corpora.given import names_of, numbers, refuse_other_lengths, texts_of
from core.corpora.vocabulary_size import vocabulary_size
from core.errors import CorpusError, shorten

PASTED = "pasted"
"""Name and origin of a corpus of sentences that a visitor wrote or pasted."""


@dataclass(frozen=True, eq=False)
class Corpus:
    """Different sentences once, rows of one or two of them as columns of positions.

    A corpus of texts has no rows. One of scored pairs has ``first``, ``second`` and ``gold``; one of
    labelled texts ``first`` and ``labels``, one of labelled pairs ``second`` too. A scored pair may have a
    label as well.

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
        For each row, the positions of its sentences, and the human score of a pair; empty without them.
    labels
        The class of each row; empty for a corpus without labels, "" for a row without one.
    subset, split
        For each row, the part of the corpus it belongs to.
    task
        The name of the task that its labels are for, where its origin says it.
    notes
        What a reader must know: rows left out and why, repeats.
    scale
        The lowest and highest score that could be given, where whoever brought the corpus said it.
    """

    name: str
    origin: str
    sentences: tuple[str, ...]
    repeats: Int[np.ndarray, " sentence"]
    first: Int[np.ndarray, " row"] = field(default_factory=lambda: np.zeros(0, int))
    second: Int[np.ndarray, " pair"] = field(default_factory=lambda: np.zeros(0, int))
    gold: Float[np.ndarray, " scored"] = field(default_factory=lambda: np.zeros(0))
    subset: tuple[str, ...] = ()
    split: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    address: str = ""
    scale: tuple[float, float] | None = None
    labels: tuple[str, ...] = ()
    task: str = ""

    @classmethod
    def of_texts(
        cls, name: str, texts: Sequence[str], *, origin: str = "", notes: Sequence[str] = ()
    ) -> Corpus:
        """A corpus of texts without pairs; a text given twice counts twice.

        Raises :class:`CorpusError` for a single text, and for something that is no text.
        """
        sentences, positions = _unique(texts_of(texts, name))
        repeats = np.bincount(positions, minlength=len(sentences))
        return cls(name, origin, sentences, repeats, notes=tuple(notes))

    @classmethod
    def pasted(cls, texts: Sequence[str]) -> Corpus:
        """Sentences that a visitor wrote or pasted, without pairs."""
        return cls.of_texts(PASTED, texts, origin=PASTED)

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
        labels: Sequence[object] = (),
        origin: str = "",
        notes: Sequence[str] = (),
    ) -> Corpus:
        """A corpus of scored pairs, some of which may have a label as well.

        Raises :class:`CorpusError` for columns of other lengths, and for what is no text or no number.
        """
        pairs = len(gold)
        refuse_other_lengths(
            name,
            pairs,
            {"sentence1": sentence1, "sentence2": sentence2},
            {"subset": subset, "split": split, "labels": labels},
        )
        texts = (texts_of(given, f"{name}: a sentence") for given in (sentence1, sentence2))
        sentences, positions = _unique([*chain.from_iterable(texts)])
        return cls(
            name,
            origin,
            sentences,
            np.bincount(positions, minlength=len(sentences)),
            positions[:pairs],
            positions[pairs:],
            numbers(name, gold),
            names_of(subset) or ("",) * pairs,
            names_of(split) or ("",) * pairs,
            tuple(notes),
            labels=names_of(labels),
        )

    @classmethod
    def of_labelled(
        cls,
        name: str,
        text1: Sequence[str],
        labels: Sequence[object],
        *,
        text2: Sequence[str] = (),
        subset: Sequence[str] = (),
        split: Sequence[str] = (),
        origin: str = "",
        notes: Sequence[str] = (),
        task: str = "",
    ) -> Corpus:
        """A corpus of labelled texts, or of labelled pairs of texts when ``text2`` is given.

        Labels are texts, numbers, or missing. Raises :class:`CorpusError` for columns of other lengths, and
        for what is no text.
        """
        rows = len(labels)
        refuse_other_lengths(
            name, rows, {"text1": text1}, {"text2": text2, "subset": subset, "split": split}
        )
        texts = (texts_of(given, f"{name}: a text") for given in (text1, text2))
        sentences, positions = _unique([*chain.from_iterable(texts)])
        return cls(
            name,
            origin,
            sentences,
            np.bincount(positions, minlength=len(sentences)),
            positions[:rows],
            positions[rows:],
            subset=names_of(subset) or ("",) * rows,
            split=names_of(split) or ("",) * rows,
            notes=tuple(notes),
            labels=names_of(labels),
            task=task,
        )

    def __len__(self) -> int:
        """The number of scored pairs."""
        return len(self.gold)

    @property
    def rows(self) -> int:
        """The number of rows, scored or labelled; 0 for a corpus of texts."""
        return len(self.first)

    @property
    def paired(self) -> bool:
        """Whether a row is a pair of texts."""
        return len(self.second) > 0

    @property
    def classes(self) -> tuple[str, ...]:
        """The different labels, sorted; numbers by their size."""
        return tuple(sorted({label for label in self.labels if label}, key=_by_size))

    @property
    def link(self) -> str:
        """What a link or a recipe finds it by."""
        return self.address or self.name

    @cached_property
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
    def vocabulary_size(self) -> int:
        """About how many different words its sentences have; case does not count."""
        return vocabulary_size(self.sentences)

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
        """A hash of everything that a correlation with gold scores, or a reference, depends on."""
        scored = self.first, self.second, self.gold
        columns = [self.repeats, *(scored if len(self) else (column[:0] for column in scored))]
        subset = self.subset if len(self) else ()
        return _digest([self.text_digest, *subset, *(repr(c.tolist()) for c in columns)])[:16]

    @cached_property
    def labelled_fingerprint(self) -> str:
        """A hash of everything that a task with labels or training rows depends on."""
        columns = (repr(c.tolist()) for c in (self.first, self.second))
        scale = repr(self.scale) if len(self) else ""
        names = ["\0".join(self.labels), "\0".join(self.split)]
        subset = ["\0".join(self.subset)] if any(self.subset) and not len(self) else []  # else it is in it
        return _digest([self.fingerprint, *columns, *names, scale, *subset])[:16]

    def counted_in(self, rows: Int[np.ndarray, " row"]) -> Corpus:
        """This corpus for learning from some of its rows: every sentence counts as often as it is there.

        The sentences are the same, so that a stored pass serves; those of other rows count 0 times.
        """
        sides = [side[rows] for side in self._sides if len(side)]
        counts = np.bincount(np.concatenate([*sides, np.zeros(0, int)]), minlength=len(self.sentences))
        return replace(self, repeats=counts)

    def rows_of(self, texts: Sequence[str]) -> Int[np.ndarray, " text"]:
        """Where each of some texts stands among the sentences; a text may come more than once."""
        places = {sentence: i for i, sentence in enumerate(self.sentences)}
        return np.array([places[text] for text in texts], int)

    def take(self, split: str | None) -> Corpus:
        """The rows of one split; ``test`` if there is one, else all, when ``split`` is None."""
        wanted = self.split_asked_for(split)
        if wanted == "all":
            return self
        return self.of_rows(np.flatnonzero([s == wanted for s in self.split]))

    def split_asked_for(self, split: str | None) -> str:
        """The name of a split; ``test`` if there is one, else ``all``, when ``split`` is None.

        Raises :class:`CorpusError` for a split that there is not.
        """
        wanted = ("test" if "test" in self.splits else "all") if split is None else split
        if wanted != "all" and wanted not in self.splits:
            allowed = ", ".join([*self.splits, "all"])
            raise CorpusError(f"The corpus {self.name} has no split {shorten(wanted)}; allowed: {allowed}.")
        return wanted

    def of_rows(self, rows: Int[np.ndarray, " row"]) -> Corpus:
        """The corpus of some rows alone, their sentences in order of first appearance."""
        text1, text2 = (
            [self.sentences[i] for i in side[rows]] if len(side) else [] for side in self._sides
        )
        subset, split = ([column[i] for i in rows] for column in (self.subset, self.split))
        labels = [self.labels[i] for i in rows] if self.labels else []
        if len(self):
            gold = self.gold[rows].tolist()
            part = Corpus.of_pairs(self.name, text1, text2, gold, subset=subset, split=split, labels=labels)
        else:
            part = Corpus.of_labelled(self.name, text1, labels, text2=text2, subset=subset, split=split)
        about = {name: getattr(self, name) for name in ("origin", "notes", "address", "scale", "task")}
        return replace(part, **about)

    @property
    def _sides(self) -> tuple[Int[np.ndarray, " row"], Int[np.ndarray, " pair"]]:
        return self.first, self.second


def _unique(texts: Sequence[str]) -> tuple[tuple[str, ...], Int[np.ndarray, " occurrence"]]:
    places: dict[str, int] = {}
    positions = np.array([places.setdefault(text, len(places)) for text in texts], int)
    return tuple(places), positions


def _by_size(label: str) -> tuple[float, str]:
    """Numbers before words, and by their size."""
    try:
        size = float(label)
    except ValueError:
        size = math.inf
    return (size if math.isfinite(size) else math.inf), label


def _digest(parts: Sequence[str]) -> str:
    text = json.dumps(list(parts), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:40]
