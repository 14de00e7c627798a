"""Named recipes: methods of the literature as data.

Each family has a file. A preset holds a recipe and what papers report of it; it computes nothing.
"""

from core.literature.preset import Preset
from core.literature.presets import (
    averaged,
    baselines,
    fine_tuned,
    layers,
    postprocessing,
    prompts,
    random,
    static,
    subspaces,
    weights,
)

__all__ = ["FAMILIES", "PRESETS", "Preset"]

PRESETS: tuple[Preset, ...] = (
    *baselines.PRESETS,
    *layers.PRESETS,
    *weights.PRESETS,
    *postprocessing.PRESETS,
    *prompts.PRESETS,
    *averaged.PRESETS,
    *static.PRESETS,
    *subspaces.PRESETS,
    *random.PRESETS,
    *fine_tuned.PRESETS,
)
"""All presets by family, simplest first."""

FAMILIES = tuple(dict.fromkeys(preset.family for preset in PRESETS))
"""The families, in the order of the presets."""
