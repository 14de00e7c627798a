"""Decks in a real browser: pinned by mouse and key, the same for others, presented, and taken along."""

import io
import json
import zipfile
from dataclasses import replace

import plotly.graph_objects as go
import pytest
from PIL import Image
from pptx import Presentation

from components import command_line
from components.deck import changes, files, pasted, powerpoint, presenter
from components.deck.demonstrations import DEMONSTRATIONS
from components.deck.document import Deck, Slide, Table, new_id
from components.exports import pictures
from components.figures.animation import Animation, moving
from components.link.arriving import MARK
from components.state import DEFAULTS
from tests.browser.conftest import MOVES, served, settle
from tests.browser.keys import skip_to_the_content, tab_to
from tests.browser.reading import A, alerts, box, query, wait_for, write
from tests.browser.test_every_page import CONTRAST, FADES, serious, to_dark
from tests.components.deck.figures import pinned
from tests.components.deck.test_files import HOSTILE

SETTINGS = MOVES

MEASURED = """() => {
  const slide = document.querySelector(".slide.at"), H = innerHeight, root = document.documentElement
  const shown = [...slide.querySelectorAll("text, tspan, h2, td, th, li, p, span")].filter(
    (one) => one.textContent.trim() && one.checkVisibility() && !one.closest(".note, .behind"))
  const size = (one) => {
    const plot = one.closest(".plot")
    const scale = plot ? new DOMMatrix(getComputedStyle(plot).transform).a : 1
    return scale * parseFloat(getComputedStyle(one).fontSize) / H
  }
  const boxes = [...slide.querySelectorAll(".main-svg text")].map((one) => one.getBoundingClientRect())
  return {
    figures: [...slide.querySelectorAll(".room")].map((room) => room.getBoundingClientRect().height / H),
    drawn: slide.querySelectorAll(".main-svg").length > 0,
    smallest: Math.min(...shown.map(size)),
    fits: root.scrollHeight <= H && root.scrollWidth <= innerWidth
      && boxes.every((box) => box.left >= -1 && box.right <= innerWidth + 1)
      && boxes.every((box) => box.top >= -1 && box.bottom <= H + 1),
    over: [...slide.querySelectorAll(".main-svg .yaxislayer-above")].reduce((sum, axis) => {
      const names = [...axis.querySelectorAll(".ytick text, [class*=y][class*=tick] text")]
        .filter((one) => one.textContent.trim()).map(inked)
      return sum + names.filter((one, i) => names.some((other, k) => k > i && over(one, other))).length
    }, 0),
    at: location.hash,
  }
  function inked(one) {
    const box = one.getBoundingClientRect(), text = one.textContent
    const spaces = text.length - text.trimEnd().length
    return { top: box.top, bottom: box.bottom, left: box.left, right: box.right - spaces * size(one) * H }
  }
  function over(one, other) {
    const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top)
    const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left)
    return wide > 0 && high > 0.4 * (one.bottom - one.top)
  }
}"""
"""What of the window figures take, the smallest type, and names of rows that lie over each other."""


