"""Each step equals its definition on arrays small enough to work out by hand."""

import numpy as np
import pytest
from scipy.stats import rankdata
from sklearn.preprocessing import QuantileTransformer, RobustScaler

from core.corpora.corpus import Corpus
from core.errors import TooFewSentencesError
from core.recipe import POST, Recipe
from core.recipe.options import Choice
from core.recipe.plan import PostStep
from core.stages.postprocessing.principal import AllButTheTop, CommonComponents, Whitening
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


@pytest.mark.parametrize("beta", [0, 1, 2])
def test_whitening_keeps_directions_that_vary_little_beside_the_largest(beta):
    """A deviation of 0.001 is no rounding beside one of 1, nor beside a mean of length 1."""
    generator = np.random.default_rng(0)
    rotation, _ = np.linalg.qr(generator.normal(size=(32, 32)))
    x = (generator.normal(size=(400, 32)) * np.geomspace(1, 1e-3, 32) + np.sqrt(1 / 32)) @ rotation
    result = after(f"whiten(beta={beta})", x.astype(np.float32))
    assert result.shape == (400, 32)
    rest = x - beta * x.mean(axis=0)
    whitened = rest @ np.linalg.inv(rest.T @ rest / 400) @ rest.T
    np.testing.assert_allclose(result @ result.T, whitened, atol=0.02)


def test_whitening_leaves_rounding_out():
    """Rows that lie in a plane far from 0 keep their two columns, whatever float32 makes of them."""
    generator = np.random.default_rng(0)
    x = generator.normal(size=(400, 2)) @ generator.normal(size=(2, 32)) + 10 * generator.normal(size=32)
    for beta, columns in ((0, 3), (1, 2)):
        assert after(f"whiten(beta={beta})", x.astype(np.float32)).shape == (400, columns)


def test_abtt_removes_the_directions_of_largest_variance():
    generator = np.random.default_rng(1)
    x = generator.normal(size=(300, 6)) * [9, 7, 1, 1, 1, 1] + 5
    rotation, _ = np.linalg.qr(generator.normal(size=(6, 6)))
    result = after("abtt(d=2)", x @ rotation)
    centred = (x - x.mean(axis=0)) @ rotation
    _, _, v = np.linalg.svd(centred)
    np.testing.assert_allclose(result, centred - centred @ v[:2].T @ v[:2], atol=1e-9)


@pytest.mark.parametrize("rows", [200, 40])  # more than columns, and fewer
@pytest.mark.parametrize(("d", "rank"), [(1, 1), (2, 2), (3, 2)])
@pytest.mark.parametrize("mean", [0, 30])
def test_abtt_of_as_many_components_as_hold_anything_leaves_nothing(d, rank, mean, rows):
    generator = np.random.default_rng(0)
    x = generator.normal(size=(rows, rank)) @ generator.normal(size=(rank, 64)) + mean
    np.testing.assert_array_equal(after(f"abtt(d={d})", x.astype(np.float32)), 0)
    more = x + 1e-3 * generator.normal(size=x.shape)
    assert (np.abs(after(f"abtt(d={d})", more.astype(np.float32))).max(axis=1) > 1e-4).all()


def test_normalize_leaves_a_zero_vector():
    np.testing.assert_allclose(after("normalize", np.array([[3.0, 4.0], [0, 0]])), [[0.6, 0.8], [0, 0]])


def test_quantile_as_a_normal_variable_keeps_the_order_and_the_middle():
    x = np.arange(101.0)[:, None]
    result = after("quantile(output=normal)", x)[:, 0]
    assert (np.diff(result) > 0).all()
    assert abs(result[50]) < 1e-9
    assert abs(result[84] - 1) < 0.01  # a standard deviation


def near_ties(rows: int, dtype: type) -> np.ndarray:
    """Columns of tied values, of values that differ by rounding, and of values well apart."""
    generator = np.random.default_rng(5)
    tied = generator.normal(size=(rows, 10)).round(1)
    near = tied + 1e-7 * generator.normal(size=tied.shape)
    return np.concatenate([tied, near, generator.normal(size=tied.shape)], axis=1).astype(dtype)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("rows", [4, 30, 328, 1000])
def test_a_quantile_is_the_share_of_the_rows_below_with_ties_in_the_middle(rows, dtype):
    x = near_ties(rows, dtype)
    result = after("quantile", x)
    expected = (rankdata(x, axis=0) - 1) / (rows - 1)
    inside = (x > x.min(axis=0)) & (x < x.max(axis=0))
    np.testing.assert_allclose(result[inside], expected[inside], rtol=4 * np.finfo(dtype).eps)
    np.testing.assert_array_equal(result[~inside], (x == x.max(axis=0))[~inside])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("rows", [328, 1000, 2758])
