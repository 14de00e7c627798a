"""Power means and cosine coefficients, against loops over the papers' formulas and by hand."""

import math
from dataclasses import replace

import numpy as np
import pytest
import scipy.fft

from core.errors import RecipeError
from core.recipe import POOL, Recipe
from core.tokens.token_batch import TokenBatch
from tests.core.helpers.token_batches import apart, batch_of, cut, frozen, random_batch, tokens_of

POOLINGS = ["pmeans", 'pmeans(p="2 3 20")', "dct", "dct(k=1)", "dct(k=16)"]


def pooled(pool: str, batch: TokenBatch) -> np.ndarray:
    return POOL.bind(POOL.parse(pool))(batch)


def power_means(batch: TokenBatch, exponents: list[float]) -> np.ndarray:
    """Σ share · xᵖ, its root with its sign; smallest and largest; numbers one by one."""
    dim = batch.states.shape[1]
    out = np.zeros((len(batch.cls), len(exponents), dim))
    for i, tokens in enumerate(tokens_of(batch)):
        total = sum(weight for _, weight, _ in tokens)
        for j, p in enumerate(exponents):
            for d in range(dim if tokens else 0):
                if math.isinf(p):
                    out[i, j, d] = (max if p > 0 else min)(state[d] for _, _, state in tokens)
                else:
                    value = sum(weight / total * state[d] ** p for _, weight, state in tokens)
                    out[i, j, d] = math.copysign(abs(value) ** (1 / p), value)
    return out.reshape(len(out), -1)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("p", ["-inf 1 inf", "3", "2 1 5 -inf", "20"])
def test_power_means_are_the_formula(p, seed):
    batch = random_batch(seed)
    expected = power_means(batch, [float(word) for word in p.split()])
    assert apart(pooled(f'pmeans(p="{p}")', batch), expected) < 1e-6


def test_power_means_by_hand():
    batch = batch_of([[[1.0, -2.0], [2.0, -1.0], [3.0, 0.0]], [], [[-4.0, 5.0]]])
    batch = replace(batch, weights=np.array([2.0, 1.0, 1.0, 0.5]))
    roots = [(37 / 4) ** (1 / 3), -((17 / 4) ** (1 / 3)), math.sqrt(15 / 4), math.sqrt(9 / 4)]
    expected = [
        [1, -2, 7 / 4, -5 / 4, 3, 0, *roots],
        [0] * 10,
        [-4, 5, -4, 5, -4, 5, -4, 5, 4, 5],  # an even mean has no sign
    ]
    np.testing.assert_allclose(pooled('pmeans(p="-inf 1 inf 3 2")', batch), expected, rtol=1e-6)


def test_smallest_mean_and_largest_are_what_these_poolings_give():
    batch = random_batch()
    np.testing.assert_array_equal(pooled("pmeans(p=1)", batch), pooled("mean", batch))
    np.testing.assert_array_equal(pooled("pmeans(p=inf)", batch), pooled("max", batch))
    turned = replace(batch, states=-batch.states)
    np.testing.assert_array_equal(pooled("pmeans(p=-inf)", batch), -pooled("max", turned))


def test_power_means_grow_with_the_exponent():
    batch = replace(random_batch(), states=np.abs(random_batch().states))
    means = pooled('pmeans(p="-inf 1 2 3 4 9 20 inf")', batch).reshape(len(batch.cls), 8, -1)
    assert (np.diff(means, axis=1) > -1e-5).all()


def test_exponents_survive_a_recipe():
    recipe = Recipe.parse('pool=pmeans(p="-inf 1 3 inf");post=zscore')
    assert str(recipe) == 'pool=pmeans(p="-inf 1 3 inf");post=zscore'
    assert str(Recipe.parse('pool=pmeans(p="-inf 1 inf")')) == "pool=pmeans"
    assert str(Recipe.parse("pool=pmeans(p=3)")) == "pool=pmeans(p=3)"


