"""Readers' text in Streamlit, shown as it is."""

from __future__ import annotations

import re

_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+\-.!|~<>$:&^=])")


def escape(text: str) -> str:
    """``text`` for a Markdown label or sentence: nothing in it is taken for markup."""
    return _MARKDOWN.sub(r"\\\1", text.replace("\n", " "))
