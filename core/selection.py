"""Which tokens take part."""

from __future__ import annotations

import unicodedata

import numpy as np
from jaxtyping import Bool

from core.recipe import TOKENS
from core.tokens import Tokens

FREQUENT = frozenset(
    ". a the in , is to of and ' on man - s with for \" at ##s woman are it two that you dog said "
    "playing i an as was from : by white".split()
)
"""The most frequent tokens that static embeddings are biased by, as released with Prompt-BERT."""


@TOKENS.option(name="all")
def _all(tokens: Tokens) -> Bool[np.ndarray, " token"]:
    """Every token, those the tokenizer adds ([CLS], [SEP]) included."""
    return np.ones(len(tokens), bool)


@TOKENS.option
def content(tokens: Tokens) -> Bool[np.ndarray, " token"]:
    """The text's own tokens, without those the tokenizer adds."""
    return ~tokens.special


@TOKENS.option
def unbiased(tokens: Tokens) -> Bool[np.ndarray, " token"]:
    """Without special tokens, punctuation, pieces after a word's first, and 36 frequent tokens."""
    dull = np.zeros(max(tokens.vocabulary, default=0) + 1, bool)
    dull[[i for i, text in tokens.vocabulary.items() if _is_dull(text)]] = True
    return ~(tokens.special | tokens.continues | dull[tokens.ids])


@TOKENS.option(needs_mask=True)
def mask(tokens: Tokens) -> Bool[np.ndarray, " token"]:
    """The mask tokens of the template alone."""
    return tokens.mask


@TOKENS.option(needs_mask=True)
def nomask(tokens: Tokens) -> Bool[np.ndarray, " token"]:
    """Every token but the mask tokens of the template."""
    return ~tokens.mask


@TOKENS.option
def sentence(tokens: Tokens) -> Bool[np.ndarray, " token"]:
    """The sentence's own tokens, without the template's and those the tokenizer adds."""
    return ~(tokens.special | tokens.template)


@TOKENS.option
def noseparator(tokens: Tokens) -> Bool[np.ndarray, " token"]:
    """Every token but those the tokenizer adds after the text ([SEP]); SBERT-WK's code leaves them out."""
    place = np.arange(len(tokens)) - tokens.offsets[:-1][tokens.sentence]
    return ~tokens.special | (place == tokens.cls[tokens.sentence])


def _is_dull(text: str) -> bool:
    word = text.lstrip("▁Ġ")
    punctuation = bool(word) and all(unicodedata.category(c)[0] in "PS" for c in word)
    return punctuation or word.lower() in FREQUENT


def keep_some(selected: Bool[np.ndarray, " token"], tokens: Tokens) -> Bool[np.ndarray, " token"]:
    """``selected``, but a text of which nothing is left keeps all its tokens."""
    left = np.bincount(tokens.sentence[selected], minlength=tokens.sentences)
    return selected | (left[tokens.sentence] == 0)
