"""A recipe in a pipeline of scikit-learn, and as an encoder of mteb."""

import pickle
from dataclasses import replace

import mteb
import numpy as np
import pytest
from datasets import Dataset, DatasetDict
from mteb.abstasks.classification import AbsTaskClassification
from mteb.abstasks.sts import AbsTaskSTS
from sentence_transformers import SentenceTransformer
from sklearn.base import clone
from sklearn.exceptions import NotFittedError, SkipTestWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.utils import estimator_checks

from core.corpora.corpus import Corpus
from core.errors import CorpusError, RecipeError, TooFewSentencesError
from core.evaluation.scoring import score
from core.exports.estimator import SentenceVectors, engine_of
from core.exports.folder import export
from core.exports.mteb_encoder import RecipeEncoder
from core.pipeline.encode import encode
from core.pipeline.one_text import of_texts
from core.recipe import Recipe
from core.settings import Settings
from tests.core.helpers.texts import many

TRAIN, TEST = many(100)[:60], many(100)[60:]


@pytest.fixture(scope="module")
def settings(tmp_path_factory) -> Settings:
    return Settings(cache=tmp_path_factory.mktemp("estimator"))


@pytest.fixture
def vectors(bert, settings):
    """``vectors("post=zscore")``: an estimator on the tiny BERT."""
    return lambda recipe: SentenceVectors(f"{bert};{recipe}", settings)


# -- scikit-learn


def test_what_is_learnt_is_learnt_from_the_training_texts_alone(vectors):
    """idf, mean and deviation, by hand from token states; test texts teach it nothing."""
    found = vectors("layers=last;weight=idf;post=zscore").fit(TRAIN)
    engine, recipe = engine_of(found.settings), Recipe.parse(found.recipe).replace(post="none")
    every = Corpus.of_texts("all", [*TRAIN, *TEST])
    weighted = engine.weighted_states(recipe, every)
    tokens = [of_texts(weighted, [i], lambda step: None)[i] for i in range(len(every.sentences))]
    seen = [set(text.surface_forms) for text in tokens[: len(TRAIN)]]
    rows = []
    for text in tokens:
        counts = np.array([sum(form in one for one in seen) for form in text.surface_forms])
        idf = np.log(len(TRAIN) / np.maximum(counts, 1))
        rows.append((idf[:, None] * text.batch.states).sum(axis=0) / idf.sum())
    rows = np.array(rows)
    train = rows[: len(TRAIN)]
    expected = (rows - train.mean(axis=0)) / train.std(axis=0)
    np.testing.assert_allclose(found.transform(TEST), expected[len(TRAIN) :], atol=2e-4)
    np.testing.assert_allclose(found.transform(TRAIN[:5]), expected[:5], atol=2e-4)
    np.testing.assert_allclose(found.transform(TEST)[:1], found.transform(TEST[:1]), atol=2e-5)


def test_it_is_the_engine_where_it_transforms_what_it_learnt_from(vectors):
    """What it learns from its texts it learns as a corpus does: in the template, beside a reference."""
    for recipe in ("template=T0;weight=idf", "weight=idf(fit=reference);post=zscore"):
        found = vectors(recipe)
        expected = engine_of(found.settings).encode(TRAIN, Recipe.parse(found.recipe))
        np.testing.assert_allclose(found.fit_transform(TRAIN), expected, atol=1e-4)
    found = vectors("layers=0+last;weight=idf;post=whiten(k=6)")
    expected = engine_of(found.settings).encode(TRAIN, Recipe.parse(found.recipe))
    np.testing.assert_allclose(found.fit_transform(TRAIN), expected, atol=1e-5)
    assert found.get_feature_names_out().tolist()[:2] == ["sentencevectors0", "sentencevectors1"]
    assert len(found.get_feature_names_out()) == 6


def test_other_training_texts_give_other_vectors(vectors):
    one, other = (vectors("weight=idf;post=zscore").fit(texts) for texts in (TRAIN, TRAIN[10:50]))
    assert np.abs(one.transform(TEST) - other.transform(TEST)).max() > 0.01
    first, second = (
        RecipeEncoder(one.recipe, texts, one.settings).mteb_model_meta for texts in (TRAIN, TRAIN[10:50])
    )
    assert (first.name, first.revision != second.revision) == (second.name, True)


