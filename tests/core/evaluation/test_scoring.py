"""A score keeps its resamples, of which paired differences are made without drawing again."""

from dataclasses import replace

import numpy as np
import pytest

from core.corpora.built_in import demo
from core.corpora.corpus import Corpus
from core.evaluation.scoring import are_of_the_same_subsets, difference, score
from core.evaluation.sts import AGGREGATES, by_subset, compare, evaluate, few, resampled
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
    assert difference(a, b, corpus) == compare(a.similarities, b.similarities, corpus, aggregate)
    for one in (a, b):
        whole = evaluate(one.similarities, corpus, aggregate)
        for name in ("spearman", "pearson", "low", "high"):
            assert getattr(one.score, name) == getattr(whole, name), name
        assert one.samples.shape == (1000,)


@pytest.mark.parametrize("aggregate", ["mean", "wmean"])
def test_a_difference_of_means_is_over_the_subsets_in_which_both_have_a_correlation(engine, aggregate):
    corpus = demo().take("test")
    a, b = (score(engine, Recipe.parse(text), corpus, aggregate) for text in RECIPES)
    first = corpus.subset[0]
    blank = np.where(np.array(corpus.subset) == first, 1.0, a.similarities)
    samples = resampled(blank, corpus, aggregate)
    constant = replace(a, similarities=blank, score=evaluate(blank, corpus, aggregate), samples=samples)
    assert are_of_the_same_subsets(a, b)
    assert not are_of_the_same_subsets(constant, b)
    found = difference(constant, b, corpus)
    rest = corpus.of_rows(np.flatnonzero(np.array(corpus.subset) != first))
    kept = np.array(corpus.subset) != first
    expected = evaluate(b.similarities[kept], rest, aggregate).spearman
    expected -= evaluate(blank[kept], rest, aggregate).spearman
    assert found.value == pytest.approx(expected)
    assert found.low < found.value < found.high


def test_a_recipe_without_a_score_has_a_difference_that_is_no_number(engine):
    corpus = demo().take("test")
    a = score(engine, Recipe.parse(RECIPES[0]), corpus)
    none = replace(
        a, score=replace(a.score, spearman=float("nan")), samples=np.full(len(a.samples), np.nan)
    )
    found = difference(a, none, corpus)
    assert np.isnan([found.value, found.low, found.high]).all()


@pytest.mark.parametrize("number", [3, 9, 10])
def test_few_pairs_have_no_interval_and_it_is_said(engine, number):
    texts = many(2 * number)
    corpus = Corpus.of_pairs("few", texts[:number], texts[number:], list(range(number)))
    scored, other = (score(engine, Recipe.parse(text), corpus) for text in RECIPES[:2])
    few = number < 10
    why = f"{number} pairs are too few for an interval: from 10 on there is one."
    assert (why in scored.notes) == few
    assert np.isfinite(scored.score.spearman)
    assert np.isnan([scored.score.low, scored.score.high]).all() == few
    found = difference(scored, other, corpus)
    assert np.isfinite(found.value)
    assert found.known != few
    assert ("of too few pairs" in found.words()) == few
    (whole,) = by_subset(scored.similarities, corpus).values()
    assert np.isnan(whole.low) == few


def test_an_interval_without_a_width_is_said_to_say_nothing():
    (told,) = few(12, 100.0, 100.0)
    assert told.startswith(
        "Every resample of the 12 pairs gives the same value: an interval without a width"
    )
    assert "12 rows" in few(12, 100.0, 100.0, "row")[0]
    assert few(12, 60.0, 100.0) == []
    assert few(1, float("nan"), float("nan")) == [
        "1 pair is too few for an interval: from 10 on there is one."
    ]
