"""Stored passes survive kills, damage and company, and keep to their budget."""

import errno
import json
import os
import shutil
import signal
import threading
import time
from multiprocessing.connection import Connection
from pathlib import Path

import numpy as np
import pytest

from core.cli import main
from core.corpora.corpus import Corpus
from core.encoders.encoder import Encoder
from core.errors import StoreError
from core.evaluation.scoring import score
from core.pipeline.engine import Engine
from core.progress import Heard, Step
from core.recipe import Recipe
from core.settings import Settings
from core.storage import pass_writer, tables
from core.storage import store as store_module
from core.storage.files import sha256_of
from core.storage.store import Store
from core.storage.tables import TableKind
from tests.core.helpers import forks, scripts
from tests.core.helpers.batches import bounded, cpu_with
from tests.core.helpers.texts import many, pairs

TEXTS = many(60)
CORPUS = Corpus.of_texts("t", TEXTS)
KIND = TableKind("test", 1)


@pytest.fixture
def batches(monkeypatch) -> list[slice]:
    """The batches that forward passes run: many small ones, each noted in the journal."""
    ran: list[slice] = []
    run = Encoder._begin

    def counted(self, encoded, batch, *dtype):
        ran.append(batch)
        return run(self, encoded, batch, *dtype)

    monkeypatch.setattr(Encoder, "_begin", counted)
    bounded(monkeypatch, tokens=64)
    monkeypatch.setattr(pass_writer, "JOURNAL_SECONDS", 0.0)
    return ran


@pytest.fixture
def recipe(bert) -> Recipe:
    return Recipe.parse(f"{bert};layers=all")


def entries(cache: Path) -> list[Path]:
    return sorted((cache / "passes").iterdir())


def contents(entry: Path) -> dict[str, bytes]:
    """The files of an entry, without what differs from run to run."""
    return {p.name: p.read_bytes() for p in entry.iterdir() if p.name != "about.json"}


# -- what is on disk ---------------------------------------------------------------------------


def test_files_are_plain_arrays_without_pickle(engine, recipe, settings):
    embedded = engine.embed(recipe, CORPUS)
    found, seconds = engine.passes.get(embedded.source, CORPUS)

    (entry,) = entries(settings.cache)
    arrays = {p.stem: np.load(p, mmap_mode="r", allow_pickle=False) for p in entry.glob("*.npy")}

    tokens = len(found.tokens)
    assert seconds == 0.0
    assert {name: a.shape for name, a in arrays.items()} == {
        "static": (tokens, 32),
        **{f"layer-{i:02d}": (tokens, 32) for i in range(4)},
        "diagonals": (tokens, 3, 4),
    }
    span = found.tokens.span(7)
    assert np.array_equal(arrays["layer-02"][span], found.read(2, span))
    assert np.array_equal(arrays["diagonals"][span], found.diagonals(span))
    with np.load(entry / "tokens.npz", allow_pickle=False) as loaded:
        assert np.array_equal(loaded["ids"], found.tokens.ids)
    assert {p.suffix for p in entry.iterdir()} == {".npy", ".npz", ".json"}


def test_the_key_tells_models_texts_and_precisions_apart(model, tmp_path):
    keys = set()
    for more in ({}, {"forward": "bfloat16"}, {"storage": "float16"}):
        engine = Engine(Settings(cache=tmp_path / "cache", **more))
        for family in ("bert", "electra"):
            source = engine.passes.source(Recipe.parse(f"source={model(family)}").source)
            keys |= {engine.passes.key(source, c) for c in (CORPUS, Corpus.of_texts("t", TEXTS[::-1]))}
            assert engine.passes.key(source, CORPUS) == engine.passes.key(
                source, Corpus.of_texts("u", TEXTS)
            )
    assert len(keys) == 12


@pytest.mark.parametrize(
    ("setting", "bound"), [({"storage": "float16"}, 1e-3), ({"forward": "bfloat16"}, 0.05)]
)
def test_lower_precision_costs_little(recipe, engine, tmp_path, setting, bound):
    exact = engine.embed(recipe, CORPUS).vectors
    rough = Engine(Settings(cache=tmp_path / "rough", **setting)).embed(recipe, CORPUS).vectors
    norms = np.linalg.norm(exact, axis=1)
    assert 0 < (np.linalg.norm(exact - rough, axis=1) / norms).max() < bound
    assert ((exact * rough).sum(axis=1) / norms / np.linalg.norm(rough, axis=1)).min() > 0.999


