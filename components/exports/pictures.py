"""A figure as a slide that the reader's browser draws, and as a page that needs no network."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import plotly.graph_objects as go
from plotly.offline import get_plotlyjs

from components.scripts import sources
from components.theme import DARK, GREYS, LIGHT, OTHERS, Theme, seen

WIDTH, HEIGHT = 1600, 900
"""Pixels of a slide (SVG; PNG: twice that)."""

NATURAL = 450
"""Pixels that a figure without a height of its own is high."""

_SCRIPT = Path(__file__).with_name("slide.js").read_text("utf-8")

_LIVE = sources.read("minus.js", "beside_cells.js")
"""What a figure does on a page of its own as on the dashboard's."""

_SPAN = re.compile(r"color:(#[0-9A-Fa-f]{6})\b")
"""A colour in the markup of a text."""

_CONFIG = {"displaylogo": False, "showSendToCloud": False, "responsive": True}


def on_white(figure: go.Figure) -> go.Figure:
    """A copy on white paper, whichever theme it was drawn for, without a size of its own."""
    lines = {**_colors()} | {DARK.readable(one): one for one in OTHERS}
    texts = {dark: LIGHT.readable(light) for dark, light in lines.items()}
    copy = go.Figure(_recolored(json.loads(figure.to_json()), lines, texts), skip_invalid=True)
    copy.update_layout(
        template=LIGHT.template,
        paper_bgcolor="#ffffff",
        plot_bgcolor="#ffffff",
        width=None,
        height=None,
        autosize=True,
    )
    return copy


def in_theme(drawn: Mapping[str, Any], theme: Theme) -> go.Figure:
    """A figure that :func:`on_white` made, as JSON, in the colours of a page, on its ground."""
    colored = _recolored(drawn, to_dark(), texts_to_dark()) if theme is DARK else drawn
    figure = go.Figure(colored, skip_invalid=True)
    return figure.update_layout(
        template=theme.template, paper_bgcolor="rgba(0,0,0,0)", plot_bgcolor="rgba(0,0,0,0)"
    )


def to_dark() -> dict[str, str]:
    """The colours of figures on a light page, with those that they have on a dark one."""
    shades = {LIGHT.readable(light): DARK.readable(dark) for dark, light in _colors().items()}
    others = {LIGHT.readable(one): DARK.readable(one) for one in OTHERS}
    return others | shades | {light: dark for dark, light in _colors().items()}


def texts_to_dark() -> dict[str, str]:
    """:func:`to_dark` for texts: what is white stands in a dark cell of a matrix, and stays white."""
    return {light: dark for light, dark in to_dark().items() if light != LIGHT.paper}


def _recolored(
    part: Any, lines: Mapping[str, str], texts: Mapping[str, str], *, of_text: bool = False
) -> Any:
    """Part of a figure's JSON in other colours: of fonts and spans by ``texts``, of others by ``lines``."""
    if isinstance(part, dict):
        return {
            key: _recolored(value, lines, texts, of_text=of_text or key.endswith("font"))
            for key, value in part.items()
        }
    if isinstance(part, list):
        return [_recolored(one, lines, texts, of_text=of_text) for one in part]
    if not isinstance(part, str):
        return part
    spans = _SPAN.sub(lambda found: f"color:{texts.get(found[1], found[1])}", part)
    return (texts if of_text else lines).get(part, spans)


@cache
def _colors() -> Mapping[str, str]:
    """The colours of figures on a dark page, with those that they have on a light one."""
    fields = ("text", "faint", "grid", "paper", "a", "b")
    greys = dict(zip(GREYS[DARK.name], GREYS[LIGHT.name], strict=True))
    shades = {str(dark): str(light) for (_, dark), (_, light) in zip(seen(DARK), seen(LIGHT), strict=True)}
    return greys | shades | {getattr(DARK, field): getattr(LIGHT, field) for field in fields}


def page(title: str, caption: Sequence[str], figure: go.Figure) -> str:
    """The figure with title and caption as one HTML file, still interactive."""
    lines = "".join(f"<p>{html.escape(line)}</p>" for line in caption)
    drawn = on_white(figure).to_html(
        include_plotlyjs=True,
        full_html=False,
        default_height=f"{4 * (figure.layout.height or NATURAL) // 3}px",
        config=_CONFIG,
        post_script=f"{_LIVE}\nfor (const live of [withMinus, followBeside]) "
        "live(document.getElementById('{plot_id}'))",
    )
    return f"""<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>{html.escape(title)}</title>
<style>
  body {{ margin: 2rem auto; max-width: {WIDTH}px; padding: 0 2rem; background: #fff; color: {LIGHT.text};
         font: 17px/1.5 {LIGHT.template.layout.font.family}; }}
  h1 {{ font-size: 1.7rem; line-height: 1.3; }}
  .caption {{ color: {LIGHT.faint}; overflow-wrap: anywhere; }}
  .caption p {{ margin: .2rem 0; }}
</style></head>
<body><h1>{html.escape(title)}</h1>
{drawn}
<div class="caption">{lines}</div>
</body></html>
"""


def buttons(
    title: str, caption: Sequence[str], figure: go.Figure, files: Mapping[str, str], table: str
) -> str:
    """Buttons that draw the slide in the reader's browser and save it, and one that copies the numbers.

    ``files`` are the names of the files ``png`` and ``svg``; without ``table`` nothing is copied.
    """
    about = {
        "title": title,
        "caption": list(caption),
        "files": dict(files),
        "table": table,
        "height": figure.layout.height or NATURAL,
        "text": LIGHT.text,
        "faint": LIGHT.faint,
    }
    copying = '<button onclick="copy(this)">Copy table</button>' if table else ""
    return f"""<html lang="en"><title>Pictures of: {html.escape(title)}</title>
<style>
  body {{ margin: 0; font: 15px {LIGHT.template.layout.font.family}; }}
  button {{ font: inherit; padding: .5rem .9rem; margin-right: .4rem; border-radius: .5rem;
           border: 1px solid #9aa3af; background: #fff; color: #1d2430; cursor: pointer; }}
  button:hover {{ border-color: {LIGHT.a}; color: {LIGHT.a}; }}
  #hidden {{ position: absolute; left: -9999px; width: {WIDTH}px; height: {HEIGHT}px; }}
</style>
<button onclick="save('png')">PNG</button><button onclick="save('svg')">SVG</button>{copying}
<div id="hidden"><div id="figure"></div></div>
<script>{get_plotlyjs()}</script>
<script>
const FIGURE = {in_script(json.dumps(about))};
{_SCRIPT}
const DRAWN = {in_script(on_white(figure).to_json())};
Plotly.newPlot("figure", DRAWN.data, DRAWN.layout, {{ staticPlot: true }});
</script>"""


def in_script(text: str) -> str:
    """JSON that cannot end the script it stands in."""
    return (
        text.replace("<", "\\u003c")
        .replace(">", "\\u003e")
        .replace("\u2028", "\\u2028")
        .replace("\u2029", "\\u2029")
    )
