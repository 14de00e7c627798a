"""Similarity heatmaps of some sentences: under A, under B, and their difference."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from textwrap import wrap

import numpy as np
import plotly.graph_objects as go
from jaxtyping import Shaped

from components.figures import similarities
from components.figures.cell_values import longest, written
from components.figures.drawing import Drawing, Part, targets
from components.figures.labels import distinct, plain, wrapped, wrapped_ends
from components.theme import MAGNITUDE, MARK, SIGNED, Theme

PRINTED = 15
"""Sentences up to which every cell has its value."""

PRINTED_ANY_SIZE = 6
"""The same for similarities of any size, whose values are longer."""

CLICKABLE = 60
"""Sentences up to which a cell can be clicked, has a gap around it, and shows its sentences."""

SVG = 30
"""Sentences up to which what takes the clicks is drawn as SVG; more with WebGL."""

LABEL = 40
"""Characters of a sentence in the column of labels."""

HEIGHTS = (350, 900)
"""Pixels that the figure is high at least and at most."""

TITLE = 84
"""Characters of a line of the titles of all panels together, on a page 1280 wide."""

LINE = 18
"""Pixels of a second line of titles."""

UNIT = 20
"""Characters of a line of the similarity's name."""

GAP = 0.02
"""Space between panels, as a share of their width together."""

_NARROWEST = 170
"""About how many pixels a panel has on a page 1280 wide."""

_LABELS, _VALUE, _ROOM = 225, 16, 180
"""Pixels of the column of labels, of a value in a cell, and of all values of a row at most."""


@dataclass(frozen=True, eq=False)
class SimilarityPanel:
    """One heatmap: its values, title, similarity, and whether it shows differences of two matrices."""

    values: np.ndarray
    title: str
    color: str
    similarity: str = "cosine"
    signed: bool = False


