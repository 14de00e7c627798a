"""Recipes that visitors keep by name on this installation, with the scores that were seen of them.

One file, written whole or not at all; a lock lets two visitors keep at once. A file that is damaged, or
of a later version, is not written over: reading it gives nothing, and keeping says why it cannot.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from filelock import FileLock, Timeout

from core.errors import READ_ONLY, StoreError
from core.storage.files import Stamp, read_sealed, stamp_of, write_sealed
from core.storage.trouble import trouble

MOST = 500
"""Recipes that are kept; the oldest go first."""

SCORES_EACH = 200
"""Scores that are kept of one recipe."""

SECONDS = 5.0
"""How long another visitor may write."""

_VERSION = 1

Row = dict[str, str | float | int]
"""A score with what it was measured on."""


@dataclass(frozen=True)
class KeptRecipe:
    """A recipe with the name it was given and its scores, by what they were measured on."""

    recipe: str
    name: str
    time: float
    scores: Mapping[str, Row] = field(default_factory=dict)


class KeptRecipes:
    """The recipes kept in one file; where it is ``closed``, none is kept, named or dropped any more."""

    def __init__(self, path: Path, closed: bool = False) -> None:
        self._path, self._closed, self._guard = path, closed, threading.Lock()
        self._read: tuple[Stamp, dict[str, KeptRecipe]] | None = None

    def all(self) -> dict[str, KeptRecipe]:
        """The recipes by their text, in the order they were kept."""
        try:
            stamp = stamp_of(self._path)
        except OSError:
            return {}
        with self._guard:
            if self._read is None or self._read[0] != stamp:
                try:
                    self._read = (stamp, self._load())
                except (OSError, ValueError, TypeError, KeyError):
                    return {}
            return dict(self._read[1])

    def keep(self, recipe: str, name: str) -> None:
        """Keep a recipe by a name, or give a kept one another name."""

        def change(kept: dict[str, KeptRecipe]) -> None:
            before = kept.get(recipe)
            scores = before.scores if before else {}
            kept[recipe] = KeptRecipe(recipe, name, before.time if before else time.time(), scores)
            for oldest in list(kept)[:-MOST]:
                del kept[oldest]

        self._change(change)

    def add_score(self, recipe: str, measured_on: str, row: Row) -> None:
        """Keep a score of a kept recipe, in place of an older one on the same; not where it is closed."""

        def change(kept: dict[str, KeptRecipe]) -> None:
            if (before := kept.get(recipe)) is not None:
                scores = dict([*before.scores.items(), (measured_on, row)][-SCORES_EACH:])
                kept[recipe] = KeptRecipe(recipe, before.name, before.time, scores)

        known = None if self._closed else self.all().get(recipe)
        if known is not None and known.scores.get(measured_on) != row:
            self._change(change)

    def drop(self, recipe: str) -> None:
        """Keep a recipe no longer."""
        self._change(lambda kept: kept.pop(recipe, None))

    def _load(self) -> dict[str, KeptRecipe]:
        content = read_sealed(self._path)
        if content["version"] != _VERSION:
            raise ValueError(f"{self._path} is of another version")
        return {one["recipe"]: KeptRecipe(**one) for one in content["recipes"]}

    def _change(self, change: Callable[[dict[str, KeptRecipe]], object]) -> None:
        """Read, change and write while nobody else does. Raises :class:`StoreError` where it cannot."""
        if self._closed:
            raise StoreError(READ_ONLY)
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with FileLock(self._path.with_suffix(".lock"), timeout=SECONDS):
                kept = self._load() if self._path.exists() else {}
                change(kept)
                recipes = [asdict(one) for one in kept.values()]
                write_sealed(self._path, {"version": _VERSION, "recipes": recipes})
        except (OSError, ValueError, TypeError, KeyError, Timeout) as error:
            raise StoreError(trouble("The recipe cannot be kept", self._path, error)) from error
