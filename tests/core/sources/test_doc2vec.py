"""Doc2Vec: who is learnt from, that a sentence has one vector, and what is kept."""

import json
import re
import sys

import numpy as np
import pytest
from gensim.models import doc2vec as gensim_doc2vec
from gensim.models.doc2vec import TaggedDocument

from core.corpora.corpus import Corpus
from core.errors import ModelError, RecipeError, TooFewSentencesError
from core.pipeline.engine import Engine
from core.progress import silent
from core.recipe import Recipe
from core.settings import Settings
from core.sources import doc2vec, token_tables
from core.sources.doc2vec import BATCH, MIN_TEXTS, Doc2Vec, paragraph_vectors
from tests.core.helpers import scripts
from tests.core.helpers.texts import many

KINDS = ("dm", "dbow", "both")
ANIMALS = "cat dog bird fish mouse horse cow sheep goat pig".split()
VEHICLES = "car bus train plane boat bike truck tram ship taxi".split()

IN_A_PROCESS = """
import json, sys
from core.sources.doc2vec import Doc2Vec, paragraph_vectors
from core.progress import silent
learn, texts = json.loads(sys.argv[1])
found = paragraph_vectors(Doc2Vec("both", 6, 5, 5, 2, 0), learn, texts, silent)
print(json.dumps(found.tolist()))
"""


def recipe(arguments: str = "", more: str = "") -> Recipe:
    named = {"dim": "6", "epochs": "4"} | dict(one.split("=") for one in arguments.split())
    given = ",".join(map("=".join, named.items()))
    return Recipe.parse(f"source=doc2vec({given});{more}")


def kept(engine: Engine) -> list[str]:
    """The stored tables of paragraph vectors."""
    return [path.name for path in (engine.store.root / "tables").glob("doc2vec-*")]


@pytest.fixture
def asked(monkeypatch) -> list[tuple[Doc2Vec, list[str], list[str]]]:
    """What training is asked for, in place of training: settings, texts learnt from, texts inferred."""
    calls = []

    def paragraph_vectors(settings, learn, texts, progress):
        calls.append((settings, list(learn), list(texts)))
        return np.random.default_rng(len(calls)).normal(size=(len(texts), settings.dim)).astype(np.float32)

    monkeypatch.setattr(token_tables, "paragraph_vectors", paragraph_vectors)
    return calls


@pytest.fixture
def untrained(monkeypatch):
    """Training that must not happen."""

    def fail(*_):
        raise AssertionError("trained again")

    return lambda: monkeypatch.setattr(token_tables, "paragraph_vectors", fail)


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
def test_a_sentence_has_one_vector_whatever_corpus_it_stands_in(kind, engine, texts_file):
    learnt = recipe(f"model={kind} fit=reference", f"reference={texts_file}")
    texts = [*many(20), "words nobody knows", "so"]
    together = engine.embed(learnt, Corpus.of_texts("together", texts)).vectors
    backwards = engine.embed(learnt, Corpus.of_texts("backwards", [*texts[::-1], "another"])).vectors
    alone = engine.embed(learnt, Corpus.of_texts("alone", texts[7:8])).vectors

    np.testing.assert_array_equal(backwards[:-1], together[::-1])
    np.testing.assert_array_equal(alone, together[7:8])
    assert len(np.unique(together[:20], axis=0)) == 20


def test_a_sentence_has_one_vector_in_every_process():
    learn, texts = many(60), many(5)
    here = paragraph_vectors(Doc2Vec("both", 6, 5, 5, 2, 0), learn, texts, silent)
    arguments = json.dumps([learn, texts])
    there = json.loads(scripts.run(IN_A_PROCESS, arguments, PYTHONHASHSEED="12345"))
    np.testing.assert_allclose(here, np.array(there, np.float32), atol=1e-6)


def test_an_empty_sentence_has_one_vector_whatever_corpus_it_stands_in(engine, texts_file):
    learnt = recipe("fit=reference", f"reference={texts_file}")
    first = engine.embed(learnt, Corpus.of_texts("one", ["", *many(3)])).vectors[0]
    second = engine.embed(learnt, Corpus.of_texts("other", ["", *many(4)])).vectors[0]
    np.testing.assert_array_equal(first, second)


