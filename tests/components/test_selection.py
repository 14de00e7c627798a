"""What a visitor looks at, on every page."""

import numpy as np
import pytest

from components import selection
from components.figures.matrices import Matrix, frame, side_by_side
from components.theme import BEST, LIGHT


@pytest.mark.parametrize(
    ("written", "own", "start"),
    [
        (["[CLS]", "the", "storm", ".", "[SEP]"], [False, True, True, True, False], 2),
        (["<s>", "ĠThe", "Ġstorm"], [False, True, True], 2),
        (["[CLS]", "of", "the", "[SEP]"], [False, True, True, False], 1),
        (["[CLS]", "!", "?", "[SEP]"], [False, True, True, False], 1),
        (["[CLS]", "[SEP]"], [False, False], 0),
        (["▁", "▁a", "▁dog"], [True, True, True], 2),
    ],
)
def test_one_begins_with_the_first_content_word(written, own, start):
    assert selection.start_token(written, own) == start


def test_equal_tokens_have_names_of_their_own():
    assert selection.token_names(["the", "dog", "the", "the"]) == ["the", "dog", "the (2)", "the (3)"]


def test_a_head_is_said_in_both_numberings():
    assert selection.head_name(1, 10) == "L1-H10 (index 0, 9)"


def test_a_row_and_a_column_of_a_panel_are_framed():
    names = ("a", "b", "c")
    panel = Matrix(np.zeros((2, 3)), "", names[:2], names, "")
    figure = side_by_side([panel, panel], LIGHT, bar="")
    frame(figure, 1, row=1)
    frame(figure, 0, column=2)
    first, second = figure.layout.shapes
    assert (first.x0, first.x1, first.y0, first.y1, first.xref) == (-0.5, 2.5, 0.5, 1.5, "x2")
    assert (second.x0, second.x1, second.y0, second.y1, second.xref) == (1.5, 2.5, -0.5, 1.5, "x")
    assert first.line.color == BEST
