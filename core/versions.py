"""Versions: that of Sentence Strata, and those of installed packages."""

from __future__ import annotations

from functools import cache
from importlib import metadata

__version__ = "0.3.0"

NONE = "none"
"""What stands for the version of a package that is not installed."""


@cache
def library_version(library: str) -> str:
    """The installed version of a package by its name on PyPI, :data:`NONE` when it is not installed."""
    try:
        return metadata.version(library)
    except metadata.PackageNotFoundError:
        return NONE
