"""Archives to take away: for a day, within a budget, and never in the middle of being made."""

import os
import time

import pytest

from core.storage import archives
from core.storage.archives import KEPT_SECONDS, trim


@pytest.fixture
def root(tmp_path, monkeypatch):
    """Four archives of 100 bytes, a minute apart, where 250 bytes may be kept."""
    monkeypatch.setattr(archives, "ARCHIVES_BYTES", 250)
    for number, name in enumerate(("first", "second", "third", "newest")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "model.zip").write_bytes(bytes(100))
        age(tmp_path / name, 240 - 60 * number)
    return tmp_path


def age(folder, seconds):
    moment = time.time() - seconds
    os.utime(folder, (moment, moment))


def names(root):
    return sorted(folder.name for folder in root.iterdir())


def nobody(folder):
    """No archive is made."""
    return False


def test_the_oldest_make_room(root):
    trim(root, root / "newest", nobody)
    assert names(root) == ["newest", "third"]


def test_what_is_a_day_old_goes_and_what_is_being_made_stays(root, monkeypatch):
    monkeypatch.setattr(archives, "ARCHIVES_BYTES", 0)
    (root / "second" / "model").mkdir()
    (root / "third" / "model").mkdir()
    age(root / "second", 60)
    age(root / "third", KEPT_SECONDS + 60)
    trim(root, root / "newest", nobody)
    assert names(root) == ["newest", "second"]


def test_one_that_is_larger_than_all_may_be_stays_until_the_next(root, monkeypatch):
    monkeypatch.setattr(archives, "ARCHIVES_BYTES", 50)
    trim(root, root / "newest", nobody)
    assert names(root) == ["newest"]
