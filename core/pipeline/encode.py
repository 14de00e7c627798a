"""Texts to vectors in one call."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from threading import Lock

from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.recipe.options import Vectors
from core.settings import Settings


def encode(texts: Iterable[str], recipe: Recipe | str = "", *, settings: Settings | None = None) -> Vectors:
    """The sentence vectors of some texts under a recipe, in the order given.

    Parameters
    ----------
    texts
        The texts; equal ones are embedded once. Steps that learn (``fit=target``) learn from them.
    recipe
        A recipe or its text: ``"layers=first+last;post=whiten(fit=reference)"``. Empty: the defaults.
    settings
        Where passes are stored and how precisely; from the environment (``STRATA_CACHE``, …) when left out.

    Returns
    -------
    Vectors
        ``[text, dim]`` in float32.

    Raises
    ------
    StrataError
        The recipe cannot be read or followed, its model or reference is not here, or there is no text.
    """
    return engine_of(settings).encode(texts, Recipe.of(recipe))


_MAKING = Lock()


def engine_of(settings: Settings | None) -> Engine:
    """The engine on some settings; one for all callers of a process, so that all find what it keeps."""
    with _MAKING:  # threads that ask at once would each make one
        return _engine_of(settings)


@lru_cache(maxsize=4)
def _engine_of(settings: Settings | None) -> Engine:
    return Engine(settings)
