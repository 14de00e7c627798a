"""Lists, numbers and texts as an array of bytes, so that a table of arrays can hold them without pickle."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from jaxtyping import UInt8


def as_array(value: object) -> UInt8[np.ndarray, " byte"]:
    """A value that JSON can hold, as the bytes of its text."""
    return np.frombuffer(json.dumps(value).encode(), np.uint8)


def from_array(array: UInt8[np.ndarray, " byte"]) -> Any:
    """The inverse of :func:`as_array`; tuples come back as lists."""
    return json.loads(array.tobytes())
