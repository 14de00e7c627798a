"""The token states of a corpus, its tokens selected and weighted, as batches of texts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Bool, Float, Int

from core.errors import RecipeError
from core.progress import Progress, Step, one_at_a_time
from core.recipe.options import PoolTokens
from core.recipe.plan import Plan
from core.sources.token_states import StreamedPass, TokenStates, chunks
from core.stages.layers import Fusion, average
from core.stages.token_selection import all_where_none_left
from core.stages.weighting import uniform_where_all_zero
from core.storage.stored_pass import StoredPass
from core.threads import at_once
from core.tokens import DocumentFrequencies, Tokens
from core.tokens.states import States
from core.tokens.token_batch import Pooled, TokenBatch
from core.tokens.weight_inputs import Needs, WeightInputs

Group = tuple[int, ...]
"""Layers that are averaged before pooling."""

FEW_TOKENS = 1_000_000
"""Tokens whose weights are remembered from one layer to the next: 8 MB."""

MANY = 10_000
"""Sentences from which on pooling and learning take a second or more, and say so."""

_OF_STATES = Needs.STATES | Needs.LAYERS | Needs.DIAGONALS
"""What a weight may look at that is read with the layers."""

Allocate = Callable[[Group, tuple[int, int]], np.ndarray]
"""Gives zeros in float32 for the vectors of a group: one row for each text."""


@dataclass(frozen=True, eq=False)
class PooledTexts:
    """One vector per text, in the order of the list, and what a reader must know about them."""

    vectors: Pooled
    notes: tuple[str, ...]


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


class WeightedStates:
    """Token states with a plan's layers, token selection and token weights.

    Parameters
    ----------
    plan
        It gives the token selection and the token weight.
    states
        The token states; their stored order is the order of everything here.
    fusion
        The layers, and how the states of a token in them become one vector.
    inputs
        What the weight needs beside states, for all tokens.
    reference
        Document frequencies of the reference corpus, for a selection that asks for them.
    repeats
        How often each text of the list stands in its corpus.

    Attributes
    ----------
    selected
        The tokens that take part; a text of which the selection leaves none keeps all its tokens.

    Raises
    ------
    RecipeError
        The plan takes mask tokens, attention or layers that the states do not have.
    """

    def __init__(
        self,
        plan: Plan,
        states: TokenStates,
        fusion: Fusion,
        inputs: WeightInputs,
        reference: DocumentFrequencies | None,
        repeats: np.ndarray,
    ) -> None:
        self.plan, self.states, self.fusion, self.repeats = plan, states, fusion, repeats
        self._inputs, self._reference = inputs, reference
        tokens = states.tokens
        if plan.tokens.masks and not tokens.mask.any():
            raise RecipeError(
                f"tokens={plan.tokens.text} needs a template with [MASK] and a model with a mask token; "
                "take tokens=all, content or sentence, or a template such as T0."
            )
        self.selected: Bool[np.ndarray, " token"]
        self.selected, none_left = all_where_none_left(self.select(tokens), tokens)
        self._none_left = int(none_left.sum())
        self._weighed: dict[tuple[int, int], tuple[Tokens, np.ndarray, int]] = {}

    def select(self, tokens: Tokens) -> Bool[np.ndarray, " token"]:
        """Which of some tokens the plan selects; of a text perhaps none."""
        if self._reference is None:
            return self.plan.tokens.select(tokens)
        return self.plan.tokens.select(tokens, self._reference)

    def weigh(self, tokens: Tokens) -> Float[np.ndarray, " token"]:
        """The weight that the plan gives to some tokens, selected or not.

        The weight may look at tokens and document frequencies alone.
        """
        return self.plan.weight.weigh(WeightInputs(tokens, self._inputs.documents))

    def pool(
        self, pooling: PoolTokens, groups: Sequence[Group], progress: Progress, allocate: Allocate
    ) -> dict[Group, PooledTexts]:
        """One vector per text for each group of layers, in the order of the list of texts.

        States that are read layer by layer are pooled one group after the other, on all cores where all of
        them are in memory. Layers that do not all fit there are not held one after the other: each would
        make room for the next, and none would be there when all are asked for again.
        """
        tokens = self.states.tokens
        texts: dict[Group, Pooled] = {}
        uniform = dict.fromkeys(groups, 0)
        together = isinstance(self.states, StreamedPass) or bool(self.plan.weight.needs & _OF_STATES)
        every = {i for group in groups for i in group}
        fits = isinstance(self.states, StoredPass) and self.states.can_hold(sorted(every))
        tell = one_at_a_time(progress)

        def fill(some: Sequence[Group]) -> None:
            for sentences, batches in self._batches(some, tell, hold=together or fits):
                for group, (batch, all_zero) in batches.items():
                    pooled = pooling(batch)
                    if group not in texts:
                        texts[group] = allocate(group, (tokens.sentences, pooled.shape[1]))
                    texts[group][tokens.order[sentences]] = pooled
                    uniform[group] += all_zero
                if tokens.sentences >= MANY and not isinstance(self.states, StreamedPass):
                    tell(Step("Pooling the tokens of sentences", sentences.stop, tokens.sentences))

        first, *others = [groups] if together else [[group] for group in groups]
        fill(first)  # the weights of its tokens are those of the others
        if fits:
            at_once(fill, others)
        else:
            for some in others:
                fill(some)
        if not texts:
            raise RecipeError(
                "No sentence has any token that this source knows; there is nothing to embed."
            )
        for vectors in texts.values():
            vectors.flags.writeable = False
        return {group: PooledTexts(texts[group], self._notes(uniform[group])) for group in groups}

    def batches(self, progress: Progress) -> Batches:
        """The plan's own layers in batches, for a pooling to learn from."""
        return Batches(self, progress)

    def weights(self, progress: Progress) -> Float[np.ndarray, " token"]:
        """The weight of every token, in stored order; 0 for those not selected."""
        out = np.zeros(len(self.states.tokens))
        for sentences, batches in self._batches([self.fusion.layers], progress):
            batch, _ = batches[self.fusion.layers]
            out[self.states.tokens.token_span(sentences)] = batch.weights
        return out

    def of_text(self, text: int, progress: Progress) -> OneText:
        """The tokens of one text, weighted, with their states in the plan's own layers.

        Raises :class:`IndexError` for a text without tokens.
        """
        found = self.of_texts([text], progress)
        if text not in found:
            raise IndexError(text)
        return found[text]

    def of_texts(self, texts: Sequence[int], progress: Progress) -> dict[int, OneText]:
        """The same of several texts, by position, of one reading; those without tokens are left out."""
        tokens, own = self.states.tokens, self.fusion.layers
        single: list[Group] = [(i,) for i in own] if self.fusion.linear else []
        waiting = {int(tokens.place[text]): text for text in texts if tokens.lengths[tokens.place[text]]}
        found: dict[int, OneText] = {}
        if not waiting:
            return found
        for sentences, batches in self._batches(list(dict.fromkeys([own, *single])), progress):
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

    def _notes(self, uniform: int) -> tuple[str, ...]:
        """What a reader must know of texts where the selection or the weights leave nothing.

        ``uniform`` is the number of texts whose weights are all 0.
        """
        notes = []
        if self._none_left:
            text = f"tokens={self.plan.tokens.text}"
            notes.append(_note(self._none_left, f"no token left under {text}", "count"))
        if uniform:
            text = f"weight={self.plan.weight.text}"
            notes.append(_note(uniform, f"no weight above 0 under {text}", "count the same"))
        if (documents := self._inputs.documents) is not None and self.plan.weight.fit == "reference":
            masks = self.states.tokens.ids[self.states.tokens.mask & self.selected]
            if documents.unseen(masks).any():
                notes.append(
                    "The template's mask token occurs in no text of the reference, so it gets the largest "
                    f"weight of all under weight={self.plan.weight.text}."
                )
        return tuple(notes)

    def _batches(
        self, groups: Sequence[Group], progress: Progress, *, hold: bool = True
    ) -> Iterator[tuple[slice, dict[Group, tuple[TokenBatch, int]]]]:
        """Batches by group of layers, each with the number of its texts whose weights are all 0."""
        needs = self.plan.weight.needs
        layers = {i for group in groups for i in group}
        if Needs.LAYERS in needs:
            layers |= {i for i in self.states.layers if i >= 0}
        diagonals = Needs.DIAGONALS in needs
        for states in chunks(self.states, sorted(layers), progress, diagonals=diagonals, hold=hold):
            yield states.sentences, self._weighted(states, groups)

    def _weighted(self, states: States, groups: Sequence[Group]) -> dict[Group, tuple[TokenBatch, int]]:
        tokens = self.states.tokens
        span = states.sentences.start, states.sentences.stop
        part, weights, all_zero = self._weighed.get(span, (None, None, 0))
        if part is None:
            inputs = self._with_states(states)
            part = inputs.tokens
        selected = self.selected[tokens.token_span(states.sentences)]
        repeats = self.repeats[tokens.order[states.sentences]]
        units = self._units(tokens.token_span(states.sentences))
        batches = {}
        for group in groups:
            layers = [states.layers[i] for i in group]
            fused = self.fusion.fuse(layers) if group == self.fusion.layers else average(layers)
            if weights is None or Needs.STATES in self.plan.weight.needs:
                weights = self.plan.weight.weigh(replace(inputs, states=fused))
                weights, uniform = uniform_where_all_zero(weights, part, selected)
                all_zero = int(uniform.sum())
                if not self.plan.weight.needs & _OF_STATES and len(tokens) <= FEW_TOKENS:
                    self._weighed[span] = part, weights, all_zero
            batch = TokenBatch(
                fused,
                weights,
                selected,
                part.cls,
                part.offsets,
                part.ids,
                repeats,
                units,
            )
            batches[group] = batch, all_zero
        return batches

    def _units(self, span: slice) -> Int[np.ndarray, " token"] | None:
        """What a weighted mean counts of some tokens, the number of each one's word or its own; or None."""
        over, begins = self.plan.weight.over, self._inputs.begins
        if over == "weights":
            return None
        if over == "tokens":
            return np.arange(span.stop - span.start)
        assert begins is not None  # noqa: S101  (a weight that counts words needs them)
        return np.cumsum(begins[span])

    def _with_states(self, states: States) -> WeightInputs:
        inputs, needs = self._inputs.of(states.sentences), self.plan.weight.needs
        if Needs.DIAGONALS in needs:
            if states.diagonals is None:
                raise self._has_none("attention")
            inputs = replace(inputs, diagonals=states.diagonals)
        if Needs.LAYERS in needs:
            layers = tuple(states.layers[i] for i in self.states.layers if i >= 0 and i in states.layers)
            if not layers:
                raise self._has_none("a model's layers")
            inputs = replace(inputs, layers=layers)
        return inputs

    def _has_none(self, needed: str) -> RecipeError:
        return RecipeError(
            f"weight={self.plan.weight.text} looks at {needed}, and token vectors without context have "
            "none; take another weight, or a model as source."
        )


@dataclass(frozen=True, eq=False)
class Batches:
    """The token batches of a corpus in a plan's own layers; each iteration reads the states once."""

    weighted: WeightedStates
    progress: Progress

    def __iter__(self) -> Iterator[TokenBatch]:
        layers = self.weighted.fusion.layers
        for _, batches in self.weighted._batches([layers], self.progress):
            yield batches[layers][0]


def _note(sentences: int, lacking: str, consequence: str) -> str:
    has, their = ("sentence has", "its") if sentences == 1 else ("sentences have", "their")
    return f"{sentences:,} {has} {lacking}; all {their} tokens {consequence}."
