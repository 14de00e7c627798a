"""The recipes on the way to a recipe."""

from core.recipe import Recipe


def steps(text):
    return [(name, str(recipe)) for name, recipe in Recipe.parse(text).stepwise()]


def test_each_recipe_adds_one_step_and_the_last_is_the_whole():
    assert steps("layers=0+last;weight=idf;post=zscore+abtt(d=3);reference=demo") == [
        ("layers=0+last", "layers=0+last"),
        ("weight=idf", "layers=0+last;weight=idf"),
        ("post=zscore", "layers=0+last;weight=idf;post=zscore"),
        ("post=abtt(d=3)", "layers=0+last;weight=idf;post=zscore+abtt(d=3)"),
    ]


def test_a_recipe_without_steps_is_alone():
    assert steps("layers=last") == [("layers=last", "layers=last")]


def test_source_and_reference_belong_to_every_step():
    steps = Recipe.parse("source=random;reference=other;similarity=dot").stepwise()
    assert {(recipe.spelled()["source"], recipe.spelled()["reference"]) for _, recipe in steps} == {
        ("random", "other")
    }
    assert steps[-1][0] == "similarity=dot"
