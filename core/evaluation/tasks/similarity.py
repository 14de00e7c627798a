"""Semantic textual similarity as a task: nothing is trained, see :mod:`core.evaluation.sts`."""

from __future__ import annotations

from functools import partial

from core.corpora.corpus import Corpus
from core.errors import CorpusError
from core.evaluation.sts import Aggregate, check_scorable, evaluate, resampled
from core.evaluation.tasks.task import TASK, TaskData, TaskResult, listed


def refuses(corpus: Corpus) -> str:
    """Why no correlation exists; empty where one does."""
    try:
        check_scorable(corpus)
    except CorpusError as error:
        return str(error)
    return ""


@TASK.option(refuses=refuses)
def sts(data: TaskData) -> TaskResult:
    """Semantic textual similarity: Spearman's correlation of similarities with gold scores."""
    corpus, vectors = data.corpus, data.embed()
    similarities = data.compare(vectors[corpus.first], vectors[corpus.second])
    score = evaluate(similarities, corpus, data.aggregate, intervals=False)
    return TaskResult(
        "spearman",
        score.spearman,
        partial(resampled, similarities, corpus, data.aggregate),
        protocol(corpus, data.aggregate, data.learns),
        (),
        len(corpus),
        {"pearson": score.pearson},
        (score.problem,) if score.problem else (),
    )


def protocol(corpus: Corpus, aggregate: Aggregate, learns: tuple[str, ...]) -> str:
    """How the correlation is measured; ``learns`` is what the recipe learns from the corpus."""
    how = {
        "all": "over all pairs",
        "mean": "mean over subsets",
        "wmean": "mean over subsets by their sizes",
    }
    learnt = f"; {listed(learns)} learnt from the scored sentences" if learns else ""
    return f"untrained, Spearman {how[aggregate]} of {corpus.split_name}{learnt}"
