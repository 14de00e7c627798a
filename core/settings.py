"""Where things are kept and how precisely, from the environment or from the command line."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import platformdirs

from core.errors import StrataError, shorten
from core.trust import Trust, expanded, is_folder

Precision = Literal["float32", "bfloat16", "float16"]
FORWARD: tuple[Precision, ...] = ("float32", "bfloat16")
STORAGE: tuple[Precision, ...] = ("float32", "float16")
GIGABYTE = 1_000_000_000


def _default_cache() -> Path:
    return platformdirs.user_cache_path("sentence-strata", appauthor=False)


@dataclass(frozen=True)
class Settings:
    """What does not belong to a recipe but to this installation.

    ``trust`` says which folders and downloads a name may stand for. ``forward`` is the arithmetic of the
    forward pass and ``storage`` the number format of stored passes; ``benchmarks/precision.py`` prints what
    each costs in accuracy. Both are part of the key of a stored pass, so changing them never mixes two
    precisions. ``budget_bytes`` bounds the passes and word vectors on disk, ``uploads_bytes`` the files
    that visitors brought and ``upload_bytes`` each of them, ``memory_bytes`` all results that are kept in
    memory, without loaded models. ``jobs`` is how many pieces of work the pages run at once, for all
    visitors together. ``shipped`` is the archive of results that come with the installation, those that a
    visitor arrives on; ``python -m benchmarks.arrival --ship`` makes it. For that, ``ships`` keeps
    similarities and what steps learn as well; it is off for visits, where a change of the code would find
    them though they are no longer right.
    """

    cache: Path = field(default_factory=_default_cache)
    data: Path | None = None
    trust: Trust = Trust()
    uploads_bytes: int = GIGABYTE
    upload_bytes: int = GIGABYTE // 20
    budget_bytes: int = 20 * GIGABYTE
    memory_bytes: int = 2 * GIGABYTE
    forward: str = "float32"
    storage: str = "float32"
    jobs: int = 2
    shipped: Path | None = Path(__file__).parent / "storage" / "arrival.zip"
    ships: bool = False

    def __post_init__(self) -> None:
        """Refuse values that no later step could use."""
        for name, allowed in (("forward", FORWARD), ("storage", STORAGE)):
            value = getattr(self, name)
            if value not in allowed:
                raise StrataError(f"{name}: got {shorten(value)}; allowed is {' or '.join(allowed)}.")
        if self.jobs < 1:
            raise StrataError(f"jobs: got {self.jobs}; allowed is 1 or more.")
        if self.data is not None and not is_folder(self.data):
            raise StrataError(
                f"The data folder {shorten(self.data)} does not exist; give a folder with "
                "sts/*.tsv or corpus/*.txt files, or leave it out."
            )

    @classmethod
    def from_environment(cls, **given: object) -> Settings:
        """Settings from ``STRATA_CACHE``, ``STRATA_DATA``, … unless ``given`` says otherwise."""
        values: dict[str, object] = {}
        env = os.environ
        if env.get("STRATA_CACHE"):
            values["cache"] = expanded(env["STRATA_CACHE"])
        if env.get("STRATA_DATA"):
            values["data"] = expanded(env["STRATA_DATA"])
        if env.get("STRATA_CACHE_GB"):
            values["budget_bytes"] = _gigabytes("STRATA_CACHE_GB", env["STRATA_CACHE_GB"])
        if env.get("STRATA_MEMORY_GB"):
            values["memory_bytes"] = _gigabytes("STRATA_MEMORY_GB", env["STRATA_MEMORY_GB"])
        if env.get("STRATA_JOBS"):
            values["jobs"] = _count(env["STRATA_JOBS"])
        if env.get("STRATA_UPLOADS_GB"):
            values["uploads_bytes"] = _gigabytes("STRATA_UPLOADS_GB", env["STRATA_UPLOADS_GB"])
        if env.get("STRATA_SHIPS"):
            values["ships"] = env["STRATA_SHIPS"] == "1"
        for name in ("forward", "storage"):
            if env.get(f"STRATA_{name.upper()}"):
                values[name] = env[f"STRATA_{name.upper()}"]
        values.update({name: value for name, value in given.items() if value is not None})
        return cls(**values)  # type: ignore[arg-type]


def _gigabytes(variable: str, text: str) -> int:
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number < 1e6:
        raise StrataError(f"{variable}: got {shorten(text)}; allowed is a number of gigabytes.")
    return int(number * GIGABYTE)


def _count(text: str) -> int:
    if not text.strip().isdecimal() or not 0 < int(text) < 1000:
        raise StrataError(f"STRATA_JOBS: got {shorten(text)}; allowed is a number of jobs, 1 or more.")
    return int(text)
