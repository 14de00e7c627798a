"""Words in thirds by variance, and how variance goes with idf."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import pearsonr, spearmanr

from core.analysis.layers.word_groups import correlation, default_minimum, table
from core.analysis.layers.word_variances import WordVariances
from core.errors import RecipeError


def words(number: int, times: int = 60) -> WordVariances:
    """Words ``w0`` …, each seen so often, the i-th with variance i / 10."""
    seen = np.full(number, float(times))
    surface_forms, function = tuple(f"w{i}" for i in range(number)), np.zeros(number, bool)
    return WordVariances(surface_forms, np.arange(number) / 10, seen, seen, function, 1000)


HAND = WordVariances(
    ("the", "dog", ",", "of", "7", "barks", "rare"),
    np.array([0.1, 0.9, 0.05, 0.2, 0.4, 0.7, 5.0]),
    np.array([50.0, 10.0, 90.0, 30.0, 10.0, 12.0, 2.0]),
    np.array([40.0, 10.0, 50.0, 25.0, 5.0, 10.0, 2.0]),
    np.array([True, False, False, True, False, False, False]),
    100,
)


def test_groups_by_hand():
    found = table(HAND, 10)
    assert list(found["word"]) == ["dog", "barks", "7", "of", "the"]
    assert list(found["group"]) == ["high", "middle", "middle", "low", "low"]
    assert list(found["function word"]) == [False, False, False, True, True]
    assert list(found["times"]) == [10, 12, 10, 30, 50]
    np.testing.assert_allclose(found["idf"], np.log(100 / np.array([10, 10, 5, 25, 40])))
    np.testing.assert_allclose(found["variance"], [0.9, 0.7, 0.4, 0.2, 0.1])


def test_the_bound_leaves_out_what_is_seen_less_often():
    assert "rare" in set(table(HAND, 2)["word"])
    assert "rare" not in set(table(HAND, 3)["word"])
    assert "," not in set(table(HAND, 1)["word"])


def test_too_few_words_say_how_low_the_bound_must_be():
    with pytest.raises(RecipeError, match="2 here; three are needed. Take 12 or less"):
        table(HAND, 30)
    with pytest.raises(RecipeError, match="Take a larger corpus"):
        table(words(2), 1)


@pytest.mark.parametrize(
    ("number", "times", "least"),
    [(60, 51, 51), (60, 50, 20), (60, 20, 20), (60, 19, 10), (60, 4, 3), (60, 1, 1), (10, 50, 1)],
)
def test_the_bound_starts_where_there_is_something_to_see(number, times, least):
    assert default_minimum(words(number, times)) == least


def test_correlations_equal_scipys():
    generator = np.random.default_rng(0)
    made = WordVariances(
        tuple(f"w{i}" for i in range(40)),
        generator.uniform(size=40),
        np.full(40, 9.0),
        generator.integers(1, 30, 40).astype(float),
        np.zeros(40, bool),
        100,
    )
    found = table(made, 1)
    measured = correlation(found)
    assert measured.pearson == pytest.approx(pearsonr(found["variance"], found["idf"]).statistic)
    assert measured.spearman == pytest.approx(spearmanr(found["variance"], found["idf"]).statistic)
    assert measured.low < measured.spearman < measured.high
    assert measured.words == 40


@pytest.mark.parametrize(("number", "bounded"), [(9, False), (10, True)])
def test_few_words_have_a_correlation_and_no_interval(number, bounded):
    found = table(replace(words(number), texts=np.arange(number, 0.0, -1)), 1)
    measured = correlation(found)
    assert measured.spearman == pytest.approx(1)
    assert np.isfinite([measured.low, measured.high]).all() == bounded


def test_words_of_one_idf_have_no_correlation():
    same = WordVariances(
        ("a", "b", "c"), np.array([1.0, 2, 3]), np.ones(3), np.ones(3), np.zeros(3, bool), 10
    )
    measured = correlation(table(same, 1))
    assert np.isnan([measured.pearson, measured.spearman, measured.low, measured.high]).all()
