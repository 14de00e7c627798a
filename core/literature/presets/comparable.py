"""The published methods that run on any encoder without more, beside plain mean pooling."""

from __future__ import annotations

from core.literature.presets import PRESETS
from core.recipe import Recipe

PLAIN = "layers=last"
"""Plain mean pooling of the last layer, which every method is compared with."""


def plain_mean(base: Recipe) -> Recipe:
    """Plain mean pooling of the last layer with the source and the reference of ``base``."""
    spelled = base.spelled()
    return Recipe.parse(PLAIN).replace(source=spelled["source"], reference=spelled["reference"])


def comparable(base: Recipe) -> dict[str, Recipe]:
    """Methods with the source and the reference of ``base``, by name.

    Those that need nothing more and bring no source of their own; plain mean pooling itself is left out.
    """
    return {
        preset.name: preset.apply(base)
        for preset in PRESETS
        if not preset.needs and not preset.bound and Recipe.parse(preset.recipe) != Recipe.parse(PLAIN)
    }
