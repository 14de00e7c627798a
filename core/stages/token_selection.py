"""Which tokens take part.

An option is given the tokens; with ``reference=True`` also in how many texts of the reference corpus
each id occurs.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from functools import lru_cache
from typing import Annotated

import numpy as np
from jaxtyping import Bool

from core.errors import RecipeError, shorten
from core.recipe import TOKENS
from core.recipe.arguments import Text, Within
from core.tokens import DocumentFrequencies, Tokens
from core.tokens.marks import begins_word, without_begin

FREQUENT = frozenset(
    ". a the in , is to of and ' on man - s with for \" at ##s woman are it two that you dog said "
    "playing i an as was from : by white".split()
)
"""The most frequent tokens that static embeddings are biased by, as released with Prompt-BERT."""

_VOCABULARY = 65_536
"""Tokens whose kinds are remembered: about the vocabulary of a model."""


@TOKENS.option(name="all")
def _all(tokens: Tokens) -> Bool[np.ndarray, " token"]:
    """Every token, those the tokenizer adds ([CLS], [SEP]) included."""
    return np.ones(len(tokens), bool)


@TOKENS.option
def content(tokens: Tokens) -> Bool[np.ndarray, " token"]:
    """The text's own tokens, without those the tokenizer adds."""
    return ~tokens.special


@TOKENS.option
def unbiased(
    tokens: Tokens,
    *,
    keep: Annotated[
        str, Text("tokens of the list that stay, such as man; several with spaces between")
    ] = "",
) -> Bool[np.ndarray, " token"]:
    """Without special tokens, punctuation, pieces after a word's first, and 36 frequent tokens.

    Paper 000 leaves 33 frequent tokens out and does not print them. Its 42 figures of random embeddings on
    STS12, 13, 15, 16, STS-B and SICK-R, which need no model, are 0.47 off on average with
    ``keep="man with at"``, 0.49 with ``keep=man`` and 0.73 with all 36 left out (means of two seeds).
    """
    kept = frozenset(keep.lower().split())
    if unknown := sorted(kept - FREQUENT):
        raise RecipeError(
            f"tokens=unbiased(keep): got {shorten(unknown[0])}, which is not left out; the list has "
            f"{' '.join(sorted(FREQUENT))}."
        )
    dull = [
        i
        for i, text in tokens.vocabulary.items()
        if is_punctuation(text) or (_is_frequent(text) and without_begin(text).lower() not in kept)
    ]
    return _without(tokens, dull)


@TOKENS.option(phrase="without {kinds}")
def without(
    tokens: Tokens,
    *,
    kinds: Annotated[str, Text("frequent, pieces, punctuation, uppercase; several with spaces between")] = (
        "frequent pieces punctuation"
    ),
) -> Bool[np.ndarray, " token"]:
    """As unbiased, but without the kinds that you name: frequent, pieces, punctuation, uppercase."""
    left_out = kinds.split()
    if not left_out or not KINDS.issuperset(left_out):
        raise RecipeError(
            f"tokens=without(kinds): got {shorten(kinds)}; allowed are {', '.join(sorted(KINDS))}, several "
            "with spaces between."
        )
    tests = [test for kind, test in _TESTS.items() if kind in left_out]
    dull = [i for i, text in tokens.vocabulary.items() if any(test(text) for test in tests)]
    kept = ~(tokens.special | np.isin(tokens.ids, dull))
    return kept & ~tokens.continues if "pieces" in left_out else kept


@TOKENS.option(reference=True, edition=2)
def infrequent(
    tokens: Tokens,
    documents: DocumentFrequencies,
    *,
    n: Annotated[int, Within(0, 30_000, "tokens left out, the most frequent first")] = 36,
) -> Bool[np.ndarray, " token"]:
    """As unbiased, with the n tokens that most texts of the reference hold in place of the list."""
    dull = [i for i, text in tokens.vocabulary.items() if is_punctuation(text)]
    special = np.isin(np.arange(len(documents.counts)), tokens.ids[tokens.special])
    counts = np.where(special, 0, documents.counts)
    frequent = np.argsort(-counts, kind="stable")[:n]  # punctuation is among them, as in the list
    return _without(tokens, [*dull, *frequent[counts[frequent] > 0].tolist()])


@TOKENS.option(masks=True)
def mask(tokens: Tokens) -> Bool[np.ndarray, " token"]:
    """The mask tokens of the template alone."""
    return tokens.mask


@TOKENS.option(masks=True, phrase="no mask tokens")
def nomask(tokens: Tokens) -> Bool[np.ndarray, " token"]:
    """Every token but the mask tokens of the template."""
    return ~tokens.mask


@TOKENS.option
def sentence(tokens: Tokens) -> Bool[np.ndarray, " token"]:
    """The sentence's own tokens, without the template's and those the tokenizer adds."""
    return tokens.own


@TOKENS.option(phrase="no separator tokens")
def noseparator(tokens: Tokens) -> Bool[np.ndarray, " token"]:
    """Every token but those the tokenizer adds after the text ([SEP]); SBERT-WK's code leaves them out."""
    here, cls = np.arange(len(tokens)), tokens.cls[tokens.sentence]
    first = tokens.offsets[:-1][tokens.sentence]
    last = np.maximum.accumulate(np.where(tokens.special, -1, here))
    before = (cls < 0) & (last < first)  # such as a decoder's first token
    return ~tokens.special | before | (here == first + cls)


@lru_cache(_VOCABULARY)
def is_punctuation(text: str) -> bool:
    """Whether a token is nothing but punctuation and symbols, those beyond ASCII (``€``) too."""
    word = without_begin(text)
    only_marks = not word or begins_word(word)
    return not only_marks and all(unicodedata.category(c)[0] in "PS" for c in word)


@lru_cache(_VOCABULARY)
def _is_frequent(text: str) -> bool:
    return without_begin(text).lower() in FREQUENT


def _is_uppercase(text: str) -> bool:
    return any(c.isupper() for c in text)


_TESTS: dict[str, Callable[[str], bool]] = {
    "frequent": _is_frequent,
    "punctuation": is_punctuation,
    "uppercase": _is_uppercase,
}
KINDS = frozenset({*_TESTS, "pieces"})
"""Kinds of tokens that static embeddings are biased by (Jiang et al. 2022)."""


def _without(tokens: Tokens, dull: list[int]) -> Bool[np.ndarray, " token"]:
    """Neither special tokens, nor pieces after a word's first, nor those with some ids."""
    return ~(tokens.special | tokens.continues | np.isin(tokens.ids, dull))


def all_where_none_left(
    selected: Bool[np.ndarray, " token"], tokens: Tokens
) -> tuple[Bool[np.ndarray, " token"], Bool[np.ndarray, " sentence"]]:
    """``selected``, but a text of which no token is left keeps all its tokens; and those texts."""
    left = np.bincount(tokens.sentence[selected], minlength=tokens.sentences)
    none_left = (left == 0) & (tokens.lengths > 0)
    return selected | none_left[tokens.sentence], none_left