def similarity_panels(
    sentences: Sequence[str],
    panels: Sequence[SimilarityPanel],
    theme: Theme,
    *,
    order: Sequence[int] | None = None,
    mark: tuple[int, int] | None = None,
) -> go.Figure:
    """Heatmaps side by side, sentences numbered from 1, written out beside the first.

    Panels of one similarity share a colour scale, see :func:`~components.figures.similarities.bounds`; the
    diagonal is blank. A click on a cell gives the numbers of its sentences as the first two of its
    customdata.

    Parameters
    ----------
    order
        Positions of the sentences in the order of rows and columns; as given when left out.
    mark
        Positions of a pair that gets a box in every panel.
    """
    rows = np.arange(len(sentences)) if order is None else np.asarray(order, int)
    count = len(rows)
    figure = Drawing(columns=len(panels), between=GAP)
    titles = [wrapped_ends(panel.title, TITLE // len(panels), 2) for panel in panels]
    for column, layers in enumerate(_layers(panels, sentences, rows), 1):
        for layer in layers:
            figure.add_trace(layer, col=column)
        color = theme.readable(panels[column - 1].color)
        title = {"text": titles[column - 1], "font": {"color": color, "size": 14}}
        _axes(figure, column, rows, _step(count, len(panels)), title)
        if mark is not None:
            _box(figure, [int(np.flatnonzero(rows == i)[0]) for i in mark], column)
    labelled = np.arange(0, count, 1 if count <= 50 else 2 if count <= 90 else 5)
    figure.update_yaxes(
        tickvals=labelled, ticktext=_labels(sentences, rows[labelled]), tickfont={"size": 12}, col=1
    )
    unit = _unit(panels, count)
    if unit and max(map(len, sentences), default=0) >= UNIT:
        # over the column of labels, which is as wide
        corner = {"x": 0, "xref": "paper", "xanchor": "right", "xshift": -6, "align": "right"}
        corner |= {"y": 1, "yref": "paper", "yanchor": "bottom", "font": {"size": 12, "color": theme.faint}}
        figure.add_annotation(text=unit, showarrow=False, **corner)
    more = LINE if any("<br>" in title for title in titles) else 0
    figure.update_layout(
        template=theme.template,
        plot_bgcolor=theme.grid,
        height=height(count) + more,
        margin={"t": 50 + more, "b": 34, "l": 4, "r": 4},
        hovermode="closest",
        hoverdistance=-1,
    )
    if len(panels) > 1 and all(_prints(count, panel.similarity) for panel in panels):
        figure.update_layout(meta={"stacks": _LABELS + len(panels) * min(_VALUE * count, _ROOM)})
    return figure.made()


def height(count: int) -> int:
    """Pixels of the figure for so many sentences."""
    low, high = HEIGHTS
    return min(max(low, 18 * count + 90), high)


def _layers(
    panels: Sequence[SimilarityPanel], sentences: Sequence[str], rows: np.ndarray
) -> Iterator[list[Part]]:
    """What lies in each panel, one over the other: cells, their values, what takes the clicks."""
    count = len(rows)
    heatmaps = [_heatmap(panel, panels, rows, column) for column, panel in enumerate(panels, 1)]
    texts = [
        _texts(heatmap["z"], panel.similarity) if _prints(count, panel.similarity) else None
        for heatmap, panel in zip(heatmaps, panels, strict=True)
    ]
    most = longest(texts)
    for panel, heatmap, text in zip(panels, heatmaps, texts, strict=True):
        cells = [heatmap] if text is None else written(heatmap, text, most)
        yield [*cells, _targets(panel, sentences, rows)] if count <= CLICKABLE else cells


def _axes(figure: Drawing, column: int, rows: np.ndarray, step: int, title: Part) -> None:
    """The title of a panel and the number of every ``step``-th sentence over it; rows go down."""
    count = len(rows)
    numbered = np.arange(0, count, step)
    figure.update_xaxes(
        tickvals=numbered,
        ticktext=[str(rows[i] + 1) for i in numbered],
        tickangle=0,
        tickfont={"size": 12},
        range=[-0.5, count - 0.5],
        showgrid=False,
        zeroline=False,
        title=title,
        side="top",
        col=column,
    )
    figure.update_yaxes(
        range=[count - 0.5, -0.5],
        showgrid=False,
        zeroline=False,
        showticklabels=column == 1,
        col=column,
    )


def _heatmap(
    panel: SimilarityPanel, panels: Sequence[SimilarityPanel], rows: np.ndarray, column: int
) -> Part:
    count = len(rows)
    values = panel.values[np.ix_(rows, rows)].astype(np.float32)
    np.fill_diagonal(values, np.nan)
    alike = [other for other in panels if not other.signed and other.similarity == panel.similarity]
    scale = similarities.bounds(panel.similarity, [other.values for other in alike])
    colors = {"colorscale": MAGNITUDE, "zmin": scale[0], "zmax": scale[1]}
    if panel.signed:
        reach = similarities.reach(panel.values, scale)
        colors = {"colorscale": SIGNED, "zmid": 0, "zmin": -reach, "zmax": reach}
    first = panel.signed or panel is alike[0]
    gap = 1 if count <= CLICKABLE else 0
    bar = {"colorbar": _bar(column, 1 if panel.signed else len(alike), len(panels))} if first else {}
    return {
        "type": "heatmap",
        "z": values,
        "x": np.arange(count),
        "y": np.arange(count),
        **(_hover(panel, rows) if count > CLICKABLE else {"hoverinfo": "skip"}),
        "showscale": first,
        "xgap": gap,
        "ygap": gap,
        **bar,
        **colors,
    }


def _prints(count: int, similarity: str) -> bool:
    """Whether so many sentences leave room for a value in each cell."""
    return count <= (PRINTED if similarity in similarities.UP_TO_1 else PRINTED_ANY_SIZE)


def _unit(panels: Sequence[SimilarityPanel], count: int) -> str:
    """The similarity of all panels, and what it is multiplied by in the cells; empty for several."""
    names = {panel.similarity for panel in panels if not panel.signed}
    if len(names) != 1:
        return ""
    (similarity,) = names
    times = ["× 100"] * (similarity in similarities.UP_TO_1 and _prints(count, similarity))
    return "<br>".join([*map(plain, wrap(similarities.name(similarity), UNIT)), *times])


def _texts(values: np.ndarray, similarity: str) -> Shaped[np.ndarray, "row column"]:
    """What is written in each cell; nothing in one without a value."""
    return np.array(
        [["" if np.isnan(z) else similarities.in_cell(float(z), similarity) for z in row] for row in values]
    )


def _targets(panel: SimilarityPanel, sentences: Sequence[str], rows: np.ndarray) -> Part:
    """What takes the clicks: a heatmap's cells take none."""
    count = len(rows)
    down, right = np.nonzero(~np.eye(count, dtype=bool))
    texts = [wrapped(text) if count <= SVG else wrapped(text, 36, 1) for text in sentences]
    pairs = zip(rows[down].tolist(), rows[right].tolist(), strict=True)
    return targets(max(6, _NARROWEST // count)) | {
        "type": "scatter" if count <= SVG else "scattergl",
        "x": right.astype(np.int16),
        "y": down.astype(np.int16),
        "customdata": np.array(
            [[i + 1, j + 1, round(float(panel.values[i, j]), 4), texts[i], texts[j]] for i, j in pairs],
            object,
        ),
        "hovertemplate": _template(
            panel, "%{customdata[2]", "%{customdata[3]}<br>— and —<br>%{customdata[4]}"
        ),
    }


def _hover(panel: SimilarityPanel, rows: np.ndarray) -> Part:
    """What a cell says that is too small to be clicked: the numbers of its sentences."""
    numbers = np.stack(np.meshgrid(rows + 1, rows + 1, indexing="ij"), axis=-1).astype(np.uint16)
    pair = "sentences %{customdata[0]} and %{customdata[1]}"
    return {"customdata": numbers, "hovertemplate": _template(panel, "%{z", pair)}


def _template(panel: SimilarityPanel, value: str, pair: str) -> str:
    unit = similarities.name(panel.similarity)
    said = f"{unit}, B − A: {value}:+.3f}}" if panel.signed else f"{unit}: {value}:.3f}}"
    return f"<b>{said}</b><br>{pair}<extra></extra>"


def _labels(sentences: Sequence[str], rows: np.ndarray) -> list[str]:
    # isolated, so that text written from right to left leaves the number where it is
    labels = distinct(sentences, LABEL)
    return [f"\u2068{labels[i]}\u2069  {i + 1}" for i in rows]


def _step(count: int, panels: int) -> int:
    """One in how many columns has its number, so that numbers do not touch on a page 1280 wide."""
    fitting = 3 * 12 / panels
    return next(step for step in (1, 2, 5, 10, 20, 50) if count / step <= fitting or step == 50)


def _bar(column: int, span: int, columns: int) -> Part:
    """A thin colour bar right under the panels that it is for, ``span`` of them from ``column`` on."""
    width = (1 - GAP * (columns - 1)) / columns
    left = (column - 1) * (width + GAP)
    whole = span * width + (span - 1) * GAP
    return {
        "orientation": "h",
        "x": left + whole / 2,
        "xanchor": "center",
        "y": -0.01,
        "yanchor": "top",
        "len": whole * (0.8 if span == 1 else 0.6),
        "thickness": 10,
        "nticks": 5,
        "tickangle": 0,
        "tickfont": {"size": 12},
        "outlinewidth": 0,
    }


def _box(figure: Drawing, mark: Sequence[int], column: int) -> None:
    for x, y in (mark, mark[::-1]):
        figure.frame(x, y, MARK, col=column)
