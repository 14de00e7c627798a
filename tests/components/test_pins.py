"""Pins: which texts are recipes, and the file they are taken away in."""

import pytest

from components.pins import as_file, on_another_model, read
from core.recipe import Recipe
from core.sweeps.recipe_file import read_recipes


def test_texts_become_recipes_each_once():
    found, problems = read(["post=zscore", "layers=first+last;post=zscore", "", "layers=last"])
    assert found == [Recipe.parse("post=zscore"), Recipe(), Recipe.parse("layers=last")]
    assert problems == []


def test_what_is_no_recipe_is_named_and_the_others_stay():
    found, problems = read(["pool=mena", "layers=last", "<script>", "x" * 5000])
    assert found == [Recipe.parse("layers=last")]
    assert len(problems) == 3
    assert "'pool=mena'" in problems[0]
    assert "Did you mean 'mean'?" in problems[0]
    assert "at most 2,000 characters" in problems[2]
    assert all("left out" in problem for problem in problems)
    assert max(map(len, problems)) < 600


def test_the_file_is_what_the_command_line_reads(tmp_path):
    recipes = [
        Recipe(),
        Recipe.parse('template="so # [X] [MASK]";layers=last'),
        Recipe.parse("weight=idf;post=zscore+whiten(k=8)"),
        Recipe.parse("source=vectors(path=/data/a#b.txt)"),
        Recipe.parse('source=vectors(path="/my # data/v.txt")'),
        Recipe.parse('source="/models/my # folder"'),
    ]
    path = tmp_path / "recipes.txt"
    path.write_bytes(as_file(recipes))
    assert [Recipe.parse(text) for text in read_recipes(path)] == recipes


@pytest.mark.parametrize(
    ("texts", "a", "words"),
    [
        (["layers=last"], "source=untuned;layers=last", "The pin without source= runs on source=bundled;"),
        (["layers=last", "pool=max"], "source=untuned", "2 pins without source= run on source=bundled;"),
        (["layers=last"], "layers=2", ""),
        (["source=untuned;layers=2", "pool=mena"], "source=untuned", ""),
    ],
)
def test_pins_that_name_no_source_are_said_to_be_on_another_model(texts, a, words):
    said = on_another_model(texts, Recipe.parse(a))
    assert said.startswith(words)
    assert bool(said) is bool(words)
    assert on_another_model(texts, None) == ""
