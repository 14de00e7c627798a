"""Figures that the browser changes in place.

``st.plotly_chart`` makes a new element of each figure that differs: the browser throws the drawing away and
draws another one, twice. Here the element stays, and Plotly changes what differs in it
(``benchmarks.toggles``); nothing flickers.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import plotly.graph_objects as go
import plotly.io
import streamlit as st

from components import plotly_library, point_texts
from components.scripts import brought

Points = Sequence[dict[str, Any]]
"""Chosen points: ``curve_number``, ``point_index``, ``x``, ``y`` and ``customdata`` of each."""

CLICK = "points"
"""To choose point by point."""

WAYS = (CLICK, "box", "lasso")
"""All ways to choose points."""

HEIGHT = 450
"""Pixels of a figure that says no height, as Plotly has it."""

COMPONENT = "plot"

_plot = brought.component(COMPONENT, isolate_styles=False)


@dataclass(frozen=True)
class Reduced:
    """A figure as it is drawn in a larger room, and then made smaller or larger as a whole.

    ``width`` and ``height`` are pixels of that room, ``least`` those of the smallest type in it.
    """

    width: int
    height: int
    least: float


def draw(
    figure: go.Figure,
    *,
    key: str,
    alt: str,
    choose: Callable[[Points], None] | None = None,
    ways: Sequence[str] = (CLICK,),
    fills: bool = False,
    reduced: Reduced | None = None,
    above: int | None = None,
) -> None:
    """Draw a figure in its own colours, as wide as there is room and as high as its layout says.

    ``choose`` is called with the points that a visitor chooses in one of the ``ways``, before the next run;
    with none when the choice is taken back. A figure that ``fills`` is as high as the container it is in,
    one that is ``reduced`` as high for its width as the room that it is drawn for. With ``above``
    pixels of page over it, it is lower, down to 320 pixels or to four fifths, where a window would cut it.
    """
    plotly_library.serve()
    drawn = figure.to_dict()
    traces, texts = point_texts.apart(drawn["data"])
    rest = {
        "key": key,
        "texts": point_texts.send(key, texts) if texts else None,
        "height": None if fills else int(drawn["layout"].get("height") or HEIGHT),
        "alt": alt,
        "ways": list(ways) if choose else [],
        "reduced": asdict(reduced) if reduced else None,
        "above": above,
    }
    # As bytes: a text within a text would be sent with a backslash before each of its quotes.
    spec = plotly.io.to_json({**drawn, "data": traces}, validate=False)
    sent = f'{{"figure":{spec},"rest":{json.dumps(rest)}}}'
    _plot(
        key=key,
        height="stretch" if fills else "content",
        data=sent.encode(),
        **({"on_chosen_change": lambda: choose(st.session_state[key]["chosen"])} if choose else {}),
    )
