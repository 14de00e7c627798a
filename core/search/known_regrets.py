"""What choosing without gold scores loses on benchmarks, as ``python -m benchmarks.proxies`` measured it.

The benchmarks do not come along; their regrets do, in ``regrets.json``, which that script writes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from core.search.proxies import Regret

FILE = Path(__file__).with_name("regrets.json")


@dataclass(frozen=True)
class Known(Regret):
    """A regret with the source that the recipes were followed on."""

    source: str


def known(file: Path = FILE) -> list[Known]:
    """What was measured, by source and corpus; nothing where there is no file."""
    if not file.exists():
        return []
    return [Known(**each) for each in json.loads(file.read_text("utf-8"))]


def keep(source: str, found: Iterable[Regret], file: Path = FILE) -> None:
    """Write regrets on a source into the file, in the place of those on the same corpora."""
    new = [
        Known(**{name.name: getattr(each, name.name) for name in fields(Regret)}, source=source)
        for each in found
    ]
    names = {(each.source, each.corpus, each.proxy) for each in new}
    others = [each for each in known(file) if (each.source, each.corpus, each.proxy) not in names]
    rows = sorted(
        map(_rounded, [*others, *new]), key=lambda row: (row["source"], row["corpus"], row["proxy"])
    )
    file.write_text("[\n" + ",\n".join(map(json.dumps, rows)) + "\n]\n", "utf-8")


def _rounded(each: Known) -> dict[str, Any]:
    return {
        name: round(value, 4) if isinstance(value, float) else value for name, value in asdict(each).items()
    }


@dataclass(frozen=True)
class Mean:
    """The mean over corpora of what choosing by each proxy loses, and of what a blind choice does."""

    corpora: tuple[str, ...]
    regret: Mapping[str, float]
    at_random: float


def means(source: str, file: Path = FILE) -> Mean | None:
    """The means on a source; None where nothing was measured on it."""
    own = [each for each in known(file) if each.source == source]
    if not own:
        return None
    proxies = dict.fromkeys(each.proxy for each in own)
    regret = {name: float(np.mean([each.regret for each in own if each.proxy == name])) for name in proxies}
    corpora = tuple(dict.fromkeys(each.corpus for each in own))
    return Mean(corpora, regret, float(np.mean([each.at_random for each in own])))
