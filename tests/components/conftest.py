"""Figures' values and tokens' weights made by hand."""

from collections.abc import Callable

import numpy as np
import pytest

from core.pipeline.token_weights import TokenWeights
from tests import checked_figures


@pytest.fixture(scope="session", autouse=True)
def _app_test(app_test):
    """Scripts are run by it."""


@pytest.fixture(autouse=True)
def _figures_are_checked(monkeypatch):
    checked_figures.watch(monkeypatch)


@pytest.fixture
def matrix() -> Callable[..., np.ndarray]:
    """``matrix(5)``: symmetric similarities of five sentences, 1 on the diagonal."""

    def made(count: int, low: float = 0.2, high: float = 0.9, seed: int = 0) -> np.ndarray:
        values = np.random.default_rng(seed).uniform(low, high, (count, count))
        values = (values + values.T) / 2
        np.fill_diagonal(values, 1.0)
        return values

    return made


@pytest.fixture
def weights() -> Callable[..., TokenWeights]:
    """``weights(["a", "b"], [0.75, 0.25])``: tokens with their shares, each a word of its own."""

    def made(surface_forms, shares, words=None, seen=None, truncated=False) -> TokenWeights:
        return TokenWeights(
            tuple(surface_forms),
            tuple(words if words is not None else range(len(surface_forms))),
            np.array(shares, float),
            np.array(seen if seen is not None else [1.0] * len(surface_forms), float),
            truncated,
        )

    return made
