"""Figures of several pages in an order, with words: a deck, kept on this installation."""

from components.bar import bar
from components.cached import shared_engine
from components.deck import page as deck

engine = shared_engine()
bar.show(engine, corpus=False)
deck.head()
deck.show()
