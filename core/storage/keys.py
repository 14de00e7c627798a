"""Names of stored things, computed from what they depend on."""

from __future__ import annotations

import hashlib
import json

ENGINE = 3
"""Version of forward passes and of their files; raising it makes every stored pass a miss."""


def key_of(*parts: object) -> str:
    """A file name for the content of ``parts``: 40 hexadecimal digits."""
    text = json.dumps(parts, sort_keys=True, default=str, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:40]
