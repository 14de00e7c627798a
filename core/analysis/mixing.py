"""Score by share of averaged token vectors and by layer: the w-versus-layer heatmap of BERT+Avg.

Stankevičius & Lukoševičius (2025), equation 10 and Figures 5 to 8: v = (1 - w) v_model + w v_Avg, both from
the same layers. The recipe's own layers and mix are replaced, everything else stays. Where pooling and
averaging commute, v is a linear combination of vectors pooled layer by layer, and every cell follows from
their inner products (:mod:`core.analysis.products`); else every cell walks the road.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from core.analysis import products
from core.analysis.layer_scores import is_closed
from core.analysis.trajectories import layered
from core.averaged import averaged_half
from core.corpus import Corpus
from core.embed import Road
from core.evaluation.scoring import about_corpus, about_recipe
from core.evaluation.sts import Aggregate, Difference, Score, check_scorable, compare, evaluate, spearman_of
from core.layers import resolve
from core.progress import Progress, Step, silent
from core.recipe import LAYERS, Recipe
from core.store import key_of

SHARES: tuple[float, ...] = tuple(round(0.1 * i, 1) for i in range(-10, 16))
"""w from -1 to 1.5, as published: 0 is the model alone, 1 Avg. alone."""

SETS = ("first+last", "0+last", "1+2+last", "0+1+2+last", "all")
"""Sets of layers that are averaged before mixing; those with 1+2 are the paper's best."""


@dataclass(frozen=True, eq=False)
class Mixture:
    """Spearman × 100 of every share and choice of layers.

    Attributes
    ----------
    shares
        w, ascending.
    layers
        What ``layers=`` says of each column: single layers from 0, then sets.
    singles
        How many columns are single layers.
    spearman
        NaN where a cell has no score.
    notes
        What a reader must know.
    """

    shares: tuple[float, ...]
    layers: tuple[str, ...]
    singles: int
    spearman: Float[np.ndarray, "share layers"]
    notes: tuple[str, ...] = ()

    @property
    def best(self) -> tuple[float, str] | None:
        """Share and layers of the highest score, the first of equals; None when no cell has one."""
        if np.isnan(self.spearman).all():
            return None
        row, column = np.unravel_index(int(np.nanargmax(self.spearman)), self.spearman.shape)
        return self.shares[int(row)], self.layers[int(column)]

    def at(self, share: float, layers: str) -> float:
        """The score of one cell."""
        return float(self.spearman[self.shares.index(share), self.layers.index(layers)])


@dataclass(frozen=True, eq=False)
class Fared:
    """How the best cell of one split fares on another.

    ``gain`` is against the same layers without Avg. (w = 0), on the same pairs; ``rank`` is the cell's
    place among all on the other split, 1 for the best.
    """

    share: float
    layers: str
    chosen_at: float
    score: Score
    gain: Difference
    rank: int


def mixed(recipe: Recipe, share: float, layers: str) -> Recipe:
    """``recipe`` with these layers, and this share of averaged vectors mixed in."""
    least = dict(recipe.mix.arguments).get("least", 1)
    return recipe.replace(layers=layers, mix=f"averaged(w={share:g},least={least})")


def columns(depth: int) -> tuple[str, ...]:
    """The choices of layers of a model with this many blocks: each layer, then the sets it has."""
    layers = tuple(range(depth + 1))
    every: set[tuple[int, ...]] = {(i,) for i in layers}
    kept = []
    for text in SETS if depth > 1 else SETS[1:2]:
        taken = resolve(LAYERS.parse(text), layers, "the model").layers
        if taken not in every:
            every.add(taken)
            kept.append(text)
    return (*map(str, layers), *kept)


