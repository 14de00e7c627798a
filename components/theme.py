"""Colours and the Plotly template, light and dark.

A is always blue, B always orange (Okabe-Ito), differences RdBu around 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import plotly.graph_objects as go
from plotly.colors import sample_colorscale

MARK = "#ff2fa0"
"""The frame or ring of what the visitor chose, or looks for: like no colour of the scales."""

BEST = "#E69F00"
"""The frame of the best of several, and of what a walk has come to."""

MAGNITUDE = "Viridis"
SIGNED = "RdBu"
FONT = "Source Sans, Source Sans Pro, Helvetica, Arial, sans-serif"
FONT_SIZE = 15
OTHERS = ("#009E73", "#CC79A7", "#8C6BB1")
"""Okabe-Ito's green and purple, and a violet: for what is neither A nor B."""


GREYS = {"light": ("#b4bbc5", "#dde1e6"), "dark": ("#5a6272", "#363d49")}
"""For what has no colour by the theme's name, and fainter for what has no value either."""


@dataclass(frozen=True)
class Theme:
    """What a figure takes from the page it stands on."""

    name: str
    text: str
    faint: str
    grid: str
    paper: str
    a: str
    b: str

    def side(self, letter: str) -> str:
        """The colour of recipe ``A`` or ``B``."""
        return self.a if letter == "A" else self.b

    def readable(self, color: str) -> str:
        """The shade of a line's or marker's colour that small text has: 4.5:1 or more on the paper."""
        return _SHADES[self.name].get(color, color)

    @cached_property
    def template(self) -> go.layout.Template:
        """The Plotly template: transparent, large type, quiet axes."""
        axis = {
            "gridcolor": self.grid,
            "zerolinecolor": self.grid,
            "linecolor": self.faint,
            "ticks": "",
            "automargin": True,
            "title": {"standoff": 8},
        }
        return go.layout.Template(
            layout={
                "font": {"family": FONT, "size": FONT_SIZE, "color": self.text},
                "paper_bgcolor": "rgba(0,0,0,0)",
                "plot_bgcolor": "rgba(0,0,0,0)",
                "colorway": [self.a, self.b],
                "xaxis": axis,
                "yaxis": axis,
                "margin": {"l": 8, "r": 8, "t": 40, "b": 8},
                "hoverlabel": {
                    "font": {"family": FONT, "size": FONT_SIZE, "color": self.text},
                    "bgcolor": self.paper,
                    "align": "left",
                },
                "annotationdefaults": {"font": {"size": FONT_SIZE, "color": self.text}},
            }
        )


LIGHT = Theme("light", "#1d2430", "#6b7280", "#e3e6ea", "#ffffff", "#0072B2", "#D98200")
DARK = Theme("dark", "#f3f4f6", "#9aa3af", "#323844", "#0e1117", "#56B4E9", "#F0A830")


_SHADES = {
    "light": {
        LIGHT.b: "#A65300",
        DARK.faint: LIGHT.faint,
        "#D55E00": "#A84A00",
        OTHERS[0]: "#007A59",
        OTHERS[1]: "#A8437C",
        OTHERS[2]: "#74509E",
    },
    "dark": {OTHERS[2]: "#A98BCB"},
}
"""Shades of colours that are too light, or too dark, for small text."""


_VISIBLE = {"light": (0.0, 0.88), "dark": (0.25, 1.0)}
"""The part of :data:`MAGNITUDE` that points and lines can have on the page."""


def seen(theme: Theme) -> list[list[float | str]]:
    """The colour scale for points and lines: in light and dark from dark (low) to bright (high)."""
    places = np.linspace(0, 1, 21)
    low, high = _VISIBLE[theme.name]
    shades = sample_colorscale(MAGNITUDE, low + (high - low) * places)
    return [[float(place), shade] for place, shade in zip(places, shades, strict=True)]


def tint(color: str, strength: float) -> str:
    """A colour ``#rrggbb`` that lets so much through: 0 for all, 1 for nothing."""
    red, green, blue = (int(color[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},{strength:.3f})"


def of(name: str | None) -> Theme:
    """The theme called ``name``; light when it is not known."""
    return DARK if name == "dark" else LIGHT
