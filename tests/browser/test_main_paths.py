"""What visitors do, in a real browser."""

import re
from xml.etree import ElementTree

import pytest

from tests.browser.conftest import DOGS, settle
from tests.browser.reading import (
    SENTENCES,
    A,
    B,
    alerts,
    answer,
    box,
    cell,
    open_files,
    open_menu,
    pill,
    query,
    save,
    wait_for,
    write,
)

HEATMAPS = ".js-plotly-plot .heatmaplayer image"
PANELS = 6
"""Three matrices, each with a layer for the values in its light cells."""


# -- Compare


def test_one_arrives_on_compare_with_a_worked_example(visit):
    page = visit(fresh=True)
    assert page.locator(HEATMAPS).count() == PANELS
    assert answer(page)["headings"][0].startswith("Cosine: the closest pair under A is ")
    assert alerts(page) == []


def test_the_first_figure_is_above_the_fold_beside_the_sentences(visit):
    page = visit()
    figure = page.locator(".js-plotly-plot").first.bounding_box()
    assert figure["y"] + figure["height"] <= 720
    sentences = box(page, SENTENCES).bounding_box()
    assert sentences["x"] + sentences["width"] < figure["x"]
    page.set_viewport_size({"width": 800, "height": 900})
    settle(page)
    figure, sentences = (
        page.locator(".js-plotly-plot").first.bounding_box(),
        box(page, SENTENCES).bounding_box(),
    )
    assert sentences["y"] + sentences["height"] < figure["y"]


def click_cell(page, panel: int, row: int, column: int, count: int) -> None:
    """Click a cell of a matrix of so many sentences, all counted from 1."""
    name = "" if panel == 1 else str(panel)
    x, y, width, height = page.evaluate(
        """name => {
            const figure = document.querySelector('.js-plotly-plot'), at = figure.getBoundingClientRect();
            const x = figure._fullLayout['xaxis' + name], y = figure._fullLayout['yaxis' + name];
            return [at.x + x._offset, at.y + y._offset, x._length, y._length];
        }""",
        name,
    )
    at = (x + width * (column - 0.5) / count, y + height * (row - 0.5) / count)
    page.mouse.move(*at)
    page.wait_for_timeout(200)
    page.mouse.click(*at)


def test_a_cell_chooses_its_pair_and_its_sentences_open_on_another_page(visit):
    page = visit("/?a=layers%3D2")
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


def test_a_cell_among_many_sentences_is_clicked_too(visit):
    page = visit("/?clustered=false")
    write(page, SENTENCES, "\n".join(f"The {i * i}th sentence is here." for i in range(40)))
    page.set_viewport_size({"width": 1280, "height": 1300})
    settle(page)
    click_cell(page, 2, 31, 8, 40)
    wait_for(page, lambda: query(page).get("pair") == "8,31")


def test_a_recipe_is_written_and_stands_in_the_address(visit):
    page = visit()
    before = answer(page)
    write(page, A, "layers=all;pool=max")
    assert query(page)["a"] == "layers=all;pool=max"
    assert answer(page) != before


def test_a_cell_opens_its_editor_which_writes_the_recipe(visit):
    page = visit("/?a=layers%3Dlast")
    cell(page, "a-pool").click()
    pill(page, "max").click()
    wait_for(page, lambda: query(page).get("a") == "layers=last;pool=max")
    settle(page)
    assert query(page)["edit"] == "a.pool"
    assert box(page, A).input_value() == "layers=last;pool=max"
    assert page.locator(".st-key-cell-a-pool").inner_text() == "max"
    assert "A: last layer, max pooling" in "".join(answer(page)["captions"])
    page.keyboard.press("Escape")
    page.locator(".st-key-editor").wait_for(state="detached")


