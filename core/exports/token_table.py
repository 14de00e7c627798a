"""What a recipe's token selection and token weight say, as one number for each id of the vocabulary.

A table of ids stands for them where both look at the token alone (and at document frequencies, which are
learnt). Whether they do is not listed anywhere: the table is made from what the options say of every id by
itself, and compared with what they say of every token of a corpus.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int

from core.pipeline.weighted_states import WeightedStates
from core.recipe import POOL, WEIGHT, Recipe
from core.tokens import Tokens
from core.tokens.marks import goes_on
from core.tokens.weight_inputs import Needs

Table = Float[np.ndarray, " id"]

WEIGHTED, ZERO, LEFT_OUT, LEFT_OUT_ZERO = 1e24, 1e12, 1e4, 1e-8
"""What weights are multiplied by of tokens that are selected, and that are left out; and the numbers of
those whose weight is 0. Only ratios count. As in the engine, tokens of weight 0 count where a text has no
other that is selected, and those left out where none is selected. Beside one that counts more, each is a
part in 10⁷ or less. The library divides by 1e-9 at least."""

BY_ID = Needs.TOKENS | Needs.DOCUMENTS
"""What a weight may look at and still be a number for each id."""


class NoTableError(ValueError):
    """The selection or the weight depends on more than a token's id; the text says on what."""


@dataclass(frozen=True, eq=False)
class TokenTable:
    """Every id by itself: whether it is selected, how much it weighs, and whether it is a special token."""

    selected: Bool[np.ndarray, " id"]
    weights: Table
    special: Bool[np.ndarray, " id"]

    @property
    def counted(self) -> Bool[np.ndarray, " id"]:
        """The ids that count where a text has one of them."""
        return self.selected & (self.weights > 0)

    @property
    def even(self) -> bool:
        """Whether all ids count alike."""
        return bool(self.selected.all() and np.ptp(self.weights) == 0)

    @property
    def numbers(self) -> Table:
        """A number for each id: a text's tokens share in it by their numbers."""
        weighs = self.weights > 0
        selected = np.where(weighs, WEIGHTED * self.weights, ZERO)
        return np.where(self.selected, selected, np.where(weighs, LEFT_OUT * self.weights, LEFT_OUT_ZERO))


def weight_reasons(recipe: Recipe) -> list[str]:
    """Why a recipe's weight is no number for each id, as far as a recipe alone says it."""
    if POOL.find(recipe.pool).weighted and WEIGHT.find(recipe.weight).needs & ~BY_ID:
        return [f"weight={WEIGHT.text(recipe.weight)} looks at more than the token itself"]
    return []


def token_table(weighted: WeightedStates, surface_forms: tuple[str, ...], *, weights: bool) -> TokenTable:
    """The selection and the weight of a plan, one without :func:`weight_reasons`, for each id.

    Parameters
    ----------
    weighted
        The weighted tokens of a corpus, to compare with.
    surface_forms
        The surface form of every id.
    weights
        Whether the weights count; else the selection alone.

    Raises
    ------
    NoTableError
        Tokens of one id differ in the corpus.
    """
    plan, tokens = weighted.plan, weighted.states.tokens
    special = np.zeros(len(surface_forms), bool)
    special[np.unique(tokens.ids[tokens.special])] = True
    masks = np.zeros(len(surface_forms), bool)
    masks[np.unique(tokens.ids[tokens.mask])] = True
    alone = _each_alone(surface_forms, special, masks)
    first = np.unique(tokens.ids, return_index=True)
    found = []
    for text, say in (
        (f"tokens={plan.tokens.text}", weighted.select),
        *([(f"weight={plan.weight.text}", weighted.weigh)] if weights else []),
    ):
        table = say(alone).astype(np.float64)
        actual = say(tokens).astype(np.float64)
        table[first[0]] = actual[first[1]]
        if not np.allclose(table[tokens.ids], actual):
            raise NoTableError(f"{text} looks at more than the token itself")
        found.append(table)
    return TokenTable(found[0] > 0, found[1] if weights else np.ones(len(special)), special)


def _each_alone(
    surface_forms: tuple[str, ...], special: Bool[np.ndarray, " id"], masks: Bool[np.ndarray, " id"]
) -> Tokens:
    """Every id of a vocabulary as a text of that one token."""
    count = len(surface_forms)
    ids: Int[np.ndarray, " id"] = np.arange(count)
    return Tokens(
        ids=ids,
        order=ids,
        offsets=np.arange(count + 1),
        special=special,
        words=np.where(special, -1, 0),
        continues=np.array([*map(goes_on, surface_forms)], bool),
        cls=np.full(count, -1),
        template=np.zeros(count, bool),
        mask=masks,
        truncated=np.zeros(count, bool),
        vocabulary=dict(enumerate(surface_forms)),
    )
