"""What paper 000 prints of its sets (Tables 2 and 3), beside what they are here."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from core.corpora.corpus import Corpus
from core.corpora.hub_sets import plain
from core.evaluation.set_statistics import SetStatistics, set_statistics
from core.pipeline.engine import Engine
from core.progress import Progress, silent

_ALIKE = 1 / 100
"""The share by which vocabularies may differ and count as the same."""


@dataclass(frozen=True)
class PublishedSet:
    """A row of Table 2 or 3; ``printed`` has its figures as they are printed, empty where there is none."""

    table: str
    name: str
    split: str
    printed: Mapping[str, str]


@cache
def published_sets() -> tuple[PublishedSet, ...]:
    """Every row of both tables."""
    text = (files(__package__) / "sets.tsv").read_text("utf-8")
    return tuple(
        PublishedSet(row.pop("table"), row.pop("set"), row.pop("split"), row)
        for row in csv.DictReader(text.splitlines(), delimiter="\t")
    )


def published_set(name: str, split: str, *, scored: bool = False) -> PublishedSet | None:
    """The printed row of a set's split, by its name in papers and in data folders; None without one.

    ``scored`` takes SICK's scores instead of its labels.
    """
    wanted = plain(name)
    if wanted in ("sick", "sickr", "sicke"):
        wanted = "sickr" if scored or wanted == "sickr" else "sicke"
    wanted = {"stsbenchmark": "stsb", "str2022": "str"}.get(wanted, wanted)
    for row in published_sets():
        if plain(row.name) == wanted and (row.split == split or not row.split):
            return row
    return None


def set_differences(found: SetStatistics, published: PublishedSet) -> list[str]:
    """What is not as it is printed, in words: ``words a row 17.9, printed 19``.

    Figures are the same that are when rounded as in print, and vocabularies within 1 %.
    """
    here: dict[str, float] = {
        "rows": found.rows,
        "classes": found.classes,
        "imbalance": found.imbalance,
        **{
            f"{of}{part}": value
            for of, counts in (("words", found.words), ("pieces", found.pieces))
            for part, value in (
                ("", counts.vocabulary),
                ("_length", counts.length),
                ("_letters", counts.alphabetic),
            )
        },
    }
    return [
        f"{title} {_shown(here[column], printed)}, printed {float(printed):,.{_decimals(printed)}f}"
        for column, title in _TITLES.items()
        if (printed := published.printed[column])
        and not abs(here[column] - float(printed)) <= _tolerance(column, printed)
    ]


def described(engine: Engine, corpus: Corpus, progress: Progress = silent) -> dict[str, Any]:
    """What a corpus is like under the names of columns, and what of it is not as it is printed.

    ``table`` names the printed table, empty where it has no such set.
    """
    found = set_statistics(engine, corpus, progress)
    published = published_set(corpus.name, corpus.split_name, scored=not corpus.labels and len(corpus) > 0)
    table, differences = "", []
    if published is not None:
        table = f"Stankevičius & Lukoševičius 2025, Table {published.table}"
        differences = set_differences(found, published)
    return {**found.cells(), "table": table, "differences": differences}


def as_lines_of_set(answer: Mapping[str, Any]) -> list[str]:
    """What :func:`described` gives as lines to read."""
    apart = ("set", "split", "table", "differences")
    lines = [f"{answer['set']} {answer['split']}"]
    lines += [
        f"  {column:<22} {value:,}"
        for column, value in answer.items()
        if column not in apart and value is not None
    ]
    if table := answer["table"]:
        said = "; ".join(answer["differences"])
        lines.append(f"  not as in {table}: {said}" if said else f"  as in {table}")
    return lines


_TITLES = {
    "rows": "rows",
    "classes": "classes",
    "imbalance": "largest by smallest",
    "words": "different words",
    "pieces": "different pieces",
    "words_length": "words a row",
    "pieces_length": "pieces a row",
    "words_letters": "words of letters alone, in percent,",
    "pieces_letters": "pieces of letters alone, in percent,",
}


def _tolerance(column: str, printed: str) -> float:
    """How far a figure may be off: by rounding, or for a vocabulary by 1 %."""
    if column in ("words", "pieces"):
        return _ALIKE * float(printed)
    return 0 if column in ("rows", "classes") else 6 / 10 ** (1 + _decimals(printed))


def _shown(value: float, printed: str) -> str:
    """A value beside a printed one: with one decimal more than in print, but for a whole number."""
    more = bool(np.isfinite(value)) and value != int(value)
    return f"{value:,.{_decimals(printed) + more}f}"


def _decimals(printed: str) -> int:
    return len(printed.partition(".")[2])
