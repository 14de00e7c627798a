"""Vectors that are larger than their share of memory: in files, in spans, and the same numbers."""

import shutil

import numpy as np
import pytest

from core import spans
from core.corpora.corpus import Corpus
from core.encoders.encoder import Encoder
from core.pipeline import by_rows as by_rows_module
from core.pipeline import pooling, token_stages
from core.pipeline.by_rows import by_rows, take
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.settings import Settings
from core.storage.mapped import Scratch
from tests.core.helpers.texts import many

CORPUS = Corpus.of_texts("many", [*many(150), *many(40)])
SHARE = 16
"""A sixteenth of the memory is what one set of vectors may take."""

RECIPES = (
    "layers=last",
    "layers=first+last",
    "layers=all;weight=idf",
    "layers=1;pool=max",
    "layers=last;pool=pmeans",
    "layers=2;weight=sif(fit=target);post=ccr",
    "mix=averaged(w=0.3)",
    "post=centre",
    "post=zscore",
    "post=robust",
    "post=quantile",
    "post=quantile(output=normal)",
    "post=normalize",
    "post=abtt(d=3)",
    "post=pccr",
    "post=whiten",
    "post=whiten(k=5)+normalize",
    "post=zscore(fit=reference)",
)


@pytest.fixture
def little(tmp_path, monkeypatch) -> Settings:
    """Settings in which no vectors of the corpus fit into memory, and spans hold nine rows."""
    monkeypatch.setattr(spans, "SPAN_BYTES", 9 * 32 * 4)
    monkeypatch.setattr(by_rows_module, "SPAN_BYTES", 9 * 32 * 4)
    return Settings(cache=tmp_path / "little", memory_bytes=SHARE * 1000)


@pytest.mark.parametrize("stages", RECIPES)
def test_spans_and_files_change_no_vector(stages, bert, shared_engine, little, texts_file):
    recipe = Recipe.parse(f"{bert};{stages};reference={texts_file}")
    expected = shared_engine.embed(recipe, CORPUS)
    engine = Engine(little)
    embedded = engine.embed(recipe, CORPUS)
    np.testing.assert_allclose(embedded.vectors, expected.vectors, atol=2e-4, rtol=1e-3)
    assert embedded.notes == expected.notes
    assert any(engine.store.pooled.folder.iterdir())


def test_similarities_of_pairs_in_spans_are_the_same_bits(bert, engine, scored, monkeypatch):
    recipe = Recipe.parse(f"{bert};layers=last")
    whole, _ = engine.similarities(recipe, scored)
    monkeypatch.setattr(spans, "SPAN_BYTES", 7 * 32 * 4)
    np.testing.assert_array_equal(engine.similarities(recipe, scored)[0], whole)


def test_another_process_reads_what_was_pooled(bert, little, monkeypatch):
    recipe = Recipe.parse(f"{bert};layers=first+last")
    first = Engine(little).embed(recipe, CORPUS).vectors
    monkeypatch.setattr(token_stages, "pool_groups", lambda *_: pytest.fail("pooled again"))
    np.testing.assert_array_equal(Engine(little).embed(recipe, CORPUS).vectors, first)
    np.testing.assert_array_equal(
        Engine(little).embed(recipe.replace(layers="1"), CORPUS).vectors.shape, first.shape
    )


def test_what_was_pooled_outlives_the_pass_and_no_other_is_made(bert, little, monkeypatch):
    long = Corpus.of_texts("long", [*CORPUS.sentences, "the dog sat on the mat " * 100])
    recipe = Recipe.parse(f"{bert};layers=first+last;post=zscore")
    engine = Engine(little)
    first = engine.embed(recipe, long)
    assert "cut there" in first.notes[0]
    engine.store.discard(engine.passes.key(engine.source(recipe), long))
    monkeypatch.setattr(Encoder, "run", lambda *_: pytest.fail("read again"))
    other = Engine(little)
    assert other.pending_seconds(recipe, long) == 0
    again = other.embed(recipe, long)
    np.testing.assert_array_equal(again.vectors, first.vectors)
    assert again.notes == first.notes
    with pytest.raises(pytest.fail.Exception, match="read again"):
        other.embed(recipe.replace(layers="2"), long)


def test_a_pass_that_is_not_stored_is_read_once_for_all_its_layers(bert, little, monkeypatch):
    pooled, pool = [], token_stages.pool_groups
    monkeypatch.setattr(token_stages, "pool_groups", lambda *a: pooled.append(list(a[2])) or pool(*a))
    texts = len(CORPUS.sentences) * 32 * 4
    streaming = Settings(cache=little.cache, memory_bytes=little.memory_bytes, budget_bytes=6 * texts)
    engine = Engine(streaming)
    one = engine.embed(Recipe.parse(f"{bert};layers=last"), CORPUS)
    assert engine.pending_seconds(Recipe.parse(f"{bert};layers=all"), CORPUS) == 0
    engine.embed(Recipe.parse(f"{bert};layers=all"), CORPUS)
    assert len(pooled) == 1
    assert len(pooled[0]) == 5
    assert not any((little.cache / "passes").iterdir())
    plain = Engine(Settings(cache=little.cache / "plain"))
    expected = plain.embed(Recipe.parse(f"{bert};layers=last"), CORPUS)
    np.testing.assert_allclose(one.vectors, expected.vectors, atol=1e-5)


