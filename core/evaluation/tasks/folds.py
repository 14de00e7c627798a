"""Which rows are learnt from and which are scored: the given splits, or cross-validation."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Int

from core.corpora.corpus import Corpus
from core.errors import CorpusError, shorten
from core.evaluation.tasks.task import Rows
from core.loading import LOADING

SEED = 0
"""Seed of the order in which rows are dealt to folds."""

Codes = Int[np.ndarray, "_"]


@dataclass(frozen=True, eq=False)
class Fold:
    """Rows to learn from and rows to score; ``tune`` are those of the dev split, where there is one."""

    train: Rows
    test: Rows
    tune: Rows | None = None


@dataclass(frozen=True)
class Folds:
    """All folds of an evaluation.

    ``split`` names the rows that are scored, ``words`` how they were divided; ``notes`` say what limits it.
    """

    folds: tuple[Fold, ...]
    split: str
    words: str
    notes: tuple[str, ...] = ()

    @property
    def crossed(self) -> bool:
        """Whether rows are learnt from in one fold and scored in another."""
        return len(self.folds) > 1

    @property
    def test(self) -> Rows:
        """All rows that are scored, fold by fold."""
        return np.concatenate([fold.test for fold in self.folds])


def divide(corpus: Corpus, rows: Rows, codes: Codes, split: str | None, number: int) -> Folds:
    """The folds of a corpus.

    A split beside ``train`` (``test`` when None) is scored by what is learnt from ``train``; without a
    train split, and for ``all`` or ``train`` itself, its rows are cross-validated.

    Parameters
    ----------
    corpus
        All rows of all splits.
    rows
        Those with a class.
    codes
        The class of each of them: folds have about the same share of every class.
    split
        The split that is scored; None for test, or all where there is none.
    number
        Folds of a cross-validation.

    Raises
    ------
    CorpusError
        No such split, fewer rows than folds, or a class with one row only to be cross-validated.
    """
    splits, names = np.array(corpus.split), corpus.splits
    wanted = corpus.split_asked_for(split)
    if wanted in ("all", "train") or "train" not in names:
        kept = np.arange(len(rows)) if wanted == "all" else np.flatnonzero(splits[rows] == wanted)
        return _crossed(corpus, rows[kept], codes[kept], wanted, number)
    of = {name: rows[splits[rows] == name] for name in ("train", "dev", wanted)}
    for name in ("train", wanted):
        if not len(of[name]):
            raise CorpusError(
                f"No row of the split {name} of {corpus.name} has a label: there is nothing to "
                f"{'learn from' if name == 'train' else 'score'}. Label some of them."
            )
    tune = of["dev"] if wanted != "dev" and len(of["dev"]) else None
    return Folds((Fold(of["train"], of[wanted], tune),), wanted, f"trained on train, scored on {wanted}")


def most_folds(corpus: Corpus) -> int | None:
    """The most folds of a cross-validation over the labelled rows, 2 or more; 0 where there can be none.

    None where rows to learn from and rows to score are given.
    """
    if {"train", "test"} <= set(corpus.splits):
        return None
    counts = Counter(label for label in corpus.labels if label).values()
    return max(counts) if min(counts, default=0) > 1 else 0


def _crossed(corpus: Corpus, rows: Rows, codes: Codes, split: str, number: int) -> Folds:
    found, counts = np.unique(codes, return_counts=True)
    if counts.min() < 2:
        alone = int((counts == 1).sum())
        first = _class_of(corpus, rows, codes, int(found[counts.argmin()]))
        raise CorpusError(
            f"{corpus.name}: of {alone:,} of {len(found):,} classes there is one row only, which cannot be "
            f"both learnt and scored (the first is {first}); "
            "leave such rows out, or give the table a split column with train and test."
        )
    if counts.max() < number:
        few = (
            f"{len(rows):,} rows are fewer than {number} folds"
            if len(rows) < number
            else f"no class has as many rows as there are folds ({number})"
        )
        raise CorpusError(f"{corpus.name}: {few}; take folds={counts.max()} or fewer.")
    notes = []
    if small := int((counts < number).sum()):
        notes.append(
            f"There are fewer rows than folds of {small:,} of {len(found):,} classes: some folds lack them."
        )
    folds = tuple(Fold(rows[train], rows[test]) for train, test in stratified(codes, number))
    words = f"{number}-fold cross-validation over {split if split != 'all' else 'all rows'}"
    return Folds(folds, split, words, tuple(notes))


def stratified(codes: Codes, number: int) -> Sequence[tuple[Rows, Rows]]:
    """Places of training and test rows in each fold, shuffled by :data:`SEED`, classes in equal shares."""
    with LOADING:
        from sklearn.model_selection import StratifiedKFold

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The least populated class", UserWarning)
        return list(StratifiedKFold(number, shuffle=True, random_state=SEED).split(codes, codes))


def _class_of(corpus: Corpus, rows: Rows, codes: Codes, code: int) -> str:
    row = rows[int(np.argmax(codes == code))]
    return shorten(corpus.labels[row]) if corpus.labels else f"score {corpus.gold[row]:g}"
