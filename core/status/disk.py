"""What lies on the disk of a store, by kind, beside its budget."""

from __future__ import annotations

from dataclasses import dataclass

from core.settings import SEARCHES_BYTES, Settings
from core.storage.archives import ARCHIVES_BYTES
from core.storage.disk_space import PARTS
from core.storage.folders import size_of
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
    passes = sum(size_of(root / part) for part in PARTS)
    return [
        Held("passes", passes, settings.budget_bytes),
        Held("tables", size_of(root / "tables"), TABLES_BYTES),
        Held("uploads", size_of(root / "uploads"), settings.uploads_bytes),
        Held("exports", size_of(root / "exports"), ARCHIVES_BYTES),
        Held("decks", size_of(root / "decks"), settings.decks_bytes),
        Held("searches", size_of(root / "searches"), SEARCHES_BYTES),
        Held("recipes", size_of(root / "recipes")),
    ]
