"""Downloads: the numbers, the page and the picture, each with its recipe."""

import io
import json
import re

import pandas as pd
import plotly.graph_objects as go
import pytest

from components.figure_frame import SLIDE_WIDTH, Framed, csv, for_slide, page
from components.figure_frame import _picture_page as picture_page

RECIPE = "A: weight=idf(fit=reference);post=zscore(fit=reference);reference=demo"
NUMBERS = pd.DataFrame({"sentence 1": ["a, b", 'say "c"', "# no comment"], "A": [0.5, 1 / 3, -1.0]})


def framed(title: str = "A finding", caption: tuple[str, ...] = (RECIPE, "demo · 328 pairs")) -> Framed:
    """A small figure in its frame."""
    figure = go.Figure(go.Scatter(x=[1, 2], y=[3, 4]), layout={"height": 350})
    return Framed("small", title, figure, caption, "alt", NUMBERS)


def test_numbers_come_after_their_caption():
    lines = csv(framed()).decode("utf-8-sig").splitlines()
    assert lines[:3] == ["# A finding", f"# {RECIPE}", "# demo · 328 pairs"]
    assert lines[3] == "sentence 1,A"


def test_a_spreadsheet_sees_that_it_is_utf_8():
    assert csv(framed()).startswith(b"\xef\xbb\xbf")


def test_numbers_are_read_back_exactly():
    numbers = NUMBERS.iloc[:2]
    made = Framed("small", "A finding", go.Figure(), (RECIPE,), "alt", numbers)
    read = pd.read_csv(io.BytesIO(csv(made)), comment="#", encoding="utf-8-sig")
    pd.testing.assert_frame_equal(read, numbers)


def test_numbers_are_read_back_whatever_the_sentences_hold():
    content = csv(framed()).decode("utf-8-sig")
    head = sum(line.startswith("# ") for line in content.splitlines()[:3])
    read = pd.read_csv(io.StringIO(content), skiprows=head)
    pd.testing.assert_frame_equal(read, NUMBERS)


@pytest.mark.parametrize("title", ["two\nlines", "carriage\rreturn"])
def test_a_line_break_does_not_end_a_comment(title):
    lines = csv(framed(title, (f"A: {title}",))).decode("utf-8-sig").splitlines()
    assert [line[:2] for line in lines[:2]] == ["# ", "# "]
    assert lines[2] == "sentence 1,A"


def test_a_page_needs_no_network():
    content = page(framed())
    assert not re.search(r"<script[^>]*\bsrc\s*=", content)
    assert "<link" not in re.sub(r"<script.*?</script>", "", content, flags=re.DOTALL)
    assert not re.search(r"<(img|iframe|object|embed)\b[^>]*\bhttps?:", content)
    assert "cdn.plot.ly" not in re.sub(r"<script.*?</script>", "", content, flags=re.DOTALL)
    assert len(content) > 1_000_000, "the library is inside"


def test_a_page_says_the_recipe_and_the_finding():
    content = page(framed())
    assert RECIPE in content
    assert "A finding" in content


@pytest.mark.parametrize("made", [page, picture_page])
def test_a_title_cannot_end_a_script(made):
    evil = "</script><script>window.__xss = 1</script>"
    content = made(framed(evil, (f"A: {evil}",)))
    assert "window.__xss = 1</script>" not in content
    assert "</script><script>window" not in content


def test_a_page_has_no_button_that_sends_it_away():
    assert '"showSendToCloud": false' in page(framed()) or '"showSendToCloud":false' in page(framed())


def test_a_slide_has_title_and_caption_inside():
    figure = for_slide(framed())
    assert figure.layout.title.text == "A finding"
    (caption,) = figure.layout.annotations
    assert caption.text == f"{RECIPE}<br>demo · 328 pairs"
    assert figure.layout.width == SLIDE_WIDTH


@pytest.mark.parametrize("lines", [1, 2, 3, 8])
def test_the_caption_stands_inside_the_canvas(lines):
    figure = for_slide(framed(caption=tuple(f"line {i}" for i in range(lines))))
    caption = figure.layout.annotations[0]
    lowest = figure.layout.margin.b + caption.yshift  # pixels above the lower edge, by its lower end
    assert 0 <= lowest
    assert lowest + 24 * lines <= figure.layout.margin.b, "and below the axes"
    assert figure.layout.margin.b + figure.layout.margin.t < figure.layout.height


def test_a_long_caption_is_broken_into_lines():
    text = for_slide(framed(caption=("word " * 100,))).layout.annotations[0].text
    assert all(len(line) <= 150 for line in text.split("<br>"))


def test_markup_in_a_title_stays_text():
    assert for_slide(framed("<b>x</b>")).layout.title.text == "&lt;b&gt;x&lt;/b&gt;"


def test_the_figure_on_the_page_is_left_as_it_is():
    made = framed()
    before = made.figure.to_json()
    for_slide(made)
    page(made)
    assert made.figure.to_json() == before


def test_other_notes_in_the_figure_are_kept():
    made = framed()
    made.figure.add_annotation(text="peak", x=1, y=3)
    assert for_slide(made).layout.annotations[0].text == "peak"


def test_a_picture_page_draws_in_the_size_of_the_slide():
    content = picture_page(framed())
    figure = for_slide(framed())
    assert f"width: {figure.layout.width}, height: {figure.layout.height}" in content
    assert "filename: 'small'" in content or f"filename: {json.dumps('small')}" in content
