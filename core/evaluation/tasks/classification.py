"""Classification: a classifier on frozen vectors, scored on rows that it has not learnt from."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Annotated, Literal

import numpy as np

from core.corpora.corpus import Corpus
from core.errors import CorpusError
from core.evaluation.tasks.labels import left_out, one_class_at_most
from core.evaluation.tasks.learners import Classifier, Weights
from core.evaluation.tasks.supervised import (
    hard_classes,
    held_out,
    seconds,
    soft_classes,
    times,
    too_large_to_learn,
)
from core.evaluation.tasks.task import TASK, Rows, TaskData, TaskResult, check_task, resampled_means
from core.recipe.arguments import Within
from core.recipe.options import Choice


def refuses(corpus: Corpus, *, scores: bool = True) -> str:
    """Why classes cannot be learnt; empty where they can. ``scores`` can stand for labels."""
    if corpus.labels or not (scores and len(corpus)):
        return one_class_at_most(corpus) or too_large_to_learn(corpus)
    if np.ptp(corpus.gold) == 0:
        return f"all scores of {corpus.name} are {corpus.gold[0]:g}."
    return too_large_to_learn(corpus)


@TASK.option(refuses=refuses, supervised=True, seconds=seconds, times=times)
def classification(
    data: TaskData,
    *,
    classifier: Classifier = "logistic",
    gold: Literal["label", "score"] = "label",
    folds: Annotated[int, Within(2, 100, "folds where the corpus has no train split")] = 10,
) -> TaskResult:
    """Classification: the accuracy of a classifier on frozen vectors, on rows that it has not learnt from.

    With a train split, that is learnt from and test is scored; else rows are cross-validated. What the
    recipe learns from its texts is learnt from the training rows alone. Scores (``gold=score``, or pairs
    without labels) are five soft classes: then the accuracy is the mean weight of the predicted class.
    ``majority`` is the accuracy of always predicting the commonest class.

    Raises
    ------
    CorpusError
        One class only, fewer rows than folds, a class with one row only to be cross-validated, or more rows
        and classes than half of the machine's memory holds.

    References
    ----------
    Conneau & Kiela 2018, SentEval; Stankevičius & Lukoševičius 2025, section 3.5.3.
    """
    check_task(data.corpus, Choice("classification"))
    soft = not data.corpus.labels or gold == "score"
    if soft and not len(data.corpus):
        raise CorpusError(
            f"task=classification(gold=score): the corpus {data.corpus.name} has no scores; take "
            "gold=label."
        )
    result = classify(
        data, "classification", *(soft_classes if soft else hard_classes)(data.corpus), classifier, folds
    )
    if not soft:
        return result
    return replace(
        result,
        protocol=f"{result.protocol}; five soft classes, accuracy is the weight of the predicted one",
    )


def classify(
    data: TaskData, task: str, rows: Rows, weights: Weights, classifier: Classifier, folds: int
) -> TaskResult:
    """The accuracy of a classifier on rows that it has not learnt from.

    ``rows`` are those with a class, ``weights`` the weight of each class; raises as :func:`classification`.
    """
    check_task(data.corpus, Choice(task))
    found = held_out(data, rows, weights, classifier, folds)
    predicted = found.probabilities.argmax(axis=1)
    credits = found.weights[np.arange(len(predicted)), predicted]
    return TaskResult(
        "accuracy",
        100 * float(credits.mean()),
        partial(resampled_means, credits[None]),
        found.protocol,
        found.seeds,
        len(credits),
        {"majority": 100 * float(found.weights.mean(axis=0).max())},
        (*found.notes, *left_out(data.corpus, len(rows))),
    )
