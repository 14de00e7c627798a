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
def test_a_preset_leaves_source_and_reference_as_they_are_chosen(preset):
    chosen = Recipe.parse("source=some/model;reference=words;pool=max;similarity=dot")
    made = preset.apply(chosen)
    assert made.reference == chosen.reference
    assert (made.source == chosen.source) == ("source=" not in preset.recipe)
    own = Recipe.parse(preset.recipe)
    assert made.replace(source="bundled", reference="demo") == own.replace(source="bundled")


@pytest.mark.parametrize(
    "preset", [p for p in PRESETS if "whiten" not in p.recipe and "12" not in p.recipe]
)
def test_a_preset_gives_vectors(preset, shared_road, bert, texts_file, scored):
    recipe = preset.apply(Recipe.parse(f"{bert};reference={texts_file}"))
    assert np.isfinite(shared_road.embed(recipe, scored).vectors).all()
