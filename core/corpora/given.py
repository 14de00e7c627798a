"""Texts that a program gives."""

from __future__ import annotations

from typing import Any

import numpy as np

from core.corpora.cleaning import whole
from core.errors import CorpusError, shorten


def listed(given: Any, name: str) -> list[str]:
    """Texts as a list, without halves of characters (:func:`whole`); ``name`` is what errors call them.

    Raises :class:`CorpusError` for a single text, a table, something that is no text, and nothing at all.
    """
    if isinstance(given, str) or not hasattr(given, "__iter__") or np.ndim(given) > 1:
        raise CorpusError(f"{name}: got {shorten(given)}; allowed is a list of texts, or a column of them.")
    texts = list(given)
    if not texts:
        raise CorpusError(f"{name}: got no text; at least one is needed.")
    for text in texts:
        if not isinstance(text, str):
            raise CorpusError(f"{name}: got {shorten(text)} ({type(text).__name__}); allowed are texts.")
    return [whole(str(text)) for text in texts]
