"""How much each token counts.

A weighting is given :class:`WeightInputs` about the tokens of some whole texts and gives one number of 0 or
more per token; pooling scales them to sum 1 per text. The field ``needs`` says what a weighting looks at
beside the tokens (:class:`Needs`), and only that is there.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeVar

import numpy as np
from jaxtyping import Bool, Float

from core.errors import RecipeError
from core.recipe import WEIGHT
from core.recipe.arguments import Within
from core.recipe.options import FIT, Fit
from core.stages import sbert_wk
from core.tokens import Tokens
from core.tokens.tf_idf import gensim_tf_idf, tf_idf
from core.tokens.weight_inputs import Needs, WeightInputs, Weights
from core.tokens.words import usif_a

T = TypeVar("T")

Punctuation = Literal["frequent", "unknown", "none"]
"""How punctuation and special tokens count: as the most frequent word of English, or as often as a corpus
has them; as words that are unknown; or not at all."""

Unknown = Literal["never", "rarest"]
"""How probable a word is that is unknown: 0, or as the rarest known word."""

PROBABILITIES: tuple[Fit, ...] = ("wordfreq", "target", "reference")
"""Where p(w) comes from: real English word frequencies, or counts of a corpus."""


@WEIGHT.option
def uniform(inputs: WeightInputs) -> Weights:
    """Every token the same."""
    return np.ones(len(inputs.tokens))


@WEIGHT.option(learns=FIT, needs=Needs.DOCUMENTS)
def idf(inputs: WeightInputs) -> Weights:
    """Inverse document frequency, log(texts / texts with the token); unseen counts as seen once.

    Texts of the target are counted in their template, whose tokens are in all and weigh nothing; those of
    the reference without one, so that its words weigh as they do elsewhere, and [MASK] most of all.
    """
    return _given(inputs.documents).idf(inputs.tokens.ids)


@WEIGHT.option(learns=FIT, needs=Needs.DOCUMENTS, label="TF-IDF")
def tfidf(inputs: WeightInputs, *, form: Literal["plain", "gensim"] = "plain") -> Weights:
    """idf, times how often the token occurs in its text.

    ``form=gensim`` is the package's: logarithms to base 2, a token that the corpus lacks weighs nothing,
    and the weights of a text's different tokens have norm 1. Base and norm cancel under pool=mean.
    """
    ids, texts = inputs.tokens.ids, inputs.tokens.sentence
    if form == "plain":
        return tf_idf(ids, texts, idf(inputs))
    return gensim_tf_idf(ids, texts, idf(inputs), _given(inputs.documents).unseen(ids))


_OF_WORDS: dict[str, Any] = {
    "learns": PROBABILITIES,
    "needs": Needs.WORDS,
    "over": ("words", "tokens", "weights"),
    "edition": 3,
}
"""SIF and uSIF: as in their authors' programs, the weighted sum is divided by the number of words."""


@WEIGHT.option(**_OF_WORDS, label="SIF weights")
def sif(
    inputs: WeightInputs,
    *,
    a: Annotated[float, Within(1e-6, 1, "the larger, the more even")] = 1e-3,
    punctuation: Punctuation = "frequent",
    unknown: Unknown = "never",
) -> Weights:
    """Smooth inverse frequency, a / (a + p) for a word of probability p; pieces take their word's p.

    The authors' program divides the weighted sum by the number of words (``over=words``; one in pieces
    counts once), gives words that its list lacks the weight 1 (``unknown=never``), and its list lacks
    punctuation (``punctuation=unknown``). By default punctuation and special tokens weigh as the most
    frequent word, or by their own share of a corpus.

    References
    ----------
    Arora, Liang & Ma 2017, A Simple but Tough-to-Beat Baseline for Sentence Embeddings, and its program.
    """
    return np.where(
        _left_out(inputs, punctuation), 0.0, a / (a + _probabilities(inputs, punctuation, unknown))
    )


