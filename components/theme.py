"""Colours and the Plotly template, light and dark.

A is always blue, B always orange (Okabe-Ito), differences RdBu around 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import plotly.graph_objects as go

MAGNITUDE = "Viridis"
SIGNED = "RdBu"
FONT = "Source Sans, Source Sans Pro, Helvetica, Arial, sans-serif"
FONT_SIZE = 15


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

    @property
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


def of(name: str | None) -> Theme:
    """The theme called ``name``; light when it is not known."""
    return DARK if name == "dark" else LIGHT
