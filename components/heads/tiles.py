"""All heads of a sentence in one figure, each a tile, on the page Heads."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from components import figure_frame, selection, state, theme
from components.figure_frame import Framed
from components.figures.heads import FLAT, tiles
from components.figures.labels import plain
from components.heads.page import (
    Side,
    caption,
    explain_cells,
    labels_of,
    summary,
    surface_forms_of,
    take,
    with_columns,
)
from core.analysis.heads.attention import SentenceAttention, coarse, heaviest
from core.errors import counted
from core.evaluation.wording import isolated

SAME = 0.01
"""Percent by which means must differ for one to be named the largest."""

ABOVE = 396
"""Pixels of page over the figure in a window 1280 wide."""

CELLS = 1_000_000
"""Cells that the figure of all heads may have, a byte each."""


def show(attention: SentenceAttention, side: Side, chosen: tuple[int, int]) -> None:
    """All heads as tiles; a click chooses one."""
    look = theme.of(state.theme_name())
    depth, heads = attention.depth, attention.heads
    drawn, size = coarse(attention.weights, int((CELLS / (depth * heads)) ** 0.5))
    own = attention.diagonals
    mean = own.mean(axis=2)
    title = finding(mean, chosen)
    surface_forms = surface_forms_of(attention)
    places = [(i + 1, j + 1) for i in range(depth) for j in range(heads)]
    hover = [
        f"<b>{selection.head_name(i, j)}</b><br>{100 * mean[i - 1, j - 1]:.0f} % on the token itself, "
        f"most: {plain(', '.join(isolated(surface_forms[k]) for k in heaviest(own[i - 1, j - 1], 3)))}"
        for i, j in places
    ]
    names = [f"{i}-{j}" for i, j in places]
    explanation = (
        "A tile is one head: rows look at columns, colours go with the root. "
        "Attention is not explanation: a head that looks at a word need not use it."
    )
    beside = neighbours(attention)
    explanation = explain_cells(explanation, size, f"attention of {size} × {size} tokens")
    figure_frame.show(
        Framed(
            key="heads.tiles",
            title=title,
            figure=tiles(drawn, names, hover, chosen, look),
            caption=caption(attention, side, f"{beside} {explanation}".strip()),
            summary=summary(attention),
            alt=f"{title}; {counted(depth, 'layer')} of {counted(heads, 'head')} as tiles",
            numbers=lambda: numbers(drawn, labels_of(attention, size)),
            above=ABOVE if depth <= FLAT else None,
            fewer=lambda: means(attention),
            on_select=take,
            hint=f"{beside} A click on a tile chooses its head.",
        )
    )


def finding(mean: np.ndarray, chosen: tuple[int, int]) -> str:
    """The head that attends most to the token itself, beside the framed one.

    ``mean`` is the mean over all tokens of each head's diagonal, ``[layer, head]``.
    """
    percent = 100 * mean
    high, framed = float(percent.max()), float(percent[chosen[0] - 1, chosen[1] - 1])
    digits = int(framed != high and f"{framed:.0f}" == f"{high:.0f}")
    if high - float(percent.min()) < SAME:
        return f"In every head a token attends to itself with {high:.0f} % on average"
    name = _largest(percent)
    if framed == high:
        return (
            f"L{chosen[0]}-H{chosen[1]} (framed) attends most to the token itself: {high:.0f} % on average"
        )
    return (
        f"{name} attends most to the token itself: {high:.{digits}f} % on average; "
        f"L{chosen[0]}-H{chosen[1]} (framed): {framed:.{digits}f} %"
    )


def neighbours(attention: SentenceAttention) -> str:
    """The heads that attend most to the token before and to the one after, in one sentence."""
    told = []
    for offset, which in ((-1, "before"), (1, "after")):
        percent = 100 * attention.beside(offset)
        if np.isfinite(percent).all():
            told.append(f"{which}: {_largest(percent)}, {percent.max():.0f} %")
    return f"Most to the token {'; to the one '.join(told)}." if told else ""


def _largest(values: np.ndarray) -> str:
    """The head with the largest of the values ``[layer, head]``."""
    layer, number = np.unravel_index(int(values.argmax()), values.shape)
    return f"L{layer + 1}-H{number + 1}"


def numbers(drawn: np.ndarray, labels: Sequence[str]) -> pd.DataFrame:
    """One row for each layer, head and attending token."""
    depth, heads, side, _ = drawn.shape
    index = np.indices((depth, heads, side)).reshape(3, -1)
    table = pd.DataFrame(drawn.reshape(-1, side), columns=list(labels))
    attending = np.array(labels, object)[index[2]]
    return with_columns(table, layer=index[0] + 1, head=index[1] + 1, token=attending)


def means(attention: SentenceAttention) -> pd.DataFrame:
    """One row for each head: its mean attention to the token itself and to those beside it."""
    layer, head = (place.ravel() + 1 for place in np.indices((attention.depth, attention.heads)))
    beside = {"to itself": 0, "to the one before": -1, "to the one after": 1}
    columns = {name: attention.beside(offset).ravel() for name, offset in beside.items()}
    return pd.DataFrame({"layer": layer, "head": head} | columns)
