"""Data sets of the hub as corpora: the standard benchmarks by name, and any other by ``hub:owner/name``."""

from __future__ import annotations

from functools import lru_cache

import pandas as pd

from core.corpora.scales import SCALE
from core.errors import first_line
from core.storage.hub import HubError, Repository, is_hub_id, snapshot

HUB = {
    "sts12": ("mteb/sts12-sts", SCALE),
    "sts13": ("mteb/sts13-sts", SCALE),
    "sts14": ("mteb/sts14-sts", SCALE),
    "sts15": ("mteb/sts15-sts", SCALE),
    "sts16": ("mteb/sts16-sts", SCALE),
    "stsb": ("mteb/stsbenchmark-sts", SCALE),
    "sickr": ("mteb/sickr-sts", (1.0, 5.0)),
    "str2022": ("vkpriya/str-2022", (0.0, 1.0)),
}
"""The standard benchmarks: their data set on the hub, and the range of their scores."""

FROM_HUB = "hub:"
"""What the name of any other data set of the hub begins with: ``hub:owner/name``."""

_CALLED = {"stsbenchmark": "stsb", "sick": "sickr", "str": "str2022"}
"""The benchmarks by what they are called elsewhere, without capitals, dashes and dots."""

_DATA = "*.[jptc]*"  # json, jsonl, parquet, tsv, csv: a cache that holds none of them is no data set
_FILES = ("*.md", "*.json", "*.jsonl", "*.jsonl.gz", "*.parquet", "*.tsv", "*.csv")


@lru_cache(maxsize=1000)
def plain(name: str) -> str:
    """A name without capitals, dashes and dots: ``STS-B`` and ``stsb`` are one."""
    return "".join(character for character in name.lower() if character.isalnum())


def same(name: str) -> str:
    """What all names of one corpus have in common: ``stsb`` of ``STS-B`` and of ``stsbenchmark``."""
    return _CALLED.get(plain(name), plain(name))


def range_of(name: str) -> tuple[float, float] | None:
    """The range of scores of a file called as a benchmark is; None where they end as those of STS do."""
    _, known = HUB.get(plain(name), ("", SCALE))
    return None if known[1] == SCALE[1] else known


def hub_id(name: str) -> str:
    """``owner/name`` of ``hub:owner/name``; empty for another name."""
    identifier = name.removeprefix(FROM_HUB)
    return identifier if name.startswith(FROM_HUB) and is_hub_id(identifier) else ""


def repository(hub: str) -> Repository:
    """The data set of the hub, with the files of tables alone."""
    return Repository(hub, "dataset", _FILES, (_DATA,))


def read_hub(hub: str, *, download: bool) -> tuple[pd.DataFrame, str]:
    """All splits of a hub data set as one table, and the commit they are of."""
    from datasets import DatasetDict, disable_progress_bars, load_dataset

    folder = snapshot(repository(hub), download=download)
    disable_progress_bars()
    try:
        splits: DatasetDict = load_dataset(str(folder))
    except Exception as error:  # the library and its readers raise many kinds
        raise HubError(f"The files of {hub!r} in {folder} cannot be read: {first_line(error)}.") from error
    tables = [splits[name].to_pandas().assign(split=name) for name in splits]
    return pd.concat(tables, ignore_index=True), folder.name[:12]
