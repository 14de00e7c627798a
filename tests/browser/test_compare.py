"""The page Compare in a real browser."""

from components.compare.examples import MIXED
from tests.browser.conftest import settle
from tests.browser.reading import (
    SENTENCES,
    A,
    answer,
    box,
    chosen,
    open_files,
    query,
    save,
    wait_for,
    write,
)

HEATMAPS = ".js-plotly-plot .heatmaplayer image"
PANELS = 6
"""Three matrices, each with a layer for the values in its light cells."""


def click_cell(page, panel: int, row: int, column: int, count: int) -> None:
    """Click a cell of a matrix of so many sentences, all counted from 1."""
    x, y, width, height = place(page, panel)
    at = (x + width * (column - 0.5) / count, y + height * (row - 0.5) / count)
    page.mouse.move(*at)
    page.wait_for_timeout(200)
    page.mouse.click(*at)


def place(page, panel: int) -> list[float]:
    """Left and upper end of a matrix in the window, its width and its height."""
    return page.evaluate(
        """name => {
            const figure = document.querySelector('.js-plotly-plot'), at = figure.getBoundingClientRect();
            const x = figure._fullLayout['xaxis' + name], y = figure._fullLayout['yaxis' + name];
            return [at.x + x._offset, at.y + y._offset, x._length, y._length];
        }""",
        "" if panel == 1 else str(panel),
    )


def test_the_first_figure_is_above_the_fold_beside_the_sentences_by_the_name_of_the_page_too(visit):
    page = visit("/compare?all.pairs=true")
    assert page.get_by_text("Page not found").count() == 0
    figure = page.locator(".js-plotly-plot").first.bounding_box()
    assert figure["y"] + figure["height"] <= 720
    sentences = box(page, SENTENCES).bounding_box()
    assert sentences["x"] + sentences["width"] < figure["x"]
    hint = page.get_by_text("too narrow for the stages of a recipe")
    assert not hint.is_visible()
    page.set_viewport_size({"width": 800, "height": 720})
    settle(page)
    assert hint.is_visible(), "a small window says where the stages are"
    figure, sentences = (
        page.locator(".js-plotly-plot").first.bounding_box(),
        box(page, SENTENCES).bounding_box(),
    )
    assert sentences["y"] + sentences["height"] < figure["y"]
    assert figure["y"] < 570, "half of the first matrix is in view"
    cells = [(width / 12, height / 12) for *_, width, height in (place(page, n) for n in (1, 2, 3))]
    assert min(min(cell) for cell in cells) > 20, "room for a value"
    page.locator(".js-plotly-plot").first.evaluate("figure => figure.scrollIntoView({block: 'center'})")
    click_cell(page, 2, 2, 5, 12)
    wait_for(page, lambda: query(page).get("pair") == "2,5")
    settle(page)
    page.locator(".st-key-pair-close button:visible").click()
    wait_for(page, lambda: not query(page).get("pair"))
    page.set_viewport_size({"width": 1280, "height": 720})
    settle(page)
    assert place(page, 1)[1] == place(page, 3)[1], "beside each other again"
    choose_a_row_again(page)


def test_a_press_on_another_page_opens_it_and_keeps_what_was_written(visit):
    """However short: at its shortest the field is left and the link clicked in one moment."""
    page = visit("/")
    for turn, pressed in enumerate((None, 0, 60)):
        text = f"One dog runs.\nTwo cats sit.\nThis is turn {turn}."
        box(page, SENTENCES).press_sequentially(text) if turn == 0 else box(page, SENTENCES).fill(text)
        link = page.locator(".st-key-bar").get_by_role("link", name="Tokens")
        if pressed is None:
            link.evaluate("link => (document.activeElement.blur(), link.click())")
        else:
            link.click(delay=pressed)
        page.wait_for_url("**/tokens*")
        settle(page)
        page.locator(".st-key-bar").get_by_role("link", name="Compare").click()
        page.wait_for_function("!location.pathname.includes('tokens')")
        settle(page)
        assert text in box(page, SENTENCES).input_value()


def choose_a_row_again(page) -> None:
    """A row of the table of pairs is chosen again after its panel was closed."""

    def click(row: int) -> None:
        table = page.locator('[data-testid="stDataFrame"]').first
        table.scroll_into_view_if_needed()
        at = table.bounding_box()
        page.mouse.click(at["x"] + 60, at["y"] + 35 * (row + 1) + 18)

    click(2)
    wait_for(page, lambda: query(page).get("pair"))
    settle(page)
    pair = query(page)["pair"]
    page.locator(".st-key-pair-close button:visible").click()
    wait_for(page, lambda: not query(page).get("pair"))
    settle(page)
    click(2)
    wait_for(page, lambda: query(page).get("pair") == pair)
    settle(page)
    click(0)
    wait_for(page, lambda: query(page).get("pair") not in (None, pair))


