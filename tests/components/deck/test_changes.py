"""What is done with a deck: order, words, two figures, tables, and the way back."""

import pytest

from components.deck import changes, files
from components.deck.document import LARGEST_TABLE, MOST, Deck, DeckError, Slide, Table
from components.deck.pasted import slides, table
from tests.components.deck.figures import pinned


def titles(deck: Deck) -> list[str]:
    return [slide.title for slide in deck.slides]


@pytest.fixture
def three(figure) -> Deck:
    deck = Deck()
    for name in "abc":
        deck = changes.pin(deck, figure(name, 2))
    return deck


def test_a_pinned_figure_is_a_slide_with_its_title(figure):
    deck = changes.pin(Deck(), figure("A is better"))
    (slide,) = deck.slides
    assert (slide.title, slide.kind) == ("A is better", "figure")
    assert deck.figures_of(slide) == [figure("A is better")]


@pytest.mark.parametrize(
    ("at", "by", "order"), [(0, 1, "bac"), (2, -1, "acb"), (0, -1, "abc"), (2, 9, "abc"), (0, 2, "bca")]
)
def test_slides_are_moved(three, at, by, order):
    assert "".join(titles(changes.move(three, three.slides[at].id, by))) == order


def test_a_copy_follows_and_is_another_slide(three):
    deck = changes.duplicate(three, three.slides[0].id)
    assert "".join(titles(deck)) == "aabc"
    deck = changes.edit(deck, deck.slides[1].id, title="copy")
    assert titles(deck) == ["a", "copy", "b", "c"]
    assert deck.figures == three.figures, "the figure stands there once"


def test_a_slide_is_not_added_twice(three):
    with pytest.raises(DeckError, match="The slide 'b' is in the deck already"):
        changes.add(three, three.slides[1])


def test_two_figures_stand_beside_each_other_and_are_parted_again(three):
    first, second = (slide.id for slide in three.slides[:2])
    deck = changes.edit(three, first, note="left", title="A")
    deck = changes.join(changes.edit(deck, second, note="right"), first)
    both = deck.slides[0]
    assert (both.kind, both.title, both.note) == ("two figures", "", "left\n\nright")
    assert (deck.titles_of(both), deck.called(both)) == (("A", "b"), "A · b")
    exchanged = changes.exchange(deck, first)
    assert [one.title for one in exchanged.figures_of(exchanged.slides[0])] == ["b", "a"]
    assert exchanged.titles_of(exchanged.slides[0]) == ("b", "A")
    named = changes.entitle(changes.edit(deck, first, title="Both"), first, 1, "B")
    assert (named.called(named.slides[0]), named.titles_of(named.slides[0])) == ("Both", ("A", "B"))
    assert files.read(files.write(named)) == named
    assert titles(changes.part(named, first)) == ["A", "B", "c"]
    assert changes.part(named, first).slides[0].titles == ()
    with pytest.raises(DeckError, match="no longer two figures"):
        changes.entitle(three, first, 0, "one alone")
    with pytest.raises(DeckError, match="must have one each"):
        changes.join(deck, first)
    with pytest.raises(DeckError, match="must have one each"):
        changes.join(deck, deck.slides[-1].id)


@pytest.mark.parametrize(
    ("angle", "columns", "domain", "room"),
    [
        (0, 12, [0, 0.2], False),
        (0, 12, [0, 1], True),
        (None, 43, [0, 1], True),
        (None, 46, [0, 1], False),
        (0, 1, [0, 0.01], True),
    ],
)
def test_a_figure_whose_columns_would_be_too_narrow_has_no_room_beside_another(
    figure, angle, columns, domain, room
):
    names = [str(number) for number in range(1, columns + 1)]
    axes = {
        "xaxis": {"ticktext": names, "tickangle": angle, "domain": domain},
        "yaxis": {"ticktext": ["a"]},
    }
    wide = figure("wide", plotly={"data": [], "layout": axes})
    for pair in ((figure("left"), wide), (wide, figure("right"))):
        deck = changes.pin(changes.pin(Deck(), pair[0]), pair[1])
        if room:
            assert changes.join(deck, deck.slides[0].id).slides[0].kind == "two figures"
            continue
        with pytest.raises(DeckError, match="'wide' has no room beside another: its columns, "):
            changes.join(deck, deck.slides[0].id)


