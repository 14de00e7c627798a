"""Folders that change while they are looked at."""

import os
import shutil

import pytest

from core.storage.folders import listed, remove, size_of


@pytest.fixture
def folder(tmp_path):
    """Ten bytes in a folder, five in one of its own."""
    inner = tmp_path / "folder" / "inner"
    inner.mkdir(parents=True)
    (inner / "five").write_bytes(bytes(5))
    (tmp_path / "folder" / "ten").write_bytes(bytes(10))
    return tmp_path / "folder"


def test_a_folder_that_goes_while_it_is_measured_is_not_counted(folder, monkeypatch):
    scan = os.scandir

    def going(path):
        if str(path).endswith("inner"):
            shutil.rmtree(path)
        return scan(path)

    assert size_of(folder) == 15
    monkeypatch.setattr(os, "scandir", going)
    assert size_of(folder) == 10
    assert size_of(folder / "ten") == 10
    assert size_of(folder / "none") == 0


def test_what_is_not_there_holds_nothing(folder):
    assert {path.name for path in listed(folder)} == {"inner", "ten"}
    assert listed(folder / "none") == listed(folder / "ten") == []


def test_of_a_link_the_link_alone_goes(folder):
    link = folder.with_name("link")
    for target in ("folder", "folder/ten", "none"):
        link.symlink_to(target)
        remove(link)
        assert not link.is_symlink()
    assert size_of(folder) == 15
    remove(folder)
    remove(folder)
    assert not folder.exists()
