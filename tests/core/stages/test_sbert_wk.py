"""One small matrix of inner products gives what QR and least squares give on the states themselves."""

import numpy as np
import pytest

from core.corpora.corpus import Corpus
from core.recipe import Recipe
from core.stages import sbert_wk
from core.stages.sbert_wk import alignment, alphas, cosines, fuse, gram, hops, novelty, residuals, variance
from tests.core.helpers.texts import many

FORMS = ("paper", "released")
HALF = np.sqrt(0.5)
ROUNDING = np.sqrt(sbert_wk.ROUNDING)

# four layers of one token in the plane: 45 degrees, 45 degrees, then only longer
STATES = [np.array([row], np.float32) for row in ([1, 0], [1, 1], [0, 1], [0, 2])]


def made(layers: int, dim: int = 16, tokens: int = 40) -> list[np.ndarray]:
    """States of layers that resemble each other, as those of a transformer do."""
    generator = np.random.default_rng([layers, dim, tokens])
    common = 2 * generator.normal(size=(tokens, dim))
    return [(common + generator.normal(size=(tokens, dim))).astype(np.float32) for _ in range(layers)]


def each_token(states: list[np.ndarray]) -> list[np.ndarray]:
    """The states ``[layer, dim]`` of one token after the other, in float64."""
    return list(np.stack(states, axis=1).astype(np.float64))


def cosine(a: np.ndarray, b: np.ndarray) -> float:
    norms = np.linalg.norm(a) * np.linalg.norm(b)
    return float(a @ b / norms) if norms else 0.0


def shares(values: list[float]) -> np.ndarray:
    return np.array(values) / sum(values) if sum(values) else np.full(len(values), 1 / len(values))


def paper(states: np.ndarray, window: int) -> tuple[np.ndarray, np.ndarray]:
    """Alignment and novelty weights of one token, by least squares on its states."""
    aligned, novel = [], []
    for k, state in enumerate(states):
        if not state.any():
            aligned.append(0.0)
            novel.append(0.0)
            continue
        others = [states[i] for i in range(len(states)) if i != k and abs(i - k) <= window]
        beta = np.mean([cosine(state, other) for other in others])
        aligned.append(1 / max(beta, sbert_wk.LEAST_COSINE))
        span = np.array(others).T
        rest = state - span @ np.linalg.lstsq(span, state, rcond=ROUNDING)[0]
        share = np.linalg.norm(rest) / np.linalg.norm(state)
        novel.append(share if share > ROUNDING else 0.0)
    return shares(aligned), shares(novel)


def released(states: np.ndarray, window: int) -> tuple[np.ndarray, np.ndarray]:
    """Alignment and novelty weights of one token as the authors' program has them, by QR."""
    aligned, novel = [], []
    for k in range(len(states)):
        others = np.concatenate([states[k - window : k], states[k + 1 : k + 1 + window]])
        _, r = np.linalg.qr(np.column_stack([*others, states[k]]))
        of_others, projection = r[:-1, :-1], r[:-1, -1]
        mean = np.mean(of_others / np.linalg.norm(of_others, axis=0), axis=1)
        beta = mean @ projection / np.linalg.norm(projection)
        aligned.append(1 / (beta * (len(others) + 1)))
        novel.append(abs(r[-1, -1]) / np.linalg.norm(r[:, -1]))
    return shares(aligned), shares(novel)


def agree(states: list[np.ndarray], window: int, form: str, tolerance: float) -> None:
    by_loops = {"paper": paper, "released": released}[form]
    expected = np.array([by_loops(token, window) for token in each_token(states)])
    products = gram(states)
    found = [weigh(products, window, form) for weigh in (alignment, novelty)]
    np.testing.assert_allclose(found, np.moveaxis(expected, 1, 0), atol=tolerance)
    np.testing.assert_allclose(alphas(products, window, 0.5, form), expected.mean(axis=1), atol=tolerance)


