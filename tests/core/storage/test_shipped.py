"""Tables that come with the installation."""

import numpy as np
import pytest

from core.storage.shipped import ship
from core.storage.store import Store
from core.storage.tables import TableKind

KIND = TableKind("shipped-in-a-test", 1)


def never():
    pytest.fail("computed though it is kept")


@pytest.fixture
def archive(tmp_path):
    made = Store(tmp_path / "made")
    made.put_table(KIND, ["a"], {"x": np.arange(6.0).reshape(2, 3)})
    made.put_table(KIND, ["b"], {"words": np.array(["one", "two"])})
    path = tmp_path / "shipped.zip"
    assert ship((made.root / "tables").glob("*.npz"), path) == 2
    return path


def test_a_shipped_table_is_found_and_not_computed(archive, tmp_path):
    store = Store(tmp_path / "own", shipped=archive)
    assert store.has_table(KIND, ["a"])
    np.testing.assert_array_equal(store.table(KIND, ["a"], never)["x"], np.arange(6.0).reshape(2, 3))
    assert store.find_table(KIND, ["b"])["words"].tolist() == ["one", "two"]
    assert list((store.root / "tables").iterdir()) == []


def test_what_is_not_shipped_is_computed_and_kept(archive, tmp_path):
    store = Store(tmp_path / "own", shipped=archive)
    assert not store.has_table(KIND, ["c"])
    assert store.find_table(KIND, ["c"]) is None
    store.table(KIND, ["c"], lambda: {"x": np.ones(2)})
    assert store.table(KIND, ["c"], never)["x"].tolist() == [1, 1]


def test_an_own_table_goes_before_a_shipped_one(archive, tmp_path):
    store = Store(tmp_path / "own", shipped=archive)
    store.put_table(KIND, ["a"], {"x": np.zeros(1)})
    assert store.table(KIND, ["a"], never)["x"].tolist() == [0]


def test_the_same_tables_make_the_same_archive(archive, tmp_path):
    again = tmp_path / "again.zip"
    ship(sorted((tmp_path / "made" / "tables").glob("*.npz"), reverse=True), again)
    assert again.read_bytes() == archive.read_bytes()


@pytest.mark.parametrize("damage", ["missing", "empty", "no archive", "flipped", "cut"])
def test_a_damaged_archive_gives_no_table_or_the_right_one(archive, tmp_path, damage):
    content = bytearray(archive.read_bytes())
    if damage == "missing":
        archive.unlink()
    elif damage == "empty":
        archive.write_bytes(b"")
    elif damage == "no archive":
        archive.write_bytes(b"nothing of the kind")
    elif damage == "flipped":
        for at in range(60, 400, 7):
            content[at] ^= 0x55
        archive.write_bytes(content)
    else:
        archive.write_bytes(content[: len(content) // 2])
    store = Store(tmp_path / "own", shipped=archive)
    found = store.table(KIND, ["a"], lambda: {"x": np.full((2, 3), 7.0)})["x"]
    assert found.tolist() in ([[0, 1, 2], [3, 4, 5]], [[7] * 3] * 2)
    assert store.table(KIND, ["a"], never)["x"].tolist() == found.tolist()
