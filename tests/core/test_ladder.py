"""The recipes on the way to a recipe."""

from core.recipe import Recipe


def rungs(text):
    return [(name, str(recipe)) for name, recipe in Recipe.parse(text).ladder()]


def test_each_rung_adds_one_turning_and_the_last_is_the_recipe():
    assert rungs("layers=0+last;weight=idf;post=zscore+abtt(d=3);reference=demo") == [
        ("layers=0+last", "layers=0+last"),
        ("weight=idf", "layers=0+last;weight=idf"),
        ("post=zscore", "layers=0+last;weight=idf;post=zscore"),
        ("post=abtt(d=3)", "layers=0+last;weight=idf;post=zscore+abtt(d=3)"),
    ]


def test_a_recipe_without_turnings_is_its_own_ladder():
    assert rungs("layers=last") == [("layers=last", "layers=last")]


def test_source_and_reference_belong_to_every_rung():
    ladder = Recipe.parse("source=random;reference=other;similarity=dot").ladder()
    assert {(recipe.spelled()["source"], recipe.spelled()["reference"]) for _, recipe in ladder} == {
        ("random", "other")
    }
    assert ladder[-1][0] == "similarity=dot"
