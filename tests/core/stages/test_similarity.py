"""Similarities equal scipy's distances, depend on two vectors alone, and a zero vector makes no trouble."""

from collections import defaultdict
from fractions import Fraction

import numpy as np
import pytest
import scipy.spatial.distance as distance
import scipy.stats

from core.corpora.corpus import Corpus
from core.evaluation.scoring import score
from core.evaluation.statistics import spearman
from core.recipe import SIMILARITY, Recipe

U, V = np.random.default_rng(0).normal(size=(2, 6, 20)).astype(np.float32)


@pytest.mark.parametrize(
    ("name", "expected_of"),
    [
        ("cosine", lambda u, v: 1 - distance.cosine(u, v)),
        ("dot", np.dot),
        ("euclidean", lambda u, v: -distance.euclidean(u, v)),
        ("manhattan", lambda u, v: -distance.cityblock(u, v)),
        ("spearman", lambda u, v: scipy.stats.spearmanr(u, v).statistic),
    ],
)
def test_a_similarity_is_that_of_scipy(name, expected_of):
    compare = SIMILARITY.bind(SIMILARITY.parse(name))
    expected = [expected_of(u, v) for u, v in zip(U.astype(float), V.astype(float), strict=True)]
    np.testing.assert_allclose(compare(U, V), expected, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("option", [option.name for option in SIMILARITY])
def test_higher_is_closer_and_the_order_of_the_two_does_not_matter(option):
    compare = SIMILARITY.bind(SIMILARITY.parse(option))
    unit = U / np.linalg.norm(U, axis=1, keepdims=True)
    near, far = unit + 0.01 * V, -unit
    assert (compare(unit, near) > compare(unit, far)).all()
    np.testing.assert_array_equal(compare(U, V), compare(V, U))


@pytest.mark.parametrize(
    ("name", "from_zero"),
    [
        ("cosine", np.zeros(6)),
        ("dot", np.zeros(6)),
        ("euclidean", -np.sqrt((U.astype(float) ** 2).sum(axis=1))),
        ("manhattan", -np.abs(U.astype(float)).sum(axis=1)),
        ("spearman", np.zeros(6)),
    ],
)
def test_the_similarity_with_a_zero_vector(name, from_zero):
    compare, zero = SIMILARITY.bind(SIMILARITY.parse(name)), np.zeros_like(U)
    np.testing.assert_allclose(compare(U, zero), from_zero, rtol=1e-12)
    assert compare(zero, zero).tolist() == [0.0] * 6


@pytest.mark.parametrize("option", [option.name for option in SIMILARITY])
def test_the_similarity_with_a_vector_that_is_not_finite_is_not_finite(option):
    broken = np.where(np.arange(20) == 3, np.nan, U)
    assert np.isnan(SIMILARITY.bind(SIMILARITY.parse(option))(broken, V)).all()


@pytest.mark.parametrize("option", [option.name for option in SIMILARITY])
@pytest.mark.parametrize("dim", [3, 55, 384])
def test_a_similarity_depends_on_its_two_vectors_alone(option, dim):
    """To the bit: not on the other pairs, their order, or how the arrays lie in memory."""
    u, v = np.random.default_rng(1).normal(size=(2, 200, dim)).astype(np.float32)
    compare = SIMILARITY.bind(SIMILARITY.parse(option))
    together = compare(u, v)
    alone = [compare(u[i : i + 1], v[i : i + 1])[0] for i in range(len(u))]
    np.testing.assert_array_equal(together, alone)
    np.testing.assert_array_equal(together[::-1], compare(u[::-1], v[::-1]))
    np.testing.assert_array_equal(together, compare(np.asfortranarray(u), np.asfortranarray(v)))
    strided = np.stack([v, u, v], axis=1)
    np.testing.assert_array_equal(together, compare(strided[:, 1], strided[:, 2]))


def test_a_vector_has_the_cosine_1_with_itself_exactly():
    u = np.random.default_rng(2).normal(size=(500, 384)).astype(np.float32)
    for name in ("cosine", "spearman"):
        assert SIMILARITY.bind(SIMILARITY.parse(name))(u, u).tolist() == [1.0] * 500


def _sums_in_two_orders(count, dim=384, tokens=12):
    """Sums of the same float32 vectors in two orders, as of "man bites dog" and "dog bites man"."""
    rng = np.random.default_rng(5)
    states = rng.normal(size=(count, tokens, dim)).astype(np.float32)
    sums = []
    for order in (np.arange(tokens), rng.permutation(tokens)):
        total = np.zeros((count, dim), np.float32)
        for token in order:
            total += states[:, token]
        sums.append(total)
    return sums


@pytest.mark.parametrize(("name", "equal"), [("cosine", 1), ("euclidean", 0), ("manhattan", 0)])
@pytest.mark.parametrize("scale", [1e-6, 1, 1e6])
def test_vectors_that_differ_by_the_order_of_their_sums_are_equally_similar(name, equal, scale):
    u, v = (np.float32(scale) * side for side in _sums_in_two_orders(200))
    assert (u != v).any(axis=1).all()
    assert set(SIMILARITY.bind(SIMILARITY.parse(name))(u, v).tolist()) == {equal}


@pytest.mark.parametrize("name", ["cosine", "euclidean", "manhattan"])
def test_what_is_more_than_rounding_stays_a_difference(name):
    rng = np.random.default_rng(6)
    u = rng.normal(size=(50, 384))
    away = rng.normal(size=(50, 384))
    compare = SIMILARITY.bind(SIMILARITY.parse(name))
    found = np.array([compare(u, u + step * away) for step in (0, 1e-5, 2e-5, 1e-3, 2e-3)])
    assert (np.diff(found, axis=0) < 0).all()


@pytest.mark.parametrize("similarity", ["cosine", "euclidean", "manhattan"])
@pytest.mark.parametrize("weighed", ["pool=mean", "weight=norm;pool=mean"])
def test_the_order_of_words_moves_no_rank_where_a_source_knows_none(shared_engine, weighed, similarity):
    """Pairs of the same words are one tie, not ranked by the order in which their vectors were added."""
    words = "a small dog of the old man runs after seven grey cats".split()
    rng = np.random.default_rng(7)
    gold = rng.normal(size=9).tolist()
    recipe = Recipe.parse(f"source=random(dim=24);{weighed};similarity={similarity}")
    found = []
    for _ in range(4):
        same = [[" ".join(rng.permutation(words[:k])) for k in range(3, 10)] for _ in range(2)]
        sides = [[*same[0], "a dog", "seven cats"], [*same[1], "grey cats", "the man"]]
        found.append(score(shared_engine, recipe, Corpus.of_pairs("same words", *sides, gold)))
    assert {len(set(scored.similarities[:7].tolist())) for scored in found} == {1}
    assert len({scored.score.spearman for scored in found}) == 1


@pytest.mark.parametrize(("dim", "values"), [(6, 3), (10, 4), (55, 3)])
def test_rank_correlations_that_are_equal_fractions_are_equal_numbers(dim, values):
    """Vectors with many ties (S3E's are mostly 0) give one correlation in many ways."""
    u, v = np.random.default_rng(3).integers(0, values, (2, 3000, dim)).astype(np.float32)
    found = SIMILARITY.bind(SIMILARITY.parse("spearman"))(u, v)
    of_fraction = defaultdict(set)
    for a, b, similarity in zip(u, v, found.tolist(), strict=True):
        x, y = ((2 * scipy.stats.rankdata(w) - dim - 1).astype(int).tolist() for w in (a, b))
        xy, xx, yy = (sum(i * j for i, j in zip(p, q, strict=True)) for p, q in ((x, y), (x, x), (y, y)))
        of_fraction[Fraction(xy * abs(xy), xx * yy or 1)].add(similarity)
    assert len(of_fraction) < len(found)
    assert max(map(len, of_fraction.values())) == 1
    ordered = [of_fraction[fraction].pop() for fraction in sorted(of_fraction)]
    assert (np.diff(ordered) > 0).all()


@pytest.mark.parametrize("pool", ["s3e(k=4)", "s3e(k=7,seed=2)", "mean"])
def test_a_score_is_that_of_the_embedded_vectors_in_any_order(shared_engine, scored, pool):
    recipe = Recipe.parse(f"source=random(dim=24);pool={pool};similarity=spearman")
    expected = score(shared_engine, recipe, scored).score.spearman
    order = np.random.default_rng(4).permutation(len(scored))
    sides = [[scored.sentences[i] for i in side[order]] for side in (scored.first, scored.second)]
    shuffled = Corpus.of_pairs("shuffled", *sides, scored.gold[order].tolist())
    assert score(shared_engine, recipe, shuffled).score.spearman == expected
    vectors = shared_engine.embed(recipe, shuffled).vectors
    u, v = (vectors[shuffled.rows_of(side)] for side in sides)
    compare = SIMILARITY.bind(recipe.similarity)
    one_by_one = np.array([compare(a[None], b[None])[0] for a, b in zip(v, u, strict=True)])
    assert 100 * spearman(one_by_one, shuffled.gold) == expected


def test_cosine_is_exact_for_tiny_and_huge_vectors():
    compare = SIMILARITY.bind(SIMILARITY.parse("cosine"))
    for scale in (1e-30, 1e30):
        np.testing.assert_allclose(compare(U * np.float32(scale), U), 1, atol=1e-6)
    assert compare(np.zeros_like(U), U).tolist() == [0] * 6
