"""Similarities equal scipy's distances, and a zero vector makes no trouble."""

import numpy as np
import pytest
import scipy.spatial.distance as distance
import scipy.stats

from core.recipe import SIMILARITY

U, V = np.random.default_rng(0).normal(size=(2, 6, 20)).astype(np.float32)


@pytest.mark.parametrize(
    ("name", "one"),
    [
        ("cosine", lambda u, v: 1 - distance.cosine(u, v)),
        ("dot", np.dot),
        ("euclidean", lambda u, v: -distance.euclidean(u, v)),
        ("manhattan", lambda u, v: -distance.cityblock(u, v)),
        ("spearman", lambda u, v: scipy.stats.spearmanr(u, v).statistic),
    ],
)
def test_a_similarity_is_that_of_scipy(name, one):
    compare = SIMILARITY.bind(SIMILARITY.parse(name))
    expected = [one(u, v) for u, v in zip(U.astype(float), V.astype(float), strict=True)]
    np.testing.assert_allclose(compare(U, V), expected, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("option", [option.name for option in SIMILARITY])
def test_higher_is_closer_and_the_order_of_the_two_does_not_matter(option):
    compare = SIMILARITY.bind(SIMILARITY.parse(option))
    unit = U / np.linalg.norm(U, axis=1, keepdims=True)
    near, far = unit + 0.01 * V, -unit
    assert (compare(unit, near) > compare(unit, far)).all()
    np.testing.assert_allclose(compare(U, V), compare(V, U), rtol=1e-6)
    zero = np.zeros_like(U)
    assert np.isfinite(compare(U, zero)).all()
    assert np.isfinite(compare(zero, zero)).all()


def test_cosine_is_exact_for_tiny_and_huge_vectors():
    compare = SIMILARITY.bind(SIMILARITY.parse("cosine"))
    for scale in (1e-30, 1e30):
        np.testing.assert_allclose(compare(U * np.float32(scale), U), 1, atol=1e-6)
    assert compare(np.zeros_like(U), U).tolist() == [0] * 6