def test_the_numbers_of_a_figure_become_a_table_that_can_be_read(figure):
    deck = changes.pin(Deck(), figure("many", 30))
    deck = changes.tabulate(deck, deck.slides[0].id)
    made = deck.slides[1]
    assert (made.kind, made.table.columns, made.table.rows[1]) == ("table", ("x", "y"), (1, 0.5))
    assert len(made.table.rows) == changes.SHOWN_ROWS
    assert made.text == "A: last layer  \n18 more rows are with the figure.", "whose numbers they are"
    with pytest.raises(DeckError, match="no numbers"):
        changes.tabulate(deck, made.id)


@pytest.mark.parametrize(
    ("rows", "columns", "told"),
    [
        (12, 8, ""),
        (13, 8, "1 more row is with the figure."),
        (12, 10, "2 more columns are with the figure."),
        (14, 9, "2 more rows and 1 more column are with the figure."),
    ],
)
def test_rows_and_columns_that_a_table_leaves_out_are_told(figure, rows, columns, told):
    numbers = Table(tuple(map(str, range(columns))), tuple((0.0,) * columns for _ in range(rows)))
    deck = changes.pin(Deck(), figure("wide", numbers=numbers))
    made = changes.tabulate(deck, deck.slides[0].id).slides[1]
    assert made.text == "  \n".join(filter(None, ["A: last layer", told]))
    assert (len(made.table.rows), len(made.table.columns)) == (min(rows, 12), min(columns, 8))


def test_every_change_is_undone_in_turn(three):
    ids = [slide.id for slide in three.slides]
    steps = [
        lambda deck: changes.rename(deck, "My talk"),
        lambda deck: changes.edit(deck, ids[0], text="**so**", note="say so"),
        lambda deck: changes.move(deck, ids[0], 1),
        lambda deck: changes.join(deck, ids[1]),
        lambda deck: changes.remove(deck, ids[1]),
        lambda deck: changes.add(deck, Slide("ab", "text")),
        lambda deck: changes.remove(deck, ids[2]),
    ]
    decks = [three]
    for step in steps:
        decks.append(step(decks[-1]))
    last = decks[-1]
    for before in decks[-2::-1]:
        last = changes.undo(last, last.count)
        assert (last.title, last.slides) == (before.title, before.slides)
        assert all(last.figures_of(slide) for slide in last.slides if slide.figures)


def test_undo_does_not_take_back_what_was_changed_elsewhere_unseen(three):
    seen = three.count
    elsewhere = changes.rename(three, "elsewhere")
    with pytest.raises(DeckError, match="changed elsewhere meanwhile \\(the title of the deck\\)"):
        changes.undo(elsewhere, seen)
    assert changes.undo(elsewhere, elsewhere.count).title == ""


def test_figures_that_no_state_shows_are_let_go(three):
    deck = changes.remove(three, three.slides[0].id)
    assert len(deck.figures) == 3, "undo brings the slide back"
    for n in range(40):
        deck = changes.rename(deck, str(n))
    assert len(deck.figures) == 2
    assert len(deck.history) == 30


def test_a_deck_has_an_end(figure):
    deck = Deck(slides=tuple(Slide(f"{n:x}", str(n)) for n in range(MOST)))
    with pytest.raises(DeckError, match="at most 200 slides"):
        changes.pin(deck, figure())


def test_a_slide_that_is_gone_is_told(three):
    gone = three.slides[1].id
    deck = changes.remove(three, gone)
    with pytest.raises(DeckError, match="removed elsewhere. Undo brings it back"):
        changes.edit(deck, gone, title="new")


