"""A deck as a PowerPoint file: what can be edited is text, and every figure has a place for its picture."""

import base64
import gzip
import io
import json
import re
from dataclasses import replace

import pytest
from pptx import Presentation
from pptx.enum.text import PP_ALIGN
from pptx.util import Inches

from components.deck import changes, powerpoint, powerpoint_words, presenter
from components.deck.document import Deck, Slide, Table
from components.deck.markdown import Grid, Paragraph, Run, blocks, paragraphs
from tests.components.deck.test_files import HOSTILE

TEXT = f"# Head\n\n* one **bold**\n* two *thin* `x < y`\n\n3. third\n\n[link](http://a.b)\nnext {HOSTILE}"


@pytest.fixture
def deck(figure) -> Deck:
    """A figure, two beside each other, a table, words; hostile ones in every place."""
    deck = Deck(HOSTILE)
    for title in (HOSTILE, "left", "right"):
        deck = changes.pin(deck, figure(title, alt=f"{HOSTILE}\x0b"))
    deck = changes.join(deck, deck.slides[1].id)
    rows = tuple((HOSTILE, n / 7, None) for n in range(40))
    deck = changes.add(deck, Slide("ee", HOSTILE, text=TEXT))
    deck = changes.add(deck, Slide("ff", "t", table=Table((HOSTILE, "n", ""), rows), text="below"))
    return changes.edit(deck, deck.slides[0].id, note=f"Say {HOSTILE}\x0b", text=HOSTILE)


def texts(slide) -> list[str]:
    return [shape.text_frame.text for shape in slide.shapes if shape.has_text_frame]


def test_titles_words_tables_and_notes_are_text_as_it_was_written(deck):
    made = Presentation(io.BytesIO(powerpoint.unfinished(deck, "http://127.0.0.1:8501").content))
    begins, one, two, words, table = made.slides
    told = made.core_properties
    assert (told.title, told.author, told.comments, told.last_modified_by) == (HOSTILE, "", "", "")
    assert [slide.shapes.title.text for slide in made.slides] == [
        deck.title,
        *(deck.called(slide) for slide in deck.slides),
    ]
    assert texts(begins)[1:] == ["4 slides · 3 figures · 2026-01-02 · Sentence Strata 0.3.0"]
    assert HOSTILE.replace("$x$", "x") in texts(one)[-1], "a formula is plain text, all else as written"
    notes = one.notes_slide.notes_text_frame.text
    assert f"Say {HOSTILE.replace('$x$', 'x')}" in notes
    for said in ("A: layers=last", "fingerprint 0f3a", "http://127.0.0.1:8501/scores?a=layers%3Dlast"):
        assert said in notes
    assert {"left", "right"} <= set(texts(two))
    renamed = changes.edit(deck, deck.slides[0].id, title="Ours")
    _, one, *_ = Presentation(io.BytesIO(powerpoint.unfinished(renamed).content)).slides
    assert "\nOurs\nA: layers=last" in one.notes_slide.notes_text_frame.text
    assert texts(words)[-1].startswith(
        "Head\n•  one bold\n•  two thin x < y\n3.  third\nlink (http://a.b)\x0b"
    )
    (cells,) = [shape.table for shape in table.shapes if shape.has_table]
    read = [[cell.text for cell in row.cells] for row in cells.rows]
    assert read[:2] == [[HOSTILE, "n", ""], [HOSTILE, "0", ""]]
    assert len(read) == powerpoint_words.MOST_ROWS + 1
    assert read[2][1] == "0.143"
    assert "… and 22 more rows, which are in the deck." in texts(table)
    assert "3 / 4" in texts(words)


def sizes(deck: Deck) -> list[float]:
    """Points of the type of each slide's title."""
    made = Presentation(io.BytesIO(powerpoint.unfinished(deck).content))
    return [slide.shapes.title.text_frame.paragraphs[0].font.size.pt for slide in made.slides]


def test_titles_of_a_deck_have_one_size_but_for_one_that_would_not_fit(figure):
    short, long, longest = "Short", "So many words " * 7, "Even more words " * 14
    deck = changes.pin(changes.pin(Deck(), figure(short)), figure("Short too"))
    assert sizes(deck) == [28, 28]
    deck = changes.pin(deck, figure(long))
    assert sizes(deck) == [22, 22, 22]
    assert sizes(changes.pin(deck, figure(longest))) == [22, 22, 22, 16]
    page = presenter.page(changes.pin(deck, figure(longest)))
    assert re.findall(r'<h2 class="(\w*)">', page) == ["long", "long", "long", "longer"]
    assert re.findall(r'<h2 class="(\w*)">', presenter.page(changes.pin(Deck(), figure(short)))) == [""]


