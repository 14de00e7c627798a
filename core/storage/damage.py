"""What is stored and cannot be read: damaged files are removed, a machine in trouble removes nothing."""

from __future__ import annotations

import errno
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from core.errors import StoreError
from core.storage.folders import remove
from core.storage.trouble import log

Stored = TypeVar("Stored")

TROUBLES = frozenset(
    getattr(errno, name)
    for name in ("EMFILE", "ENFILE", "ENOMEM", "EIO", "EAGAIN", "EBUSY", "EINTR", "ESTALE", "ETIMEDOUT")
    if hasattr(errno, name)
)
"""Errors that say nothing of a file: too many are open, memory is short, a disk or a network fails."""


def whole_or_removed(folder: Path, read: Callable[[], Stored]) -> Stored | None:
    """What ``read`` gives of a stored folder; None when it is not there or damaged: then it is removed.

    Raises :class:`StoreError` for :data:`TROUBLES`, and removes nothing: the files may be whole.
    """
    try:
        return read()
    except FileNotFoundError:
        return None
    except OSError as error:
        if error.errno in TROUBLES:
            log("A folder of the store cannot be read now", folder, error)
            raise StoreError(
                f"A folder of the store cannot be read now ({error.strerror}); nothing of it is lost. Try "
                "again; where this lasts, the log says which folder to remove."
            ) from error
    except (ValueError, KeyError, TypeError, AttributeError):
        pass
    remove(folder)
    return None
