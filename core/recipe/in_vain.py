"""What a recipe says in vain: choices at one stage that another one leaves without effect."""

from __future__ import annotations

from core.recipe.options import Choice
from core.recipe.recipe import POOL, STAGES, TOKENS, WEIGHT, Recipe


def unused_by(pool: Choice) -> dict[str, str]:
    """The stages that a pooling does not look at, each with a sentence that says so."""
    option, found = POOL.find(pool), dict[str, str]()
    if option.cls:
        found[TOKENS.name] = f"pool={option.name} takes the classification token alone."
    if not option.weighted:
        found[WEIGHT.name] = f"pool={option.name} does not look at weights."
    return found


def idle(recipe: Recipe) -> dict[str, str]:
    """The stages at which a recipe says something that changes nothing, each with a sentence on why."""
    plain, unused = Recipe(), unused_by(recipe.pool)
    return {name: why for name, why in unused.items() if getattr(recipe, name) != getattr(plain, name)}


def in_vain(recipe: Recipe) -> tuple[str, ...]:
    """A sentence on what changes nothing in a recipe, and what to change; empty where all of it counts."""
    said = [f"{name}={STAGES[name].text(getattr(recipe, name))}" for name in idle(recipe)]
    if not said:
        return ()
    pool = POOL.find(recipe.pool)
    changes = f"{' and '.join(said)} {'changes' if len(said) == 1 else 'change'} nothing"
    if pool.cls:
        takes = f"pool={pool.name} takes the classification token alone"
        return (f"{takes}: {changes}. Take pool=mean for the tokens that are chosen.",)
    return (f"pool={pool.name} does not look at weights: {changes}. Take pool=mean, or weight=uniform.",)
