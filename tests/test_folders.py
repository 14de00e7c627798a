"""What tests leave on the disk: nothing of those that have passed."""

import os
from pathlib import Path

import pytest

KEPT: list[Path] = []


@pytest.mark.parametrize("number", range(2))
def test_what_a_passed_test_kept_is_gone_when_the_next_one_begins(number, tmp_path, lasting_cache):
    for folder in KEPT:
        assert list(folder.iterdir()) == [], "its path is nobody else's"
    shared = lasting_cache / "passes"
    assert shared.exists() or not KEPT, "what links lead to stays"
    shared.mkdir(parents=True, exist_ok=True)
    (tmp_path / "folder" / "deeper").mkdir(parents=True)
    (tmp_path / "folder" / "deeper" / "file").write_bytes(bytes(1000))
    (tmp_path / "link").symlink_to(shared, target_is_directory=True)
    (tmp_path / "broken").symlink_to(tmp_path / "nowhere")
    os.mkfifo(tmp_path / "pipe")
    assert tmp_path not in KEPT
    KEPT.append(tmp_path)
    assert len(KEPT) == number + 1, "both run, in one process"
