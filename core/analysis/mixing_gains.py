"""What shares of Avg. gain over the model alone, with paired intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.analysis.mixing import Cell, Mixture, any_cell, similarities
from core.corpora.corpus import Corpus
from core.evaluation.difference import NO_DIFFERENCE, Difference
from core.evaluation.scoring import about_corpus, kept_under
from core.evaluation.statistics import RESAMPLES, in_own_order, interval
from core.evaluation.sts import Aggregate, resampled
from core.pipeline.engine import Engine
from core.progress import Progress, silent
from core.recipe import Recipe
from core.storage.tables import RECIPE_LIBRARIES, TableKind

MIXTURE_GAINS = TableKind("mixture-gains", 2, RECIPE_LIBRARIES, forward=True)


@dataclass(frozen=True)
class MixtureGains:
    """What shares of Avg. score above w = 0, on the same pairs.

    Attributes
    ----------
    columns
        For each choice of layers its best share against w = 0.
    best
        The best of all cells against the best one without Avg.
    """

    columns: tuple[Difference, ...]
    best: Difference


def gains(
    engine: Engine,
    recipe: Recipe,
    corpora: Sequence[Corpus],
    mixture: Mixture,
    aggregate: Aggregate = "all",
    progress: Progress = silent,
) -> MixtureGains:
    """The gains of a mixture's best shares with their paired intervals; the results are stored.

    ``mixture`` is the mean over ``corpora``. A share is chosen on the pairs that it is scored on.
    """
    count, compared = _compared(mixture)
    cells = list(dict.fromkeys(cell for pair in compared.values() for cell in pair))

    def compute() -> dict[str, np.ndarray]:
        samples = np.zeros((len(compared), RESAMPLES))
        for number, corpus in enumerate(corpora if cells else ()):
            rows = similarities(engine, recipe, corpus, cells, progress)
            by_cell = {
                cell: in_own_order(number, resampled(row, corpus, aggregate))
                for cell, row in zip(cells, rows, strict=True)
            }
            for sample, (best, alone) in zip(samples, compared.values(), strict=True):
                sample += (by_cell[best] - by_cell[alone]) / len(corpora)
        return {"bounds": np.array([interval(sample) for sample in samples]).reshape(-1, 2)}

    parts = _parts(engine, recipe, corpora, compared, aggregate)
    bounds = engine.store.table(MIXTURE_GAINS, parts, compute, progress)["bounds"].tolist()
    differences = [NO_DIFFERENCE] * count
    for (place, (best, alone)), ends in zip(compared.items(), bounds, strict=True):
        differences[place] = Difference(mixture.at(*best) - mixture.at(*alone), *ends)
    return MixtureGains(tuple(differences[:-1]), differences[-1])


def is_kept(
    engine: Engine,
    recipe: Recipe,
    corpora: Sequence[Corpus],
    mixture: Mixture,
    aggregate: Aggregate = "all",
) -> bool:
    """Whether the gains are stored."""
    _, compared = _compared(mixture)
    return engine.store.has_table(MIXTURE_GAINS, _parts(engine, recipe, corpora, compared, aggregate))


def _compared(mixture: Mixture) -> tuple[int, dict[int, tuple[Cell, Cell]]]:
    """How many gains there are, and by their places the cells of those that have a score."""
    pairs: list[tuple[Cell | None, Cell | None]] = [
        (None if share is None else (share, layers), (0.0, layers))
        for share, layers in zip(mixture.best_shares, mixture.layers, strict=True)
    ]
    pairs.append((mixture.best, (0.0, mixture.best_alone) if mixture.best_alone else None))
    return len(pairs), {
        place: (best, alone)
        for place, (best, alone) in enumerate(pairs)
        if best and alone and np.isfinite([mixture.at(*best), mixture.at(*alone)]).all()
    }


def _parts(
    engine: Engine,
    recipe: Recipe,
    corpora: Sequence[Corpus],
    compared: Mapping[int, tuple[Cell, Cell]],
    aggregate: Aggregate,
) -> list[object]:
    """What the stored bounds depend on."""
    about: list[object] = [kept_under(engine, any_cell(recipe)), list(compared.values())]
    return [*about, *(about_corpus(corpus, aggregate) for corpus in corpora)]
