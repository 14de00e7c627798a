"""Under the title stand the page's findings, as links to its figures in the order of presenting."""

import re

import pytest

from components.findings_row import with_doubt
from tests.pages.reading import headings, htmls, markdown, plain

LINK = re.compile(r"\[((?:\\.|[^\]\\])+)\]\(#(finding-[a-z0-9-]+)\)")


def links(at) -> list[tuple[str, str]]:
    (row,) = [box.value for box in at.markdown if "](#finding-" in box.value] or [""]
    return LINK.findall(row)


@pytest.mark.parametrize("page", ["scores", "geometry"])
def test_each_link_leads_to_the_title_of_a_figure_in_their_order(visit, small, page):
    at = visit(page, a=small, b=f"{small};weight=idf")
    found = links(at)
    assert len(found) >= 2
    assert re.findall(r'id="(finding-[a-z0-9-]+)"', htmls(at)) == [name for _, name in found]
    titles = headings(at)
    for text, _ in found:
        start = plain(text).split("…")[0].rstrip()
        assert any(title.startswith(start) for title in titles), (start, titles)


def test_a_page_of_one_figure_has_no_row(visit, small):
    assert "](#finding-" not in markdown(visit("compare", a=small, b="none"))


@pytest.mark.parametrize(
    ("title", "link"),
    [
        ("Best pair: layers 5 and 6; no difference shown (+0.4)", "Best pair; no difference shown"),
        ("No difference shown: at most 70.0", "No difference shown"),
        ("Best pair: layers 5 and 6; B better by 2.0", "Best pair"),
    ],
)
def test_a_link_says_too_that_no_difference_is_shown(title, link):
    assert with_doubt(title.partition(":")[0], title) == link
