"""What goes wrong with files: visitors read why and what to do, the log where."""

import errno
import os
from pathlib import Path

import pytest
from filelock import Timeout

from core.storage.trouble import trouble

PLACE = Path("/srv/strata/decks/0f3a9c21d4.json")


@pytest.mark.parametrize(
    ("error", "why", "advice"),
    [
        (OSError(errno.ENOSPC, "No space left on device", str(PLACE)), "the disk of", "for more space"),
        (OSError(errno.EDQUOT, os.strerror(errno.EDQUOT)), "the disk of", "for more space"),
        (OSError(errno.EACCES, "Permission denied", str(PLACE)), "Permission denied", "log says where"),
        (Timeout(str(PLACE.with_suffix(".lock"))), "others are writing there", "Try again"),
        (ValueError(f"{PLACE} is damaged"), "its file is damaged", "log says where"),
    ],
)
def test_a_path_is_in_the_log_and_not_in_the_words(error, why, advice, capsys):
    said = trouble("The deck cannot be kept", PLACE, error)
    assert said.startswith(f"The deck cannot be kept: {why}")
    assert advice in said
    assert str(PLACE.parent) not in said
    assert str(PLACE) in capsys.readouterr().err
