"""The scores of every layer of a model, and of every pair of layers, under one recipe.

The recipe's own layers are replaced; its other stages stay. WhiteningBERT (Huang et al. 2021) scores all
pairs of BERT's 13 layers; Stankevičius & Lukoševičius (2025, Figure 4) every layer and first + last.
Where averaging layers and pooling tokens commute, all combinations follow from one reading of the pass
and the inner products of its layers (:mod:`core.analysis.inner_products`); else the engine
runs every combination.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass
from itertools import combinations

import numpy as np
from jaxtyping import Float

from core.analysis import inner_products
from core.analysis.layered_source import layered_source
from core.corpora.corpus import Corpus
from core.evaluation.scoring import about_corpus, kept_under
from core.evaluation.sts import (
    NO_DIFFERENCE,
    Aggregate,
    Difference,
    against_best,
    check_scorable,
    compare,
    evaluate,
)
from core.pipeline.engine import Engine
from core.progress import Progress, Step, silent
from core.recipe import Recipe
from core.storage.tables import RECIPE_LIBRARIES, TableKind
from core.tokens.states import STATIC

LAYER_SCORES = TableKind("layer-scores", 2, RECIPE_LIBRARIES)

Cell = tuple[int, ...]
"""Layers that are averaged."""


@dataclass(frozen=True, eq=False)
class ByLayer:
    """Spearman × 100 of each layer alone, and of first + last, with 95 % bootstrap intervals.

    ``layers`` are ascending, -1 is the static rows; ``first_last`` is (score, low, high).
    ``differences`` are what the best of all these scores above each layer, and above first + last at the
    end, paired on the same pairs.
    """

    layers: tuple[int, ...]
    spearman: Float[np.ndarray, " layer"]
    low: Float[np.ndarray, " layer"]
    high: Float[np.ndarray, " layer"]
    first_last: tuple[float, float, float]
    differences: tuple[Difference, ...]

    @property
    def best(self) -> int | None:
        """The layer that scores highest; None when none has a score."""
        return None if np.isnan(self.spearman).all() else self.layers[int(np.nanargmax(self.spearman))]


@dataclass(frozen=True, eq=False)
class ByPair:
    """Spearman × 100 of each pair of layers, symmetric, each layer alone on the diagonal.

    NaN where a pair cannot be averaged (static rows of another width) or has no score. ``gain`` is what the
    best pair of two layers scores above the best layer alone, on the same pairs.
    """

    layers: tuple[int, ...]
    spearman: Float[np.ndarray, "layer layer"]
    gain: Difference

    @property
    def best_alone(self) -> int | None:
        """The layer that scores highest by itself."""
        alone = np.diagonal(self.spearman)
        return None if np.isnan(alone).all() else self.layers[int(np.nanargmax(alone))]

    @property
    def best_pair(self) -> Cell | None:
        """The two layers that score highest together."""
        pairs = np.where(np.triu(np.ones_like(self.spearman), 1) > 0, self.spearman, np.nan)
        if np.isnan(pairs).all():
            return None
        i, j = np.unravel_index(np.nanargmax(pairs), pairs.shape)
        return self.layers[int(i)], self.layers[int(j)]

    def at(self, cell: Cell) -> float:
        """The score of one layer, or of two together."""
        return float(self.spearman[self.layers.index(cell[0]), self.layers.index(cell[-1])])

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


def by_layer(
    engine: Engine,
    recipe: Recipe,
    corpus: Corpus,
    aggregate: Aggregate = "all",
    progress: Progress = silent,
) -> ByLayer:
    """Score every layer alone, and first + last; kept.

    Raises
    ------
    CorpusError
        The corpus allows no correlation.
    RecipeError
        The source has one layer only, or cannot follow the recipe.
    """

    def score_layers() -> dict[str, np.ndarray]:
        layers = _layers(engine, recipe, corpus)
        cells = [(i,) for i in layers] + [(1, layers[-1])]
        rows = list(similarities(engine, recipe, corpus, cells, progress))
        scores, differences = against_best(rows, corpus, aggregate)
        return {
            "layers": np.array(layers),
            "scores": np.array([(score.spearman, score.low, score.high) for score in scores]),
            "differences": np.array([astuple(difference) for difference in differences]),
        }

    parts = _parts(engine, recipe, corpus, aggregate, "layers")
    arrays = engine.store.table(LAYER_SCORES, parts, score_layers, progress)
    *rows, first_last = arrays["scores"].tolist()
    spearman, low, high = np.array(rows).T
    differences = tuple(Difference(*row) for row in arrays["differences"].tolist())
    return ByLayer(tuple(arrays["layers"].tolist()), spearman, low, high, tuple(first_last), differences)


def by_pair(
    engine: Engine,
    recipe: Recipe,
    corpus: Corpus,
    aggregate: Aggregate = "all",
    progress: Progress = silent,
) -> ByPair:
    """Score every pair of layers, and each alone; kept. Raises what :func:`by_layer` raises."""

    def score_pairs() -> dict[str, np.ndarray]:
        layers = _layers(engine, recipe, corpus)
        of_one_width = [i for i in layers if i != STATIC or _static_is_as_wide(engine, recipe, corpus)]
        cells = [(i,) for i in layers] + list(combinations(of_one_width, 2))
        grid = np.full((len(layers), len(layers)), np.nan)
        rows = similarities(engine, recipe, corpus, cells, progress)
        best: dict[int, tuple[float, np.ndarray]] = {}
        for cell, values in zip(cells, rows, strict=True):
            i, j = layers.index(cell[0]), layers.index(cell[-1])
            score = evaluate(values, corpus, aggregate, intervals=False).spearman
            grid[i, j] = grid[j, i] = score
            if np.isfinite(score) and score > best.get(len(cell), (-np.inf,))[0]:
                best[len(cell)] = score, values
        gain = NO_DIFFERENCE
        if len(best) == 2:
            gain = compare(best[1][1], best[2][1], corpus, aggregate)
        return {"layers": np.array(layers), "scores": grid, "gain": np.array(astuple(gain))}

    parts = _parts(engine, recipe, corpus, aggregate, "pairs")
    arrays = engine.store.table(LAYER_SCORES, parts, score_pairs, progress)
    gain = Difference(*arrays["gain"].tolist())
    return ByPair(tuple(arrays["layers"].tolist()), arrays["scores"], gain)


def is_kept(engine: Engine, recipe: Recipe, corpus: Corpus, aggregate: Aggregate = "all") -> bool:
    """Whether both results are stored. Raises what :func:`by_layer` raises."""
    return all(
        engine.store.has_table(LAYER_SCORES, _parts(engine, recipe, corpus, aggregate, kind))
        for kind in ("layers", "pairs")
    )


def cells(layers: int) -> int:
    """The number of different scores in a grid of so many layers."""
    return layers * (layers + 1) // 2


def similarities(
    engine: Engine, recipe: Recipe, corpus: Corpus, cells: Sequence[Cell], progress: Progress = silent
) -> Iterator[Float[np.ndarray, " pair"]]:
    """The similarities of the corpus' pairs under the average of each set of layers, set by set.

    Raises :class:`RecipeError` when the recipe cannot be followed, or averages layers of two widths.
    """
    if inner_products.suffice_for(recipe):
        yield from _from_products(engine, recipe, corpus, cells, progress)
        return
    for done, cell in enumerate(cells):
        progress(Step("Scoring sets of layers", done, len(cells)))
        yield engine.similarities(with_layers(recipe, cell), corpus, progress)[0]


# -- inside ------------------------------------------------------------------------------------------


def _parts(
    engine: Engine, recipe: Recipe, corpus: Corpus, aggregate: Aggregate, kind: str
) -> tuple[object, ...]:
    """What the scores depend on."""
    check_scorable(corpus)
    source = layered_source(engine, recipe, corpus)
    any_layers = with_layers(recipe, (0,))
    about = kept_under(engine, any_layers) | about_corpus(corpus, aggregate)
    return kind, about, engine.passes.key(source, corpus)


def _layers(engine: Engine, recipe: Recipe, corpus: Corpus) -> tuple[int, ...]:
    return layered_source(engine, recipe, corpus).layers


def _static_is_as_wide(engine: Engine, recipe: Recipe, corpus: Corpus) -> bool:
    plain = Recipe(source=recipe.source, template=recipe.template, reference=recipe.reference)
    widths = {engine.embed(with_layers(plain, (i,)), corpus).vectors.shape[1] for i in (STATIC, 0)}
    return len(widths) == 1


def _from_products(
    engine: Engine, recipe: Recipe, corpus: Corpus, cells: Sequence[Cell], progress: Progress
) -> Iterator[Float[np.ndarray, " pair"]]:
    engine.embed(recipe.replace(layers="all"), corpus, progress)  # pools every layer but static at once
    layers = sorted({i for cell in cells for i in cell})
    pooled = {i: engine.embed(with_layers(recipe, (i,)), corpus, progress).vectors for i in layers}
    width = pooled[layers[-1]].shape[1]
    parts = [i for i in layers if pooled[i].shape[1] == width]
    combined = [cell for cell in cells if set(cell) <= set(parts)]
    weights = np.zeros((len(combined), len(parts)))
    for row, cell in zip(weights, combined, strict=True):
        row[[parts.index(i) for i in cell]] = 1 / len(cell)
    rows = iter(
        inner_products.similarities(
            [pooled[i] for i in parts], corpus.first, corpus.second, weights, recipe.similarity.name
        )
    )
    for cell in cells:  # static rows of another width are combined with no other layer
        yield (
            next(rows)
            if set(cell) <= set(parts)
            else engine.similarities(with_layers(recipe, cell), corpus, progress)[0]
        )
