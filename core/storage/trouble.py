"""What goes wrong with files of this installation: in words for whoever asked, with the path in the log.

Visitors of a page read these words, and a path of the server is not for them.
"""

from __future__ import annotations

import errno
import logging
from pathlib import Path

from filelock import Timeout

FULL = (errno.ENOSPC, errno.EDQUOT)
"""Errors of a disk, or a share of it, that is full."""

_LOG = logging.getLogger(__name__)


def trouble(what: str, path: Path, error: Exception) -> str:
    """``The deck cannot be kept: the disk is full. …``: what cannot be done, why, and what to do.

    The path, and the error as it was raised, go to the log of this process.
    """
    log(what, path, error)
    if is_full(error):
        return f"{what}: the disk of this installation is full. Ask whoever runs it for more space."
    if isinstance(error, Timeout):
        return f"{what}: others are writing there. Try again."
    said = (
        error.strerror
        if isinstance(error, OSError) and error.strerror
        else "its file is damaged, or of another version"
    )
    return f"{what}: {said}. Ask whoever runs this installation, whose log says where."


def log(what: str, path: Path, error: Exception) -> None:
    """Write into the log of this process where something went wrong."""
    _LOG.error("%s: %s: %s", what, path, error)


def is_full(error: Exception) -> bool:
    """Whether an error says that there is no space left."""
    return isinstance(error, OSError) and error.errno in FULL
