"""Post-processing as layers of a network: affine maps and scaling to unit length."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from core.recipe import POST
from core.recipe.options import Choice, Transformer


@dataclass(frozen=True, eq=False)
class Affine:
    """``v ↦ v · matrix + bias``."""

    matrix: Float[np.ndarray, "dim column"]
    bias: Float[np.ndarray, " column"]

    def then(self, matrix: Float[np.ndarray, "dim column"], bias: Float[np.ndarray, " column"]) -> Affine:
        """This map and another after it, as one."""
        return Affine(self.matrix @ matrix, self.bias @ matrix + bias)


Layer = Affine | None
"""An affine map, or None for scaling to unit length."""


def layers_of(choices: Sequence[Choice], steps: Sequence[Transformer], first: Affine | int) -> list[Layer]:
    """Fitted affine and scaling steps as layers, consecutive affine steps as one map.

    ``first`` is an affine map that goes before them, or the width of the vectors where there is none.
    """
    layers: list[Layer] = [] if isinstance(first, int) else [first]
    width = first if isinstance(first, int) else first.matrix.shape[1]
    for choice, step in zip(choices, steps, strict=True):
        if POST.find(choice).scaling:
            layers.append(None)
            continue
        bias = np.asarray(step.transform(np.zeros((1, width))), np.float64)[0]
        matrix = np.asarray(step.transform(np.eye(width)), np.float64) - bias
        before = layers[-1] if layers else None
        if isinstance(before, Affine):
            layers[-1] = before.then(matrix, bias)
        else:
            layers.append(Affine(matrix, bias))
        width = matrix.shape[1]
    return layers
