"""SIF's and uSIF's removal of common directions, against the papers' arithmetic step by step."""

import numpy as np
import pytest

from core.corpora.corpus import Corpus
from core.errors import TooFewSentencesError
from core.evaluation.scoring import score
from core.recipe import POST, Recipe
from core.stages.postprocessing.principal import CommonComponents
from tests.core.helpers.texts import many


def cloud(rows: int = 80, dim: int = 6, seed: int = 0) -> np.ndarray:
    """Rows around a mean, longer in some directions than in others."""
    generator = np.random.default_rng(seed)
    return generator.normal(size=(rows, dim)) @ generator.normal(size=(dim, dim)) + 2


def directions(x: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """The first right singular vectors as rows, and their singular values; nothing is centred."""
    _, values, rows = np.linalg.svd(np.asarray(x, np.float64), full_matrices=False)
    return rows[:count], values[:count]


def ccr(x: np.ndarray, d: int, learnt: np.ndarray | None = None) -> np.ndarray:
    """Arora et al.: v - u uᵀ v for each direction u, one sentence after the other."""
    found, _ = directions(x if learnt is None else learnt, d)
    out = []
    for vector in np.asarray(x, np.float64):
        rest = vector.copy()
        for u in found:
            rest = rest - np.outer(u, u) @ vector
        out.append(rest)
    return np.array(out)


def pccr(x: np.ndarray, m: int, learnt: np.ndarray | None = None) -> np.ndarray:
    """Ethayarajh's program: the directions one after the other, each from what the last one left."""
    found, values = directions(x if learnt is None else learnt, m)
    vectors = list(np.asarray(x, np.float64))
    for u, value in zip(found, values, strict=True):
        share = value**2 / (values**2).sum()
        vectors = [vector - share * (vector @ u) * u for vector in vectors]
    return np.array(vectors)


def after(step: str, x: np.ndarray, learnt: np.ndarray | None = None) -> np.ndarray:
    (choice,) = POST.parse(step)
    return np.asarray(POST.bind(choice)().fit(x if learnt is None else learnt).transform(x))


# -- by definition -----------------------------------------------------------------------------------


@pytest.mark.parametrize("d", [1, 2, 3, 5])
def test_ccr_takes_the_first_singular_directions_away(d):
    x = cloud()
    found = after(f"ccr(d={d})", x)
    np.testing.assert_allclose(found, ccr(x, d), atol=1e-9)
    u, _ = directions(x, d)
    np.testing.assert_allclose(found @ u.T, 0, atol=1e-9)
    assert np.linalg.matrix_rank(found, tol=1e-6) == 6 - d


@pytest.mark.parametrize("m", [1, 2, 3, 5, 6])
def test_pccr_takes_of_each_direction_its_share(m):
    x = cloud()
    np.testing.assert_allclose(after(f"pccr(m={m})", x), pccr(x, m), atol=1e-9)


def test_by_hand():
    """Squared singular values 9 and 1 on the axes: nine tenths of the one, a tenth of the other."""
    x = np.array([[3.0, 0, 0], [0, 1, 0]])
    np.testing.assert_allclose(after("ccr", x), [[0, 0, 0], [0, 1, 0]], atol=1e-12)
    np.testing.assert_allclose(after("pccr(m=1)", x), [[0, 0, 0], [0, 1, 0]], atol=1e-12)
    np.testing.assert_allclose(after("pccr(m=2)", x), [[0.3, 0, 0], [0, 0.9, 0]], atol=1e-12)
    np.testing.assert_allclose(after("pccr", x), [[0.3, 0, 0], [0, 0.9, 0]], atol=1e-12)


def test_defaults_are_those_of_the_papers():
    x = cloud(dim=9)
    np.testing.assert_array_equal(after("ccr", x), after("ccr(d=1)", x))
    np.testing.assert_array_equal(after("pccr", x), after("pccr(m=5)", x))


def test_nothing_is_centred():
    """A cloud far from 0 loses its mean's direction and keeps what its spread has outside of it."""
    x = np.random.default_rng(0).normal(size=(500, 3)) * [1, 3, 2] + [100, 0, 0]
    found = after("ccr", x)
    assert (np.abs(found).max(axis=0) > 1).tolist() == [False, True, True]
    assert np.abs(after("abtt(d=1)", x)[:, 1]).max() < 1  # which is centred, and loses the largest spread


def test_one_after_the_other_is_all_at_once():
    """The directions are orthogonal, so the order of their removal makes no difference."""
    x = cloud()
    found, values = directions(x, 4)
    shares = values**2 / (values**2).sum()
    at_once = x - (x @ found.T * shares) @ found
    np.testing.assert_allclose(pccr(x, 4), at_once, atol=1e-12)
    np.testing.assert_allclose(after("pccr(m=4)", x), at_once, atol=1e-9)


@pytest.mark.parametrize("step", ["ccr(d=2)", "pccr(m=3)"])
def test_other_rows_lose_the_directions_that_were_learnt(step):
    learnt, x = cloud(seed=1), cloud(20, seed=2)
    by_hand = {"ccr(d=2)": ccr(x, 2, learnt), "pccr(m=3)": pccr(x, 3, learnt)}[step]
    np.testing.assert_allclose(after(step, x, learnt), by_hand, atol=1e-9)
    assert np.abs(by_hand - after(step, x)).max() > 0.01


@pytest.mark.parametrize("step", ["ccr(d=2)", "pccr(m=3)"])
def test_repeated_rows_count_as_often_as_they_stand_there(step):
    x = cloud(30)
    often = np.vstack([x, np.repeat(x[:1], 50, axis=0)])
    by_hand = {"ccr(d=2)": ccr(x, 2, often), "pccr(m=3)": pccr(x, 3, often)}[step]
    np.testing.assert_allclose(after(step, x, often), by_hand, atol=1e-9)
    assert np.abs(by_hand - after(step, x)).max() > 0.01


def test_float32_rows_stay_float32():
    x = cloud().astype(np.float32)
    for step, by_hand in (("ccr(d=2)", ccr(x, 2)), ("pccr(m=5)", pccr(x, 5))):
        found = after(step, x)
        assert found.dtype == np.float32
        np.testing.assert_allclose(found, by_hand, atol=1e-4)


# -- the edges ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("d", [6, 7, 1000])
def test_as_many_directions_as_dimensions_leave_nothing(d):
    np.testing.assert_array_equal(after(f"ccr(d={d})", cloud().astype(np.float32)), 0)


@pytest.mark.parametrize("rows", [200, 40])  # more than columns, and fewer
@pytest.mark.parametrize(("step", "rank"), [("ccr", 1), ("ccr(d=3)", 2), ("pccr(m=1)", 1)])
def test_as_many_directions_as_hold_anything_leave_nothing(step, rank, rows):
    generator = np.random.default_rng(0)
    x = (generator.normal(size=(rows, rank)) @ generator.normal(size=(rank, 64))).astype(np.float32)
    np.testing.assert_array_equal(after(step, x), 0)
    other = generator.normal(size=x.shape).astype(np.float32)
    for size in (1, 1e-3):  # what was not learnt from is left, and what is small too
        assert (np.abs(after(step, x + np.float32(size) * other, x)).max(axis=1) > size / 10).all()


@pytest.mark.parametrize("m", [6, 7, 1000])
def test_more_shares_than_dimensions_are_those_of_all(m):
    np.testing.assert_allclose(after(f"pccr(m={m})", cloud()), pccr(cloud(), 6), atol=1e-9)


@pytest.mark.parametrize("step", ["ccr", "ccr(d=3)", "pccr(m=1)", "pccr"])
def test_rows_that_are_all_the_same_leave_nothing(step):
    x = np.tile(np.array([1.0, -2, 3, 0.5], np.float32), (40, 1))
    with np.errstate(all="raise", under="ignore"):
        np.testing.assert_array_equal(after(step, x), 0)


@pytest.mark.parametrize("step", ["ccr", "ccr(d=3)", "pccr(m=1)", "pccr"])
def test_zero_rows_stay_zero_and_teach_nothing(step):
    zeros = np.zeros((40, 4), np.float32)
    with np.errstate(all="raise", under="ignore"):
        np.testing.assert_array_equal(after(step, zeros), 0)
        x = cloud(dim=4)
        np.testing.assert_array_equal(after(step, x, zeros), x)
        np.testing.assert_allclose(after(step, x, np.vstack([x, zeros])), after(step, x), atol=1e-9)


@pytest.mark.parametrize("step", ["ccr", "pccr", "abtt"])
def test_a_row_that_is_not_finite_does_not_become_zero(step):
    x = cloud()
    found = after(step, np.vstack([x[:2], np.full((1, 6), np.nan)]), x)
    assert np.isnan(found).all(axis=1).tolist() == [False, False, True]


def test_the_input_is_not_modified():
    x = cloud()
    kept = x.copy()
    for weighted in (False, True):
        CommonComponents(2, weighted).fit(x).transform(x)
    np.testing.assert_array_equal(x, kept)


# -- in the engine -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("step", "by_hand"), [("ccr(d=2)", ccr), ("pccr(m=2)", pccr)])
def test_the_target_teaches_with_its_repeats(step, by_hand, shared_engine, bert):
    texts = many(40)
    corpus = Corpus.of_texts("often", [*texts, *texts[:1] * 60])
    plain = shared_engine.embed(Recipe.parse(bert), corpus).vectors
    found = shared_engine.embed(Recipe.parse(f"{bert};post={step}"), corpus).vectors
    np.testing.assert_allclose(found, by_hand(plain, 2, plain[corpus.positions]), atol=1e-4)
    assert np.abs(found - by_hand(plain, 2)).max() > 1e-3


@pytest.mark.parametrize(("step", "by_hand"), [("ccr(d=2,", ccr), ("pccr(m=2,", pccr)])
def test_a_reference_teaches_with_its_repeats(step, by_hand, shared_engine, bert, tmp_path):
    path = tmp_path / "reference.txt"
    texts = [f"so {text}" for text in many(50)]
    path.write_text("\n".join([*texts, *texts[:2] * 30]))
    recipe = Recipe.parse(f"{bert};reference={path}")
    reference, target = shared_engine.corpus(str(path), "all"), Corpus.of_texts("two", many(2))
    theirs, plain = (shared_engine.embed(recipe, c).vectors for c in (reference, target))
    found = shared_engine.embed(recipe.replace(post=f"{step}fit=reference)"), target).vectors
    np.testing.assert_allclose(found, by_hand(plain, 2, theirs[reference.positions]), atol=1e-4)


def test_sif_with_its_removal_is_the_whole_method(shared_engine, bert, scored):
    """Weighted means, less the first direction of all of them."""
    weighted = Recipe.parse(f"{bert};layers=last;weight=sif")
    plain = shared_engine.embed(weighted, scored).vectors
    found, embedded = shared_engine.similarities(weighted.replace(post="ccr"), scored)
    expected = ccr(plain, 1, plain[scored.positions])
    np.testing.assert_allclose(embedded.vectors, expected, atol=1e-4)
    u, v = expected[scored.first], expected[scored.second]
    cosines = (u * v).sum(axis=1) / np.linalg.norm(u, axis=1) / np.linalg.norm(v, axis=1)
    np.testing.assert_allclose(found, cosines, atol=1e-4)


@pytest.mark.parametrize("step", ["ccr", "abtt", "pccr"])
def test_sentences_that_are_all_alike_have_no_score(step, shared_engine, bert, scored):
    found = score(shared_engine, Recipe.parse(f"{bert};layers=0;pool=cls;post={step}"), scored)
    assert not found.similarities.any()
    assert "All similarities are equal" in found.score.problem


@pytest.mark.parametrize("step", ["ccr", "pccr"])
def test_thirty_sentences_are_needed(step, shared_engine, bert):
    with pytest.raises(TooFewSentencesError, match=f"post={step} .*29 different sentences; it needs 30"):
        shared_engine.embed(Recipe.parse(f"{bert};post={step}"), Corpus.of_texts("few", many(29)))
