"""What a recipe says in vain is told, with what to change."""

import re

import pytest

from core.corpora.corpus import Corpus
from core.recipe import Recipe
from core.recipe.in_vain import in_vain


@pytest.mark.parametrize(
    ("recipe", "said"),
    [
        ("tokens=without;pool=cls", "pool=cls .* alone: tokens=without changes nothing. Take pool=mean"),
        ("tokens=content;weight=idf;pool=clshead", "tokens=content and weight=idf change nothing"),
        ("weight=idf;pool=max", "pool=max does not look at weights: weight=idf .* or weight=uniform"),
    ],
)
def test_choices_without_effect_are_named_with_what_to_change(recipe, said):
    (sentence,) = in_vain(Recipe.parse(recipe))
    assert re.search(said, sentence)


@pytest.mark.parametrize(
    "recipe", ["", "pool=cls", "tokens=content;weight=idf", "tokens=content;pool=clsmean"]
)
def test_nothing_is_said_where_all_of_a_recipe_counts(recipe):
    assert in_vain(Recipe.parse(recipe)) == ()


def test_vectors_come_with_the_note(bert, engine):
    recipe = Recipe.parse(f"{bert};tokens=content;pool=cls")
    (note,) = engine.embed(recipe, Corpus.of_texts("t", ["the dog sat", "a cat"])).notes
    assert "tokens=content changes nothing" in note
