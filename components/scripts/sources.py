"""The text of the files of this room."""

from __future__ import annotations

from pathlib import Path


def read(*names: str) -> str:
    """The files one after the other."""
    return "\n".join(Path(__file__).with_name(name).read_text("utf-8") for name in names)
