"""The trained layer that some checkpoints hold behind [CLS]: a dense layer and tanh.

BERT's pooler is such a layer, trained to tell whether one sentence follows another. The checkpoints of
SimCSE hold the layer of their own training in its place, and the published scores of the supervised models
go through it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Float
from safetensors import SafetensorError, safe_open

from core.encoders.model_config import GET_AGAIN, NOT_OF_EACH_OTHER
from core.encoders.models import Location
from core.errors import ModelError

_NAMES = ("pooler.dense", "mlp.dense")
"""What the layer is called, perhaps behind the name of the transformer."""

_PARTS = ("weight", "bias")


@dataclass(frozen=True, eq=False)
class Head:
    """``tanh(W · x + b)`` of each row, in float32."""

    weight: Float[np.ndarray, "out dim"]
    bias: Float[np.ndarray, " out"]

    def __call__(self, rows: Float[np.ndarray, "sentence dim"]) -> Float[np.ndarray, "sentence out"]:
        """The rows behind the layer; a row of zeros, which no text gives but an empty one, stays so."""
        out = np.tanh(rows @ self.weight.T + self.bias).astype(np.float32)
        out[~rows.any(axis=1)] = 0
        return out


def has_head(location: Location) -> bool:
    """Whether a folder's weights hold the layer; nothing of them is loaded.

    Raises :class:`ModelError` when the weights cannot be read.
    """
    return len({part for path in _weights(location) for part in _parts(location, path)}) == len(_PARTS)


def load_head(location: Location) -> Head | None:
    """The layer of a folder's weights, without loading the others; None where there is none.

    Raises
    ------
    ModelError
        The weights cannot be read, or the layer is not of the model's width.
    """
    found: dict[str, np.ndarray] = {}
    for path in _weights(location):
        if keys := _parts(location, path):
            with _opened(location, path, "pt") as file:
                found |= {part: file.get_tensor(key).float().numpy() for part, key in keys.items()}
    if len(found) < len(_PARTS):
        return None
    weight, bias = found["weight"], found["bias"]
    if weight.shape != (len(bias), location.dim):
        raise ModelError(
            f"{location.name}: the layer behind [CLS] is of {weight.shape} numbers and {bias.shape}; the "
            f"model's width is {location.dim}. {NOT_OF_EACH_OTHER}"
        )
    return Head(weight, bias)


def _weights(location: Location) -> list[Path]:
    return sorted(location.folder.glob("*.safetensors"))


def _parts(location: Location, path: Path) -> dict[str, str]:
    """The names of the layer's arrays in a file, by part; torch is not needed for these."""
    with _opened(location, path, "np") as file:
        named = [(key, *key.rpartition(".")) for key in file.keys()]
    return {part: key for key, layer, _, part in named if part in _PARTS and layer.endswith(_NAMES)}


@contextmanager
def _opened(location: Location, path: Path, framework: str) -> Iterator[Any]:
    try:
        with safe_open(path, framework=framework) as file:
            yield file
    except (SafetensorError, OSError) as error:
        raise ModelError(f"{location.name}: damaged weights ({error}). {GET_AGAIN}") from error
