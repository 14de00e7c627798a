"""The scores that a visit has seen of A and B, in the bar or on the page Scores: so many were tried."""

from __future__ import annotations

from typing import Any

import streamlit as st

from components import state
from core.evaluation.scoring import Scored

_KEY = "scores.seen"


def note(scored: Scored) -> None:
    """Remember a score; what depends on the same stands once, at its first place."""
    about, score = scored.about, scored.score
    row = {
        "recipe": state.text_of(scored.recipe),
        "Spearman × 100": score.spearman,
        "low": score.low,
        "high": score.high,
        "Pearson × 100": score.pearson,
        "corpus": about["corpus"],
        "split": about["split"],
        "pairs": score.pairs,
        "aggregate": score.aggregate,
        "seconds": scored.seconds,
        "model": about["model"],
        "fingerprint": about["fingerprint"],
    }
    st.session_state.setdefault(_KEY, {}).setdefault(tuple(about.values()), row)


def rows() -> list[dict[str, Any]]:
    """A row for each score, in the order in which they were seen first."""
    return list(st.session_state.get(_KEY, {}).values())
