"""Doc2Vec: who is learnt from, that a sentence has one vector, and what is kept."""

import json
import sys

import numpy as np
import pytest

from core import passes
from core.corpus import Corpus
from core.embed import Road
from core.errors import ModelError, RecipeError, TooFewSentencesError
from core.paragraph import BATCH, LEAST, Doc2Vec, paragraph_vectors
from core.progress import silent
from core.recipe import Recipe
from tests.core.helpers import scripts
from tests.core.helpers.texts import many

KINDS = ("dm", "dbow", "both")
ANIMALS = "cat dog bird fish mouse horse cow sheep goat pig".split()
VEHICLES = "car bus train plane boat bike truck tram ship taxi".split()

IN_A_PROCESS = """
import json, sys
from core.paragraph import Doc2Vec, paragraph_vectors
from core.progress import silent
learn, texts = json.loads(sys.argv[1])
found = paragraph_vectors(Doc2Vec("both", 6, 5, 5, 2, 0), learn, texts, silent)
print(json.dumps(found.tolist()))
"""


def recipe(arguments: str = "", more: str = "") -> Recipe:
    given = ",".join(["dim=6", "epochs=4", *arguments.split()])
    return Recipe.parse(f"source=doc2vec({given});{more}")


def kept(road: Road) -> list[str]:
    """The stored tables of paragraph vectors."""
    return [path.name for path in (road.store.root / "tables").glob("doc2vec-*")]


@pytest.fixture
def asked(monkeypatch) -> list[tuple[Doc2Vec, list[str], list[str]]]:
    """What training is asked for, in place of training: settings, texts learnt from, texts inferred."""
    calls = []

    def paragraph_vectors(settings, learn, texts, progress):
        calls.append((settings, list(learn), list(texts)))
        return np.random.default_rng(len(calls)).normal(size=(len(texts), settings.dim)).astype(np.float32)

    monkeypatch.setattr(passes, "paragraph_vectors", paragraph_vectors)
    return calls


@pytest.fixture
def untrained(monkeypatch):
    """Training that must not happen."""

    def fail(*_):
        raise AssertionError("trained again")

    return lambda: monkeypatch.setattr(passes, "paragraph_vectors", fail)


@pytest.fixture(scope="module")
def topics(tmp_path_factory):
    """A reference of texts about two topics without a word in common."""
    generator = np.random.default_rng(0)
    lines = [" ".join(generator.choice(words, 12)) for words in (ANIMALS, VEHICLES) for _ in range(400)]
    path = tmp_path_factory.mktemp("topics") / "topics.txt"
    path.write_text("\n".join(lines) + "\n")
    return path


# -- one vector per sentence -------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_a_sentence_has_one_vector_whatever_corpus_it_stands_in(kind, road, texts_file):
    learnt = recipe(f"model={kind} fit=reference", f"reference={texts_file}")
    texts = [*many(20), "words nobody knows", "so"]
    together = road.embed(learnt, Corpus.of_texts("together", texts)).vectors
    backwards = road.embed(learnt, Corpus.of_texts("backwards", [*texts[::-1], "another"])).vectors
    alone = road.embed(learnt, Corpus.of_texts("alone", texts[7:8])).vectors

    np.testing.assert_array_equal(backwards[:-1], together[::-1])
    np.testing.assert_array_equal(alone, together[7:8])
    assert len(np.unique(together[:20], axis=0)) == 20


def test_a_sentence_has_one_vector_in_every_process():
    learn, texts = many(60), many(5)
    here = paragraph_vectors(Doc2Vec("both", 6, 5, 5, 2, 0), learn, texts, silent)
    arguments = json.dumps([learn, texts])
    there = json.loads(scripts.run(IN_A_PROCESS, arguments, PYTHONHASHSEED="12345"))
    np.testing.assert_allclose(here, np.array(there, np.float32), atol=1e-6)


def test_an_empty_sentence_has_one_vector_whatever_corpus_it_stands_in(road, texts_file):
    learnt = recipe("fit=reference", f"reference={texts_file}")
    first = road.embed(learnt, Corpus.of_texts("one", ["", *many(3)])).vectors[0]
    second = road.embed(learnt, Corpus.of_texts("other", ["", *many(4)])).vectors[0]
    np.testing.assert_array_equal(first, second)