def left_of(states: list[np.ndarray], layer: int, window: int, form: str) -> np.ndarray:
    """The share of one layer's states that lies outside the span of its neighbours."""
    return residuals(gram(states), window, form)[:, layer]


# -- exact numbers -----------------------------------------------------------------------------------


def test_inner_products_and_cosines_by_hand():
    np.testing.assert_array_equal(gram(STATES), [[[1, 1, 0, 0], [1, 2, 1, 2], [0, 1, 1, 2], [0, 2, 2, 4]]])
    expected = [[1, HALF, 0, 0], [HALF, 1, HALF, HALF], [0, HALF, 1, 1], [0, HALF, 1, 1]]
    np.testing.assert_allclose(cosines(gram(STATES)), [expected], atol=1e-15)


def test_hops_and_variance_by_hand():
    np.testing.assert_allclose(hops(cosines(gram(STATES))), [[(2 * HALF + 1) / 3, HALF / 2, 0]])
    np.testing.assert_allclose(variance(gram(STATES)), [2 / 9 * (1 - HALF) ** 2])


def test_weights_of_the_paper_by_hand():
    """With one neighbour on either side only the first state has something of its own."""
    aligned = shares([1 / HALF, 1 / HALF, 2 / (HALF + 1), 1])
    np.testing.assert_allclose(alignment(gram(STATES), 1), [aligned])
    np.testing.assert_allclose(novelty(gram(STATES), 1), [[1, 0, 0, 0]], atol=1e-15)
    expected = 0.3 * aligned + [0.7, 0, 0, 0]
    np.testing.assert_allclose(alphas(gram(STATES), 1, omega=0.3), [expected])


def test_weights_of_the_released_form_by_hand():
    """The first and last state lie at 45 and 0 degrees to their neighbours, and on them once projected."""
    aligned = shares([1 / 2, 1 / (3 * HALF), 1 / (3 * (HALF + 1) / 2), 1 / 2])
    np.testing.assert_allclose(alignment(gram(STATES), 1, "released"), [aligned])
    for omega in (0.5, 0.9):
        found = alphas(gram(STATES), 1, omega, "released")
        np.testing.assert_allclose(found, [aligned / 2 + [0.5, 0, 0, 0]])


def test_a_fused_vector_by_hand():
    found = fuse(STATES, np.array([[0.5, 0.25, 0.125, 0.125]]))
    np.testing.assert_array_equal(found, [[0.75, 0.625]])
    assert found.dtype == np.float32


# -- beside loops over tokens and layers -------------------------------------------------------------


def test_cosines_hops_and_variance_equal_loops():
    states = made(6)
    products = gram(states)
    for token, rows in enumerate(each_token(states)):
        expected = np.array([[cosine(a, b) for b in rows] for a in rows])
        np.testing.assert_allclose(cosines(products)[token], expected, atol=1e-12)
        curve = [np.mean([expected[i, i + k] for i in range(6 - k)]) for k in range(1, 6)]
        np.testing.assert_allclose(hops(cosines(products))[token], curve, atol=1e-12)
        adjacent = [expected[i, i + 1] for i in range(5)]
        np.testing.assert_allclose(variance(products)[token], np.var(adjacent), atol=1e-12)


SIZES = [(layers, window) for layers in (2, 3, 5, 8) for window in (1, 2, 3, 4, 9)]
CASES = [(*size, "paper") for size in SIZES] + [
    (layers, window, "released")
    for layers, window in SIZES
    if layers != window  # that one: see below
]


@pytest.mark.parametrize(("layers", "window", "form"), CASES)
def test_weights_equal_qr_and_least_squares(layers, window, form):
    agree(made(layers), window, form, 1e-6)


