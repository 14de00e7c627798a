"""Readers' text in Streamlit, shown as it is."""

from __future__ import annotations

import re

_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+\-.!|~<>$:&^=])")
_NO_MARKUP = re.compile(r"[^\W_]+(?:[-_. ][^\W_]+)*")
_RANGE = re.compile(r"(?<=\d)–(?=\d)")
_ADDRESS = re.compile(r"(https?:(?=//)|www(?=\.))", re.IGNORECASE)


def escape(text: str) -> str:
    """``text`` for a Markdown label or sentence: nothing in it is taken for markup.

    Streamlit makes links of web addresses even where they are escaped; a word joiner, which is not
    seen, keeps them text.
    """
    return _MARKDOWN.sub(r"\\\1", _ADDRESS.sub("\\1\u2060", text.replace("\n", " ")))


def option(text: str) -> str:
    """The same for an option, which stands in the address: as it is where nothing in it can be markup."""
    return text if _NO_MARKUP.fullmatch(text) and not _ADDRESS.search(text) else escape(text)


def headline(text: str) -> str:
    """The same for a title in large type, which is not broken between a number and its unit or interval.

    A word joiner keeps the two ends of a range together.
    """
    for parts, whole in ((" %", "\u00a0%"), (" ± ", "\u00a0±\u00a0"), (" × 100", "\u00a0×\u00a0100")):
        text = text.replace(parts, whole)
    return escape(_RANGE.sub("\u2060–\u2060", text))


def plain(markdown: str) -> str:
    """What :func:`escape` or :func:`headline` was given, as it stands in Markdown."""
    return re.sub(r"\\(.)", r"\1", markdown).replace("\u2060", "").replace("\u00a0", " ")