def test_which_text_comes_first_changes_nothing_where_the_source_knows_no_word_of_some(settings, tmp_path):
    """Of word vectors: a text of unknown words has the vector that it has in company."""
    file = tmp_path / "a.vec"
    file.write_text("dog 1 2 3\nruns 4 5 7\ncat 2 1 0\n")
    recipe = f"source=vectors(path={file})"
    for texts in (["dog runs", "qqq"], ["qqq", "dog runs"], ["", "cat"]):
        found = SentenceVectors(f"{recipe};post=normalize", settings).fit(texts)
        alone, known = found.transform(["qqq"]), found.transform(["qqq", "dog"])
        np.testing.assert_array_equal(alone[0], known[0])
        assert np.linalg.norm(known[1]) == pytest.approx(1)
    with pytest.raises(RecipeError, match="No sentence has any token"):
        SentenceVectors(recipe, settings).fit(["qqq", ""])
    encoder = RecipeEncoder(recipe, settings=settings)
    assert encoder.encode([{"text": ["dog", "qqq"]}]).shape == (2, 3)


def test_a_pipeline_is_searched_pickled_and_cloned(vectors):
    labels = ["guitar" in text for text in TRAIN]
    pipeline = make_pipeline(vectors("post=zscore"), LogisticRegression())
    recipes = [vectors(each).recipe for each in ("layers=last;post=zscore", "pool=max")]
    search = GridSearchCV(pipeline, {"sentencevectors__recipe": recipes}, cv=3, error_score="raise")
    search.fit(np.array(TRAIN, object), labels)
    assert search.best_score_ > 0.8
    again = pickle.loads(pickle.dumps(search.best_estimator_))
    np.testing.assert_array_equal(again.predict(TEST), search.predict(TEST))
    with pytest.raises(NotFittedError):
        clone(search.best_estimator_[0]).transform(TEST)


def test_a_recipe_does_as_its_text(vectors):
    """As a parameter it is what was given, in a clone as well."""
    text = vectors("weight=idf;post=zscore")
    found = SentenceVectors(Recipe.parse(text.recipe), text.settings)
    other = clone(found).set_params(recipe=Recipe.parse(text.recipe))
    assert other.get_params() == found.get_params() == {**text.get_params(), "recipe": found.recipe}
    np.testing.assert_array_equal(other.fit_transform(TRAIN), text.fit_transform(TRAIN))
    named = (
        RecipeEncoder(one, TRAIN, text.settings).mteb_model_meta for one in (found.recipe, text.recipe)
    )
    assert len({(meta.name, meta.revision) for meta in named}) == 1


@pytest.mark.parametrize(
    "check",
    [
        "check_no_attributes_set_in_init",
        "check_parameters_default_constructible",
        "check_get_params_invariance",
        "check_set_params",
        "check_estimator_cloneable",
        "check_estimator_repr",
        "check_estimator_tags_renamed",
        "check_valid_tag_types",
        "check_do_not_raise_errors_in_init_or_set_params",
        "check_mixin_order",
    ],
)
def test_the_checks_of_scikit_learn_that_need_no_numbers_hold(check):
    getattr(estimator_checks, check)("SentenceVectors", SentenceVectors())


def test_what_its_other_checks_ask_of_numbers_holds_of_texts(vectors):
    """Fit gives the estimator back, changes no parameter, adds names with ``_``, and forgets the last."""
    found = vectors("weight=idf;post=zscore")
    before = found.get_params()
    np.testing.assert_array_equal(found.fit_transform(iter(TRAIN)), found.fit(TRAIN).transform(TRAIN))
    texts = tuple(TRAIN)  # which nobody can write to
    assert found.fit(texts, [0] * len(texts)) is found
    assert found.get_params() == before
    assert all(name.endswith("_") for name in vars(found).keys() - before.keys())
    once = found.transform(TEST)
    np.testing.assert_array_equal(found.fit(TRAIN[::2]).fit(texts).transform(TEST), once)
    order = np.random.default_rng(0).permutation(len(TEST))
    np.testing.assert_allclose(found.transform([TEST[i] for i in order]), once[order], atol=1e-5)
    with pytest.warns(SkipTestWarning, match="Can't test estimator SentenceVectors"):
        estimator_checks.check_estimator(vectors(""))  # what it chooses for a transformer of texts


