"""Which kind of model a recipe is: a transformer and what follows it, a table of token vectors, or none."""

from __future__ import annotations

from core.exports import design, static
from core.exports.library import ExportError
from core.recipe import Recipe


def refuse(recipe: Recipe) -> None:
    """Raise :class:`ExportError` with every stage of a recipe that the library has no module for."""
    if reasons := _reasons(recipe):
        kind = "static-token model" if static.is_static(recipe) else "sentence-transformers model"
        raise ExportError(
            f"This recipe is no {kind}: {'; '.join(reasons)}. Its vectors are those of "
            "encode(texts, recipe) in the package sentence-strata."
        )


def exports(recipe: Recipe) -> bool:
    """Whether the library has a module for every stage of a recipe."""
    return not _reasons(recipe)


def _reasons(recipe: Recipe) -> list[str]:
    return static.reasons(recipe) if static.is_static(recipe) else design.reasons(recipe)
