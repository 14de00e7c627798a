"""Isotropy of a corpus' sentence vectors as a task: no labels, no pairs, and no score of quality."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Literal

import numpy as np
from jaxtyping import Float

from core.corpora.corpus import Corpus
from core.evaluation.isotropy import average_cosine, blocks, iso_score
from core.evaluation.statistics import RESAMPLES, draw
from core.evaluation.tasks.task import TASK, Samples, TaskData, TaskResult, drawn_at_once, no_samples
from core.recipe.arguments import Within


def _refuses(corpus: Corpus) -> str:
    few = len(corpus.sentences)
    return "" if few > 1 else f"the corpus {corpus.name} has {few} sentence, and no pair to compare."


@TASK.option(refuses=_refuses, named=True, quality=False)
def isotropy(
    data: TaskData,
    *,
    metric: Literal["cosine", "isoscore"] = "cosine",
    sentences: Annotated[int | None, Within(2, 10_000_000, "drawn; all when left out")] = None,
    seed: Annotated[int, Within(0, 2**31 - 1, "of the sentences that are drawn")] = 0,
) -> TaskResult:
    """Isotropy: the average cosine of different sentences, or the IsoScore of their vectors, × 100.

    A low average cosine and a high IsoScore say that the vectors use their space evenly. Each different
    sentence counts once. The interval of the cosine resamples sentences, a pair of copies left out; the
    IsoScore has none.

    References
    ----------
    Chen et al. 2023, Table 5: the average cosine of 1,000 sentences of Wikipedia. Stankevičius &
    Lukoševičius 2025, Section 3.5.4: the IsoScore of the sentences of WikiText-2.
    """
    vectors = data.embed()
    if sentences is not None and sentences < len(vectors):
        chosen = np.random.default_rng(seed).choice(len(vectors), sentences, replace=False)
        vectors = vectors[np.sort(chosen)]
    values = {"cosine": 100 * average_cosine(vectors), "isoscore": 100 * iso_score(vectors)}
    value = values.pop(metric)
    drawn = "all" if len(vectors) == len(data.corpus.sentences) else f"{len(vectors):,} drawn"
    learnt = f"; {', '.join(data.learns)} learnt from the sentences themselves" if data.learns else ""
    kind = {"cosine": "average cosine of pairs", "isoscore": "IsoScore"}[metric]
    return TaskResult(
        metric,
        value,
        partial(_resampled, vectors) if metric == "cosine" else no_samples,
        f"untrained, {kind} of different sentences, {drawn}{learnt}",
        (seed,) if sentences is not None else (),
        len(vectors),
        values,
    )


def _resampled(vectors: Float[np.ndarray, "sentence dim"]) -> Samples:
    """The average cosine × 100 of each bootstrap resample, over its pairs of two different sentences."""
    units = np.concatenate([block.astype(np.float32) for block in blocks(vectors, normalised=True)])
    squares = np.einsum("ij,ij->i", units, units)
    groups, out = np.zeros(len(units), int), np.empty(RESAMPLES)
    for number, (start, stop) in enumerate(drawn_at_once(len(units))):
        counts = draw(groups, stop - start, seed=number).astype(np.float32)
        sums, twice = counts @ units, counts**2
        pairs = len(units) ** 2 - twice.sum(axis=1)
        out[start:stop] = ((sums**2).sum(axis=1) - twice @ squares) / np.where(pairs > 0, pairs, np.nan)
    return 100 * out
