"""The page Scores and the corpora that it takes, in a real browser."""

import re

from tests.browser.conftest import DOGS, settle
from tests.browser.reading import (
    alerts,
    answer,
    query,
    wait_for,
)

IN_SIGHT = """(one) => {
  const { x, y, width, height } = one.getBoundingClientRect();
  const found = document.elementFromPoint(x + width / 2, y + height / 2);
  return y + height <= innerHeight && (one.contains(found) || found.contains(one));
}"""


def in_sight(shown) -> bool:
    """Whether the window shows an element to its end, and nothing lies over it."""
    return shown.evaluate(IN_SIGHT)


def test_a_file_is_brought_and_linked_or_told_what_it_lacks_and_one_of_the_data_folder_is_chosen(visit):
    page = visit("/scores")
    texts = page.evaluate("document.querySelector('.js-plotly-plot').data.map((trace) => trace.text)")
    assert [len(own) for own in texts if own] == [865, 865]
    assert "<br>— and —<br>" in texts[0][0], "the sentences have come, though not with the figure"
    table = "\n".join(["sentence1\tsentence2\tscore", *DOGS[:15]]) + "\n"
    page.get_by_role("button", name=re.compile("demo test · 865 pairs")).first.click()
    bring = page.get_by_role("button", name=re.compile("Bring pairs")).first
    bring.click()
    page.locator("[data-testid=stDialog] :focus").wait_for()  # the menu has the role of a dialog, too
    page.keyboard.press("Escape")
    menu = page.locator(".st-key-corpus-menu button:focus")
    menu.wait_for()  # Bring pairs stood in it, and it has closed
    menu.press("Enter")
    bring.click()
    page.locator('input[type="file"]').first.set_input_files(
        {"name": "notes.csv", "mimeType": "text/csv", "buffer": b"c,d\n1,2\n"}
    )
    reason = page.get_by_text("Say which column is Sentence")
    reason.wait_for()
    assert in_sight(reason), "beside the button that it keeps idle"
    assert "corpus" not in query(page)
    page.locator('input[type="file"]').first.set_input_files(
        {"name": "my dogs.tsv", "mimeType": "text/tab-separated-values", "buffer": table.encode()}
    )
    keep = page.locator(".st-key-bring-use button:enabled", has_text="Use these pairs")
    keep.wait_for()
    for shown in (keep, page.get_by_label("Name, as"), page.get_by_role("combobox", name="Scale of")):
        assert in_sight(shown), "what is chosen, with the button that takes it"
    keep.click()
    wait_for(page, lambda: query(page).get("corpus", "").startswith("my-dogs-"))
    wait_for(page, lambda: "my dogs · 15 pairs" in "".join(answer(page)["captions"]))
    settle(page)
    other = visit(page.url, fresh=True)
    assert answer(other)["numbers"] == answer(page)["numbers"]
    assert alerts(other) == []
    page.locator(".st-key-corpus-menu button:visible").first.click()
    page.get_by_text("24 pairs").first.wait_for()
    page.get_by_text("dogs", exact=True).first.click()
    wait_for(page, lambda: query(page).get("corpus") == "dogs")
    wait_for(page, lambda: "dogs · 24 pairs" in "".join(answer(page)["captions"]))


def test_points_in_a_box_are_in_the_link(visit):
    page = visit("/scores?corpus=dogs&errors=true")
    drag = page.locator(".st-key-scatter .js-plotly-plot .nsewdrag").first
    drag.scroll_into_view_if_needed()
    place = drag.bounding_box()
    page.mouse.move(place["x"] + 2, place["y"] + 2)
    page.mouse.down()
    page.mouse.move(place["x"] + 0.6 * place["width"], place["y"] + place["height"] - 2, steps=5)
    page.mouse.up()
    wait_for(page, lambda: query(page).get("errors.chosen"))
    settle(page)
    words = "chosen in the figure of gold against similarity"
    said = page.get_by_text(words).inner_text()
    assert 0 < int(re.search(r"Of the (\d+) pairs?", said)[1]) < 40
    other = visit(page.url, fresh=True)
    assert other.get_by_text(words).inner_text() == said
    assert alerts(other) == []
