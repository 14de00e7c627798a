"""The page Methods and the present view, in a real browser."""

import re

from tests.browser.conftest import settle
from tests.browser.reading import (
    A,
    answer,
    box,
    query,
    wait_for,
)


def test_a_scored_example_is_there_and_another_is_chosen(visit):
    page = visit("/methods?corpus=dogs&a=layers%3Dlast")
    found = answer(page)
    assert len(found["numbers"]) == 2
    assert " ± " in found["numbers"][0]
    assert any(line.startswith("SIF: ") for line in found["headings"])
    page.get_by_role("combobox", name=re.compile("^Method|Selected SIF")).first.fill("Ditto, last")
    page.get_by_role("option", name="Ditto, last", exact=True).click()
    wait_for(page, lambda: query(page).get("method") == "Ditto, last")
    settle(page)
    assert any(line.startswith("Ditto, last: ") for line in answer(page)["headings"])
    other = visit(page.url, fresh=True)
    assert answer(other)["numbers"] == answer(page)["numbers"]
    assert "Ditto, last" in other.get_by_role("heading", level=2).first.inner_text()
    page.get_by_role("button", name="Take as recipe A").click()
    wait_for(page, lambda: query(page).get("a") == "layers=last;weight=ditto")
    settle(page)
    assert box(page, A).input_value() == "layers=last;weight=ditto"


def test_a_row_of_the_table_chooses_its_method(visit):
    page = visit("/methods?corpus=dogs&family=Layers")
    page.locator('[data-testid="stDataFrame"]').first.click(position={"x": 80, "y": 55})
    wait_for(page, lambda: query(page).get("method") == "L1 + L2 + L12")
    settle(page)
    assert page.get_by_role("heading", name="L1 + L2 + L12 (2021)").count() == 1


def test_figures_are_presented_large_and_turned_over_by_arrow_keys(visit):
    page = visit("/scores?present=true")
    page.get_by_text("1 / 2").wait_for()
    assert not page.locator(".st-key-bar").is_visible()
    assert page.locator(".js-plotly-plot:visible").count() == 1
    page.keyboard.press("ArrowRight")
    page.get_by_text("2 / 2").wait_for()
    settle(page)
    page.keyboard.press("Escape")
    page.locator(".st-key-bar").wait_for(state="visible")
    wait_for(page, lambda: query(page).get("present", "false") == "false")


def test_a_presented_figure_fills_the_window_and_a_map_stands_in_its_middle(visit):
    page = visit("/layers?present=true", viewport={"width": 1280, "height": 720})
    page.locator(".st-key-stage .js-plotly-plot .heatmaplayer").first.wait_for()
    settle(page)

    def edges() -> dict[str, float]:
        return page.evaluate(
            """() => {
                const box = (name) => document.querySelector(name).getBoundingClientRect()
                const cells = box(".st-key-stage .heatmaplayer .hm")
                const figure = box(".st-key-stage .js-plotly-plot")
                const buttons = [...document.querySelectorAll("button")]
                const next = buttons.find(({ innerText }) => /Next/.test(innerText))
                return { left: cells.left, right: innerWidth - cells.right, height: figure.height,
                         below: innerHeight - next.getBoundingClientRect().bottom,
                         scroll: document.documentElement.scrollHeight - innerHeight }
            }"""
        )

    wait_for(page, lambda: abs(edges()["left"] - edges()["right"]) < 60)
    found = edges()
    assert found["height"] > 0.75 * 720
    assert found["below"] < 30, "room under the buttons would be lost to the figure"
    assert found["scroll"] <= 0
    values = page.evaluate(
        """() => {
            const drawn = document.querySelector(".st-key-stage .js-plotly-plot")
            const cell = drawn._fullLayout.xaxis._length / drawn._fullData[0].z.length
            const texts = [...drawn.querySelectorAll(".heatmap-label text")]
            const seen = texts.filter(one => one.textContent.trim())
            return { type: Math.min(...seen.map(one => parseFloat(getComputedStyle(one).fontSize))),
                     widest: Math.max(...seen.map(one => one.getBoundingClientRect().width)), cell }
        }"""
    )
    assert values["type"] >= 16, "to be read from the back of a room"
    assert values["widest"] < values["cell"]
