"""What supervised tasks share: predictions for rows that were not learnt from."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from core.corpora.corpus import Corpus
from core.corpora.scales import scale_of
from core.errors import CorpusError, are, counted, they
from core.evaluation.tasks.folds import SEED, Folds, divide
from core.evaluation.tasks.labels import labelled_rows
from core.evaluation.tasks.learners import INNER_FOLDS, LEARNERS, Classifier, Learner, Weights, predict
from core.evaluation.tasks.task import Rows, TaskData, row_features, too_large
from core.progress import Step

LEARNING_BYTES = 42
"""Bytes that learning takes for each row and class; measured on 20,000 rows of 10,000 classes."""

ROUNDING = 1e-6
"""The share by which predictions in float32 that are equal may differ."""

SOFT_CLASSES = 5
"""The classes that scores are spread over."""


@dataclass(frozen=True, eq=False)
class HeldOut:
    """Predictions for the scored rows, by a classifier that has not seen them.

    Attributes
    ----------
    folds
        The scored rows of the corpus by fold.
    probabilities, weights
        Of each class, as predicted and as it is.
    protocol, seeds, notes
        As a :class:`~core.evaluation.tasks.task.TaskResult` has them.
    """

    folds: tuple[Rows, ...]
    probabilities: Weights
    weights: Weights
    protocol: str
    seeds: tuple[int, ...]
    notes: tuple[str, ...]

    @property
    def rows(self) -> Rows:
        """The scored rows of the corpus, fold by fold."""
        return np.concatenate(self.folds)

    def tells_apart(self, predicted: Float[np.ndarray, " row"]) -> bool:
        """Whether positive numbers that are predicted differ within a fold; what is learnt differs by fold.

        Of folds of one row each nothing is known, and they count as told apart.
        """
        parts = np.split(predicted, np.cumsum([len(fold) for fold in self.folds])[:-1])
        spans = [np.ptp(part) / np.abs(part).max() for part in parts if len(part) > 1]
        return bool(max(spans, default=1.0) > ROUNDING)


def hard_classes(corpus: Corpus) -> tuple[Rows, Weights]:
    """The rows with a label, and weight 1 at the class of each, in the order of :attr:`Corpus.classes`."""
    rows = labelled_rows(corpus)
    place = {label: i for i, label in enumerate(corpus.classes)}
    weights = np.zeros((len(rows), len(place)))
    weights[np.arange(len(rows)), [place[corpus.labels[row]] for row in rows]] = 1
    return rows, weights


def soft_classes(corpus: Corpus) -> tuple[Rows, Weights]:
    """All rows, and the weights of classes 1 to 5: a score of 3.6 is class 3 by 0.4 and class 4 by 0.6.

    A score below 1 is class 1. Scores whose scale does not end at 5 are first brought to 1 to 5; a scale
    that nobody said is the likeliest (:func:`~core.corpora.scales.scale_of`).

    References
    ----------
    Stankevičius & Lukoševičius 2025, section 3.5.3.
    """
    gold = corpus.gold
    low, high = scale_of(gold, corpus.scale)
    if high != SOFT_CLASSES:
        gold = 1 + (SOFT_CLASSES - 1) * (gold - low) / (high - low)
    gold = np.clip(gold, 1, SOFT_CLASSES)
    below = np.minimum(np.floor(gold).astype(int), SOFT_CLASSES - 1)
    weights = np.zeros((len(gold), SOFT_CLASSES))
    rows = np.arange(len(gold))
    weights[rows, below] = gold - below
    weights[rows, below - 1] = 1 - (gold - below)
    return rows, weights


def held_out(data: TaskData, rows: Rows, weights: Weights, classifier: Classifier, folds: int) -> HeldOut:
    """Predict every scored row by a classifier, and a recipe, that learn from training rows alone.

    Parameters
    ----------
    data
        The corpus, with all its splits, and its vectors.
    rows, weights
        Rows with a class, and the weights of their classes.
    classifier, folds
        What learns, and the folds of a cross-validation.

    Raises
    ------
    CorpusError
        The rows cannot be divided, or all training rows are of one class.
    """
    codes = weights.argmax(axis=1)
    divided = divide(data.corpus, rows, codes, data.split, folds)
    learner = LEARNERS[classifier]
    whole = np.zeros((data.corpus.rows, weights.shape[1]))
    whole[rows] = weights
    missing = _check_training(data.corpus, divided, whole)
    features = None
    probabilities, chosen, notes = [], [], [*divided.notes, *missing]
    failed = untuned = 0
    for number, fold in enumerate(divided.folds):
        data.progress(Step(f"Learning {data.corpus.name}: folds", number, len(divided.folds)))
        if features is None or data.learns:
            features = row_features(data, data.embed(fold.train))
        predicted = predict(learner, features, whole, fold.train, fold.test, fold.tune)
        probabilities.append(predicted.probabilities)
        chosen.append(predicted.chosen)
        failed += not predicted.converged
        untuned += not predicted.tuned
        if not predicted.tuned:
            notes.append(f"Too few training rows to choose {learner.number}: it is {predicted.chosen:g}.")
    data.progress(Step(f"Learning {data.corpus.name}: folds", len(divided.folds), len(divided.folds)))
    if failed:
        notes.append(f"The {learner.name} did not converge in {failed} of {len(divided.folds)} folds.")
    return HeldOut(
        tuple(fold.test for fold in divided.folds),
        np.concatenate(probabilities),
        whole[divided.test],
        _protocol(data, learner, divided, chosen, tuned=untuned < len(divided.folds)),
        learner.seeds or ((SEED,) if divided.crossed else ()),
        tuple(dict.fromkeys(notes)),
    )


def too_large_to_learn(corpus: Corpus) -> str:
    """Why the classes of a corpus cannot be learnt in the machine's memory; empty where they can."""
    return too_large(corpus, corpus.rows * len(corpus.classes), LEARNING_BYTES)


