"""Files of a figure, saved in a real browser."""

import json
import re
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import plotly.graph_objects as go
import pytest

from components.deck import changes, presenter
from components.deck.document import Deck
from components.exports import pictures
from tests.browser.reading import (
    open_files,
    save,
    wait_for,
)
from tests.components.deck.figures import pinned

HEATMAPS = ".js-plotly-plot .heatmaplayer image"
BESIDE = """(() => {
    const edge = (name, side) => document.querySelector(name)?.getBoundingClientRect()[side]
    return edge(".cbfills", "left") - edge(".heatmaplayer", "right")
})()"""
"""Pixels between the cells of a matrix and the colour bar right of them."""

LEFT = "document.querySelector('.heatmaplayer').getBoundingClientRect().left"

PICTURED = """async () => {
    const drawn = await picture(document.querySelector(".room"), 1600, 700)
    document.body.innerHTML = decodeURIComponent(drawn.slice(drawn.indexOf(",") + 1))
}"""

PANELS = 6
"""Three matrices, each with a layer for the values in its light cells."""


def test_a_figure_is_saved_in_every_form_and_its_page_opens_without_a_network(visit, browser, tmp_path):
    page = visit("/?a=layers%3D1&b=weight%3Didf%28fit%3Dreference%29%3Bpost%3Dzscore%28fit%3Dreference%29")
    open_files(page)
    named = "strata_compare_A-layer-1-mean_B-idf-+-z-score-reference"
    name, content = save(page, "CSV")
    assert name == f"{named}.csv"
    assert content.startswith(b"\xef\xbb\xbf# Cosine: the closest pair")
    assert b"# A: layers=1\n" in content
    name, content = save(page, "HTML")
    assert name == f"{named}.html"
    assert content.lower().startswith(b"<!doctype html>")
    assert b"A: layers=1" in content
    opens_alone(browser, tmp_path / "figure.html", content)
    name, content = save(page, "Markdown")
    assert name == f"{named}.md"
    assert content.startswith(b"Cosine: the closest pair")
    name, content = save(page, "LaTeX")
    assert name == f"{named}.tex"
    assert rb"\toprule" in content
    picture = page.frame_locator("iframe").first
    name, content = save(page, "^PNG", picture)
    assert name == f"{named}.png"
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    assert int.from_bytes(content[16:20], "big") == 3200
    assert int.from_bytes(content[20:24], "big") == 1800
    name, content = save(page, "^SVG", picture)
    assert name == f"{named}.svg"
    assert b"<svg" in content[:200]
    assert b"A: layers=1" in content
    assert b"click" not in re.sub(rb"<style.*?</style>", b"", content, flags=re.DOTALL).lower()
    page.keyboard.press("Escape")  # closes the menu, and the next click counts
    wait_for(page, lambda: page.locator("iframe").count() == 0)
    page.get_by_role("button", name=re.compile("More")).first.click()
    page.get_by_text("A: layers=1").first.wait_for()


def opens_alone(browser, path, content: bytes) -> None:
    """A saved page is whole without a network, and asks for nothing."""
    path.write_bytes(content)
    alone = browser.new_context(offline=True)
    page, errors, asked = alone.new_page(), [], []
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.on("request", lambda request: asked.append(request.url))
    page.goto(path.as_uri())
    page.locator(HEATMAPS).first.wait_for()
    assert page.locator(HEATMAPS).count() == PANELS
    assert "A: layers=1" in page.locator(".caption").first.text_content()
    assert errors == []
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []
    alone.close()


def test_what_a_point_says_on_a_page_that_is_taken_along_has_a_minus(browser):
    figure = go.Figure(
        go.Scatter(x=[0, 1], y=[-0.5, 1], mode="markers", hovertemplate="%{y:.2f}<extra></extra>")
    )
    kept = pinned(plotly=json.loads(pictures.on_white(figure).to_json()))
    for content in (pictures.page("", (), figure), presenter.page(changes.pin(Deck(), kept))):
        page = browser.new_page()
        page.set_content(content)
        point = page.locator(".js-plotly-plot .points path").first.bounding_box()
        page.mouse.move(point["x"] + point["width"] / 2, point["y"] + point["height"] / 2)
        said = page.locator(".hoverlayer .hovertext").first
        said.wait_for()
        assert said.text_content() == "−0.50"
        page.close()


def test_a_colour_bar_stands_near_square_cells_in_saved_pages_decks_and_pictures(browser):
    cells = go.Figure(go.Heatmap(z=[[0, 1], [1, 0]]))
    cells.update_yaxes(scaleanchor="x", constrain="domain").update_xaxes(constrain="domain")
    page = browser.new_page()
    page.set_content(pictures.page("", (), cells.update_layout(height=300)))
    for width in (1280, 900, 1500):
        page.set_viewport_size({"width": width, "height": 720})
        wait_for(page, lambda: 0 < page.evaluate(BESIDE) < 60)
    kept = pinned(plotly=json.loads(pictures.on_white(cells).to_json()), height=300)
    page.set_content(presenter.page(changes.pin(Deck(), kept)))
    wait_for(page, lambda: 0 < page.evaluate(BESIDE) < 120)
    assert page.evaluate(LEFT) > 200, "in the middle of a slide"
    page.evaluate(PICTURED)  # as PowerPoint has it
    assert 0 < page.evaluate(BESIDE) < 120
    assert page.evaluate(LEFT) > 200
    page.close()


