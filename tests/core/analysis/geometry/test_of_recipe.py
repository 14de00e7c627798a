"""A recipe's space on a corpus: the same numbers as by hand, kept, and what is missing is NaN."""

import math
import threading

import numpy as np
import pytest

from core import threads as limits
from core.analysis.geometry import alignment_uniformity, measures, of_recipe
from core.analysis.geometry.of_recipe import (
    at_layer,
    by_layer,
    by_sample_size,
    changed_stages,
    has_layers,
    isotropy,
    measure_recipe,
    suggested,
)
from core.analysis.geometry.ratings import DEFINITIONS
from core.corpora.corpus import Corpus
from core.errors import RecipeError
from core.evaluation.isotropy import average_cosine, iso_score
from core.evaluation.sts import evaluate
from core.pipeline.engine import Engine
from core.progress import Step
from core.recipe import Recipe
from core.settings import Settings
from tests.core.helpers import tiny
from tests.core.helpers.texts import many


def last(bert: str) -> Recipe:
    return Recipe.parse(f"{bert};layers=last")


def test_a_place_is_what_its_definitions_say(shared_engine, bert, scored):
    recipe = last(bert)
    found = measure_recipe(shared_engine, recipe, scored)
    similarities, embedded = shared_engine.similarities(recipe, scored)
    x = embedded.vectors.astype(np.float64)
    every = np.concatenate([scored.first, scored.second])
    for name, definition in DEFINITIONS.items():
        rows = x
        if definition.normalised:
            rows = x / np.linalg.norm(x, axis=1, keepdims=True)
        positive = [g > 4 if definition.normalised else g == 5 for g in scored.gold]
        distances = [
            ((rows[i] - rows[j]) ** 2).sum()
            for i, j, good in zip(scored.first, scored.second, positive, strict=True)
            if good
        ]
        assert found.alignment[name] == pytest.approx(np.mean(distances), rel=1e-6)
        kernel = [
            math.exp(-2 * ((rows[every[i]] - rows[every[j]]) ** 2).sum())
            for i in range(len(every))
            for j in range(i)
        ]
        assert found.uniformity[name] == pytest.approx(math.log(np.mean(kernel)), rel=1e-5)
    score = evaluate(similarities, scored)
    assert (found.spearman, found.low, found.high) == (score.spearman, score.low, score.high)
    assert found.iso_score == iso_score(embedded.vectors)
    assert found.average_cosine == average_cosine(embedded.vectors)
    assert found.dim == tiny.WIDTH


def test_what_was_measured_is_found_again_in_another_process(settings, bert, scored, monkeypatch):
    recipe = last(bert)
    first = (
        measure_recipe(Engine(settings), recipe, scored),
        isotropy(Engine(settings), recipe, scored),
        by_sample_size(Engine(settings), recipe, scored),
    )

    def never(*_):
        raise AssertionError("computed again")

    monkeypatch.setattr(Engine, "embed", never)
    again = Engine(Settings(cache=settings.cache))
    found = measure_recipe(again, recipe, scored)
    assert (found.alignment, found.uniformity) == (first[0].alignment, first[0].uniformity)
    assert found.spearman == first[0].spearman
    isotropic = isotropy(again, recipe, scored)
    for name, value in vars(first[1]).items():
        np.testing.assert_array_equal(getattr(isotropic, name), value)
        assert type(getattr(isotropic, name)) is type(value)
    np.testing.assert_array_equal(by_sample_size(again, recipe, scored).iso_score, first[2].iso_score)


def test_other_recipes_and_corpora_are_other_entries(engine, bert, scored):
    recipe = last(bert)
    one = measure_recipe(engine, recipe, scored)
    assert measure_recipe(engine, recipe.replace(post="zscore"), scored).iso_score != one.iso_score
    assert measure_recipe(engine, recipe.replace(similarity="dot"), scored).spearman != one.spearman
    other = Corpus.of_pairs("other", many(80)[20::2], many(80)[21::2], [0, 1, 5] * 10)
    assert measure_recipe(engine, recipe, other).iso_score != one.iso_score
    assert isotropy(engine, recipe, other).average_cosine != isotropy(engine, recipe, scored).average_cosine


