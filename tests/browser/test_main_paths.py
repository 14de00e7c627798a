"""What visitors do, in a real browser."""

import re

import pytest

from tests.browser.conftest import DOGS, settle
from tests.browser.reading import SENTENCES, A, B, alerts, answer, box, query, save, wait_for, write

HEATMAPS = ".js-plotly-plot .heatmaplayer image"


# -- Compare


def test_one_arrives_on_compare_with_a_worked_example(visit):
    page = visit(fresh=True)
    assert page.locator(HEATMAPS).count() == 3
    assert answer(page)["headings"][0].startswith("Under B “")
    assert alerts(page) == []


def test_a_recipe_is_written_and_stands_in_the_address(visit):
    page = visit()
    before = answer(page)
    write(page, A, "layers=all;pool=max")
    assert query(page)["a"] == "layers=all;pool=max"
    assert answer(page) != before


def test_a_chip_writes_the_recipe(visit):
    page = visit()
    page.get_by_role("button", name=re.compile("^pool mean")).first.click()
    page.get_by_role("combobox", name=re.compile("How token vectors")).first.click()
    page.get_by_role("option", name=re.compile("^max")).click()
    wait_for(page, lambda: query(page).get("a") == "layers=last;pool=max")
    settle(page)
    assert box(page, A).input_value() == "layers=last;pool=max"
    assert "A: layers=last;pool=max" in "".join(answer(page)["captions"])


def test_a_preset_is_taken_and_one_that_needs_more_sentences_offers_the_reference(visit):
    page = visit()
    page.get_by_role("combobox", name=re.compile("Preset for recipe B")).click()
    page.keyboard.type("ABTT")  # the menu is long: one types to find a method
    page.get_by_role("option", name=re.compile("ABTT$")).first.click()
    wait_for(page, lambda: query(page).get("b") == "post=abtt")
    settle(page)
    write(page, SENTENCES, "A cat sat.\nA dog ran.")
    assert "fit=reference" in "".join(alerts(page))
    page.get_by_role("button", name="Fit on the reference instead").click()
    wait_for(page, lambda: query(page).get("b") == "post=abtt(fit=reference)")
    settle(page)
    assert alerts(page) == []
    assert page.locator(HEATMAPS).count() == 3


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
    page = visit("/?a=layers%3D1")
    name, content = save(page, "CSV")
    assert name == "compare.csv"
    assert content.startswith(b"\xef\xbb\xbf# Under B")
    assert b"# A: layers=1\n" in content
    name, content = save(page, "HTML")
    assert name == "compare.html"
    assert content.lower().startswith(b"<!doctype html>")
    assert b"A: layers=1" in content
    page.get_by_role("button", name=re.compile("PNG")).first.click()
    settle(page)
    picture = page.frame_locator("iframe").first
    name, content = save(page, "Save PNG", picture)
    assert name == "compare.png"
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    assert int.from_bytes(content[16:20], "big") == 3200
    name, content = save(page, "Save SVG", picture)
    assert name == "compare.svg"
    assert b"<svg" in content[:200]
    assert b"A: layers=1" in content


def test_a_saved_page_opens_without_a_network(visit, browser, tmp_path):
    _, content = save(visit(), "HTML")
    (tmp_path / "figure.html").write_bytes(content)
    alone = browser.new_context(offline=True)
    page, errors, asked = alone.new_page(), [], []
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.on("request", lambda request: asked.append(request.url))
    page.goto((tmp_path / "figure.html").as_uri())
    page.locator(HEATMAPS).first.wait_for()
    assert page.locator(HEATMAPS).count() == 3
    assert "A: layers=last" in page.locator(".annotation-text").first.text_content()
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
    page.get_by_role("button", name=re.compile("PNG")).first.click()
    settle(page)
    picture = page.frame_locator("iframe").first
    _, content = save(page, "Save SVG", picture)
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


def test_the_keyboard_reaches_the_recipe(visit):
    page = visit()
    page.locator("body").press("Tab")
    for _ in range(60):
        if page.evaluate("document.activeElement.getAttribute('aria-label')") == A:
            break
        page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == A
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
    assert page.get_by_test_id("stTopNavLink").count() == 9
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
    assert "A: layers=1+2;pool=max" in "".join(found["captions"])
    assert answer(other)["numbers"] == found["numbers"]
    assert answer(other)["headings"][0] == found["headings"][0]


def test_a_corpus_of_the_data_folder_is_chosen(visit):
    page = visit("/scores")
    page.get_by_role("combobox", name=re.compile("Corpus")).first.click()
    page.get_by_role("option", name="dogs", exact=True).click()
    wait_for(page, lambda: query(page).get("corpus") == "dogs")
    settle(page)
    assert "dogs all · 24 pairs" in "".join(answer(page)["captions"])


def test_a_file_that_is_brought_is_chosen_and_can_be_linked(visit):
    page = visit("/scores")
    table = "\n".join(["sentence1\tsentence2\tscore", *DOGS[:15]]) + "\n"
    page.get_by_role("button", name=re.compile("Bring a file")).first.click()
    page.locator('input[type="file"]').first.set_input_files(
        {"name": "my dogs.tsv", "mimeType": "text/tab-separated-values", "buffer": table.encode()}
    )
    wait_for(page, lambda: query(page).get("corpus", "").startswith("my-dogs-"))
    settle(page)
    assert "15 pairs" in "".join(answer(page)["captions"])
    other = visit(page.url, fresh=True)
    assert answer(other)["numbers"] == answer(page)["numbers"]
    assert alerts(other) == []


def test_a_file_that_is_no_corpus_says_what_is_missing(visit):
    page = visit("/scores")
    page.get_by_role("button", name=re.compile("Bring a file")).first.click()
    page.locator('input[type="file"]').first.set_input_files(
        {"name": "notes.csv", "mimeType": "text/csv", "buffer": b"a,b\n1,2\n"}
    )
    page.get_by_text("no column sentence1, sentence2, score").wait_for()
    assert "corpus" not in query(page)


# -- Methods


def test_one_arrives_on_methods_with_a_scored_example_and_chooses_another(visit):
    page = visit("/methods")
    found = answer(page)
    assert len(found["numbers"]) == 2
    assert " ± " in found["numbers"][0]
    assert any(line.startswith("SIF: ") for line in found["headings"])
    assert page.locator(".js-plotly-plot").count() == 1
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
    assert "A: layers=2" in "".join(answer(page)["captions"])


def test_figures_are_presented_large_and_turned_over_by_arrow_keys(visit):
    page = visit("/scores?present=true")
    page.get_by_text("1 / 2").wait_for()
    assert not page.locator('[data-testid="stSidebar"]').is_visible()
    assert page.locator(".js-plotly-plot:visible").count() == 1
    page.keyboard.press("ArrowRight")
    page.get_by_text("2 / 2").wait_for()
    settle(page)
    page.keyboard.press("Escape")
    page.locator('[data-testid="stSidebar"]').wait_for(state="visible")
    wait_for(page, lambda: query(page).get("present", "false") == "false")
