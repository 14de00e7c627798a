"""Probing: what a linguistic property's classifier finds in sentence vectors (Conneau et al. 2018)."""

from __future__ import annotations

from typing import Annotated

from core.evaluation.tasks.classification import classify, refuses
from core.evaluation.tasks.learners import Classifier
from core.evaluation.tasks.supervised import hard_classes, seconds, times
from core.evaluation.tasks.task import TASK, TaskData, TaskResult
from core.recipe.arguments import Within


@TASK.option(
    refuses=lambda corpus: refuses(corpus, scores=False), supervised=True, seconds=seconds, times=times
)
def probing(
    data: TaskData,
    *,
    classifier: Classifier = "mlp",
    folds: Annotated[int, Within(2, 100, "folds where the corpus has no train split")] = 10,
) -> TaskResult:
    """Probing: the accuracy with which a property of sentences is read from their vectors by an MLP.

    It is classification with the perceptron of SBERT-WK as its classifier, on the given splits.

    Raises
    ------
    CorpusError
        As for classification.

    References
    ----------
    Wang & Kuo 2020, section V-C.
    """
    return classify(data, "probing", *hard_classes(data.corpus), classifier, folds)
