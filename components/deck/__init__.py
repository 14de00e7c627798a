"""Decks: figures of several pages in an order, with words, kept on this installation.

A figure is pinned from its frame. A deck holds it as it was drawn, with the recipes, the fingerprints and
the link that draws it again; the deck is a plain file that can be taken along and opened again.
"""