@pytest.mark.parametrize("kind", KINDS)
def test_empty_sentences_are_no_harm(kind, engine):
    texts = [*many(30), "", "   ", "🎸"]
    corpus = Corpus.of_pairs("with an empty one", texts, texts[::-1], [1.0] * len(texts))
    similarities, embedded = engine.similarities(recipe(f"model={kind}"), corpus)
    assert embedded.vectors.shape == (33, 12 if kind == "both" else 6)
    assert embedded.vectors.dtype == np.float32
    lengths = np.linalg.norm(embedded.vectors.astype(float), axis=1)
    units = embedded.vectors / np.where(lengths > 0, lengths, 1)[:, None]
    expected = (units[corpus.first] * units[corpus.second]).sum(axis=1)
    np.testing.assert_allclose(similarities, expected, atol=1e-6)
    empty = [corpus.sentences.index(text) for text in ("", "   ")]
    assert not embedded.vectors[empty].any()


@pytest.mark.parametrize(("kind", "dm"), [("dm", 1), ("dbow", 0)])
def test_the_vectors_are_those_of_gensim(kind, dm):
    """Trained by gensim, on words in lower case; inference starts from numbers that a text's words give."""
    texts = [text.lower() for text in many(60)]
    documents = [TaggedDocument(re.findall(r"\w+|[^\w\s]", text), [i]) for i, text in enumerate(texts)]
    settings = {"vector_size": 6, "window": 3, "epochs": 4, "min_count": 2, "seed": 1, "workers": 1}
    theirs = gensim_doc2vec.Doc2Vec(documents, dm=dm, hashfxn=doc2vec._stable, **settings)
    expected = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gensim_doc2vec, "pseudorandom_weak_vector", doc2vec._initial_vector)
        for document in documents:
            theirs.random.seed(1)
            expected.append(theirs.infer_vector(document.words))
    found = paragraph_vectors(Doc2Vec(kind, 6, 3, 4, 2, 1), many(60), many(60), silent)
    np.testing.assert_allclose(found, expected, atol=1e-6)


def test_both_are_the_two_models_joined(engine, scored):
    dm, dbow, both = (engine.embed(recipe(f"model={kind}"), scored).vectors for kind in KINDS)
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
def test_a_text_is_one_token_whose_vector_is_the_sentences(more, asked, engine, scored):
    plain = engine.embed(recipe("seed=1"), scored).vectors
    np.testing.assert_allclose(engine.embed(recipe("seed=1", more), scored).vectors, plain, rtol=1e-6)
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
def test_what_paragraph_vectors_do_not_have_is_refused(more, message, asked, engine, scored):
    with pytest.raises(RecipeError, match=message):
        engine.embed(recipe("seed=1", more), scored)


# -- what it learns from -----------------------------------------------------------------------------


def test_the_target_is_learnt_from_a_sentence_as_often_as_it_occurs(asked, engine):
    corpus = Corpus.of_texts("t", ["a dog", "a cat", "a dog", "a dog", "no"])
    engine.embed(recipe("seed=3"), corpus)
    ((settings, learn, texts),) = asked
    assert settings == Doc2Vec("dm", 6, 5, 4, 2, 3)
    assert learn == ["a dog", "a dog", "a dog", "a cat", "no"]
    assert texts == ["a dog", "a cat", "no"]


def test_the_reference_is_learnt_from_a_text_as_often_as_it_occurs(asked, engine, tmp_path):
    path = tmp_path / "reference.txt"
    path.write_text("the sun shines\nrain falls\nthe sun shines\n")
    engine.embed(recipe("fit=reference", f"reference={path}"), Corpus.of_texts("t", ["a dog"]))
    ((_, learn, texts),) = asked
    assert learn == ["the sun shines"] * 2 + ["rain falls"]
    assert texts == ["a dog"]


def test_a_corpus_without_pairs_is_learnt_from_too(engine, texts_file):
    corpus = Corpus.of_texts("texts", many(40))
    assert engine.source(recipe(), corpus).learns is corpus
    learnt = recipe("fit=reference", f"reference={texts_file}")
    assert engine.source(learnt, corpus).learns is engine.references.of(learnt)


def test_two_references_give_two_vectors_to_a_sentence(engine, texts_file, tmp_path):
    """The second training does not reuse those of the first."""
    (tmp_path / "other.txt").write_text("\n".join(many(60)[20:]))
    corpus = Corpus.of_texts("t", many(3))
    learnt = [recipe("fit=reference", f"reference={p}") for p in (texts_file, tmp_path / "other.txt")]
    first, second = (engine.embed(one, corpus).vectors for one in learnt)
    assert np.abs(first - second).max() > 1e-4