def test_layers_2_and_5_for_b_are_four_clicks_without_scrolling(visit):
    page = visit("/?b=layers%3Dlast")
    cell(page, "b-layers").click()
    for written, name in (("2+last", "2"), ("2+5+last", "5"), ("2+5", "last")):
        assert pill(page, name).bounding_box()["y"] < 720
        pill(page, name).click()
        wait_for(page, lambda text=written: query(page).get("b") == f"layers={text}")
        settle(page)
    assert "B: layers 2+5, mean" in "".join(answer(page)["captions"])


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1440, 900), (1920, 1080)])
def test_the_closed_bar_is_low_and_stays_in_sight(visit, width, height):
    page = visit("/scores", viewport={"width": width, "height": height})
    bar = page.locator(".st-key-bar")
    assert bar.bounding_box()["height"] <= 140
    page.locator(".js-plotly-plot").last.scroll_into_view_if_needed()
    assert 0 <= bar.bounding_box()["y"] < 20
    right = page.locator(".st-key-score-b").bounding_box()
    assert right["x"] + right["width"] <= width


def test_a_preset_is_taken_and_one_that_needs_more_sentences_offers_the_reference(visit):
    page = visit("/?b=layers%3Dlast")
    open_menu(page, "b")
    page.get_by_role("combobox", name=re.compile("Preset")).click()
    page.keyboard.type("ABTT")  # the menu is long: one types to find a method
    page.get_by_role("option", name=re.compile("^ABTT · ")).first.click()
    wait_for(page, lambda: query(page).get("b") == "post=abtt")
    settle(page)
    write(page, SENTENCES, "A cat sat.\nA dog ran.")
    assert "fit=reference" in "".join(alerts(page))
    page.get_by_role("button", name="Fit on the reference instead").click()
    wait_for(page, lambda: query(page).get("b") == "post=abtt(fit=reference)")
    settle(page)
    assert alerts(page) == []
    assert page.locator(HEATMAPS).count() == PANELS


def test_a_link_shows_the_same_to_somebody_else(visit):
    page = visit()
    write(page, A, "layers=0+last;tokens=unbiased")
    write(page, SENTENCES, "Ein Hund läuft.\nשלום עולם\nA dog runs; 100 % & more + so?\n# no\nA dog runs.")
    other = visit(page.url, fresh=True)
    assert box(other, A).input_value() == "layers=0+last;tokens=unbiased"
    assert box(other, B).input_value() == box(page, B).input_value()
    assert box(other, SENTENCES).input_value() == box(page, SENTENCES).input_value()
    assert answer(other) == answer(page)


def test_a_figure_is_saved_in_every_form(visit):
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


def test_nothing_of_a_slide_lies_over_anything_else(visit):
    """Title above, figure in the middle, caption below, whatever the figure has around its axes."""
    for path in ("/heads", "/layers"):
        page = visit(path)
        open_files(page)
        picture = page.frame_locator("iframe").first
        _, content = save(page, "^SVG", picture)
        slide = ElementTree.fromstring(content)
        space = "{http://www.w3.org/2000/svg}"
        figure = next(child for child in slide if child.tag == f"{space}svg")
        top, height = float(figure.get("y")), float(figure.get("height"))
        texts = slide.findall(f"{space}text")
        lines = [(float(text.get("y")), float(text.get("font-size"))) for text in texts]
        title = [line for line in lines if line[0] < top]
        caption = [line for line in lines if line[0] - line[1] >= top + height]
        assert title
        assert caption
        assert len(title) + len(caption) == len(lines)
        assert max(line for line, _ in lines) < 900
        assert (slide.get("width"), slide.get("height")) == ("1600", "900")
        fonts = [f"{text.get('font-weight')} {text.get('font-size')}px" for text in texts]
        wide = page.evaluate(
            """(lines) => { const pen = document.createElement("canvas").getContext("2d");
            return Math.max(...lines.map(([text, size]) => {
              pen.font = `${size} Helvetica, Arial, 'Liberation Sans', sans-serif`;
              return pen.measureText(text).width; })); }""",
            [[text.text, font] for text, font in zip(texts, fonts, strict=True)],
        )
        assert wide <= 1520


def test_after_saving_escape_closes_the_menu_and_the_next_click_counts(visit):
    page = visit("/?a=layers%3D1")
    open_files(page)
    save(page, "^PNG", page.frame_locator("iframe").first)
    page.keyboard.press("Escape")
    wait_for(page, lambda: page.locator("iframe").count() == 0)
    page.get_by_role("button", name=re.compile("More")).first.click()
    page.get_by_text("A: layers=1").first.wait_for()


