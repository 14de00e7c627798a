"""Sweeps on a real Dask cluster on loopback: a worker dies, the scheduler dies, the table is the same."""

import csv
from dataclasses import replace

import numpy as np
import pytest

from core.corpora.corpus import Corpus
from core.errors import StrataError
from core.evaluation.tasks.groups import Asked
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.sweeps import sharded_reading, shards
from core.sweeps.sharded_reading import APART
from core.sweeps.sweep import Request, sweep
from core.sweeps.workers import Workers
from tests.core.helpers.cluster import cluster
from tests.core.helpers.texts import many

DASK = Workers("dask")


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """Six small files of scored pairs: as many forward passes."""
    folder, texts = tmp_path_factory.mktemp("tables"), many(120)
    paths = []
    for number in range(6):
        rows = [f"{texts[20 * number + i]}\t{texts[20 * number + i + 10]}\t{i % 5}" for i in range(10)]
        path = folder / f"t{number}.tsv"
        path.write_text("\n".join(["sentence1\tsentence2\tscore", *rows]) + "\n", "utf-8")
        paths.append(path)
    return paths


@pytest.fixture
def request_of(bert, tables):
    recipes = (f"{bert};layers=last", f"{bert};layers=0;weight=idf")
    return Request(recipes, tuple(Asked(path.stem, str(path)) for path in tables))


def rows_of(path):
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return [{k: v for k, v in row.items() if k not in ("seconds", "pass_seconds")} for row in rows]


def test_a_killed_worker_and_then_a_killed_scheduler_lose_nothing(request_of, settings, tmp_path):
    alone, output = tmp_path / "alone.csv", tmp_path / "cluster.csv"
    sweep(Engine(replace(settings, cache=tmp_path / "own")), request_of, alone)
    appended = []

    def told(step):
        if step.what != "Sweep":
            return
        appended.append(step.about)
        if len(appended) == 3:
            running.kill(running.workers[0])
        if len(appended) == 7:
            running.kill(running.scheduler)

    with (
        cluster() as running,
        pytest.raises(StrataError, match="Dask scheduler is gone after . of 6 tasks"),
    ):
        sweep(Engine(settings), request_of, output, DASK, told)
    kept = rows_of(output)
    assert 7 <= len(kept) < 12
    assert len({(row["recipe"], row["corpus"]) for row in kept}) == len(kept), "nothing twice"
    assert not [row["error"] for row in kept if row["error"]]
    before = len(appended)
    with cluster() as running:
        counts = sweep(Engine(settings), request_of, output, DASK, told)
    assert (counts.rows, counts.failed) == (12, 0)
    assert rows_of(output) == rows_of(alone)
    assert len(set(appended[before:]) & set(appended[:before])) == 0, "what was finished is not done again"
    assert len(appended) - before == 12 - len(kept) + 1, "one step for those that were found"


def test_a_task_that_fails_takes_no_other_along(request_of, settings, tmp_path, tables, monkeypatch):
    from core.sweeps import dask_cluster

    with cluster() as running, DASK.held() as held:
        assert held.client.scheduler.address == running.address
        found = []
        with pytest.raises(ZeroDivisionError):
            for value in dask_cluster.run(held.client, divmod, [(7, 2), (1, 0), (9, 4)]):
                found.append(value)
        assert sorted(found) == [(2, 1), (3, 1)]


def test_no_scheduler_is_said(request_of, settings, tmp_path):
    import dask

    with (
        dask.config.set(
            {"scheduler-address": "tcp://127.0.0.1:9", "distributed.comm.timeouts.connect": "200ms"}
        ),
        pytest.raises(StrataError, match="No Dask scheduler answers at tcp://127.0.0.1:9"),
    ):
        sweep(Engine(settings), request_of, tmp_path / "rows.csv", DASK)


# -- shards


@pytest.fixture
def small_shards(monkeypatch):
    monkeypatch.setattr(shards, "SHARD_TOKENS", 300)


@pytest.fixture(scope="module")
def large():
    texts = many(90)
    return Corpus.of_pairs("large", texts[:45], texts[45:], [float(i % 5) for i in range(45)])


def test_shards_hold_every_text_once_and_depend_on_texts_alone(large, small_shards):
    count = shards.number(large)
    assert count > 2
    parts = shards.cut(large, count)
    found = [text for part in parts for text in part.sentences]
    assert sorted(found) == sorted(large.sentences)
    other = replace(large, sentences=tuple(reversed(large.sentences)))
    again = [set(part.sentences) for part in shards.cut(other, count)]
    assert [set(part.sentences) for part in parts] == again