# -- a pass that stops in the middle -------------------------------------------------------------


class Stopped(Exception):
    """Raised in the middle of a pass."""


def stop_at(sentence):
    def progress(step):
        if step.what.startswith("Reading") and step.done >= sentence:
            raise Stopped

    return progress


def test_a_stopped_pass_goes_on_where_it_was(recipe, tmp_path, batches):
    whole = Engine(Settings(cache=tmp_path / "whole")).embed(recipe, CORPUS).vectors
    uninterrupted, batches[:] = list(batches), []
    for sentence in (9, 30):
        with pytest.raises(Stopped):
            Engine(Settings(cache=tmp_path / "cut")).embed(recipe, CORPUS, stop_at(sentence))
        assert [p.suffix for p in entries(tmp_path / "cut")] == [".partial"]

    again = Engine(Settings(cache=tmp_path / "cut")).embed(recipe, CORPUS)

    assert batches == uninterrupted  # every batch once, none twice
    assert np.array_equal(again.vectors, whole)
    assert contents(*entries(tmp_path / "cut")) == contents(*entries(tmp_path / "whole"))


def read_until_killed(say: Connection, cache: Path, recipe: str) -> None:
    cpu_with(tokens=64)
    pass_writer.JOURNAL_SECONDS = 0.0

    def progress(step):
        if step.what.startswith("Reading") and step.done >= 30:
            say.send("there")
            time.sleep(600)

    Engine(Settings(cache=cache)).embed(Recipe.parse(recipe), CORPUS, progress)


def test_a_killed_process_loses_nothing_it_noted(recipe, tmp_path, batches):
    process, heard = forks.start(read_until_killed, tmp_path / "cut", str(recipe))
    assert forks.said(heard) == "there"
    process.kill()
    process.join(scripts.HANG)
    assert process.exitcode == -signal.SIGKILL
    (partial,) = entries(tmp_path / "cut")
    with (partial / "layer-01.npy").open("ab") as file:  # a batch half written at the time
        file.write(b"\x01" * 777)
    with (partial / "journal.jsonl").open("a") as file:
        file.write('{"sentences": 55, "fil')

    again = Engine(Settings(cache=tmp_path / "cut")).embed(recipe, CORPUS)

    assert batches
    assert batches[0].start >= 30
    whole = Engine(Settings(cache=tmp_path / "whole")).embed(recipe, CORPUS)
    assert np.array_equal(again.vectors, whole.vectors)
    assert contents(*entries(tmp_path / "cut")) == contents(*entries(tmp_path / "whole"))


@pytest.mark.parametrize("name", ["layer-01.npy", "diagonals.npy"])
def test_a_partial_entry_whose_files_were_changed_begins_anew(recipe, settings, batches, name):
    with pytest.raises(Stopped):
        Engine(settings).embed(recipe, CORPUS, stop_at(30))
    flip(entries(settings.cache)[0] / name)
    batches.clear()
    Engine(settings).embed(recipe, CORPUS)
    assert batches[0].start == 0


# -- damage ----------------------------------------------------------------------------------------


def flip(path: Path) -> None:
    """Turn one bit in the middle of a file."""
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def garbage(path: Path) -> None:
    path.write_text("{ not json")


def other_json(path: Path) -> None:
    path.write_text("[1, 2]")


@pytest.mark.parametrize("in_the_same_process", [True, False])
@pytest.mark.parametrize(
    ("name", "damage"),
    [
        *(
            (name, harm)
            for name in ("layer-03.npy", "tokens.npz")
            for harm in (flip, cut, Path.unlink, garbage)
        ),
        *(("about.json", harm) for harm in (cut, Path.unlink, garbage, other_json)),
    ],
)
def test_a_damaged_entry_is_rebuilt(recipe, settings, batches, name, damage, in_the_same_process):
    engine = Engine(settings)
    before = engine.embed(recipe, CORPUS)
    ran = len(batches)
    (entry,) = entries(settings.cache)
    damage(entry / name)

    again = engine if in_the_same_process else Engine(settings)
    source = before.source
    found, seconds = again.passes.get(source, CORPUS)

    assert seconds > 0
    assert len(batches) == 2 * ran
    span = slice(0, len(found.tokens))
    fresh = np.load(entries(settings.cache)[0] / "layer-03.npy")
    assert np.array_equal(found.read(3, span), fresh)
    assert np.array_equal(Engine(settings).embed(recipe, CORPUS).vectors, before.vectors)


