"""Small figures as a deck keeps them."""

from components.deck.document import PinnedFigure, Table


def pinned(title: str = "A finding", points: int = 2, **fields: object) -> PinnedFigure:
    """A figure of some points; ``fields`` are other than usual."""
    heights = [0.5 * place for place in range(points)]
    values = {
        "page": "scores",
        "key": "scores.scatter",
        "title": title,
        "line": "A: last layer",
        "caption": ("A: layers=last", "demo · fingerprint 0f3a"),
        "alt": title,
        "link": "scores?a=layers%3Dlast&corpus=demo&split=test&aggregate=all",
        "recipes": {"A": "layers=last"},
        "made": {"time": "2026-01-02T03:04:05+00:00", "sentence-strata": "0.3.0"},
        "height": 350,
        "plotly": {"data": [{"type": "scatter", "y": heights}], "layout": {}},
        "numbers": Table(("x", "y"), tuple(enumerate(heights))),
    }
    return PinnedFigure(**values | fields)
