"""Two figures beside each other on a slide, in a real browser: every word has its room."""

import json
import re

import plotly.graph_objects as go

from components.deck import changes, files, presenter
from components.deck.beside import HEIGHT, WIDTH, crowded
from components.deck.demonstrations import DEMONSTRATIONS
from components.deck.document import Deck, Slide, new_id
from components.exports import pictures
from components.figures.geometry import alignment_uniformity
from components.figures.named_points import Point
from components.theme import DARK, LIGHT
from tests.arrival_places import PLACES
from tests.browser.conftest import MOVES, settle
from tests.browser.reading import query, wait_for
from tests.components.deck.figures import pinned

SETTINGS = MOVES

CUT_OR_OVER = """(room) => {
  const AXES = ".g-xtitle, .g-ytitle, .g-x2title, .g-y2title, .xaxislayer-above, .yaxislayer-above, "
    + ".cbtitle, .cbaxis"
  const texts = [...room.querySelectorAll("text")].filter(
    (one) => one.textContent.trim() && one.closest(AXES))
  const boxes = texts.map((one) => [one.textContent.trim(), one.closest(AXES), one.getBoundingClientRect()])
  const edge = room.getBoundingClientRect()
  const cut = boxes.filter(([, , box]) => box.left < edge.left - 1 || box.right > edge.right + 1
    || box.top < edge.top - 1 || box.bottom > edge.bottom + 1)
  const lies = (one, other) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1
    && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top)
      > 0.3 * Math.min(one.height, other.height)
  const over = boxes.flatMap(([text, part, box], i) => boxes.slice(i + 1)
    .filter(([, of, other]) => of !== part && lies(box, other)).map(([other]) => [text, other]))
  return { cut: cut.map(([text]) => text), over }
}"""
"""Words of axes and colour bars that leave a figure's room, or that lie over those of another one."""

WHOLE = {"cut": [], "over": []}


def figures_with_room():
    """One figure of each kind that can stand beside another."""
    all_figures = [figure for one in DEMONSTRATIONS for figure in one.deck().figures.values()]
    different = {(figure.page, figure.key): figure for figure in all_figures if not crowded(figure)}
    return {figure.name: figure for figure in different.values()}


def test_words_of_figures_that_stand_beside_each_other_are_whole_and_apart(browser, tmp_path):
    figures = figures_with_room()
    names = [*figures]
    pairs = zip(names[::2], names[1::2] + names[:1], strict=False)
    slides = tuple(Slide(new_id(), "Both", figures=pair) for pair in pairs)
    path = tmp_path / "pairs.html"
    path.write_text(presenter.page(Deck("pairs", slides, figures)), "utf-8")
    page = browser.new_page(viewport={"width": 1280, "height": 720}, color_scheme="light")
    page.goto(path.as_uri())
    for number in range(len(slides)):
        page.evaluate(f"go({number})")
        page.wait_for_function("() => !document.querySelector('.slide.at .room:not([data-drawn])')")
        for room in page.locator(".slide.at .room").all():
            page.wait_for_timeout(50)
            assert room.evaluate(CUT_OR_OVER) == WHOLE, room.get_attribute("aria-label")
    page.close()


def test_a_presentation_has_the_colours_of_a_dark_page(browser, tmp_path):
    span = f'<span style="color:{LIGHT.readable(LIGHT.b)}">● B</span>'
    figure = go.Figure(
        go.Heatmap(z=[[0.0]], textfont_color=LIGHT.paper, colorscale=[[0, LIGHT.grid], [1, LIGHT.a]])
    )
    figure.add_annotation(text=span, font_color=LIGHT.text)
    drawn = json.loads(pictures.on_white(figure).to_json())
    path = tmp_path / "none.html"
    path.write_text(presenter.page(Deck(), theme="dark"), "utf-8")
    page = browser.new_page()
    page.goto(path.as_uri())
    made = page.evaluate("(plotly) => coloured({ plotly })", drawn)
    page.close()
    dark = json.loads(pictures.in_theme(drawn, DARK).to_json())
    assert made["data"] == dark["data"]
    assert made["layout"]["annotations"] == dark["layout"]["annotations"]
    assert f"color:{DARK.readable(DARK.b)}" in made["layout"]["annotations"][0]["text"]


def test_a_title_of_an_axis_is_parted_once_into_lines_about_as_long(browser, tmp_path):
    path = tmp_path / "none.html"
    path.write_text(presenter.page(Deck()), "utf-8")
    page = browser.new_page()
    page.goto(path.as_uri())
    fitted = """(text) => {
      const yaxis = { title: { text, font: { size: 20 } }, tickfont: { size: 16 } }
      const { layout } = fitted({ data: [], layout: { width: 900, height: 500, yaxis } }, 14)
      return layout.yaxis.title.text
    }"""
    for written, drawn in {
        "cosine under B, last layer, Ditto layer=5<br>head=4, z-score": (
            "cosine under B, last layer,<br>Ditto layer=5 head=4, z-score"
        ),
        "layer, and its cosine with the framed one": "layer, and its cosine<br>with the framed one",
        "cosine<br>under A": "cosine<br>under A",
    }.items():
        assert page.evaluate(fitted, written) == drawn
    page.close()


