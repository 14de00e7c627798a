"""Text that a reader wrote, made safe for Plotly, which takes labels for HTML."""

from __future__ import annotations

import html
import textwrap


def plain(text: str) -> str:
    """``text`` shown as it is: ``<s>`` stays ``<s>``."""
    return html.escape(text, quote=False)


def short(text: str, length: int) -> str:
    """The first ``length`` characters, cut at a word where that costs little; escaped."""
    if len(text) <= length:
        return plain(text)
    head = text[: length - 1]
    space = head.rfind(" ")
    return plain(head[:space] if space > length * 0.6 else head) + "…"


def wrapped(text: str, width: int = 48, lines: int = 4) -> str:
    """``text`` over some lines for a hover label; escaped, the rest left out with an ellipsis."""
    rows = textwrap.wrap(text, width) or [""]
    shown = [*rows[: lines - 1], rows[lines - 1] + " …"] if len(rows) > lines else rows
    return "<br>".join(map(plain, shown))