def test_words_are_cut_where_they_are_too_long(three):
    deck = changes.edit(three, three.slides[0].id, title="a\nb" * 500, note="n" * 30_000)
    assert len(deck.slides[0].title) == 300
    assert "\n" not in deck.slides[0].title
    assert len(deck.slides[0].note) == 20_000


def test_a_pasted_table_is_read():
    assert table("method\tSTS\nmean\t43.2\nmax\t7\n") == Table(
        ("method", "STS"), (("mean", "43.2"), ("max", "7"))
    )
    assert table('a,b\n"x, y",nan').rows == (("x, y", "nan"),)
    for text, why in (
        ("", "a line with the names"),
        ("a,b\n1", "1 to 2 cells"),
        ("a\n" * (LARGEST_TABLE + 2), "at most 20,000 cells; this one has 20,001"),
    ):
        with pytest.raises(DeckError, match=why):
            table(text)


@pytest.mark.parametrize(("rows", "each"), [(18, [18]), (35, [18, 17]), (55, [14, 14, 13, 14]), (73, [73])])
def test_a_long_pasted_table_takes_several_slides_which_one_undo_takes_back(rows, each):
    made = table("n,sts\n" + "\n".join(f"{row},{row}.0" for row in range(rows)))
    first, *following = slides("Scores", made)
    before = changes.add(Deck(), Slide("a", "before"))
    deck = changes.add(before, first, after="a", following=following)
    assert [len(slide.table.rows) for slide in deck.slides[1:]] == each
    assert sum((slide.table.rows for slide in deck.slides[1:]), ()) == made.rows
    titles = [f"Scores ({part} of {len(each)})" for part in range(1, len(each) + 1)]
    assert [slide.title for slide in deck.slides[1:]] == (titles if len(each) > 1 else ["Scores"])
    assert changes.undo(deck, deck.count).slides == before.slides


def test_the_largest_table_that_is_pasted_is_read_again():
    made = table("\n".join([",".join("ab" * 100), *[",".join("12" * 100)] * 100]))
    deck = changes.add(Deck(), Slide("a", "wide", table=made))
    assert files.read(files.write(deck)) == deck


def test_pasted_cells_stay_as_they_are_written_and_are_numbers_where_all_of_a_column_are():
    cells = ("1", "-2.5", "1e99", "nan", "1_000", " 3.0 ", "inf", "007", "9" * 400, "1e-3", ".5", "−0")
    made = table("\t".join("abcdefghijkl") + "\n" + "\t".join(cells))
    assert made.rows == (tuple(cell.strip() for cell in cells),)
    assert made.on_right() == [cell not in ("nan", "1_000", "inf", "007", "9" * 400) for cell in cells]
    assert table("a,b,c\n46.0,40.1,\n49,,").on_right() == [True, True, False]
    assert table("a,b\n46.0,1\nx,-").on_right() == [False, False]
    assert Table(("a", "b", "c"), ((46.0, True, 1), ("", False, "x"))).on_right() == [True, False, False]
    with pytest.raises(DeckError, match="cannot be read: field larger"):
        table("a,b\n1," + "x" * 200_000)


def test_a_slide_of_a_figure_s_numbers_is_drawn_anew_with_it():
    old, new = pinned("Three points", points=3), pinned("Four points", points=4)
    deck = changes.pin(Deck(), old)
    deck = changes.tabulate(deck, deck.slides[0].id)
    pasted = Slide("pasted", "Ours", table=Table(("x",), ((1,),)))
    deck = changes.add(deck, pasted, after=deck.slides[-1].id)
    anew = changes.redraw(deck, {old.name: new})
    figure, numbers, last = anew.slides
    assert figure.figures == (new.name,)
    assert (numbers.title, numbers.table.rows) == ("Four points", new.numbers.rows)
    assert last == pasted
    renamed = changes.edit(deck, deck.slides[1].id, title="My table")
    assert changes.redraw(renamed, {old.name: new}).slides[1].title == "My table"
