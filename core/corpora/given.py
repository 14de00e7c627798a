"""Texts and columns that a program gives."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from jaxtyping import Float

from core.corpora.cleaning import whole
from core.errors import CorpusError, counted, first_line, shorten

LARGEST = 1e100
"""The largest size of a gold score: sums of squares of more would be no numbers."""


def listed(given: Any, name: str) -> list[str]:
    """As :func:`texts_of`, one text at least."""
    texts = texts_of(given, name)
    if not texts:
        raise CorpusError(f"{name}: got no text; at least one is needed.")
    return texts


def texts_of(given: Any, name: str) -> list[str]:
    """Texts as a list, without halves of characters (:func:`whole`); ``name`` is what errors call them.

    Raises :class:`CorpusError` for a single text, a table, texts by name, and something that is no text.
    """
    is_column = hasattr(given, "__iter__") and getattr(given, "ndim", 1) == 1
    if isinstance(given, str | Mapping) or not is_column:
        raise CorpusError(f"{name}: got {shorten(given)}; allowed is a list of texts, or a column of them.")
    texts = list(given)
    for text in texts:
        if not isinstance(text, str):
            raise CorpusError(f"{name}: got {shorten(text)} ({type(text).__name__}); allowed are texts.")
    return [whole(str(text)) for text in texts]


def names_of(given: Iterable[object]) -> tuple[str, ...]:
    """Labels, subsets or splits as texts: ``0`` is a label, and a missing one (None, NaN) is empty."""
    return tuple("" if name is None or name != name else str(name) for name in given)


def refuse_other_lengths(
    name: str, rows: int, columns: Mapping[str, Sequence[str]], optional: Mapping[str, Sequence[object]]
) -> None:
    """Raise :class:`CorpusError` where a column is not as long as scores or labels: rows would shift."""
    given = {what: column for what, column in optional.items() if len(column)}
    for what, column in {**columns, **given}.items():
        if len(column) != rows:
            raise CorpusError(
                f"{name}: {what} has {counted(len(column), 'row')}; there are {rows:,} scores or labels."
            )


def numbers(name: str, gold: Any) -> Float[np.ndarray, " pair"]:
    """Gold scores as numbers; raises :class:`CorpusError` where one is none, or beyond :data:`LARGEST`."""
    try:
        given = np.asarray(gold, float)
    except (TypeError, ValueError, OverflowError) as error:
        raise CorpusError(f"{name}: a gold score is no number ({first_line(error)}).") from error
    if given.ndim != 1:
        raise CorpusError(
            f"{name}: gold scores have {given.ndim} dimensions; allowed is one number a pair."
        )
    if len(bad := np.flatnonzero(~(np.abs(given) <= LARGEST))):
        raise CorpusError(
            f"{name}: the gold score of pair {bad[0] + 1:,} is {given[bad[0]]:g}; allowed are numbers "
            f"from {-LARGEST:g} to {LARGEST:g}. Leave that pair out."
        )
    return given