@WEIGHT.option(**_OF_WORDS, label="uSIF weights")
def usif(
    inputs: WeightInputs,
    *,
    n: Annotated[int, Within(1, 1000, "words of an average sentence")] = 11,
    punctuation: Punctuation = "frequent",
    unknown: Unknown = "never",
) -> Weights:
    """Unsupervised SIF, a / (a/2 + p), with a found from the word frequencies (Ethayarajh 2018).

    The author's program divides the weighted sum by the number of words (``over=words``), leaves
    punctuation out (``punctuation=none``) and gives words that its list lacks the probability of its rarest
    word (``unknown=rarest``). What it does before is not done here: it divides each dimension of a
    sentence's word vectors by that dimension's norm over these words.
    """
    a = usif_a(_given(inputs.shares), n)
    weights = a / (a / 2 + _probabilities(inputs, punctuation, unknown))
    return np.where(_left_out(inputs, punctuation), 0.0, weights)


def _left_out(inputs: WeightInputs, punctuation: Punctuation) -> Bool[np.ndarray, " token"]:
    """Tokens that do not count: those that are no words, if so chosen."""
    return _given(inputs.wordless) & (punctuation == "none")


def _probabilities(
    inputs: WeightInputs, punctuation: Punctuation, unknown: Unknown
) -> Float[np.ndarray, " token"]:
    """The probability of each token's word."""
    p = _given(inputs.p)
    if punctuation == "unknown":
        p = np.where(_given(inputs.wordless), 0.0, p)
    if unknown == "rarest":
        p = np.where(p > 0, p, _given(inputs.shares).vocabulary.min(initial=1.0))
    return p


@WEIGHT.option(needs=Needs.DIAGONALS, label="Ditto")
def ditto(
    inputs: WeightInputs,
    *,
    layer: Annotated[int, Within(1, 1000, "transformer block, counted from 1")] = 1,
    head: Annotated[int, Within(1, 1000, "attention head, counted from 1")] = 10,
) -> Weights:
    """Ditto: how much a token attends to itself in one head; with pool=sum as the paper writes it."""
    diagonals = _given(inputs.diagonals)
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


@WEIGHT.option(needs=Needs.LAYERS)
def variance(
    inputs: WeightInputs, *, start: Annotated[int, Within(0, 1000, "the first layer looked at")] = 0
) -> Weights:
    """SBERT-WK's word importance: the variance over layers of the cosine of adjacent layers."""
    layers = inputs.layers[start:]
    if len(inputs.layers) < 3:
        raise RecipeError(
            "weight=variance: this model has one block, and so one cosine of adjacent layers."
        )
    if len(layers) < 3:
        raise RecipeError(
            f"weight=variance(start): got {start}, which leaves fewer than three layers, and so no two "
            f"cosines that could differ; allowed is 0 to {len(inputs.layers) - 3}."
        )
    return sbert_wk.variance(sbert_wk.gram(layers, reach=1))


@WEIGHT.option(needs=Needs.STATES)
def norm(inputs: WeightInputs) -> Weights:
    """The Euclidean norm of the token vector (Yokoi et al. 2020)."""
    states = _given(inputs.states)
    return np.sqrt(np.einsum("td,td->t", states, states, dtype=np.float64))


def _given(needed: T | None) -> T:
    """What the pipeline has put there because the option's ``needs`` ask for it."""
    assert needed is not None  # noqa: S101
    return needed


def uniform_where_all_zero(
    weights: Weights, tokens: Tokens, selected: Bool[np.ndarray, " token"]
) -> tuple[Weights, Bool[np.ndarray, " sentence"]]:
    """Weights with 0 for tokens that are not selected, and 1 for the selected ones of an all-zero text.

    Also says which stored texts those are; a text without tokens is none of them.
    """
    weights = np.where(selected, weights, 0.0)
    total = np.bincount(tokens.sentence, weights=weights, minlength=tokens.sentences)
    uniform = (total <= 0) & (tokens.lengths > 0)
    return np.where(selected & uniform[tokens.sentence], 1.0, weights), uniform