def test_only_layers_that_are_used_are_checked(bert, settings, batches):
    engine = Engine(settings)
    engine.embed(Recipe.parse(f"{bert};layers=last"), CORPUS)
    ran = len(batches)
    flip(entries(settings.cache)[0] / "layer-01.npy")

    Engine(settings).embed(Recipe.parse(f"{bert};layers=last"), CORPUS)
    assert len(batches) == ran
    Engine(settings).embed(Recipe.parse(f"{bert};layers=1"), CORPUS)
    assert len(batches) == 2 * ran


def test_a_file_is_hashed_once_for_each_state(engine, tmp_path, monkeypatch):
    path, hashed = tmp_path / "file", []
    monkeypatch.setattr(store_module, "sha256_of", lambda one: hashed.append(one) or sha256_of(one))
    path.write_text("text")
    first = engine.store.digest(path)
    assert [engine.store.digest(path), Store(engine.store.root).digest(path)] == [first] * 2
    path.write_text("other text")
    assert engine.store.digest(path) != first
    assert hashed == [path, path]


def test_a_damaged_table_is_computed_anew(engine, tmp_path):
    store = engine.store
    path = tmp_path / "file"
    path.write_text("text")
    right = store.digest(path)
    (kept,) = (store.root / "tables").iterdir()
    for damage in (cut, garbage, flip):
        damage(kept)
        assert Store(store.root).digest(path) == right


# -- company ---------------------------------------------------------------------------------------


def test_two_threads_share_one_pass(recipe, engine, batches):
    results, begin = [], threading.Barrier(3)

    def visit():
        begin.wait()
        results.append(engine.embed(recipe, CORPUS))

    visitors = [threading.Thread(target=visit) for _ in range(3)]
    for visitor in visitors:
        visitor.start()
    for visitor in visitors:
        visitor.join(scripts.HANG)

    starts = [batch.start for batch in batches]
    assert len(starts) == len(set(starts))
    assert all(np.array_equal(r.vectors, results[0].vectors) for r in results)
    assert len(results) == 3
    assert sum(r.pass_seconds > 0 for r in results) == 1


def test_who_waits_for_a_lock_is_told_how_far_the_other_thread_is(tmp_path):
    store, held, go, steps = Store(tmp_path), threading.Event(), threading.Event(), []
    first = Heard()

    def hold():
        with store.exclusively("key", first, "a pass"):
            held.set()
            assert go.wait(60)
            first(Step("Reading sentences", 3, 8))
            while len(steps) < 3:
                time.sleep(0.01)

    def told(step):
        steps.append(step)
        go.set()

    thread = threading.Thread(target=hold)
    thread.start()
    assert held.wait(60)
    with store.exclusively("key", told, "a pass"):
        pass
    thread.join(60)
    assert steps[0] == Step("Waiting for other work that runs a pass", 0, 0)
    assert steps[2] == Step("Reading sentences", 3, 8)


def visit(say: Connection, cache: Path, *recipes: str) -> None:
    def progress(step):
        if step.what.startswith("Waiting"):
            say.send("waiting")

    engine, corpus = Engine(Settings(cache=cache)), pairs()
    seconds = engine.embed(Recipe.parse(recipes[0]), corpus, progress).pass_seconds
    scores = {text: score(engine, Recipe.parse(text), corpus).score for text in recipes}
    for text in recipes:
        engine.kept_recipes.keep(text, "kept by both")
    say.send((seconds, {text: [one.spearman, one.low, one.high] for text, one in scores.items()}))


def test_two_servers_on_one_store_share_a_pass_and_answer_alike(recipe, engine, settings, scored):
    texts = [str(recipe), f"{recipe};weight=idf;post=zscore", f"{recipe};pool=max"]
    key = engine.passes.key(engine.passes.source(recipe.source), scored)
    with engine.store.exclusively(key, print):
        servers = [forks.start(visit, settings.cache, *order) for order in (texts, texts[::-1])]
        assert [forks.said(heard) for _, heard in servers] == ["waiting"] * 2
    seconds, answers = zip(*(forks.last(heard) for _, heard in servers), strict=True)
    assert sorted(s > 0 for s in seconds) == [False, True], "one of them made the pass"
    assert answers[0] == answers[1]
    (entry,) = engine.store.entries()
    assert engine.store.open(entry.key) is not None, "every file has its length and checksum"
    for text in texts:
        alone = score(engine, Recipe.parse(text), scored).score
        assert answers[0][text] == [alone.spearman, alone.low, alone.high]
    assert engine.kept_recipes.all().keys() == set(texts)
    assert not [path for path in settings.cache.rglob("*") if path.suffix == ".partial"]


