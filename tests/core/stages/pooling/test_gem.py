"""GEM, against Gram-Schmidt and singular values text by text, and by hand."""

import math
from dataclasses import replace

import numpy as np
import pytest

from core.errors import RecipeError, TooFewSentencesError
from core.recipe import POOL
from core.tokens.token_batch import TokenBatch
from tests.core.helpers.token_batches import apart, batch_of, cut, frozen, random_batch, tokens_of


def gem(batches: list[TokenBatch], batch: TokenBatch, **arguments: float) -> np.ndarray:
    inside = ",".join(f"{name}={value}" for name, value in arguments.items())
    return POOL.bind(POOL.parse(f"gem({inside})"))(batches)(batch)


def gram_schmidt(columns: list[np.ndarray]) -> tuple[np.ndarray, float]:
    """The last column of Q and the last entry of R; a column that depends on those before it gives 0."""
    basis: list[np.ndarray] = []
    for column in columns:
        rest = column.copy()
        for direction in [*basis, *basis]:  # twice is enough
            rest -= (direction @ rest) * direction
        length = np.linalg.norm(rest)
        real = length > 1e-5 * np.linalg.norm(column)
        basis.append(rest / length if real else np.zeros_like(rest))
    return basis[-1], length if real else 0.0


def literal(
    batches: list[TokenBatch], batch: TokenBatch, m: int = 7, k: int = 45, h: int = 17, t: float = 3.0
) -> np.ndarray:
    """The paper's steps, one text, one token and one direction at a time."""
    coarse = []
    for each in batches:
        for tokens, repeats in zip(tokens_of(each), each.repeats, strict=True):
            if not tokens:
                continue
            left, values, right = np.linalg.svd(
                np.array([state for _, _, state in tokens]).T, full_matrices=False
            )
            vector = np.zeros(batch.states.shape[1])
            for j, value in enumerate(values):
                sign = np.sign(right[j][np.argmax(np.abs(right[j]))])
                vector += value**t * sign * left[:, j]
            coarse += [vector] * int(repeats)
    columns, values, _ = np.linalg.svd(np.array(coarse).T, full_matrices=False)
    columns, values = columns[:, :k], values[:k]
    out = []
    for tokens in tokens_of(batch):
        vector = np.zeros(batch.states.shape[1])
        states = [state for _, _, state in tokens]
        if tokens:
            along = [
                value * np.linalg.norm(np.array(states) @ columns[:, j]) for j, value in enumerate(values)
            ]
            chosen = np.argsort(along)[::-1][:h]
        for i, state in enumerate(states):
            q, r = gram_schmidt(states[max(i - m, 0) : i] + states[i + 1 : i + m + 1] + [state])
            length = np.linalg.norm(state)
            novelty = math.exp(abs(r) / length) if length else 1.0
            significance = abs(r) / (2 * m + 1)
            common = [values[j] * (q @ columns[:, j]) for j in chosen]
            uniqueness = math.exp(-np.linalg.norm(common) / h)
            vector += (novelty + significance + uniqueness) * state
        if tokens:
            vector -= columns[:, chosen] @ (columns[:, chosen].T @ vector)
        out.append(vector)
    return np.array(out)


def small(seed: int = 0, **given: float) -> TokenBatch:
    """States so short that the uniqueness is neither 0 nor 1."""
    batch = random_batch(seed, dim=30, texts=80, **given)
    return replace(batch, states=batch.states / 30)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    "arguments", [{}, {"m": 1, "h": 3}, {"m": 20, "k": 1000, "h": 25}, {"k": 25, "t": 1}, {"t": 2.5}]
)
def test_it_is_the_paper_step_by_step(seed, arguments):
    batch, other = small(seed), small(seed + 10)
    expected = literal([batch], other, **arguments)
    assert apart(gem([batch], other, **arguments), expected) < 1e-6


def test_windows_of_long_texts():
    batch = small(longest=39)
    assert apart(gem([batch], batch), literal([batch], batch)) < 1e-6


@pytest.mark.parametrize("seed", range(3))
def test_words_that_stand_twice_in_a_window_add_nothing(seed):
    batch = small(seed, noise=0.0, words=8)
    assert apart(gem([batch], batch, m=3, h=4), literal([batch], batch, m=3, h=4)) < 1e-6


def test_windows_that_span_the_whole_space_leave_nothing_new():
    batch = replace(random_batch(dim=4), states=random_batch(dim=4).states / 20)
    assert apart(gem([batch], batch, h=2), literal([batch], batch, k=4, h=2)) < 1e-6