def test_figures_are_pinned_by_key_and_mouse_and_others_present_them(visit):
    page = visit("/scores")
    assert page.evaluate(FADES), "who has no such wish sees colours fade"
    page.locator(".stPlotlyChart").first.hover()
    page.keyboard.press("p")
    wait_for(page, lambda: query(page).get("deck"))
    settle(page)
    page.locator('[class*="-pin"] button:visible').nth(1).click()
    page.get_by_text("Pinned as slide 2").wait_for()
    pages, menu = (page.locator(f".st-key-{name}").bounding_box() for name in ("pages", "corpus-menu"))
    assert pages["x"] + pages["width"] + 4 < menu["x"], "the counter leaves the pages' names their room"

    write(page, A, "layers=0")
    settle(page)
    page.locator(".st-key-deck-count a:visible").first.click()
    page.locator("a:visible", has_text="Draw anew on Scores").first.click()
    wait_for(page, lambda: "/scores" in page.url and MARK not in query(page))
    settle(page)
    assert query(page).get("a", DEFAULTS["a"]) == DEFAULTS["a"], "as it was, not as it is"
    assert box(page, A).input_value() == DEFAULTS["a"]
    assert "v" not in query(page), "what is done next is another figure"

    other = visit(f"/deck?deck={query(page)['deck']}", fresh=True)
    assert other.locator(".st-key-deck-list button:visible").count() == 2
    other.locator(".st-key-deck-present button:visible").click()
    shown = other.frame_locator(".st-key-deck-presented iframe")
    shown.locator(".slide.at .main-svg").first.wait_for()
    other.keyboard.press("PageDown")
    shown.locator("#slide-2.at .main-svg").first.wait_for()
    other.keyboard.press("Escape")
    other.locator(".st-key-deck-list").wait_for()
    assert "present" not in query(other)


def test_a_menu_closes_once_it_did_what_was_chosen_and_a_double_click_is_one_click(visit):
    page = visit("/deck", fresh=True)
    menus = page.locator("[data-testid='stPopoverBody']:visible")

    def open_menu(menu: str) -> None:
        page.locator(f".st-key-deck-{menu} button:visible").first.click()
        menus.wait_for()
        settle(page)

    def choose(menu: str, name: str) -> None:
        open_menu(menu)
        menus.get_by_role("button", name=name).click()
        settle(page)
        wait_for(page, lambda: menus.count() == 0)

    choose("adding", "Text slide")
    first = query(page)["deck"]
    choose("files", "Begin another deck")
    assert "deck" not in query(page)
    open_menu("files")
    link = menus.get_by_role("textbox", name="Open by link or address")
    link.fill(first)
    link.press("Enter")
    wait_for(page, lambda: query(page).get("deck") == first)
    settle(page)
    wait_for(page, lambda: menus.count() == 0)
    slides = page.locator(".st-key-deck-list button:visible")
    page.get_by_role("button", name="Add").first.click()
    page.locator(".st-key-deck-add-text button:visible").dblclick()
    wait_for(page, lambda: slides.count() == 2)
    page.keyboard.press("Escape")
    for name, count in (("duplicate", 3), ("duplicate", 4), ("remove", 3), ("undo", 4)):
        settle(page)
        page.locator(f".st-key-deck-{name} button:visible").dblclick(delay=70)
        wait_for(page, lambda count=count: slides.count() == count)
        settle(page)
        assert (slides.count(), alerts(page)) == (count, []), name


def test_by_keys_alone_a_deck_is_opened_presented_and_left_and_axe_finds_nothing_serious(visit):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    page = visit("/deck", color_scheme="light")
    page.wait_for_function("window.Plotly")  # which is loaded before there is any figure
    skip_to_the_content(page)
    to_dark(page)
    assert serious(axe, page, CONTRAST) == [], "an empty deck, and what each paper claims"
    page.emulate_media(color_scheme="light")
    settle(page)
    tab_to(page, ".st-key-deck-papers-001 button")
    page.keyboard.press("Enter")
    wait_for(page, lambda: query(page).get("deck"))
    settle(page)
    assert serious(axe, page) == []
    to_dark(page)
    assert serious(axe, page, CONTRAST) == []
    page.reload()
    settle(page)
    assert page.locator(".st-key-deck-list button:visible").count() == 7
    tab_to(page, ".st-key-deck-present button")
    page.keyboard.press("Enter")
    shown = page.frame_locator(".st-key-deck-presented iframe")
    shown.locator("#slide-1.at").wait_for()
    page.keyboard.press("PageDown")
    said = shown.locator("#slide-2.at .player output")
    said.wait_for()
    assert page.locator('[data-testid="stToast"]').count() == 0, "nothing lies over a slide"
    begun = said.inner_text()
    page.keyboard.press("a")
    wait_for(page, lambda: said.inner_text() != begun)
    page.keyboard.press("End")
    shown.locator("#slide-7.at .main-svg").first.wait_for()
    page.keyboard.press("PageUp")
    shown.locator("#slide-6.at").wait_for()
    page.keyboard.press("Escape")
    page.locator(".st-key-deck-list").wait_for()
    settle(page)
    assert query(page)["slide"] == "6", "the one that was left"
    assert page.get_by_role("spinbutton", name="Slide of 7").input_value() == "6"
    tab_to(page, ".st-key-deck-papers button")
    page.keyboard.press("Enter")
    page.locator(".st-key-deck-papers-001 button:visible").wait_for()
    assert serious(axe, page, CONTRAST) == [], "what is read with a menu open"


