"""Figures of several pages in an order, with words: a deck, kept on this installation."""

from components.bar import bar
from components.cached import shared_engine
from components.deck import page as deck

engine = shared_engine()
bar.show(
    engine,
    corpus=False,
    unused={
        "corpus": "Each figure of a deck has its own corpus; this one gives the scores in the bar alone."
    },
)
deck.head()
deck.show()
