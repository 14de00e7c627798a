"""How the words of a corpus, or of one sentence, move from layer to layer.

Wang & Kuo (2020), *SBERT-WK*, section III: cosines of a token's states in all pairs of layers, their mean
by layers apart (Figure 1), and which words move evenly and which do not (Table I).

*Tokens* are counted here when they belong to a sentence: special tokens, and the prompt around the
sentence, are not. A sentence counts as often as its corpus holds it. The static rows take part in the
cosines when they are as wide as the layers; hops and variances are of layers 0 … L alone.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from jaxtyping import Bool, Float

from core import evolution
from core.chunks import chunks
from core.corpus import Corpus
from core.embed import Road
from core.encoder import STATIC
from core.errors import RecipeError
from core.passes import Source
from core.progress import Progress, Step, silent
from core.recipe import Recipe
from core.store import key_of
from core.tokens import Tokens
from core.words import Words


@dataclass(frozen=True, eq=False)
class Evolution:
    """Cosines of layers, averaged over tokens.

    Attributes
    ----------
    layers
        The layers compared, ascending; -1 is the static rows.
    tokens
        How many tokens the averages are over.
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
class WordVariances:
    """How unevenly the words of a corpus move.

    Attributes
    ----------
    written
        The different words, in lower case.
    variance
        Mean over a word's occurrences of the variance of its adjacent cosines; the pieces of an occurrence
        are averaged first.
    times
        How often each word occurs.
    texts
        How many texts each word occurs in.
    of
        How many texts there are.
    """

    written: tuple[str, ...]
    variance: Float[np.ndarray, " word"]
    times: Float[np.ndarray, " word"]
    texts: Float[np.ndarray, " word"]
    of: int


@dataclass(frozen=True, eq=False)
class Trajectories:
    """What one reading of a corpus gives."""

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


def of_corpus(road: Road, recipe: Recipe, corpus: Corpus, progress: Progress = silent) -> Trajectories:
    """The words of a corpus under a recipe's source and template, from one reading of the pass; kept.

    Raises
    ------
    RecipeError
        The source has no layers, or knows no token of the corpus.
    """
    source = layered(road, recipe, corpus)
    key = key_of(road.passes.key(source, corpus), corpus.repeats.tolist())
    made = road.store.table(f"trajectories-{key}", lambda: _read(road, source, corpus, progress))
    names = ("cosines", "spread", "hops", "hop_spread")
    layers = tuple(made["layers"].tolist())
    evolved = Evolution(layers, int(made["tokens"]), **{name: made[name] for name in names})
    written = tuple(json.loads(made["written"].tobytes()))
    words = WordVariances(written, made["variance"], made["times"], made["texts"], int(made["of"]))
    return Trajectories(evolved, words)


def of_sentence(road: Road, recipe: Recipe, sentence: str, progress: Progress = silent) -> Paths:
    """The tokens of one sentence; raises :class:`RecipeError` for a source without layers."""
    corpus = Corpus.of_texts("pasted", [sentence], origin="pasted")
    source = layered(road, recipe, corpus)
    offered = road.passes.layers(source)
    found, _ = road.passes.get(source, corpus, progress, offered)
    tokens = found.tokens
    for states in chunks(found, offered, progress):
        layers = _comparable(states.layers)
        return Paths(tokens, _counted(tokens), layers, evolution.gram([states.layers[i] for i in layers]))
    layers = offered[1:]
    return Paths(tokens, _counted(tokens), layers, np.zeros((0, len(layers), len(layers))))


def layered(road: Road, recipe: Recipe, corpus: Corpus | None = None) -> Source:
    """The source of a recipe; raises :class:`RecipeError` when it has one layer only."""
    source = road.source(recipe, corpus)
    if len(road.passes.layers(source)) == 1:
        raise RecipeError(
            f"source={source.name} has one vector per token and no layers to compare; "
            "take a model as source."
        )
    return source


# -- one reading -------------------------------------------------------------------------------------


def _read(road: Road, source: Source, corpus: Corpus, progress: Progress) -> dict[str, np.ndarray]:
    """Averages over the tokens of a corpus, and over the occurrences of each of its words, as arrays."""
    offered = road.passes.layers(source)
    found, _ = road.passes.get(source, corpus, progress, offered)
    tokens = found.tokens
    repeats = corpus.repeats[tokens.order][tokens.sentence].astype(np.float64)
    weights = repeats * _counted(tokens)
    if not weights.any():
        raise RecipeError(f"No sentence of {corpus.name} has any token that {source.name} knows.")
    variances = np.zeros(len(tokens))
    averages: _Averages | None = None
    for states in chunks(found, offered, progress):
        span = tokens.stretch(states.sentences)
        if averages is None:
            averages = _Averages(_comparable(states.layers))
        products = evolution.gram([states.layers[i] for i in averages.layers])
        averages.add(products, weights[span])
        variances[span] = evolution.variance(products[:, averages.start :, averages.start :])
        progress(Step("Comparing the layers of sentences", states.sentences.stop, tokens.sentences))
    assert averages is not None  # noqa: S101  (there are tokens)
    evolved = averages.evolution()
    words = word_variances(tokens, road.passes.words(source, tokens), variances, corpus.repeats)
    return {
        "layers": np.array(evolved.layers),
        "tokens": np.array(evolved.tokens),
        "cosines": evolved.cosines,
        "spread": evolved.spread,
        "hops": evolved.hops,
        "hop_spread": evolved.hop_spread,
        "written": np.frombuffer(json.dumps(words.written).encode(), np.uint8),
        "variance": words.variance,
        "times": words.times,
        "texts": words.texts,
        "of": np.array(words.of),
    }


def word_variances(
    tokens: Tokens, words: Words, variances: Float[np.ndarray, " token"], repeats: np.ndarray
) -> WordVariances:
    """The variances of tokens brought together by word.

    Parameters
    ----------
    words
        The words of ``tokens``.
    variances
        One for each token.
    repeats
        How often each text of the list stands in its corpus.
    """
    starts = np.flatnonzero(words.begins)
    named = np.array([bool(text) for text in words.written], bool)
    kept = _counted(tokens)[starts] & named[words.of[starts]]
    pieces = np.diff(np.append(starts, len(tokens)))
    occurrences = (np.add.reduceat(variances, starts) if len(starts) else np.zeros(0)) / pieces
    word, text = words.of[starts][kept], tokens.sentence[starts][kept]
    weight = repeats[tokens.order].astype(np.float64)
    size = len(words.written)
    times = np.bincount(word, weight[text], size)
    sums = np.bincount(word, weight[text] * occurrences[kept], size)
    seen = np.unique(text.astype(np.int64) * size + word)
    texts = np.bincount(seen % size, weight[seen // size], size)
    present = np.flatnonzero(times > 0)
    return WordVariances(
        tuple(words.written[i] for i in present),
        sums[present] / times[present],
        times[present],
        texts[present],
        int(repeats.sum()),
    )


def _counted(tokens: Tokens) -> Bool[np.ndarray, " token"]:
    return ~(tokens.special | tokens.template)


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
        cosines = evolution.cosines(gram)
        curves = evolution.hops(cosines[:, self.start :, self.start :])
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
