"""Supervised similarity: a score learnt from the difference and product of two vectors."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import numpy as np
from jaxtyping import Float

from core.evaluation.statistics import draw, pearson, spearman
from core.evaluation.sts import BOOTSTRAPS, FEW_PAIRS, Correlation, check_scorable
from core.evaluation.tasks.learners import Classifier
from core.evaluation.tasks.similarity import refuses
from core.evaluation.tasks.supervised import SOFT_CLASSES, held_out, seconds, soft_classes, times
from core.evaluation.tasks.task import TASK, TaskData, TaskResult, no_samples
from core.recipe.arguments import Within

NO_CORRELATION = (
    "All pairs of a fold get the same predicted score under this recipe, so no correlation exists."
)


@TASK.option(refuses=refuses, supervised=True, seconds=seconds, times=times, edition=3)
def supervised_sts(
    data: TaskData,
    *,
    classifier: Classifier = "logistic",
    folds: Annotated[int, Within(2, 100, "folds where the corpus has no train split")] = 10,
    metric: Correlation = "spearman",
) -> TaskResult:
    """Supervised similarity: the correlation of gold scores with scores learnt from training pairs.

    Scores are five soft classes, learnt from [|u − v|, u · v]; the prediction is the expected class, as
    SentEval has it for STS-B and SICK-R.

    Raises
    ------
    CorpusError
        No scored pairs, or too few of them.

    References
    ----------
    Tai, Socher & Manning 2015; Conneau & Kiela 2018, SentEval; Wang & Kuo 2020, section V.
    """
    check_scorable(data.corpus)
    found = held_out(data, *soft_classes(data.corpus), classifier, folds)
    predicted = found.probabilities @ np.arange(1.0, SOFT_CLASSES + 1)
    gold = data.corpus.gold[found.rows]
    notes = found.notes
    values = {"spearman": 100 * spearman(predicted, gold), "pearson": 100 * pearson(predicted, gold)}
    if not found.tells_apart(predicted):
        values, notes = dict.fromkeys(values, np.nan), (*notes, NO_CORRELATION)
    value = values.pop(metric)
    return TaskResult(
        metric,
        value,
        partial(_resampled, predicted, gold, metric),
        f"{found.protocol}; {metric.title()} of the expected one of five soft classes",
        found.seeds,
        len(gold),
        values,
        notes,
    )


def _resampled(
    predicted: Float[np.ndarray, " pair"], gold: Float[np.ndarray, " pair"], metric: Correlation
) -> Float[np.ndarray, " resample"]:
    if len(gold) < FEW_PAIRS:
        return no_samples()
    return 100 * BOOTSTRAPS[metric](predicted, gold, draw(np.zeros(len(gold), int)))