OVER_EACH_OTHER = """async (window) => {
  const room = document.querySelector(".slide.at .room")
  await draw(room, ...window)
  const marks = [...room.querySelectorAll(".annotation-text-g"), ...room.querySelectorAll(".points path")]
  const boxes = marks.map((one) => [one.textContent.trim() || "point", one.getBoundingClientRect()])
  return boxes.flatMap(([text, box], i) => boxes.slice(i + 1).filter(([other, at]) => {
    const across = Math.min(box.right, at.right) - Math.max(box.left, at.left)
    const down = Math.min(box.bottom, at.bottom) - Math.max(box.top, at.top)
    return text !== "point" && across > 2 && down > 3
  }).map(([other]) => [text, other]))
}"""
"""Names of points over each other or over points, in a room of a width, a height and the slide's height."""


OVER_ARROWS = """async (window) => {
  const room = document.querySelector(".slide.at .room")
  await draw(room, ...window)
  const named = [...room.querySelectorAll(".annotation")]
  const arrows = [...room.querySelectorAll(".scatterlayer path.js-line")]
  const dots = arrows.flatMap((path) => Array.from({ length: 101 }, (_, step) => {
    return path.getPointAtLength((step / 100) * path.getTotalLength()).matrixTransform(path.getScreenCTM())
  }))
  const over = (one) => {
    const { left, right, top, bottom } = one.querySelector(".annotation-text-g").getBoundingClientRect()
    return dots.some(({ x, y }) => x > left + 2 && x < right - 2 && y > top + 3 && y < bottom - 3)
  }
  return arrows.length ? named.filter(over).map((one) => one.textContent.trim()) : "no arrow"
}"""
"""Names of points over arrows, in such a room."""


def test_names_of_points_lie_over_no_others_and_no_arrow_whatever_room_the_figure_has(browser, tmp_path):
    names = {name: name for name in PLACES if name != "normalize"} | {"A": "last layer, mean"}
    points = [
        Point(label, *PLACES[name], 45.0, "", "B" if label == "B" else "") for name, label in names.items()
    ]
    drawn = alignment_uniformity(points, LIGHT, "plain", ["centre", "quantile", "idf", "B"])
    deck = changes.pin(Deck(), pinned(plotly=json.loads(pictures.on_white(drawn).to_json()), height=380))
    path = tmp_path / "map.html"
    path.write_text(presenter.page(deck), "utf-8")
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    page.goto(path.as_uri())
    for window in ((1600, 900, 1080), (1240, 630, 720), (610, 630, 720)):
        assert page.evaluate(OVER_EACH_OTHER, window) == [], window
        assert page.evaluate(OVER_ARROWS, window) == [], window
    page.close()


def test_the_window_of_who_presents_has_both_and_says_which_time_is_which(browser, tmp_path):
    found = {figure.key: figure for figure in figures_with_room().values()}
    first, *both = (found[key] for key in ("hops", "evolution", "papers.table"))
    figures = {figure.name: figure for figure in (first, *both)}
    titles = ("A title of the left figure that takes a line", "And one of the right one " * 3)
    slides = (
        Slide(new_id(), "Alone", figures=(first.name,), note="Say " + "this and that, " * 400),
        Slide(new_id(), "", figures=(both[0].name, both[1].name), titles=titles),
        Slide(new_id(), "The end"),
    )
    path = tmp_path / "talk.html"
    path.write_text(presenter.page(Deck("talk", slides, figures)), "utf-8")
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    page.goto(path.as_uri())
    page.locator(".slide.at .main-svg").first.wait_for()
    with page.expect_popup() as opened:
        page.keyboard.press("s")
    window = opened.value
    window.set_viewport_size({"width": 1100, "height": 700})
    window.locator("#preview img").nth(1).wait_for()
    assert " · ".join(titles).strip() in window.locator("#next").inner_text()
    left, right = (one.bounding_box() for one in window.locator("#preview img").all())
    assert left["y"] == right["y"]
    assert left["x"] + left["width"] <= right["x"]
    assert all(box["y"] + box["height"] <= 700 and box["height"] > 120 for box in (left, right))
    assert window.evaluate("document.documentElement.scrollHeight") <= 700
    window.wait_for_function("document.getElementById('elapsed').textContent")
    said = window.locator("#times").inner_text()
    assert re.fullmatch(r"time of day\s+\d\d:\d\d\s+since the start\s+\d\d:\d\d", said.strip())
    page.close()


def test_the_page_shows_them_as_they_are_presented(visit, tmp_path):
    found = {figure.key: figure for figure in figures_with_room().values()}
    both = [found["evolution"], found["papers.table"]]
    figures = {figure.name: figure for figure in both}
    title = "A title that is longer than a line of the list of slides"
    deck = Deck("pair", (Slide(new_id(), title, figures=tuple(figures)),), figures)
    path = tmp_path / "pair.json"
    path.write_bytes(files.write(deck))
    page = visit("/deck", fresh=True)
    page.locator(".st-key-deck-files button:visible").first.click()
    page.locator('input[type="file"]').first.set_input_files(path)
    wait_for(page, lambda: query(page).get("deck"))
    settle(page)
    listed = page.locator(".st-key-deck-list button")
    frame, name = listed.bounding_box(), listed.locator("p").bounding_box()
    assert frame["x"] < name["x"] < name["x"] + name["width"] <= frame["x"] + frame["width"], "in its frame"
    places = page.locator('[data-testid="stMain"] .stPlotlyChart')
    for place in places.all():
        assert place.evaluate(CUT_OR_OVER) == WHOLE
        box = place.bounding_box()
        assert abs(box["height"] / box["width"] - HEIGHT / WIDTH) < 0.01
    page.set_viewport_size({"width": 1800, "height": 900})
    wide = "([before]) => document.querySelector('.stPlotlyChart').clientWidth > before + 100"
    page.wait_for_function(wide, arg=[box["width"]])
    settle(page)
    for place in places.all():
        assert place.evaluate(CUT_OR_OVER) == WHOLE
