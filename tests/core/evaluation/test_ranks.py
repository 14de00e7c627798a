"""Ranks are scipy's; those of gold scores are found once."""

import numpy as np
import pytest
from scipy.stats import rankdata

from core.evaluation import ranks
from core.evaluation.ranks import gold_ranks, mid_ranks, rows_ranked

GENERATOR = np.random.default_rng(0)
VALUES = {
    "different": GENERATOR.normal(size=1379),
    "ties": GENERATOR.integers(0, 6, 1379) / 2,
    "whole numbers": GENERATOR.integers(0, 6, 50),
    "float32": GENERATOR.normal(size=50).astype(np.float32),
    "equal": np.zeros(3),
    "one": np.array([4.0]),
    "none": np.array([]),
    "a NaN": np.array([1.0, np.nan, 2.0]),
    "infinite": np.array([np.inf, 1.0, -np.inf, np.inf]),
}


@pytest.mark.parametrize("values", VALUES.values(), ids=VALUES)
@pytest.mark.parametrize("ranked", [mid_ranks, gold_ranks])
def test_ranks_are_scipys_to_the_bit(ranked, values):
    np.testing.assert_array_equal(ranked(values), rankdata(values))


@pytest.mark.parametrize("rows", [0, 1, 7])
def test_each_row_is_ranked_by_itself(rows):
    values = GENERATOR.integers(0, 6, (rows, 20)).astype(float)
    np.testing.assert_array_equal(rows_ranked(values), rankdata(values, axis=1))


def test_gold_scores_are_ranked_once(monkeypatch):
    gold = GENERATOR.normal(size=100)
    first = gold_ranks(gold)
    monkeypatch.setattr(ranks, "mid_ranks", lambda _: pytest.fail("ranked again"))
    assert gold_ranks(gold.copy()) is first
    assert not first.flags.writeable


def test_other_numbers_of_the_same_bytes_are_other_gold():
    written = GENERATOR.integers(1, 1 << 60, 40)
    np.testing.assert_array_equal(gold_ranks(written), rankdata(written))
    np.testing.assert_array_equal(gold_ranks(written.view(np.float64)), rankdata(written.view(np.float64)))


def test_many_are_not_remembered():
    gold = GENERATOR.normal(size=ranks.REMEMBERED + 1)
    assert gold_ranks(gold) is not gold_ranks(gold)
