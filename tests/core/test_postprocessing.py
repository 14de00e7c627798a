"""Each step equals its definition on arrays small enough to work out by hand."""

import numpy as np
import pytest

from core.corpus import Corpus
from core.errors import TooFewSentencesError
from core.postprocessing import least
from core.recipe import POST, Recipe
from tests.core.helpers.texts import many

# mean (2, 1); population variance (2, 0.5), no covariance
X = np.array([[4.0, 1.0], [0.0, 1.0], [2.0, 2.0], [2.0, 0.0]])
ROOT2, ROOT_HALF = np.sqrt(2), np.sqrt(0.5)


def after(text: str, x: np.ndarray, learnt: np.ndarray | None = None) -> np.ndarray:
    (choice,) = POST.parse(text)
    return np.asarray(POST.bind(choice)().fit(x if learnt is None else learnt).transform(x))


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        ("centre", [[2, 0], [-2, 0], [0, 1], [0, -1]]),
        ("zscore", [[ROOT2, 0], [-ROOT2, 0], [0, ROOT2], [0, -ROOT2]]),
        # medians (2, 1); quartiles (1.5, 2.5) and (0.75, 1.25)
        ("robust", [[2, 0], [-2, 0], [0, 2], [0, -2]]),
        # ranks of 4 0 2 2 are 3 0 and a tie in the middle; so are those of 1 1 2 0
        ("quantile", [[1, 0.5], [0, 0.5], [0.5, 1], [0.5, 0]]),
        ("abtt(d=1)", [[0, 0], [0, 0], [0, 1], [0, -1]]),
        ("abtt(d=2)", [[0, 0], [0, 0], [0, 0], [0, 0]]),
        ("abtt(d=9)", [[0, 0], [0, 0], [0, 0], [0, 0]]),
    ],
)
def test_steps_that_leave_the_axes_alone(step, expected):
    np.testing.assert_allclose(after(step, X), expected, atol=1e-12)


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        ("whiten", [[ROOT2, 0], [-ROOT2, 0], [0, ROOT2], [0, -ROOT2]]),
        ("whiten(k=1)", [[ROOT2], [-ROOT2], [0], [0]]),
        ("whiten(gamma=0)", [[2, 0], [-2, 0], [0, 1], [0, -1]]),
        ("whiten(gamma=2)", [[1, 0], [-1, 0], [0, 2], [0, -2]]),
    ],
)
def test_whitening_up_to_the_sign_of_a_column(step, expected):
    np.testing.assert_allclose(np.abs(after(step, X)), np.abs(expected), atol=1e-12)
    np.testing.assert_allclose(after(step, X).sum(axis=0), 0, atol=1e-12)


def test_whitening_without_the_mean_takes_the_spread_around_beta_times_it():
    """β = 0: x U Λ^(-1/2), with Λ and U of the mean of x xᵀ."""
    second_moment = X.T @ X / 4
    result = after("whiten(beta=0)", X)
    np.testing.assert_allclose(result.T @ result / 4, np.eye(2), atol=1e-12)
    np.testing.assert_allclose(result @ result.T, X @ np.linalg.inv(second_moment) @ X.T, atol=1e-12)
    half = after("whiten(beta=0.5)", X)
    rest = X - 0.5 * X.mean(axis=0)
    np.testing.assert_allclose(half @ half.T, rest @ np.linalg.inv(rest.T @ rest / 4) @ rest.T, atol=1e-12)


@pytest.mark.parametrize("k", [None, 5, 12])
def test_whitened_dimensions_have_unit_variance_and_no_covariance(k):
    generator = np.random.default_rng(0)
    x = generator.normal(size=(200, 12)) @ generator.normal(size=(12, 12)) + 3
    result = after("whiten" if k is None else f"whiten(k={k})", x.astype(np.float32))
    assert result.shape == (200, k or 12)
    np.testing.assert_allclose(np.cov(result.T, bias=True), np.eye(k or 12), atol=1e-4)


def test_whitening_is_cut_at_the_rank():
    generator = np.random.default_rng(0)
    x = generator.normal(size=(50, 3)) @ generator.normal(size=(3, 8))
    assert after("whiten", x).shape == (50, 3)
    assert after("whiten(k=6)", x.astype(np.float32)).shape == (50, 3)


def test_abtt_removes_the_directions_of_largest_variance():
    generator = np.random.default_rng(1)
    x = generator.normal(size=(300, 6)) * [9, 7, 1, 1, 1, 1] + 5
    rotation, _ = np.linalg.qr(generator.normal(size=(6, 6)))
    result = after("abtt(d=2)", x @ rotation)
    centred = (x - x.mean(axis=0)) @ rotation
    _, _, v = np.linalg.svd(centred)
    np.testing.assert_allclose(result, centred - centred @ v[:2].T @ v[:2], atol=1e-9)


