"""How every layer of a model, and every pair of layers, scores under one recipe.

The recipe's own layers are replaced, everything else stays. WhiteningBERT (Huang et al. 2021) scores all
pairs of BERT's 13 layers; Stankevičius & Lukoševičius (2025, Figure 4) every layer and first + last.
Where averaging layers and pooling tokens commute, all combinations follow from one reading of the pass
and the inner products of its layers (:mod:`core.analysis.products`); else every combination walks the road.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from jaxtyping import Float

from core.analysis import products
from core.analysis.trajectories import layered
from core.corpus import Corpus
from core.embed import Road
from core.encoder import STATIC
from core.evaluation.scoring import about_corpus, about_recipe
from core.evaluation.sts import Aggregate, check_scorable, evaluate
from core.progress import Progress, Step, silent
from core.recipe import POOL, WEIGHT, Recipe
from core.store import key_of

Cell = tuple[int, ...]
"""Layers that are averaged."""


@dataclass(frozen=True, eq=False)
class ByLayer:
    """Spearman × 100 of each layer alone, and of first + last, with 95 % bootstrap intervals.

    ``layers`` are ascending, -1 is the static rows; ``first_last`` is (score, low, high).
    """

    layers: tuple[int, ...]
    spearman: Float[np.ndarray, " layer"]
    low: Float[np.ndarray, " layer"]
    high: Float[np.ndarray, " layer"]
    first_last: tuple[float, float, float]

    @property
    def best(self) -> int | None:
        """The layer that scores highest; None when none has a score."""
        return None if np.isnan(self.spearman).all() else self.layers[int(np.nanargmax(self.spearman))]


@dataclass(frozen=True, eq=False)
class ByPair:
    """Spearman × 100 of each pair of layers, symmetric, each layer alone on the diagonal.

    NaN where a pair cannot be averaged (static rows of another width) or has no score.
    """

    layers: tuple[int, ...]
    spearman: Float[np.ndarray, "layer layer"]

    @property
    def best(self) -> Cell | None:
        """The pair, or the layer alone, that scores highest."""
        if np.isnan(self.spearman).all():
            return None
        i, j = np.unravel_index(np.nanargmax(self.spearman), self.spearman.shape)
        return tuple(sorted({self.layers[int(i)], self.layers[int(j)]}))


def with_layers(recipe: Recipe, layers: Cell) -> Recipe:
    """``recipe`` with the average of these layers in place of its own."""
    return recipe.replace(layers="+".join("static" if i == STATIC else str(i) for i in sorted(set(layers))))


def is_closed(recipe: Recipe) -> bool:
    """Whether every combination of layers follows from inner products of layers pooled one by one."""
    return bool(
        POOL.find(recipe.pool).traits.get("linear")
        and WEIGHT.find(recipe.weight).traits.get("needs") != "states"
        and recipe.mix.name == "none"
        and not recipe.post
        and recipe.similarity.name in products.CLOSED
    )


def by_layer(
    road: Road, recipe: Recipe, corpus: Corpus, aggregate: Aggregate = "all", progress: Progress = silent
) -> ByLayer:
    """Score every layer alone, and first + last; kept.

    Raises
    ------
    CorpusError
        The corpus allows no correlation.
    RecipeError
        The source has one layer only, or cannot follow the recipe.
    """

    def score() -> dict[str, np.ndarray]:
        layers = _layers(road, recipe, corpus)
        cells = [(i,) for i in layers] + [(1, layers[-1])]
        rows = []
        for values in _similarities(road, recipe, corpus, cells, progress):
            found = evaluate(values, corpus, aggregate)
            rows.append((found.spearman, found.low, found.high))
        return {"layers": np.array(layers), "scores": np.array(rows)}

    made = _kept(road, recipe, corpus, aggregate, "layers", score)
    *rows, last = made["scores"].tolist()
    spearman, low, high = np.array(rows).T
    return ByLayer(tuple(made["layers"].tolist()), spearman, low, high, tuple(last))


def by_pair(
    road: Road, recipe: Recipe, corpus: Corpus, aggregate: Aggregate = "all", progress: Progress = silent
) -> ByPair:
    """Score every pair of layers, and each alone; kept. Raises what :func:`by_layer` raises."""

    def score() -> dict[str, np.ndarray]:
        layers = _layers(road, recipe, corpus)
        together = [i for i in layers if i != STATIC or _static_is_as_wide(road, recipe, corpus)]
        cells = [(i,) for i in layers] + list(combinations(together, 2))
        grid = np.full((len(layers), len(layers)), np.nan)
        made = _similarities(road, recipe, corpus, cells, progress)
        for cell, values in zip(cells, made, strict=True):
            i, j = layers.index(cell[0]), layers.index(cell[-1])
            grid[i, j] = grid[j, i] = evaluate(values, corpus, aggregate, intervals=False).spearman
        return {"layers": np.array(layers), "scores": grid}

    made = _kept(road, recipe, corpus, aggregate, "pairs", score)
    return ByPair(tuple(made["layers"].tolist()), made["scores"])


def is_kept(road: Road, recipe: Recipe, corpus: Corpus, aggregate: Aggregate = "all") -> bool:
    """Whether both answers are there already. Raises what :func:`by_layer` raises."""
    return all(
        road.store.has_table(_key(road, recipe, corpus, aggregate, what)) for what in ("layers", "pairs")
    )


def cells(layers: int) -> int:
    """How many different scores a grid of so many layers takes."""
    return layers * (layers + 1) // 2


# -- inside ------------------------------------------------------------------------------------------


def _kept(
    road: Road,
    recipe: Recipe,
    corpus: Corpus,
    aggregate: Aggregate,
    what: str,
    score: Callable[[], dict[str, np.ndarray]],
) -> dict[str, np.ndarray]:
    return road.store.table(_key(road, recipe, corpus, aggregate, what), score)


def _key(road: Road, recipe: Recipe, corpus: Corpus, aggregate: Aggregate, what: str) -> str:
    check_scorable(corpus)
    source = layered(road, recipe, corpus)
    any_layers = with_layers(recipe, (0,))
    about = about_recipe(road, any_layers) | about_corpus(corpus, aggregate)
    return "layer-scores-" + key_of(what, about, road.passes.key(source, corpus))


def _layers(road: Road, recipe: Recipe, corpus: Corpus) -> tuple[int, ...]:
    return road.passes.layers(layered(road, recipe, corpus))


def _static_is_as_wide(road: Road, recipe: Recipe, corpus: Corpus) -> bool:
    plain = Recipe(source=recipe.source, template=recipe.template, reference=recipe.reference)
    widths = {road.embed(with_layers(plain, (i,)), corpus).vectors.shape[1] for i in (STATIC, 0)}
    return len(widths) == 1


def _similarities(
    road: Road, recipe: Recipe, corpus: Corpus, cells: Sequence[Cell], progress: Progress
) -> Iterator[Float[np.ndarray, " pair"]]:
    """The similarities of the corpus' pairs for one set of layers after the other."""
    if is_closed(recipe):
        yield from _by_products(road, recipe, corpus, cells, progress)
        return
    for done, cell in enumerate(cells):
        progress(Step("Scoring sets of layers", done, len(cells)))
        yield road.similarities(with_layers(recipe, cell), corpus, progress)[0]


