"""Which folders, files and downloads a name in a recipe, a corpus name or a link may stand for.

The command line and Python open what their user names. Pages take names from links, which anybody can
write, so they open the folders and models that the settings list and download nothing unasked.
"""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

FOLDERS = "STRATA_FOLDERS"
"""The setting that lists the folders a link may name."""


@dataclass(frozen=True)
class Trust:
    """What a name may open on this machine.

    Attributes
    ----------
    folders
        The folders whose content may be opened; None for every folder.
    downloads
        Whether a model or data set of the hub is downloaded as soon as it is named.
    models
        The hub ids that may be named, ``owner/name``, ``owner/name@revision`` or with ``*``; None for every
        one. Bundled encoders and those in ``folders`` may always be.
    """

    folders: tuple[Path, ...] | None = None
    downloads: bool = True
    models: tuple[str, ...] | None = None

    def allows(self, source: str) -> bool:
        """Whether a hub id, perhaps with a revision, may be named."""
        if self.models is None:
            return True
        spelled = {source, source.partition("@")[0]}
        return any(fnmatchcase(one, pattern) for one in spelled for pattern in self.models)

    @property
    def restricted(self) -> bool:
        """Whether some folders may not be opened."""
        return self.folders is not None

    def path(self, text: str) -> Path | None:
        """The path that ``text`` names; None when it may not be opened, whether it exists or not.

        Where folders are restricted, symbolic links, ``..`` and ``~`` are resolved before the check, and
        the resolved path is returned.
        """
        named = expanded(text)
        if self.folders is None:
            return named
        resolved = _resolved(named)
        if resolved is None:
            return None
        allowed = (_resolved(folder) for folder in self.folders)
        return resolved if any(f is not None and resolved.is_relative_to(f) for f in allowed) else None


ABSENT = "does not exist"
"""What :func:`no_file` says of a path where nothing is."""


def expanded(text: str) -> Path:
    """The path ``text`` with ``~`` replaced by a home folder; as it is when there is no such user."""
    try:
        return Path(text).expanduser()
    except RuntimeError:
        return Path(text)


def is_folder(path: Path) -> bool:
    """Whether a folder is there; False for a path that this system cannot have, such as one too long."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def is_file(path: Path) -> bool:
    """Whether a file is there; False for a path that this system cannot have, such as one too long."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def no_file(path: Path) -> str:
    """Why a path cannot be read to an end, in words that follow its name; empty for a file.

    A device has no end, and a pipe has none before somebody writes to it.
    """
    if is_file(path):
        return ""
    if is_folder(path):
        return "is a folder"
    return "is a device or a pipe" if _is_there(path) else ABSENT


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def _resolved(path: Path) -> Path | None:
    try:
        return path.resolve()
    except (OSError, ValueError, RuntimeError):  # a loop of links, a character that no path has
        return None
