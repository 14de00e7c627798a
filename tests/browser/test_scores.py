"""The page Scores and the corpora that it takes, in a real browser."""

import re

from tests.browser.conftest import DOGS, settle
from tests.browser.reading import (
    alerts,
    answer,
    query,
    wait_for,
)


def test_a_page_is_whole_when_it_is_the_first_that_a_server_shows(new_site, visit):
    """Streamlit would run it past app.py: without the navigation on top, and without present view."""
    page = visit(f"{new_site}/scores?corpus=dogs&a=layers%3D2&b=none")
    answer(page)
    assert page.locator(".st-key-pages a:visible").count() == 12
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


def test_a_corpus_of_the_data_folder_is_chosen(visit):
    page = visit("/scores")
    page.get_by_role("button", name=re.compile("demo test · 865 pairs")).first.click()
    page.get_by_text("24 pairs").first.wait_for()
    page.get_by_text("dogs", exact=True).first.click()
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
        {"name": "notes.csv", "mimeType": "text/csv", "buffer": b"c,d\n1,2\n"}
    )
    page.get_by_text("Say which column is Sentence").wait_for()
    assert "corpus" not in query(page)
