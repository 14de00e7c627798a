"""Where things are kept and how precisely, from the environment or from the command line."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from core.errors import StrataError, shorten

Precision = Literal["float32", "bfloat16", "float16"]
FORWARD: tuple[Precision, ...] = ("float32", "bfloat16")
STORAGE: tuple[Precision, ...] = ("float32", "float16")
GIGABYTE = 1_000_000_000


def _default_cache() -> Path:
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "sentence-strata"


@dataclass(frozen=True)
class Settings:
    """What does not belong to a recipe but to this installation.

    ``paths`` says whether a corpus may be named by its path; the pages, which read names from URLs,
    say no. ``forward`` is the arithmetic of the forward pass and ``storage`` the number format of stored
    passes; ``benchmarks/precision.py`` prints what each costs in accuracy. Both are part of the key
    of a stored pass, so changing them never mixes two precisions.
    """

    cache: Path = field(default_factory=_default_cache)
    data: Path | None = None
    paths: bool = True
    budget_bytes: int = 20 * GIGABYTE
    memory_bytes: int = GIGABYTE // 2
    forward: str = "float32"
    storage: str = "float32"

    def __post_init__(self) -> None:
        """Refuse values that no later step could use."""
        for name, allowed in (("forward", FORWARD), ("storage", STORAGE)):
            value = getattr(self, name)
            if value not in allowed:
                raise StrataError(f"{name}: got {shorten(value)}; allowed is {' or '.join(allowed)}.")
        if self.data is not None and not self.data.is_dir():
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
            values["cache"] = Path(env["STRATA_CACHE"]).expanduser()
        if env.get("STRATA_DATA"):
            values["data"] = Path(env["STRATA_DATA"]).expanduser()
        if env.get("STRATA_CACHE_GB"):
            values["budget_bytes"] = _gigabytes(env["STRATA_CACHE_GB"])
        for name in ("forward", "storage"):
            if env.get(f"STRATA_{name.upper()}"):
                values[name] = env[f"STRATA_{name.upper()}"]
        values.update({name: value for name, value in given.items() if value is not None})
        return cls(**values)  # type: ignore[arg-type]


def _gigabytes(text: str) -> int:
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number < 1e6:
        raise StrataError(f"STRATA_CACHE_GB: got {shorten(text)}; allowed is a number of gigabytes.")
    return int(number * GIGABYTE)
