"""What a recipe says in vain: choices at one stage that another one leaves without effect."""

from __future__ import annotations

from core.recipe.recipe import POOL, TOKENS, WEIGHT, Recipe


def in_vain(recipe: Recipe) -> tuple[str, ...]:
    """A sentence on what changes nothing in a recipe, and what to change; empty where all of it counts."""
    pool, plain = POOL.find(recipe.pool), Recipe()
    idle = []
    if pool.cls and recipe.tokens != plain.tokens:
        idle.append(f"{TOKENS.name}={TOKENS.text(recipe.tokens)}")
    if not pool.weighted and recipe.weight != plain.weight:
        idle.append(f"{WEIGHT.name}={WEIGHT.text(recipe.weight)}")
    if not idle:
        return ()
    changes = f"{' and '.join(idle)} {'changes' if len(idle) == 1 else 'change'} nothing"
    if pool.cls:
        takes = f"pool={pool.name} takes the classification token alone"
        return (f"{takes}: {changes}. Take pool=mean for the tokens that are chosen.",)
    return (f"pool={pool.name} does not look at weights: {changes}. Take pool=mean, or weight=uniform.",)
