"""Texts of a figure's points, sent once for all figures that differ in their numbers alone.

The sentences of a thousand pairs are most of what a figure weighs. They go to the browser in an element of
their own, before the figure: Streamlit sends one that is the same as before in a few bytes.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import blake2b
from typing import Any

import numpy as np

from components.figures.drawn import Part
from components.scripts import brought

LEAST = 20_000
"""Letters of all texts of a figure's points from which they are sent apart."""

COMPONENT = "point_texts"

KEY = "texts-of-"

STYLE = (
    f'[data-testid="stElementContainer"][class*="st-key-{KEY}"] {{ position: absolute; left: -9999px; }}'
)
"""They take no room."""

_texts = brought.component(COMPONENT, isolate_styles=False)


def apart(traces: Sequence[Part]) -> tuple[list[Part], list[list[str]]]:
    """The traces with a number in place of the texts of their points, and the texts by this number.

    Texts that are short in all stay where they are; those of several traces are there once.
    """
    texts: list[list[str]] = []
    numbered = []
    for trace in traces:
        own = _of_points(trace.get("text"))
        if own and own not in texts:
            texts.append(own)
        numbered.append({**trace, "text": texts.index(own)} if own else trace)
    if sum(len(text) for own in texts for text in own) < LEAST:
        return list(traces), []
    return numbered, texts


def send(figure: str, texts: Sequence[Sequence[str]]) -> str:
    """Send the texts of the figure with this key; the name by which it asks for them."""
    lists = json.dumps(texts, ensure_ascii=False)
    name = blake2b(lists.encode(), digest_size=16).hexdigest()
    _texts(key=f"{KEY}{figure}", data=f"{figure}\n{name}\n{lists}".encode())
    return name


def _of_points(given: Any) -> list[str]:
    """A text for each point; none where that is something else."""
    is_list = isinstance(given, list | tuple | np.ndarray)
    return list(given) if is_list and all(isinstance(text, str) for text in given) else []