@pytest.mark.parametrize(
    "p", ["", " ", "0", "-1", "21", "1.5", "one", "1,2", "1 1", "nan", "infinity", "²"]
)
def test_other_exponents_are_refused(p):
    said = r"pool=pmeans\(p\): got '.*'; allowed are -inf, inf and whole numbers from 1 to 20, .* each once"
    with pytest.raises(RecipeError, match=said):
        pooled(f'pmeans(p="{p}")', random_batch())


def coefficients(batch: TokenBatch, k: int) -> np.ndarray:
    """√(2/N) Σ x_n cos(π j (n + ½) / N), the first by √2 less; short texts filled up with zero vectors."""
    dim = batch.states.shape[1]
    out = np.zeros((len(batch.cls), k, dim))
    for i, tokens in enumerate(tokens_of(batch)):
        states = [state for _, _, state in tokens] + [np.zeros(dim)] * (k - len(tokens))
        for j in range(k):
            for n, state in enumerate(states):
                wave = math.cos(math.pi * j * (n + 0.5) / len(states))
                out[i, j] += state * wave * math.sqrt((1 if j == 0 else 2) / len(states))
    return out.reshape(len(out), -1)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("k", [1, 4, 16])
def test_coefficients_are_the_formula(k, seed):
    batch = random_batch(seed)
    assert apart(pooled(f"dct(k={k})", batch), coefficients(batch, k)) < 1e-6


def test_coefficients_are_those_of_scipy():
    batch = random_batch()
    for row, tokens in zip(pooled("dct(k=3)", batch), tokens_of(batch), strict=True):
        if len(tokens) >= 3:
            states = np.array([state for _, _, state in tokens])
            expected = scipy.fft.dct(states, type=2, norm="ortho", axis=0)[:3]
            np.testing.assert_allclose(row, expected.ravel(), atol=2e-6)


def test_coefficients_by_hand():
    batch = batch_of([[[3.0], [1.0]], [[2.0]], []])
    root = math.sqrt(2)
    expected = [[4 / root, 2 / root], [2 / root, 2 / root], [0, 0]]  # the second is (2, 0), filled up
    np.testing.assert_allclose(pooled("dct(k=2)", batch), expected, rtol=1e-6)


def test_the_first_coefficient_is_the_sum_over_the_root_of_the_length():
    batch = replace(random_batch(), weights=random_batch().selected.astype(float))
    number = np.array([len(tokens) for tokens in tokens_of(batch)])
    expected = pooled("mean", batch) * np.sqrt(number)[:, None]
    np.testing.assert_allclose(pooled("dct(k=1)", batch), expected, atol=1e-5)


def test_as_many_coefficients_as_tokens_keep_all_lengths():
    batch = random_batch()
    squares = (pooled("dct(k=9)", batch) ** 2).sum(axis=1)
    expected = [sum((state**2).sum() for _, _, state in tokens) for tokens in tokens_of(batch)]
    np.testing.assert_allclose(squares, expected, rtol=1e-5)


@pytest.mark.filterwarnings("ignore:The given NumPy array is not writable")
@pytest.mark.parametrize("pool", POOLINGS)
def test_whatever_is_beside_a_text_it_gives_the_same_and_no_input_is_modified(pool):
    batch = random_batch()
    whole = pooled(pool, frozen(batch))
    assert whole.dtype == np.float32
    assert np.isfinite(whole).all()
    assert not whole[[not tokens for tokens in tokens_of(batch)]].any()
    parts = [pooled(pool, part) for part in cut(batch, 1, 17, 40)]
    np.testing.assert_allclose(np.concatenate(parts), whole, atol=1e-6)


@pytest.mark.parametrize("pool", POOLINGS)
def test_texts_without_tokens_give_0(pool):
    batch = random_batch()
    nothing = cut(batch, 1, 1)[1]
    assert pooled(pool, nothing).shape == (0, pooled(pool, batch).shape[1])
    left_out = replace(batch, selected=np.zeros_like(batch.selected), weights=np.zeros_like(batch.weights))
    assert not pooled(pool, left_out).any()
