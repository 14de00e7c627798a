"""Text that a reader wrote, made safe for Plotly, which takes labels for HTML."""

from __future__ import annotations

import html
import re
import textwrap
from collections.abc import Sequence
from functools import lru_cache
from itertools import takewhile

NAME = 44
"""Characters of a recipe's name, in the bar and beside a point; longer ones are cut."""

_SENTENCE, _COLON = re.compile(r"; |\. (?=[A-Z“])"), re.compile(": ")
_PART, _ASIDE = re.compile(r", | \(| – "), re.compile(r" \(| – ")
"""What stands between clauses and inside one; a comma stands inside names too, where no finding follows."""


def plain(text: str) -> str:
    """``text`` shown as it is: ``<s>`` stays ``<s>``, and ``%{x}`` in a template of Plotly's ``%{x}``."""
    return html.escape(text, quote=False).replace("%{", "&#37;{")


def short(text: str, length: int) -> str:
    """The first ``length`` characters, cut at a word where that costs little; escaped."""
    return plain(_cut(text, length))


@lru_cache(maxsize=1 << 15)
def wrapped(text: str, width: int = 48, lines: int = 4) -> str:
    """``text`` over some lines for a hover label; escaped, the rest left out with an ellipsis.

    The latest are remembered: a corpus is drawn with each recipe anew.
    """
    rows = textwrap.wrap(text, width) or [""]
    shown = [*rows[: lines - 1], rows[lines - 1] + " …"] if len(rows) > lines else rows
    return "<br>".join(map(plain, shown))


def wrapped_ends(text: str, width: int, lines: int) -> str:
    """``text`` over some lines as :func:`wrapped`; a longer one is cut in its middle.

    What follows the cut begins with a step where there are steps with commas between, else with a word.
    """
    if len(textwrap.wrap(text, width)) <= lines:
        return wrapped(text, width, lines)
    for mark in (", ", " "):
        for begin in (one.end() for one in re.finditer(mark, text)):
            ends = [one.start() for one in re.finditer(" ", text[: begin - 1]) if one.start() > width // 2]
            for end in reversed(ends):
                cut = f"{text[:end].rstrip(',')}… {text[begin:]}"
                if len(textwrap.wrap(cut, width)) <= lines:
                    return wrapped(cut, width, lines)
    return wrapped(text, width, lines)


def distinct(texts: Sequence[str], length: int) -> list[str]:
    """The labels of :func:`cut_distinct`; escaped."""
    return [plain(label) for label in cut_distinct(texts, length)]


def clauses(texts: Sequence[str], length: int) -> list[str]:
    """Each text as its first clauses that fit into about ``length`` characters, none ended inside one.

    What stands before the first colon may say nothing by itself: part of what follows is better than none.
    A text without such a clause, and texts that begin with the same, are cut as :func:`cut_distinct` does.
    """
    first = [_first_clauses(text, length) for text in texts]
    cut = cut_distinct(texts, length)
    return [
        clause if clause and first.count(clause) == 1 else label
        for clause, label in zip(first, cut, strict=True)
    ]


def _first_clauses(text: str, length: int) -> str:
    """As many first clauses as fit, by the strongest marks between them; empty when there are none."""
    if len(text) <= length:
        return text
    colon = next((one.start() for one in re.finditer(": ", text) if _is_outside(text, one.start())), 0)
    for marks, begin in ((_SENTENCE, 0), (_PART, colon or length), (_COLON, 0), (_ASIDE, 0)):
        for mark in reversed([*marks.finditer(text, max(length // 3, begin), length + 2)]):
            end = mark.start()
            if _is_outside(text, end):
                return text[:end] + "…" * (mark.group() == ", ")  # which also stands inside a name
    return ""


def _is_outside(text: str, place: int) -> bool:
    """Whether a place is in no quotation and no brackets."""
    return all(text.count(one, 0, place) == text.count(other, 0, place) for one, other in ("“”", "()"))


def cut_distinct(texts: Sequence[str], length: int) -> list[str]:
    """Each text cut to about ``length`` characters, so that different texts stay different.

    Texts that begin alike are cut in their middle, before the word at which they part; before the whole
    step where they are steps with commas between, as names of recipes are.
    """
    cut = [_cut(text, length) for text in texts]
    alike: dict[str, list[int]] = {}
    for i, label in enumerate(cut):
        alike.setdefault(label, []).append(i)
    for places in alike.values():
        _part(texts, places, cut, length)
    return cut


def _part(texts: Sequence[str], places: Sequence[int], cut: list[str], length: int) -> None:
    """Cut the texts at some places, which begin alike, where they part."""
    if len({texts[i] for i in places}) < 2:
        return
    columns = zip(*(texts[i] for i in places), strict=False)
    same = sum(1 for _ in takewhile(lambda letters: len({*letters}) == 1, columns))
    parting = texts[places[0]].rfind(" ", 0, same) + 1
    step = texts[places[0]].rfind(", ", 0, same) + 2
    if step > 1 and same - step <= length // 3:
        parting = step
    if same - parting > length // 3:  # one long word: no place to cut before
        parting = same
    rest: dict[str, list[int]] = {}
    for i in places:
        rest.setdefault(_cut(texts[i][parting:], length - length // 3), []).append(i)
    for label, group in rest.items():
        for i in group:
            cut[i] = f"{_head(texts[i][:parting], length // 3 - 1)}… {label}"
        if len(group) < len(places):
            _part(texts, group, cut, length)


def _head(text: str, length: int) -> str:
    """The first ``length`` characters at most, to the end of a word where that costs little."""
    return _cut(text.rstrip(), length + 1).removesuffix("…").rstrip()


def _cut(text: str, length: int) -> str:
    """The first ``length`` characters, cut at a word where that costs little."""
    if len(text) <= length:
        return text
    head = text[: length - 1]
    space = head.rfind(" ")
    return (head[:space] if space > length * 0.6 else head) + "…"
