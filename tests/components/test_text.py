"""Readers' text comes out as it went in."""

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.text import escape, headline, option, plain

MARKUP = "\\`*_{}[]()#+-.!|~<>$:&^="


def unescaped(markdown: str) -> str:
    """What CommonMark shows: a backslash before punctuation is not shown."""
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", markdown)


@given(st.text())
def test_what_is_shown_is_what_was_written(text):
    assert unescaped(escape(text)).replace("\u2060", "") == text.replace("\n", " ").replace("\u2060", "")


@given(st.text(alphabet=MARKUP + "ab 1\n"))
def test_no_character_is_left_that_markdown_reads(text):
    bare = re.sub(r"\\.", "", escape(text), flags=re.DOTALL)
    assert not set(bare) & set(MARKUP)


@pytest.mark.parametrize(
    "text",
    [
        "**bold** _it_ ~~gone~~ `code`",
        "[link](http://example.org) ![image](x.png)",
        "<b>bold</b> <script>alert(1)</script> &amp;",
        "# no heading",
        "1. no list",
        "$x^2$ and $$y$$",
        ":red[no colour] :material/bolt: :smile:",
        "a | b",
        "C:\\temp\\new",
    ],
)
def test_rendered_by_a_markdown_library_it_is_the_same(text):
    markdown = pytest.importorskip("markdown_it").MarkdownIt("commonmark")
    rendered = markdown.render(escape(text)).strip()
    assert html.unescape(rendered.removeprefix("<p>").removesuffix("</p>")).replace("\u2060", "") == text


@pytest.mark.parametrize("text", ["deft-forum", "MSRpar", "MSR_par", "0.5", "two words", "ä-1"])
def test_an_option_without_markup_stands_in_the_address_as_it_is(text):
    assert option(text) == text


@pytest.mark.parametrize(
    "text", ["*x*", "_x_", "a:b:", "$x$", "1. x", "# x", "- x", "[a](b)", "www.a.b", "`x`"]
)
def test_an_option_with_markup_is_shown_as_it_is(text):
    assert option(text) == escape(text) != text


@pytest.mark.parametrize(
    "text", ["http://example.org", "HTTPS://example.org", "www.example.org", "a www.b.c"]
)
def test_an_address_is_no_link(text):
    shown = unescaped(escape(text))
    assert shown.replace("\u2060", "") == text
    assert not re.search(r"https?://|www\.", shown, re.IGNORECASE)


def test_a_recipe_is_copied_as_it_stands():
    recipe = "source=owner/name@v1.0;weight=idf(fit=reference);post=zscore+abtt(d=3)"
    assert unescaped(escape(recipe)) == recipe


def test_a_line_break_does_not_begin_a_new_block():
    assert "\n" not in escape("a\n# b\n\n- c")


def test_a_title_breaks_at_no_unit_and_no_interval():
    title = "Pearson × 100 = 68.5 ± 5.9, 95 %: 62.6 to 74.4"
    assert [part.replace("\u00a0", "_") for part in headline(title).split(" ")] == [
        *("Pearson_×_100", "\\=", r"68\.5_±_5\.9,", "95_%\\:", r"62\.6", "to", r"74\.4")
    ]
    assert plain(headline(title)) == title


def test_a_title_breaks_in_no_range():
    assert headline("40 % of ratings 0–1, A – B") == "40\u00a0% of ratings 0\u2060–\u20601, A – B"
    assert plain(headline("ratings 0–1")) == "ratings 0–1"
