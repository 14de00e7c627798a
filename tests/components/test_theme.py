"""Colours that can be read, and told apart."""

import re
import tomllib
from pathlib import Path

import numpy as np
import plotly.graph_objects as go
import pytest

from components import theme
from components.figures.layers import Curve, curves
from components.figures.ratings import RecipeDensities, by_rating
from components.figures.scores import RecipeSimilarities, gold_against_similarity
from components.figures.tokens import Colour, MapPanel, maps
from components.theme import DARK, LIGHT
from components.token_strip import DEEPEST

THEMES = pytest.mark.parametrize("look", [LIGHT, DARK], ids=lambda look: look.name)


def luminance(color: str) -> float:
    """Relative luminance (WCAG 2.1)."""
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: str, second: str) -> float:
    """The contrast of two colours, 1 to 21 (WCAG 2.1)."""
    light, dark = sorted((luminance(first), luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@THEMES
def test_text_stands_out_from_the_paper(look):
    assert contrast(look.text, look.paper) >= 7


@THEMES
def test_small_print_can_be_read(look):
    assert contrast(look.faint, look.paper) >= 4.5


@THEMES
@pytest.mark.parametrize("side", ["a", "b"])
def test_the_colours_of_a_and_b_can_be_seen(look, side):
    assert contrast(getattr(look, side), look.paper) >= 2.5


@THEMES
def test_a_is_blue_and_b_is_orange(look):
    red, _, blue = (int(look.a[i : i + 2], 16) for i in (1, 3, 5))
    assert blue > red
    red, _, blue = (int(look.b[i : i + 2], 16) for i in (1, 3, 5))
    assert red > blue


@THEMES
def test_figures_are_for_a_projector(look):
    assert look.template.layout.font.size >= 14
    assert look.template.layout.font.color == look.text


@pytest.mark.parametrize(
    ("name", "found"), [("dark", DARK), ("light", LIGHT), (None, LIGHT), ("odd", LIGHT)]
)
def test_a_theme_by_its_name(name, found):
    assert theme.of(name) is found


@THEMES
def test_colours_are_written_so_that_a_tint_can_be_made_of_them(look):
    assert all(re.fullmatch("#[0-9A-Fa-f]{6}", color) for color in (look.a, look.b))


# -- small print and small text

CAPTION_OPACITY = 0.6
"""Of Streamlit's small print over the theme's text colour (its opacities.secondary)."""

PAPERS = {"light": ("#ffffff", "#f0f2f6"), "dark": ("#0e1117", "#262730")}
"""Streamlit's backgrounds of the page, and of the sidebar and code."""

TEXT = {"light": "#31333F", "dark": "#fafafa"}
"""Streamlit's text colours, where the configuration sets none."""


def over(color: str, paper: str, opacity: float) -> str:
    """A colour as it is seen through."""
    parts = ((int(color[i : i + 2], 16), int(paper[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(opacity * top + (1 - opacity) * below):02x}" for top, below in parts)


@pytest.fixture(scope="module")
def configured() -> dict[str, dict[str, str]]:
    """The theme of .streamlit/config.toml."""
    path = Path(__file__).parents[2] / ".streamlit" / "config.toml"
    return tomllib.loads(path.read_text("utf-8"))["theme"]


@pytest.mark.parametrize("name", ["light", "dark"])
def test_small_print_of_the_page_has_contrast(configured, name):
    text = configured[name].get("textColor", TEXT[name])
    for paper in PAPERS[name]:
        assert contrast(over(text, paper, CAPTION_OPACITY), paper) >= 4.5


def test_the_page_s_letters_a_and_b_can_be_read(configured):
    for key in ("orangeTextColor", "blueTextColor"):
        for paper in PAPERS["light"]:
            assert contrast(configured["light"][key], paper) >= 4.5


@THEMES
@pytest.mark.parametrize("name", ["a", "b", 0, 1, 2])
def test_small_text_in_a_colour_can_be_read(look, name):
    color = theme.OTHERS[name] if isinstance(name, int) else getattr(look, name)
    assert contrast(look.readable(color), look.paper) >= 4.5


DARK_TEXT = "#edebe8"
"""Streamlit's text on a dark page, as a browser shows it."""


@THEMES
@pytest.mark.parametrize("name", ["a", "b", "faint", 0, 1, 2])
def test_text_on_the_deepest_tint_can_be_read(configured, look, name):
    color = theme.OTHERS[name] if isinstance(name, int) else getattr(look, name)
    text = configured[look.name].get("textColor", DARK_TEXT)
    assert contrast(text, over(color, look.paper, DEEPEST)) >= 4.5


def colours_of_text(figure: go.Figure) -> set[str]:
    """The colours of titles of axes and of annotations."""
    axes = [*figure.select_xaxes(), *figure.select_yaxes()]
    fonts = [axis.title.font.color for axis in axes]
    fonts += [note.font.color for note in figure.layout.annotations]
    return {color for color in fonts if color}


@THEMES
def test_coloured_text_in_figures_can_be_read(look):
    values = np.linspace(0, 1, 20)
    sides = [RecipeSimilarities(side, look.side(side), values, "cosine") for side in "AB"]
    lines = [Curve(f"m{i}", color, values) for i, color in enumerate((look.a, look.b, *theme.OTHERS))]
    points = np.random.default_rng(0).normal(size=(5, 2))
    for figure in (
        gold_against_similarity(values * 5, sides, [("x", "y")] * 20, look),
        curves(lines, ["1"] * 20, look, x_title="x", y_title="y", bounds=(0, 1)),
        maps([MapPanel("B", points, ["t"] * 5, values[:5], color=look.b)], Colour("idf"), look).figure,
        by_rating([RecipeDensities("B", (), np.zeros(0), ())], look),
    ):
        found = colours_of_text(figure)
        assert found
        assert min(contrast(color, look.paper) for color in found) >= 4.5


def test_a_scale_runs_the_same_way_in_light_and_dark():
    """Two pictures of one finding must not contradict each other."""
    for look in (LIGHT, DARK):
        shades = [re.findall(r"[\d.]+", str(color)) for _, color in theme.seen(look)]
        bright = [0.2126 * float(r) + 0.7152 * float(g) + 0.0722 * float(b) for r, g, b in shades]
        assert bright == sorted(bright), look.name
        ends = ("#" + "".join(f"{int(part):02x}" for part in shades[i]) for i in (0, -1))
        assert min(contrast(end, look.paper) for end in ends) >= 1.5, "both ends stand out from the page"
        figure = maps([MapPanel("t", np.eye(2), ["x"] * 2, np.arange(2.0))], Colour("idf"), look).figure
        assert not figure.layout.coloraxis.reversescale
