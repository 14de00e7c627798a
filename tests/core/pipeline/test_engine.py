"""The engine on every kind of sentence, and what it keeps."""

import gc
import pickle
import tracemalloc
import weakref
from dataclasses import replace

import numpy as np
import pytest

from core.corpora.corpus import Corpus
from core.corpora.given import listed
from core.encoders.models import Location
from core.errors import CorpusError, RecipeError
from core.pipeline import pooling, run, token_stages
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.settings import ROOMY
from core.sources import forward_passes
from tests.core.helpers.texts import ODD, many


@pytest.mark.parametrize("name", ODD)
def test_the_bundled_encoder_reads_any_sentence(name, shared_engine):
    text = ODD[name] * (10 if name == "very long" else 1)
    embedded = shared_engine.embed(Recipe(), Corpus.of_texts("odd", [text]))
    assert embedded.vectors.shape == (1, 384)
    assert np.isfinite(embedded.vectors).all()
    assert bool(embedded.notes) == (name == "very long")
    (shown,) = shared_engine.token_weights(Recipe(), Corpus.of_texts("odd", [text]))
    assert (shown.surface_forms[0], shown.surface_forms[-1]) == ("[CLS]", "[SEP]")
    assert not {"[CLS]", "[SEP]", "[MASK]"} & set(shown.surface_forms[1:-1])


def test_what_is_no_list_of_texts_is_refused_in_words(shared_engine):
    for given in ("one text", []):
        with pytest.raises(CorpusError, match="texts: got"):
            shared_engine.encode(given, Recipe())
    given = (None, ["a", float("nan")], [b"a"], b"a", [1], np.array([["a", "b"]]), [None])
    for one in (*given, [["a"], ["b", "c"]], np.array("a"), {"first": "a"}):
        with pytest.raises(CorpusError, match="texts: got"):
            listed(one, "texts")


def test_texts_are_listed_in_the_memory_of_their_letters():
    """As an array each would take as much as the longest."""
    texts = ["a"] * 5_000 + ["a" * 5_000]
    tracemalloc.start()
    try:
        assert listed(texts, "texts") == texts
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()


def test_a_half_of_a_character_is_read_with_a_replacement_for_it(shared_engine):
    halved, replaced = shared_engine.encode(iter(["a \udcff", "a \ufffd"]), Recipe())
    assert np.array_equal(halved, replaced)


def test_two_identical_sentences_are_alike_and_one_row(shared_engine, bert):
    corpus = Corpus.of_pairs("two", ["same"], ["same"], [5.0])
    for similarity, value in {"cosine": 1, "euclidean": 0, "spearman": 1}.items():
        found, embedded = shared_engine.similarities(
            Recipe.parse(f"{bert};similarity={similarity}"), corpus
        )
        assert found == pytest.approx([value])
        assert embedded.vectors.shape == (1, 32)


@pytest.mark.parametrize("texts", [[""], ["", "  "]])
def test_sentences_without_any_token_are_refused_in_words(texts, model, engine):
    with pytest.raises(RecipeError, match="No sentence has any token"):
        engine.embed(Recipe.parse(f"source={model('gpt2')}"), Corpus.of_texts("t", texts[:1]))


def test_a_sentence_without_tokens_beside_others_is_zero(model, engine):
    corpus = Corpus.of_texts("t", ["dog", "", "a cat"])
    for pool in ("mean", "sum", "max"):
        vectors = engine.embed(Recipe.parse(f"source={model('gpt2')};pool={pool}"), corpus).vectors
        assert not vectors[1].any()
        assert vectors[[0, 2]].any(axis=1).all()


def test_the_note_on_cut_sentences_names_the_limit_that_held(model, engine):
    """XLNet names no limit of its own; its tokenizer does."""
    embedded = engine.embed(
        Recipe.parse(f"source={model('xlnet')}"), Corpus.of_texts("t", ["dog " * 500, "a"])
    )
    assert embedded.notes == ("1 of 2 sentences is longer than 96 tokens and cut there.",)


def test_a_layer_that_is_not_there_is_refused_before_anything_is_run(bert, engine):
    with pytest.raises(RecipeError, match="has no layer 9; allowed is static and 0 to 3"):
        engine.embed(Recipe.parse(f"{bert};layers=9"), Corpus.of_texts("t", many(3)))
    assert engine.store.entries() == []


def test_nothing_is_computed_twice(bert, engine, scored, monkeypatch):
    recipe = Recipe.parse(f"{bert};weight=idf;post=zscore")
    first = engine.embed(recipe, scored)
    pooled = []
    monkeypatch.setattr(token_stages, "pool_groups", lambda *a: pooled.append(a))
    again = engine.embed(recipe, scored)
    other = engine.similarities(Recipe.parse(f"{recipe};similarity=dot"), scored)[1]
    engine.embed(Recipe.parse(f"{bert};weight=idf;layers=first;post=whiten(k=3)"), scored)
    assert again.vectors is first.vectors is other.vectors
    assert (first.pass_seconds > 0, again.pass_seconds) == (True, 0)
    assert not pooled  # the layers of first+last are kept one by one


