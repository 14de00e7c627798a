"""Whitening for every k from one rotation: the same as the engine with that k, β and γ."""

from dataclasses import astuple, replace

import numpy as np
import pytest

from core.analysis.geometry import whitening_curve
from core.analysis.geometry.whitening_curve import (
    SIMILARITIES,
    cosines,
    curve,
    dimensions,
    rotate,
    similarities,
    steps,
    unwhitened,
    whitened,
)
from core.corpora.corpus import Corpus
from core.errors import CorpusError, RecipeError, TooFewSentencesError
from core.evaluation.statistics import spearman
from core.evaluation.sts import compare
from core.recipe import POST, Recipe
from tests.core.helpers.texts import many, pairs


def recipe(bert: str, more: str = "") -> Recipe:
    return Recipe.parse(f"{bert};layers=last{';' if more else ''}{more}")


@pytest.mark.parametrize("similarity", SIMILARITIES)
@pytest.mark.parametrize(
    ("beta", "gamma"), [(1.0, 1.0), (0.0, 1.0), (1.0, 0.0), (0.4, 0.7), (2.0, 2.0), (1.0, 0.3)]
)
def test_each_similarity_is_that_of_the_recipe_in_the_engine(
    shared_engine, bert, scored, similarity, beta, gamma
):
    base = recipe(bert, f"similarity={similarity}")
    rotated = rotate(shared_engine, base, scored, beta)
    k = [1, 2, 5, 17, rotated.most]
    found = similarities(rotated, scored, k, gamma)
    for number, values in zip(k, found, strict=True):
        wanted, _ = shared_engine.similarities(whitened(base, number, beta, gamma), scored)
        np.testing.assert_allclose(
            values, wanted, atol=2e-5 * max(1, abs(wanted).max()), err_msg=str(number)
        )


def test_cosines_of_the_bundled_encoder_agree_to_a_millionth(shared_engine):
    corpus = shared_engine.corpus("demo")
    for beta, gamma in ((1.0, 1.0), (0.5, 0.6)):
        rotated = rotate(shared_engine, Recipe(), corpus, beta)
        for k in (2, 64, 128, rotated.most):
            (found,) = similarities(rotated, corpus, [k], gamma)
            wanted, _ = shared_engine.similarities(whitened(Recipe(), k, beta, gamma), corpus)
            assert np.abs(found - wanted).max() < 1e-6


@pytest.mark.parametrize("similarity", SIMILARITIES)
def test_pairs_of_equal_vectors_are_ties_as_in_the_engine(shared_engine, similarity):
    demo, base = shared_engine.corpus("demo"), Recipe.parse(f"layers=static;similarity={similarity}")
    rotated = rotate(shared_engine, base, demo, 1.0)
    k = [1, 8, 128]
    for number, values in zip(k, similarities(rotated, demo, k, 1.0), strict=True):
        wanted, _ = shared_engine.similarities(whitened(base, number, 1.0, 1.0), demo)
        assert 100 * spearman(values, demo.gold) == pytest.approx(
            100 * spearman(wanted, demo.gold), abs=1e-3
        )


def test_similarities_in_blocks_are_the_same(shared_engine, bert, scored, monkeypatch):
    rotated = rotate(shared_engine, recipe(bert), scored, 1.0)
    whole = similarities(rotated, scored, [3, 9], 1.0)
    monkeypatch.setattr(whitening_curve, "_BLOCK_BYTES", 8 * 2 * 9 * 7)
    np.testing.assert_array_equal(similarities(rotated, scored, [3, 9], 1.0), whole)


def test_the_literal_formula(shared_engine, bert, scored):
    base, beta, gamma, k = recipe(bert), 0.7, 0.5, 4
    x = shared_engine.embed(base, scored).vectors.astype(np.float64)
    rows = np.concatenate([x[scored.first], x[scored.second]])
    mean = rows.mean(axis=0)
    covariance = sum(np.outer(r - beta * mean, r - beta * mean) for r in rows) / len(rows)
    values, vectors = np.linalg.eigh(covariance)
    order = np.argsort(-values)[:k]
    made = (x - beta * mean) @ vectors[:, order] * values[order] ** (-gamma / 2)
    wanted = [
        made[i] @ made[j] / np.sqrt((made[i] @ made[i]) * (made[j] @ made[j]))
        for i, j in zip(scored.first, scored.second, strict=True)
    ]
    found = similarities(rotate(shared_engine, base, scored, beta), scored, [k], gamma)[0]
    np.testing.assert_allclose(found, wanted, atol=1e-6)


def test_the_curve_holds_the_scores_and_knows_its_best(shared_engine, bert, scored):
    base = recipe(bert)
    rotated = rotate(shared_engine, base, scored, 1.0)
    found = curve(rotated, scored, 1.0)
    assert found.k == dimensions(rotated.most)
    for k, score in zip(found.k, found.spearman, strict=True):
        values, _ = shared_engine.similarities(found.whitened(k), scored)
        if k > 1:
            assert score == pytest.approx(100 * spearman(values, scored.gold), abs=0.3)
    assert found.best.spearman == np.nanmax(found.spearman)
    assert found.spearman[found.k.index(found.best_k)] == found.best.spearman
    assert found.best.low < found.best.spearman < found.best.high
    values, _ = shared_engine.similarities(base, scored)
    assert found.plain.spearman == pytest.approx(100 * spearman(values, scored.gold))