def test_the_released_slice_leaves_the_second_layer_none_before_it():
    states = made(5)
    found = left_of(states, 1, 2, "released")
    np.testing.assert_array_equal(found, left_of(states[1:], 0, 2, "paper"))
    assert not np.allclose(found, left_of(states, 1, 2, "paper"))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("window", [1, 2, 3, 12])
def test_weights_equal_qr_on_states_of_the_bundled_encoder(shared_engine, window, form):
    passes, corpus = shared_engine.passes, Corpus.of_texts("a dozen", many(12))
    found, _ = passes.get(passes.source(Recipe().source), corpus)
    states = [found.read(i, slice(0, len(found.tokens))) for i in range(7)]
    assert states[0].shape == (len(found.tokens), 384)
    agree(states, window, form, 1e-6)
    if form == "paper":
        agree(states[4:], window, form, 1e-6)


def test_fused_vectors_equal_a_sum():
    states = made(5)
    weights = alphas(gram(states))
    expected = np.einsum("tl,ltd->td", weights, np.stack(states).astype(np.float64))
    np.testing.assert_allclose(fuse(states, weights), expected, atol=1e-5)


# -- what must not matter ----------------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMS)
def test_a_rotation_of_all_states_rotates_the_vector_and_nothing_else(form):
    states = made(6)
    rotation, _ = np.linalg.qr(np.random.default_rng(5).normal(size=(16, 16)))
    turned = [(state @ rotation).astype(np.float32) for state in states]
    before, after = gram(states), gram(turned)
    np.testing.assert_allclose(variance(after), variance(before), atol=1e-6)
    weights, others = (alphas(products, form=form) for products in (before, after))
    np.testing.assert_allclose(others, weights, atol=1e-6)
    np.testing.assert_allclose(fuse(turned, others), fuse(states, weights) @ rotation, atol=1e-4)


@pytest.mark.parametrize("form", FORMS)
def test_the_lengths_of_states_do_not_change_their_weights(form):
    states = made(6)
    scaled = [state * np.float32(2.0**i) for i, state in enumerate(states, start=-3)]
    np.testing.assert_allclose(alphas(gram(scaled), form=form), alphas(gram(states), form=form), atol=1e-12)


def test_tokens_are_cut_into_blocks_without_a_trace(monkeypatch):
    states = made(4)
    whole = gram(states)
    monkeypatch.setattr(sbert_wk, "BLOCK_BYTES", 7 * 8 * 4 * 16)
    np.testing.assert_allclose(gram(states), whole, rtol=1e-14)


def test_variance_needs_no_more_than_adjacent_layers():
    states = made(5)
    near = gram(states, reach=1)
    apart = np.abs(np.subtract.outer(np.arange(5), np.arange(5)))
    np.testing.assert_array_equal(near, np.where(apart <= 1, gram(states), 0))
    np.testing.assert_array_equal(variance(near), variance(gram(states)))


def test_any_order_in_memory_will_do():
    products = gram(made(5))
    other = np.ascontiguousarray(products)
    assert other.strides != products.strides
    for function in (cosines, variance, alignment, novelty, alphas):
        np.testing.assert_array_equal(function(other), function(products))


def test_no_input_is_modified():
    states = made(4)
    for state in states:
        state.flags.writeable = False
    products = gram(states)
    kept = products.copy()
    for form in FORMS:
        fuse(states, alphas(products, form=form))
    np.testing.assert_array_equal(products, kept)


# -- the edges ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("layers", [2, 3, 7])
def test_states_that_are_the_same_in_all_layers_weigh_the_same(layers, form):
    states = [made(1)[0]] * layers
    with np.errstate(all="raise", under="ignore"):
        products = gram(states)
        for weigh in (alignment, novelty):
            np.testing.assert_allclose(weigh(products, 2, form), 1 / layers, atol=1e-12)
        weights = alphas(products, form=form)
    np.testing.assert_allclose(weights, 1 / layers, atol=1e-12)
    np.testing.assert_allclose(fuse(states, weights), states[0], atol=1e-5)
    np.testing.assert_array_equal(variance(products), 0)


