"""Sentences with each token tinted by the weight it gets: a line of text one can read."""

from __future__ import annotations

import html
from collections.abc import Sequence

import numpy as np

from core.embed import TokenWeights

_STYLE = (
    "display:inline-block;margin:1px;padding:1px 5px;border-radius:4px;"
    "font-size:1rem;line-height:1.6;white-space:pre;"
)


def strip(weights: TokenWeights, color: str, number: int) -> str:
    """HTML of one sentence with its number, every token escaped."""
    most = 3 / max(len(weights.shares), 1)  # three times an equal share is the deepest tint
    rows = zip(weights.written, weights.shares, weights.texts_with, _pieces(weights.words), strict=True)
    spans = [
        f'<span title="{html.escape(_hover(text, share, seen, pieces))}" '
        f'style="{_STYLE}background:{_tint(color, share / most)}">{html.escape(_shown(text))}</span>'
        for text, share, seen, pieces in rows
    ]
    end = " <em>… cut here</em>" if weights.truncated else ""
    return f'<div style="margin-bottom:.35rem"><small>{number}</small> {"".join(spans)}{end}</div>'


def _hover(text: str, share: float, seen: float, pieces: int) -> str:
    of = f", one of {pieces} pieces of a word" if pieces > 1 else ""
    return f"{text}: {100 * share:.1f} % of the weight; in {seen:,.0f} texts{of}"


def _pieces(words: Sequence[int]) -> list[int]:
    """How many tokens each token's word has."""
    found = np.array(words)
    return [int((found == word).sum()) if word >= 0 else 1 for word in words]


def _shown(text: str) -> str:
    """A token as a reader expects it: word-start marks as spaces left out."""
    return text.lstrip("▁Ġ") or text


def _tint(color: str, strength: float) -> str:
    red, green, blue = (int(color[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},{0.04 + 0.56 * max(0.0, min(1.0, strength)):.3f})"
