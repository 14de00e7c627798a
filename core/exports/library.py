"""The library that exported folders are made for, and what it cannot do."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

from core.errors import StrataError, first_line
from core.loading import LOADING
from core.recipe import MIX, POST, Recipe
from core.recipe.options import Choice

COMPARISONS = ("cosine", "dot", "euclidean", "manhattan")
"""Similarities that the library has, under the same names."""

NEEDED = "An export needs the package sentence-transformers: pip install -r requirements-extra.txt"


class ExportError(StrataError):
    """A recipe that is no model of the library, or a folder that cannot be written."""


def instead_of_sum(recipe: Recipe) -> str:
    """Words that advise pool=mean in the place of pool=sum; empty where the two have other cosines."""
    alone = recipe.mix.name == "none" and not recipe.post
    return " (pool=mean has the same cosines)" if alone and recipe.similarity.name == "cosine" else ""


def reasons_behind_pooling(recipe: Recipe) -> list[str]:
    """Mixing, every step of post-processing and the similarity that the library has no module for."""
    found = []
    if recipe.mix != Choice("none"):
        found.append(f"mix={MIX.text(recipe.mix)} needs a second table of token vectors")
    for choice in recipe.post:
        option = POST.find(choice)
        if not (option.affine or option.scaling):
            found.append(f"post={POST.text((choice,))} is neither an affine map nor a scaling")
    if recipe.similarity.name not in COMPARISONS:
        found.append(f"similarity={recipe.similarity.name} is none that it compares by")
    return found


def check_installed() -> None:
    """Raise :class:`ExportError` where the library is not installed; it is not imported."""
    if find_spec("sentence_transformers") is None:
        raise ExportError(f"{NEEDED}.")


def library() -> tuple[Any, Any, Any]:
    """The library and its two folders of modules; it takes seconds to import.

    Raises :class:`ExportError` where it is not installed.
    """
    try:
        with LOADING:
            import sentence_transformers
            from sentence_transformers.base import modules as base
            from sentence_transformers.sentence_transformer import modules
    except ImportError as error:
        raise ExportError(f"{NEEDED} ({first_line(error)}).") from error
    return sentence_transformers, base, modules