@pytest.mark.parametrize("fit", ["target", "reference"])
def test_vectors_of_the_reference_are_of_the_same_training(fit, asked, engine, texts_file):
    target = Corpus.of_texts("t", many(40))
    engine.embed(recipe(f"fit={fit}", f"post=zscore(fit=reference);reference={texts_file}"), target)
    reference = engine.corpus(str(texts_file), "all")
    learner = {"target": target, "reference": reference}[fit]
    assert sorted(texts for _, _, texts in asked) == sorted([[*target.sentences], [*reference.sentences]])
    assert all(learn == [*learner.sentences] for _, learn, _ in asked)


def test_a_step_after_it_is_learnt_from_the_references_vectors(engine, texts_file):
    learnt = recipe("fit=reference", f"reference={texts_file}")
    reference, target = engine.corpus(str(texts_file), "all"), Corpus.of_texts("t", many(9))
    theirs, plain = (engine.embed(learnt, c).vectors.astype(np.float64) for c in (reference, target))
    found = engine.embed(learnt.replace(post="zscore(fit=reference)"), target).vectors
    np.testing.assert_allclose(found, (plain - theirs.mean(axis=0)) / theirs.std(axis=0), atol=1e-4)


@pytest.mark.parametrize("kind", KINDS)
def test_sentences_about_the_same_are_closer_than_sentences_about_something_else(kind, engine, topics):
    generator = np.random.default_rng(1)
    texts = [" ".join(generator.choice(words, 12)) for words in (ANIMALS, VEHICLES) for _ in range(10)]
    learnt = Recipe.parse(
        f"source=doc2vec(model={kind},dim=8,epochs=40,fit=reference);reference={topics};post=normalize"
    )
    vectors = engine.embed(learnt, Corpus.of_texts("t", texts)).vectors
    cosines = vectors @ vectors.T
    within = [cosines[:10, :10].mean(), cosines[10:, 10:].mean()]
    assert min(within) > cosines[:10, 10:].mean() + (0.1 if kind == "dm" else 0.15)
    nearest = (cosines - 2 * np.eye(20)).argmax(axis=1)
    assert ((nearest < 10) == (np.arange(20) < 10)).all()


def test_words_count_whatever_their_case_and_rare_ones_do_not(engine):
    rest = [f"word{i}" for i in range(MIN_TEXTS)]
    corpus = Corpus.of_texts("t", ["Dog one", "dOG two", "DOG three", "dog four", *rest])
    vectors = engine.embed(recipe("least=4"), corpus).vectors
    assert vectors.any(axis=1).tolist() == ["dog" in text.lower() for text in corpus.sentences]
    message = (
        r"least\): no word of the 34 texts .* occurs 5 times; take a smaller least, or a larger corpus"
    )
    with pytest.raises(RecipeError, match=message):
        engine.embed(recipe("least=5"), corpus)
    assert len(kept(engine)) == 1


def test_repeats_make_a_word_frequent(engine):
    texts = [f"word{i}" for i in range(MIN_TEXTS)]
    with pytest.raises(RecipeError, match="no word of the 30 texts"):
        engine.embed(recipe(), Corpus.of_texts("once", texts))
    engine.embed(recipe(), Corpus.of_texts("twice", [*texts, texts[7]]))


@pytest.mark.parametrize(
    ("fit", "advice"), [("target", "fit=reference"), ("reference", "Take a larger reference corpus")]
)
def test_too_few_different_texts_are_refused(fit, advice, engine, tmp_path):
    path = tmp_path / "reference.txt"
    path.write_text("\n".join(many(MIN_TEXTS - 1) * 9))
    corpus = Corpus.of_texts("few", many(MIN_TEXTS - 1) * 9)
    message = (
        f"source=doc2vec would be learnt from {MIN_TEXTS - 1} different sentences; it needs "
        f"{MIN_TEXTS}.*{advice}"
    )
    with pytest.raises(TooFewSentencesError, match=message):
        engine.embed(recipe(f"fit={fit}", f"reference={path}"), corpus)
    assert kept(engine) == []
    path.write_text("\n".join(many(MIN_TEXTS)))
    alone = Corpus.of_texts("one", many(1))
    assert engine.embed(recipe("fit=reference", f"reference={path}"), alone).vectors.shape == (1, 6)