def test_every_layer_is_measured_alone(shared_engine, bert, scored):
    recipe = Recipe.parse(f"{bert};post=centre")
    found, failed = by_layer(shared_engine, recipe, scored)
    assert failed == {}
    assert list(found) == [-1, 0, 1, 2, 3]
    for layer, one in found.items():
        name = "static" if layer == -1 else str(layer)
        vectors = shared_engine.embed(recipe.replace(layers=name), scored).vectors
        assert one.average_cosine == average_cosine(vectors)
        assert at_layer(recipe, layer) == recipe.replace(layers=name)
    similar, _ = by_layer(shared_engine, recipe.replace(similarity="dot"), scored)
    assert similar[2].iso_score == found[2].iso_score


def test_the_last_layer_and_its_number_are_measured_and_kept_once(engine, bert, scored, monkeypatch):
    assert engine.embed(last(bert), scored).vectors is engine.embed(at_layer(last(bert), 3), scored).vectors
    named = isotropy(engine, last(bert), scored)
    monkeypatch.setattr(measures, "isotropy", None)
    assert isotropy(engine, at_layer(last(bert), 3), scored).iso_score == named.iso_score


def test_layers_are_measured_at_once_and_stopped_together(engine, bert, scored, monkeypatch):
    class Stop(BaseException):
        pass

    monkeypatch.setattr(limits, "cores", lambda: 2)
    threads, told = set(), []

    def progress(step: Step) -> None:
        if not step.what.startswith("Measuring isotropy"):
            return
        told.append(step)
        threads.add(threading.get_ident())
        if len(told) > 1:
            raise Stop

    with pytest.raises(Stop):
        by_layer(engine, last(bert), scored, progress)
    assert threads
    assert threading.get_ident() not in threads
    monkeypatch.setattr(limits, "cores", lambda: 1)
    alone, _ = by_layer(engine, last(bert), scored)
    assert list(alone) == [-1, 0, 1, 2, 3]


def test_what_is_stored_of_all_layers_is_known_beforehand(engine, bert, scored):
    recipe = Recipe.parse(f"{bert};layers=last;pool=gem")
    isotropy(engine, at_layer(recipe, 1), scored)
    assert not has_layers(engine, recipe, scored)
    by_layer(engine, recipe, scored)
    assert has_layers(engine, recipe.replace(layers="all"), scored)
    assert not has_layers(engine, recipe.replace(pool="mean"), scored)


def test_a_layer_that_cannot_follow_has_a_reason(shared_engine, model, scored):
    electra = Recipe.parse(f"source={model('electra')};layers=last;post=whiten(k=59)")
    found, _ = by_layer(shared_engine, electra, scored)
    assert next(iter(found)) == -1, "static rows are narrower, and fewer columns need fewer sentences"
    few = Corpus.of_pairs("few", many(10)[::2], many(10)[1::2], [0, 1, 2, 3, 5])
    found, failed = by_layer(shared_engine, electra, few)
    assert found == {}
    assert all("would be learnt from 10 different sentences" in why for why in failed.values())


def test_token_tables_have_one_layer(shared_engine, scored):
    found, failed = by_layer(shared_engine, Recipe.parse("source=random(dim=16)"), scored)
    assert list(found) == [-1]
    assert failed == {}


@pytest.mark.parametrize("family", ["gpt2", "xlnet", "llama"])
def test_decoders_and_others_are_measured(shared_engine, model, scored, family):
    recipe = Recipe.parse(f"source={model(family)}")
    found, _ = by_layer(shared_engine, recipe, scored)
    assert len(found) == tiny.DEPTH + 2
    for layer, measured in found.items():
        vectors = shared_engine.embed(at_layer(recipe, layer), scored).vectors
        assert measured.iso_score == pytest.approx(iso_score(vectors))
    expected = evaluate(shared_engine.similarities(recipe, scored)[0], scored).spearman
    assert measure_recipe(shared_engine, recipe, scored).spearman == expected


