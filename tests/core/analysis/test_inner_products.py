"""Similarities of combinations of parts, beside making the combinations."""

import numpy as np
import pytest

from core.analysis import inner_products
from core.analysis.inner_products import CLOSED, similarities
from core.recipe import SIMILARITY
from core.stages.similarity import cosine

PAIRS = 50


def made(parts: int, rows: int = 20, dim: int = 12, seed: int = 0) -> list[np.ndarray]:
    generator = np.random.default_rng(seed)
    return [generator.normal(size=(rows, dim)).astype(np.float32) for _ in range(parts)]


def pairs(rows: int = 20, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, rows, (2, PAIRS))


def one_by_one(parts, first, second, weights, similarity) -> np.ndarray:
    """Each combination made, each pair compared, in float64."""
    out = []
    for row in weights:
        vectors = sum(w * part.astype(np.float64) for w, part in zip(row, parts, strict=True))
        values = []
        for i, j in zip(first, second, strict=True):
            u, v = vectors[i], vectors[j]
            if similarity == "dot":
                values.append(u @ v)
            elif similarity == "euclidean":
                values.append(-np.sqrt(((u - v) ** 2).sum()))
            else:
                norms = np.sqrt((u @ u) * (v @ v))
                values.append(u @ v / norms if norms else 0.0)
        out.append(values)
    return np.array(out)


@pytest.mark.parametrize("similarity", CLOSED)
@pytest.mark.parametrize("count", [1, 2, 5])
def test_combinations_equal_those_made_one_by_one(similarity, count):
    parts, (first, second) = made(count), pairs()
    weights = np.random.default_rng(2).uniform(-1, 2, (7, count))
    found = similarities(parts, first, second, weights, similarity)
    assert found.dtype == np.float64
    np.testing.assert_allclose(
        found, one_by_one(parts, first, second, weights, similarity), rtol=1e-9, atol=2e-7
    )


@pytest.mark.parametrize("similarity", CLOSED)
def test_they_are_the_similarities_of_recipes(similarity):
    parts, (first, second) = made(3), pairs()
    found = similarities(parts, first, second, np.array([[0.0, 1.0, 0.0]]), similarity)
    whole = SIMILARITY.options[similarity].function(parts[1][first], parts[1][second])
    np.testing.assert_allclose(found[0], whole, rtol=1e-6, atol=1e-6)


def test_by_hand():
    """u = (1, 0) and (0, 1), v = (1, 1) and (0, 0): their mean is (.5, .5) and (.5, .5)."""
    parts = [np.array([[1, 0], [1, 1]], np.float32), np.array([[0, 1], [0, 0]], np.float32)]
    rows = np.array([0]), np.array([1])
    weights = np.array([[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]])
    expected = {"cosine": [np.sqrt(0.5), 1, 0], "dot": [1, 0.5, 0], "euclidean": [-1, 0, -1]}
    for similarity, values in expected.items():
        found = similarities(parts, *rows, weights, similarity)
        np.testing.assert_allclose(found[:, 0], values, atol=1e-12)


@pytest.mark.parametrize("size", [1, 3 * 2 * 8 * 3 * 12, 10**9])
def test_blocks_leave_no_trace(size, monkeypatch):
    parts, (first, second) = made(3), pairs()
    weights = np.eye(3)
    whole = similarities(parts, first, second, weights, "cosine")
    monkeypatch.setattr(inner_products, "BLOCK_BYTES", size)
    np.testing.assert_allclose(similarities(parts, first, second, weights, "cosine"), whole, rtol=1e-12)


def test_parts_that_cancel_are_zero_and_divide_nothing():
    one = made(1)[0]
    first, second = pairs()
    with np.errstate(all="raise"):
        for similarity in CLOSED:
            found = similarities([one, one], first, second, np.array([[1.0, -1.0]]), similarity)
            np.testing.assert_array_equal(found, 0)


def test_a_zero_vector_has_cosine_zero_as_in_the_engine():
    one = made(1)[0]
    one[3] = 0
    rows = np.array([3, 3, 1]), np.array([1, 3, 1])
    found = similarities([one], *rows, np.ones((1, 1)), "cosine")[0]
    np.testing.assert_allclose(found, cosine(one[rows[0]], one[rows[1]]), atol=1e-12)
    np.testing.assert_allclose(found, [0, 0, 1], atol=1e-12)


def test_a_sentence_is_at_no_distance_from_itself():
    parts = [100 * part for part in made(4, dim=300)]
    rows = np.arange(20)
    found = similarities(parts, rows, rows, np.full((1, 4), 0.25), "euclidean")
    np.testing.assert_array_equal(found, 0)


def test_no_pairs_give_no_columns():
    none = np.zeros(0, int)
    assert similarities(made(2), none, none, np.eye(2), "dot").shape == (2, 0)
