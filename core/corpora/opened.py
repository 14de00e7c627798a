"""A corpus file opened to be read, unpacked where its ending says that it is compressed."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any


def opened(path: Path, mode: str = "rb", **how: Any) -> Any:
    """The file as :func:`open` gives it; what ends in ``.gz``, in capitals or not, as :func:`gzip.open`."""
    opener: Callable[..., Any] = gzip.open if path.suffix.lower() == ".gz" else open
    return opener(path, mode, **how)
