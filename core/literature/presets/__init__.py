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

__all__ = ["FAMILIES", "PRESETS", "SHORTEST_FIRST", "Preset", "preset_called"]

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

SHORTEST_FIRST = tuple(sorted(PRESETS, key=lambda preset: min(map(len, (preset.name, *preset.aliases)))))
"""All presets by their shortest name: of those that have some letters, one called just so is first."""


def preset_called(name: str) -> Preset | None:
    """The preset of a name or an alias, capitals aside; None where none is called so."""
    return _BY_NAME.get(name.strip().casefold())


_BY_NAME = {
    called.casefold(): preset for preset in PRESETS[::-1] for called in (*preset.aliases, preset.name)
}
