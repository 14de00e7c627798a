"""Which tokens of a visitor's sentences a model does not know: it reads the same one in place of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from components import provenance
from core.errors import are, counted
from core.pipeline.token_weights import TokenWeights

NAMED = 3
"""Sentences that are named."""


def of_sentences(weights: Mapping[str, Sequence[TokenWeights]]) -> tuple[str, ...]:
    """A line for each sentence with unknown tokens, by side where these differ; of many, how many more."""
    return provenance.told({side: _lines(texts) for side, texts in weights.items()})


def of_sentence(weights: TokenWeights) -> tuple[str, ...]:
    """The same of the one sentence of a page."""
    return (_line(weights, "This sentence"),) if weights.unknown else ()


def _lines(texts: Sequence[TokenWeights]) -> list[str]:
    found = [_line(each, f"Sentence {number}") for number, each in enumerate(texts, 1) if each.unknown]
    if (more := len(found) - NAMED) > 1:
        return [*found[:NAMED], f"{counted(more, 'further sentence')} have unknown tokens too."]
    return found


def _line(weights: TokenWeights, sentence: str) -> str:
    """How many of a sentence's own tokens are unknown, and what is read for them."""
    own, unknown = sum(word >= 0 for word in weights.words), len(weights.unknown)
    read = weights.surface_forms[weights.unknown[0]]
    return f"{sentence}: {unknown} of {counted(own, 'token')} {are(unknown)} unknown to the model ({read})."
