"""Recipes beside a recipe: steps left out one at a time, and arguments over a range."""

import pytest

from core.errors import RecipeError
from core.recipe import Recipe
from core.recipe.variations import MOST_VALUES, of_model, varied, without_each


def test_each_step_is_left_out_once_and_alone():
    recipe = Recipe.parse("source=untuned;layers=last;weight=idf;post=zscore+whiten(k=4);reference=topics")
    found = {name: str(other) for name, other in without_each(recipe)}
    rest = "source=untuned;layers=last;weight=idf;post=zscore+whiten(k=4);reference=topics"
    assert found == {
        "layers=last": rest.replace("layers=last;", ""),
        "weight=idf": rest.replace("weight=idf;", ""),
        "post=zscore": rest.replace("zscore+", ""),
        "post=whiten(k=4)": rest.replace("+whiten(k=4)", ""),
    }


def test_a_recipe_of_defaults_has_no_step():
    assert without_each(Recipe.parse("source=random;reference=topics")) == []


def named(text):
    return {one.title: one for one in varied(Recipe.parse(text))}


def test_every_number_of_a_recipe_can_be_varied():
    found = named("layers=wk;weight=ditto;pool=s3e(k=5);post=abtt(d=5)+whiten(k=4)+abtt(d=9)")
    assert {
        *("window of layers=wk", "start of layers=wk", "head of weight=ditto", "k of pool=s3e"),
        *("d of post=abtt", "k of post=whiten", "beta of post=whiten", "d of post=abtt (2)"),
    } <= found.keys()
    assert not any(title.startswith("seed") for title in found)
    assert (found["d of post=abtt (2)"].now, found["d of post=abtt"].now) == (9, 5)
    changed = found["d of post=abtt (2)"].at(3)
    assert str(changed).endswith("post=abtt(d=5)+whiten(k=4)+abtt(d=3)")
    assert "window=3" in str(found["window of layers=wk"].at(3))
    assert "weight=ditto(head=2)" in str(found["head of weight=ditto"].at(2))


def test_layers_given_by_number_are_no_arguments():
    assert named("layers=1+2;mix=averaged(w=0.25)").keys() == {"w of mix=averaged", "least of mix=averaged"}


def test_usual_values_hold_the_recipes_own_and_are_allowed():
    for one in varied(Recipe.parse("layers=wk;weight=sif;pool=s3e;mix=averaged(w=0.3);post=whiten(k=7)")):
        values = one.usual()
        assert 3 <= len(values) <= 14, one.title
        assert one.now is None or any(abs(value - one.now) < 1e-9 for value in values), one.title
        for value in values:
            assert one.at(value) == Recipe.parse(str(one.at(value)))
        assert one.read(one.text(values)) == values


def test_layers_and_heads_end_with_those_of_the_model():
    found = named("layers=wk;weight=ditto(head=2)")
    most = of_model(6, 12)
    assert found["layer of weight=ditto"].usual(most) == (1, 2, 3, 4, 5, 6)
    assert found["head of weight=ditto"].usual(most) == tuple(range(1, 13))
    assert max(found["start of layers=wk"].usual(most)) == 4


def test_values_are_read_in_any_order_and_refused_in_words():
    k = named("post=whiten(k=7)")["k of post=whiten"]
    assert k.read("256, 64 128,64") == (64, 128, 256)
    with pytest.raises(RecipeError, match="post=whiten\\(k\\): got 'many'"):
        k.read("64 many")
    with pytest.raises(RecipeError, match=f"allowed is 1 to {MOST_VALUES} values"):
        k.read(" , ")
    with pytest.raises(RecipeError, match=f"allowed is 1 to {MOST_VALUES} values"):
        k.read(" ".join(map(str, range(1, MOST_VALUES + 3))))


def test_shares_of_a_mix_are_tried_at_round_numbers():
    (w,) = varied(Recipe.parse("mix=averaged(w=0.5)"))[:1]
    assert {-0.75, -0.25, 0, 0.25, 0.5, 1} <= set(w.usual())
    (n,) = [one for one in varied(Recipe.parse("post=whiten")) if one.argument.name == "k"]
    assert (n.now, n.usual()) == (None, (2, 4, 8, 16, 32, 64, 128, 256, 512))
