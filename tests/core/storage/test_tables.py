"""Tables are kept under what computes them, and computed once for all who ask at the same time."""

import importlib
import pkgutil
import threading

import numpy as np
import pytest

import core
from core.storage import tables
from core.storage.store import Store
from core.storage.tables import TableKind
from tests.core.helpers import scripts

FIRST = TableKind("first", 1, ("zuko",))
SECOND = TableKind("second", 1)


class Counted:
    """Computes a table and counts how often."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self):
        self.calls += 1
        return {"x": np.arange(3)}


def test_a_raised_version_recomputes_its_own_kind_alone(tmp_path):
    store, first, second = Store(tmp_path), Counted(), Counted()
    for version, calls in ((1, 1), (1, 1), (2, 2), (2, 2)):
        store.table(TableKind("first", version, ("zuko",)), ["part"], first)
        store.table(SECOND, ["part"], second)
        assert (first.calls, second.calls) == (calls, 1)


def test_another_version_of_a_library_recomputes_what_rests_on_it(tmp_path, monkeypatch):
    store, first, second = Store(tmp_path), Counted(), Counted()
    for version, calls in (("1.6.0", 1), ("1.7.0", 2), ("none", 3), ("1.6.0", 3)):
        monkeypatch.setattr(tables, "library_version", lambda _, version=version: version)
        assert store.has_table(FIRST, ["part"]) == (first.calls == calls)
        store.table(FIRST, ["part"], first)
        store.table(SECOND, ["part"], second)
        assert (first.calls, second.calls) == (calls, 1)


def test_versions_of_libraries_are_those_installed():
    assert tables.library_version("numpy") == np.__version__
    assert tables.library_version("no-such-package-anywhere") == "none"


def test_only_what_rests_on_forward_passes_depends_on_their_version(monkeypatch):
    kinds = [TableKind("counts", 1), TableKind("scores", 1, forward=True)]
    before = [kind.key(["part"]) for kind in kinds]
    monkeypatch.setattr(tables, "ENGINE", tables.ENGINE + 1)
    assert [kind.key(["part"]) == key for kind, key in zip(kinds, before, strict=True)] == [True, False]


def test_every_kind_has_a_name_of_its_own():
    kinds = {}
    for module in pkgutil.walk_packages(core.__path__, "core."):
        if module.name == "core.__main__":
            continue
        for value in vars(importlib.import_module(module.name)).values():
            if isinstance(value, TableKind):
                kinds[id(value)] = value
    names = [kind.name for kind in kinds.values()]
    assert len(names) > 10
    assert sorted(names) == sorted(set(names))


@pytest.mark.parametrize("same_store", [True, False])
def test_threads_that_ask_at_the_same_time_share_one_computation(tmp_path, same_store):
    shared, begun, waits = Store(tmp_path), threading.Event(), threading.Event()
    calls, results = [], []

    def compute():
        calls.append(1)
        begun.set()
        assert waits.wait(60)
        return {"x": np.arange(3)}

    def report(step):
        assert step.what.startswith("Waiting for other work that runs the same computation")
        waits.set()

    def visit():
        store = shared if same_store else Store(tmp_path)
        results.append(store.table(SECOND, ["part"], compute, report)["x"].tolist())

    threads = [threading.Thread(target=visit) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert results == [[0, 1, 2]] * 4
    assert len(calls) == 1
    assert list((tmp_path / "locks").iterdir()) == []


VISITOR = """
import sys, time
from pathlib import Path
import numpy as np
from core.storage.store import Store
from core.storage.tables import TableKind

def compute():
    print("computes", flush=True)
    sys.stdin.readline()
    return {"x": np.arange(3)}

def report(step):
    print("waits", flush=True)