def test_a_text_with_half_of_a_character_is_read_with_a_replacement_for_it(vectors, bert, settings):
    broken, mended = ["a \ud800 dog", *TRAIN], ["a \N{REPLACEMENT CHARACTER} dog", *TRAIN]
    np.testing.assert_array_equal(
        encode(broken, bert, settings=settings), encode(mended, bert, settings=settings)
    )
    found, expected = (vectors("post=zscore").fit_transform(texts) for texts in (broken, mended))
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("given", ["one text", [1.0], [], [["a", "b"]], [None]])
def test_what_is_no_list_of_texts_is_refused(vectors, given):
    with pytest.raises(CorpusError, match="^X: got"):
        vectors("layers=last").fit(given)


def test_too_few_texts_are_refused(vectors):
    with pytest.raises(TooFewSentencesError, match="2 different sentences"):
        vectors("post=zscore").fit(TRAIN[:2])


# -- mteb


def task_of(base, kind, score, rows):
    """A task of mteb on a table for each split."""
    metadata = mteb.TaskMetadata(
        name=f"Own{kind}",
        type=kind,
        main_score=score,
        description="Made in a test.",
        dataset={"path": "none", "revision": "none"},
        eval_splits=["test"],
        eval_langs=["eng-Latn"],
        modalities=["text"],
        category="t2t" if kind == "STS" else "t2c",
    )
    task = type(f"Own{kind}", (base,), {"metadata": metadata})()
    task.dataset = DatasetDict({split: Dataset.from_dict(columns) for split, columns in rows.items()})
    task.data_loaded = True
    return task


def test_mteb_evaluates_a_recipe_as_we_score_it(bert, settings, scored):
    sentences = np.array(scored.sentences)
    rows = {
        "sentence1": sentences[scored.first].tolist(),
        "sentence2": sentences[scored.second].tolist(),
        "score": scored.gold.tolist(),
    }
    recipe = Recipe.parse(f"{bert};layers=last;tokens=content")
    encoder = RecipeEncoder(str(recipe), settings=settings)
    assert isinstance(encoder, mteb.EncoderProtocol)
    task = task_of(AbsTaskSTS, "STS", "cosine_spearman", {"test": rows})
    result = mteb.evaluate(encoder, task, cache=None, show_progress_bar=False)
    ours = score(engine_of(settings), recipe, scored).score.spearman
    assert 100 * result.task_results[0].get_score() == pytest.approx(ours, abs=1e-3)
    assert result.model_name.startswith("sentence-strata/")


def test_mteb_keeps_results_under_what_gives_the_vectors_the_reference_and_the_precision(
    bert, settings, tmp_path
):
    """With another reference of the same name, or in bfloat16, a recipe has other vectors."""
    (tmp_path / "news.txt").write_text("\n".join(TRAIN), "utf-8")
    here = replace(settings, data=tmp_path)
    recipe = f"{bert};weight=idf(fit=reference);reference=news"

    assert RecipeEncoder("source=random", settings=settings).mteb_model_meta.name.endswith("of-random")

    def revision(settings: Settings) -> str:
        return RecipeEncoder(recipe, settings=settings).mteb_model_meta.revision

    first = revision(here)
    assert revision(here) == first
    assert revision(replace(here, forward="bfloat16")) != first
    (tmp_path / "news.txt").write_text("\n".join(TRAIN[:40]), "utf-8")
    assert revision(here) != first


def test_mteb_classifies_with_what_was_learnt_from_given_texts(bert, settings, tmp_path):
    """The exported folder, which mteb runs by its own means, scores the same."""
    rows = {
        split: {"text": texts, "label": [int("guitar" in text) for text in texts]}
        for split, texts in (("train", TRAIN), ("test", TEST))
    }
    recipe = f"{bert};weight=idf;post=zscore"
    encoder = RecipeEncoder(recipe, TRAIN, settings)
    task = task_of(AbsTaskClassification, "Classification", "accuracy", rows)
    export(engine_of(settings), Recipe.parse(recipe), tmp_path / "made", Corpus.of_texts("train", TRAIN))
    folder = SentenceTransformer(str(tmp_path / "made"), device="cpu")
    ours, theirs = (
        mteb.evaluate(each, task, cache=None, show_progress_bar=False).task_results[0].get_score()
        for each in (encoder, folder)
    )
    assert ours == pytest.approx(theirs, abs=0.01)
    assert ours > 0.55
    similarity = encoder.similarity(np.eye(3)[:2], np.eye(3))
    np.testing.assert_allclose(similarity.numpy(), np.eye(3)[:2])


def test_a_recipe_that_learns_from_the_target_needs_texts(bert, settings):
    with pytest.raises(RecipeError, match="mteb gives them batch by batch"):
        RecipeEncoder(f"{bert};weight=idf", settings=settings)
