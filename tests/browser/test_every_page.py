"""Every page as one arrives on it: a worked example, nothing serious by axe in light and in dark, a pin.

Drawing a page costs more than anything that is asked of it, so that one visit answers all of this.
"""

import re
from itertools import pairwise

import pytest

from tests.browser.conftest import settle
from tests.browser.keys import skip_to_the_content
from tests.browser.reading import alerts, answer, cell, wait_for

PAGES = {
    **dict.fromkeys(("", "scores", "find", "papers"), 720),
    "tasks": 400,
    **dict.fromkeys(("layers", "heads", "masking", "mixing", "geometry", "tokens"), 480),
    "methods": None,  # one reads a table of methods and a score first
}
"""By their names, with the height in pixels above which the first figure begins."""

WHOLE = ("", "scores", "tasks", "layers", "masking", "mixing", "tokens", "find")
"""Pages whose first figure is whole in a window 720 pixels high."""

PANELS = 6
"""Three matrices, each with a layer for the values in its light cells."""

SERIOUS = ("serious", "critical")
FILLS = "labels => labels.map((label) => getComputedStyle(label).fill)"
LEVELS = """[...document.querySelectorAll("h1, h2, h3, h4, h5, h6")].filter((one) => one.checkVisibility())
    .map((one) => Number(one.tagName[1]))"""
SCROLLING = """[...document.querySelectorAll('[data-testid="stHorizontalBlock"]')].filter((row) =>
    ["auto", "scroll"].includes(getComputedStyle(row).overflowY) && row.scrollHeight > row.clientHeight)
    .map((row) => row.innerText)"""
SIDEWAYS = """(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(
    document.querySelector('[data-testid="stMain"]'))"""
COVERED = """() => {
  const pressed = document.querySelectorAll('[data-testid="stMain"] :is(button, a[href], label)');
  return [...pressed].flatMap((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    const seen = one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    if (!seen || right - left < 8 || top < 0 || bottom > innerHeight) return [];
    const over = [left + 4, (left + right) / 2, right - 4]
        .map((x) => document.elementFromPoint(x, (top + bottom) / 2))
        .find((found) => found && !one.contains(found) && !found.contains(one));
    return over ? [`${one.innerText} under ${over.innerText || over.outerHTML}`] : [];
  });
}"""
"""What one would press, and something else lies over it."""

SIZES = ((1100, 700), (960, 600), (853, 480), (500, 800))
"""Windows in pixels: of small screens, of 1440 × 900 and 1280 × 720 at 150 %, and of a telephone."""

LINES = """() => {
    const rows = [...document.querySelectorAll('[class*="st-key-figure-line"]')]
    if (!rows.length && document.querySelector(".js-plotly-plot")) return ["no figure has a row"]
    const broken = rows.filter((row) => {
        const [line] = row.querySelectorAll("p")
        const { fontSize, textOverflow } = getComputedStyle(line)
        const end = Math.max(...[...row.children].map((one) => one.getBoundingClientRect().right))
        const cut = textOverflow === "ellipsis" && line.clientHeight < 1.9 * parseFloat(fontSize)
        return !cut || end > innerWidth
    })
    return broken.map((row) => row.textContent)
}"""
"""Rows under a figure whose caption takes more than a line, or that go beyond the window."""

FADES = """() => [...document.querySelectorAll('.stApp *')].some(
    (one) => parseFloat(getComputedStyle(one).transitionDuration) > 0)"""
