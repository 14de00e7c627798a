"""How the words of a corpus, or of one sentence, move from layer to layer.

Wang & Kuo (2020), *SBERT-WK*, section III: cosines of a token's states in all pairs of layers, their mean
by layers apart (Figure 1), and which words move evenly and which do not (Table I).

*Tokens* are counted here when they belong to a sentence: special tokens, and the prompt around the
sentence, are not. A sentence counts as often as its corpus holds it. The static rows take part in the
cosines when they are as wide as the layers; hops and variances are of layers 0 … L alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from jaxtyping import Bool, Float

from core.analysis.layered_source import layered_source
from core.analysis.layers.word_variances import WordVariances, word_variances
from core.corpora.corpus import Corpus
from core.errors import RecipeError
from core.pipeline.engine import Engine
from core.progress import Progress, Step, silent
from core.recipe import Recipe
from core.sources.source import Source
from core.sources.token_states import chunks
from core.stages import sbert_wk
from core.storage import json_arrays
from core.storage.stored_pass import arrays_of_tokens, tokens_of_arrays
from core.storage.tables import Arrays, TableKind
from core.tokens import Tokens
from core.tokens.states import STATIC

TRAJECTORIES = TableKind("trajectories", 2, ("scikit-learn",))

PATHS = TableKind("paths", 1)
"""Such tables come with the installation, for the sentence one arrives with; visits write none."""


@dataclass(frozen=True, eq=False)
class Evolution:
    """Cosines of layers, averaged over tokens.

    Attributes
    ----------
    layers
        The layers compared, ascending; -1 is the static rows.
    tokens
        The number of tokens that are averaged over.
    cosines, spread
        Mean and standard deviation over the tokens of each cosine.
    hops, hop_spread
        Mean and standard deviation over the tokens of a token's mean cosine k layers apart, k = 1 … L.
    """

    layers: tuple[int, ...]
    tokens: int
    cosines: Float[np.ndarray, "layer layer"]
    spread: Float[np.ndarray, "layer layer"]
    hops: Float[np.ndarray, " hop"]
    hop_spread: Float[np.ndarray, " hop"]


@dataclass(frozen=True, eq=False)
class Trajectories:
    """The cosines of layers and the variances of words of one corpus."""

    evolution: Evolution
    words: WordVariances


@dataclass(frozen=True, eq=False)
class Paths:
    """The tokens of one sentence and the inner products of their states.

    ``counted`` marks the tokens that belong to the sentence. ``gram`` holds ``layers`` as they are
    compared, the static rows first when they take part.
    """

    tokens: Tokens
    counted: Bool[np.ndarray, " token"]
    layers: tuple[int, ...]
    gram: Float[np.ndarray, "token layer layer"]

    def own(self, start: int = 0) -> Float[np.ndarray, "token layer layer"]:
        """Inner products of the layers from ``start`` on, without the static rows."""
        first = self.layers.index(start)
        return self.gram[:, first:, first:]

    def evolution(self, token: int | None = None) -> Evolution:
        """The cosines of one token by its position, or averaged over those of the sentence.

        Raises :class:`RecipeError` for a sentence of which no token is counted.
        """
        weights = self.counted.astype(np.float64)
        if token is not None:
            weights = (np.arange(len(weights)) == token).astype(np.float64)
        if not weights.any():
            raise RecipeError("No token of this sentence is known to the model, besides special ones.")
        averages = _Averages(self.layers)
        averages.add(self.gram, weights)
        return averages.evolution()


def of_corpus(engine: Engine, recipe: Recipe, corpus: Corpus, progress: Progress = silent) -> Trajectories:
    """Cosines and variances of a corpus under a recipe's source and template, from one pass; stored.

    Raises
    ------
    RecipeError
        The source has no layers, or knows no token of the corpus.
    """
    source = layered_source(engine, recipe, corpus)
    arrays = engine.store.table(
        TRAJECTORIES,
        _parts(engine, source, corpus),
        lambda: _read(engine, source, corpus, progress),
        progress,
    )
    names = ("cosines", "spread", "hops", "hop_spread")
    layers = tuple(arrays["layers"].tolist())
    evolution = Evolution(layers, int(arrays["tokens"]), **{name: arrays[name] for name in names})
    surface_forms = tuple(json_arrays.from_array(arrays["written"]))
    words = WordVariances(
        surface_forms,
        arrays["variance"],
        arrays["times"],
        arrays["texts"],
        arrays["function"],
        int(arrays["of"]),
    )
    return Trajectories(evolution, words)


def is_kept(engine: Engine, recipe: Recipe, corpus: Corpus) -> bool:
    """Whether what :func:`of_corpus` gives is stored; raises :class:`RecipeError` for no layers."""
    source = layered_source(engine, recipe, corpus)
    return engine.store.has_table(TRAJECTORIES, _parts(engine, source, corpus))


def _parts(engine: Engine, source: Source, corpus: Corpus) -> tuple[object, ...]:
    """What the stored averages depend on."""
    return engine.passes.key(source, corpus), corpus.repeats.tolist()


def of_sentence(engine: Engine, recipe: Recipe, sentence: str, progress: Progress = silent) -> Paths:
    """The tokens of one sentence; raises :class:`RecipeError` for a source without layers."""
    corpus = Corpus.pasted([sentence])
    source = layered_source(engine, recipe, corpus)
    parts = (engine.passes.key(source, corpus),)
    arrays = engine.shipped_table(PATHS, parts, lambda: _follow(engine, source, corpus, progress))
    tokens = tokens_of_arrays(arrays)
    return Paths(tokens, tokens.own, tuple(arrays["layers"].tolist()), arrays["gram"])


# -- one pass ---------------------------------------------------------------------------------------


def _follow(engine: Engine, source: Source, corpus: Corpus, progress: Progress) -> Arrays:
    """The tokens of one sentence, and the inner products of their states, as arrays."""
    every_layer = source.layers
    stored, _ = engine.passes.get(source, corpus, progress, every_layer)
    layers = every_layer[1:]
    gram = np.zeros((0, len(layers), len(layers)))
    for states in chunks(stored, every_layer, progress):  # one sentence is one chunk
        layers = _comparable(states.layers)
        gram = sbert_wk.gram([states.layers[i] for i in layers])
    return {**arrays_of_tokens(stored.tokens), "layers": np.array(layers), "gram": gram}


def _read(engine: Engine, source: Source, corpus: Corpus, progress: Progress) -> Arrays:
    """Averages over the tokens of a corpus, and over the occurrences of each of its words, as arrays."""
    every_layer = source.layers
    stored, _ = engine.passes.get(source, corpus, progress, every_layer)
    tokens = stored.tokens
    repeats = tokens.times(corpus.repeats).astype(np.float64)
    weights = repeats * tokens.own
    if not weights.any():
        raise RecipeError(f"No sentence of {corpus.name} has any token that {source.name} knows.")
    variances = np.zeros(len(tokens))
    averages: _Averages | None = None
    for states in chunks(stored, every_layer, progress):
        span = tokens.token_span(states.sentences)
        if averages is None:
            averages = _Averages(_comparable(states.layers))
        products = sbert_wk.gram([states.layers[i] for i in averages.layers])
        averages.add(products, weights[span])
        variances[span] = sbert_wk.variance(products[:, averages.start :, averages.start :])
        progress(Step("Comparing the layers of sentences", states.sentences.stop, tokens.sentences))
    assert averages is not None  # noqa: S101  (there are tokens)
    evolution = averages.evolution()
    words = word_variances(tokens, engine.passes.words(source, tokens), variances, corpus.repeats)
    return {
        "layers": np.array(evolution.layers),
        "tokens": np.array(evolution.tokens),
        "cosines": evolution.cosines,
        "spread": evolution.spread,
        "hops": evolution.hops,
        "hop_spread": evolution.hop_spread,
        "written": json_arrays.as_array(words.surface_forms),
        "variance": words.variance,
        "times": words.times,
        "texts": words.texts,
        "function": words.function,
        "of": np.array(words.of),
    }


def _comparable(states: dict[int, np.ndarray]) -> tuple[int, ...]:
    """The layers of one width: all, or all but the static rows."""
    width = states[max(states)].shape[1]
    return tuple(sorted(i for i, rows in states.items() if rows.shape[1] == width))


@dataclass
class _Moments:
    """Weighted mean and variance of arrays ``[..., token]``, block by block (Chan et al. 1979)."""

    weight: float = 0.0
    mean: np.ndarray = field(default_factory=lambda: np.zeros(()))
    squares: np.ndarray = field(default_factory=lambda: np.zeros(()))

    def add(self, values: np.ndarray, weights: np.ndarray) -> None:
        more = float(weights.sum())
        if not more:
            return
        mean = values @ weights / more
        apart, total = mean - self.mean, self.weight + more
        inside = (values - mean[..., None]) ** 2 @ weights
        self.squares = self.squares + inside + apart**2 * (self.weight * more / total)
        self.mean = self.mean + apart * (more / total)
        self.weight = total

    @property
    def deviation(self) -> np.ndarray:
        return np.sqrt(self.squares / self.weight)


class _Averages:
    """Averages over tokens that come block by block."""

    def __init__(self, layers: Sequence[int]) -> None:
        self.layers = tuple(layers)
        self.start = 1 if STATIC in self.layers else 0
        self._cosines, self._hops = _Moments(), _Moments()

    def add(self, gram: np.ndarray, weights: np.ndarray) -> None:
        cosines = sbert_wk.cosines(gram)
        curves = sbert_wk.hops(cosines[:, self.start :, self.start :])
        self._cosines.add(np.moveaxis(cosines, 0, -1), weights)
        self._hops.add(curves.T, weights)

    def evolution(self) -> Evolution:
        return Evolution(
            self.layers,
            round(self._cosines.weight),
            self._cosines.mean,
            self._cosines.deviation,
            self._hops.mean,
            self._hops.deviation,
        )