@pytest.mark.parametrize("output", ["uniform", "normal"])
def test_quantiles_are_scikit_learns_but_for_its_rounding_of_places(rows, dtype, output):
    """Values apart are the same; tied ones too where the quantiles lie between rows anyway."""
    x = near_ties(rows, dtype)
    theirs = QuantileTransformer(
        n_quantiles=min(rows, 1000), output_distribution=output, subsample=None
    ).fit(x)
    (choice,) = POST.parse(f"quantile(output={output})")
    ours = POST.bind(choice)().fit(x)
    np.testing.assert_allclose(ours.quantiles_, theirs.quantiles_, rtol=0, atol=2e-9)
    same = slice(20 if rows <= 1000 else 0, None)
    given, expected = (step.transform(x)[:, same] for step in (ours, theirs))
    np.testing.assert_allclose(given, expected, rtol=0, atol=1e-11)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("output", ["uniform", "normal"])
def test_values_get_their_quantiles_as_scikit_learn_gives_them_to_the_bit(dtype, output):
    x = near_ties(328, dtype)
    (choice,) = POST.parse(f"quantile(output={output})")
    step = POST.bind(choice)().fit(x)
    beyond = np.concatenate([x, 3 * x, x + dtype(1e-8), -x])
    given, before = step.transform(beyond), beyond.copy()
    theirs = QuantileTransformer(n_quantiles=328, output_distribution=output).fit(x)
    theirs.quantiles_, theirs.references_ = step.quantiles_, step.references_
    expected = theirs.transform(beyond)
    np.testing.assert_array_equal(given, expected)
    assert given.dtype == dtype
    np.testing.assert_array_equal(beyond, before)


def test_scikit_learn_moves_a_tie_by_its_rounding():
    """Its places are percents: 1 of 3 steps is 1 - 1e-16, so the quantile lies just below the tied rows."""
    x = np.array([[0.0], [2.0], [2.0], [4.0]])
    theirs = QuantileTransformer(n_quantiles=4).fit(x)
    assert theirs.quantiles_[1, 0] < 2
    np.testing.assert_allclose(theirs.transform(x)[:, 0], [0, 2 / 3, 2 / 3, 1])
    assert after("quantile", x)[:, 0].tolist() == [0, 0.5, 0.5, 1]


def test_steps_do_not_write_into_what_they_are_given():
    for option in POST:
        given = X.astype(np.float32).copy()
        after(option.name, given)
        np.testing.assert_array_equal(given, X.astype(np.float32))


# -- in the engine -------------------------------------------------------------------------------------


def test_target_statistics_count_a_sentence_as_often_as_it_occurs(shared_engine, bert):
    texts = many(40)
    once = Corpus.of_texts("once", texts)
    often = Corpus.of_texts("often", [*texts, *texts[:1] * 60])
    plain = shared_engine.embed(Recipe.parse(bert), once).vectors.astype(np.float64)

    result = shared_engine.embed(Recipe.parse(f"{bert};post=zscore"), often).vectors

    counted = np.vstack([plain, np.repeat(plain[:1], 60, axis=0)])
    np.testing.assert_allclose(result, (plain - counted.mean(axis=0)) / counted.std(axis=0), atol=1e-4)


def test_steps_are_applied_in_order_each_learnt_from_the_one_before(shared_engine, bert, scored):
    plain = shared_engine.embed(Recipe.parse(bert), scored).vectors
    result = shared_engine.embed(Recipe.parse(f"{bert};post=normalize+zscore+abtt"), scored).vectors
    expected = plain
    for step in ("normalize", "zscore", "abtt"):
        expected = after(step, expected, expected[scored.positions]).astype(np.float32)
    np.testing.assert_allclose(result, expected, atol=1e-5)


def test_a_reference_is_learnt_from_as_it_stands_after_the_steps_before(shared_engine, bert, texts_file):
    reference = shared_engine.corpus(str(texts_file), "all")
    target = Corpus.of_texts("two", many(2))
    recipe = Recipe.parse(f"{bert};reference={texts_file};post=normalize+zscore(fit=reference)")
    of = {
        c.name: shared_engine.embed(Recipe.parse(f"{bert};post=normalize"), c).vectors
        for c in (reference, target)
    }
    learnt = of[reference.name][reference.positions].astype(np.float64)
    expected = (of["two"] - learnt.mean(axis=0)) / learnt.std(axis=0)
    np.testing.assert_allclose(shared_engine.embed(recipe, target).vectors, expected, atol=1e-4)


@pytest.mark.parametrize("option", [o.name for o in POST if o.learns])
def test_two_sentences_are_too_few_to_learn_from(shared_engine, bert, option):
    recipe = Recipe.parse(f"{bert};post={option}")
    with pytest.raises(
        TooFewSentencesError, match=rf"post={option} .*2 different sentences; it needs .*fit=reference"
    ):
        shared_engine.embed(recipe, Corpus.of_texts("two", many(2) * 50))


def test_whitening_needs_more_sentences_than_the_columns_it_keeps(shared_engine, bert):
    corpus = Corpus.of_texts("thirty", many(31))
    with pytest.raises(TooFewSentencesError, match="31 different sentences; it needs 33"):
        shared_engine.embed(Recipe.parse(f"{bert};post=whiten"), corpus)
    assert shared_engine.embed(Recipe.parse(f"{bert};post=whiten(k=5)"), corpus).vectors.shape == (31, 5)
    assert [
        PostStep.of(c).minimum_sentences(384) for c in POST.parse("whiten+whiten(k=256)+zscore+normalize")
    ] == [
        385,
        257,
        30,
        0,
    ]


