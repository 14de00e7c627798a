"""Which layers a choice means, and that averaging them is averaging their sentence vectors."""

import numpy as np
import pytest

from core.errors import RecipeError
from core.recipe import LAYERS, Recipe
from core.stages.layers import resolve

TWELVE = tuple(range(-1, 13))


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("first+last", (1, 12)),
        ("0+last", (0, 12)),
        ("1+first", (1,)),
        ("last+12", (12,)),
        ("all", tuple(range(13))),
        ("static", (-1,)),
        ("static+0+2", (-1, 0, 2)),
    ],
)
def test_choices_mean_numbers(text, numbers):
    assert resolve(LAYERS.parse(text), TWELVE, "m").layers == numbers


def test_a_layer_that_is_not_there_is_refused_with_those_that_are():
    with pytest.raises(RecipeError, match="m has no layer 13; allowed is static and 0 to 12"):
        resolve(LAYERS.parse("2+13"), TWELVE, "m")


def test_a_table_has_one_layer_by_every_name():
    for text in ("first+last", "all", "static", "0"):
        assert resolve(LAYERS.parse(text), (-1,), "random").layers == (-1,)
    with pytest.raises(RecipeError, match="random has one layer only; allowed is static or 0"):
        resolve(LAYERS.parse("3"), (-1,), "random")


@pytest.mark.parametrize("more", ["", ";weight=idf;tokens=content", ";pool=sum", ";pool=cls"])
def test_averaging_layers_is_averaging_vectors(shared_engine, bert, scored, more):
    def vectors(layers):
        return shared_engine.embed(Recipe.parse(f"{bert};layers={layers}{more}"), scored).vectors

    expected = (vectors("0") + vectors("2") + vectors("3")) / 3
    np.testing.assert_allclose(vectors("0+2+last"), expected, atol=1e-6)
    np.testing.assert_allclose(vectors("first"), vectors("1"), atol=0)


def test_max_is_of_the_averaged_states_and_not_averaged(shared_engine, bert, scored):
    def vectors(layers):
        return shared_engine.embed(Recipe.parse(f"{bert};layers={layers};pool=max"), scored).vectors

    source = shared_engine.passes.source(Recipe.parse(bert).source)
    found, _ = shared_engine.passes.get(source, scored)
    span = found.tokens.span(4)
    expected = ((found.read(1, span) + found.read(3, span)) / 2).max(axis=0)
    np.testing.assert_allclose(vectors("first+last")[4], expected, atol=1e-6)
    assert np.abs(vectors("first+last") - (vectors("1") + vectors("3")) / 2).max() > 0.01


@pytest.mark.parametrize("pool", ["mean", "max"])
@pytest.mark.parametrize("family", ["electra", "albert"])
def test_narrow_static_rows_are_not_averaged_with_wide_layers(family, pool, model, engine, scored):
    assert (
        engine.embed(Recipe.parse(f"source={model(family)};layers=static"), scored).vectors.shape[1] == 16
    )
    with pytest.raises(RecipeError, match="static rows are 16 or 32 wide.*static alone, or layers from 0"):
        engine.embed(Recipe.parse(f"source={model(family)};layers=static+last;pool={pool}"), scored)
