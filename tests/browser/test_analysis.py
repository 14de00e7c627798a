"""The pages that look inside the model and at the space of vectors, in a real browser."""

import re
from itertools import pairwise

import pytest

from tests.browser.conftest import settle
from tests.browser.reading import A, alerts, answer, box, option, query, wait_for
from tests.browser.slides import nothing_lies_over_anything_else

SENTENCE = "A sentence of yours"

TOKENS = """() => [...document.querySelectorAll(".js-plotly-plot")]
    .filter((plot) => plot.offsetParent)
    .flatMap((plot) =>
    Object.keys(plot.layout.meta?.tokens ?? {}).map((axis) => {
        const names = [...plot.querySelectorAll(`.${axis.replace("axis", "")}tick text`)];
        const edge = axis.startsWith("x") ? "left" : "top";
        const places = names.map((name) => name.getBoundingClientRect()[edge]).sort((a, b) => a - b);
        const slant = plot.layout[axis].tickangle === -45 ? Math.SQRT1_2 : 1;
        const apart = places.slice(1).map((place, i) => slant * (place - places[i]));
        const [low, high] = plot._fullLayout[axis].range;
        const size = parseFloat(getComputedStyle(names[0]).fontSize);
        const tokens = Math.floor(Math.abs(high - low));
        return { names: names.length, tokens, size, apart: Math.min(...apart) };
    }))"""
"""Of each axis of tokens that is seen: names, tokens, size of type, and how far apart names are."""

LONG = (
    "Although the committee had often been warned by engineers that the old dam above the valley could not "
    "withstand another great flood , it voted to postpone the repairs for one more year , when it was hoped"
)


def click_cell(page, figure: str, x: float, y: float) -> None:
    """Click on a point of a figure, given in its own coordinates."""
    plot = page.locator(f".st-key-{figure} .js-plotly-plot").first
    plot.scroll_into_view_if_needed()
    at = plot.evaluate(
        """(e, [x, y]) => {
            const {xaxis, yaxis} = e._fullLayout, box = e.getBoundingClientRect();
            return [box.left + xaxis._offset + xaxis.d2p(x), box.top + yaxis._offset + yaxis.d2p(y)];
        }""",
        [x, y],
    )
    page.mouse.move(at[0] - 3, at[1] - 3)
    page.mouse.move(*at)
    page.wait_for_timeout(300)  # Plotly looks where the mouse is a few times a second
    page.mouse.click(*at)


def test_sentence_and_token_travel(visit):
    page = visit("/layers")
    box(page, SENTENCE).fill("A small boat crossed the lake.")
    box(page, SENTENCE).press("Enter")
    wait_for(page, lambda: query(page).get("sentence") == "A small boat crossed the lake.")
    settle(page)
    option(page, "boat").click()
    wait_for(page, lambda: query(page).get("token") == "boat")
    settle(page)
    for name in ("Heads", "Masking", "Layers"):
        page.get_by_role("link", name=name).first.click()
        wait_for(page, lambda name=name: f"/{name.lower()}" in page.url)
        settle(page)
        assert box(page, SENTENCE).input_value() == "A small boat crossed the lake."
        assert query(page)["sentence"] == "A small boat crossed the lake."
        assert query(page).get("token") == "boat"


def shown_in_menus(page) -> dict[str, str]:
    """What the menus of a page show, by label."""
    read = (
        """boxes => boxes.map(box => [box.innerText.split("\\n")[0], box.querySelector("input").value])"""
    )
    return dict(page.eval_on_selector_all("[data-testid='stSelectbox']:not(.st-key-bar *)", read))


def test_tokens_that_scroll_are_seen_to_and_nothing_of_a_slide_lies_over_anything_else(visit):
    """The edge of the box cuts a row of tokens in its middle."""
    page = visit("/layers?sentence=" + "+".join(["bread from the bakery by the river before work"] * 9))
    tokens = page.locator(".st-key-layers-token")
    wait_for(page, lambda: tokens.locator("button").count() > 70)
    settle(page)
    assert tokens.evaluate("one => one.scrollHeight > one.clientHeight")
    edge = tokens.bounding_box()["y"] + tokens.bounding_box()["height"]
    cut = tokens.locator("button").evaluate_all(
        """(all, edge) => all.map((one) => one.getBoundingClientRect())
            .map((one) => (edge - one.top) / one.height).filter((share) => share > 0.3 && share < 0.7)""",
        edge,
    )
    assert cut
    nothing_lies_over_anything_else(page)