def seconds(corpus: Corpus, columns: int, *, classifier: Classifier, folds: int, **others: object) -> float:
    """About how long :func:`held_out` takes from vectors that are there, on one processor."""
    learner = LEARNERS[classifier]
    given = "train" in corpus.splits
    rows = corpus.split.count("train") if given else corpus.rows * (folds - 1) / folds
    columns *= 2 if corpus.paired else 1
    one = learner.seconds(round(rows), columns, len(corpus.classes) or SOFT_CLASSES)
    if given and "dev" in corpus.splits:
        tried = float(len(learner.values))
    else:
        tried = len(learner.values) * (INNER_FOLDS - 1)  # as many fits again, each of a part of the rows
    return (1 if given else folds) * (1 + tried) * one


def times(corpus: Corpus, *, folds: int, **others: object) -> float:
    """How often all rows are learnt from: all but its own in each fold, or those of the train split."""
    return corpus.split.count("train") / corpus.rows if "train" in corpus.splits else folds - 1.0


def _check_training(corpus: Corpus, divided: Folds, weights: Weights) -> list[str]:
    """Refuse training rows of one class; say how many scored rows have a class that is not learnt."""
    unknown, classes = 0, set()
    for fold in divided.folds:
        learnt = weights[fold.train].sum(axis=0) > 0
        if learnt.sum() < 2:
            raise CorpusError(
                f"All training rows of {corpus.name} are of one class: there is nothing to learn. Give "
                "some of another class."
            )
        unseen = ~(weights[fold.test] @ learnt > 0)
        unknown += int(unseen.sum())
        classes |= {corpus.labels[row] for row in fold.test[unseen]} if corpus.labels else set()
    if not unknown:
        return []
    shown = ", ".join(sorted(classes)[:3]) + (", …" if len(classes) > 3 else "")
    return [
        f"{counted(unknown, 'scored row')} {are(unknown)} of a class that no training row has ({shown}), "
        f"and {they(unknown, 'count')} as wrong."
    ]


def _protocol(data: TaskData, learner: Learner, divided: Folds, chosen: list[float], *, tuned: bool) -> str:
    """``tuned`` says whether the regularisation is chosen in any fold."""
    on_dev = divided.folds[0].tune is not None
    where = "on dev" if on_dev else f"by {INNER_FOLDS}-fold cross-validation inside the training rows"
    counts = sorted(Counter(chosen).items())
    found = ", ".join(f"{value:g}" + (f" ({times}×)" if len(chosen) > 1 else "") for value, times in counts)
    features = ", pairs as [|u − v|, u · v]" if data.corpus.paired else ""
    learnt = ""
    if data.learns:
        learnt = f"; {', '.join(data.learns)} learnt from the training rows" + (
            " of each fold" if divided.crossed else ""
        )
    least, most = min(learner.values), max(learner.values)
    values = f"{learner.number} from {least:g} to {most:g} chosen {where}: {found}"
    taken = values if tuned else f"{learner.number} = {chosen[0]:g}, not chosen"
    return f"{learner.name}{features}, {divided.words}; {taken}{learnt}"
