"""Every figure goes through this frame: title, figure, caption with the exact recipe, downloads."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from components.figures.labels import plain
from components.text import escape
from components.theme import LIGHT

FRAMES = "frames"
"""Where the figures that a run has drawn are kept."""

SLIDE_WIDTH = 1600
"""Pixels a downloaded picture is wide (PNG: twice that)."""

PAGE_WIDTH = 880
"""Pixels a figure is wide on a page 1280 wide: with it, a figure's height gives its proportions."""

_CONFIG = {
    "displaylogo": False,
    "showSendToCloud": False,
    "modeBarButtonsToRemove": ["select2d", "lasso2d", "toImage"],
}

_WITH_LASSO = {"modeBarButtonsToRemove": ["toImage"]}

GROUPS = ("points", "box", "lasso")
"""Ways to choose several points at once."""


@dataclass(frozen=True, eq=False)
class Framed:
    """A figure with everything a reader needs to use and to cite it.

    ``caption`` holds one line per recipe and one for the corpus; ``numbers`` is what was drawn.
    ``on_select`` is given the points that a visitor clicks on, before the next run; none when the click
    takes the choice back. A heatmap's cells cannot be clicked: put transparent markers over them.
    ``selection`` are the ways to choose, :data:`GROUPS` or clicks alone.
    """

    key: str
    title: str
    figure: go.Figure
    caption: tuple[str, ...]
    alt: str
    numbers: pd.DataFrame
    on_select: Callable[[Sequence[dict[str, Any]]], None] | None = None
    selection: tuple[str, ...] = ("points",)


def show(framed: Framed) -> None:
    """Draw the figure in its frame, and remember it for the present view."""
    st.session_state.setdefault(FRAMES, []).append(framed)
    if framed.title:
        st.markdown(f"##### {escape(framed.title)}")
    st.plotly_chart(
        framed.figure,
        theme=None,
        key=framed.key,
        config=_CONFIG if "lasso" not in framed.selection else _CONFIG | _WITH_LASSO,
        alt=framed.alt,
        on_select=partial(_selected, framed.key, framed.on_select) if framed.on_select else "ignore",
        selection_mode=framed.selection,
    )
    st.caption("  \n".join(escape(line) for line in framed.caption))
    with st.container(horizontal=True, gap="small"):
        picture = st.popover(
            "PNG · SVG",
            icon=":material/image:",
            type="tertiary",
            key=f"{framed.key}.picture",
            on_change="rerun",
            help="A picture for slides, with title and caption",
        )
        for ending, icon, make, what in (
            ("html", "code", page, "The figure, still interactive, in one file that needs no network"),
            ("csv", "table", csv, "The numbers that are drawn; the first lines say under which recipe"),
        ):
            st.download_button(
                ending.upper(),
                partial(make, framed),
                f"{framed.key}.{ending}",
                f"text/{ending}",
                icon=f":material/{icon}:",
                type="tertiary",
                key=f"{framed.key}.{ending}",
                on_click="ignore",
                help=what,
            )
    if picture.open:
        with picture:
            st.iframe(_picture_page(framed), width=320, height=64)


def _selected(key: str, choose: Callable[[Sequence[dict[str, Any]]], None]) -> None:
    choose(st.session_state[key]["selection"]["points"])


def csv(framed: Framed) -> bytes:
    """The numbers with the caption as comment lines before them."""
    lines = (" ".join(line.split()) for line in (framed.title, *framed.caption))
    head = "".join(f"# {line}\n" for line in lines if line)
    return (head + framed.numbers.to_csv(index=False)).encode("utf-8-sig")


def for_slide(framed: Framed) -> go.Figure:
    """A copy on white, with title and caption inside, as wide as a slide."""
    lines = [row for line in framed.caption for row in textwrap.wrap(line, 150)]
    figure = go.Figure(framed.figure)
    margin = figure.layout.margin
    below = (margin.b or 20) + 40 + 24 * len(lines)
    drawn = (figure.layout.height or 450) * SLIDE_WIDTH / PAGE_WIDTH
    figure.update_layout(
        template=LIGHT.template,
        paper_bgcolor="white",
        plot_bgcolor="white",
        width=SLIDE_WIDTH,
        height=int(drawn) + 80 + 24 * len(lines),
        font={"size": 20},
        title={"text": plain(framed.title), "x": 0.02, "y": 0.98, "yanchor": "top", "font": {"size": 28}},
        margin={"l": 30, "r": 30, "t": (margin.t or 20) + 70, "b": below},
    )
    figure.add_annotation(
        text="<br>".join(map(plain, lines)),
        x=0,
        y=0,
        xref="paper",
        yref="paper",
        xanchor="left",
        yanchor="bottom",
        yshift=12 - below,
        align="left",
        showarrow=False,
        font={"size": 16, "color": LIGHT.faint},
    )
    return figure


def page(framed: Framed) -> str:
    """The figure as one HTML file that needs no network."""
    return str(for_slide(framed).to_html(include_plotlyjs=True, full_html=True, config=_CONFIG))


def _picture_page(framed: Framed) -> str:
    """Two buttons that draw the figure in the reader's browser and save it."""
    figure = for_slide(framed)
    drawn = figure.to_html(
        include_plotlyjs=True, full_html=False, div_id="figure", config={"staticPlot": True}
    )
    buttons = "".join(
        f"<button onclick=\"save('{kind}')\">Save {kind.upper()}</button>" for kind in ("png", "svg")
    )
    return f"""
<style>
  body {{ margin: 0; font: 15px {LIGHT.template.layout.font.family}; }}
  button {{ font: inherit; padding: .5rem 1rem; margin-right: .5rem; border-radius: .5rem;
           border: 1px solid #9aa3af; background: #fff; color: #1d2430; cursor: pointer; }}
  button:hover {{ border-color: {LIGHT.a}; color: {LIGHT.a}; }}
  #hidden {{ position: absolute; left: -9999px; }}
</style>
{buttons}
<div id="hidden">{drawn}</div>
<script>
  function save(kind) {{
    Plotly.downloadImage("figure", {{
      format: kind, width: {figure.layout.width}, height: {figure.layout.height},
      scale: kind === "png" ? 2 : 1, filename: {framed.key!r} }});
  }}
</script>"""