def test_the_cosines_of_each_step_are_those_of_the_recipe_with_that_k(shared_engine, bert, scored):
    rotated = rotate(shared_engine, recipe(bert, "similarity=dot"), scored, 0.5)
    found = curve(rotated, scored, 0.8)
    k = steps(found)
    assert {1, 2, 4, 8, found.best_k, found.k[-1]} <= set(k)
    assert list(k) == sorted(k)
    for number, values in zip(k, cosines(rotated, scored, k, 0.8), strict=True):
        by_cosine = whitened(recipe(bert), number, 0.5, 0.8)
        wanted, _ = shared_engine.similarities(by_cosine, scored)
        np.testing.assert_allclose(values, wanted, atol=2e-5)


def test_the_gain_is_paired_with_no_whitening(shared_engine, bert, scored):
    base = recipe(bert)
    made = curve(rotate(shared_engine, base, scored, 1.0), scored, 1.0)
    with_best, without = (
        shared_engine.similarities(each, scored)[0] for each in (made.whitened(made.best_k), base)
    )
    expected = compare(without, with_best, scored)
    assert made.gain.value == pytest.approx(made.best.spearman - made.plain.spearman)
    assert astuple(made.gain) == pytest.approx(astuple(expected), abs=0.5)


def test_a_whitening_at_the_end_gives_way_and_other_steps_stay(shared_engine, bert, scored):
    base = recipe(bert, "post=zscore")
    ends = recipe(bert, "post=zscore+whiten(k=3,gamma=0.5)")
    assert unwhitened(ends) == base
    assert unwhitened(base) == base
    assert unwhitened(recipe(bert, "post=whiten+zscore")) == recipe(bert, "post=whiten+zscore")
    assert str(whitened(base, 7, 1.0, 0.5)).endswith("post=zscore+whiten(k=7,gamma=0.5)")
    one, other = (rotate(shared_engine, r, scored, 1.0) for r in (base, ends))
    np.testing.assert_array_equal(one.vectors, other.vectors)


def test_numbers_of_dimensions_reach_from_one_to_all_with_the_published():
    assert dimensions(0) == ()
    assert dimensions(1) == (1,)
    assert {1, 128, 256, 384} <= set(dimensions(384))
    assert 256 not in dimensions(200)
    assert dimensions(200)[-1] == 200
    assert len(dimensions(4096)) < 45
    assert list(dimensions(768)) == sorted(set(dimensions(768)))


def test_no_more_columns_than_sentences_allow(shared_engine):
    corpus = shared_engine.corpus("demo")
    rotated = rotate(shared_engine, Recipe(), corpus, 0.0)
    assert rotated.most <= len(corpus.sentences) - 1
    shared_engine.similarities(whitened(Recipe(), rotated.most, 0.0, 1.0), corpus)


def test_the_same_cls_everywhere_has_no_curve_and_raises_nothing(shared_engine, bert, scored):
    base = Recipe.parse(f"{bert};layers=0;pool=cls")
    for beta in (1.0, 0.5):
        found = curve(rotate(shared_engine, base, scored, beta), scored, 1.0)
        assert not np.isfinite(found.plain.spearman)
        assert found.best is None or np.isfinite(found.best.spearman)


def test_what_cannot_be_done_is_refused(shared_engine, bert):
    with pytest.raises(RecipeError, match="similarity=spearman ranks all dimensions anew"):
        rotate(shared_engine, recipe(bert, "similarity=spearman"), pairs(), 1.0)
    few = Corpus.of_pairs("few", many(10)[::2], many(10)[1::2], [0, 1, 2, 3, 4])
    with pytest.raises(TooFewSentencesError, match="10 different sentences; it needs 30"):
        rotate(shared_engine, recipe(bert), few, 1.0)
    constant = Corpus.of_pairs("constant", many(40)[::2], many(40)[1::2], [3.0] * 20)
    with pytest.raises(CorpusError, match="Every gold score"):
        rotate(shared_engine, recipe(bert), constant, 1.0)
    with pytest.raises(CorpusError, match="no scored pairs"):
        rotate(shared_engine, recipe(bert), Corpus.of_texts("texts", many(40)), 1.0)


def test_a_new_edition_of_whitening_has_curves_made_anew(bert, engine, scored, monkeypatch):
    made = []

    def rotation():
        made.append(rotate(engine, Recipe.parse(bert), scored, 1.0))
        return made[-1]

    def stored():
        return whitening_curve.stored_curve(engine, Recipe.parse(bert), scored, 1.0, 1.0, rotation)

    stored()
    stored()
    assert len(made) == 1
    monkeypatch.setitem(POST.options, "whiten", replace(POST.options["whiten"], edition=9))
    stored()
    assert len(made) == 2
