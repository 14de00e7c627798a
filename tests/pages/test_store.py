"""What a visitor sees of a full disk or a damaged cache: a clear sentence, or nothing at all."""

import errno
import os
from pathlib import Path

import pytest
import streamlit as st

from tests.pages.conftest import TUNED
from tests.pages.reading import captions, errors, figures, headings, table_of, told

RECIPES = TUNED


PAGES = ("compare", "scores")
SMALL = {"a": "layers=last", "b": "layers=0", "sentences": "A cat sat.\nA dog ran.\nRain fell."}


@pytest.fixture
def small(visit, corpora, monkeypatch, tmp_path):
    """``small("scores")``: a page with little to read, and a cache that only this test has."""
    monkeypatch.setenv("STRATA_CACHE", str(tmp_path / "own"))
    corpora(dogs=table_of([(f"The dog {i} runs.", f"The cat {i} sat.", i % 5) for i in range(8)]))
    return lambda page: visit(page, corpus="dogs", **SMALL)


@pytest.fixture
def full_disk(small, monkeypatch, tmp_path):
    """Every file of the cache that is opened for writing finds no space."""
    opened = Path.open

    def refused(self, mode="r", *rest, **named):
        if (tmp_path / "own") in self.parents and set(mode) & set("wax+"):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return opened(self, mode, *rest, **named)

    monkeypatch.setattr(Path, "open", refused)


@pytest.mark.usefixtures("full_disk")
@pytest.mark.parametrize("page", PAGES)
def test_a_full_disk_is_told_with_a_way_out_and_no_path(small, page, tmp_path):
    at = small(page)
    found = errors(at)
    assert [error[:13] for error in found] == ["**Recipe A.**", "**Recipe B.**"]
    assert all("is full" in error and "STRATA_CACHE" in error for error in found)
    assert not any(str(tmp_path) in error for error in found)
    assert figures(at) == []


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("harm", ["flipped", "shorter", "gone", "no json", "tables"])
def test_a_damaged_cache_is_rebuilt_without_a_word(small, page, harm, tmp_path):
    first = small(page)
    before = headings(first)
    assert errors(first) == []
    _damage(tmp_path / "own", harm)
    st.cache_resource.clear()
    second = small(page)
    assert errors(second) == []
    assert headings(second) == before
    assert captions(second) == captions(first)


def test_a_cache_folder_that_cannot_be_used_is_named(visit, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("STRATA_CACHE", str(tmp_path / "file"))
    assert "name another one with STRATA_CACHE" in told(visit())


def test_a_data_folder_that_is_not_there_is_named(visit, tmp_path, monkeypatch):
    monkeypatch.setenv("STRATA_DATA", str(tmp_path / "nowhere"))
    assert "data folder" in told(visit())


def _damage(cache, harm: str) -> None:
    entries = [folder for folder in (cache / "passes").iterdir() if folder.is_dir()]
    assert entries
    for folder in entries:
        layers = sorted(folder.glob("layer-*.npy"))
        if harm == "flipped":
            for path in layers:
                content = bytearray(path.read_bytes())
                content[len(content) // 2] ^= 0xFF
                path.write_bytes(content)
        elif harm == "shorter":
            for path in layers:
                path.write_bytes(path.read_bytes()[:-100])
        elif harm == "gone":
            layers[-1].unlink()
        elif harm == "no json":
            (folder / "about.json").write_text("{")
    if harm == "tables":
        for path in (cache / "tables").iterdir():
            path.write_bytes(b"PK\x03\x04 nothing")
