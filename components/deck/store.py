"""The decks of this installation: a file each, named by a short random address.

A change is read, made and written while nobody else does, on the deck as it is then: two tabs that change
the same deck lose nothing. A file is written whole or not at all.
"""

from __future__ import annotations

import re
import secrets
import threading
from collections.abc import Callable
from pathlib import Path

from cachetools import LRUCache
from filelock import FileLock, Timeout

from components.deck import changes, files
from components.deck.document import Deck, DeckError
from core.errors import READ_ONLY, shorten
from core.settings import Settings
from core.storage.files import Stamp, replacing, stamp_of
from core.storage.folders import remove, size_of
from core.storage.trouble import trouble

SECONDS = 5.0
"""How long another visitor may write."""

IN_MEMORY = 8
"""Decks that are kept as read."""

_ADDRESS = re.compile(r"[0-9a-f]{10}")


def new_address() -> str:
    """A short address that cannot be guessed."""
    return secrets.token_hex(5)


def is_address(text: str) -> bool:
    """Whether a text is written as an address is; other texts name no file."""
    return _ADDRESS.fullmatch(text) is not None


class DeckStore:
    """The decks of one folder, and those of another one that are only read.

    ``fixed`` is that other folder, of an installation that keeps nothing of its visitors. ``budget_bytes``
    bounds the decks of ``folder`` together: where they take as much, none grows and none begins.
    """

    def __init__(
        self, folder: Path, fixed: Path | None = None, *, budget_bytes: int = Settings.decks_bytes
    ) -> None:
        self._folder, self._fixed, self._budget_bytes = folder, fixed, budget_bytes
        self._guard = threading.Lock()
        self._read: LRUCache[str, tuple[Stamp, Deck]] = LRUCache(IN_MEMORY)

    def get(self, address: str) -> Deck | None:
        """The deck at an address; None where there is none.

        Raises DeckError where its file cannot be read.
        """
        path = self._path(address)
        try:
            stamp = stamp_of(path)
        except OSError:
            return None
        with self._guard:
            if (kept := self._read.get(address)) and kept[0] == stamp:
                return kept[1]
        deck = self._load(path)
        with self._guard:
            self._read[address] = stamp, deck
        return deck

    def changed(self, address: str) -> float | None:
        """When the deck at an address was changed last, in seconds since 1970; None where there is none."""
        try:
            return self._path(address).stat().st_mtime
        except OSError:
            return None

    def change(self, address: str, change: Callable[[Deck], Deck]) -> Deck:
        """Change the deck at an address as it is now, an empty one where there is none; gives the new one.

        A deck that would become too large, or finds no more room, forgets its oldest earlier states.

        Raises DeckError where it cannot be read, changed as asked, or written, is only read, too large, or
        larger than before where the decks take their budget.
        """
        path = self._path(address)
        if self._is_fixed(path):
            raise DeckError(f"{READ_ONLY} Its file can be taken along and opened again as a deck of yours.")
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with FileLock(path.with_suffix(".lock"), timeout=SECONDS):
                before = self._load(path) if path.exists() else Deck()
                deck = change(before)
                if deck is not before or not path.exists():
                    deck, content = _written(deck, self._room(path))
                    with replacing(path) as temporary:
                        temporary.write_bytes(content)
                    with self._guard:
                        self._read.pop(address, None)
                return deck
        except (OSError, Timeout) as error:
            raise DeckError(trouble("The deck cannot be kept", path, error)) from error

    def drop(self, address: str) -> None:
        """Forget the deck at an address; one that is only read stays."""
        if self._is_fixed(self._path(address)):
            return
        for path in (self._path(address), self._path(address).with_suffix(".lock")):
            remove(path)

    def _room(self, path: Path) -> int:
        """Bytes that a deck may have: what the others leave, and at least what it has."""
        own = size_of(path) if path.exists() else 0
        return max(own, self._budget_bytes - size_of(self._folder) + own)

    def _load(self, path: Path) -> Deck:
        try:
            return files.read(path.read_bytes(), checked=False)
        except OSError as error:
            raise DeckError(trouble("The deck cannot be read", path, error)) from error

    def _path(self, address: str) -> Path:
        if not is_address(address):
            raise DeckError(
                f"{shorten(address)} is no address of a deck; allowed are ten hexadecimal digits, "
                "as in ?deck=0f3a9c21d4."
            )
        name = f"{address}.json"
        if self._fixed is not None and (self._fixed / name).is_file():
            return self._fixed / name
        return self._folder / name

    def _is_fixed(self, path: Path) -> bool:
        return self._fixed is not None and path.parent == self._fixed


def _written(deck: Deck, room: int) -> tuple[Deck, bytes]:
    """A deck as it is read again, and its file: with as much of its history as it has room for, in bytes.

    Raises DeckError where there is no room, or where the file could not be read: it would lock its visitors
    out.
    """
    while len(content := files.write(deck)) > min(files.LARGEST, room):
        if not deck.history:
            if len(content) > files.LARGEST:
                raise DeckError(
                    f"The deck would have {len(content):,} bytes; at most {files.LARGEST:,} are allowed. "
                    "Remove slides with many points or frames, or begin another deck."
                )
            raise DeckError(
                f"The decks of this installation are full: this one would have {len(content):,} bytes, and "
                f"there is room for {room:,}. Remove slides, or ask whoever runs the installation for more "
                "(decks_gb in its settings)."
            )
        deck = changes.forget(deck, (len(deck.history) + 1) // 2)
    try:
        return files.read(content, checked=False, mend=False), content
    except DeckError as error:
        raise DeckError(f"The deck stays as it was, it could not be read again: {error}") from error