def mixture(
    road: Road, recipe: Recipe, corpus: Corpus, aggregate: Aggregate = "all", progress: Progress = silent
) -> Mixture:
    """Score every cell; kept.

    Raises
    ------
    CorpusError
        The corpus allows no correlation.
    RecipeError
        The source has no layers, is no model, or cannot follow the recipe.
    """
    check_scorable(corpus)
    names = columns(max(_layers(road, recipe, corpus)))
    cells = [(share, layers) for share in SHARES for layers in names]

    def score() -> dict[str, np.ndarray]:
        rows = np.stack(list(_similarities(road, recipe, corpus, cells, progress)))
        return {"scores": spearman_of(rows, corpus, aggregate).reshape(len(SHARES), len(names))}

    any_cell = mixed(recipe, 0.5, "0")
    about = about_recipe(road, any_cell) | about_corpus(corpus, aggregate)
    made = road.store.table("mixture-" + key_of(about, names, SHARES), score)
    notes = road.embed(_averaged(any_cell), corpus, progress).notes
    singles = sum(name.isdigit() for name in names)
    return Mixture(SHARES, names, singles, made["scores"], notes)


def mean_of(mixtures: Sequence[Mixture]) -> Mixture:
    """The mean over corpora, cell by cell, of what one model scores; NaN where one has no score."""
    first = mixtures[0]
    scores = np.mean([one.spearman for one in mixtures], axis=0)
    notes = tuple(dict.fromkeys(note for one in mixtures for note in one.notes))
    return Mixture(first.shares, first.layers, first.singles, scores, notes)


def fared(
    road: Road,
    recipe: Recipe,
    chosen_on: tuple[Corpus, Mixture],
    other: tuple[Corpus, Mixture],
    aggregate: Aggregate = "all",
) -> Fared | None:
    """How the best cell of ``chosen_on`` fares on ``other``; None when no cell of the first has a score."""
    (_, first), (corpus, second) = chosen_on, other
    best = first.best
    if best is None:
        return None
    share, layers = best
    own, plain = (road.similarities(mixed(recipe, w, layers), corpus)[0] for w in (share, 0.0))
    rank = 1 + int((second.spearman > second.at(share, layers) + 1e-9).sum())
    score = evaluate(own, corpus, aggregate)
    gain = compare(plain, own, corpus, aggregate)
    return Fared(share, layers, first.at(share, layers), score, gain, rank)


# -- inside ------------------------------------------------------------------------------------------


def _layers(road: Road, recipe: Recipe, corpus: Corpus) -> tuple[int, ...]:
    """Layers 0 … L of the recipe's source."""
    return tuple(i for i in road.passes.layers(layered(road, recipe, corpus)) if i >= 0)


def _similarities(
    road: Road, recipe: Recipe, corpus: Corpus, cells: Sequence[tuple[float, str]], progress: Progress
) -> Iterator[Float[np.ndarray, " pair"]]:
    """The similarities of the corpus' pairs, cell by cell."""
    if not is_closed(recipe.replace(mix="none")):
        for done, cell in enumerate(cells):
            progress(Step("Scoring shares and layers", done, len(cells)))
            yield road.similarities(mixed(recipe, *cell), corpus, progress)[0]
        return
    layers = _layers(road, recipe, corpus)
    parts = []
    for half in (recipe.replace(mix="none"), _averaged(mixed(recipe, 1.0, "0"))):
        road.embed(half.replace(layers="all"), corpus, progress)  # one reading pools every layer
        parts += [road.embed(half.replace(layers=str(i)), corpus, progress).vectors for i in layers]
    weights = np.array([_weights(share, text, layers) for share, text in cells])
    name = recipe.similarity.name
    yield from products.similarities(parts, corpus.first, corpus.second, weights, name)


def _averaged(cell: Recipe) -> Recipe:
    """A cell's other half: its recipe on averaged token vectors."""
    half = averaged_half(cell)
    assert half is not None  # noqa: S101  (a cell has a mix)
    return half


def _weights(share: float, text: str, layers: tuple[int, ...]) -> Float[np.ndarray, " part"]:
    """How much of each layer in context, then of each averaged one, a cell takes."""
    taken = resolve(LAYERS.parse(text), layers, "the model").layers
    one = np.isin(layers, taken) / len(taken)
    return np.concatenate([(1 - share) * one, share * one])
