"""A score keeps its resamples, of which paired differences are made without drawing again."""

from dataclasses import replace

import numpy as np
import pytest

from core.corpora.catalogue import demo
from core.corpora.corpus import Corpus
from core.evaluation.scoring import difference, score
from core.evaluation.sts import AGGREGATES, compare, evaluate
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.settings import Settings
from tests.core.helpers.texts import many

RECIPES = ("source=random;pool=mean", "source=random;pool=max")


@pytest.fixture(scope="module")
def engine(lasting_cache):
    return Engine(Settings(cache=lasting_cache))


@pytest.mark.parametrize("aggregate", AGGREGATES)
def test_a_difference_of_scores_is_that_of_their_similarities(engine, aggregate):
    corpus = demo().take("test")
    a, b = (score(engine, Recipe.parse(text), corpus, aggregate) for text in RECIPES)
    assert difference(a, b) == compare(a.similarities, b.similarities, corpus, aggregate)
    for one in (a, b):
        whole = evaluate(one.similarities, corpus, aggregate)
        for name in ("spearman", "pearson", "low", "high"):
            assert getattr(one.score, name) == getattr(whole, name), name
        assert one.samples.shape == (1000,)


def test_a_recipe_without_a_score_has_a_difference_that_is_no_number(engine):
    corpus = demo().take("test")
    a = score(engine, Recipe.parse(RECIPES[0]), corpus)
    none = replace(
        a, score=replace(a.score, spearman=float("nan")), samples=np.full(len(a.samples), np.nan)
    )
    found = difference(a, none)
    assert np.isnan([found.value, found.low, found.high]).all()


@pytest.mark.parametrize("number", [3, 9, 10])
def test_the_interval_of_few_pairs_is_told_to_say_little(engine, number):
    texts = many(2 * number)
    corpus = Corpus.of_pairs("few", texts[:number], texts[number:], list(range(number)))
    notes = score(engine, Recipe.parse(RECIPES[0]), corpus).notes
    assert (f"{number} pairs are few: their interval says little." in notes) == (number < 10)
