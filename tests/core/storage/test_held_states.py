"""Layers that were read lately stay in memory, within a budget, and are the bytes of the files."""

import threading

import numpy as np
import pytest

from core import threads as limits
from core.corpora.corpus import Corpus
from core.pipeline.engine import Engine
from core.pipeline.weighted_states import WeightedStates
from core.recipe import Recipe
from core.settings import Settings
from core.sources.token_states import chunks
from core.storage.stored_pass import StoredPass
from tests.core.helpers.texts import many

CORPUS = Corpus.of_texts("t", many(40))


@pytest.fixture
def found(bert, tmp_path):
    """A stored pass and the store it is in."""

    def make(held_layers: float, storage: str = "float32") -> tuple[StoredPass, Engine]:
        engine = Engine(Settings(cache=tmp_path / storage, storage=storage))
        source = engine.source(Recipe.parse(bert))
        stored, _ = engine.passes.get(source, CORPUS)
        layer = 4 * len(stored.tokens) * stored.layout.widths[0]
        engine.store.held._results = type(engine.store.held._results)(
            int(held_layers * layer) + 4000, getsizeof=engine.store.held._results.getsizeof
        )
        engine.store.held.limit = int(held_layers * layer) + 4000
        return stored, engine

    return make


def reads(stored: StoredPass, monkeypatch) -> list[str]:
    """The files that are read from now on, a name for each reading."""
    names: list[str] = []
    original = StoredPass._from_file

    def counted(self, name, row, tokens):
        names.append(name)
        return original(self, name, row, tokens)

    monkeypatch.setattr(StoredPass, "_from_file", counted)
    return names


def test_a_layer_is_read_once_and_is_the_same_numbers(found, monkeypatch):
    stored, _ = found(3)
    plain = {
        i: stored._from_file(f"layer-0{i}", (stored.layout.widths[i],), slice(0, len(stored.tokens)))
        for i in (0, 1)
    }
    names = reads(stored, monkeypatch)
    for _ in range(2):
        for states in chunks(stored, [0, 1]):
            span = stored.tokens.token_span(states.sentences)
            for i, rows in states.layers.items():
                np.testing.assert_array_equal(rows, plain[i][span])
                assert not rows.flags.writeable
    assert names == ["layer-00", "layer-01"]


def test_half_precision_on_disk_is_single_precision_in_memory(found, monkeypatch):
    stored, _ = found(3, "float16")
    every = slice(0, len(stored.tokens))
    plain = stored._from_file("layer-01", (stored.layout.widths[1],), every)
    (states,) = chunks(stored, [1])
    assert states.layers[1].dtype == np.float32
    np.testing.assert_array_equal(states.layers[1], plain)


def test_layers_that_do_not_fit_beside_each_other_are_read_as_before(found, monkeypatch):
    stored, engine = found(1)
    names = reads(stored, monkeypatch)
    for states in chunks(stored, [0, 1]):
        assert set(states.layers) == {0, 1}
    assert engine.store.held.bytes == 0
    assert set(names) == {"layer-00", "layer-01"}


def test_pooling_more_layers_than_fit_holds_none_and_fewer_does(found, bert, monkeypatch):
    stored, engine = found(2)
    names = reads(stored, monkeypatch)
    engine.embed(Recipe.parse(f"{bert};layers=all"), CORPUS)
    assert engine.store.held.bytes == 0
    engine.embed(Recipe.parse(f"{bert};layers=0+1;pool=sum"), CORPUS)
    assert {name for _, name in engine.store.held._results} == {"layer-00", "layer-01"}
    names.clear()
    engine.embed(Recipe.parse(f"{bert};layers=0+1;weight=idf"), CORPUS)
    assert names == []


def test_the_budget_bounds_what_is_held_and_the_least_recent_layer_goes(found):
    stored, engine = found(2)
    for layer in (0, 1, 0, 2):
        [*chunks(stored, [layer])]
    assert len(engine.store.held) == 2
    assert engine.store.held.bytes <= engine.store.held.limit
    keys = {name for _, name in engine.store.held._results}
    assert keys == {"layer-00", "layer-02"}


def test_memory_is_given_back_with_the_pass(found, bert):
    stored, engine = found(3)
    [*chunks(stored, [0])]
    assert engine.bytes_in_memory()["states"] > 0
    engine.store.discard(engine.passes.key(engine.source(Recipe.parse(bert)), CORPUS))
    assert engine.bytes_in_memory()["states"] == 0


def test_one_text_alone_reads_no_layer_whole(found, monkeypatch):
    stored, engine = found(3)
    stored.read(0, slice(0, 3))
    assert engine.store.held.bytes == 0


@pytest.mark.parametrize(
    "stages", ["pool=max", "weight=idf", "weight=ditto(layer=1,head=1)", "weight=variance"]
)
def test_recipes_give_the_same_bits_with_and_without(bert, tmp_path, stages):
    recipe = Recipe.parse(f"{bert};layers=all;{stages}")
    with_memory = Engine(Settings(cache=tmp_path))
    expected = with_memory.embed(recipe, CORPUS).vectors
    assert with_memory.store.held.bytes > 0
    without = Engine(Settings(cache=tmp_path, memory_bytes=200_000))
    np.testing.assert_array_equal(without.embed(recipe, CORPUS).vectors, expected)
    assert without.store.held.bytes == 0


@pytest.mark.parametrize("weight", ["uniform", "idf", "tfidf"])
def test_held_layers_are_pooled_at_once_and_are_the_bits_of_one_thread(found, bert, monkeypatch, weight):
    recipe = Recipe.parse(f"{bert};layers=all;weight={weight}")
    pooled, threads = [], []
    original = WeightedStates._weighted

    def weighted(self, states, groups):
        threads[-1].add(threading.get_ident())
        return original(self, states, groups)

    monkeypatch.setattr(WeightedStates, "_weighted", weighted)
    for cores in (1, 3):
        monkeypatch.setattr(limits, "cores", lambda cores=cores: cores)
        threads.append(set())
        _, engine = found(9)
        pooled.append(engine.embed(recipe, CORPUS).vectors)
    np.testing.assert_array_equal(*pooled)
    assert len(threads[0]) == 1
    assert len(threads[1]) > 1
