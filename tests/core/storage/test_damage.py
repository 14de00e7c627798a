"""A changed character or byte of what is stored is refused and computed anew, never another number."""

import errno
import json
import os
import shutil
from pathlib import Path

import numpy as np
import pytest

from core.errors import StoreError
from core.storage import files, kept_vectors, pass_writer
from core.storage.store import Store
from tests.core.helpers.handmade_pass import Run, build, layout_in

LAYERS = (-1, 0, 1)


def numbers(stored) -> list[np.ndarray]:
    span = slice(0, len(stored.tokens))
    return [stored.read(layer, span) for layer in LAYERS] + [stored.diagonals(span)]


def numbers_of(folder: Path) -> list[np.ndarray]:
    return numbers(Store(folder.parents[1]).open("k"))


def same(left: list[np.ndarray], right: list[np.ndarray]) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(left, right, strict=True))


@pytest.fixture
def folder(tmp_path) -> Path:
    return build(Store(tmp_path / "store"), layout_in("float32"), Run())


@pytest.fixture
def right(folder) -> list[np.ndarray]:
    return numbers_of(folder)


@pytest.mark.parametrize("other", ["0", "1", "9", "a", " ", '"'])
def test_any_changed_character_of_a_pass_description_is_harmless(folder, right, other, tmp_path):
    text = (folder / "about.json").read_text()
    store = Store(folder.parents[1])
    meaning = store.open("k").about
    (copy,) = [shutil.copytree(folder, tmp_path / "copy")]
    accepted = 0
    for place in range(len(text)):
        if text[place] == other:
            continue
        if not folder.exists():
            shutil.copytree(copy, folder)
        (folder / "about.json").write_text(text[:place] + other + text[place + 1 :])
        stored = store.open("k")
        if stored is None:
            assert not folder.exists()
        else:
            accepted += 1
            assert stored.about == meaning
            assert same(numbers(stored), right)
    assert accepted < len(text) / 10  # only the space between two values can change


@pytest.mark.parametrize(
    "change",
    [
        lambda about: about["widths"].update({"1": 2}),
        lambda about: about["widths"].update({"2": about["widths"].pop("1")}),
        lambda about: about.update(heads=[2, 1]),
        lambda about: about.update(storage="float16"),
        lambda about: about.update(tokens=5),
        lambda about: about.update(revision="other"),
        lambda about: about["files"].pop("layer-01"),
        lambda about: about["files"]["static"].update(about["files"]["layer-01"]),
    ],
)
def test_a_changed_layout_is_refused_and_not_listed(folder, change):
    about = json.loads((folder / "about.json").read_text())
    change(about)
    (folder / "about.json").write_text(json.dumps(about))
    store = Store(folder.parents[1])
    assert store.entries() == []
    assert store.open("k") is None
    assert not folder.exists()


def test_a_sealed_description_with_another_length_than_its_layout_is_refused(folder):
    about = files.read_sealed(folder / "about.json")
    files.write_sealed(folder / "about.json", about | {"tokens": about["tokens"] - 1})
    assert Store(folder.parents[1]).open("k") is None


def test_reads_need_no_preadv(folder, right, monkeypatch):
    monkeypatch.delattr(os, "preadv")
    assert same(numbers(Store(folder.parents[1]).open("k")), right)


def test_a_file_that_ends_early_is_refused_without_preadv_too(tmp_path, monkeypatch):
    path = tmp_path / "file"
    path.write_bytes(b"0123456789")
    array = np.zeros(4, np.uint8)
    for _ in range(2):
        reader = files.FileReader(path)
        reader.read_into(array, 6)
        assert bytes(array) == b"6789"
        with pytest.raises(EOFError, match="byte 10"):
            reader.read_into(array, 7)
        monkeypatch.delattr(os, "preadv", raising=False)