@pytest.mark.parametrize("family", ["bert", "gpt2"])
def test_a_pass_of_shards_is_the_pass_of_the_whole(model, large, small_shards, settings, tmp_path, family):
    recipe = Recipe.parse(f"source={model(family)}")
    whole, cut = Engine(replace(settings, cache=tmp_path / "whole")), Engine(settings)
    source = whole.source(recipe, large)
    expected, _ = whole.passes.get(source, large)
    parts = shards.cut(large, shards.number(large))
    for part in parts:
        cut.passes.get(source, part)
    cut.passes.join(source, large, parts)
    (entry,) = cut.store.entries()
    assert entry.about["corpus"] == "large", "the shards have gone"
    found, seconds = cut.passes.get(source, large)
    assert seconds == 0
    assert entry.about["seconds"] > 0
    assert found.layers == expected.layers
    everything = slice(0, len(expected.tokens))
    np.testing.assert_array_equal(found.tokens.ids, expected.tokens.ids)
    for layer in expected.layers:
        np.testing.assert_allclose(
            found.read(layer, everything), expected.read(layer, everything), atol=2e-5
        )
    both = found.diagonals(everything), expected.diagonals(everything)
    np.testing.assert_allclose(*both, atol=2e-5)


def test_a_missing_shard_is_said_and_nothing_is_kept(model, bert, large, small_shards, settings):
    engine, recipe = Engine(settings), Recipe.parse(bert)
    source = engine.source(recipe, large)
    parts = shards.cut(large, shards.number(large))
    for part in parts[:-1]:
        engine.passes.get(source, part)
    assert "Not all parts" in shards.join(engine, recipe, large, parts)
    assert not engine.passes.are_stored(source, large)


def file_of(corpus, path):
    rows = [
        f"{corpus.sentences[i]}\t{corpus.sentences[j]}\t{gold:g}"
        for i, j, gold in zip(corpus.first, corpus.second, corpus.gold, strict=True)
    ]
    path.write_text("\n".join(["sentence1\tsentence2\tscore", *rows]) + "\n", "utf-8")
    return Asked("large", str(path))


def test_a_large_corpus_is_read_by_all_workers_in_one_pass(bert, large, small_shards, settings, tmp_path):
    request = Request(
        (f"{bert};layers=last", f"{bert};pool=max"), (file_of(large, tmp_path / "large.tsv"),)
    )
    alone, output, steps = tmp_path / "alone.csv", tmp_path / "cluster.csv", []
    sweep(Engine(replace(settings, cache=tmp_path / "own")), request, alone)
    with cluster():
        engine = Engine(settings)
        sweep(engine, request, output, DASK, steps.append)
    read = [step for step in steps if step.what == "Reading shards"]
    assert [step.done for step in read] == list(range(1, len(read) + 1))
    assert len(read) == shards.number(large)
    (entry,) = engine.store.entries()
    assert "shard" not in entry.about["corpus"]
    for found, expected in zip(rows_of(output), rows_of(alone), strict=True):
        assert float(found.pop("spearman")) == pytest.approx(float(expected.pop("spearman")), abs=1e-3)
        for name in ("pearson", "low", "high", "value"):
            assert float(found.pop(name)) == pytest.approx(float(expected.pop(name)), abs=1e-3)
        assert found == expected
    with output.open(newline="", encoding="utf-8") as file:
        seconds = [float(row["pass_seconds"]) for row in csv.DictReader(file)]
    assert seconds[0] > 0 and seconds[1] == 0, "the pass was made once"


def test_workers_without_a_common_store_each_read_alone_and_say_so(
    bert, large, small_shards, settings, tmp_path, monkeypatch
):
    """The probe is one that a worker cannot see, as where each machine has a disk of its own."""
    read = sharded_reading.shards.read
    monkeypatch.setattr(
        sharded_reading.shards,
        "read",
        lambda engine, shard, probe: read(engine, shard, probe.with_name("elsewhere")),
    )
    here = Workers("loky", 2)
    monkeypatch.setattr(Workers, "run", lambda self, task, calls: (task(*call) for call in calls))
    output = tmp_path / "rows.csv"
    asked = file_of(large, tmp_path / "large.tsv")
    counts = sweep(Engine(settings), Request((f"{bert};layers=last",), (asked,)), output, here)
    assert (counts.rows, counts.failed) == (1, 0)
    (row,) = rows_of(output)
    assert row["notes"].endswith(APART)


def test_a_small_corpus_and_one_that_is_read_are_not_cut(bert, large, settings, monkeypatch):
    engine, recipe = Engine(settings), Recipe.parse(bert)
    assert shards.worth_it(engine, recipe, large) == 1
    monkeypatch.setattr(shards, "SHARD_TOKENS", 300)
    assert shards.worth_it(engine, recipe, large) > 2
    assert shards.worth_it(engine, Recipe.parse("source=random"), large) == 1
    engine.embed(recipe, large)
    assert shards.worth_it(engine, recipe, large) == 1
