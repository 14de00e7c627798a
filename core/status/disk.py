"""What lies on the disk of a store, by kind, beside its budget."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from core.settings import Settings
from core.storage.tables import TABLES_BYTES


@dataclass(frozen=True)
class Held:
    """Bytes of one kind; ``budget_bytes`` is None for a kind without a budget."""

    kind: str
    bytes: int
    budget_bytes: int | None = None


def held_on_disk(settings: Settings) -> list[Held]:
    """The bytes of every kind in the folder of a store; files that go meanwhile are not counted."""
    root = settings.cache
    return [
        Held("passes", _size(root / "passes") + _size(root / "vectors"), settings.budget_bytes),
        Held("tables", _size(root / "tables"), TABLES_BYTES),
        Held("uploads", _size(root / "uploads"), settings.uploads_bytes),
        *(Held(kind, _size(root / kind)) for kind in ("decks", "recipes", "searches", "exports")),
    ]


def _size(folder: Path) -> int:
    size = 0
    for path in folder.rglob("*"):
        with suppress(OSError):
            size += path.stat().st_size if path.is_file() else 0
    return size
