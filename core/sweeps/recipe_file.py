"""Recipes in a text file, one a line."""

from __future__ import annotations

import re
from pathlib import Path

from core.corpora.table_files import read_lines
from core.errors import RecipeError, shorten
from core.trust import is_file

LARGEST = 10_000_000
"""Bytes of a file of recipes."""

_COMMENT = re.compile(r'"(?:\\.|[^"\\])*"|(?P<comment>\s#(?:\s|$)|(?<!\s)\s{2,}+#)')


def read_recipes(path: Path) -> tuple[str, ...]:
    """The different recipes of a file, one per line, in the file's order and spelling.

    A comment begins with ``#`` at the start of a line, or outside quotes with `` # `` or two spaces and
    ``#``. Raises :class:`StrataError` for a file that cannot be read, is too large or has
    no recipe.
    """
    if is_file(path) and path.stat().st_size > LARGEST:
        raise RecipeError(
            f"{shorten(path)} has more bytes than {LARGEST:,}, which is the most for recipes."
        )
    lines = (_without_comment(line) for line in read_lines(path))
    recipes = tuple(dict.fromkeys(line for line in lines if line))
    if not recipes:
        raise RecipeError(f"{shorten(path)} holds no recipe; one a line is needed, as layers=last.")
    return recipes


def _without_comment(line: str) -> str:
    line = line.removeprefix("\ufeff").strip()
    if line.startswith("#"):
        return ""
    starts = (match.start() for match in _COMMENT.finditer(line) if match["comment"])
    return line[: next(starts, None)].rstrip()
