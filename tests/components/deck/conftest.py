"""Decks with small figures."""

import pytest

from tests.components.deck import figures


@pytest.fixture
def figure():
    """``figure("A finding", 3)``: a figure of three points as a deck keeps it."""
    return figures.pinned
