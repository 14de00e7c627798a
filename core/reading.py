"""One corpus as a recipe reads it: which tokens take part, what each weighs, and their vectors as bags."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from jaxtyping import Float

from core.chunks import Pass, chunks
from core.encoder import States
from core.errors import RecipeError
from core.layers import Fusion, average
from core.pooling import Bag, Pooled
from core.progress import Progress
from core.recipe import TOKENS, WEIGHT, Recipe
from core.selection import keep_some
from core.tokens import DocumentFrequencies
from core.weighting import Evidence, never_all_zero
from core.words import WordShares

Group = tuple[int, ...]
"""Layers that are made one before pooling."""


@dataclass(frozen=True, eq=False)
class Counts:
    """What weights and the choice of tokens know of words (see :class:`~core.weighting.Evidence`).

    ``documents`` are of the corpus that the weight learns from, ``reference`` those of the reference when
    the choice of tokens asks for it.
    """

    documents: DocumentFrequencies
    reference: DocumentFrequencies | None = None
    p: Float[np.ndarray, " token"] | None = None
    shares: WordShares | None = None


class Reading:
    """A pass with the recipe's choice of layers, tokens and weights.

    Parameters
    ----------
    recipe
        Layers, tokens and weight are taken from it.
    found
        The pass; its stored order is the order of everything here.
    fusion
        The layers, and how they are made one.
    counts
        What weights know of words.
    repeats
        How often each text of the list stands in its corpus.

    Raises
    ------
    RecipeError
        The recipe takes tokens, attention or layers that the pass does not have.
    """

    def __init__(
        self, recipe: Recipe, found: Pass, fusion: Fusion, counts: Counts, repeats: np.ndarray
    ) -> None:
        self.found, self.fusion, self.counts, self.repeats = found, fusion, counts, repeats
        tokens = found.tokens
        if TOKENS.find(recipe.tokens).traits.get("needs_mask") and not tokens.mask.any():
            raise RecipeError(
                f"tokens={recipe.tokens.name} needs a template with [MASK] and a model with a mask token; "
                "take tokens=all, content or sentence, or a template such as T0."
            )
        select = partial(TOKENS.bind(recipe.tokens), tokens)
        selected = select() if counts.reference is None else select(counts.reference)
        self.selected = keep_some(selected, tokens)
        self._weigh: Callable[[Evidence], np.ndarray] = WEIGHT.bind(recipe.weight)
        self._needs = WEIGHT.find(recipe.weight).traits.get("needs")
        self._weight = WEIGHT.text(recipe.weight)

    @property
    def separable(self) -> bool:
        """Whether every layer may be pooled by itself and the results averaged."""
        return self.fusion.linear and self._needs != "states"

    def pool(
        self, pooling: Callable[[Bag], Pooled], groups: Sequence[Group], progress: Progress
    ) -> dict[Group, Pooled]:
        """One vector per text for each group of layers, in the order of the list of texts."""
        tokens = self.found.tokens
        stored: dict[Group, Pooled] = {}
        for sentences, bags in self._stretches(groups, progress):
            for group, bag in bags.items():
                pooled = pooling(bag)
                if group not in stored:
                    stored[group] = np.zeros((tokens.sentences, pooled.shape[1]), np.float32)
                stored[group][sentences] = pooled
        if not stored:
            raise RecipeError(
                "No sentence has any token that this source knows; there is nothing to embed."
            )
        return {group: tokens.restore(vectors) for group, vectors in stored.items()}

    def bags(self, progress: Progress) -> Bags:
        """The recipe's own layers as bags, for a pooling to learn from."""
        return Bags(self, progress)

    def weights(self, progress: Progress) -> Float[np.ndarray, " token"]:
        """The weight of every token, in stored order; 0 for those not selected."""
        out = np.zeros(len(self.found.tokens))
        for sentences, bags in self._stretches([self.fusion.layers], progress):
            out[self.found.tokens.stretch(sentences)] = bags[self.fusion.layers].weights
        return out

    def _stretches(
        self, groups: Sequence[Group], progress: Progress
    ) -> Iterator[tuple[slice, dict[Group, Bag]]]:
        needed = {i for group in groups for i in group}
        if self._needs == "layers":
            needed |= {i for i in self.found.layers if i >= 0}
        diagonals = self._needs == "diagonals"
        for states in chunks(self.found, sorted(needed), progress, diagonals=diagonals):
            yield states.sentences, self._bags(states, groups)

    def _bags(self, states: States, groups: Sequence[Group]) -> dict[Group, Bag]:
        tokens = self.found.tokens
        span, part = tokens.stretch(states.sentences), tokens.part(states.sentences)
        evidence = self._evidence(states, Evidence(part, self.counts.documents))
        if self.counts.p is not None:
            evidence = replace(evidence, p=self.counts.p[span], shares=self.counts.shares)
        selected = self.selected[span]
        repeats = self.repeats[tokens.order[states.sentences]]
        weights = None
        found = {}
        for group in groups:
            own = group == self.fusion.layers
            layers = [states.layers[i] for i in group]
            refuse_mixed_widths(layers)
            one = self.fusion.fuse(layers) if own else average(layers)
            if weights is None or self._needs == "states":
                seen = replace(evidence, states=one)
                weights = never_all_zero(self._weigh(seen), part, selected)
            found[group] = Bag(one, weights, selected, part.cls, part.offsets, part.ids, repeats)
        return found

    def _evidence(self, states: States, evidence: Evidence) -> Evidence:
        if self._needs == "diagonals" and states.diagonals is not None:
            return replace(evidence, diagonals=states.diagonals)
        layers = tuple(states.layers[i] for i in self.found.layers if i >= 0 and i in states.layers)
        if self._needs == "layers" and layers:
            return replace(evidence, layers=layers)
        if self._needs in ("diagonals", "layers"):
            looks_at = "attention" if self._needs == "diagonals" else "a model's layers"
            raise RecipeError(
                f"weight={self._weight} looks at {looks_at}, and token vectors without context have none; "
                "take another weight, or a model as source."
            )
        return evidence


@dataclass(frozen=True, eq=False)
class Bags:
    """The bags of a reading; each iteration reads the pass once."""

    reading: Reading
    progress: Progress

    def __iter__(self) -> Iterator[Bag]:
        layers = self.reading.fusion.layers
        for _, bags in self.reading._stretches([layers], self.progress):
            yield bags[layers]


def refuse_mixed_widths(layers: Sequence[np.ndarray]) -> None:
    """Raise :class:`RecipeError` when layers to be averaged are not equally wide."""
    widths = sorted({layer.shape[1] for layer in layers})
    if len(widths) > 1:
        raise RecipeError(
            f"layers: this model's static rows are {widths[0]} or {widths[1]} wide, unlike its layers; "
            "allowed is static alone, or layers from 0."
        )