SECOND = """
import sys
from core.cli import main

corpus, cache, *recipes = sys.argv[1:]
for recipe in recipes:
    main(["score", "--json", "--recipe", recipe, "--corpus", corpus, "--cache", cache])
    print()
assert not {"torch", "transformers"} & set(sys.modules), "a start would wait for them"
"""


def test_a_second_process_finds_the_pass_and_needs_no_model_nor_torch(recipe, settings, table, capsys):
    more = ("", ";weight=ditto(layer=1,head=2)", ";pool=s3e", ";post=whiten")
    recipes = [f"{recipe}{choice}" for choice in more]
    firsts = []
    for one in recipes:
        asked = ["score", "--json", "--recipe", one, "--corpus", str(table)]
        assert main([*asked, "--cache", str(settings.cache)]) == 0
        firsts.append(json.loads(capsys.readouterr().out))
    assert firsts[0]["pass_seconds"] > 0

    printed = scripts.run(SECOND, table, settings.cache, *recipes)
    seconds = [json.loads(line) for line in printed.split("\n\n") if line.strip()]

    assert [second["pass_seconds"] for second in seconds] == [0] * len(recipes)
    for run in (*firsts, *seconds):
        del run["seconds"], run["pass_seconds"]
    assert seconds == firsts


def test_what_passes_are_of_is_read_once_while_they_stay(recipe, engine, settings, monkeypatch):
    engine.embed(recipe, CORPUS)
    reads = []
    read = store_module.read_sealed
    monkeypatch.setattr(store_module, "read_sealed", lambda path: reads.append(path) or read(path))
    store = Store(settings.cache)
    assert [about["corpus"] for about in store.abouts()] == [CORPUS.name]
    engine.embed(recipe, CORPUS)  # used, not changed
    reads.clear()
    assert [about["corpus"] for about in store.abouts()] == [CORPUS.name]
    assert reads == []
    engine.embed(recipe, Corpus.of_texts("other", TEXTS[:5]))
    assert sorted(about["corpus"] for about in store.abouts()) == sorted([CORPUS.name, "other"])
    engine.store.discard(engine.store.entries()[0].key)
    assert len(store.abouts()) == 1


# -- budget and disk ---------------------------------------------------------------------------------


def test_the_least_recently_used_pass_makes_room(recipe, engine, settings):
    corpora = [Corpus.of_texts(name, [f"{text} {name}" for text in TEXTS]) for name in "abc"]
    engine.embed(recipe, corpora[0])
    one = engine.store.entries()[0].bytes
    small = Engine(Settings(cache=settings.cache, budget_bytes=int(2.5 * one)))
    small.embed(recipe, corpora[1])
    small.passes.get(small.passes.source(recipe.source), corpora[0])  # used again

    small.embed(recipe, corpora[2])

    assert [entry.about["corpus"] for entry in small.store.entries()] == ["c", "a"]
    assert sum(entry.bytes for entry in small.store.entries()) <= small.settings.budget_bytes


@pytest.mark.parametrize("pool", ["mean", "max", "cls"])
def test_a_pass_above_the_budget_is_streamed_and_leaves_nothing(bert, engine, tmp_path, batches, pool):
    recipe = Recipe.parse(f"{bert};pool={pool}")
    stored = engine.embed(recipe, CORPUS)
    small = Engine(Settings(cache=tmp_path / "small", budget_bytes=10_000))

    streamed = small.embed(recipe, CORPUS)

    assert np.abs(streamed.vectors - stored.vectors).max() < 1e-6
    assert streamed.pass_seconds > 0
    assert entries(tmp_path / "small") == []
    ran = len(batches)
    other = small.embed(Recipe.parse(f"{bert};pool={pool};layers=last"), CORPUS)
    expected = engine.embed(Recipe.parse(f"{bert};pool={pool};layers=last"), CORPUS)
    assert np.abs(other.vectors - expected.vectors).max() < 1e-6
    assert (len(batches) == ran) == (pool != "max")  # one reading answered for every layer