def test_a_saved_page_opens_without_a_network(visit, browser, tmp_path):
    page = visit("/?a=layers%3Dlast")
    open_files(page)
    _, content = save(page, "HTML")
    (tmp_path / "figure.html").write_bytes(content)
    alone = browser.new_context(offline=True)
    page, errors, asked = alone.new_page(), [], []
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.on("request", lambda request: asked.append(request.url))
    page.goto((tmp_path / "figure.html").as_uri())
    page.locator(HEATMAPS).first.wait_for()
    assert page.locator(HEATMAPS).count() == PANELS
    assert "A: layers=last" in page.locator(".caption").first.text_content()
    assert errors == []
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []
    alone.close()


def test_markup_in_a_sentence_is_shown_and_never_run(visit):
    page = visit()
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
    page.keyboard.press("Escape")
    assert b"<script>" not in content
    for frame in page.frames:
        assert frame.evaluate("window.__xss") is None
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


def test_nonsense_is_told_beside_its_box(visit):
    page = visit("/?a=pool%3Dmena")
    assert "Did you mean 'mean'?" in "".join(alerts(page))


def test_a_recipe_is_given_a_name(visit):
    page = visit()
    open_menu(page, "a")
    box(page, "Name of recipe A").fill("my baseline")
    box(page, "Name of recipe A").press("Enter")
    wait_for(page, lambda: query(page).get("an") == "my baseline")
    settle(page)
    assert "my baseline" in page.locator(".st-key-cell-a").inner_text()
    other = visit(page.url, fresh=True)
    assert "my baseline" in other.locator(".st-key-cell-a").inner_text()


def test_the_keyboard_alone_reaches_the_recipe(visit):
    page = visit()
    page.locator("body").press("Tab")

    def tab_to(selector: str) -> None:
        for _ in range(80):
            if page.evaluate("s => document.activeElement.matches(s)", selector):
                return
            page.keyboard.press("Tab")
        pytest.fail(f"{selector} is not reached")

    tab_to(".st-key-cell-a button")
    page.keyboard.press("Enter")
    page.locator(".st-key-text-a").wait_for(state="visible")
    settle(page)
    tab_to(f'[aria-label="{A}"]')
    page.keyboard.press("Control+a")
    page.keyboard.type("layers=2")
    page.keyboard.press("Enter")
    wait_for(page, lambda: query(page).get("a") == "layers=2")


@pytest.mark.parametrize("address", ["/", "/scores"])
def test_a_page_is_drawn_in_the_dark(visit, address):
    page = visit(address, color_scheme="dark")
    background = page.locator('[data-testid="stApp"]').evaluate("e => getComputedStyle(e).backgroundColor")
    assert max(map(int, re.findall(r"\d+", background)[:3])) < 60
    label = page.locator(".js-plotly-plot .xtick text").first.evaluate("e => getComputedStyle(e).fill")
    assert min(map(int, re.findall(r"\d+", label)[:3])) > 180
    assert alerts(page) == []


# -- Scores


def test_a_page_is_whole_when_it_is_the_first_that_a_server_shows(new_site, visit):
    """Streamlit would run it past app.py: without the navigation on top, and without present view."""
    page = visit(f"{new_site}/scores?a=layers%3D2&b=none")
    answer(page)
    assert page.locator(".st-key-pages a:visible").count() == 11
    assert page.get_by_test_id("stSidebarNavLink").count() == 0
    assert query(page).get("a") == "layers=2"


def test_scores_of_both_recipes_and_their_difference(visit):
    page = visit("/scores")
    found = answer(page)
    assert len(found["numbers"]) == 2
    assert all(" ± " in number for number in found["numbers"])
    assert re.search("better by|No difference shown", found["headings"][0])
    assert "Tried in this visit: 2 recipes" in found["headings"]
    assert page.locator('[data-testid="stDataFrame"]').count() == 3
    assert page.locator(".js-plotly-plot").count() == 2


def test_scores_are_the_same_for_somebody_else(visit):
    page = visit("/scores")
    write(page, A, "layers=1+2;pool=max")
    page.get_by_role("radio", name="wmean").or_(
        page.get_by_role("button", name="wmean", exact=True)
    ).first.click()
    wait_for(page, lambda: query(page).get("aggregate") == "wmean")
    settle(page)
    other = visit(page.url, fresh=True)
    found = answer(page)
    assert "A: layers 1+2, max pooling" in "".join(found["captions"])
    assert answer(other)["numbers"] == found["numbers"]
    assert answer(other)["headings"][0] == found["headings"][0]


