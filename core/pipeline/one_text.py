"""Single texts out of weighted token states, for whoever asks why a text has the vector that it has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from core.pipeline.weighted_states import Group, WeightedStates
from core.progress import Progress
from core.tokens.token_batch import TokenBatch


@dataclass(frozen=True, eq=False)
class OneText:
    """The tokens of one text, weighted.

    Attributes
    ----------
    surface_forms, words
        Every token, and the number of the word that it belongs to; -1 for special tokens.
    batch
        The text by itself; its states are those that are pooled.
    layers
        The states in each layer whose average that is; one alone where layers are not averaged.
    """

    surface_forms: tuple[str, ...]
    words: tuple[int, ...]
    batch: TokenBatch
    layers: Float[np.ndarray, "layer token dim"]


def of_texts(weighted: WeightedStates, texts: Sequence[int], progress: Progress) -> dict[int, OneText]:
    """The tokens of the texts at some positions, with their states in the plan's own layers.

    By position, of one reading; those without tokens are left out.
    """
    tokens, own = weighted.states.tokens, weighted.fusion.layers
    single: list[Group] = [(i,) for i in own] if weighted.fusion.linear else []
    waiting = {int(tokens.place[text]): text for text in texts if tokens.lengths[tokens.place[text]]}
    found: dict[int, OneText] = {}
    if not waiting:
        return found
    for sentences, batches in weighted.read(list(dict.fromkeys([own, *single])), progress):
        batch, _ = batches[own]
        for place in [place for place in waiting if sentences.start <= place < sentences.stop]:
            text, first = waiting.pop(place), place - sentences.start
            span = slice(int(batch.offsets[first]), int(batch.offsets[first + 1]))
            layers = [batches[group][0].states[span] for group in single or [own]]
            found[text] = OneText(
                tuple(tokens.surface_forms(tokens.span(text))),
                tokens.word_numbers(tokens.span(text)),
                batch.text(first),
                np.stack(layers),
            )
        if not waiting:
            break
    return found
