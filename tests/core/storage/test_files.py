"""Files that are written completely or not at all."""

import os
import time

import pytest

from core.storage.files import LEFT_SECONDS, replacing
from core.storage.store import Store


@pytest.mark.parametrize("name", ["uploads", "decks", "recipes", "tables", "servers"])
def test_what_a_killed_process_has_left_goes_after_a_day(tmp_path, name):
    """Of a file that is being written, and of one of another name, nothing goes."""
    folder = tmp_path / name
    folder.mkdir()
    with replacing(folder / "deck.json") as going:
        going.write_text("{}", "utf-8")
        left = going.with_name(going.name.replace(".deck", ".old"))
        others = [folder / "whole.json", folder / ".hidden", going]
        for path in (left, *others):
            path.touch()
            os.utime(path, (0.0, time.time() - LEFT_SECONDS - (60 if path != going else -60)))
        Store(tmp_path)
        assert not left.exists()
        assert all(path.exists() for path in others)