def test_normalize_leaves_a_zero_vector():
    np.testing.assert_allclose(after("normalize", np.array([[3.0, 4.0], [0, 0]])), [[0.6, 0.8], [0, 0]])


def test_quantile_as_a_normal_variable_keeps_the_order_and_the_middle():
    x = np.arange(101.0)[:, None]
    result = after("quantile(output=normal)", x)[:, 0]
    assert (np.diff(result) > 0).all()
    assert abs(result[50]) < 1e-9
    assert abs(result[84] - 1) < 0.01  # a standard deviation


def test_steps_do_not_write_into_what_they_are_given():
    for option in POST:
        given = X.astype(np.float32).copy()
        after(option.name, given)
        np.testing.assert_array_equal(given, X.astype(np.float32))


# -- on the road -------------------------------------------------------------------------------------


def test_target_statistics_count_a_sentence_as_often_as_it_occurs(shared_road, bert):
    texts = many(40)
    once = Corpus.of_texts("once", texts)
    often = Corpus.of_texts("often", [*texts, *texts[:1] * 60])
    plain = shared_road.embed(Recipe.parse(bert), once).vectors.astype(np.float64)

    result = shared_road.embed(Recipe.parse(f"{bert};post=zscore"), often).vectors

    counted = np.vstack([plain, np.repeat(plain[:1], 60, axis=0)])
    np.testing.assert_allclose(result, (plain - counted.mean(axis=0)) / counted.std(axis=0), atol=1e-4)


def test_steps_are_taken_in_order_each_learnt_from_the_one_before(shared_road, bert, scored):
    plain = shared_road.embed(Recipe.parse(bert), scored).vectors
    result = shared_road.embed(Recipe.parse(f"{bert};post=normalize+zscore+abtt"), scored).vectors
    expected = plain
    for step in ("normalize", "zscore", "abtt"):
        expected = after(step, expected, expected[scored.positions]).astype(np.float32)
    np.testing.assert_allclose(result, expected, atol=1e-5)


def test_a_reference_is_learnt_from_as_it_stands_after_the_steps_before(shared_road, bert, texts_file):
    reference = shared_road.corpus(str(texts_file), "all")
    target = Corpus.of_texts("two", many(2))
    recipe = Recipe.parse(f"{bert};reference={texts_file};post=normalize+zscore(fit=reference)")
    of = {
        c.name: shared_road.embed(Recipe.parse(f"{bert};post=normalize"), c).vectors
        for c in (reference, target)
    }
    learnt = of[reference.name][reference.positions].astype(np.float64)
    expected = (of["two"] - learnt.mean(axis=0)) / learnt.std(axis=0)
    np.testing.assert_allclose(shared_road.embed(recipe, target).vectors, expected, atol=1e-4)


@pytest.mark.parametrize("option", [o.name for o in POST if o.traits.get("fitted")])
def test_two_sentences_are_too_few_to_learn_from(shared_road, bert, option):
    recipe = Recipe.parse(f"{bert};post={option}")
    with pytest.raises(
        TooFewSentencesError, match=rf"post={option} .*2 different sentences; it needs .*fit=reference"
    ):
        shared_road.embed(recipe, Corpus.of_texts("two", many(2) * 50))


def test_whitening_needs_more_sentences_than_the_columns_it_keeps(shared_road, bert):
    corpus = Corpus.of_texts("thirty", many(31))
    with pytest.raises(TooFewSentencesError, match="31 different sentences; it needs 33"):
        shared_road.embed(Recipe.parse(f"{bert};post=whiten"), corpus)
    assert shared_road.embed(Recipe.parse(f"{bert};post=whiten(k=5)"), corpus).vectors.shape == (31, 5)
    assert [least(c, 384) for c in POST.parse("whiten+whiten(k=256)+zscore+normalize")] == [385, 257, 30, 0]


def test_a_reference_that_is_too_small_is_refused_as_such(shared_road, bert, tmp_path):
    (tmp_path / "small.txt").write_text("\n".join(many(9)))
    recipe = Recipe.parse(f"{bert};reference={tmp_path / 'small.txt'};post=zscore(fit=reference)")
    with pytest.raises(TooFewSentencesError, match=r"9 different.*larger reference"):
        shared_road.embed(recipe, Corpus.of_texts("many", many(60)))
