"""A figure of a page as a deck keeps it."""

import pandas as pd

from components.deck import changes, files
from components.deck.document import Deck
from components.deck.pinning import pinned
from components.figure_frame import Framed
from components.figures.scores import subset_bars
from components.theme import LIGHT
from core.evaluation.sts import Score


def framed(subsets: int) -> Framed:
    scores = {f"subset {n}": Score(50.0, 50.0, 40.0, 60.0, 9, "all", {}) for n in range(subsets)}
    figure = subset_bars({"A": scores}, {"A": LIGHT.a}, LIGHT)
    return Framed("subsets", "By subset", figure, ("A: layers=last",), "subsets", pd.DataFrame)


def test_a_figure_that_is_higher_than_a_deck_keeps_is_read_again():
    figure = pinned(framed(200), "scores", "scores?a=layers%3Dlast", {})
    deck = changes.pin(Deck(), figure)
    assert framed(200).figure.layout.height > figure.height
    assert files.read(files.write(deck)) == deck