def test_by_hand():
    e1, e2, e3 = np.eye(3)
    corpus = batch_of([[3 * e1], [2 * e2], [e3], [e3]])  # singular values 3, 2, √2
    texts = [[e1, e2], [e3], [0.6 * e1 + 0.8 * e2], [e3, e2, e3, 2 * e1], []]
    weight = math.e + 1 / 3 + 1
    expected = [
        [0, weight, 0],  # e1 is the commoner and goes; e2 is new and not common at all
        [0, 0, 0],  # its one direction goes
        [0, 0.8 * (math.e + 1 / 3 + math.exp(-3 * 0.6)), 0],
        [0, weight, 2 * weight],
        [0, 0, 0],
    ]
    np.testing.assert_allclose(gem([corpus], batch_of(texts), m=1, h=1, t=1), expected, atol=1e-6)
    wider = gem([corpus], batch_of(texts), m=2, h=1, t=1)[3]
    np.testing.assert_allclose(wider, [0, math.e + 1 / 5 + 1, 2 * (1 + 0 + 1)], atol=1e-6)


def test_the_power_changes_which_directions_are_common():
    """Five texts of length 1 outweigh one of length 2 with t = 1, and do not with t = 3."""
    e1, e2, e3 = np.eye(3)
    corpus = batch_of([[2 * e1], *[[e2]] * 5, [0.1 * e3]])
    both = batch_of([[e1, e2]])
    assert gem([corpus], both, h=1, t=1)[0].argmax() == 0
    assert gem([corpus], both, h=1, t=3)[0].argmax() == 1


def test_a_text_counts_as_often_as_it_stands_in_its_corpus():
    e1, e2, e3 = np.eye(3)
    corpus = batch_of([[2 * e1], [e2], [0.1 * e3], [0.1 * e3]])
    often = replace(corpus, repeats=np.array([1, 5, 1, 1]))
    both = batch_of([[e1, e2]])
    assert gem([corpus], both, h=1, t=1)[0].argmax() == 1
    assert gem([often], both, h=1, t=1)[0].argmax() == 0


def test_rotating_the_space_rotates_the_vectors():
    batch = small()
    turn, _ = np.linalg.qr(np.random.default_rng(5).normal(size=(30, 30)))
    turned = replace(batch, states=(batch.states @ turn).astype(np.float32))
    assert apart(gem([turned], turned), gem([batch], batch) @ turn) < 1e-4


def test_as_many_dimensions_are_missing_as_are_removed():
    batch = small()
    assert np.linalg.matrix_rank(gem([batch], batch, k=25, h=25), tol=1e-5) == 30 - 25
    assert (
        np.linalg.matrix_rank(gem([batch], batch, k=25, h=20), tol=1e-5) > 30 - 25
    )  # each text has its own


@pytest.mark.filterwarnings("ignore:The given NumPy array is not writable")
@pytest.mark.parametrize("noise", [0.0, 0.3])
def test_splitting_the_batch_changes_nothing_and_no_input_is_modified(noise):
    batch = small(noise=noise)
    whole = gem([frozen(batch)], frozen(batch), h=5)
    assert whole.dtype == np.float32
    assert apart(whole, literal([batch], batch, h=5)) < 1e-6
    assert not whole[[not tokens for tokens in tokens_of(batch)]].any()
    parts = cut(batch, 1, 17, 40)
    assert apart(np.concatenate([gem(parts, part, h=5) for part in parts]), whole) < 1e-6


def test_weights_are_not_used():
    batch = small()
    other = replace(batch, weights=np.where(batch.selected, 0.5, 0.0))
    np.testing.assert_array_equal(gem([batch], batch), gem([other], other))


def test_states_of_length_0_are_no_trouble():
    batch = small()
    states = batch.states.copy()
    states[:40] = 0
    blank = replace(batch, states=states)
    assert apart(gem([blank], blank), literal([blank], blank)) < 1e-6
    assert not gem([batch], replace(batch, states=np.zeros_like(states))).any()


def test_texts_without_tokens_give_0():
    batch = small()
    assert gem([batch], cut(batch, 1, 1)[1]).shape == (0, 30)
    left_out = replace(batch, selected=np.zeros_like(batch.selected), weights=np.zeros_like(batch.weights))
    assert not gem([batch], left_out).any()


def test_it_needs_more_sentences_than_directions():
    batch = small()
    said = r"pool=gem\(k=25\) learns 25 principal directions; .* more than 25 different sentences, got 8\. "
    with pytest.raises(TooFewSentencesError, match=said + "Learn it from the reference corpus instead"):
        gem(cut(batch, 10)[:1], batch, k=25)
    with pytest.raises(TooFewSentencesError, match="learns 30 principal directions; .* got 26"):
        gem(cut(batch, 30)[:1], batch)  # of 30 dimensions there are no 45 directions
    with pytest.raises(TooFewSentencesError, match="got 0"):
        gem([], batch)


def test_it_needs_more_dimensions_than_it_takes_away():
    with pytest.raises(RecipeError, match="h=17 directions .* of 12 dimensions .* allowed are 1 to 11"):
        gem([random_batch()], random_batch())
