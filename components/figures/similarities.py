"""Similarities as figures and sentences show them: their names, scales and values."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

NAMES = {
    "cosine": "Cosine",
    "dot": "Inner product",
    "euclidean": "Negated Euclidean distance",
    "manhattan": "Negated Manhattan distance",
    "spearman": "Spearman correlation of dimensions",
}
"""Similarities at the beginning of a sentence; another one is called what recipes call it."""

UP_TO_1 = ("cosine", "spearman")
"""Similarities whose highest value is 1."""

LEAST_REACH = 0.1
"""What a scale of differences spans at least to either side of 0, as a share of the similarity's scale."""

DIGITS = 3
"""Significant digits of a similarity that may have any size."""


def name(similarity: str) -> str:
    """The similarity's name at the beginning of a sentence."""
    return NAMES.get(similarity, similarity)


def bounds(similarity: str, matrices: Sequence[np.ndarray]) -> tuple[float, float]:
    """The colour scale of matrices of one similarity; their diagonals do not count.

    Cosine and Spearman: from 0, or the lowest value where it is below, to 1. Others: from the lowest value
    to the highest, with 0 among them, so that a distance, which is negated, ends at 0.
    """
    off = [matrix[~np.eye(len(matrix), dtype=bool)] for matrix in matrices]
    values = np.concatenate([*off, np.zeros(1)])
    low, high = float(values.min()), float(values.max())
    if similarity in UP_TO_1:
        return low, 1.0
    return (low, high) if low < high else (0.0, 1.0)


def reach(difference: np.ndarray, scale: tuple[float, float]) -> float:
    """How far a scale of differences goes to either side of 0, for panels on the colour scale ``scale``."""
    return max(float(np.abs(difference).max()), LEAST_REACH * (scale[1] - scale[0]))


def shown(value: float, similarity: str) -> str:
    """A similarity in a sentence: two decimals, a third where two would say 1; other sizes by 3 digits."""
    if similarity not in UP_TO_1:
        return signed(f"{value:.{DIGITS}g}")
    text = f"{value:.2f}"
    if text in ("1.00", "-1.00") and abs(value) < 0.9995:
        text = f"{value:.3f}"
    return signed(text)


def in_cell(value: float, similarity: str) -> str:
    """A similarity in a cell: × 100 without decimals, or by 3 digits where it may have any size.

    100 is 1, which a pair of different sentences hardly reaches: what only rounds to it is more than 99.
    """
    if similarity not in UP_TO_1:
        return signed(f"{value:.{DIGITS}g}")
    text = f"{100 * value:.0f}"
    if text in ("100", "-100") and abs(value) < 0.9995:
        text = ">99" if value > 0 else "<-99"
    return signed(text)


def signed(number: str) -> str:
    """A formatted number with the minus sign, and none before 0."""
    return number.replace("-", "−") if number.strip("-0.") else number.lstrip("-")
