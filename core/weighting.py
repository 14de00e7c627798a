"""How much each token counts.

A weighting is given :class:`Evidence` about the tokens of a stretch of whole texts and gives one number
of 0 or more per token; pooling scales them to sum 1 per text. A text whose weights are all 0 falls back
to uniform weights. The trait ``needs`` names what a weighting looks at beside the tokens, and only that
is there: ``documents``, ``words``, ``states``, ``layers`` or ``diagonals``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, TypeVar

import numpy as np
from jaxtyping import Float

from core import evolution
from core.errors import RecipeError
from core.options import Within
from core.recipe import WEIGHT
from core.tokens import DocumentFrequencies, Tokens
from core.words import WordShares, usif_a

T = TypeVar("T")
Weights = Float[np.ndarray, " token"]

PROBABILITIES = ("wordfreq", "target", "reference")
"""Where p(w) comes from: real English word frequencies, or counts of a corpus."""


@dataclass(frozen=True, eq=False)
class Evidence:
    """What a weighting may look at.

    Attributes
    ----------
    tokens
        The tokens of the texts.
    documents
        In how many texts of the corpus that is learnt from each id occurs.
    p
        The probability of the word that each token belongs to.
    shares
        The probabilities of all words that are known.
    states
        Token vectors as they will be pooled: the recipe's layers made one.
    layers
        The states of layers 0 … L.
    diagonals
        ``A[t, t]`` of every head after softmax, by token, layer 1 … L and head.
    """

    tokens: Tokens
    documents: DocumentFrequencies | None = None
    p: Float[np.ndarray, " token"] | None = None
    shares: WordShares | None = None
    states: Float[np.ndarray, "token dim"] | None = None
    layers: tuple[Float[np.ndarray, "token dim"], ...] = ()
    diagonals: Float[np.ndarray, "token layer head"] | None = None


@WEIGHT.option
def uniform(evidence: Evidence) -> Weights:
    """Every token the same."""
    return np.ones(len(evidence.tokens))


@WEIGHT.option(fitted=True, needs="documents")
def idf(evidence: Evidence) -> Weights:
    """Inverse document frequency, log(texts / texts with the token); unseen counts as seen once."""
    return _given(evidence.documents).idf(evidence.tokens.ids)


@WEIGHT.option(fitted=True, needs="documents")
def tfidf(evidence: Evidence) -> Weights:
    """idf, times how often the token occurs in its text."""
    tokens = evidence.tokens
    _, which, times = np.unique(
        tokens.sentence.astype(np.int64) << 32 | tokens.ids, return_inverse=True, return_counts=True
    )
    return idf(evidence) * times[which]


@WEIGHT.option(fitted=PROBABILITIES, needs="words")
def sif(
    evidence: Evidence, *, a: Annotated[float, Within(1e-6, 1, "the larger, the more even")] = 1e-3
) -> Weights:
    """Smooth inverse frequency, a / (a + p) for a word of probability p; pieces take their word's p."""
    return a / (a + _given(evidence.p))


@WEIGHT.option(fitted=PROBABILITIES, needs="words")
def usif(
    evidence: Evidence, *, n: Annotated[int, Within(1, 1000, "words of an average sentence")] = 11
) -> Weights:
    """Unsupervised SIF, a / (a/2 + p), with a found from the word frequencies (Ethayarajh 2018)."""
    a = usif_a(_given(evidence.shares), n)
    return a / (a / 2 + _given(evidence.p))


@WEIGHT.option(needs="diagonals")
def ditto(
    evidence: Evidence,
    *,
    layer: Annotated[int, Within(1, 1000, "transformer block, counted from 1")] = 1,
    head: Annotated[int, Within(1, 1000, "attention head, counted from 1")] = 10,
) -> Weights:
    """Ditto: how much a token attends to itself in one head; with pool=sum as the paper writes it."""
    diagonals = _given(evidence.diagonals)
    _, layers, heads = diagonals.shape
    for name, got, most in (("layer", layer, layers), ("head", head, heads)):
        if got > most:
            raise RecipeError(
                f"weight=ditto({name}): got {got}; this model has {most}, allowed is 1 to {most}."
            )
    weights = diagonals[:, layer - 1, head - 1].astype(np.float64)
    if np.isnan(weights).any():
        raise RecipeError("weight=ditto: this model does not give its attention; take another weight.")
    return weights


@WEIGHT.option(needs="layers")
def variance(
    evidence: Evidence, *, start: Annotated[int, Within(0, 1000, "the first layer looked at")] = 0
) -> Weights:
    """SBERT-WK's word importance: the variance over layers of the cosine of adjacent layers."""
    layers = evidence.layers[start:]
    if len(evidence.layers) < 3:
        raise RecipeError(
            "weight=variance: this model has one block, and so one cosine of adjacent layers."
        )
    if len(layers) < 3:
        raise RecipeError(
            f"weight=variance(start): got {start}, which leaves fewer than three layers, and so no two "
            f"cosines that could differ; allowed is 0 to {len(evidence.layers) - 3}."
        )
    return evolution.variance(evolution.gram(layers, reach=1))


@WEIGHT.option(needs="states")
def norm(evidence: Evidence) -> Weights:
    """The Euclidean norm of the token vector (Yokoi et al. 2020)."""
    return np.linalg.norm(_given(evidence.states).astype(np.float64), axis=1)


def _given(what: T | None) -> T:
    """What the road has put there because the trait ``needs`` asks for it."""
    assert what is not None  # noqa: S101
    return what


def never_all_zero(weights: Weights, tokens: Tokens, selected: np.ndarray) -> Weights:
    """Weights with 0 for what is not selected, and 1 for the selected of an all-zero text."""
    weights = np.where(selected, weights, 0.0)
    total = np.bincount(tokens.sentence, weights=weights, minlength=tokens.sentences)
    return np.where(selected & (total[tokens.sentence] <= 0), 1.0, weights)
