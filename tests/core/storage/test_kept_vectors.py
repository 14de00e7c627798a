"""Vectors in mapped files: kept whole or not at all, within the budget, and never at the cost of a pass."""

import errno
import os
from pathlib import Path

import numpy as np
import pytest

from core.storage import mapped
from core.storage.files import HEADER
from core.storage.mapped import Scratch, create_mapped, open_mapped
from core.storage.store import Store
from tests.core.helpers.handmade_pass import Run, build, layout_in

KEY = f"pooled-{'0' * 40}"
VECTORS = np.arange(12, dtype=np.float32).reshape(4, 3)
SET_BYTES = HEADER + VECTORS.nbytes


def keep(store: Store, key: str = KEY, notes: tuple[str, ...] = ("a note",)) -> Path:
    vectors = store.pooled.begin(key, VECTORS.shape)
    vectors[:] = VECTORS
    store.pooled.finish(key, vectors, notes)
    return store.pooled.folder / key


def test_what_was_filled_is_found_by_another_process_and_cannot_be_changed(tmp_path):
    keep(Store(tmp_path))
    kept = Store(tmp_path).pooled.find(KEY)
    np.testing.assert_array_equal(kept.vectors, VECTORS)
    assert kept.notes == ("a note",)
    with pytest.raises(ValueError, match="read-only"):
        kept.vectors[0, 0] = 1


def test_a_file_is_one_that_numpy_reads(tmp_path):
    folder = keep(Store(tmp_path))
    np.testing.assert_array_equal(np.load(folder / "vectors.npy"), VECTORS)


def test_nothing_is_found_before_it_is_finished(tmp_path):
    store = Store(tmp_path)
    store.pooled.begin(KEY, VECTORS.shape)
    assert not store.pooled.has(KEY)
    assert store.pooled.find(KEY) is None
    store.pooled.abandon(KEY)
    assert not any(store.pooled.folder.iterdir())


def test_what_an_ended_process_left_behind_is_begun_anew(tmp_path):
    left = Store(tmp_path).pooled.begin(KEY, VECTORS.shape)
    left[:] = 7
    store = Store(tmp_path)
    assert not store.pooled.begin(KEY, VECTORS.shape).any()


@pytest.mark.parametrize("place", [0, HEADER - 1, HEADER, HEADER + VECTORS.nbytes - 1])
def test_a_changed_byte_is_refused_and_the_vectors_go(tmp_path, place):
    path = keep(Store(tmp_path)) / "vectors.npy"
    content = bytearray(path.read_bytes())
    content[place] ^= 1
    path.write_bytes(content)
    store = Store(tmp_path)
    assert store.pooled.find(KEY) is None
    assert not path.exists()


@pytest.mark.parametrize(
    "change", [lambda text: text.replace("4", "5"), lambda text: "", lambda text: "[]"]
)
def test_a_changed_description_is_refused(tmp_path, change):
    path = keep(Store(tmp_path)) / "about.json"
    path.write_text(change(path.read_text()))
    assert Store(tmp_path).pooled.find(KEY) is None


def test_vectors_under_another_key_are_refused(tmp_path):
    folder = keep(Store(tmp_path))
    other = folder.with_name(f"pooled-{'1' * 40}")
    folder.rename(other)
    assert Store(tmp_path).pooled.find(other.name) is None


def test_vectors_make_room_for_vectors_and_a_pass_stays(tmp_path):
    store = Store(tmp_path)
    stored = build(store, layout_in("float32"), Run())
    old = keep(store)
    os.utime(old / "about.json", (1, 1))
    os.utime(stored / "about.json", (0, 0))  # longer unused than they are
    budget = sum(p.stat().st_size for p in tmp_path.rglob("*") if p.is_file()) + 10
    short = Store(tmp_path, budget_bytes=budget)
    assert not short.pooled.has_room(20, VECTORS.shape)
    assert old.exists()
    assert short.pooled.has_room(1, VECTORS.shape)
    assert not old.exists()
    assert stored.exists()


def test_vectors_go_when_a_pass_needs_their_room(tmp_path):
    store = Store(tmp_path)
    folder = keep(store)
    mapping = store.pooled.find(KEY).vectors
    assert Store(tmp_path, budget_bytes=SET_BYTES).has_room(SET_BYTES)
    assert not folder.exists()
    np.testing.assert_array_equal(mapping, VECTORS)  # whoever reads them goes on


def test_clearing_the_store_removes_them(tmp_path):
    store = Store(tmp_path)
    folder = keep(store)
    store.pooled.begin(f"pooled-{'1' * 40}", VECTORS.shape)
    assert store.clear() > 2 * VECTORS.nbytes
    assert not any(folder.parent.iterdir())


# -- mapped files -----------------------------------------------------------------------------------


def test_what_was_written_to_a_mapped_file_is_read_back(tmp_path):
    created = create_mapped(tmp_path / "a.npy", (4, 3))
    assert not created.any()
    created[:] = VECTORS
    np.testing.assert_array_equal(open_mapped(tmp_path / "a.npy", (4, 3)), VECTORS)


def test_scratch_is_memory_up_to_its_limit_and_a_file_without_a_name_beyond(tmp_path):
    scratch = Scratch(tmp_path, limit=48)
    small, large = scratch.zeros((4, 3)), scratch.zeros((5, 3))
    assert small.flags.owndata
    assert not large.flags.owndata
    large[4] = 1
    assert large.sum() == 3
    assert not any(tmp_path.iterdir())


def test_a_full_disk_refuses_a_file_at_once_and_scratch_stays_in_memory(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(mapped.os, "posix_fallocate", full)
    with pytest.raises(OSError, match="No space left"):
        create_mapped(tmp_path / "a.npy", (4, 3))
    assert Scratch(tmp_path, limit=0).zeros((5, 3)).flags.owndata
