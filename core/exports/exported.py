"""What is known of a folder that was exported: what it holds, and how far it is from the engine."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from core.exports.comparison import Distances
from core.recipe import Recipe


@dataclass(frozen=True)
class Exported:
    """A folder that was written, loaded again and compared with the engine.

    Attributes
    ----------
    recipe
        What the folder does.
    modules
        The library's modules in order.
    static
        Whether it is a table of token vectors.
    directions
        Whether its vectors have length 1 where the recipe's have not.
    sentences
        How many were compared.
    distances
        How far they are from the engine's.
    size
        Bytes of the folder.
    speed
        Sentences that it encodes in a second, here.
    """

    folder: Path
    recipe: Recipe
    modules: tuple[str, ...]
    dim: int
    static: bool
    directions: bool
    sentences: int
    distances: Distances
    size: int
    speed: float