def test_a_full_disk_is_explained_and_costs_only_the_pass_at_hand(recipe, settings, monkeypatch):
    engine = Engine(settings)
    kept = Corpus.of_texts("kept", TEXTS[:20])
    before = engine.embed(recipe, kept).vectors
    append = pass_writer.PassWriter.append

    def full(self, states):
        if states.sentences.stop > 30:
            raise OSError(errno.ENOSPC, "No space left on device")
        append(self, states)

    bounded(monkeypatch, tokens=64)
    monkeypatch.setattr(pass_writer.PassWriter, "append", full)
    with pytest.raises(StoreError, match=r"disk of .* is full.*MB.*cache --clear.*STRATA_CACHE"):
        engine.embed(recipe, CORPUS)

    assert [entry.about["corpus"] for entry in engine.store.entries()] == ["kept"]
    assert len(entries(settings.cache)) == 1
    assert np.array_equal(Engine(settings).embed(recipe, kept).vectors, before)


def test_little_space_on_the_disk_streams_and_removes_nothing_in_vain(recipe, engine, monkeypatch):
    engine.embed(recipe, Corpus.of_texts("kept", TEXTS[:20]))
    usage = shutil.disk_usage(engine.settings.cache)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=1000))
    engine.embed(recipe, CORPUS)
    assert [entry.about["corpus"] for entry in engine.store.entries()] == ["kept"]


def test_a_store_on_a_disk_that_is_read_alone_streams(recipe, engine, monkeypatch):
    cache = engine.settings.cache
    monkeypatch.setattr(os, "access", lambda place, mode: mode != os.W_OK or cache not in place.parents)
    assert len(engine.embed(recipe, CORPUS).vectors) == len(CORPUS.sentences)
    assert entries(cache) == []


def test_a_small_table_that_cannot_be_written_is_still_given(engine, monkeypatch):
    def full(*_, **__):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(tables.np, "savez", full)
    assert engine.store.table(KIND, ["key"], lambda: {"a": np.arange(3)})["a"].tolist() == [0, 1, 2]
    assert list((engine.store.root / "tables").iterdir()) == []


def test_tables_have_a_budget_and_the_least_recently_used_go(engine, monkeypatch):
    monkeypatch.setattr(tables, "TABLES_BYTES", 10_000)
    store, made = engine.store, []

    def table(name: str) -> None:
        store.table(KIND, [name], lambda: made.append(name) or {"x": np.zeros(320)})
        os.utime(path_of(name), (len(made), len(made)))  # files of one moment

    def path_of(name: str) -> Path:
        return store.root / "tables" / f"{KIND.key([name])}.npz"

    for name in "abc":
        table(name)
    assert made == ["a", "b", "c"]
    os.utime(path_of("a"))  # as if it were read just now
    table("d")
    held = set((store.root / "tables").glob("*.npz"))
    assert held == {path_of(name) for name in "acd"}
    table("b")
    assert made == ["a", "b", "c", "d", "b"]


def test_a_table_of_another_user_that_must_stay_costs_nobody_theirs(engine, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(errno.EPERM, "Operation not permitted")

    engine.store.put_table(KIND, ["a"], {"x": np.zeros(320)})
    monkeypatch.setattr(tables, "TABLES_BYTES", 100)
    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", refuse)
        engine.store.put_table(KIND, ["b"], {"x": np.ones(320)})
    assert engine.store.find_table(KIND, ["b"])["x"].sum() == 320


def test_a_table_that_is_read_counts_as_used(engine):
    engine.store.table(KIND, ["t"], lambda: {"x": np.zeros(3)})
    (path,) = (engine.store.root / "tables").iterdir()
    os.utime(path, (1, 1))
    engine.store.table(KIND, ["t"], dict)
    assert path.stat().st_mtime > 1


def test_a_store_that_cannot_be_a_folder_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot be used.*STRATA_CACHE"):
        Engine(Settings(cache=tmp_path / "file"))


@pytest.mark.parametrize("part", ["passes", "tables", "vectors", "pooled", "locks"])
def test_a_store_of_which_a_part_may_not_be_looked_at_is_refused(tmp_path, monkeypatch, part):
    monkeypatch.setattr(os, "access", lambda path, mode: path != tmp_path / part)
    with pytest.raises(StoreError, match="cannot be used.*Permission denied.*STRATA_CACHE"):
        Store(tmp_path)


def test_clear_removes_passes_and_tables(engine, recipe):
    engine.embed(recipe, CORPUS)
    held = sum(entry.bytes for entry in engine.store.entries())
    assert engine.store.clear() >= held
    assert engine.store.entries() == []
    assert Engine(engine.settings).embed(recipe, CORPUS).pass_seconds > 0
