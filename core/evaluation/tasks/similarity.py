"""Semantic textual similarity as a task: nothing is trained, see :mod:`core.evaluation.sts`."""

from __future__ import annotations

from functools import partial

from core.corpora.corpus import Corpus
from core.errors import CorpusError
from core.evaluation.sts import Aggregate, Correlation, check_scorable, evaluate, resampled
from core.evaluation.tasks.task import TASK, TaskData, TaskResult
from core.recipe.options import Choice

STS = Choice("sts")
"""The task at its defaults: the one whose rows of a sweep have the columns of scored pairs as well."""


def refuses(corpus: Corpus) -> str:
    """Why no correlation exists; empty where one does."""
    try:
        check_scorable(corpus)
    except CorpusError as error:
        return str(error)
    return ""


@TASK.option(refuses=refuses)
def sts(data: TaskData, *, metric: Correlation = "spearman") -> TaskResult:
    """Semantic textual similarity: the correlation of similarities with gold scores, Spearman's by default.

    SBERT-WK and S3E print Pearson's (``metric=pearson``); the other one stands beside the main value.
    """
    corpus, vectors = data.corpus, data.embed()
    similarities = data.compare(vectors[corpus.first], vectors[corpus.second])
    score = evaluate(similarities, corpus, data.aggregate, intervals=False)
    values = {"spearman": score.spearman, "pearson": score.pearson}
    value = values.pop(metric)
    return TaskResult(
        metric,
        value,
        partial(resampled, similarities, corpus, data.aggregate, metric),
        protocol(corpus, data.aggregate, data.learns, metric),
        (),
        len(corpus),
        values,
        (score.problem,) if score.problem else (),
    )


def protocol(
    corpus: Corpus, aggregate: Aggregate, learns: tuple[str, ...], metric: Correlation = "spearman"
) -> str:
    """How the correlation is measured; ``learns`` is what the recipe learns from the corpus."""
    how = {
        "all": "over all pairs",
        "mean": "mean over subsets",
        "wmean": "mean over subsets by their sizes",
    }
    learnt = f"; {', '.join(learns)} learnt from the scored sentences" if learns else ""
    return f"untrained, {metric.title()} {how[aggregate]} of {corpus.split_name}{learnt}"
