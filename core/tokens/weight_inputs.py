"""What a token weight may look at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Flag, auto

import numpy as np
from jaxtyping import Bool, Float

from core.tokens.tokens import DocumentFrequencies, Tokens
from core.tokens.words import WordShares

Weights = Float[np.ndarray, " token"]


class Needs(Flag):
    """What a token weight looks at beside the tokens; only that is put into :class:`WeightInputs`."""

    TOKENS = 0
    """Nothing else."""
    DOCUMENTS = auto()
    """Document frequencies of token ids."""
    WORDS = auto()
    """The probability of each token's word."""
    STATES = auto()
    """Token vectors as they are pooled."""
    LAYERS = auto()
    """The states of all layers."""
    DIAGONALS = auto()
    """The attention of each token to itself."""


@dataclass(frozen=True, eq=False)
class WeightInputs:
    """The tokens of some whole texts, and what the weight :class:`Needs`.

    Attributes
    ----------
    tokens
        The tokens of the texts.
    documents
        In how many texts of the corpus that the weight learns from each id occurs.
    p
        The probability of the word that each token belongs to.
    wordless
        Tokens of no word: punctuation, special tokens, mask tokens of a prompt.
    begins
        Tokens that are the first piece of a word, or of no word.
    shares
        The probabilities of all words that are known.
    states
        Token vectors as they are pooled: the recipe's layers averaged.
    layers
        The states of layers 0 … L.
    diagonals
        ``A[t, t]`` of every head after softmax, by token, layer 1 … L and head.
    """

    tokens: Tokens
    documents: DocumentFrequencies | None = None
    p: Float[np.ndarray, " token"] | None = None
    wordless: Bool[np.ndarray, " token"] | None = None
    begins: Bool[np.ndarray, " token"] | None = None
    shares: WordShares | None = None
    states: Float[np.ndarray, "token dim"] | None = None
    layers: Sequence[Float[np.ndarray, "token dim"]] = ()
    diagonals: Float[np.ndarray, "token layer head"] | None = None

    def of(self, sentences: slice) -> WeightInputs:
        """The inputs of some stored texts, without states: those are read batch by batch."""
        span = self.tokens.token_span(sentences)
        words = (self.p, self.wordless, self.begins)
        p, wordless, begins = (None if each is None else each[span] for each in words)
        return WeightInputs(self.tokens.part(sentences), self.documents, p, wordless, begins, self.shares)
