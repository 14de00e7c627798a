"""What belongs to an installation, not to a recipe: where things are kept, how precisely, how many."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, fields, replace
from pathlib import Path

import platformdirs

from core import machine, settings_file
from core.errors import StrataError, shorten
from core.settings_file import FORWARD, GIGABYTE, STORAGE
from core.trust import Trust, is_folder

__all__ = ["FORWARD", "GIGABYTE", "ROOMY", "SEARCHES_BYTES", "STORAGE", "Settings"]


def _default_cache() -> Path:
    return platformdirs.user_cache_path("sentence-strata", appauthor=False)


ROOMY = GIGABYTE // 4
"""Bytes for results from which on memory is not short: a model may stay there while another one reads,
of which two bundled encoders take some 90 MB each."""

SEARCHES_BYTES = GIGABYTE // 5
"""Bytes of the trials of all searches, some 1 kB a trial; those not gone on with for longest go first."""


def _default_memory() -> int:
    """An eighth of the machine's memory, at most 2 GB: the process takes some 0.8 GB beside it."""
    return min(2 * GIGABYTE, (machine.memory() or 16 * GIGABYTE) // 8)


@dataclass(frozen=True)
class Settings:
    """What does not belong to a recipe but to this installation.

    ``trust`` says which folders, models and downloads a name may stand for; :meth:`for_pages` makes it of
    ``folders`` and ``models``. ``forward`` is the arithmetic of the forward pass and ``storage`` the
    number format of stored passes; ``benchmarks/precision.py`` prints what each costs in accuracy. Both are
    part of the key of a stored pass, so changing them never mixes two precisions. ``device`` is where
    models read, as :func:`core.encoders.device.find_device` is asked for it; it is no part of the key.

    ``budget_bytes`` bounds the passes and word vectors on disk, ``uploads_bytes`` the files that visitors
    brought and ``upload_bytes`` each of them, ``decks_bytes`` their decks, ``memory_bytes`` all results
    that are kept in memory, without loaded models. ``jobs`` is how many pieces of work the pages run at
    once, for all visitors together, and ``threads`` how many threads of linear algebra each may use; None
    for what the libraries choose, BLAS apart, which then has its share of the cores.

    With ``read_only`` visitors leave nothing: no deck, recipe, file or download of theirs is kept. Passes
    and tables that their results need are stored all the same, within the budget.

    ``shipped`` is the archive of results that come with the installation, those that a visitor arrives on;
    ``python -m benchmarks.arrival --ship`` makes it. For that, ``ships`` keeps similarities and what steps
    learn as well; it is off for visits, where a change of the code would find them though they are no
    longer right.
    """

    cache: Path = field(default_factory=_default_cache)
    data: Path | None = None
    trust: Trust = Trust()
    folders: tuple[Path, ...] = ()
    models: tuple[str, ...] | None = None
    uploads_bytes: int = GIGABYTE
    upload_bytes: int = GIGABYTE // 20
    decks_bytes: int = 4 * GIGABYTE
    budget_bytes: int = 20 * GIGABYTE
    memory_bytes: int = field(default_factory=_default_memory)
    forward: str = "float32"
    storage: str = "float32"
    device: str = "auto"
    jobs: int = 2
    threads: int | None = None
    read_only: bool = False
    shipped: Path | None = Path(__file__).parent / "storage" / "arrival.zip"
    ships: bool = False

    @property
    def is_roomy(self) -> bool:
        """Whether memory is not short."""
        return self.memory_bytes >= ROOMY

    def __post_init__(self) -> None:
        """Take paths from their texts, and refuse values that no later step could use."""
        for name in ("cache", "data"):
            if isinstance(path := getattr(self, name), str):
                object.__setattr__(self, name, Path(path))
        for name, allowed in (("forward", FORWARD), ("storage", STORAGE)):
            value = getattr(self, name)
            if value not in allowed:
                raise StrataError(f"{name}: got {shorten(value)}; allowed is {' or '.join(allowed)}.")
        for name in ("jobs", "threads"):
            if (count := getattr(self, name)) is not None and count < 1:
                raise StrataError(f"{name}: got {count}; allowed is 1 or more.")
        for budget in fields(self):
            if budget.name.endswith("_bytes") and (size := getattr(self, budget.name)) < 0:
                raise StrataError(f"{budget.name}: got {shorten(size)}; allowed is 0 or more.")
        if self.data is not None and not is_folder(self.data):
            raise StrataError(
                f"The data folder {shorten(self.data)} does not exist; give a folder with "
                "sts/*.tsv or corpus/*.txt files, or leave it out."
            )
        if self.data is not None and not os.access(self.data, os.R_OK | os.X_OK):
            raise StrataError(f"The data folder {shorten(self.data)} may not be read by who runs this.")

    @classmethod
    def from_environment(cls, **given: object) -> Settings:
        """What ``given`` says, else the environment, else the file (:mod:`core.settings_file`).

        Raises :class:`StrataError` for a file, a key or a value that cannot be used.
        """
        values = settings_file.read(os.environ)
        if os.environ.get("STRATA_SHIPS"):
            values["ships"] = os.environ["STRATA_SHIPS"] == "1"
        values.update({name: value for name, value in given.items() if value is not None})
        return cls(**values)  # type: ignore[arg-type]

    @classmethod
    def for_pages(cls) -> Settings:
        """The same for the pages: links open ``folders`` and ``models`` alone, and download nothing.

        Raises what :meth:`from_environment` raises.
        """
        said = cls.from_environment()
        return replace(said, trust=Trust(said.folders, downloads=False, models=said.models))
