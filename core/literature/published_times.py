"""Published inference times: milliseconds per sentence, with a batch size of one.

Two papers of the same authors measure the sentences of STS-B on the same machine. Their times are no target
for another machine; they show how methods compare.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

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


_ON: dict[Device, str] = {"CPU": "Intel i7-5930K, 3.50 GHz", "GPU": "Nvidia GeForce GTX TITAN X"}


def _row(
    where: str, method: str, cpu: float, gpu: float | None = None, preset: str = ""
) -> tuple[PublishedTime, ...]:
    times: dict[Device, float | None] = {"CPU": cpu, "GPU": gpu}
    return tuple(
        PublishedTime(method, value, device, _ON[device], where, preset)
        for device, value in times.items()
        if value is not None
    )


_WK = "Wang & Kuo 2020, Table VIII"
_S3E = "Wang et al. 2020, Table IV"

TIMES: tuple[PublishedTime, ...] = (
    *_row(_WK, "InferSent", 53.07, 15.23),
    *_row(_WK, "BERT", 86.89, 15.27, "Last layer, mean"),
    *_row(_WK, "XLNET", 112.49, 20.98),
    *_row(_WK, "SBERT", 168.67, 32.19, "SBERT"),
    *_row(_WK, "Overhead of SBERT-WK (SVD)", 10.60, None, "SBERT-WK"),
    *_row(_WK, "Overhead of SBERT-WK (QR)", 8.59, None, "SBERT-WK"),
    *_row(_S3E, "InferSent", 53.07, 15.23),
    *_row(_S3E, "SBERT-WK", 179.27, 42.79, "SBERT-WK"),
    *_row(_S3E, "GEM", 26.54, None, "GEM"),
    *_row(_S3E, "SIF", 1.56, None, "SIF"),
    *_row(_S3E, "S3E", 0.69, None, "S3E"),
)
"""The times in the order of the tables."""

TIMED = ("Last layer, mean", "SBERT-WK", "SIF", "uSIF", "p-means", "DCT", "VLAWE", "GEM", "S3E")
"""Presets that are timed: those of the two tables without further requirements, and similar ones."""


def published_times(preset: str, device: Device = "CPU") -> tuple[PublishedTime, ...]:
    """The published times of a preset."""
    return tuple(time for time in TIMES if time.preset == preset and time.device == device)
