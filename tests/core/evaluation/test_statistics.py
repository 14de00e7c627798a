"""Correlations are scipy's, and resamples by counting are resamples by drawing."""

import numpy as np
import pytest
import scipy.stats

from core.evaluation.statistics import (
    bootstrap_pearson,
    bootstrap_spearman,
    draw,
    interval,
    pearson,
    pearson_interval,
    spearman,
    spearman_interval,
    spearmans,
)

GENERATOR = np.random.default_rng(5)
PLAIN = (GENERATOR.normal(size=80), GENERATOR.normal(size=80))
TIED = (GENERATOR.integers(0, 4, 80).astype(float), GENERATOR.integers(0, 11, 80) / 2)


@pytest.mark.parametrize(("x", "y"), [PLAIN, TIED, (PLAIN[0], TIED[1]), ([1.0, 2.0], [3.0, 1.0])])
def test_correlations_are_those_of_scipy(x, y):
    x, y = np.array(x), np.array(y)
    assert spearman(x, y) == pytest.approx(scipy.stats.spearmanr(x, y).statistic, abs=1e-12)
    assert pearson(x, y) == pytest.approx(scipy.stats.pearsonr(x, y).statistic, abs=1e-12)


@pytest.mark.parametrize(("x", "y"), [PLAIN, TIED, (PLAIN[0][:5], TIED[1][:5])])
def test_the_interval_of_pearson_is_fishers(x, y):
    r, z = np.corrcoef(x, y)[0, 1], scipy.stats.norm.ppf(0.975)
    wanted = np.tanh(np.arctanh(r) + np.array([-z, z]) / np.sqrt(len(x) - 3))
    np.testing.assert_allclose(pearson_interval(x, y), wanted, atol=1e-12)


def test_few_points_or_equal_ones_say_nothing_of_pearson():
    assert pearson_interval(np.arange(3.0), np.array([1.0, 3.0, 2.0])) == (-1.0, 1.0)
    assert np.isnan(pearson_interval(np.ones(5), np.arange(5.0))).all()


@pytest.mark.parametrize(("x", "y"), [PLAIN, TIED, (PLAIN[0][:10], TIED[1][:10])])
def test_the_interval_of_spearman_is_that_of_bonett_and_wright(x, y):
    r, z = scipy.stats.spearmanr(x, y).statistic, scipy.stats.norm.ppf(0.975)
    half = z * np.sqrt((1 + r**2 / 2) / (len(x) - 3))
    wanted = np.tanh(np.arctanh(r) + np.array([-half, half]))
    np.testing.assert_allclose(spearman_interval(x, y), wanted, atol=1e-12)
    assert spearman_interval(np.arange(3.0), np.array([1.0, 3.0, 2.0])) == (-1.0, 1.0)
    assert spearman_interval(np.arange(9.0), np.arange(9.0) ** 3) == (1.0, 1.0)
    assert np.isnan(spearman_interval(np.ones(5), np.arange(5.0))).all()


@pytest.mark.parametrize("x", [[], [1.0], [2.0, 2.0, 2.0], [1 - 1e-16, 1.0, 1 + 2e-16]])
def test_no_correlation_exists_of_a_constant_or_of_one_pair(x):
    x = np.array(x)
    for correlation in (spearman, pearson):
        assert np.isnan(correlation(x, np.arange(len(x), dtype=float)))
        assert np.isnan(correlation(np.arange(len(x), dtype=float), x))


@pytest.mark.parametrize("size", [1e-30, 1e-13, 1.0, 1e13])
def test_the_size_of_values_makes_no_difference(size):
    x, y = PLAIN
    for correlation in (spearman, pearson):
        assert correlation(size * x, y) == pytest.approx(correlation(x, y), abs=1e-12)
    rows = size * np.stack([x, np.ones(len(x)), np.zeros(len(x)), 1 + 1e-15 * x])
    np.testing.assert_allclose(spearmans(rows, y), [spearman(x, y), *[np.nan] * 3], atol=1e-12)


@pytest.mark.parametrize(("x", "y"), [PLAIN, TIED, (PLAIN[0], TIED[1])])
def test_counting_resamples_is_drawing_them(x, y):
    counts = draw(np.zeros(80, int), resamples=25, seed=3)
    ours = bootstrap_spearman(x, y, counts)
    for value, count in zip(ours, counts, strict=True):
        drawn = scipy.stats.spearmanr(np.repeat(x, count), np.repeat(y, count)).statistic
        assert value == pytest.approx(drawn, abs=1e-10)


OUTLIER = np.where(np.arange(80) == 7, 1e8, PLAIN[0])


