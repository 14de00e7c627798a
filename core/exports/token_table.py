"""What a recipe's token selection and token weight say, as one number for each id of the vocabulary.

A table of ids stands for them where both look at the token alone (and at document frequencies, which are
learnt). Whether they do is not listed anywhere: the table is made from what the options say of every id by
itself, and compared with what they say of every token of a corpus.
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Bool, Float, Int

from core.pipeline.weighted_states import WeightedStates
from core.tokens import Tokens
from core.tokens.weight_inputs import Needs

Table = Float[np.ndarray, " id"]

NO_WEIGHT = 1e-6
"""Share of a selected token whose weight is 0: it counts where a text has no other, as in the engine."""

NOT_SELECTED = 2e-9
"""Share of a token that is left out: it counts where a text has no other, as in the engine. The library
divides by 1e-9 at least."""

APART = 100.0
"""Factor of all weights where some selected tokens weigh 0 and others are left out, to keep these apart."""

BY_ID = Needs.TOKENS | Needs.DOCUMENTS
"""What a weight may look at and still be a number for each id."""


class NoTableError(ValueError):
    """The selection or the weight depends on more than a token's id; the text says on what."""


def token_table(weighted: WeightedStates, surface_forms: tuple[str, ...], *, weights: bool) -> Table | None:
    """A number for each id: its weight under a plan; None where all tokens count alike.

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
    if weights and plan.weight.needs & ~BY_ID:
        raise NoTableError(f"weight={plan.weight.text} looks at more than the token itself")
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
    selected = found[0] > 0
    if selected.all() and np.ptp(found[-1]) == 0:
        return None
    sizes = found[1] if weights else np.ones(len(selected))
    kinds_of_none = (sizes[selected] == 0).any() and not selected.all()
    scale = APART if kinds_of_none else 1.0  # only their ratios count
    return np.where(selected, scale * np.maximum(sizes, NO_WEIGHT), NOT_SELECTED)


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
        continues=np.array([form.startswith("##") for form in surface_forms], bool),
        cls=np.full(count, -1),
        template=np.zeros(count, bool),
        mask=masks,
        truncated=np.zeros(count, bool),
        vocabulary=dict(enumerate(surface_forms)),
    )
