"""Room on a short disk: files of evicted passes are closed unless somebody reads them."""

import os
import shutil
import time
from pathlib import Path

import numpy as np
import pytest

from core.corpora.corpus import Corpus
from core.pipeline.engine import Engine
from core.progress import silent
from core.recipe import Recipe
from core.storage import disk_space
from core.storage.store import Store
from tests.core.helpers.handmade_pass import Run, build, layout_in
from tests.core.helpers.texts import many


def open_files(folder: Path) -> list[str]:
    """The files of a folder that this process holds open, deleted ones included."""
    links = [link.readlink() for link in Path("/proc/self/fd").iterdir() if link.is_symlink()]
    return [str(link) for link in links if str(link).startswith(f"{folder}/")]


@pytest.fixture(autouse=True)
def needs_proc():
    if not Path("/proc/self/fd").is_dir():
        pytest.skip("open files are listed in /proc")


@pytest.fixture
def disk(monkeypatch):
    """A disk on which a number of bytes are free beside what the files of a folder take."""

    def short(folder: Path, free: int) -> None:
        capacity = sum(p.stat().st_size for p in folder.rglob("*") if p.is_file()) + free
        usage = shutil.disk_usage(folder)

        def current(_):
            listed = sum(p.stat().st_size for p in folder.rglob("*") if p.is_file())
            deleted = {p for p in open_files(folder) if p.endswith(" (deleted)")}
            return usage._replace(free=capacity - listed - 200 * len(deleted))

        monkeypatch.setattr(shutil, "disk_usage", current)

    monkeypatch.setattr(disk_space, "MARGIN", 0)
    return short


def test_an_evicted_pass_that_nobody_reads_frees_its_space(tmp_path, disk):
    store = Store(tmp_path)
    folder = build(store, layout_in("float32"), Run(), "idle")
    assert open_files(folder)
    disk(tmp_path, free=100)
    assert store.has_room(500)
    assert not folder.exists()
    assert open_files(folder) == []


def test_a_pass_in_use_stays_where_removing_it_frees_nothing(tmp_path, disk):
    store = Store(tmp_path)
    used = build(store, layout_in("float32"), Run(), "used")
    stored = store.open("used")
    idle = build(store, layout_in("float32"), Run(), "idle")
    disk(tmp_path, free=100)
    assert store.has_room(500)
    assert used.exists()
    assert not idle.exists()
    assert stored.read(-1, slice(0, 6)).shape == (6, 3)


def test_a_pass_in_use_that_the_budget_evicts_stays_readable(tmp_path):
    store = Store(tmp_path)
    folder = build(store, layout_in("float32"), Run(), "used")
    stored = store.open("used")
    right = stored.read(1, slice(0, 6))
    assert Store(tmp_path, budget_bytes=500).has_room(400)
    assert not folder.exists()
    assert np.array_equal(stored.read(1, slice(0, 6)), right)


def test_a_store_says_why_there_is_no_room(tmp_path, monkeypatch):
    store = Store(tmp_path, budget_bytes=3_000_000)
    assert not store.has_room(4_000_000)
    assert store.shortage().startswith("The budget of the store is 3,000,000 bytes, and ")
    monkeypatch.setattr(os, "access", lambda place, mode: False)
    assert not store.has_room(1)
    assert store.shortage() == "The store cannot be written; name another folder with STRATA_CACHE."


def test_an_interrupted_pass_of_a_week_ago_goes_unless_somebody_goes_on_with_it(tmp_path):
    store, other = Store(tmp_path), Store(tmp_path)
    weeks_ago = time.time() - 2 * disk_space.ABANDONED_SECONDS

    def look(_) -> None:
        for key in ("mine", "left"):
            (tmp_path / "passes" / f"{key}.partial").mkdir(exist_ok=True)
            os.utime(tmp_path / "passes" / f"{key}.partial", (weeks_ago, weeks_ago))
        other.has_room(1)

    with store.exclusively("mine", silent):
        folder = build(store, layout_in("float32"), Run(), "mine", look)
    assert [path.name for path in (tmp_path / "passes").iterdir()] == [folder.name] == ["mine"]


def test_a_lookup_lets_go_of_an_evicted_table(bert, settings, texts_file, vectors_file):
    engine = Engine(settings)
    corpus = Corpus.of_texts("t", many(40))
    recipes = (
        f"source=averaged(model={bert.removeprefix('source=')});reference={texts_file}",
        f"source=vectors(path={vectors_file})",
    )
    for text in recipes:
        engine.embed(Recipe.parse(text), corpus)
    root = settings.cache
    assert open_files(root / "passes")
    assert open_files(root / "vectors")
    engine.store.clear()
    assert open_files(root / "passes") == open_files(root / "vectors") == []
