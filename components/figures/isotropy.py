"""Figures of isotropy: by layer, by sample size, leading components, large dimensions. A blue, B orange."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from components.figures.drawing import Drawing, bars, scatter
from components.figures.key_above import LINE, key_above, side_lines
from components.theme import Theme
from core.analysis.geometry.measures import TOP, Isotropy
from core.analysis.geometry.of_recipe import SampleSizes
from core.tokens.states import STATIC

Layers = Mapping[int, Isotropy]

HEIGHT = 340

CLOSE = 0.12
"""Ends of two lines, on an axis of about 1, whose names would lie on each other."""


def by_layer(
    sides: Mapping[str, Layers], theme: Theme, called: Mapping[str, str] | None = None
) -> go.Figure:
    """Average cosine above, IsoScore below, layer by layer; dashed: an isotropic cloud of as many points.

    ``sides`` are the layers of ``A`` and ``B``. ``called`` are the recipes' names by side, here and in the
    other figures, for the lines above the axes that tell the colours.
    """
    figure = Drawing(rows=2, below=0.07)
    figure.update_xaxes(matches="x2", showticklabels=False, row=1)
    numbers = sorted({layer for layers in sides.values() for layer in layers})
    for side, layers in sides.items():
        at = list(layers)
        for row, name in enumerate(("average_cosine", "iso_score"), 1):
            values = [getattr(layers[i], name) for i in at]
            what = "average cosine" if row == 1 else "IsoScore"
            _line(figure, at, values, theme.side(side), f"{side}, layer %{{x}}: {what} %{{y:.3f}}", row)
            anchor = _anchor(side, name, sides)
            _name(figure, at, values, side, theme.readable(theme.side(side)), row, anchor)
    _add_clouds(figure, sides, theme)
    figure.update_xaxes(
        tickvals=numbers, ticktext=["static" if i == STATIC else str(i) for i in numbers], zeroline=False
    )
    figure.update_xaxes(title={"text": "layer"}, row=2, col=1)
    figure.update_yaxes(title={"text": "average cosine"}, row=1, col=1, rangemode="tozero")
    figure.update_yaxes(title={"text": "IsoScore"}, row=2, col=1, rangemode="tozero")
    return _finished(figure, theme, called)


def _add_clouds(figure: Drawing, sides: Mapping[str, Layers], theme: Theme) -> None:
    """Dashed lines of isotropic clouds; those that begin too close for two names have one."""
    clouds = _isotropic(sides)
    above = any(one.iso_score > one.isotropic for layers in sides.values() for one in layers.values())
    firsts = [next(iter(cloud.values())) for cloud in clouds.values()]
    apart = bool(firsts) and np.ptp(firsts) > CLOSE
    for side, expected in clouds.items():
        if apart or side == next(iter(clouds)):
            called = f"isotropic cloud{side if apart else ''}"
            at, values = list(expected)[:1], list(expected.values())
            _name(figure, at, values, called, theme.faint, 2, "top" if above else "bottom", 0)
        trace = scatter(
            x=list(expected),
            y=[*expected.values()],
            mode="lines",
            line={"color": theme.faint, "width": 1.5, "dash": "dash"},
            hovertemplate=f"an isotropic cloud of as many points{side}: %{{y:.3f}}<extra></extra>",
        )
        figure.add_trace(trace, row=2)


def _isotropic(sides: Mapping[str, Layers]) -> dict[str, dict[int, float]]:
    """What isotropic clouds of as many points would have, layer by layer.

    One for all sides where they are alike; else one for each, by ``, as A``: it depends on the dimensions.
    """
    clouds = {side: {i: one.isotropic for i, one in layers.items()} for side, layers in sides.items()}
    known = {side: cloud for side, cloud in clouds.items() if np.isfinite([*cloud.values()]).any()}
    longest = max(known.values(), key=len, default={})
    if not all(_agree(cloud, longest) for cloud in known.values()):
        return {f", as {side}": cloud for side, cloud in known.items()}
    return {"": longest} if longest else {}


def _agree(one: Mapping[int, float], other: Mapping[int, float]) -> bool:
    """Whether two clouds are alike in the layers that both have."""
    both = sorted(one.keys() & other.keys())
    return np.allclose([one[i] for i in both], [other[i] for i in both], equal_nan=True)


def by_sample_size(
    sides: Mapping[str, SampleSizes], theme: Theme, called: Mapping[str, str] | None = None
) -> go.Figure:
    """IsoScore of samples of growing size; dashed: an isotropic cloud of as many points."""
    figure = Drawing()
    for found in {found.dim: found for found in sides.values()}.values():
        figure.add_trace(
            scatter(
                x=found.sizes,
                y=found.isotropic,
                mode="lines",
                line={"color": theme.faint, "width": 1.5, "dash": "dash"},
                hovertemplate=f"isotropic, {found.dim} dimensions, %{{x:,}} points: %{{y:.3f}}"
                "<extra></extra>",
            )
        )
        half = len(found.sizes) // 2
        at = slice(half, half + 1)
        text = f" isotropic, {found.dim} dimensions"
        _name(
            figure,
            np.log10(found.sizes[at]),
            found.isotropic[at],
            text,
            theme.faint,
            anchor="top",
            beside=0,
        )
    for side, found in sides.items():
        color = theme.side(side)
        _line(figure, found.sizes, found.iso_score, color, f"{side}, %{{x:,}} sentences: %{{y:.3f}}")
        _name(figure, np.log10(found.sizes), found.iso_score, side, theme.readable(color))
    figure.update_xaxes(title={"text": "sentences (logarithmic)"}, type="log", dtick=1)
    figure.update_yaxes(title={"text": "IsoScore"}, range=[0, 1.02])
    return _finished(figure, theme, called)


def components(
    sides: Mapping[str, Isotropy], theme: Theme, called: Mapping[str, str] | None = None
) -> go.Figure:
    """The share of the variance along each leading principal component, in per cent."""
    figure = Drawing()
    for side, found in sides.items():
        at = np.arange(1, len(found.explained) + 1)
        _bars(
            figure, at, 100 * found.explained, theme.side(side), f"{side}, component %{{x}}: %{{y:.1f}} %"
        )
    figure.update_xaxes(title={"text": "principal component"}, dtick=1)
    figure.update_yaxes(title={"text": "variance, %"}, rangemode="tozero")
    return _finished(figure, theme, called)


def large_dimensions(
    sides: Mapping[str, Isotropy], theme: Theme, called: Mapping[str, str] | None = None
) -> go.Figure:
    """The largest dimensions of each side by mean absolute value; dashed at 1: the average dimension."""
    figure = Drawing(columns=max(len(sides), 1), between=0.14)
    for column in range(2, len(sides) + 1):
        figure.update_xaxes(matches="x", col=column)
    for column, (side, found) in enumerate(sides.items(), 1):
        at = np.arange(len(found.top))
        names = [f"{dim}{'*' if i < found.outliers else ''}" for i, dim in enumerate(found.top)]
        figure.add_trace(
            bars(
                x=found.size,
                y=at,
                orientation="h",
                customdata=np.stack([found.top, found.z, found.part], axis=1),
                marker={"color": theme.side(side)},
                hovertemplate=f"{side}, dimension %{{customdata[0]:.0f}}: %{{x:.1f}} times the average "
                "dimension, z = %{customdata[1]:.1f},<br>adds %{customdata[2]:.3f} to the average cosine"
                "<extra></extra>",
            ),
            row=1,
            col=column,
        )
        figure.add_vline(1, line={"color": theme.text, "width": 1.5, "dash": "dash"}, row=1, col=column)
        font = {"color": theme.readable(theme.side(side))}
        title = {
            "text": f"dimension under {side}",
            "font": font,
            "standoff": 2,
        }
        figure.update_yaxes(
            tickvals=at, ticktext=names, title=title, range=[TOP - 0.4, -0.6], row=1, col=column
        )
        figure.update_xaxes(title={"text": "times the average"}, rangemode="tozero", row=1, col=column)
    return _finished(figure, theme, called)


def _line(
    figure: Drawing,
    x: Sequence[int] | np.ndarray,
    y: Sequence[float] | np.ndarray,
    color: str,
    hover: str,
    row: int = 1,
) -> None:
    trace = scatter(
        x=list(x),
        y=np.asarray(y, np.float32),
        mode="lines+markers",
        line={"color": color, "width": 2.5},
        marker={"size": 8, "color": color},
        hovertemplate=f"{hover}<extra></extra>",
    )
    figure.add_trace(trace, row=row)


def _name(
    figure: Drawing,
    x: Sequence[float] | np.ndarray,
    y: Sequence[float] | np.ndarray,
    text: str,
    color: str,
    row: int = 1,
    anchor: str = "middle",
    beside: int = 7,
) -> None:
    """A line's name at its last point that there is, ``beside`` it by so many pixels.

    On a logarithmic axis ``x`` is the logarithm.
    """
    known = [(at, value) for at, value in zip(x, y, strict=False) if np.isfinite(value)]
    if known:
        figure.add_annotation(
            x=known[-1][0],
            y=known[-1][1],
            xref="x",
            yref="y" if row == 1 else f"y{row}",
            text=text,
            font={"color": color},
            xanchor="left",
            xshift=beside,
            yanchor=anchor,
            showarrow=False,
        )


def _anchor(side: str, measure: str, sides: Mapping[str, Layers]) -> str:
    """How a side's name stands at its line's end, so that the other side's does not cover it."""
    ends = {
        name: float(getattr(list(layers.values())[-1], measure)) for name, layers in sides.items() if layers
    }
    others = [end for name, end in ends.items() if name != side and abs(end - ends[side]) < CLOSE]
    if not others:
        return "middle"
    above = ends[side] > others[0] or (ends[side] == others[0] and side == min(ends))
    return "bottom" if above else "top"


def _bars(figure: Drawing, x: np.ndarray, y: np.ndarray, color: str, hover: str) -> None:
    figure.add_trace(bars(x=x, y=y, marker={"color": color}, hovertemplate=f"{hover}<extra></extra>"))


def _finished(figure: Drawing, theme: Theme, called: Mapping[str, str] | None) -> go.Figure:
    named = called or {}
    above = LINE * len(named)
    figure.update_layout(
        template=theme.template,
        height=HEIGHT + above,
        margin={"t": 20 + above, "b": 8, "l": 8, "r": 24},
        showlegend=False,
        barmode="group",
        **key_above(side_lines(named, theme)),
    )
    return figure.made()