@pytest.mark.parametrize(
    "stages",
    ["weight=idf", "weight=variance", "pool=max", "pool=pmeans;tokens=content", "post=zscore;layers=wk"],
)
def test_layers_pooled_in_one_reading_are_those_of_their_own(stages, bert, engine, scored, monkeypatch):
    recipe, readings, pool = Recipe.parse(f"{bert};{stages}"), [], token_stages.pool_groups

    def counted(*given):
        readings.append(given)
        return pool(*given)

    each = [recipe.replace(layers=layer) for layer in ("static", "0", "1", "2", "3")]
    alone = [engine.without_results().embed(one, scored).vectors for one in each]
    monkeypatch.setattr(token_stages, "pool_groups", counted)
    engine.pool_layers(recipe, scored)
    together = [engine.embed(one, scored).vectors for one in each]
    assert len(readings) == 1
    for mine, theirs in zip(together, alone, strict=True):
        np.testing.assert_array_equal(mine, theirs)


def test_an_engine_without_results_goes_with_all_that_it_holds(engine):
    """A search that weighs milliseconds asks for one at each trial."""
    tables = weakref.ref(engine.without_results().passes._tables)
    gc.collect()
    assert tables() is None


def test_in_another_process_it_is_one_engine_on_the_same_settings(bert, engine):
    """As joblib sends it with each task; here both ends are one process."""
    one, other = (pickle.loads(pickle.dumps(engine)) for _ in range(2))
    assert one is other is not engine
    assert one.settings == engine.settings
    texts, recipe = ["a guitar", "a dog"], Recipe.parse(f"{bert};post=normalize")
    np.testing.assert_array_equal(one.encode(texts, recipe), engine.encode(texts, recipe))


@pytest.mark.parametrize("stages", ["weight=norm", "pool=s3e(k=2)"])
def test_layers_with_weights_or_poolings_of_their_own_are_not_pooled_together(
    stages, bert, engine, scored, monkeypatch
):
    monkeypatch.setattr(token_stages, "pool_groups", pytest.fail)
    engine.pool_layers(Recipe.parse(f"{bert};{stages}"), scored)


def test_layers_that_memory_has_no_room_for_are_not_pooled_together(bert, settings, monkeypatch):
    corpus = Corpus.of_texts("many", many(100))
    engine = Engine(replace(settings, memory_bytes=4 * 4 * 100 * 32 * 4))  # a quarter holds 4 of 5 layers
    monkeypatch.setattr(token_stages, "pool_groups", pytest.fail)
    engine.pool_layers(Recipe.parse(bert), corpus)
    monkeypatch.undo()
    assert engine.embed(Recipe.parse(bert), corpus).vectors.shape == (100, 32)


def test_results_of_another_reference_are_not_reused(bert, engine, tmp_path):
    target, found = Corpus.of_texts("t", many(5)), []
    path = tmp_path / "reference.txt"
    for texts in (many(40), many(60)[15:]):
        path.write_text("\n".join(texts) + "\n")
        recipe = Recipe.parse(
            f"{bert};reference={path};weight=idf(fit=reference);post=zscore(fit=reference)"
        )
        found.append(engine.embed(recipe, target).vectors)
    assert np.abs(found[0] - found[1]).max() > 0.01


def test_results_of_other_repeats_are_not_reused(bert, engine):
    recipe = Recipe.parse(f"{bert};weight=idf")
    texts = many(5)
    once, often = (engine.embed(recipe, Corpus.of_texts("t", t)) for t in (texts, texts + texts[:1] * 9))
    assert often.pass_seconds == 0  # the same sentences, so the same pass
    assert np.abs(once.vectors - often.vectors).max() > 1e-3


def test_the_time_that_is_still_needed_is_0_once_it_was_spent(bert, engine, scored, texts_file):
    recipe = Recipe.parse(f"{bert};post=zscore(fit=reference);reference={texts_file}")
    before = engine.pending_seconds(recipe, scored)
    assert 0 < before < 3600
    engine.embed(recipe, scored)
    assert engine.pending_seconds(recipe, scored) == 0
    assert engine.pending_seconds(Recipe.parse("source=random"), scored) == 0


def test_before_a_model_was_timed_it_takes_as_long_as_the_machine_is_slow(bert, engine, monkeypatch):
    recipe, corpus = Recipe.parse(bert), Corpus.of_texts("large", many(150))
    usual = engine.pending_seconds(recipe, corpus)
    fast = forward_passes.operations_a_second()
    monkeypatch.setattr(forward_passes, "operations_a_second", lambda *_: fast / 10)
    assert engine.pending_seconds(recipe, corpus) == pytest.approx(10 * usual)


