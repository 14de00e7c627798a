"""A figure for the back of the room: it fills its place, and all its type is larger."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

LARGER = 1.4
"""By how much type is larger than on the page."""

_SHIFTS = ("ax", "ay", "xshift", "yshift")
"""How many pixels an annotation stands beside its place; ``ax`` and ``ay`` may be a place of their own.
So are the ends of a shape whose size is said in pixels."""


def enlarged(figure: go.Figure) -> go.Figure:
    """A copy that fills its place, with larger type."""
    copy = go.Figure(_part(figure.to_dict()))
    copy.update_layout(height=None, width=None, autosize=True)
    return copy


def _part(part: Any) -> Any:
    """A part of a figure with every size of type scaled, and what stands beside a point as far from it."""
    if isinstance(part, list | tuple):
        return [_part(each) for each in part]
    if not isinstance(part, dict):
        return part
    shifts = _SHIFTS[2:] if "axref" in part else _SHIFTS
    for axis in "xy":
        if part.get(f"{axis}sizemode") == "pixel":
            shifts = (*shifts, f"{axis}0", f"{axis}1")
    return {name: _named(name, value, shifts) for name, value in part.items()}


def _named(name: str, value: Any, shifts: Sequence[str]) -> Any:
    if name.endswith("font") and isinstance(value, dict):
        return _font(value)
    if name in shifts and isinstance(value, int | float):
        return LARGER * value
    if name == "pad" and isinstance(value, dict):  # of a key over the axes
        return {side: LARGER * pixels for side, pixels in value.items()}
    return _part(value)


def _font(font: dict[str, Any]) -> dict[str, Any]:
    size = font.get("size")
    return font | {"size": round(LARGER * size)} if isinstance(size, int | float) else font
