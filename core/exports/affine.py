"""Post-processing as layers of a network: affine maps and scaling to unit length."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from core.matrices import units
from core.recipe import POST
from core.recipe.options import Choice, Transformer

Rows = Float[np.ndarray, "row dim"]


@dataclass(frozen=True, eq=False)
class Affine:
    """``v ↦ v · matrix + bias``, in float64."""

    matrix: Float[np.ndarray, "dim column"]
    bias: Float[np.ndarray, " column"]

    def __call__(self, rows: Rows) -> Float[np.ndarray, "row column"]:
        """What becomes of some vectors."""
        return rows @ self.matrix + self.bias

    def then(self, matrix: Float[np.ndarray, "dim column"], bias: Float[np.ndarray, " column"]) -> Affine:
        """This map and another after it, as one."""
        return Affine(self.matrix @ matrix, self.bias @ matrix + bias)

    def stable(self, rows: Rows) -> tuple[Affine, ...]:
        """The same map for float32, where vectors are like ``rows``: subtract their mean first.

        ``v · matrix`` and ``bias`` are large and nearly cancel where vectors are far from 0 and near to
        each other, as those of encoders are; that magnifies rounding. ``(v - c) · matrix`` and
        ``c · matrix + bias``, with c the mean rounded to float32, do not. A map that only moves vectors is
        one step as it is.
        """
        dim, columns = self.matrix.shape
        if dim == columns and np.array_equal(self.matrix, np.eye(dim)):
            return (self,)
        centre = rows.mean(axis=0).astype(np.float32).astype(np.float64)
        return Affine(np.eye(dim), -centre), Affine(self.matrix, centre @ self.matrix + self.bias)


Layer = Affine | None
"""An affine map, or None for scaling to unit length."""


def layers_of(choices: Sequence[Choice], steps: Sequence[Transformer], width: int) -> list[Layer]:
    """Fitted affine and scaling steps as layers, consecutive affine steps as one map.

    ``width`` is that of the vectors before the first step.
    """
    layers: list[Layer] = []
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


def stable(layers: Sequence[Layer], rows: Rows) -> list[Layer]:
    """Layers for float32: each affine map as :meth:`Affine.stable` of what ``rows`` are before it."""
    found: list[Layer] = []
    rows = rows.astype(np.float64)
    for layer in layers:
        found += [None] if layer is None else layer.stable(rows)
        rows = finished([layer], rows)
    return found


def finished(layers: Sequence[Layer], rows: Rows) -> Rows:
    """What becomes of some vectors; one of zeros is not scaled."""
    for layer in layers:
        if layer is None:
            rows = units(rows)
        else:
            rows = layer(rows)
    return rows
