"""Weighted token states pooled: one vector for each text, by group of layers."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from core.errors import NoTokensError
from core.pipeline.weighted_states import OF_STATES, Group, WeightedStates
from core.progress import Progress, Step, one_at_a_time
from core.recipe.options import PoolTokens
from core.sources.token_states import StreamedPass
from core.storage.kept_vectors import NotedVectors
from core.storage.stored_pass import StoredPass
from core.threads import at_once
from core.tokens.token_batch import Pooled

MANY = 10_000
"""Sentences from which on pooling and learning take a second or more, and say so."""

Allocate = Callable[[Group, tuple[int, int]], np.ndarray]
"""Gives zeros in float32 for the vectors of a group: one row for each text."""


def pool_groups(
    weighted: WeightedStates,
    pooling: PoolTokens,
    groups: Sequence[Group],
    progress: Progress,
    allocate: Allocate,
) -> dict[Group, NotedVectors]:
    """One vector per text for each group of layers, in the order of the list of texts; read-only.

    States that are read layer by layer are pooled one group after the other, on all cores where all of
    them are in memory. Layers that do not all fit there are not held one after the other: each would
    make room for the next, and none would be there when all are asked for again.

    Raises
    ------
    NoTokensError
        No text has a token.
    StrataError
        What :meth:`~core.pipeline.weighted_states.WeightedStates.read` raises.
    """
    states, tokens = weighted.states, weighted.states.tokens
    is_stream = isinstance(states, StreamedPass)
    texts: dict[Group, Pooled] = {}
    all_zero = dict.fromkeys(groups, 0)
    together = is_stream or bool(weighted.plan.weight.needs & OF_STATES)
    every = sorted({i for group in groups for i in group})
    fits = isinstance(states, StoredPass) and states.can_hold(every)
    tell = one_at_a_time(progress)

    def fill(some: Sequence[Group]) -> None:
        for sentences, batches in weighted.read(some, tell, hold=together or fits):
            for group, (batch, zero) in batches.items():
                pooled = pooling(batch)
                if group not in texts:
                    texts[group] = allocate(group, (tokens.sentences, pooled.shape[1]))
                texts[group][tokens.order[sentences]] = pooled
                all_zero[group] += zero
            if tokens.sentences >= MANY and not is_stream:
                tell(Step("Pooling the tokens of sentences", sentences.stop, tokens.sentences))

    first, *others = [groups] if together else [[group] for group in groups]
    fill(first)  # the weights of its tokens are those of the others
    if fits:
        at_once(fill, others)
    else:
        for some in others:
            fill(some)
    if not texts:
        source = weighted.plan.recipe.spelled()["source"]
        raise NoTokensError(
            f"No sentence has any token that source={source} knows, so there is nothing to embed; take "
            "another source, or texts in its words."
        )
    for vectors in texts.values():
        vectors.flags.writeable = False
    return {group: NotedVectors(texts[group], notes_on(weighted, all_zero[group])) for group in groups}


def notes_on(weighted: WeightedStates, all_zero: int) -> tuple[str, ...]:
    """What a reader must know of texts where the selection or the weights leave nothing.

    ``all_zero`` is the number of texts whose weights are all 0.
    """
    plan, notes = weighted.plan, []
    if weighted.none_left:
        lacking = f"no token left under tokens={plan.tokens.text}"
        notes.append(_note(weighted.none_left, lacking, "count"))
    if all_zero:
        lacking = f"no weight above 0 under weight={plan.weight.text}"
        notes.append(_note(all_zero, lacking, "count the same"))
    if (documents := weighted.documents) is not None and plan.weight.fit == "reference":
        tokens = weighted.states.tokens
        if documents.unseen(tokens.ids[tokens.mask & weighted.selected]).any():
            notes.append(
                "The template's mask token occurs in no text of the reference, so it gets the largest "
                f"weight of all under weight={plan.weight.text}."
            )
    return tuple(notes)


def _note(sentences: int, lacking: str, consequence: str) -> str:
    has, their = ("sentence has", "its") if sentences == 1 else ("sentences have", "their")
    return f"{sentences:,} {has} {lacking}; all {their} tokens {consequence}."