def test_a_corpus_of_the_data_folder_is_chosen(visit):
    page = visit("/scores")
    page.get_by_role("button", name=re.compile("demo test · 865 pairs")).first.click()
    page.get_by_text(re.compile("^dogs · 24 pairs")).click()
    wait_for(page, lambda: query(page).get("corpus") == "dogs")
    settle(page)
    assert "dogs all · 24 pairs" in "".join(answer(page)["captions"])


def test_a_file_that_is_brought_is_chosen_and_can_be_linked(visit):
    page = visit("/scores")
    table = "\n".join(["sentence1\tsentence2\tscore", *DOGS[:15]]) + "\n"
    page.get_by_role("button", name=re.compile("demo test · 865 pairs")).first.click()
    page.get_by_role("button", name=re.compile("Bring pairs")).first.click()
    page.locator('input[type="file"]').first.set_input_files(
        {"name": "my dogs.tsv", "mimeType": "text/tab-separated-values", "buffer": table.encode()}
    )
    page.get_by_role("button", name="Use these pairs").click()
    wait_for(page, lambda: query(page).get("corpus", "").startswith("my-dogs-"))
    settle(page)
    assert "my dogs all · 15 pairs" in "".join(answer(page)["captions"])
    other = visit(page.url, fresh=True)
    assert answer(other)["numbers"] == answer(page)["numbers"]
    assert alerts(other) == []


def test_a_file_that_is_no_corpus_says_what_is_missing(visit):
    page = visit("/scores")
    page.get_by_role("button", name=re.compile("demo test · 865 pairs")).first.click()
    page.get_by_role("button", name=re.compile("Bring pairs")).first.click()
    page.locator('input[type="file"]').first.set_input_files(
        {"name": "notes.csv", "mimeType": "text/csv", "buffer": b"a,b\n1,2\n"}
    )
    page.get_by_text("Say which column is Sentence").wait_for()
    assert "corpus" not in query(page)


# -- Methods


def test_one_arrives_on_methods_with_a_scored_example_and_chooses_another(visit):
    page = visit("/methods?a=layers%3Dlast")
    found = answer(page)
    assert len(found["numbers"]) == 2
    assert " ± " in found["numbers"][0]
    assert any(line.startswith("SIF: ") for line in found["headings"])
    scored_by_others = any(line.startswith("Highest of ") for line in found["headings"])
    assert page.locator(".js-plotly-plot").count() == 2 + scored_by_others
    assert alerts(page) == []
    page.get_by_role("combobox", name=re.compile("^Method|Selected SIF")).first.fill("Ditto, last")
    page.get_by_role("option", name="Ditto, last", exact=True).click()
    wait_for(page, lambda: query(page).get("method") == "Ditto, last")
    settle(page)
    assert any(line.startswith("Ditto, last: ") for line in answer(page)["headings"])
    other = visit(page.url, fresh=True)
    assert answer(other)["numbers"] == answer(page)["numbers"]
    assert "Ditto, last" in other.get_by_role("heading", level=4).first.inner_text()
    page.get_by_role("button", name="Take as recipe A").click()
    wait_for(page, lambda: query(page).get("a") == "layers=last;weight=ditto")
    settle(page)
    assert box(page, A).input_value() == "layers=last;weight=ditto"


def test_a_row_of_the_table_chooses_its_method(visit):
    page = visit("/methods?family=Layers")
    page.locator('[data-testid="stDataFrame"]').first.click(position={"x": 16, "y": 55})
    wait_for(page, lambda: query(page).get("method") == "L1 + L2 + L12")
    settle(page)
    assert page.get_by_role("heading", name="L1 + L2 + L12 (2021)").count() == 1


def test_recipes_travel_from_page_to_page(visit):
    page = visit()
    write(page, A, "layers=2")
    page.get_by_role("link", name=re.compile("Scores")).first.click()
    page.locator('[data-testid="stMetricValue"]').first.wait_for()
    settle(page)
    assert box(page, A).input_value() == "layers=2"
    assert query(page)["a"] == "layers=2"
    assert "A: layer 2, mean" in "".join(answer(page)["captions"])


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