def test_samples_grow_to_all_sentences(shared_engine, bert, scored):
    found = by_sample_size(shared_engine, last(bert), scored)
    assert found.sizes[0] == 10
    assert found.sizes[-1] == len(scored.sentences)
    assert found.iso_score[-1] == pytest.approx(isotropy(shared_engine, last(bert), scored).iso_score)
    assert found.isotropic[3] == measures.isotropic_iso_score(int(found.sizes[3]), tiny.WIDTH)
    assert (np.diff(found.sizes) > 0).all()


def test_no_gold_no_positives_and_one_sentence_are_missing_numbers(shared_engine, bert):
    texts = measure_recipe(shared_engine, last(bert), Corpus.of_texts("texts", many(40)))
    assert math.isnan(texts.spearman)
    assert all(math.isnan(value) for value in texts.alignment.values())
    vectors = shared_engine.embed(last(bert), Corpus.of_texts("texts", many(40))).vectors
    assert texts.uniformity["normalised"] == pytest.approx(
        alignment_uniformity.uniformity(vectors, normalised=True)
    )
    assert all(math.isfinite(value) for value in texts.uniformity.values())
    assert texts.iso_score == pytest.approx(iso_score(vectors))
    low = Corpus.of_pairs("low", many(40)[::2], many(40)[1::2], [0, 1, 2, 3] * 5)
    found = measure_recipe(shared_engine, last(bert), low)
    assert math.isnan(found.alignment["normalised"])
    similarities, _ = shared_engine.similarities(last(bert), low)
    assert found.spearman == pytest.approx(evaluate(similarities, low, intervals=False).spearman)
    constant = Corpus.of_pairs("constant", many(40)[::2], many(40)[1::2], [5.0] * 20)
    found = measure_recipe(shared_engine, last(bert), constant)
    vectors = shared_engine.embed(last(bert), constant).vectors
    pairs = vectors[constant.first], vectors[constant.second]
    assert found.alignment["normalised"] == pytest.approx(
        alignment_uniformity.alignment(*pairs, normalised=True)
    )
    assert math.isnan(found.spearman)
    one = Corpus.of_texts("one", many(1))
    found = measure_recipe(shared_engine, last(bert), one)
    assert math.isnan(found.uniformity["normalised"])
    assert isotropy(shared_engine, last(bert), one).sentences == 1
    assert by_sample_size(shared_engine, last(bert), one).sizes.tolist() == [1]


def test_the_same_vector_everywhere(shared_engine, bert, scored):
    recipe = Recipe.parse(f"{bert};layers=0;pool=cls")
    found = measure_recipe(shared_engine, recipe, scored)
    assert math.isnan(found.iso_score)
    assert math.isnan(found.spearman)
    assert found.alignment["normalised"] == pytest.approx(0, abs=1e-9)
    assert found.average_cosine == pytest.approx(1)


def test_suggestions_keep_source_template_and_reference(bert):
    recipe = Recipe.parse(f"{bert};template=T0;tokens=mask;layers=2;post=whiten;reference=other")
    base, variants = suggested(recipe)
    assert base.source == recipe.source
    assert base.template == recipe.template
    assert base.reference == recipe.reference
    assert (base.post, base.tokens.name) == ((), "all")
    assert len(set(variants)) == len(variants) == len(of_recipe.SUGGESTED)
    assert base not in variants
    assert [changed_stages(base, one) for one in variants][-2:] == ["idf", "idf, zscore"]


@pytest.mark.parametrize(
    ("recipe", "words"),
    [
        ("", "no change"),
        ("layers=last", "layers=last"),
        ("pool=max;similarity=dot", "max, similarity=dot"),
        ("weight=sif;post=ccr", "sif, ccr"),
        ("tokens=content", "tokens=content"),
    ],
)
def test_recipes_are_named_by_what_they_change(recipe, words):
    assert changed_stages(Recipe(), Recipe.parse(recipe)) == words
    if "post" in recipe:
        assert changed_stages(Recipe.parse(recipe), Recipe()) == "uniform, post=none"


def test_a_recipe_that_cannot_be_run_raises(shared_engine, bert, scored):
    with pytest.raises(RecipeError, match="no layer 9"):
        measure_recipe(shared_engine, Recipe.parse(f"{bert};layers=9"), scored)