def test_a_deck_begins_with_its_title_unless_it_has_words_of_its_own_there(figure):
    deck = changes.pin(Deck("Our talk"), figure("A finding"))
    later = replace(figure("Another", made={"time": "2026-03-04T03:04:05+00:00"}), key="other")
    deck = changes.pin(deck, later)
    begins, *_ = Presentation(io.BytesIO(powerpoint.unfinished(deck).content)).slides
    assert texts(begins) == [
        "Our talk",
        "2 slides · 2 figures · 2026-01-02 to 2026-03-04 · Sentence Strata 0.3.0",
    ]
    words = Slide("aa", "Welcome", text="to this")
    for other in (replace(deck, title=""), replace(deck, slides=(words, *deck.slides))):
        first, *_ = Presentation(io.BytesIO(powerpoint.unfinished(other).content)).slides
        assert first.shapes.title.text == other.called(other.slides[0])


@pytest.mark.parametrize("title", ["", "Both"])
def test_titles_of_two_figures_stand_once_in_type_of_one_size(figure, title):
    long = "A title that goes on and on " * 5
    deck = changes.pin(changes.pin(Deck(), figure(long)), figure("short"))
    deck = changes.edit(changes.join(deck, deck.slides[0].id), deck.slides[0].id, title=title)
    (page,) = Presentation(io.BytesIO(powerpoint.unfinished(deck).content)).slides
    over = [
        shape
        for shape in page.shapes
        if shape.has_text_frame and shape.text_frame.text in (long.strip(), "short")
    ]
    left, right = over
    assert left.text_frame.paragraphs[0].font.size == right.text_frame.paragraphs[0].font.size
    assert left.top == right.top >= 0
    above = page.shapes.title
    assert above.text_frame.text == (title or f"{long.strip()} · short"), (
        "outlines have a name of the slide"
    )
    assert (above.top + above.height <= 0) == (not title), "one that would repeat the others is not seen"


GRID = """Before

| recipe | *rho* |
|---|---:|
| **last** `x` | 58.5 |
| =1+1 | |

After"""


def test_a_table_under_a_figure_is_a_table_too(figure):
    deck = changes.pin(Deck(), figure())
    rows = "".join(f"| {n} | {n} |\n" for n in range(12))
    for text, count, told in (
        (GRID, 3, "After"),
        (f"| a | b |\n|---|---|\n{rows}", 8, "… and 5 more rows"),
    ):
        under = changes.edit(deck, deck.slides[0].id, text=text)
        (page,) = Presentation(io.BytesIO(powerpoint.unfinished(under).content)).slides
        (table,) = [shape for shape in page.shapes if shape.has_table]
        assert len(table.table.rows) == count
        (picture,) = [shape for shape in page.shapes if hasattr(shape, "image")]
        (after,) = [one for one in page.shapes if one.has_text_frame and told in one.text_frame.text]
        assert picture.top + picture.height <= table.top < table.top + table.height <= after.top
        assert picture.height > Inches(3)
        assert after.top + after.height <= Inches(powerpoint_words.HEIGHT - 0.45)


def test_a_table_of_a_text_is_a_table_between_its_paragraphs():
    deck = changes.add(Deck(), Slide("a", "t", text=GRID, note=GRID))
    (page,) = Presentation(io.BytesIO(powerpoint.unfinished(deck).content)).slides
    before, table, after = list(page.shapes)[-3:]
    assert (before.text_frame.text, after.text_frame.text) == ("Before", "After")
    assert before.top + before.height <= table.top < table.top + table.height <= after.top
    read = [[cell.text for cell in row.cells] for row in table.table.rows]
    assert read == [["recipe", "rho"], ["last x", "58.5"], ["=1+1", ""]]
    bold, _, code = table.table.cell(1, 0).text_frame.paragraphs[0].runs
    assert bold.font.bold and code.font.name == "Courier New"
    assert table.table.cell(1, 1).text_frame.paragraphs[0].alignment == PP_ALIGN.RIGHT
    lines = ("Before", "recipe  |  rho", "last x  |  58.5", "=1+1  |  ", "After")
    assert page.notes_slide.notes_text_frame.text == "\n".join(lines)