def test_a_matrix_of_many_words_fills_the_slide_and_no_label_lies_over_another(visit):
    """Plotly makes its squares before it knows how much room labels need; the slide is drawn twice."""
    words = (
        "although the young engineers had carefully tested every single component twice the expensive "
        "satellite unexpectedly lost contact with its ground station shortly after launch"
    )
    page = visit(f"/masking?sentence={words.replace(' ', '+')}")
    open_files(page)
    _, content = save(page, "^SVG", page.frame_locator("iframe").first)
    slide = page.context.new_page()
    slide.set_content(f"<body style='margin:0'>{content.decode()}</body>")
    matrix, bar, names = (
        slide.evaluate(
            "(of) => [...document.querySelectorAll(of)].map((one) => one.getBoundingClientRect().toJSON())",
            of,
        )
        for of in (".heatmaplayer image", ".cbfills", ".ytick text")
    )
    (squares, *_), (colours,) = matrix, bar
    assert squares["height"] > 0.45 * 900
    assert 0 < colours["left"] - squares["right"] < 100
    names.sort(key=lambda name: name["top"])
    assert len(names) == len(words.split())
    for above, below in pairwise(names):
        assert below["top"] > above["top"] + 0.7 * above["height"]


def test_a_caption_that_leaves_no_room_is_cut_and_says_so(browser):
    figure = go.Figure({"type": "scatter", "x": [1, 2], "y": [3, 1]}, {"height": 400})
    page = browser.new_page()
    title, caption = "A long title " * 200, [f"Line {n} of the caption" for n in range(60)]
    page.set_content(pictures.buttons(title, caption, figure, {"png": "a.png", "svg": "a.svg"}, ""))
    with page.expect_download() as waiting:
        page.get_by_role("button", name="PNG").click()
    assert waiting.value.suggested_filename == "a.png"
    slide = ElementTree.fromstring(page.evaluate("() => slide()"))
    space = "{http://www.w3.org/2000/svg}"
    drawn = next(child for child in slide if child.tag == f"{space}svg")
    top, height = float(drawn.get("y")), float(drawn.get("height"))
    texts = slide.findall(f"{space}text")
    lines = [text.text for text in texts]
    shown = [line for line in lines if line.startswith("Line ")]
    assert height >= 350
    assert lines[-1] == f"… and {60 - len(shown)} more lines, which CSV and HTML have"
    assert shown == caption[: len(shown)]
    above, below = lines.index("…"), len(shown) + 1
    assert float(texts[above].get("y")) < top
    assert float(texts[-below].get("y")) > top + height
    assert float(texts[-1].get("y")) < 900
    page.close()


def test_a_picture_of_many_rows_is_as_high_as_its_type_needs_with_the_whole_caption_below(browser):
    """On a slide the names of 66 rows would be five pixels high."""
    rows, caption = [f"method {n}" for n in range(66)], [f"Line {n} of the caption" for n in range(30)]
    figure = go.Figure({"type": "scatter", "x": [1] * 66, "y": rows}, {"height": 27 * 66 + 130})
    figure.update_yaxes(tickvals=rows)
    page = browser.new_page()
    page.set_content(pictures.buttons("A title", caption, figure, {"png": "a.png", "svg": "a.svg"}, ""))
    with page.expect_download() as waiting:
        page.get_by_role("button", name="PNG").click()
    content = Path(waiting.value.path()).read_bytes()
    slide = ElementTree.fromstring(page.evaluate("() => slide()"))
    space = "{http://www.w3.org/2000/svg}"
    drawn = next(child for child in slide if child.tag == f"{space}svg")
    top, height = float(drawn.get("y")), float(drawn.get("height"))
    assert drawn.get("viewBox") == f"0 0 {drawn.get('width')} {drawn.get('height')}", (
        "type has its own size"
    )
    assert len([text for text in drawn.iter(f"{space}text") if text.text in rows]) == 66
    below = [text for text in slide.findall(f"{space}text") if float(text.get("y")) > top + height]
    assert [text.text for text in below] == caption
    assert float(below[-1].get("y")) < float(slide.get("height"))
    assert int.from_bytes(content[16:20], "big") == 2 * 1600
    assert int.from_bytes(content[20:24], "big") == 2 * float(slide.get("height"))
    page.close()


@pytest.mark.parametrize(
    "trace",
    [
        {"type": "parcoords", "dimensions": [{"label": "a", "values": [1, 2]}, {"values": [3, 1]}]},
        {"type": "scatter", "x": [1, 2], "y": [3, 1]},
        {"type": "heatmap", "z": [[1, 2], [3, 4]]},
    ],
    ids=lambda trace: trace["type"],
)
def test_a_figure_without_squares_or_axes_fills_the_slide(browser, trace):
    figure = go.Figure(trace, {"height": 400})
    page = browser.new_page()
    page.set_content(pictures.buttons("A title", ["A caption"], figure, {"svg": "a.svg"}, ""))
    slide = ElementTree.fromstring(page.evaluate("() => slide()"))
    space = "{http://www.w3.org/2000/svg}"
    drawn = next(child for child in slide if child.tag == f"{space}svg")
    assert float(drawn.get("height")) > 0.75 * 900
    page.close()
