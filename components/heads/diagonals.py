"""The diagonals of all heads of a sentence, on the page Heads."""

from __future__ import annotations

import numpy as np
import pandas as pd

from components import figure_frame, selection, state, theme
from components.figure_frame import Framed
from components.figures.heads import diagonals
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
from components.wording import listed
from core.analysis.heads.attention import SentenceAttention
from core.evaluation.wording import quoted


def show(attention: SentenceAttention, side: Side, chosen: tuple[int, int]) -> None:
    """The diagonal of every head: one row for each, the chosen one framed."""
    look = theme.of(state.theme_name())
    every = attention.diagonals
    title = finding(attention)
    size = max(1, -(-len(attention.surface_forms) // LARGE))
    starts = np.arange(0, len(attention.surface_forms), size)
    drawn = np.maximum.reduceat(every, starts, axis=2)
    labels = labels_of(attention, size)
    explanation = "The diagonal of every head: a row per head, layers set apart; the chosen head is framed."
    explanation = explain_cells(explanation, size, f"of {size} tokens")
    rows = [f"L{i + 1}-H{j + 1}" for i in range(attention.depth) for j in range(attention.heads)]
    figure_frame.show(
        Framed(
            key="heads.diagonals",
            title=title,
            figure=diagonals(drawn, labels, chosen, look),
            caption=caption(attention, side, explanation),
            summary=summary(attention),
            alt=title,
            numbers=lambda: with_columns(
                pd.DataFrame(drawn.reshape(len(rows), -1), columns=labels), head=rows
            ),
        )
    )


def finding(attention: SentenceAttention) -> str:
    """Which of the sentence's own tokens attends most to itself, averaged over all heads."""
    own = attention.own if attention.own.any() else np.ones(len(attention.surface_forms), bool)
    mean = 100 * attention.diagonals.mean(axis=(0, 1))
    token = int(np.where(own, mean, -1).argmax())
    name = selection.token_names(surface_forms_of(attention))[token]
    share = f"{mean[token]:.0f} % on average over all heads"
    if np.count_nonzero(own) == 1:
        return f"{quoted(name)} attends to itself with {share}"
    words = f"{quoted(name)} attends most to itself: {share}"
    if own.all():
        return words
    special = dict.fromkeys(np.array(surface_forms_of(attention), object)[attention.tokens.special])
    left_out = listed(list(special)) if special and not attention.tokens.template.any() else ""
    return f"Apart from {left_out or 'special tokens and the template'}, {words}"
