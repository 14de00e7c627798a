"""The tokens of all texts: how often each occurs, and spans of whole texts."""

import numpy as np
import pytest

from core.tokens import Tokens


@pytest.fixture
def tokens() -> Tokens:
    """Texts of 5, 3, 2 and no tokens, given in the order 2, 0, 5 and 3 tokens."""
    return Tokens.plain(
        np.arange(10),
        order=np.array([2, 3, 0, 1]),
        offsets=np.array([0, 5, 8, 10, 10]),
        words=np.zeros(10, int),
        vocabulary={},
    )


def test_a_token_occurs_as_often_as_its_text(tokens):
    assert tokens.times(np.array([7, 1, 2, 4])).tolist() == [2] * 5 + [4] * 3 + [7] * 2


def test_a_text_without_tokens_is_in_no_span(tokens):
    assert tokens.filled == 3
    assert [*tokens.spans(100)] == [slice(0, 3)]
    assert [*tokens.spans(100, start=3)] == []


@pytest.mark.parametrize(
    ("most", "spans"),
    [(5, [(0, 1), (1, 3)]), (8, [(0, 2), (2, 3)]), (4, [(0, 1), (1, 2), (2, 3)])],
    ids=["just one", "just two", "one that has more"],
)
def test_a_span_holds_whole_texts_of_so_many_tokens(tokens, most, spans):
    assert [(span.start, span.stop) for span in tokens.spans(most)] == spans
