"""Scores of BERT+Avg. by the share w of averaged token vectors and by layers.

Stankevičius & Lukoševičius (2025), equation 10 and Figures 5 to 8: v = (1 - w) v_model + w v_Avg, both from
the same layers. The recipe's own layers and mix are replaced; its other stages stay. Where pooling and
averaging commute, v is a linear combination of vectors pooled layer by layer, and every cell follows from
their inner products (:mod:`core.analysis.inner_products`); else the engine runs the recipe of every cell.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from core.analysis import inner_products
from core.analysis.layered_source import layered_source
from core.corpora.corpus import Corpus
from core.evaluation.difference import Difference
from core.evaluation.scoring import about_corpus, kept_under, similarities_of
from core.evaluation.sts import Aggregate, Score, check_scorable, compare, evaluate, spearman_of
from core.pipeline.engine import Engine
from core.progress import Progress, Step, silent
from core.recipe import LAYERS, Recipe
from core.stages.layers import resolve
from core.stages.mix import averaged_half
from core.storage.tables import RECIPE_LIBRARIES, TableKind

MIXTURE = TableKind("mixture", 2, RECIPE_LIBRARIES, forward=True)

SHARES: tuple[float, ...] = tuple(round(0.05 * i, 2) for i in range(-20, 31))
"""w over the range of the paper: 0 is the model alone, 1 Avg. alone.

The best shares that it names for STS15 and STS16, -0.25 and -0.75, are among them."""

SETS = ("first+last", "0+last", "1+2+last", "0+1+2+last", "all")
"""Sets of layers that are averaged before mixing; those with 1+2 are the paper's best."""

Cell = tuple[float, str]
"""A share and the value of ``layers=``."""


@dataclass(frozen=True, eq=False)
class Mixture:
    """The score × 100 of every share and choice of layers: a correlation, or the main value of a task.

    Attributes
    ----------
    shares
        w, ascending.
    layers
        The value of ``layers=`` of each column: single layers from 0, then sets.
    singles
        The number of columns that are single layers.
    scores
        NaN where a cell has none.
    notes
        What limits the scores: texts that were cut, tokens without an average.
    metrics
        What is scored, as ``accuracy``; several where each cell is a mean of tasks that are scored so.
    """

    shares: tuple[float, ...]
    layers: tuple[str, ...]
    singles: int
    scores: Float[np.ndarray, "share layers"]
    notes: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ("spearman",)

    @property
    def best(self) -> Cell | None:
        """Share and layers of the highest score; None when no cell has one.

        Of equals the one with the least of Avg., which may be none, and of these the first.
        """
        if np.isnan(self.scores).all():
            return None
        plainest = self._plainest_first()
        row, column = np.unravel_index(int(np.nanargmax(self.scores[plainest])), self.scores.shape)
        return self.shares[plainest[int(row)]], self.layers[int(column)]

    @property
    def best_alone(self) -> str | None:
        """The layers that score highest without Avg., at w = 0; None when none has a score."""
        alone = self.scores[self.shares.index(0.0)]
        return None if np.isnan(alone).all() else self.layers[int(np.nanargmax(alone))]

    @property
    def best_shares(self) -> tuple[float | None, ...]:
        """The share that scores highest for each choice of layers, of equals the least of Avg."""
        plainest = self._plainest_first()
        columns = self.scores[plainest].T
        return tuple(
            None if np.isnan(c).all() else self.shares[plainest[int(np.nanargmax(c))]] for c in columns
        )

    def _plainest_first(self) -> list[int]:
        """The rows by how much of Avg. they have, that without any first."""
        return sorted(range(len(self.shares)), key=lambda row: abs(self.shares[row]))

    def at(self, share: float, layers: str) -> float:
        """The score of one cell."""
        return float(self.scores[self.shares.index(share), self.layers.index(layers)])


@dataclass(frozen=True, eq=False)
class HeldOutScore:
    """The score, on another split, of the cell that is best on one split.

    ``gain`` is against the same layers without Avg. (w = 0), on the same pairs; ``rank`` is the rank of the
    cell among all cells of the other split, 1 for the best.
    """

    share: float
    layers: str
    chosen_at: float
    score: Score
    gain: Difference
    rank: int


def mixed(recipe: Recipe, share: float, layers: str) -> Recipe:
    """``recipe`` with these layers, and this share of averaged vectors mixed in."""
    minimum = dict(recipe.mix.arguments).get("least", 1)
    return recipe.replace(layers=layers, mix=f"averaged(w={share:g},least={minimum})")


def any_cell(recipe: Recipe) -> Recipe:
    """A cell of the grid, which stands for all where a thing depends on neither share nor layers."""
    return mixed(recipe, 0.5, "0")


def columns(depth: int) -> tuple[str, ...]:
    """The choices of layers of a model with this many blocks: each layer, then the sets it has."""
    layers = tuple(range(depth + 1))
    known: set[tuple[int, ...]] = {(i,) for i in layers}
    sets = []
    for text in SETS if depth > 1 else SETS[1:2]:
        averaged = resolve(LAYERS.parse(text), layers, "the model").layers
        if averaged not in known:
            known.add(averaged)
            sets.append(text)
    return (*map(str, layers), *sets)


