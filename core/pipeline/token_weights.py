"""The share of its sentence vector that each token gets."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from core.pipeline.run import Run
from core.progress import Progress


@dataclass(frozen=True, eq=False)
class TokenWeights:
    """The tokens of one text with the share of the sentence vector that each one gets.

    ``texts_with`` says in how many texts of the corpus that the weight learns from each token occurs.
    ``unknown`` are the places of the text's tokens that stand for what the tokenizer does not know.
    """

    surface_forms: tuple[str, ...]
    words: tuple[int, ...]
    shares: Float[np.ndarray, " token"]
    texts_with: Float[np.ndarray, " token"]
    truncated: bool
    unknown: tuple[int, ...] = ()


def token_weights(run: Run, progress: Progress) -> list[TokenWeights]:
    """The tokens of each sentence of a run's target with their weights."""
    weighted = run.weighted()
    tokens, weights = weighted.states.tokens, weighted.weights(progress)
    total = np.bincount(tokens.sentence, weights=weights, minlength=tokens.sentences)
    shares = weights / np.where(total > 0, total, 1.0)[tokens.sentence]
    texts_with = run.document_frequencies().of(tokens.ids)
    spans = [tokens.span(i) for i in range(tokens.sentences)]
    unknown = tokens.own & (tokens.ids == run.unknown_id())
    return [
        TokenWeights(
            tuple(tokens.surface_forms(span)),
            tokens.word_numbers(span),
            shares[span],
            texts_with[span],
            bool(tokens.truncated[tokens.place[i]]),
            tuple(np.flatnonzero(unknown[span]).tolist()),
        )
        for i, span in enumerate(spans)
    ]