@pytest.mark.parametrize("kind", KINDS)
def test_empty_sentences_are_no_harm(kind, road):
    texts = [*many(30), "", "   ", "🎸"]
    corpus = Corpus.of_pairs("with an empty one", texts, texts[::-1], [1.0] * len(texts))
    similarities, embedded = road.similarities(recipe(f"model={kind}"), corpus)
    assert embedded.vectors.shape == (33, 12 if kind == "both" else 6)
    assert embedded.vectors.dtype == np.float32
    assert np.isfinite(embedded.vectors).all()
    assert np.isfinite(similarities).all()


def test_both_are_the_two_models_joined(road, scored):
    dm, dbow, both = (road.embed(recipe(f"model={kind}"), scored).vectors for kind in KINDS)
    np.testing.assert_array_equal(both, np.hstack([dm, dbow]))
    assert np.abs(dm - dbow).max() > 1e-3


@pytest.mark.parametrize("other", ["window=1", "epochs=5", "seed=1"])
def test_each_argument_reaches_the_training(other, scored):
    usual = {"model": "dm", "dim": 6, "window": 5, "epochs": 4, "least": 2, "seed": 0}
    name, value = other.split("=")
    vectors = [
        paragraph_vectors(Doc2Vec(**given), scored.sentences, scored.sentences[:5], silent)
        for given in (usual, usual | {name: int(value)})
    ]
    assert np.abs(vectors[0] - vectors[1]).max() > 1e-4


@pytest.mark.parametrize("more", ["layers=last", "layers=0", "tokens=content", "pool=max", "weight=idf"])
def test_a_text_is_one_token_whose_vector_is_the_sentences(more, asked, road, scored):
    plain = road.embed(recipe("seed=1"), scored).vectors
    np.testing.assert_allclose(road.embed(recipe("seed=1", more), scored).vectors, plain, rtol=1e-6)
    assert len(asked) == 1


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("layers=2", "layers: doc2vec.* has one layer only; allowed is static or 0"),
        ("weight=ditto", "weight=ditto.* looks at attention, and token vectors without context have none"),
        ("pool=cls", "pool=cls: this model adds no classification token"),
        ("tokens=mask;template=T0", "tokens=mask needs a template"),
        ("mix=averaged", "mix=averaged needs a model as source; got source=doc2vec"),
    ],
)
def test_what_paragraph_vectors_do_not_have_is_refused(more, message, asked, road, scored):
    with pytest.raises(RecipeError, match=message):
        road.embed(recipe("seed=1", more), scored)


# -- what it learns from -----------------------------------------------------------------------------


def test_the_target_is_learnt_from_a_sentence_as_often_as_it_occurs(asked, road):
    corpus = Corpus.of_texts("t", ["a dog", "a cat", "a dog", "a dog", "no"])
    road.embed(recipe("seed=3"), corpus)
    ((settings, learn, texts),) = asked
    assert settings == Doc2Vec("dm", 6, 5, 4, 2, 3)
    assert learn == ["a dog", "a dog", "a dog", "a cat", "no"]
    assert texts == ["a dog", "a cat", "no"]


def test_the_reference_is_learnt_from_a_text_as_often_as_it_occurs(asked, road, tmp_path):
    path = tmp_path / "reference.txt"
    path.write_text("the sun shines\nrain falls\nthe sun shines\n")
    road.embed(recipe("fit=reference", f"reference={path}"), Corpus.of_texts("t", ["a dog"]))
    ((_, learn, texts),) = asked
    assert learn == ["the sun shines"] * 2 + ["rain falls"]
    assert texts == ["a dog"]


def test_a_corpus_without_pairs_is_learnt_from_too(road, texts_file):
    corpus = Corpus.of_texts("texts", many(40))
    assert road.source(recipe(), corpus).learns is corpus
    learnt = recipe("fit=reference", f"reference={texts_file}")
    assert road.source(learnt, corpus).learns is road.reference(learnt)


