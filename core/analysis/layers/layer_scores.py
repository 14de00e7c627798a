"""The scores of every layer of a model, and of every pair of layers, under one recipe.

The recipe's own layers are replaced; its other stages stay. WhiteningBERT (Huang et al. 2021) scores all
pairs of BERT's 13 layers; Stankevičius & Lukoševičius (2025, Figure 4) every layer and first + last.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
from jaxtyping import Float

from core.analysis import inner_products
from core.analysis.layered_source import layered_source
from core.analysis.layers.layer_similarities import Cell, similarities, with_layers
from core.corpora.corpus import Corpus
from core.evaluation.difference import NO_DIFFERENCE, Difference
from core.evaluation.scoring import about_corpus, kept_under
from core.evaluation.sts import Aggregate, against_best, check_scorable, compare, spearman_of
from core.pipeline.engine import Engine
from core.progress import Progress, silent
from core.recipe import Recipe
from core.storage.tables import RECIPE_LIBRARIES, Arrays, TableKind
from core.tokens.states import STATIC

LAYER_SCORES = TableKind("layer-scores", 3, RECIPE_LIBRARIES)


@dataclass(frozen=True, eq=False)
class ByLayer:
    """Spearman × 100 of each layer alone, and of first + last, with 95 % bootstrap intervals.

    ``layers`` are ascending, -1 is the static rows; ``first_last`` is (score, low, high).
    ``differences`` are what the best of all these scores above each layer, and above first + last at the
    end, paired on the same pairs; ``samples`` the scores of each in every bootstrap resample, which are the
    same for all recipes on a corpus; NaN where there is no score.
    """

    layers: tuple[int, ...]
    spearman: Float[np.ndarray, " layer"]
    low: Float[np.ndarray, " layer"]
    high: Float[np.ndarray, " layer"]
    first_last: tuple[float, float, float]
    differences: tuple[Difference, ...]
    samples: Float[np.ndarray, "place resample"]

    @property
    def places(self) -> tuple[Cell, ...]:
        """The layers that each score averages: each alone, then first + last."""
        return (*((i,) for i in self.layers), tuple(sorted({1, self.layers[-1]})))

    @property
    def scores(self) -> Float[np.ndarray, " place"]:
        """The score of each place."""
        return np.append(self.spearman, self.first_last[0])

    @property
    def best(self) -> int | None:
        """The layer that scores highest; None when none has a score."""
        return None if np.isnan(self.spearman).all() else self.layers[int(np.nanargmax(self.spearman))]


def best_of_each(a: ByLayer, b: ByLayer) -> Difference:
    """What the best of B's layers and first + last scores above the best of A's, on the same pairs.

    Both are of one correlation over all pairs of one corpus. NaN where a side has no score. Each side's
    best is chosen by the same scores: both look better than they are, the one of more layers more so.
    """
    return difference_at(a, _best_place(a), b, _best_place(b))


def difference_at(a: ByLayer, place_of_a: int | None, b: ByLayer, place_of_b: int | None) -> Difference:
    """What B scores at one of its places above A at one of its own; NaN where either has none."""
    if place_of_a is None or place_of_b is None:
        return NO_DIFFERENCE
    return Difference.paired(
        float(a.scores[place_of_a]),
        a.samples[place_of_a],
        float(b.scores[place_of_b]),
        b.samples[place_of_b],
    )


def _best_place(found: ByLayer) -> int | None:
    return None if np.isnan(found.scores).all() else int(np.nanargmax(found.scores))


@dataclass(frozen=True, eq=False)
class ByPair:
    """Spearman × 100 of each pair of layers, symmetric, each layer alone on the diagonal.

    NaN where a pair cannot be averaged (static rows of another width) or has no score. ``gain`` is what the
    best pair of two layers scores above the best layer alone, on the same pairs; a mean is over the subsets
    in which both have a correlation.
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
        """The layer alone, or the pair, that scores highest; the layer where both score the same."""
        pair, alone = self.best_pair, self.best_alone
        if pair is None or alone is None:
            return pair or (None if alone is None else (alone,))
        return (alone,) if self.at((alone,)) >= self.at(pair) else pair


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
    return _by_layer(_Scoring(engine, recipe, corpus, aggregate, progress))


def by_pair(
    engine: Engine,
    recipe: Recipe,
    corpus: Corpus,
    aggregate: Aggregate = "all",
    progress: Progress = silent,
) -> ByPair:
    """Score every pair of layers, and each alone; kept. Raises what :func:`by_layer` raises."""
    return _by_pair(_Scoring(engine, recipe, corpus, aggregate, progress))


def by_layer_and_pair(
    engine: Engine,
    recipe: Recipe,
    corpus: Corpus,
    aggregate: Aggregate = "all",
    progress: Progress = silent,
) -> tuple[ByLayer, ByPair]:
    """What :func:`by_layer` and :func:`by_pair` give, with each set of layers computed once for both."""
    scoring = _Scoring(engine, recipe, corpus, aggregate, progress)
    return _by_layer(scoring), _by_pair(scoring)


