"""A figure of a page as a deck keeps it."""

from dataclasses import replace

import pandas as pd

from components.deck import changes, files
from components.deck.document import LARGEST_TABLE, Deck, Table
from components.deck.pinning import pinned
from components.figure_frame import Framed
from components.figures.scores import subset_bars
from components.theme import LIGHT
from core.evaluation.sts import Score


def framed(subsets: int) -> Framed:
    scores = {f"subset {n}": Score(50.0, 50.0, 40.0, 60.0, 9, "all", {}) for n in range(subsets)}
    figure = subset_bars({"A": scores}, {"A": LIGHT.a}, LIGHT)
    return Framed("subsets", "By subset", figure, ("A: layers=last",), "subsets", pd.DataFrame)


def test_a_deck_takes_fewer_numbers_where_it_cannot_keep_all():
    many, few = (
        (lambda: pd.DataFrame({"x": range(LARGEST_TABLE + 1)})),
        (lambda: pd.DataFrame({"mean": [1.5]})),
    )
    assert pinned(replace(framed(2), numbers=many), "scores", "scores", {}).numbers is None
    taken = pinned(replace(framed(2), numbers=many, fewer=few), "scores", "scores", {})
    assert taken.numbers == Table(("mean",), ((1.5,),))
    kept = pinned(replace(framed(2), numbers=few, fewer=many), "scores", "scores", {})
    assert kept.numbers == taken.numbers


def test_a_deck_keeps_the_rows_that_a_slide_can_show():
    """All 66 methods were drawn into the height of a slide, where no name could be read."""
    many = replace(framed(66), on_slide=lambda: replace(framed(20), caption=("best 20 of 66",)))
    kept = pinned(many, "methods", "methods", {})
    assert kept.line == "best 20 of 66"
    few = pinned(framed(20), "methods", "methods", {})
    assert (kept.plotly, kept.height) == (few.plotly, few.height)


def test_a_figure_that_is_higher_than_a_deck_keeps_is_read_again():
    figure = pinned(framed(200), "scores", "scores?a=layers%3Dlast", {})
    deck = changes.pin(Deck(), figure)
    assert framed(200).figure.layout.height > figure.height
    assert files.read(files.write(deck)) == deck