def test_a_reference_that_is_too_small_is_refused_as_such(shared_engine, bert, tmp_path):
    (tmp_path / "small.txt").write_text("\n".join(many(9)))
    recipe = Recipe.parse(f"{bert};reference={tmp_path / 'small.txt'};post=zscore(fit=reference)")
    with pytest.raises(TooFewSentencesError, match=r"9 different.*larger reference"):
        shared_engine.embed(recipe, Corpus.of_texts("many", many(60)))


@pytest.mark.parametrize("rows", [31, 400])
def test_robust_scaling_is_scikit_learns(rows):
    x = np.random.default_rng(rows).normal(size=(rows, 6)).astype(np.float32) * [1, 10, 0.1, 1, 1, 1]
    x[:, 4], x[:, 5] = 3.0, np.arange(rows) == 0  # no range, and a range of 0 with one value elsewhere
    x = x.astype(np.float32)
    ours = POST.bind(Choice("robust"))().fit(x)
    theirs = RobustScaler().fit(x)
    np.testing.assert_allclose(ours.transform(x), theirs.transform(x), rtol=1e-5, atol=1e-6)
    assert ours.transform(x).dtype == np.float32


FEW = np.random.default_rng(3).normal(size=(40, 200)) * np.linspace(1, 3, 200) + 0.5


@pytest.mark.parametrize(
    ("step", "directions"),
    [
        (AllButTheTop(d=5), np.linalg.svd(FEW - FEW.mean(axis=0))[2][:5]),
        (CommonComponents(d=5), np.linalg.svd(FEW)[2][:5]),
    ],
)
def test_directions_of_fewer_rows_than_columns_are_the_singular_ones(step, directions):
    found = step.fit(FEW).components_
    assert found.shape == (200, 5)
    np.testing.assert_allclose(found @ found.T, directions.T @ directions, atol=1e-9)


def test_whitening_of_fewer_rows_than_columns_gives_unit_variance_in_all_directions_there_are():
    whitened = Whitening().fit(FEW).transform(FEW)
    assert whitened.shape == (40, 39)
    np.testing.assert_allclose(whitened.T @ whitened / 40, np.eye(39), atol=1e-8)


def test_rows_that_are_all_the_same_have_no_direction():
    same = np.ones((3, 8))
    assert AllButTheTop(d=2).fit(same).components_.shape == (8, 0)
    np.testing.assert_array_equal(AllButTheTop(d=2).fit(same).transform(same), np.zeros((3, 8)))


def test_vectors_of_many_thousand_columns_are_learnt_from_by_their_rows():
    wide = np.random.default_rng(4).normal(size=(30, 20_000)).astype(np.float32)
    left = CommonComponents(d=1).fit(wide).transform(wide)
    lost = np.linalg.norm(wide, 2) - np.linalg.norm(left, 2)
    assert lost == pytest.approx(np.subtract(*np.linalg.svd(wide, compute_uv=False)[:2]), abs=1e-2)


@pytest.mark.parametrize(
    ("step", "said"),
    [
        (
            "whiten(k=1000)",
            "post=whiten(k): got 1,000; the vectors have 32 dimensions, so k is at most 32: all in which ",
        ),
        (
            "pccr(m=33)",
            "post=pccr(m): got 33; the vectors have 32 dimensions, so m is at most 32: all in which ",
        ),
        (
            "abtt(d=32)",
            "post=abtt(d): got 32; the vectors have 32 dimensions, and all are taken away: every ",
        ),
        (
            "ccr(d=90)",
            "post=ccr(d): got 90; the vectors have 32 dimensions, and all are taken away: every ",
        ),
        ("whiten(k=4)+abtt(d=4)", "post=abtt(d): got 4; the vectors have 4 dimensions, and all are taken"),
    ],
)
def test_more_directions_than_vectors_have_are_told(shared_engine, bert, step, said):
    corpus = Corpus.of_texts("forty", many(40))
    (note,) = shared_engine.embed(Recipe.parse(f"{bert};post={step}"), corpus).notes
    assert note.startswith(said)


@pytest.mark.parametrize("step", ["whiten(k=32)", "whiten", "pccr(m=32)", "abtt(d=31)", "ccr(d=31)"])
def test_as_many_directions_as_vectors_have_need_no_word(shared_engine, bert, step):
    corpus = Corpus.of_texts("forty", many(40))
    assert shared_engine.embed(Recipe.parse(f"{bert};post={step}"), corpus).notes == ()


@pytest.mark.parametrize(
    ("step", "name"), [("whiten(k=32)", "k"), ("abtt(d=31)", "d"), ("pccr(m=40)", "m")]
)
def test_what_learns_more_directions_than_sentences_allow_says_how_many(shared_engine, bert, step, name):
    corpus = Corpus.of_texts("thirty", many(31))
    with pytest.raises(
        TooFewSentencesError, match=f"Of so many {name} is at most 30. Learn it from the ref"
    ):
        shared_engine.embed(Recipe.parse(f"{bert};post={step}"), corpus)