@pytest.mark.parametrize("tables", [1, 3])
def test_tables_of_a_text_stay_on_the_slide_and_tell_what_they_leave_out(tables):
    wide = "|".join("abcdefghijklmn")
    table = f"{wide}\n{'|'.join(['-'] * 14)}\n" + f"{wide}\n" * 30
    deck = changes.add(Deck(), Slide("a", "t", text="\n".join([table] * tables)))
    made = Presentation(io.BytesIO(powerpoint.unfinished(deck).content))
    (page,) = made.slides
    grids = [shape for shape in page.shapes if shape.has_table]
    assert [(len(one.table.rows), len(one.table.columns)) for one in grids] == [
        (18 // tables + 1, 12)
    ] * tables
    assert all(one.top + one.height <= made.slide_height for one in grids)
    told = f"… and {30 - 18 // tables} more rows and 2 more columns, which are in the deck."
    assert texts(page).count(told) == tables


def test_a_table_under_a_table_or_in_a_list_is_lines():
    deck = changes.add(Deck(), Slide("a", "t", table=Table(("n",), ((1,),)), text=GRID))
    (page,) = Presentation(io.BytesIO(powerpoint.unfinished(deck).content)).slides
    assert "recipe  |  rho\nlast x  |  58.5" in "\n".join(texts(page))
    assert [type(one) for one in blocks(GRID)][1] is Grid
    listed = paragraphs("*\n  a|b\n  -|-\n  c|d\n* e")
    assert [one.text for one in listed] == ["•  a  |  b", "c  |  d", "•  e"]


def test_what_follows_a_list_has_no_mark():
    of_code = paragraphs("- ```\n  x\n  y\n  ```\n-\n\nafter")
    assert [one.text for one in of_code] == ["•  x", "y", "after"]
    nested = paragraphs("3. a\n\n   more\n4. - in\n   - it\n\nafter")
    assert [one.text for one in nested] == ["3.  a", "more", "\u2003•  in", "\u2003•  it", "after"]


def test_a_point_may_begin_with_nothing_quoted():
    assert [one.text for one in paragraphs("- >\n\n  a\n- > - b\n-")] == ["•  a", "\u2003•  b"]


@pytest.mark.parametrize(
    ("rows", "columns", "told"),
    [
        (1, 0, "… and 1 more row, which is in the deck."),
        (1, 1, "… and 1 more row and 1 more column, which are in the deck."),
        (0, 2, "… and 2 more columns, which are in the deck."),
    ],
)
def test_what_a_table_leaves_out_is_told(rows, columns, told):
    rows, columns = rows + powerpoint_words.MOST_ROWS, columns + powerpoint_words.MOST_COLUMNS
    table = Table(tuple(map(str, range(columns))), ((1,) * columns,) * rows)
    deck = changes.add(Deck(), Slide("a", "wide", table=table))
    (slide,) = Presentation(io.BytesIO(powerpoint.unfinished(deck).content)).slides
    assert told in texts(slide)


def test_a_note_is_read_as_its_words():
    deck = changes.add(Deck(), Slide("ff", "words", text="t", note="Say **this**, *then*:\n\n- that"))
    (slide,) = Presentation(io.BytesIO(powerpoint.unfinished(deck).content)).slides
    assert slide.notes_slide.notes_text_frame.text == "Say this, then:\n•  that"


def test_every_figure_has_a_place_of_its_own_inside_the_slide(deck):
    unfinished = powerpoint.unfinished(deck)
    made = Presentation(io.BytesIO(unfinished.content))
    assert [(one.slide, one.side) for one in unfinished.pictures] == [(0, 0), (1, 0), (1, 1)]
    assert len({one.part for one in unfinished.pictures}) == 3
    for one in unfinished.pictures:
        shapes = [shape for shape in made.slides[one.slide + 1].shapes if hasattr(shape, "image")]
        shape = shapes[one.side]
        assert shape.left >= 0
        assert shape.left + shape.width <= made.slide_width
        assert shape.top + shape.height <= made.slide_height
        assert one.width / one.height == pytest.approx(shape.width / shape.height, rel=0.01)
        assert one.whole / one.height == pytest.approx(made.slide_height / shape.height, rel=0.01)
        assert HOSTILE in shape._element.nvPicPr.cNvPr.get("descr")


def test_what_the_browser_is_given_is_the_whole_file(deck):
    unfinished = powerpoint.unfinished(deck)
    given = json.loads(gzip.decompress(base64.b64decode(unfinished.packed())))
    names = [part["name"] for part in given["parts"]]
    assert names[0] == "[Content_Types].xml"
    assert {one["part"] for one in given["pictures"]} <= set(names)
    page = presenter.drawing(deck, unfinished.packed(), '"x.pptx')
    assert 'data-file="&quot;x.pptx"' in page
    assert page.count("<script") == 5


def test_an_empty_deck_and_tables_without_columns_or_rows_are_files():
    odd = Deck(slides=(Slide("a", "", table=Table((), ())), Slide("b", "t", table=Table(("x",), ()))))
    for deck, count in ((Deck(), 0), (odd, 2)):
        made = Presentation(io.BytesIO(powerpoint.unfinished(deck).content))
        assert len(made.slides) == count


def test_markdown_is_read_as_paragraphs():
    read = paragraphs("a **b *c*** `d`\n\n1. x\n2. y\n   * z\n\n```\n<p>\n q\n```")
    assert read[0].runs[1:4] == (Run("b ", bold=True), Run("c", bold=True, italic=True), Run(" "))
    assert [one.text for one in read[1:]] == ["1.  x", "2.  y", "\u2003•  z", "<p>", " q"]
    assert paragraphs("") == []


def test_a_title_with_characters_that_xml_cannot_hold_is_a_file_too(figure):
    deck = changes.rename(changes.pin(Deck(), figure("a\0b")), "a\0b\x01c")
    made = Presentation(io.BytesIO(powerpoint.unfinished(deck).content))
    assert made.core_properties.title == "a\ufffdb\ufffdc"


def test_no_text_has_characters_that_xml_cannot_hold(figure):
    odd = "a\ufffe\x01b"
    deck = changes.pin(Deck(), figure(odd, line=odd, alt=odd))
    deck = changes.add(deck, Slide("1", odd + "\ud800", note=odd, text=odd, table=Table((odd,), ((odd,),))))
    pages = Presentation(io.BytesIO(powerpoint.unfinished(deck).content)).slides
    assert [page.shapes.title.text for page in pages] == ["a\ufffd\ufffdb", "a\ufffd\ufffdb\ufffd"]
    assert "a\ufffd\ufffdb" in pages[1].notes_slide.notes_text_frame.text


def test_a_small_table_has_the_room_of_its_slide():
    rows = (("mean", "46.0", "40.1"), ("Ditto + z-score", "49.4", ""))
    deck = Deck(slides=(Slide("a", "t", table=Table(("method", "demo", "STS-B, test"), rows)),))
    (slide,) = Presentation(io.BytesIO(powerpoint.unfinished(deck).content)).slides
    (table,) = [shape.table for shape in slide.shapes if shape.has_table]
    cells = [[cell.text_frame.paragraphs[0] for cell in row.cells] for row in table.rows]
    assert {one.font.size.pt for row in cells for one in row} == {32}
    assert [one.alignment for one in cells[1]] == [PP_ALIGN.LEFT, PP_ALIGN.RIGHT, PP_ALIGN.RIGHT]
    assert all(row.height.inches == pytest.approx(0.9) for row in table.rows)
    widths = [column.width.inches for column in table.columns]
    assert widths[0] > widths[2] > widths[1]


def test_no_letter_of_a_larger_table_needs_a_second_line():
    words = "a method with a long name of seven words"
    rows = [[Paragraph((Run(text),)) for text in row] for row in (("method", "x"), (words, "1.5"))]
    widths = powerpoint_words._widths(rows)
    assert sum(widths) == pytest.approx(powerpoint_words.WIDTH - 2 * powerpoint_words.EDGE)
    sizes = [size for size in range(10, 40) if powerpoint_words._on_a_line(rows, widths, size)]
    assert 10 <= sizes[-1] < 32


def test_a_number_that_is_zero_but_for_rounding_reads_0():
    table = Table(("layer", "deviation"), ((0, 1.025e-16), (1, 0.0963)))
    made = powerpoint.unfinished(Deck(slides=(Slide("a", "t", table=table),)))
    (page,) = Presentation(io.BytesIO(made.content)).slides
    (cells,) = [shape.table for shape in page.shapes if shape.has_table]
    assert [cells.cell(row, 1).text for row in range(3)] == ["deviation", "0", "0.0963"]