def is_kept(
    engine: Engine, recipe: Recipe, corpus: Corpus, aggregate: Aggregate = "all", *, pairs: bool = True
) -> bool:
    """Whether both results are stored, or without ``pairs`` that by layer.

    Raises what :func:`by_layer` raises.
    """
    scoring = _Scoring(engine, recipe, corpus, aggregate)
    kinds = ("layers", "pairs") if pairs else ("layers",)
    return all(engine.store.has_table(LAYER_SCORES, scoring.parts(kind)) for kind in kinds)


def cells(layers: int) -> int:
    """The number of different scores in a grid of so many layers."""
    return layers * (layers + 1) // 2


# -- inside ------------------------------------------------------------------------------------------


class _Scoring:
    """One recipe on one corpus, and the similarities of the sets of layers that were asked for."""

    def __init__(
        self,
        engine: Engine,
        recipe: Recipe,
        corpus: Corpus,
        aggregate: Aggregate,
        progress: Progress = silent,
    ) -> None:
        check_scorable(corpus)
        self.corpus, self.aggregate = corpus, aggregate
        self._engine, self._recipe, self._progress = engine, recipe, progress
        self._source = layered_source(engine, recipe, corpus)
        self.layers = self._source.layers
        self._rows: dict[Cell, Float[np.ndarray, " pair"]] = {}

    def table(self, kind: str, compute: Callable[[], Arrays]) -> Arrays:
        """One of the kept results."""
        return self._engine.store.table(LAYER_SCORES, self.parts(kind), compute, self._progress)

    def parts(self, kind: str) -> tuple[object, ...]:
        """What a kept result of a kind (``layers``, ``pairs``) is found by: all that it depends on."""
        about = kept_under(self._engine, with_layers(self._recipe, (0,)))
        about_all = about | about_corpus(self.corpus, self.aggregate)
        over = ["of the same subsets"] if kind == "pairs" and self.aggregate != "all" else []
        return kind, *over, about_all, self._engine.passes.key(self._source, self.corpus)

    @property
    def curve(self) -> list[Cell]:
        """Each layer alone, and first + last."""
        return [*((i,) for i in self.layers), (1, self.layers[-1])]

    @property
    def pairs(self) -> list[Cell]:
        """Each layer alone, and all pairs of two that have one width."""
        of_one_width = [i for i in self.layers if i != STATIC or self._static_is_as_wide]
        return [*((i,) for i in self.layers), *combinations(of_one_width, 2)]

    def similarities(self, cells: Sequence[Cell]) -> list[Float[np.ndarray, " pair"]]:
        """The similarities of some sets of layers; of all at once where inner products give them."""
        if missing := [cell for cell in cells if cell not in self._rows]:
            self._engine.pool_layers(self._recipe, self.corpus, self._progress)
            if self._products_suffice:
                missing = list(dict.fromkeys([*self.curve, *self.pairs]))
            found = similarities(self._engine, self._recipe, self.corpus, missing, self._progress)
            self._rows.update(zip(missing, found, strict=True))
        return [self._rows[cell] for cell in cells]

    @cached_property
    def _products_suffice(self) -> bool:
        return inner_products.suffice_for(self._recipe)

    @cached_property
    def _static_is_as_wide(self) -> bool:
        # of what is pooled anyhow, or of what is soon pooled
        one = self._recipe if self._products_suffice else self._recipe.as_read()
        vectors = (self._engine.embed(with_layers(one, (i,)), self.corpus).vectors for i in (STATIC, 0))
        return len({each.shape[1] for each in vectors}) == 1


def _by_layer(scoring: _Scoring) -> ByLayer:
    def score_layers() -> Arrays:
        rows = scoring.similarities(scoring.curve)
        found = against_best(rows, scoring.corpus, scoring.aggregate)
        return {
            "layers": np.array(scoring.layers),
            "scores": np.array(found.scores),
            "differences": np.array([astuple(difference) for difference in found.differences]),
            "samples": found.samples,
        }

    arrays = scoring.table("layers", score_layers)
    *rows, first_last = arrays["scores"].tolist()
    spearman, low, high = np.array(rows).T
    differences = tuple(Difference(*row) for row in arrays["differences"].tolist())
    return ByLayer(
        tuple(arrays["layers"].tolist()),
        spearman,
        low,
        high,
        tuple(first_last),
        differences,
        arrays["samples"],
    )


def _by_pair(scoring: _Scoring) -> ByPair:
    def score_pairs() -> Arrays:
        layers, cells = scoring.layers, scoring.pairs
        rows = np.stack(scoring.similarities(cells))
        scores = spearman_of(rows, scoring.corpus, scoring.aggregate)
        grid = np.full((len(layers), len(layers)), np.nan)
        for cell, score in zip(cells, scores, strict=True):
            i, j = layers.index(cell[0]), layers.index(cell[-1])
            grid[i, j] = grid[j, i] = score
        alone, pairs = scores[: len(layers)], scores[len(layers) :]
        gain = NO_DIFFERENCE
        if np.isfinite(alone).any() and np.isfinite(pairs).any():
            best, together = np.nanargmax(alone), len(layers) + np.nanargmax(pairs)
            gain = compare(rows[best], rows[together], scoring.corpus, scoring.aggregate)
        return {"layers": np.array(layers), "scores": grid, "gain": np.array(astuple(gain))}

    arrays = scoring.table("pairs", score_pairs)
    gain = Difference(*arrays["gain"].tolist())
    return ByPair(tuple(arrays["layers"].tolist()), arrays["scores"], gain)