# -- what is kept ------------------------------------------------------------------------------------


def test_another_process_does_not_train_again(engine, scored, settings, untrained):
    trained = engine.embed(recipe("model=both"), scored)
    assert trained.pass_seconds > 0
    untrained()
    found = Engine(settings).embed(recipe("model=both"), scored)
    np.testing.assert_array_equal(found.vectors, trained.vectors)
    again = engine.embed(recipe("model=both"), scored)
    assert again.vectors is trained.vectors


def test_other_settings_and_other_texts_are_trained_for_themselves(
    asked, engine, scored, texts_file, tmp_path
):
    other = tmp_path / "other.txt"
    other.write_text("\n".join(many(30)))
    for arguments in ("", "model=dbow", "window=4", "least=3", "seed=1"):
        engine.embed(recipe(arguments), scored)
    for dim, epochs in ((7, 4), (6, 5)):
        engine.embed(Recipe.parse(f"source=doc2vec(dim={dim},epochs={epochs})"), scored)
    for path in (texts_file, other):
        engine.embed(recipe("fit=reference", f"reference={path}"), scored)
    repeated = Corpus.of_texts("r", [*scored.sentences, scored.sentences[0]])
    engine.embed(recipe(), repeated)
    assert len(asked) == len(kept(engine)) == 10
    assert len({str(call) for call in asked}) == 10


def test_a_reference_that_is_not_learnt_from_changes_nothing(asked, engine, scored, texts_file):
    engine.embed(recipe(), scored)
    engine.embed(recipe("", f"reference={texts_file}"), scored)
    assert len(asked) == 1


# -- progress, and what is missing -------------------------------------------------------------------


def test_progress_is_reported_per_epoch_and_while_vectors_are_inferred(engine):
    steps = []
    corpus = Corpus.of_texts("t", [f"the dog number {i}" for i in range(BATCH + 40)])
    engine.embed(
        Recipe.parse("source=doc2vec(dim=2,epochs=3)"), corpus, lambda step: steps.append(str(step))
    )
    training = [f"Training Doc2Vec: epochs: {i} of 3" for i in (1, 2, 3)]
    assert steps == [*training, f"Inferring Doc2Vec vectors: {BATCH} of {BATCH + 40}"]


class Stopped(Exception):
    """What a visitor's leaving raises."""


@pytest.mark.parametrize(
    "at", ["Training Doc2Vec: epochs: 2 of 4", f"Inferring Doc2Vec vectors: {BATCH:,}"]
)
def test_raising_in_progress_stops_it_and_nothing_is_kept(at, engine, tmp_path):
    corpus, steps = Corpus.of_texts("t", [f"the dog number {i}" for i in range(BATCH + 40)]), []

    def stop(step):
        steps.append(str(step))
        if str(step).startswith(at):
            raise Stopped

    with pytest.raises(Stopped):
        engine.embed(recipe(), corpus, stop)
    assert steps[-1].startswith(at)
    assert kept(engine) == []
    later = engine.embed(recipe(), corpus).vectors
    undisturbed = Engine(Settings(cache=tmp_path / "undisturbed")).embed(recipe(), corpus).vectors
    np.testing.assert_array_equal(later, undisturbed)
    assert len(kept(engine)) == 1


def test_a_missing_package_is_named_with_what_to_do(engine, scored, monkeypatch):
    for name in [*sys.modules, "gensim", "gensim.models.doc2vec", "gensim.models.callbacks"]:
        if name.partition(".")[0] == "gensim":
            monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ModelError, match="source=doc2vec needs the package gensim: pip install gensim"):
        engine.embed(recipe(), scored)
    assert kept(engine) == []
    monkeypatch.undo()
    assert engine.embed(recipe(), scored).vectors.shape == (60, 6)


def test_no_forward_pass_is_waited_for_and_training_is_announced(engine, scored):
    usual, longer, both = map(recipe, ("", "epochs=40", "model=both"))
    seconds = engine.pending_seconds(usual, scored)
    assert 0 < seconds < 10
    assert engine.pending_seconds(longer, scored) == pytest.approx(10 * seconds)
    assert engine.pending_seconds(both, scored) == pytest.approx(2 * seconds)
    assert engine.is_read(usual, scored)
    engine.embed(usual, scored)
    assert engine.pending_seconds(usual, scored) == 0
    assert engine.store.entries() == []
