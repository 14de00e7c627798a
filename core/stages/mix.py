"""What a sentence vector is mixed with: BERT+Avg. of Stankevičius & Lukoševičius (2025), equation 10.

The other half is the same recipe on averaged token vectors (:mod:`core.sources.averaged`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

from core.errors import RecipeError
from core.recipe import MIX, SOURCE, Recipe
from core.recipe.arguments import Within
from core.recipe.options import Choice

MinContexts = Annotated[
    int, Within(1, 1_000_000, "contexts a token needs; rarer ones take their static row")
]


@dataclass(frozen=True)
class Mixed:
    """How much of the averaged token vectors' sentence vector is mixed in."""

    w: float
    least: int


@MIX.option
def none() -> None:
    """The sentence vector alone."""


@MIX.option(name="averaged", reference=True, share="w", label="+ Avg.")
def _averaged(
    *,
    w: Annotated[float, Within(-1, 1.5, "share of Avg.: 0 is the model alone, 1 is Avg. alone")] = 0.5,
    least: MinContexts = 1,
) -> Mixed:
    """BERT+Avg.: v (1 − w) + v_Avg w, where v_Avg is the same recipe on averaged token vectors."""
    return Mixed(w, least)


def averaged_half(recipe: Recipe) -> Recipe | None:
    """The recipe whose vectors are mixed in: this one on averaged token vectors; None without a mix.

    Raises :class:`RecipeError` for a source that is no model.
    """
    mixed = MIX.bind(recipe.mix)()
    if not isinstance(mixed, Mixed):
        return None
    model = SOURCE.bind(recipe.source)()
    if not isinstance(model, str):
        raise RecipeError(f"mix=averaged needs a model as source; got source={SOURCE.text(recipe.source)}.")
    source = Choice("averaged", (("model", model), ("least", mixed.least)))
    return replace(recipe, source=source, mix=Choice("none"))
