"""What was used last goes last, though the clock was put back meanwhile."""

import os
import time
from pathlib import Path

import numpy as np
import pytest

from core.corpora.uploads import Uploads
from core.settings import GIGABYTE
from core.storage import eviction
from core.storage.store import Store
from core.storage.tables import TableKind
from tests.core.helpers.handmade_pass import Run, build, layout_in

KIND = TableKind("used", 1)


@pytest.fixture
def put_back(monkeypatch):
    """Puts the clock back by a day, in a process of its own."""
    yesterday = time.time_ns() - 24 * 3600 * 10**9

    def put() -> None:
        eviction._LATEST.clear()
        monkeypatch.setattr(time, "time_ns", lambda: yesterday)

    return put


def by_use(paths: list[Path]) -> list[str]:
    return [path.name for path in sorted(paths, key=lambda path: path.stat().st_mtime_ns)]


def test_a_pass_that_is_used_after_the_clock_was_put_back_goes_last(tmp_path, put_back):
    store = Store(tmp_path)
    for key in ("old", "older", "used"):
        build(store, layout_in("float32"), Run(), key)
    put_back()
    again = Store(tmp_path)
    again.open("used")
    build(again, layout_in("float32"), Run(), "new")
    again.open("old")
    assert [entry.key for entry in again.entries()] == ["old", "new", "used", "older"]


def test_a_table_that_is_used_after_the_clock_was_put_back_goes_last(tmp_path, put_back):
    store = Store(tmp_path)
    for name in ("old", "used"):
        store.put_table(KIND, [name], {"x": np.zeros(3)})
    put_back()
    store.find_table(KIND, ["used"])
    store.put_table(KIND, ["new"], {"x": np.zeros(3)})
    expected = [f"{KIND.key([name])}.npz" for name in ("old", "used", "new")]
    assert by_use([*(tmp_path / "tables").iterdir()]) == expected


def test_a_file_that_is_used_after_the_clock_was_put_back_goes_last(tmp_path, put_back):
    uploads = Uploads(tmp_path, GIGABYTE, 5_000)
    old, used = (
        uploads.bring("pairs.tsv", f"sentence1\tsentence2\tscore\nA.\tB.\t{i}".encode()) for i in (1, 2)
    )
    put_back()
    uploads.touch(uploads.corpora()[used])
    assert uploads.corpora()[used].stat().st_atime_ns > uploads.corpora()[old].stat().st_atime_ns


def test_a_use_is_timed_by_the_clock_where_that_is_right(tmp_path):
    path = tmp_path / "a.npz"
    path.write_text("")
    os.utime(path, (1, 1))
    before = time.time_ns()
    eviction.count_as_used(path)
    assert before <= path.stat().st_mtime_ns <= time.time_ns()
