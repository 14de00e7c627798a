"""Sweeps on a real Dask cluster on loopback: a worker dies, the scheduler dies, the table is the same."""

import csv
from dataclasses import replace

import pytest

from core.errors import StrataError
from core.evaluation.tasks.groups import Asked
from core.pipeline.engine import Engine
from core.sweeps.planning import Request
from core.sweeps.sweep import sweep
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
        pytest.raises(
            StrataError, match="No Dask scheduler answers at tcp://127.0.0.1:9.*or take --backend loky"
        ),
    ):
        sweep(Engine(settings), request_of, tmp_path / "rows.csv", DASK)