def _by_products(
    road: Road, recipe: Recipe, corpus: Corpus, cells: Sequence[Cell], progress: Progress
) -> Iterator[Float[np.ndarray, " pair"]]:
    road.embed(recipe.replace(layers="all"), corpus, progress)  # one reading pools every layer but static
    layers = sorted({i for cell in cells for i in cell})
    pooled = [road.embed(with_layers(recipe, (i,)), corpus, progress).vectors for i in layers]
    wide = [part.shape[1] == pooled[-1].shape[1] for part in pooled]
    of = {layer: i for i, layer in enumerate(i for i, fits in zip(layers, wide, strict=True) if fits)}
    whole = [cell for cell in cells if all(i in of for i in cell)]
    weights = np.zeros((len(whole), len(of)))
    for row, cell in zip(weights, whole, strict=True):
        row[[of[i] for i in cell]] = 1 / len(cell)
    parts = [part for part, fits in zip(pooled, wide, strict=True) if fits]
    name = recipe.similarity.name
    made = iter(products.similarities(parts, corpus.first, corpus.second, weights, name))
    for cell in cells:  # static rows of another width stand alone
        yield (
            next(made)
            if all(i in of for i in cell)
            else road.similarities(with_layers(recipe, cell), corpus, progress)[0]
        )
