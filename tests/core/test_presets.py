"""Presets are recipes: they parse, are told apart, and leave source and reference as chosen."""

import numpy as np
import pytest

from core.presets import PRESETS
from core.recipe import Recipe

NAMES = [preset.name for preset in PRESETS]


@pytest.mark.parametrize("preset", PRESETS, ids=NAMES)
def test_a_preset_is_a_canonical_recipe_with_its_source_in_the_literature(preset):
    assert str(Recipe.parse(preset.recipe)) == preset.recipe
    assert preset.explanation.endswith(".")
    assert any(c.isdigit() for c in preset.published)  # a year


def test_names_and_recipes_are_told_apart():
    assert len(set(NAMES)) == len({preset.recipe for preset in PRESETS}) == len(PRESETS)


@pytest.mark.parametrize("preset", PRESETS, ids=NAMES)
def test_a_preset_goes_down_the_road_on_the_chosen_source(preset, shared_road, texts_file):
    """Of a model with as many layers as its numbers ask for; 40 dimensions are fewer than the texts."""
    chosen = Recipe.parse(f"source=some/model;reference={texts_file};pool=max;similarity=dot")
    made = preset.apply(chosen)
    assert made.reference == chosen.reference
    assert (made.source == chosen.source) == ("source=" not in preset.recipe)
    assert str(made.replace(source="bundled", reference="demo")) == str(
        Recipe.parse(preset.recipe).replace(source="bundled")
    )


@pytest.mark.parametrize(
    "preset", [p for p in PRESETS if "whiten" not in p.recipe and "12" not in p.recipe]
)
def test_a_preset_gives_vectors(preset, shared_road, bert, texts_file, scored):
    recipe = preset.apply(Recipe.parse(f"{bert};reference={texts_file}"))
    assert np.isfinite(shared_road.embed(recipe, scored).vectors).all()