def test_where_a_device_is_very_fast_writing_what_it_gives_takes_the_time(bert, engine, monkeypatch):
    recipe, corpus = Recipe.parse(bert), Corpus.of_texts("large", many(150))
    usual = engine.pending_seconds(recipe, corpus)
    monkeypatch.setattr(forward_passes, "operations_a_second", lambda *_: 1e20)
    written = engine.pending_seconds(recipe, corpus)
    assert 0 < written < usual
    monkeypatch.setattr(forward_passes, "WRITTEN", forward_passes.WRITTEN / 2)
    assert engine.pending_seconds(recipe, corpus) == pytest.approx(2 * written)


def test_a_few_sentences_say_nothing_of_how_long_a_corpus_takes(bert, engine, monkeypatch):
    """The first pass of a slow machine holds loading the model: seconds for a dozen tokens."""
    recipe, corpus = Recipe.parse(bert), Corpus.of_texts("large", many(150))
    before = engine.pending_seconds(recipe, corpus)
    build = engine.store.build

    def slowly(*args, **settings):
        return build(*args, **settings, before=5.0)

    monkeypatch.setattr(engine.store, "build", slowly)
    engine.embed(recipe, Corpus.of_texts("few", many(8)))
    assert engine.pending_seconds(recipe, corpus) == before
    several = [f"{first} {second}" for first in many(30) for second in many(10)]
    engine.embed(recipe, Corpus.of_texts("several", several))
    assert 0.5 < engine.pending_seconds(recipe, corpus) < 60


def test_token_weights_stand_in_the_order_of_the_sentences(bert, engine):
    texts = ["the dog sat", "a", "dogs running in the park"]
    shown = engine.token_weights(Recipe.parse(bert), Corpus.of_texts("t", texts))
    assert [w.surface_forms[1] for w in shown] == ["the", "a", "dog"]
    assert [len(w.surface_forms) for w in shown] == [5, 3, 10]
    for weights in shown:
        np.testing.assert_allclose(weights.shares, 1 / len(weights.surface_forms))
        assert not weights.truncated


def test_progress_tells_what_is_done(bert, engine):
    steps = []
    engine.embed(Recipe.parse(bert), Corpus.of_texts("t", many(30)), steps.append)
    assert str(steps[-1]) == "Reading sentences with bert: 30 of 30"
    assert all(step.done <= step.total for step in steps)
    assert steps[-1].finished == 1.0


def test_many_sentences_tell_how_they_are_pooled_and_what_is_learnt(engine, monkeypatch):
    """A reference of 80,000 sentences takes seconds for each, after its last sentence is tokenized."""
    for module in (run, pooling):
        monkeypatch.setattr(module, "MANY", 30)
    steps = []
    recipe = Recipe.parse("source=random;tokens=content;post=quantile")
    engine.embed(recipe, Corpus.of_texts("t", many(30)), steps.append)
    assert [str(step) for step in steps[-3:]] == [
        "Pooling the tokens of sentences: 30 of 30",
        "Learning quantile from 30 vectors",
        "Applying quantile to 30 vectors",
    ]


def test_the_source_is_named_with_its_revision(bert, engine):
    embedded = engine.embed(Recipe.parse(bert), Corpus.of_texts("t", ["a"]))
    assert isinstance(embedded.source.location, Location)
    assert embedded.source.name == "bert"
    assert embedded.source.revision.startswith("sha256:")


def test_an_engine_without_results_has_the_models_and_computes_anew(bert, engine):
    recipe, corpus = Recipe.parse(f"{bert};post=zscore"), Corpus.of_texts("t", many(40))
    vectors = engine.embed(recipe, corpus).vectors
    other = engine.without_results()
    assert engine.bytes_in_memory()["vectors"] > 0
    assert other.bytes_in_memory()["vectors"] == other.bytes_in_memory()["learnt"] == 0
    source = engine.source(recipe)
    assert other.passes.encoder(source) is engine.passes.encoder(source)
    np.testing.assert_array_equal(other.embed(recipe, corpus).vectors, vectors)


@pytest.mark.parametrize(("room", "kept"), [(ROOMY, 2), (ROOMY - 1, 1)])
def test_where_memory_is_short_a_model_that_reads_is_alone_in_it(model, settings, tmp_path, room, kept):
    engine = Engine(replace(settings, memory_bytes=room))
    encoders = []
    for family in ("bert", "roberta"):
        recipe = Recipe.parse(f"source={model(family)}")
        engine.embed(recipe, Corpus.of_texts("t", many(5)))
        encoders.append(engine.passes.encoder(engine.source(recipe)))
    held = [weakref.ref(encoder) for encoder in encoders]
    del encoders
    gc.collect()
    assert sum(one() is not None and one().loaded for one in held) == kept
    recipe, texts = Recipe.parse(f"source={model('bert')}"), Corpus.of_texts("u", many(6))
    again = engine.embed(recipe, texts).vectors
    np.testing.assert_array_equal(
        again, Engine(replace(settings, cache=tmp_path / "other")).embed(recipe, texts).vectors
    )