def test_two_references_give_two_vectors_to_a_sentence(road, texts_file, tmp_path):
    """The first training's are not taken from memory for the second."""
    (tmp_path / "other.txt").write_text("\n".join(many(60)[20:]))
    corpus = Corpus.of_texts("t", many(3))
    learnt = [recipe("fit=reference", f"reference={p}") for p in (texts_file, tmp_path / "other.txt")]
    first, second = (road.embed(one, corpus).vectors for one in learnt)
    assert np.abs(first - second).max() > 1e-4


@pytest.mark.parametrize("fit", ["target", "reference"])
def test_vectors_of_the_reference_are_of_the_same_training(fit, asked, road, texts_file):
    target = Corpus.of_texts("t", many(40))
    road.embed(recipe(f"fit={fit}", f"post=zscore(fit=reference);reference={texts_file}"), target)
    reference = road.corpus(str(texts_file), "all")
    learner = {"target": target, "reference": reference}[fit]
    assert sorted(texts for _, _, texts in asked) == sorted([[*target.sentences], [*reference.sentences]])
    assert all(learn == [*learner.sentences] for _, learn, _ in asked)


def test_a_step_after_it_is_learnt_from_the_references_vectors(road, texts_file):
    learnt = recipe("fit=reference", f"reference={texts_file}")
    reference, target = road.corpus(str(texts_file), "all"), Corpus.of_texts("t", many(9))
    theirs, plain = (road.embed(learnt, c).vectors.astype(np.float64) for c in (reference, target))
    found = road.embed(learnt.replace(post="zscore(fit=reference)"), target).vectors
    np.testing.assert_allclose(found, (plain - theirs.mean(axis=0)) / theirs.std(axis=0), atol=1e-4)


@pytest.mark.parametrize("kind", KINDS)
def test_sentences_about_the_same_are_closer_than_sentences_about_something_else(kind, road, topics):
    generator = np.random.default_rng(1)
    texts = [" ".join(generator.choice(words, 12)) for words in (ANIMALS, VEHICLES) for _ in range(10)]
    learnt = Recipe.parse(
        f"source=doc2vec(model={kind},dim=8,epochs=40,fit=reference);reference={topics};post=normalize"
    )
    vectors = road.embed(learnt, Corpus.of_texts("t", texts)).vectors
    cosines = vectors @ vectors.T
    within = [cosines[:10, :10].mean(), cosines[10:, 10:].mean()]
    assert min(within) > cosines[:10, 10:].mean() + (0.1 if kind == "dm" else 0.15)
    nearest = (cosines - 2 * np.eye(20)).argmax(axis=1)
    assert ((nearest < 10) == (np.arange(20) < 10)).all()


def test_words_count_whatever_their_case_and_rare_ones_do_not(road):
    rest = [f"word{i}" for i in range(LEAST)]
    corpus = Corpus.of_texts("t", ["Dog one", "dOG two", "DOG three", "dog four", *rest])
    assert np.isfinite(road.embed(recipe("least=4"), corpus).vectors).all()
    message = (
        r"least\): no word of the 34 texts .* occurs 5 times; take a smaller least, or a larger corpus"
    )
    with pytest.raises(RecipeError, match=message):
        road.embed(recipe("least=5"), corpus)
    assert len(kept(road)) == 1


def test_repeats_make_a_word_frequent(road):
    texts = [f"word{i}" for i in range(LEAST)]
    with pytest.raises(RecipeError, match="no word of the 30 texts"):
        road.embed(recipe(), Corpus.of_texts("once", texts))
    road.embed(recipe(), Corpus.of_texts("twice", [*texts, texts[7]]))


@pytest.mark.parametrize(
    ("fit", "advice"), [("target", "fit=reference"), ("reference", "Take a larger reference corpus")]
)
def test_too_few_different_texts_are_refused(fit, advice, road, tmp_path):
    path = tmp_path / "reference.txt"
    path.write_text("\n".join(many(LEAST - 1) * 9))
    corpus = Corpus.of_texts("few", many(LEAST - 1) * 9)
    message = (
        f"source=doc2vec would be learnt from {LEAST - 1} different sentences; it needs {LEAST}.*{advice}"
    )
    with pytest.raises(TooFewSentencesError, match=message):
        road.embed(recipe(f"fit={fit}", f"reference={path}"), corpus)
    assert kept(road) == []
    path.write_text("\n".join(many(LEAST)))
    alone = Corpus.of_texts("one", many(1))
    assert road.embed(recipe("fit=reference", f"reference={path}"), alone).vectors.shape == (1, 6)