def test_formulas_and_tables_are_set_on_the_page_and_other_markup_is_text(visit):
    page = visit("/deck", fresh=True)
    page.get_by_role("button", name="Add").first.click()
    page.locator(".st-key-deck-add-text button:visible").click()
    page.locator(".st-key-deck-words strong").wait_for()
    settle(page)
    field = page.get_by_role("textbox", name="Text on the slide").first
    field.fill(f"$\\frac{{a}}{{b}}$ {HOSTILE} [there](https://example.org)\n\n| n |\n|--:|\n| $x^2$ |")
    field.press("Control+Enter")
    words = page.locator(".st-key-deck-words .words")
    words.locator("td msup").wait_for()
    above, below = (one.bounding_box() for one in words.locator("mfrac > *").all())
    assert above["y"] < below["y"] - 2, "a fraction, not letters in a row"
    assert words.locator("img, script").count() == 0
    assert "<img src=x onerror=alert(1)>" in words.inner_text()
    assert words.locator("a").get_attribute("target") == "_blank"


def test_a_row_that_has_no_room_is_told(browser, tmp_path):
    rows = (("short", 1), ("short", 2), ("long " * 4000, 3))
    deck = changes.add(Deck(), Slide("a", "A long row", table=Table(("word", "score"), rows)))
    path = tmp_path / "talk.html"
    path.write_text(presenter.page(deck), "utf-8")
    context = browser.new_context(viewport={"width": 1280, "height": 720}, offline=True)
    page = context.new_page()
    page.goto(path.as_uri())
    said = page.locator(".slide.at .more")
    said.wait_for()
    assert said.inner_text() == "… and 1 more row, which is in the file"
    context.close()


def test_a_small_table_has_the_room_of_its_slide_and_a_long_cell_its_lines(browser, tmp_path):
    deck = changes.add(Deck(), Slide("b", "A long cell", table=Table(("x", "y"), (("word " * 90, 1),))))
    small = pasted.table('method,demo,"STS-B, test"\nmean,46.0,40.1\nDitto + z-score,49.4,')
    deck = changes.add(deck, Slide("a", "A table", table=small))
    path = tmp_path / "talk.html"
    path.write_text(presenter.page(deck), "utf-8")
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    page.goto(path.as_uri())
    sizes = {}
    for slide in deck.slides:
        cells = page.locator(".slide.at tbody td")
        cells.first.wait_for()
        sizes[slide.title] = cells.first.evaluate("one => parseFloat(getComputedStyle(one).fontSize)")
        rows = page.locator(".slide.at tr").evaluate_all("all => all.map((row) => row.offsetWidth)")
        assert min(rows) > 0.9 * 1280
        high = cells.first.evaluate("one => one.offsetHeight")
        assert (high < 2 * sizes[slide.title]) == (slide.title == "A table")
        page.keyboard.press("ArrowRight")
    assert sizes["A table"] == pytest.approx(6.5 * 7.2, abs=0.5)
    assert sizes["A long cell"] == pytest.approx(4 * 7.2, abs=0.5)
    page.close()


