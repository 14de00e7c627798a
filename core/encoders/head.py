"""The trained layer that some checkpoints hold behind [CLS]: a dense layer and tanh.

BERT's pooler is such a layer, trained to tell whether one sentence follows another. The checkpoints of
SimCSE hold the layer of their own training in its place, and the published scores of the supervised models
go through it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from safetensors import SafetensorError, safe_open

from core.encoders.model_config import GET_AGAIN, NOT_OF_EACH_OTHER
from core.encoders.models import Location
from core.errors import ModelError

_NAMES = ("pooler.dense", "mlp.dense")
"""What the layer is called, perhaps behind the name of the transformer."""


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


def load_head(location: Location) -> Head | None:
    """The layer of a folder's weights, without loading the others; None where there is none.

    Raises
    ------
    ModelError
        The weights cannot be read, or the layer is not of the model's width.
    """
    found: dict[str, np.ndarray] = {}
    try:
        for path in sorted(location.folder.glob("*.safetensors")):
            with safe_open(path, framework="pt") as file:
                for key in file.keys():
                    layer, _, part = key.rpartition(".")
                    if part in ("weight", "bias") and layer.endswith(_NAMES):
                        found[part] = file.get_tensor(key).float().numpy()
    except (SafetensorError, OSError) as error:
        raise ModelError(f"{location.name}: damaged weights ({error}). {GET_AGAIN}") from error
    if len(found) < 2:
        return None
    weight, bias = found["weight"], found["bias"]
    if weight.shape != (len(bias), location.dim):
        raise ModelError(
            f"{location.name}: the layer behind [CLS] is of {weight.shape} numbers and {bias.shape}; the "
            f"model's width is {location.dim}. {NOT_OF_EACH_OTHER}"
        )
    return Head(weight, bias)
