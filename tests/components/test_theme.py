"""Colours that can be read, and told apart."""

import re

import pytest

from components import theme
from components.theme import DARK, LIGHT

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