def test_the_first_page_of_a_server_is_whole_and_a_deck_is_there_after_a_restart(
    visit, chromium, tmp_path, with_lasting_passes
):
    with_lasting_passes(tmp_path / "cache")
    with served(tmp_path) as site:
        page = visit(f"{site}/scores?corpus=dogs&a=layers%3D2&b=none")
        # Streamlit would run it past app.py: without the navigation on top, and without present view.
        assert page.locator(".st-key-pages a:visible").count() == 12
        assert page.get_by_test_id("stSidebarNavLink").count() == 0
        assert query(page).get("a") == "layers=2"
        page.locator(".stPlotlyChart").first.hover()
        page.keyboard.press("p")
        wait_for(page, lambda: query(page).get("deck"))
        settle(page)
        address = query(page)["deck"]
        page.close()
    with served(tmp_path) as site:
        page = visit(f"{site}/deck?deck={address}")
        assert page.locator(".st-key-deck-list button:visible").count() == 1
        page.locator(".js-plotly-plot .main-svg").first.wait_for()
        page.close()  # before its server ends


def test_a_page_that_is_taken_along_fills_every_window_without_network(browser, tmp_path):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    deck = Deck()
    for title in ("A finding", HOSTILE):
        deck = changes.pin(deck, pinned(title, 40))
    deck = changes.join(changes.pin(changes.pin(deck, pinned("left")), pinned("right")), deck.slides[0].id)
    table = Table(("word", "score"), tuple((f"word {n}", n / 7) for n in range(150)))
    deck = changes.add(deck, Slide(new_id(), "Many rows", table=table))
    deck = changes.edit(deck, deck.slides[0].id, title="Both", note="Say **this**")
    deck = changes.entitle(deck, deck.slides[0].id, 0, "Ours")
    path = tmp_path / "talk.html"
    path.write_text(presenter.page(deck), "utf-8")
    complaints = []
    for width, height, scheme in ((1280, 720, "light"), (1920, 1080, "dark"), (3840, 2160, "light")):
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, offline=True
        )
        page = context.new_page()
        page.on("console", lambda message: message.type == "error" and complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("dialog", lambda dialog: complaints.append(dialog.message))
        page.on(
            "request",
            lambda one: one.url.startswith(("file:", "data:", "blob:")) or complaints.append(one.url),
        )
        page.goto(path.as_uri())
        if width == 1280:
            for key in ("Home", "End", "r"):
                page.keyboard.press(key)
                page.wait_for_timeout(300)
                assert serious(axe, page) == []
            page.keyboard.press("r")
        for number, (key, figures) in enumerate((("Home", 2), ("PageDown", 1), (" ", 1), ("End", 0)), 1):
            page.keyboard.press(key)
            page.wait_for_function("() => !document.querySelector('.slide.at .room:not([data-drawn])')")
            page.wait_for_timeout(50)
            said = page.evaluate(MEASURED)
            assert said["fits"], (width, number, said)
            assert len(said["figures"]) == figures
            assert all(share >= 0.7 for share in said["figures"]), said
            assert said["drawn"] or not figures
            assert said["smallest"] >= 0.016, (width, number, said)
        assert said["at"] == "#4"
        assert "more rows" in page.locator(".slide.at .more").inner_text()
        if scheme == "dark":
            page.keyboard.press("Home")
            page.keyboard.press("n")
            assert page.locator(".slide.at .note strong").inner_text() == "this"
            page.keyboard.press("b")
            assert page.locator("#black").is_visible()
            with page.expect_popup() as opened:
                page.keyboard.press("s")
            opened.value.keyboard.press("PageDown")
            page.locator("#slide-2.at").wait_for()
            assert opened.value.locator("#place").inner_text() == "2 / 4"
            with page.expect_download() as saved:
                page.keyboard.press("z")
            with zipfile.ZipFile(saved.value.path()) as archive:
                assert archive.testzip() is None
                names = archive.namelist()
                assert [name[:4] for name in names[::2]] == ["001a", "001b", "002_", "003_", "capt"]
                sizes = [Image.open(archive.open(name)).size for name in names if name.endswith(".png")]
                assert sizes == [(3200, 1800)] * 4
                captions = archive.read("captions.txt").decode()
                assert HOSTILE in captions
                assert names[0] == "001a_Ours.svg", "by the words of the slide"
                assert "001a_Ours\nBoth\nOurs\nA: layers=last" in captions
            shown = page.evaluate("document.documentElement.dataset.mode")
            by_menu = page.pdf(prefer_css_page_size=True)
            assert by_menu.count(b"/Type /Page\n") == 4
            page.wait_for_function("mode => document.documentElement.dataset.mode === mode", arg=shown)
            page.evaluate("printable().then(() => 1)")
            printed = page.pdf(prefer_css_page_size=True)
            assert printed.count(b"/Type /Page\n") == 4
        context.close()
    assert complaints == []


def test_a_slide_is_as_wide_as_the_window_however_long_the_line_under_its_figure(browser, tmp_path):
    figure = pinned("A finding", 40)
    long = replace(figure, line=" · ".join(["B: SBERT-WK window=5 start=1 omega=0.2"] * 9))
    path = tmp_path / "talk.html"
    path.write_text(presenter.page(changes.pin(Deck(), long)), "utf-8")
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    page.goto(path.as_uri())
    page.wait_for_function("() => !document.querySelector('.slide.at .room:not([data-drawn])')")
    rooms = "all => all.map((one) => one.getBoundingClientRect().right)"
    assert max(page.locator(".slide.at :is(.room, .foot)").evaluate_all(rooms)) <= 1280
    assert page.evaluate(MEASURED)["fits"]
    page.close()


def test_powerpoint_has_the_figures_as_pictures(browser, tmp_path):
    deck = changes.pin(changes.pin(Deck(), pinned(HOSTILE, 40)), pinned("right", 40))
    deck = changes.join(changes.pin(deck, pinned("third", 40)), deck.slides[0].id)
    made = powerpoint.unfinished(deck)
    path = tmp_path / "make.html"
    path.write_text(presenter.drawing(deck, made.packed(), "talk.pptx"), "utf-8")
    context = browser.new_context(offline=True, accept_downloads=True)
    page = context.new_page()
    with page.expect_download() as saved:
        page.goto(path.as_uri())
    assert saved.value.suggested_filename == "talk.pptx"
    slides = Presentation(saved.value.path()).slides
    shapes = [shape for slide in slides for shape in slide.shapes if hasattr(shape, "image")]
    assert [shape.image.size for shape in shapes] == [
        (2 * one.width, 2 * one.height) for one in made.pictures
    ]
    drawn = [Image.open(io.BytesIO(shape.image.blob)).convert("L") for shape in shapes]
    assert all(len(image.getcolors()) > 10 for image in drawn)
    assert page.get_by_role("status").inner_text() == "PowerPoint is made. Save it again"
    measured = "getComputedStyle(document.getElementById('js-plotly-tester')).display"
    assert page.evaluate(measured) != "none", "words of no size are cut at the edges of pictures"
    assert page.locator("main").is_hidden()
    context.close()


def test_the_command_line_writes_powerpoint_with_its_pictures(chromium, tmp_path):
    deck, out = tmp_path / "deck.json", tmp_path / "talk.PPTX"
    deck.write_bytes(
        files.write(changes.pin(changes.pin(Deck(), pinned(HOSTILE, 40)), pinned("other", 40)))
    )
    given = ["report", str(deck), "--output", str(out), "--as-pinned", "--browser", chromium]
    assert command_line.main(given) == 0
    shapes = [
        shape for slide in Presentation(out).slides for shape in slide.shapes if hasattr(shape, "image")
    ]
    assert len(shapes) == 2
    for shape in shapes:
        assert len(Image.open(io.BytesIO(shape.image.blob)).convert("L").getcolors()) > 10


def test_figures_of_all_pages_can_be_read_from_the_back_row(browser, tmp_path):
    pinned_ones = [figure for one in DEMONSTRATIONS for figure in one.deck().figures.values()]
    different = {(figure.page, figure.key): figure for figure in pinned_ones}
    figures = {figure.name: figure for figure in different.values()}
    slides = [Slide(new_id(), one.title, figures=(name,)) for name, one in figures.items()]
    assert len({figure.page for figure in figures.values()}) == 11
    moving_ones = {"mixing", "evolution", "whitening", "sentences.map"}
    assert {figure.key for figure in figures.values() if figure.plotly.get("frames")} == moving_ones
    path = tmp_path / "all.html"
    path.write_text(presenter.page(Deck("all", tuple(slides), figures)), "utf-8")
    page = browser.new_page(viewport={"width": 1280, "height": 720}, color_scheme="light")
    page.goto(path.as_uri())
    for number, figure in enumerate(figures.values()):
        page.evaluate(f"go({number})")
        page.wait_for_function("() => !document.querySelector('.slide.at .room:not([data-drawn])')")
        said = page.evaluate(MEASURED)
        where = (figure.page, figure.key, said)
        assert said["at"] == f"#{number + 1}"
        assert said["drawn"], where
        assert said["fits"], where
        assert said["figures"][0] >= 0.7, where
        assert said["smallest"] >= 0.016, where
        assert said["over"] == 0, where
        if figure.key in moving_ones:
            _to_the_last_step(page, figure)
            assert page.evaluate(MEASURED)["fits"], where
    page.close()


def _to_the_last_step(page, figure) -> None:
    """Turn a figure to its last step, and find every trace where that frame says."""
    last = figure.plotly["frames"][-1]
    page.locator(".slide.at .player input").focus()
    page.keyboard.press("End")
    page.wait_for_function(
        """([place, moved, name]) => {
          const plot = document.querySelector(".slide.at .plot")
          const same = (a, b) => a === b || Math.abs(a - b) < 1e-6 || !Number.isFinite(a)
          const drawn = (i) => plot._fullData[place[i]].y
          return document.querySelector(".slide.at .player output").textContent.endsWith(name)
            && moved.every(({ y }, i) => !y || Array.from(numbers(y)).every((v, k) => same(v, drawn(i)[k])))
        }""",
        arg=[last["traces"], last["data"], last["name"]],
    )


def test_a_map_over_layers_is_played_and_held(browser, tmp_path):
    steps = [go.Figure(go.Scatter(x=[n, 2.0 * n], y=[0, 1], mode="markers")) for n in range(3)]
    for n, step in enumerate(steps):
        step.add_annotation(text=f"layer {n}", x=0, y=0)
    moves = moving(steps[1], Animation("layer", ("0", "1", "2"), tuple(steps), "1"))
    drawn = json.loads(pictures.on_white(moves).to_json())
    deck = changes.pin(changes.pin(Deck(), pinned("moves", plotly=drawn)), pinned("next"))
    path = tmp_path / "moves.html"
    path.write_text(presenter.page(deck), "utf-8")
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    page.goto(path.as_uri())
    said = page.locator(".player output")
    said.wait_for()
    assert said.inner_text() == "layer 1"
    measured = page.evaluate(MEASURED)
    assert measured["fits"]
    assert measured["smallest"] >= 0.016
    page.keyboard.press("a")
    points = "Array.from(document.querySelector('.plot')._fullData[0].x).join()"
    page.wait_for_function(f"() => {points} === '2,4'")
    page.get_by_role("button", name="Play").wait_for()
    assert said.inner_text() == "layer 2"
    page.locator(".player input").focus()
    page.keyboard.press("Home")
    page.wait_for_function(f"() => {points} === '0,0'")
    page.wait_for_function("() => document.querySelector('.annotation-text').textContent === 'layer 0'")
    page.keyboard.press("PageDown")
    page.wait_for_function("() => location.hash === '#2'")
    page.close()
