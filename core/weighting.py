"""How much each token counts.

A weighting gives one number of 0 or more per token; pooling scales them to sum 1 per text. A text
whose weights are all 0 falls back to uniform weights.
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from core.recipe import WEIGHT
from core.tokens import DocumentFrequencies, Tokens


@WEIGHT.option
def uniform(tokens: Tokens, frequencies: DocumentFrequencies) -> Float[np.ndarray, " token"]:
    """Every token the same."""
    return np.ones(len(tokens))


@WEIGHT.option(fitted=True)
def idf(tokens: Tokens, frequencies: DocumentFrequencies) -> Float[np.ndarray, " token"]:
    """Inverse document frequency, log(texts / texts with the token); unseen counts as seen once."""
    return np.log(frequencies.texts / np.minimum(frequencies.of(tokens.ids), frequencies.texts))


def never_all_zero(
    weights: Float[np.ndarray, " token"], tokens: Tokens, selected: np.ndarray
) -> Float[np.ndarray, " token"]:
    """Weights with 0 for what is not selected, and 1 for the selected of an all-zero text."""
    weights = np.where(selected, weights, 0.0)
    total = np.bincount(tokens.sentence, weights=weights, minlength=tokens.sentences)
    return np.where(selected & (total[tokens.sentence] <= 0), 1.0, weights)