def mixture(
    engine: Engine,
    recipe: Recipe,
    corpus: Corpus,
    aggregate: Aggregate = "all",
    progress: Progress = silent,
) -> Mixture:
    """Score every cell; the scores are stored.

    Raises
    ------
    CorpusError
        The corpus allows no correlation.
    RecipeError
        The source has no layers, is no model, or cannot follow the recipe.
    """
    check_scorable(corpus)
    names = columns(max(_layers(engine, recipe, corpus)))
    cells = [(share, layers) for share in SHARES for layers in names]

    def score() -> dict[str, np.ndarray]:
        rows = np.stack(list(similarities(engine, recipe, corpus, cells, progress)))
        scores = spearman_of(rows, corpus, aggregate).reshape(len(SHARES), len(names))
        notes = engine.embed(_averaged(any_cell(recipe)), corpus, progress).notes
        return {"scores": scores, "notes": np.array(notes, str)}

    arrays = engine.store.table(MIXTURE, _parts(engine, recipe, corpus, aggregate, names), score, progress)
    singles = sum(name.isdigit() for name in names)
    return Mixture(SHARES, names, singles, arrays["scores"], tuple(arrays["notes"].tolist()))


def is_kept(engine: Engine, recipe: Recipe, corpus: Corpus, aggregate: Aggregate = "all") -> bool:
    """Whether the scores are stored. Raises what :func:`mixture` raises."""
    check_scorable(corpus)
    names = columns(max(_layers(engine, recipe, corpus)))
    return engine.store.has_table(MIXTURE, _parts(engine, recipe, corpus, aggregate, names))


def _parts(
    engine: Engine, recipe: Recipe, corpus: Corpus, aggregate: Aggregate, names: Sequence[str]
) -> tuple[object, ...]:
    """What the stored scores depend on."""
    about = kept_under(engine, any_cell(recipe)) | about_corpus(corpus, aggregate)
    return about, names, SHARES


def mean_of(mixtures: Sequence[Mixture]) -> Mixture:
    """The mean of one model's scores over corpora, cell by cell; NaN where a corpus has no score."""
    first = mixtures[0]
    scores = np.mean([mixture.scores for mixture in mixtures], axis=0)
    notes = tuple(dict.fromkeys(note for mixture in mixtures for note in mixture.notes))
    metrics = tuple(dict.fromkeys(metric for mixture in mixtures for metric in mixture.metrics))
    return Mixture(first.shares, first.layers, first.singles, scores, notes, metrics)


def score_held_out(
    engine: Engine,
    recipe: Recipe,
    chosen_on: tuple[Corpus, Mixture],
    other: tuple[Corpus, Mixture],
    aggregate: Aggregate = "all",
) -> HeldOutScore | None:
    """The score of the best cell of ``chosen_on`` on ``other``; None when the first has no score at all."""
    (_, first), (corpus, second) = chosen_on, other
    best = first.best
    if best is None:
        return None
    share, layers = best
    own, plain = (similarities_of(engine, mixed(recipe, w, layers), corpus)[0] for w in (share, 0.0))
    rank = 1 + int((second.scores > second.at(share, layers) + 1e-9).sum())
    score = evaluate(own, corpus, aggregate)
    gain = compare(plain, own, corpus, aggregate)
    return HeldOutScore(share, layers, first.at(share, layers), score, gain, rank)


def similarities(
    engine: Engine,
    recipe: Recipe,
    corpus: Corpus,
    cells: Sequence[Cell],
    progress: Progress = silent,
) -> Iterator[Float[np.ndarray, " pair"]]:
    """The similarities of the corpus' pairs for each share and choice of layers, cell by cell."""
    if not inner_products.suffice_for(recipe.replace(mix="none")):
        for done, cell in enumerate(cells):
            progress(Step("Scoring shares and layers", done, len(cells)))
            yield engine.similarities(mixed(recipe, *cell), corpus, progress)[0]
        return
    layers = _layers(engine, recipe, corpus)
    parts = []
    for half in (recipe.replace(mix="none"), _averaged(mixed(recipe, 1.0, "0"))):
        engine.embed(half.replace(layers="all"), corpus, progress)  # pools every layer at once
        parts += [engine.embed(half.replace(layers=str(i)), corpus, progress).vectors for i in layers]
    halves = {text: _halves(text, layers) for text in dict.fromkeys(text for _, text in cells)}
    weights = np.stack([(1 - share) * halves[text][0] + share * halves[text][1] for share, text in cells])
    name = recipe.similarity.name
    yield from inner_products.similarities(parts, corpus.first, corpus.second, weights, name)


# -- inside ------------------------------------------------------------------------------------------


def _layers(engine: Engine, recipe: Recipe, corpus: Corpus) -> tuple[int, ...]:
    """Layers 0 … L of the recipe's source."""
    return tuple(i for i in layered_source(engine, recipe, corpus).layers if i >= 0)


def _averaged(cell: Recipe) -> Recipe:
    """The averaged half of a cell: its recipe on averaged token vectors."""
    half = averaged_half(cell)
    assert half is not None  # noqa: S101  (a cell has a mix)
    return half


def _halves(text: str, layers: tuple[int, ...]) -> Float[np.ndarray, "2 part"]:
    """The weight of each layer in context, then averaged, in the half of the model and in that of Avg."""
    averaged = resolve(LAYERS.parse(text), layers, "the model").layers
    mean = np.isin(layers, averaged) / len(averaged)
    return np.kron(np.eye(2), mean)
