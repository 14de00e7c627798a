"""Points that a visitor draws around in a figure, and so chooses what is counted or listed below it.

A field out of sight holds them, which is in the link as any control's value: a mark of what the figure
draws, and for each of its panels the places of the chosen points.
"""

from __future__ import annotations

import re
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from hashlib import blake2b

import numpy as np
import streamlit as st

from components import held, link
from core.errors import shorten

MOST = 300_000
"""Points of a panel that a link may hold: all tokens of a large vocabulary."""

_TEXT = re.compile(r"([0-9a-f]{8})((?:\.[\w-]*)+)", re.ASCII)


def field(key: str) -> None:
    """Draw the field, in each run of a page that has the figure."""
    with st.container(key=f"{key}.bound"):
        st.text_input("Chosen points", key=key, bind="query-params", persist_state="session")


def take(key: str, figure: object, panels: Sequence[Sequence[int]]) -> None:
    """Choose places in each panel of what ``figure`` identifies (a callback)."""
    held.hold(key, written(figure, panels))


def written(figure: object, panels: Sequence[Sequence[int]]) -> str:
    """The text for places in each panel of a figure; empty where none is chosen."""
    if not any(len(places) for places in panels):
        return ""
    return ".".join([_mark(figure), *map(_written, panels)])


def of(key: str, figure: object) -> list[list[int]]:
    """The places in each panel, ascending; none where others or no points are chosen.

    A link that names points of this figure in no way that can be read is told.
    """
    text = _said(key)
    parts = _TEXT.fullmatch(text)
    if parts is not None and parts[1] != _mark(figure):
        return []
    panels = [_read(part) for part in parts[2].split(".")[1:]] if parts else []
    if text and (parts is None or None in panels):
        link.explain(key, f"The link says {key} = {shorten(text)}, which is no choice of points.")
        return []
    return [places for places in panels if places is not None]


def is_of_another(key: str, figure: object) -> bool:
    """Whether points of another figure are chosen."""
    parts = _TEXT.fullmatch(_said(key))
    return parts is not None and parts[1] != _mark(figure)


def clear(key: str) -> None:
    """Choose none."""
    held.hold(key, "")


def _said(key: str) -> str:
    return str(st.session_state.get(key, st.query_params.get(key)) or "")


def _mark(figure: object) -> str:
    return blake2b(repr(figure).encode(), digest_size=4).hexdigest()


def _written(places: Sequence[int]) -> str:
    """Places as text: the steps from each to the next are small numbers, which pack well."""
    steps = np.diff(np.array(sorted(places), np.int64), prepend=0)
    packed = zlib.compress(" ".join(map(str, steps)).encode(), 9) if len(steps) else b""
    return urlsafe_b64encode(packed).decode().rstrip("=")


def _read(text: str) -> list[int] | None:
    """The places that a text holds; None where it holds none."""
    if not text:
        return []
    unpack = zlib.decompressobj()
    try:
        packed = urlsafe_b64decode(text + "=" * (-len(text) % 4))
        steps = [int(step) for step in unpack.decompress(packed, 4 * MOST).split()]
    except (ValueError, zlib.error):
        return None
    is_whole = unpack.eof and len(steps) <= MOST and all(0 <= step < 2**31 for step in steps)
    return np.cumsum(steps, dtype=np.int64).tolist() if is_whole and 0 not in steps[1:] else None