def test_menus_show_what_they_stand_for_after_another_sentence_or_paper(visit):
    page = visit("/masking")
    wait_for(page, lambda: "Token" in shown_in_menus(page))
    assert shown_in_menus(page)["Token"] == "storm"
    box(page, SENTENCE).fill("Cats chase mice.")
    box(page, SENTENCE).press("Enter")
    wait_for(page, lambda: shown_in_menus(page).get("Token") == "cats")
    settle(page)
    assert shown_in_menus(page)["Token"] == "cats"
    page = visit("/papers")
    wait_for(page, lambda: "Column" in shown_in_menus(page))
    page.get_by_role("combobox").first.click()
    page.keyboard.type("Wang & Kuo")
    page.keyboard.press("Enter")
    wait_for(page, lambda: query(page).get("paper") == "Wang & Kuo 2020")
    settle(page)
    shown = shown_in_menus(page)
    fresh = visit(page.url, fresh=True)
    wait_for(fresh, lambda: "Column" in shown_in_menus(fresh))
    assert shown == shown_in_menus(fresh)


@pytest.mark.parametrize(
    "link",
    [
        "paper=Chen+et+al.+2023&table=Table+5%3A+Average+cosine+of+sentences%2C+with+and+without+Ditto",
        "papers.row=%5BMASK%5D+%2B+quantile-u%5EW&papers.column=BERT+%2B+Avg.",
    ],
)
def test_names_of_a_paper_s_row_and_column_are_whole(visit, link):
    page = visit(f"/papers?{link}")
    wait_for(page, lambda: "Column" in shown_in_menus(page))
    cut = page.eval_on_selector_all(
        "[data-testid='stSelectbox']:not(.st-key-bar *) input",
        "all => all.filter(one => one.scrollWidth > one.clientWidth).map(one => one.value)",
    )
    assert cut == []