NOTHING_FADES = "() => !document.getAnimations().some((one) => one instanceof CSSTransition)"
AXE = {"resultTypes": ["violations"]}  # of what passes axe writes thousands of lines, which take seconds
CONTRAST = AXE | {"runOnly": {"type": "rule", "values": ["color-contrast"]}}


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_whole_on_arrival_for_axe_too_in_light_and_dark_and_its_figure_is_pinned(visit, name):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    page = visit(f"/{name}", color_scheme="light", fresh=not name)
    assert page.locator('[data-testid="stAlertContentError"]').count() == 0
    found = answer(page)
    assert found["headings"]
    if name in ARRIVING:
        ARRIVING[name](page, found)
    assert not page.evaluate(FADES), "who wants nothing to move sees nothing fade"
    levels = page.evaluate(LEVELS)
    assert levels[0] == 1
    assert all(below - above <= 1 for above, below in pairwise(levels)), "no level is left out"
    if (height := PAGES[name]) is not None:
        figure = page.locator(".js-plotly-plot").first.bounding_box()
        assert figure["y"] < height
        assert name not in WHOLE or figure["y"] + figure["height"] <= 720
    assert page.locator('.modebar-btn[data-title^="Share"]').count() == 0, "no figure leaves the machine"
    assert page.evaluate(SCROLLING) == [], "the wheel moves the page and no row of it"
    assert page.evaluate(SIDEWAYS) == 0
    skip_to_the_content(page)
    cell(page, "b-layers").click()
    page.locator(".st-key-editor button").first.wait_for()
    settle(page)
    assert serious(axe, page) == []
    to_dark(page)
    assert serious(axe, page, CONTRAST) == []
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        wait_for(page, lambda: page.evaluate(SIDEWAYS) == 0)  # figures follow
        assert page.evaluate(COVERED) == [], f"in a window of {width} pixels"
        assert page.evaluate(LINES) == [], "the rest is behind More"
    page.keyboard.press("p")
    page.get_by_text("Pinned as slide 1").wait_for()


def compare(page, found) -> None:
    """A matrix of each recipe and one of their difference, with a worked example."""
    assert page.locator(".js-plotly-plot .heatmaplayer image").count() == PANELS
    assert found["headings"][0].startswith("Cosine: the closest pair under A is ")
    assert alerts(page) == []


def scores(page, found) -> None:
    """Scores of both recipes and their difference."""
    assert len(found["numbers"]) == 2
    assert all(" ± " in number for number in found["numbers"])
    assert re.search("better by|No difference shown", found["headings"][0])
    assert "Tried in this visit: 2 recipes" in found["headings"]
    assert page.locator('[data-testid="stDataFrame"]').count() == 3
    assert page.locator(".js-plotly-plot").count() == 2


def methods(page, found) -> None:
    """A scored example, and published scores of others where there are any."""
    scored_by_others = any(line.startswith("Highest of ") for line in found["headings"])
    assert page.locator(".js-plotly-plot").count() == 2 + scored_by_others
    assert alerts(page) == []


ARRIVING = {"": compare, "scores": scores, "methods": methods}
"""What else is there on arrival."""


def serious(axe, page, options=AXE) -> list[str]:
    """What axe finds serious and still finds a second later when nothing fades, with the elements it names.

    Streamlit fades a button's colours whenever its focus or the theme changes.
    """
    if found := _serious(axe, page, options):
        page.wait_for_timeout(1000)
        page.wait_for_function(NOTHING_FADES)
        found = _serious(axe, page, options)
    return found


def _serious(axe, page, options) -> list[str]:
    violations = axe.Axe().run(page, options=options).response["violations"]
    return [
        f"{each['id']}: {node['target']} {node['failureSummary']}"
        for each in violations
        if each["impact"] in SERIOUS
        for node in each["nodes"]
    ]


def to_dark(page) -> None:
    """Have the browser turn dark, and see that the page and its figures follow."""
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(
        """() => getComputedStyle(document.querySelector('[data-testid=stApp]')).colorScheme === 'dark'"""
    )
    settle(page)
    page.wait_for_function(NOTHING_FADES)
    background = page.locator('[data-testid="stApp"]').evaluate("e => getComputedStyle(e).backgroundColor")
    assert max(parts(background)) < 60
    ticks = page.locator(".js-plotly-plot :is(.xtick, .ytick) text")
    labels = ticks if ticks.count() else page.locator(".js-plotly-plot .xtitle").first
    wait_for(page, lambda: all(min(parts(colour)) > 140 for colour in labels.evaluate_all(FILLS)))


def parts(colour: str) -> list[int]:
    """Red, green and blue of a colour as CSS writes it."""
    return [int(part) for part in re.findall(r"\d+", colour)[:3]]
