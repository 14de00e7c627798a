"""Classification: a classifier on frozen vectors, scored on rows that it has not learnt from."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Literal

import numpy as np

from core.corpora.corpus import Corpus
from core.errors import CorpusError
from core.evaluation.tasks.learners import Classifier
from core.evaluation.tasks.supervised import hard_classes, held_out, soft_classes
from core.evaluation.tasks.task import TASK, TaskData, TaskResult, check_task, resampled_means
from core.recipe.arguments import Within
from core.recipe.options import Choice


def _refuses(corpus: Corpus) -> str:
    if not corpus.labels and not len(corpus):
        return f"the corpus {corpus.name} has no labels."
    if corpus.labels and not len(corpus.classes):
        return f"no row of {corpus.name} has a label."
    if corpus.labels and len(corpus.classes) < 2:
        return f"all labels of {corpus.name} are {corpus.classes[0]!r}: there is one class only."
    if not corpus.labels and np.ptp(corpus.gold) == 0:
        return f"all scores of {corpus.name} are {corpus.gold[0]:g}."
    return ""


@TASK.option(refuses=_refuses, supervised=True)
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
        One class only, fewer rows than folds, or a class with one row only to be cross-validated.

    References
    ----------
    Conneau & Kiela 2018, SentEval; Stankevičius & Lukoševičius 2024, section 3.5.3.
    """
    check_task(data.corpus, Choice("classification"))
    soft = not data.corpus.labels or gold == "score"
    if soft and not len(data.corpus):
        raise CorpusError(f"task=classification(gold=score): the corpus {data.corpus.name} has no scores.")
    rows, weights = (soft_classes if soft else hard_classes)(data.corpus)
    if not len(rows):
        raise CorpusError(f"No row of {data.corpus.name} has a label.")
    found = held_out(data, rows, weights, classifier, folds)
    notes = list(found.notes)
    if left := data.corpus.rows - len(rows):  # scored pairs need no label
        notes.append(f"{left:,} rows without a label are left out.")
    predicted = found.probabilities.argmax(axis=1)
    credits = found.weights[np.arange(len(predicted)), predicted]
    others = {"majority": 100 * float(found.weights.mean(axis=0).max())}
    return TaskResult(
        "accuracy",
        100 * float(credits.mean()),
        partial(resampled_means, credits[None]),
        found.protocol
        + ("; five soft classes, accuracy is the weight of the predicted one" if soft else ""),
        found.seeds,
        len(credits),
        others,
        tuple(notes),
    )
