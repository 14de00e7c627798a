"""The names of stages as the bar shows them: over its columns, in the strip, and to a screen reader."""

from __future__ import annotations

from core.recipe import SOURCE

HEADS = {SOURCE.name: "model"}
"""Names that are not the one in the text of a recipe."""


def head(stage: str) -> str:
    """The name of a stage in the bar."""
    return HEADS.get(stage, stage)
