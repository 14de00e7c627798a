"""What a resolved recipe says of itself."""

import importlib.util

import pytest

from core.recipe import Recipe
from core.recipe.plan import Plan


def trained(text: str) -> tuple[str, ...]:
    return Plan.of(Recipe.parse(text)).trained


@pytest.mark.parametrize("pool", ["gem", "s3e", "vlawe"])
def test_a_pooling_that_learns_is_trained(pool):
    assert trained(f"pool={pool};post=whiten") == (pool,)


@pytest.mark.parametrize(
    "text", ["", "pool=pmeans", "pool=dct;post=zscore(fit=reference)+abtt", "weight=sif"]
)
def test_a_step_that_learns_by_one_decomposition_is_not(text):
    assert trained(text) == ()


@pytest.mark.skipif(importlib.util.find_spec("zuko") is None, reason="a flow needs the package zuko")
def test_a_flow_is_trained_with_the_pooling_before_it():
    assert trained("pool=gem;post=flow+normalize") == ("gem", "flow")
