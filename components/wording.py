"""Scores in words, the same on every page."""

from __future__ import annotations

import numpy as np

from core.evaluation.sts import Score


def value(score: Score) -> str:
    """``70.2 ± 2.7``."""
    if not np.isfinite(score.spearman):
        return "no score"
    return f"{score.spearman:.1f} ± {(score.high - score.low) / 2:.1f}"