@pytest.mark.parametrize(("x", "y"), [PLAIN, TIED, (1e6 + 1e-3 * PLAIN[0], TIED[1]), (OUTLIER, PLAIN[1])])
def test_pearson_of_resamples_is_that_of_the_drawn_pairs(x, y):
    counts = draw(np.zeros(80, int), resamples=25, seed=3)
    ours = bootstrap_pearson(x, y, counts)
    for value, count in zip(ours, counts, strict=True):
        drawn = scipy.stats.pearsonr(np.repeat(x, count), np.repeat(y, count)).statistic
        assert value == pytest.approx(drawn, abs=1e-6)


def test_a_constant_resample_has_no_pearson():
    counts = np.array([[4, 0, 0, 0], [1, 1, 1, 1], [0, 2, 2, 0]])
    found = bootstrap_pearson(np.array([1.0, 2, 2, 3]), np.array([1.0, 2, 3, 4]), counts)
    assert np.isnan(found).tolist() == [True, False, True]
    rounded = bootstrap_pearson(np.array([0.1, 0.3, 0.1 + 0.2, 0.9]), np.array([1.0, 2, 3, 4]), counts)
    assert np.isnan(rounded).tolist() == [True, False, True]


def test_draws_are_remembered_and_cannot_be_changed():
    groups = np.array([0, 1, 1, 0, 1])
    counts = draw(groups, resamples=7, seed=2)
    assert draw(groups.copy(), resamples=7, seed=2) is counts
    assert not np.array_equal(draw(groups, resamples=7, seed=3), counts)
    assert not np.array_equal(draw(np.array([0, 1, 1, 1, 1]), resamples=7, seed=2), counts)
    with pytest.raises(ValueError, match="read-only"):
        counts[0, 0] = 9


def test_draws_of_many_pairs_are_not_remembered():
    many = np.zeros(7000, int)
    one, other = draw(many, resamples=2), draw(many, resamples=2)
    assert one is not other
    assert np.array_equal(one, other)
    assert one.sum(axis=1).tolist() == [7000, 7000]


def test_resamples_in_blocks_are_the_same(monkeypatch):
    counts = draw(np.zeros(80, int), resamples=25)
    whole = bootstrap_spearman(*TIED, counts)
    monkeypatch.setattr("core.evaluation.statistics._BLOCK", 200)
    monkeypatch.setattr("core.evaluation.statistics._ROWS", 7)
    np.testing.assert_array_equal(bootstrap_spearman(*TIED, counts.copy()), whole)


def test_what_is_remembered_of_the_gold_is_of_these_draws_and_this_gold():
    first, second = (draw(np.zeros(80, int), resamples=25, seed=seed) for seed in (4, 5))
    x, y = PLAIN
    for _ in range(2):
        for counts in (first, second):
            for gold in (y, TIED[1]):
                kept = bootstrap_spearman(x, gold, counts)
                np.testing.assert_array_equal(kept, bootstrap_spearman(x, gold, counts.copy()))
    assert not np.array_equal(bootstrap_spearman(x, y, first), bootstrap_spearman(x, y, second))


@pytest.mark.parametrize("some", [1, 3, 70])
def test_a_few_equal_values_are_counted_as_equal(some):
    """Among 80 pairs, only one run of rows holds equal values."""
    counts = draw(np.zeros(80, int), resamples=9, seed=1)
    x = PLAIN[0].copy()
    x[: some + 1] = x[0]
    for value, count in zip(bootstrap_spearman(x, PLAIN[1], counts), counts, strict=True):
        drawn = scipy.stats.spearmanr(np.repeat(x, count), np.repeat(PLAIN[1], count)).statistic
        assert value == pytest.approx(drawn, abs=1e-10)


def test_a_constant_resample_gives_no_number():
    counts = np.array([[3, 0, 0], [1, 1, 1], [0, 1, 2]], np.int32)
    values = bootstrap_spearman(np.array([1.0, 2, 3]), np.array([1.0, 5, 5]), counts)
    assert np.isnan(values).tolist() == [True, False, True]


def test_draws_keep_the_size_of_every_group_and_are_the_same_each_time():
    groups = np.array([0] * 5 + [1] * 20 + [0] * 7)
    counts = draw(groups, resamples=200, seed=1)
    assert (counts[:, groups == 0].sum(axis=1) == 12).all()
    assert (counts[:, groups == 1].sum(axis=1) == 20).all()
    assert np.array_equal(counts, draw(groups, resamples=200, seed=1))
    assert abs(counts.mean(axis=0) - 1).max() < 0.35  # no pair is favoured
    assert counts.std() > 0.5


def test_the_interval_holds_the_central_95_percent():
    low, high = interval(np.append(np.arange(1001.0), np.nan))
    assert (low, high) == pytest.approx((25, 975))
    assert np.isnan(interval(np.array([np.nan, np.nan]))).all()
