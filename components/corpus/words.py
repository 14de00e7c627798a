"""What is said of a corpus of scored pairs: on the button of its menu, and beside its name in it."""

from __future__ import annotations

from collections.abc import Sequence

from components import provenance
from components.text import escape
from core.corpora.corpus import Corpus
from core.errors import StrataError, counted, shorten
from core.literature.published_sets import published_set
from core.pipeline.engine import Engine
from core.recipe import Recipe

LARGE = 5_000_000
"""Bytes of a file from which on its pairs are not counted for the menu."""


def label(corpus: Corpus | None, asked: str, *, is_used: bool) -> str:
    """``STS-B test · 1,379 pairs``, or what is asked for where it cannot be read.

    The pairs, in grey, are left out of a bar without room for them. The name is struck through where the
    page does not use the corpus, as the bar's cells are.
    """
    name = escape(provenance.split(corpus) if corpus else asked)
    pairs = f" :gray[{escape(f'· {_pairs(corpus)}')}]" if corpus else ""
    return (name if is_used else f"~~{name}~~") + pairs


def about(engine: Engine, recipe: Recipe | None, name: str) -> str:
    """What the menu says of a corpus that is here: ``1,379 pairs · read``."""
    try:
        if (size := engine.catalogue.bytes_of(name)) > LARGE:
            return f"{size / 1e6:,.0f} MB"
        corpus = engine.corpus(name)
        return f"{_pairs(corpus)}{' · read' if _is_read(engine, recipe, corpus) else ''}"
    except StrataError as error:
        return f"cannot be read: {shorten(error, 80)}"


def printed(names: Sequence[str]) -> str:
    """What the menu says of corpora that are not here: ``Pairs in print: stsb 1,379``; empty of others."""
    known = [(name, published_set(name, "test", scored=True)) for name in names]
    pairs = [f"{name} {int(one.printed['rows']):,}" for name, one in known if one]
    return f"Pairs in print: {', '.join(pairs)}." if pairs else ""


def _pairs(corpus: Corpus) -> str:
    return counted(len(corpus), "pair")


def _is_read(engine: Engine, recipe: Recipe | None, corpus: Corpus) -> bool:
    """Whether the recipe's model has read the corpus."""
    try:
        return recipe is not None and engine.is_read(recipe, corpus)
    except StrataError:
        return False
