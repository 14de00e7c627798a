"""Scalers learn and give what scikit-learn's do, to the bit."""

import numpy as np
import pytest
from sklearn.preprocessing import Normalizer, RobustScaler, StandardScaler

from core.stages.postprocessing import scalers
from core.stages.postprocessing.scalers import Robust, Standard, UnitLength

SHAPES = [(1, 5), (2, 3), (31, 6), (2758, 384), (3000, 40)]


def rows(count: int, dim: int, dtype: type) -> np.ndarray:
    """Vectors with constant, zero and lopsided dimensions, and with a zero and a tiny vector."""
    generator = np.random.default_rng(count)
    x = generator.normal(size=(count, dim)) * 5 * generator.random(dim) + generator.normal(size=dim)
    x[:, 0], x[:, 1], x[:, 2] = 3.3, 0, np.arange(count) == 0
    if count > 5:
        x[3], x[4] = 0, 1e-8
    return x.astype(dtype)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(("count", "dim"), SHAPES)
@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (Standard(), StandardScaler()),
        (Standard(with_std=False), StandardScaler(with_std=False)),
        (UnitLength(), Normalizer()),
    ],
)
def test_what_is_learnt_and_given_is_scikit_learns(ours, theirs, count, dim, dtype):
    x = rows(count, dim, dtype)
    before = x.copy()
    given, expected = ours.fit(x).transform(x), theirs.fit(x).transform(x)
    np.testing.assert_array_equal(given, expected)
    assert given.dtype == expected.dtype
    np.testing.assert_array_equal(x, before)
    learnt = {"mean_", "var_", "scale_"} & {
        name for name, value in vars(theirs).items() if value is not None
    }
    assert len(learnt) == (isinstance(ours, Standard) and (3 if ours.with_std else 1))
    for name in learnt:
        np.testing.assert_array_equal(getattr(ours, name), getattr(theirs, name))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(("count", "dim"), SHAPES)
def test_quartiles_are_numpys_in_double_precision(count, dim, dtype):
    x = rows(count, dim, dtype)
    low, middle, high = np.percentile(x.astype(np.float64), [25, 50, 75], axis=0)
    ours = Robust().fit(x)
    np.testing.assert_array_equal(ours.center_, middle)
    np.testing.assert_array_equal(ours.scale_, np.where(high - low < 2.3e-15, 1, high - low))
    theirs = RobustScaler().fit(x)
    theirs.center_, theirs.scale_ = ours.center_, ours.scale_
    np.testing.assert_array_equal(ours.transform(x), theirs.transform(x))


def test_many_rows_are_learnt_in_spans_as_scikit_learn_learns_them(monkeypatch):
    x = rows(3000, 40, np.float32)
    monkeypatch.setattr(
        scalers, "spans", lambda count, size, most=0: iter([slice(0, 1000), slice(1000, count)])
    )
    expected = StandardScaler().partial_fit(x[:1000]).partial_fit(x[1000:])
    np.testing.assert_array_equal(Standard().fit(x).var_, expected.var_)


@pytest.mark.parametrize("wrong", [np.nan, np.inf])
def test_numbers_that_are_not_finite_are_left_to_scikit_learn(wrong):
    x = rows(31, 6, np.float32)
    x[5, 4] = wrong
    if np.isinf(wrong):
        with pytest.raises(ValueError, match="infinity"):
            Standard().fit(x)
    else:
        np.testing.assert_array_equal(Standard().fit(x).mean_, StandardScaler().fit(x).mean_)