# -- what is kept ------------------------------------------------------------------------------------


def test_another_process_does_not_train_again(road, scored, settings, untrained):
    trained = road.embed(recipe("model=both"), scored)
    assert trained.pass_seconds > 0
    untrained()
    found = Road(settings).embed(recipe("model=both"), scored)
    np.testing.assert_array_equal(found.vectors, trained.vectors)
    again = road.embed(recipe("model=both"), scored)
    assert again.vectors is trained.vectors


def test_other_settings_and_other_texts_are_trained_for_themselves(
    asked, road, scored, texts_file, tmp_path
):
    other = tmp_path / "other.txt"
    other.write_text("\n".join(many(30)))
    for arguments in ("", "model=dbow", "window=4", "least=3", "seed=1"):
        road.embed(recipe(arguments), scored)
    for dim, epochs in ((7, 4), (6, 5)):
        road.embed(Recipe.parse(f"source=doc2vec(dim={dim},epochs={epochs})"), scored)
    for path in (texts_file, other):
        road.embed(recipe("fit=reference", f"reference={path}"), scored)
    repeated = Corpus.of_texts("r", [*scored.sentences, scored.sentences[0]])
    road.embed(recipe(), repeated)
    assert len(asked) == len(kept(road)) == 10
    assert len({str(call) for call in asked}) == 10


def test_a_reference_that_is_not_learnt_from_changes_nothing(asked, road, scored, texts_file):
    road.embed(recipe(), scored)
    road.embed(recipe("", f"reference={texts_file}"), scored)
    assert len(asked) == 1


# -- progress, and what is missing -------------------------------------------------------------------


def test_progress_is_told_per_epoch_and_while_vectors_are_inferred(road):
    steps = []
    corpus = Corpus.of_texts("t", [f"the dog number {i}" for i in range(BATCH + 40)])
    road.embed(Recipe.parse("source=doc2vec(dim=2,epochs=3)"), corpus, lambda step: steps.append(str(step)))
    training = [f"Training Doc2Vec: epochs: {i} of 3" for i in (1, 2, 3)]
    assert steps == [*training, f"Inferring Doc2Vec vectors: {BATCH} of {BATCH + 40}"]


class Stopped(Exception):
    """What a visitor's leaving raises."""


@pytest.mark.parametrize(
    "at", ["Training Doc2Vec: epochs: 2 of 4", f"Inferring Doc2Vec vectors: {BATCH:,}"]
)
def test_raising_in_progress_stops_it_and_nothing_is_kept(at, road, settings):
    corpus, steps = Corpus.of_texts("t", [f"the dog number {i}" for i in range(BATCH + 40)]), []

    def stop(step):
        steps.append(str(step))
        if str(step).startswith(at):
            raise Stopped

    with pytest.raises(Stopped):
        road.embed(recipe(), corpus, stop)
    assert steps[-1].startswith(at)
    assert kept(road) == []
    later = road.embed(recipe(), corpus).vectors
    assert np.isfinite(later).all()
    assert len(kept(road)) == 1


def test_a_missing_package_is_named_with_what_to_do(road, scored, monkeypatch):
    for name in [*sys.modules, "gensim", "gensim.models.doc2vec", "gensim.models.callbacks"]:
        if name.partition(".")[0] == "gensim":
            monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ModelError, match="source=doc2vec needs the package gensim: pip install gensim"):
        road.embed(recipe(), scored)
    assert kept(road) == []
    monkeypatch.undo()
    assert road.embed(recipe(), scored).vectors.shape == (60, 6)


def test_no_forward_pass_is_waited_for(road, scored):
    assert road.pending_seconds(recipe(), scored) == 0
    road.embed(recipe(), scored)
    assert road.store.entries() == []
