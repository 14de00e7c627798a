"""Names of the files that a figure is saved as."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

LONGEST = 120
"""Characters of a file name without its ending."""

_PART = 48
"""Characters of one part of it."""


def file_name(parts: Iterable[str], ending: str) -> str:
    """``strata_scores_STS-B-test_A-last-layer-mean.png``: letters, digits, ``-_+.`` alone."""
    words = [word for part in parts if (word := _word(part))]
    return f"{'_'.join(['strata', *words])[:LONGEST].rstrip('-_.')}.{ending}"


def _word(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return re.sub(r"-{2,}", "-", re.sub(r"[^A-Za-z0-9+.]+|\.{2,}", "-", plain))[:_PART].strip("-.")
