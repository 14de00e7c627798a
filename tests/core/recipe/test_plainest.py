"""What is left out of a recipe changes nothing: the vectors are the same but for rounding."""

from itertools import product

import numpy as np
import pytest

from core.corpora.corpus import Corpus
from core.recipe import POOL, Recipe
from core.recipe.plainest import plainest
from tests.core.helpers.tiny import DEPTH
from tests.core.search.texts import many

POOLS = [option.name for option in POOL if not option.learns and not option.head]


@pytest.mark.parametrize("pool", POOLS)
def test_the_plainest_recipe_has_the_same_vectors(bert, engine, pool):
    corpus = Corpus.of_texts("t", many(40))
    layers, tokens, weights = ("1+3", "0+1+2+3", "3"), ("content", "unbiased"), ("idf", "norm")
    for layer, selection, weight in product(layers, tokens, weights):
        recipe = Recipe.parse(f"{bert};layers={layer};tokens={selection};weight={weight};pool={pool}")
        plain = plainest(recipe, DEPTH)
        ours, theirs = (engine.embed(each, corpus).vectors for each in (recipe, plain))
        np.testing.assert_allclose(ours, theirs, rtol=1e-5, atol=1e-6)
        assert plainest(plain, DEPTH) == plain


def test_a_mix_of_nothing_is_none(bert, engine):
    corpus = Corpus.of_texts("t", many(40))
    mixed = Recipe.parse(f"{bert};mix=averaged(w=0)")
    plain = plainest(mixed, DEPTH)
    assert str(plain) == bert
    assert np.array_equal(*(engine.embed(each, corpus).vectors for each in (mixed, plain)))