def test_a_cell_chooses_its_pair_and_its_sentences_open_on_another_page(visit):
    page = visit("/?corpus=dogs&a=layers%3D2")
    matrices = page.locator(".js-plotly-plot").first
    top = matrices.bounding_box()["y"]
    click_cell(page, 1, 4, 7, 12)
    settle(page)
    assert page.locator(".st-key-findings a").count() > 1
    assert abs(matrices.bounding_box()["y"] - top) < 2, "the matrices stay under the pointer"
    for panel, row, column in ((1, 2, 5), (2, 9, 3), (3, 12, 11), (1, 2, 5)):
        click_cell(page, panel, row, column, 12)
        pair = ",".join(map(str, sorted((row, column))))
        wait_for(page, lambda pair=pair: query(page).get("pair") == pair)
        settle(page)
        assert page.get_by_role("heading", name=f"Sentences {pair.replace(',', ' and ')}: ").count() == 1
    found = answer(page)
    other = visit(page.url, fresh=True)
    assert answer(other) == found
    page.locator(".st-key-compare-pair").get_by_role("link", name="Masking").first.click()
    wait_for(page, lambda: "/masking" in page.url)
    settle(page)
    assert box(page, "A sentence of yours").input_value() == "You can buy fresh bread there from 7 a.m."
    assert query(page)["a"] == "layers=2"
    assert box(page, A).input_value() == "layers=2"


def test_a_cell_among_many_is_clicked_and_markup_in_a_sentence_is_shown_and_never_run(visit):
    page = visit("/?clustered=false")
    write(page, SENTENCES, "\n".join(f"The {i * i}th sentence is here." for i in range(40)))
    page.set_viewport_size({"width": 1280, "height": 1300})
    settle(page)
    click_cell(page, 2, 31, 8, 40)
    wait_for(page, lambda: query(page).get("pair") == "8,31")
    settle(page)
    page.set_viewport_size({"width": 1280, "height": 1400})
    texts = [
        "<script>window.__xss = 1</script>",
        '<img src=x onerror="window.__xss = 1">',
        "</script><script>window.__xss = 1</script>",
        "**bold** [link](http://example.org) $x^2$ :red[x]",
    ]
    write(page, SENTENCES, "\n".join(texts))
    open_files(page)
    picture = page.frame_locator("iframe").first
    _, content = save(page, "^SVG", picture)
    assert b"<script>" not in content
    for frame in page.frames:  # while what the menu has opened is still there
        assert frame.evaluate("window.__xss") is None
    page.keyboard.press("Escape")
    labels = "".join(page.locator(".js-plotly-plot .ytick").all_text_contents())
    assert "<script>" in labels
    assert "<img" in labels
    corner = page.locator(HEATMAPS).first.bounding_box()
    page.mouse.move(corner["x"] + 10, corner["y"] + 10)
    hover = page.locator(".hoverlayer").first
    hover.locator("text").first.wait_for()
    assert "<script>" in "".join(hover.all_text_contents())
    assert page.locator('[data-testid="stMain"] a[href*="example.org"]').count() == 0
    assert page.locator(".katex").count() == 0


def test_a_point_of_the_map_chooses_its_sentence_and_a_lasso_a_group(visit):
    page = visit("/?corpus=dogs&a=layers%3D2&b=layers%3D1&shown=map")
    page.set_viewport_size({"width": 1280, "height": 1400})
    settle(page)
    points = page.locator(".scatterlayer .points path")

    def nearest() -> str:
        return page.get_by_text("Nearest to", exact=False).first.inner_text()

    for place in (1, 4):
        before, at = nearest(), points.nth(place).bounding_box()
        page.mouse.move(at["x"] + at["width"] / 2, at["y"] + at["height"] / 2)
        page.wait_for_timeout(300)
        page.mouse.down()
        page.mouse.up()
        wait_for(page, lambda before=before: nearest() != before)
        settle(page)
        assert nearest() == f"Nearest to {MIXED[place]}"
    map_ = page.locator(".draglayer .xy .nsewdrag").first.bounding_box()
    corners = ((0.01, 0.01), (0.01, 0.99), (0.6, 0.99), (0.6, 0.01), (0.01, 0.01))
    for number, (x, y) in enumerate(corners):
        page.mouse.move(map_["x"] + map_["width"] * x, map_["y"] + map_["height"] * y, steps=8)
        if not number:
            page.mouse.down()
    page.mouse.up()
    heading = page.get_by_role("heading", name="Chosen: ")
    wait_for(page, lambda: heading.count() == 1)
    count = int(heading.inner_text().split()[1])
    assert 2 < count < len(MIXED)
    page.locator('[data-testid="stDataFrame"] canvas').first.wait_for()  # below it everything moves
    settle(page)
    page.get_by_role("link", name="Compare them").click()
    page.locator(HEATMAPS).first.wait_for()
    settle(page)
    assert "shown=map" not in page.url, "their matrices, not the map that one came from"
    assert chosen(page, "shown") == "matrices", "the next click would lead back to it"
    sentences = box(page, SENTENCES).input_value().splitlines()
    assert len(sentences) == count
    page.locator(".st-key-compare-open button:visible").click()
    page.evaluate(
        "addEventListener('click', ({ target }) => (window.first ??= target.closest('a')?.innerText))"
    )
    page.locator("[data-testid='stPopoverBody']").get_by_role("link", name="Heads").click()
    wait_for(page, lambda: "/heads" in page.url and query(page).get("sentence") == sentences[0])
    assert "Heads" in (page.evaluate("window.first") or ""), "at once, not once the menu has closed"
