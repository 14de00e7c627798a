"""Named recipes: methods of the literature as data.

One file for each family. A preset is its recipe and what papers say of it; it computes nothing.
"""

from core.presets import (
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
from core.presets.preset import Preset

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
"""All of them by family, simplest first."""

FAMILIES = tuple(dict.fromkeys(preset.family for preset in PRESETS))
"""The kinds of methods, in the order of the presets."""
