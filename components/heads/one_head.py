"""One attention head of a sentence, token against token, on the page Heads."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from components import figure_frame, selection, state, theme
from components.controls import folded
from components.figure_frame import Framed
from components.figures.one_head import FITS, attention_lines, one_head
from components.heads.page import (
    LARGE,
    Side,
    caption,
    explain_cells,
    labels_of,
    summary,
    surface_forms_of,
    with_columns,
)
from core.analysis.heads.attention import SentenceAttention, coarse, heaviest
from core.evaluation.wording import isolated, quoted
from core.pipeline.token_weights import TokenWeights

ABOVE = 372
"""Pixels of page over the figure in a window 1280 wide."""

LINES = 40
"""Tokens, or blocks of tokens, that are drawn with lines between them."""


def show(
    attention: SentenceAttention,
    weights: TokenWeights | None,
    side: Side,
    chosen: tuple[int, int],
    token: int,
) -> None:
    """The chosen head, with its heaviest tokens and the row of ``token`` framed."""
    look = theme.of(state.theme_name())
    own = attention.diagonals[chosen[0] - 1, chosen[1] - 1]
    most = heaviest(weights.shares if weights is not None else own)
    drawn, size = coarse(attention.of(*chosen), LARGE)
    labels = labels_of(attention, size)
    title = finding(chosen, own)
    explanation = (
        f"Rows look at columns; framed: the {len(most)} heaviest of the diagonal, and the row of "
        f"{looks_at(attention, chosen, token)}."
    )
    explanation = explain_cells(explanation, size, f"attention of {size} × {size} tokens")
    figure_frame.show(
        Framed(
            key="heads.one",
            title=title,
            figure=one_head(drawn, labels, sorted({place // size for place in most}), look, token // size),
            caption=caption(attention, side, explanation),
            summary=summary(attention),
            alt=f"{title}; heaviest {', '.join(isolated(attention.surface_forms[i]) for i in most[:3])}",
            numbers=lambda: with_columns(pd.DataFrame(drawn, columns=labels), token=labels),
            above=ABOVE if len(labels) <= FITS else None,
        )
    )


def show_lines(attention: SentenceAttention, side: Side, chosen: tuple[int, int]) -> None:
    """The chosen head as lines between tokens, in an expander; drawn when it is open."""
    folded(
        "The same head as lines, token to token",
        lambda: _lines(attention, side, chosen),
        "heads.lines",
        ":material/linear_scale:",
    )


def _lines(attention: SentenceAttention, side: Side, chosen: tuple[int, int]) -> None:
    own = attention.diagonals[chosen[0] - 1, chosen[1] - 1]
    most = heaviest(own)
    drawn, size = coarse(attention.of(*chosen), LINES)
    labels = labels_of(attention, size)
    names = selection.token_names(attention.surface_forms)
    title = lines_finding(chosen, [names[i] for i in most], own[most])
    explanation = (
        "Tokens on the left look at those on the right; the darker and thicker, the more. In colour: to "
        "itself."
    )
    marked = sorted({place // size for place in most})
    figure_frame.show(
        Framed(
            key="heads.lines.figure",
            title=title,
            figure=attention_lines(drawn, labels, marked, theme.of(state.theme_name())),
            caption=caption(
                attention,
                side,
                explain_cells(explanation, size, f"attention of {size} × {size} tokens"),
            ),
            summary=summary(attention),
            alt=title,
            numbers=lambda: with_columns(pd.DataFrame(drawn, columns=labels), token=labels),
        )
    )


def lines_finding(chosen: tuple[int, int], most: Sequence[str], shares: np.ndarray) -> str:
    """The tokens that attend most to themselves under the chosen head, and by how much."""
    names = ", ".join(
        f"{quoted(name)} {100 * share:.0f} %" for name, share in zip(most, shares, strict=True)
    )
    return f"{selection.head_name(*chosen)}: most to themselves attend {names}"


def finding(chosen: tuple[int, int], diagonal: np.ndarray) -> str:
    """How much a token attends to itself under the chosen head."""
    mean = 100 * diagonal.mean()
    return f"{selection.head_name(*chosen)}: a token attends to itself with {mean:.0f} % on average"


def looks_at(attention: SentenceAttention, chosen: tuple[int, int], token: int) -> str:
    """A token, and where it looks most, in words."""
    names = selection.token_names(surface_forms_of(attention))
    row = attention.of(*chosen)[token]
    most = int(row.argmax())
    where = "itself" if most == token else quoted(names[most])
    return f"{quoted(names[token])}, which looks most at {where} ({100 * row[most]:.0f} %)"
