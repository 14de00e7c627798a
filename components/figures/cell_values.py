"""Values that are written into cells of a heatmap, in black on light cells and in white on dark ones."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from jaxtyping import Shaped
from plotly.colors import sample_colorscale

from components.figures.drawing import Part
from components.figures.drawn import steps

_SPACE = "\u2007"
"""A space as wide as a digit."""


def written(heatmap: Part, text: Shaped[np.ndarray, "row column"], most: int) -> list[Part]:
    """A heatmap with its values in white on dark cells, and one to lay over it with those in black.

    A heatmap's text has one colour, and is as large as the longest fits. So that all panels are written in
    one size both have ``most`` spaces in an empty cell, as many as the :func:`longest` value of any panel.
    """
    text = text.astype(f"<U{max(most, 1)}")
    light = light_cells(heatmap["z"], heatmap["colorscale"], heatmap["zmin"], heatmap["zmax"])
    in_white = {"text": _spaced(np.where(light, "", text), most), "texttemplate": "%{text}"}
    over = {name: heatmap[name] for name in ("type", "z", "x", "y", "xgap", "ygap")} | {
        "text": _spaced(np.where(light, text, ""), most),
        "texttemplate": "%{text}",
        "textfont": {"color": "#000000"},
        "opacity": 0,
        "showscale": False,
        "hoverinfo": "skip",
    }
    return [heatmap | in_white | {"textfont": {"color": "#ffffff"}}, over]


def longest(texts: Iterable[Shaped[np.ndarray, "row column"] | None]) -> int:
    """The characters of the longest value of any panel; 0 where none has values."""
    return max((int(np.char.str_len(one).max(initial=0)) for one in texts if one is not None), default=0)


def _spaced(text: Shaped[np.ndarray, "row column"], most: int) -> Shaped[np.ndarray, "row column"]:
    """With so many spaces in the first empty cell, if one is."""
    empty = np.flatnonzero(text == "")
    text.flat[empty[:1]] = _SPACE * most
    return text


def light_cells(values: np.ndarray, scale: str, low: float, high: float) -> np.ndarray:
    """The cells on which black has more contrast than white; the luminance is that of WCAG 2.

    ``scale`` is one of Plotly's by its name.
    """
    shares = np.clip((np.nan_to_num(values.astype(float), nan=low) - low) / (high - low), 0, 1)
    colors = sample_colorscale(
        [list(step) for step in steps(scale)], shares.ravel().tolist(), colortype="tuple"
    )
    linear = np.array(
        [[c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in rgb] for rgb in colors]
    )
    luminance = linear @ [0.2126, 0.7152, 0.0722]
    black = (luminance + 0.05) / 0.05
    return np.asarray(black > 1.05 / (luminance + 0.05)).reshape(values.shape)
