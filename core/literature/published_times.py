"""Published inference times: milliseconds per sentence, with a batch size of one.

Two papers of the same authors measure the sentences of STS-B on the same machine. Their times are no target
for another machine; they show how methods compare.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from core.literature.tables import find_table

Device = Literal["CPU", "GPU"]


@dataclass(frozen=True)
class PublishedTime:
    """One time of one table.

    Attributes
    ----------
    method
        The method, as named in the paper.
    milliseconds
        The time per sentence.
    device, hardware
        The device of the measurement.
    where
        The paper and the table.
    preset
        The name of the preset with the same method, if any.
    """

    method: str
    milliseconds: float
    device: Device
    hardware: str
    where: str
    preset: str = ""


_GPU = "Nvidia GeForce GTX TITAN X"

_PRINTED = (
    ("001", "VIII", "Wang & Kuo 2020", "Intel i7-5930K, 3.50 GHz"),
    ("003", "IV", "Wang et al. 2020", "Intel i7-5930, 3.50 GHz"),
)
"""Paper and table, how it is cited, and the processor it names."""

_PRESETS = {
    "BERT": "Last layer, mean",
    "SBERT": "SBERT",
    "Overhead of SBERT-WK (SVD)": "SBERT-WK",
    "Overhead of SBERT-WK (QR)": "SBERT-WK",
    "SBERT-WK": "SBERT-WK",
    "GEM": "GEM",
    "SIF": "SIF",
    "Proposed S3E": "S3E",
}
"""The preset of each method that has one."""


def _times(paper: str, name: str, citation: str, processor: str) -> Iterator[PublishedTime]:
    table = find_table(paper, name)
    on: dict[Device, str] = {"CPU": processor, "GPU": _GPU}
    for _, row in table.rows:
        for device, hardware in on.items():
            if (milliseconds := table.value(row, device)) is not None:
                method, preset = row.removeprefix("Proposed "), _PRESETS.get(row, "")
                where = f"{citation}, {table.label}"
                yield PublishedTime(method, milliseconds, device, hardware, where, preset)


TIMES: tuple[PublishedTime, ...] = tuple(time for printed in _PRINTED for time in _times(*printed))
"""The times in the order of the tables."""

TIMED = ("Last layer, mean", "SBERT-WK", "SIF", "uSIF", "p-means", "DCT", "VLAWE", "GEM", "S3E")
"""Presets that are timed: those of the two tables without further requirements, and similar ones."""


def published_times(preset: str, device: Device = "CPU") -> tuple[PublishedTime, ...]:
    """The published times of a preset."""
    return tuple(time for time in TIMES if time.preset == preset and time.device == device)
