"""The token states of a corpus, its tokens selected and weighted, as batches of texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Bool, Float, Int

from core.errors import RecipeError
from core.progress import Progress
from core.recipe.plan import Plan
from core.sources.token_states import TokenStates, chunks
from core.stages.layers import Fusion, average
from core.stages.token_selection import all_where_none_left
from core.stages.weighting import uniform_where_all_zero
from core.tokens import DocumentFrequencies, Tokens
from core.tokens.states import States
from core.tokens.token_batch import TokenBatch
from core.tokens.weight_inputs import Needs, WeightInputs

Group = tuple[int, ...]
"""Layers that are averaged before pooling."""

Weighted = tuple[TokenBatch, int]
"""Texts as a batch, and how many of them have weights that are all 0, and so count the same."""

FEW_TOKENS = 1_000_000
"""Tokens whose weights are remembered from one layer to the next: 8 MB."""

OF_STATES = Needs.STATES | Needs.LAYERS | Needs.DIAGONALS
"""What a weight may look at that is read with the layers."""


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
    none_left
        How many texts these are.
    documents
        The document frequencies that the weight looks at, if any.

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
        self.plan, self.states, self.fusion = plan, states, fusion
        self.documents = inputs.documents
        self._inputs, self._reference, self._repeats = inputs, reference, repeats
        tokens = states.tokens
        if plan.tokens.masks and not tokens.mask.any():
            raise RecipeError(
                f"tokens={plan.tokens.text} needs a template with [MASK] and a model with a mask token; "
                "take tokens=all, content or sentence, or a template such as T0."
            )
        self.selected: Bool[np.ndarray, " token"]
        self.selected, none_left = all_where_none_left(self.select(tokens), tokens)
        self.none_left = int(none_left.sum())
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
        return self.plan.weight.weigh(WeightInputs(tokens, self.documents))

    def batches(self, progress: Progress) -> Batches:
        """The plan's own layers in batches, for a pooling to learn from."""
        return Batches(self, progress)

    def weights(self, progress: Progress) -> Float[np.ndarray, " token"]:
        """The weight of every token, in stored order; 0 for those not selected."""
        out = np.zeros(len(self.states.tokens))
        for sentences, batches in self.read([self.fusion.layers], progress):
            batch, _ = batches[self.fusion.layers]
            out[self.states.tokens.token_span(sentences)] = batch.weights
        return out

    def read(
        self, groups: Sequence[Group], progress: Progress, *, hold: bool = True
    ) -> Iterator[tuple[slice, Mapping[Group, Weighted]]]:
        """All texts with tokens, span by span in stored order: the texts, and a batch for each group.

        Parameters
        ----------
        groups
            Sets of layers. The states of a batch are the mean over its group; of the plan's own layers
            what the plan's fusion makes of them.
        progress
            Told how far the reading is.
        hold
            Whether layers of a stored pass stay in memory where there is room for all that are read.

        Raises
        ------
        RecipeError
            The weight looks at attention or layers that the states do not have.
        """
        needs = self.plan.weight.needs
        layers = {i for group in groups for i in group}
        if Needs.LAYERS in needs:
            layers |= {i for i in self.states.layers if i >= 0}
        diagonals = Needs.DIAGONALS in needs
        for states in chunks(self.states, sorted(layers), progress, diagonals=diagonals, hold=hold):
            yield states.sentences, self._weighted(states, groups)

    def _weighted(self, states: States, groups: Sequence[Group]) -> dict[Group, Weighted]:
        tokens = self.states.tokens
        span = states.sentences.start, states.sentences.stop
        part, weights, all_zero = self._weighed.get(span, (None, None, 0))
        if part is None:
            inputs = self._with_states(states)
            part = inputs.tokens
        selected = self.selected[tokens.token_span(states.sentences)]
        repeats = self._repeats[tokens.order[states.sentences]]
        units = self._units(tokens.token_span(states.sentences))
        batches = {}
        for group in groups:
            layers = [states.layers[i] for i in group]
            fused = self.fusion.fuse(layers) if group == self.fusion.layers else average(layers)
            if weights is None or Needs.STATES in self.plan.weight.needs:
                weights = self.plan.weight.weigh(replace(inputs, states=fused))
                weights, uniform = uniform_where_all_zero(weights, part, selected)
                all_zero = int(uniform.sum())
                if not self.plan.weight.needs & OF_STATES and len(tokens) <= FEW_TOKENS:
                    self._weighed[span] = part, weights, all_zero
            tokens_of = (selected, part.cls, part.offsets, part.ids)
            batches[group] = TokenBatch(fused, weights, *tokens_of, repeats, units), all_zero
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
        for _, batches in self.weighted.read([layers], self.progress):
            yield batches[layers][0]