def test_a_click_or_keys_on_the_tiles_choose_a_head_and_nothing_of_a_slide_lies_over_anything_else(visit):
    page = visit("/heads")
    before = query(page).get("head")
    plot = page.locator(".js-plotly-plot").first
    for name in ("heads-tiles", "heads-one"):
        figure = page.locator(f".st-key-{name} .js-plotly-plot").bounding_box()
        assert figure["y"] + figure["height"] <= 725, f"{name} is whole in a low window"
    beside = page.locator(".st-key-heads-one .js-plotly-plot").evaluate(
        """plot => plot.querySelector(".cbfills").getBoundingClientRect().left
            - plot.querySelector(".heatmaplayer").getBoundingClientRect().right"""
    )
    assert 0 < beside < 60, "the colour bar stands near the cells"
    plot.scroll_into_view_if_needed()
    area = plot.locator(".nsewdrag").first.bounding_box()
    x, y = area["x"] + area["width"] * 0.3, area["y"] + area["height"] * 0.42
    page.mouse.move(x - 2, y - 2)
    page.mouse.move(x, y)
    page.mouse.click(x, y)
    wait_for(page, lambda: query(page).get("head") not in (None, before))
    settle(page)
    layer, head = query(page)["head"].split("-")
    assert any(line.startswith(f"L{layer}-H{head} (index ") for line in answer(page)["headings"])
    plot.focus()
    for key in ("ArrowDown", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    spoken = re.compile(r"^L2-H3 \(index 1, 2\) \d+ % on the token itself, most: \S+, \S+, \S+$")
    page.get_by_role("status").filter(has_text=spoken).wait_for()  # a head a step, and said once
    page.keyboard.press("Enter")
    wait_for(page, lambda: query(page).get("head") == "2-3")
    settle(page)
    written = plot.evaluate("plot => plot._fullLayout._d3locale.numberFormat('.2f')(-0.5)")
    assert written == "−0.50", "what a point says has the minus of the axes"
    assert alerts(page) == []
    nothing_lies_over_anything_else(page)


def test_a_click_on_the_map_chooses_a_share_and_layers(visit):
    page = visit("/mixing")
    click_cell(page, "mixing", 3, 30)
    wait_for(page, lambda: query(page).get("mixed") == "3")
    settle(page)
    assert query(page)["w"] == "0.5"
    page.get_by_role("button", name="Take as recipe A").click()
    wait_for(page, lambda: "mix=averaged" in query(page).get("a", ""))
    settle(page)
    assert box(page, A).input_value() == "source=untuned;layers=3;mix=averaged"
    assert alerts(page) == []


@pytest.mark.parametrize(
    ("link", "named"),
    [
        (f"/masking?sentence={' '.join(LONG.split()[:23])}", 1.0),
        (f"/masking?sentence={LONG}", 1.0),
        (f"/heads?sentence={' '.join(LONG.split()[:27])}", 1.0),
        (f"/heads?sentence={LONG}", 0.4),
        (f"/?pair=1,2&b=none&sentences={LONG}%0AThe dam was not repaired.", 1.0),
        (f"/?pair=1,2&sentences={LONG}%0A{LONG} so.", 0.3),
        (f"/masking?present=true&sentence={LONG}", 0.4),
        (f"/heads?present=true&figure=2&token=although&sentence={LONG}", 0.3),
    ],
)
def test_names_of_tokens_lie_over_each_other_in_no_window(visit, link, named):
    page = visit(link.replace(" ", "+"))
    for width in (1280, 900, 1280):
        page.set_viewport_size({"width": width, "height": 720})
        wait_for(page, lambda: page.evaluate(TOKENS))
        settle(page)
        wait_for(page, lambda: all(one["apart"] >= 0.95 * one["size"] for one in page.evaluate(TOKENS)))
        for one in page.evaluate(TOKENS):
            assert one["size"] >= 9
            assert width < 1280 or one["names"] >= named * one["tokens"]


def test_names_of_tokens_are_as_large_as_the_rest_of_a_slide_where_there_is_room(visit):
    page = visit("/masking?present=true")
    wait_for(page, lambda: page.evaluate(TOKENS))
    settle(page)
    wait_for(page, lambda: all(one["size"] >= 20 for one in page.evaluate(TOKENS)))
    for one in page.evaluate(TOKENS):
        assert one["names"] == one["tokens"] == 19
        assert one["apart"] >= one["size"]


TYPE = """() => document.querySelector(".st-key-stage .ytick text").getBoundingClientRect().height"""
"""Pixels of a name along the rows of a presented figure, as they are seen."""


def test_a_figure_is_presented_as_large_as_its_window(visit):
    page = visit("/layers?present=true&figure=3&corpus=dogs")
    wait_for(page, lambda: page.evaluate(TYPE))
    settle(page)
    laptop = page.evaluate(TYPE)
    page.set_viewport_size({"width": 1920, "height": 1080})
    wait_for(page, lambda: abs(page.evaluate(TYPE) / laptop - 1.5) < 0.1)
    settle(page)
    figure, stage = (page.locator(f".st-key-stage{inside}").first for inside in (" .main-svg", ""))
    drawn, room = figure.bounding_box(), stage.bounding_box()
    assert drawn["width"] == pytest.approx(room["width"], abs=4)
    assert drawn["height"] == pytest.approx(room["height"], abs=4)
    point = page.locator(".st-key-stage .scatterlayer .point").nth(2).bounding_box()
    page.mouse.move(point["x"] + 4, point["y"] + 4)
    page.mouse.move(point["x"] + point["width"] / 2, point["y"] + point["height"] / 2)
    page.locator(".st-key-stage .hoverlayer text").first.wait_for()
    assert "layer 1" in page.locator(".st-key-stage .hoverlayer text").first.text_content()
    page.set_viewport_size({"width": 1280, "height": 720})
    wait_for(page, lambda: abs(page.evaluate(TYPE) / laptop - 1) < 0.05)


ROWS = """() => [...document.querySelectorAll(".st-key-stage .ytick text, .st-key-stage .annotation")]
    .map((one) => one.getBoundingClientRect())
    .map(({ top, bottom }) => [top, bottom])
    .sort((one, other) => one[0] - other[0])"""
"""Upper and lower ends of the names of rows of a presented figure, and of the headings between them."""


@pytest.mark.parametrize(
    "link",
    [
        "papers?table=Table 11: Weights and post-processing: STS-B",
        "papers?paper=Lu 2023&table=scoreboard: Similarity: 18 systems on seven tasks",
        f"?b=none&sentences={'%0A'.join(f'The {i * i}th sentence of many is here.' for i in range(40))}",
    ],
)
def test_rows_of_a_long_table_lie_beside_each_other_where_it_is_presented(visit, link):
    page = visit(f"/{link}&present=true".replace(" ", "+"))
    wait_for(page, lambda: len(page.evaluate(ROWS)) > 8)
    settle(page)
    rows = page.evaluate(ROWS)
    over = [(above[1] - below[0]) / (below[1] - below[0]) for above, below in pairwise(rows)]
    assert max(over) < 0.35, "boxes of type are higher than its letters"