def test_without_room_on_disk_they_are_pooled_into_memory(bert, little, monkeypatch):
    recipe, right = Recipe.parse(f"{bert};layers=last"), None
    for free in (10**12, 0):
        settings = Settings(cache=little.cache / str(free), memory_bytes=little.memory_bytes)
        engine = Engine(settings)
        engine.passes.get(engine.source(recipe), CORPUS)
        usage = shutil.disk_usage(little.cache)
        monkeypatch.setattr(
            shutil, "disk_usage", lambda _, free=free, usage=usage: usage._replace(free=free)
        )
        vectors = engine.embed(recipe, CORPUS).vectors
        assert any(engine.store.pooled.folder.iterdir()) == (free > 0)
        right = vectors if right is None else right
        np.testing.assert_array_equal(vectors, right)


def test_an_interruption_leaves_nothing_behind_and_the_next_one_is_right(bert, little, shared_engine):
    class Stop(Exception):
        pass

    def stop(*_):
        raise Stop

    recipe = Recipe.parse(f"{bert};layers=first+last")
    engine = Engine(little)
    engine.passes.get(engine.source(recipe), CORPUS)
    with pytest.MonkeyPatch.context() as patch, pytest.raises(Stop):
        patch.setattr(pooling, "notes_on", stop)  # all is pooled, nothing is finished
        engine.embed(recipe, CORPUS)
    assert not any(engine.store.pooled.folder.iterdir())
    expected = shared_engine.embed(recipe, CORPUS).vectors
    np.testing.assert_allclose(engine.embed(recipe, CORPUS).vectors, expected, atol=1e-5)


def test_a_damaged_file_is_pooled_anew(bert, little):
    recipe = Recipe.parse(f"{bert};layers=last")
    engine = Engine(little)
    right = engine.embed(recipe, CORPUS).vectors.copy()
    (folder,) = engine.store.pooled.folder.iterdir()
    path = folder / "vectors.npy"
    content = bytearray(path.read_bytes())
    content[-1] ^= 0x40
    path.unlink()
    path.write_bytes(content)
    np.testing.assert_array_equal(Engine(little).embed(recipe, CORPUS).vectors, right)


@pytest.mark.parametrize("damaged", [0, 1])
def test_a_damaged_table_of_a_streamed_pass_is_pooled_anew(bert, tmp_path, damaged):
    """The pass is too large to be stored; of the tables of its two layers one is cut."""
    settings = Settings(cache=tmp_path / "cache", budget_bytes=10_000, shipped=None)
    recipe = Recipe.parse(f"{bert};layers=first+last")
    right = Engine(settings).embed(recipe, CORPUS).vectors
    tables = sorted((settings.cache / "tables").glob("pooled-*.npz"))
    assert len(tables) == 2
    tables[damaged].write_bytes(tables[damaged].read_bytes()[:100])
    np.testing.assert_array_equal(Engine(settings).embed(recipe, CORPUS).vectors, right)


def test_two_sets_of_repeats_share_what_was_pooled(bert, little, monkeypatch):
    recipe = Recipe.parse(f"{bert};layers=last")
    once = Corpus.of_texts("once", CORPUS.sentences)
    engine = Engine(little)
    engine.embed(recipe, CORPUS)
    monkeypatch.setattr(token_stages, "pool_groups", lambda *_: pytest.fail("pooled again"))
    assert engine.embed(recipe, once).vectors.shape == (150, 32)


# -- spans of rows ----------------------------------------------------------------------------------


@pytest.mark.parametrize("rows", [0, 1, 2, 3, 10])
def test_spans_hold_every_row_once(rows, monkeypatch):
    monkeypatch.setattr(spans, "SPAN_BYTES", 24)
    found = [*spans.spans(rows, 8)]
    assert [i for span in found for i in range(span.start, span.stop)] == [*range(rows)]
    assert all(span.stop - span.start <= 3 for span in found)
    assert len(found) >= 1


def test_a_row_that_is_larger_than_a_span_is_a_span(monkeypatch):
    monkeypatch.setattr(spans, "SPAN_BYTES", 1)
    assert [*spans.spans(2, 100)] == [slice(0, 1), slice(1, 2)]


def test_a_function_of_rows_gives_the_same_in_spans(tmp_path, monkeypatch):
    a, b = np.random.default_rng(0).normal(size=(2, 50, 4)).astype(np.float32)
    scratch = Scratch(tmp_path, 0)
    whole = by_rows(lambda x, y: x[:, :2] * y[:, :2], [a, b], scratch)
    monkeypatch.setattr(spans, "SPAN_BYTES", 100)
    np.testing.assert_array_equal(by_rows(lambda x, y: x[:, :2] * y[:, :2], [a, b], scratch), whole)


def test_rows_are_taken_as_often_as_they_are_named(tmp_path, monkeypatch):
    rows, scratch = np.arange(40, dtype=np.float32).reshape(10, 4), Scratch(tmp_path, 0)
    assert take(rows, np.arange(10), scratch) is rows
    monkeypatch.setattr(spans, "SPAN_BYTES", 40)
    monkeypatch.setattr(by_rows_module, "SPAN_BYTES", 40)
    positions = np.array([3, 3, 0, 9, 9, 9, 1])
    np.testing.assert_array_equal(take(rows, positions, scratch), rows[positions])
    np.testing.assert_array_equal(take(rows, np.arange(10)[::-1], scratch), rows[::-1])