store = Store(Path(sys.argv[1]))
print(store.table(TableKind("second", 1), ["part"], compute, report)["x"].tolist(), flush=True)
"""


def test_processes_that_ask_at_the_same_time_share_one_computation(tmp_path):
    store = Store(tmp_path)
    key = SECOND.key(["part"])
    with store.exclusively(key, print):
        visitors = [scripts.start(VISITOR, tmp_path) for _ in range(2)]
        assert [v.stdout.readline() for v in visitors] == ["waits\n"] * 2
        elsewhere = Store(tmp_path / "elsewhere")
        elsewhere.table(SECOND, ["part"], lambda: {"x": np.arange(5)})
        (table,) = tables_of(elsewhere)
        table.rename(tmp_path / "tables" / table.name)
    printed = [v.communicate(timeout=scripts.HANG)[0] for v in visitors]
    assert [text.splitlines()[-1] for text in printed] == ["[0, 1, 2, 3, 4]"] * 2
    assert not any("computes" in text for text in printed)


def test_a_failed_computation_is_raised_and_tried_again(tmp_path):
    store, counted = Store(tmp_path), Counted()
    with pytest.raises(ZeroDivisionError):
        store.table(SECOND, ["part"], lambda: 1 / 0)
    store.table(SECOND, ["part"], counted)
    assert counted.calls == 1


def test_a_table_is_computed_where_no_lock_can_be_written(tmp_path):
    store, counted = Store(tmp_path), Counted()
    (tmp_path / "locks").rmdir()
    (tmp_path / "locks").write_text("not a folder")
    assert store.table(SECOND, ["part"], counted)["x"].tolist() == [0, 1, 2]
    assert store.has_table(SECOND, ["part"])


# -- damage and mistaken files -----------------------------------------------------------------------


def tables_of(store: Store) -> list:
    return sorted((store.root / "tables").glob("*.npz"))


def test_a_table_under_the_name_of_another_is_computed_anew(tmp_path):
    store = Store(tmp_path)
    for part in ("one", "two"):
        store.table(SECOND, [part], lambda part=part: {"x": np.array([len(part)]), "name": np.array(part)})
    one, two = tables_of(store)
    one.write_bytes(two.read_bytes())
    for part in ("one", "two"):
        arrays = store.table(SECOND, [part], lambda part=part: {"name": np.array(part)})
        assert str(arrays["name"]) == part


@pytest.mark.parametrize("value", [0, 1, 255])
def test_any_changed_byte_of_a_table_gives_the_right_arrays(tmp_path, value):
    store, right = Store(tmp_path), {"x": np.arange(4), "text": np.array("abc"), "none": np.zeros((0, 2))}
    store.table(SECOND, ["part"], lambda: right)
    (path,) = tables_of(store)
    whole, computed = path.read_bytes(), Counted()

    def compute():
        computed()
        return right

    for place in range(0, len(whole), 1 if len(whole) < 4000 else 3):
        path.write_bytes(whole[:place] + bytes([value]) + whole[place + 1 :])
        arrays = store.table(SECOND, ["part"], compute)
        assert set(arrays) == set(right), place
        for name, array in right.items():
            np.testing.assert_array_equal(arrays[name], array)
    assert computed.calls > 100


@pytest.mark.parametrize("content", [b"", b"PK", np.arange(3).tobytes()])
def test_what_is_no_table_is_computed_anew(tmp_path, content):
    store, computed = Store(tmp_path), Counted()
    store.table(SECOND, ["part"], computed)
    (path,) = tables_of(store)
    path.write_bytes(content)
    assert store.table(SECOND, ["part"], computed)["x"].tolist() == [0, 1, 2]
    with path.open("wb") as file:
        np.save(file, np.arange(9))
    assert store.table(SECOND, ["part"], computed)["x"].tolist() == [0, 1, 2]
    assert computed.calls == 3


def test_clearing_removes_what_the_store_has_made_and_nothing_else(tmp_path):
    others = ["tables/thesis.csv", "vectors/glove.txt", "passes/notes/today.txt", "tables/numbers.npz"]
    for other in others:
        (tmp_path / other).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / other).write_text("mine")
    store = Store(tmp_path)
    store.table(SECOND, ["part"], Counted())
    for name in (f"passes/{'a' * 40}", f"passes/{'b' * 40}.partial", f"vectors/{'c' * 40}"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "about.json").write_text("{}")
    assert store.clear() > 0
    left = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()}
    assert left == set(others)


def test_clearing_goes_on_where_a_file_goes_meanwhile(tmp_path):
    store = Store(tmp_path)
    store.table(SECOND, ["part"], Counted())
    (tmp_path / "tables" / f"gone-{'a' * 40}.npz").symlink_to(tmp_path / "nowhere")
    assert store.clear() > 0
    assert list((tmp_path / "tables").iterdir()) == []