@pytest.mark.parametrize("window", [1, 2, 5])
def test_neighbours_that_depend_on_each_other_span_what_they_span(window):
    states = made(6)
    states[3] = states[2]
    states[4] = states[1] + states[2]
    agree(states, window, "paper", 1e-6)


@pytest.mark.parametrize("dim", [1, 2, 3])
def test_more_neighbours_than_dimensions_leave_nothing_new(dim):
    states = [np.abs(state) for state in made(8, dim)]
    agree(states, 3, "paper", 1e-6)
    np.testing.assert_array_equal(novelty(gram(states), 3), 1 / 8)


@pytest.mark.parametrize("zero", [0, 2, 4])
def test_a_zero_state_weighs_nothing_and_hides_nothing(zero):
    states = made(5)
    states[zero] = np.zeros_like(states[zero])
    with np.errstate(all="raise", under="ignore"):
        agree(states, 2, "paper", 1e-6)
        for form in FORMS:
            weights = alphas(gram(states), form=form)
            np.testing.assert_array_equal(weights[:, zero], 0)
            np.testing.assert_allclose(weights.sum(axis=1), 1)


@pytest.mark.parametrize("form", FORMS)
def test_zero_states_only_weigh_the_same(form):
    states = [np.zeros((3, 4), np.float32)] * 5
    with np.errstate(all="raise"):
        np.testing.assert_array_equal(alphas(gram(states), form=form), 1 / 5)
        np.testing.assert_array_equal(variance(gram(states)), 0)
        np.testing.assert_array_equal(hops(cosines(gram(states))), 0)


@pytest.mark.parametrize("form", FORMS)
def test_opposed_and_orthogonal_layers_give_no_negative_weight(form):
    states = [np.array([row], np.float32) for row in ([1, 0, 0], [-1, 0.1, 0], [0, 0, 1], [1, 1, 0])]
    with np.errstate(all="raise", under="ignore"):
        for window in (1, 2, 3):
            weights = alphas(gram(states), window, form=form)
            assert (weights >= 0).all()
            np.testing.assert_allclose(weights.sum(), 1)


@pytest.mark.parametrize("form", FORMS)
def test_two_layers_weigh_the_same_and_vary_in_nothing(form):
    products = gram(made(2))
    np.testing.assert_allclose(alphas(products, 1, form=form), 0.5, atol=1e-12)
    assert hops(cosines(products)).shape == (40, 1)
    np.testing.assert_array_equal(variance(products), 0)


@pytest.mark.parametrize("form", FORMS)
def test_a_single_layer_is_all_there_is(form):
    states = made(1)
    products = gram(states)
    np.testing.assert_array_equal(alphas(products, form=form), 1)
    np.testing.assert_allclose(fuse(states, alphas(products, form=form)), states[0])
    assert hops(cosines(products)).shape == (40, 0)
    np.testing.assert_array_equal(variance(products), 0)


@pytest.mark.parametrize("layers", [2, 3, 4])
def test_a_last_layer_that_the_released_slice_leaves_alone_has_the_neighbours_of_the_paper(layers):
    """As many layers as the window is wide, which the authors' program cannot do."""
    products = gram(made(layers))
    found = [left_of(made(layers), layers - 1, layers, form) for form in FORMS]
    np.testing.assert_array_equal(*found)
    np.testing.assert_allclose(alphas(products, layers, form="released").sum(axis=1), 1)


def test_no_tokens_give_no_rows():
    states = [np.zeros((0, 8), np.float32)] * 3
    products = gram(states)
    assert products.shape == (0, 3, 3)
    assert hops(cosines(products)).shape == (0, 2)
    assert variance(products).shape == (0,)
    for form in FORMS:
        weights = alphas(products, form=form)
        assert weights.shape == (0, 3)
        assert fuse(states, weights).shape == (0, 8)