def test_a_pass_under_the_name_of_another_is_refused(folder):
    other = folder.with_name("other")
    shutil.copytree(folder, other)
    store = Store(folder.parents[1])
    assert store.open("k") is not None
    assert store.open("other") is None
    assert not other.exists()


@pytest.mark.parametrize("place", ["k", "k.partial"])
@pytest.mark.parametrize("kind", ["a link to what went", "a link to a damaged pass", "a file"])
def test_something_else_in_the_place_of_a_pass_makes_room_for_it(folder, right, tmp_path, place, kind):
    moved, found = tmp_path / "moved", folder.with_name(place)
    folder.rename(moved)
    if kind == "a file":
        found.write_text("no folder")
    else:
        found.symlink_to(moved)
    if kind == "a link to what went":
        shutil.rmtree(moved)
    if kind == "a link to a damaged pass":
        (moved / "about.json").write_text("{}")
    store = Store(folder.parents[1])
    assert store.open("k") is None
    assert same(numbers_of(build(store, layout_in("float32"), Run())), right)
    assert moved.exists() == (kind != "a link to what went"), "what a link points to stays"


def test_a_store_that_somebody_removed_is_empty_and_begins_anew(folder, right):
    store = Store(folder.parents[1])
    shutil.rmtree(store.root)
    assert (store.entries(), store.abouts(), store.clear()) == ([], [], 0)
    assert same(numbers_of(build(store, layout_in("float32"), Run())), right)


# -- a machine in trouble ----------------------------------------------------------------------------


@pytest.mark.parametrize("number", [errno.EMFILE, errno.EIO, errno.ENOMEM])
def test_a_machine_in_trouble_removes_no_pass(folder, right, monkeypatch, number):
    def fails(self, path):
        raise OSError(number, os.strerror(number))

    store = Store(folder.parents[1])
    with monkeypatch.context() as broken:
        broken.setattr(files.FileReader, "__init__", fails)
        with pytest.raises(StoreError, match=f"cannot be read now .{os.strerror(number)}"):
            store.open("k")
    assert same(numbers(store.open("k")), right)


def test_a_machine_in_trouble_removes_no_vectors(tmp_path, monkeypatch):
    pooled = Store(tmp_path / "store").pooled
    filled = pooled.begin("k", (3, 2))
    filled[:] = 1
    pooled.finish("k", filled, ["a note"])
    with monkeypatch.context() as broken:
        broken.setattr(kept_vectors, "open_mapped", lambda *_: os.open("/nowhere", 0))
        assert pooled.find("k") is None, "a file that went away meanwhile"

        def fails(*_):
            raise OSError(errno.EMFILE, "Too many open files")

        broken.setattr(kept_vectors, "open_mapped", fails)
        with pytest.raises(StoreError, match="nothing of it is lost"):
            pooled.find("k")
    assert pooled.find("k").notes == ("a note",)


@pytest.mark.parametrize(("owner", "call"), [(pass_writer, "crc_of"), (Path, "read_text")])
def test_a_partial_pass_is_not_begun_anew_by_a_machine_in_trouble(tmp_path, monkeypatch, owner, call):
    """A pass was stopped; when it goes on, the disk fails once: what was read is still there later."""
    layout, store = layout_in("float32"), Store(tmp_path / "store")

    def stop(step):
        if step.done >= 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(pass_writer, "JOURNAL_SECONDS", 0.0)
    with pytest.raises(KeyboardInterrupt):
        build(store, layout, Run(), progress=stop)
    with monkeypatch.context() as broken:

        def fails(*_, **__):
            raise OSError(errno.EIO, "Input/output error")

        broken.setattr(owner, call, fails)
        with pytest.raises(StoreError, match="Input/output error"):
            build(store, layout, Run())
    again = Run()
    build(store, layout, again)
    assert again.starts == [2]


def test_another_users_file_is_read_though_its_time_cannot_be_set(folder, right, monkeypatch):
    def refused(*_, **__):
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "utime", refused)
    assert same(numbers(Store(folder.parents[1]).open("k")), right)
