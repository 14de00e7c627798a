"""The pair of sentences that a visitor chose, on the page Compare; ``pair=6,7`` in the URL."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import streamlit as st

from components import held
from components.text import escape
from core.errors import StrataError, shorten

KEY = "pair"


def put(pair: tuple[int, int] | None) -> None:
    """Choose a pair, counted from 1, or none (from a callback, before the widgets of the run are made)."""
    held.hold(KEY, "" if pair is None else f"{pair[0]},{pair[1]}")


def follow(before: Sequence[str], now: Sequence[str]) -> None:
    """Keep the pair of the same sentences where lines come, go or are rewritten (a callback).

    It is let go with one of its sentences, or where none is left of those that it was chosen among.
    """
    try:
        pair = read(held.now(KEY) or "", len(before))
    except StrataError:
        return
    if pair is None:
        return
    is_other = not set(before) & set(now)
    places = set() if is_other else {_place(number, before, now) for number in pair} - {0}
    if len(places) == 2:
        put((min(places), max(places)))
    elif is_other or max(pair) <= len(now):  # else the box says which sentence is not there
        put(None)


def _place(number: int, before: Sequence[str], now: Sequence[str]) -> int:
    """The number of a sentence among others; as it was where it was rewritten, and 0 where it is gone."""
    sentence = before[number - 1]
    is_there = now[number - 1 : number] == [sentence]
    if is_there or (sentence not in now and len(now) == len(before)):
        return number
    return now.index(sentence) + 1 if sentence in now else 0


def take(points: Sequence[dict[str, Any]]) -> None:
    """Choose the pair whose cell was clicked; a click that takes the choice back changes nothing."""
    for point in points[:1]:
        if numbers := point.get("customdata"):
            first, second = sorted(map(int, numbers[:2]))
            put((first, second))


def choose(count: int) -> tuple[int, int] | None:
    """The box for a pair among so many sentences; None when it is empty, or cannot be read and says so."""
    text = st.text_input(
        "Pair",
        key=KEY,
        bind="query-params",
        persist_state="session",
        placeholder=f"a pair: {count - 1},{count}",
        label_visibility="collapsed",
        width=110,
        help="Two sentences by their numbers; so does a click on a cell or on a row of the table.",
    )
    try:
        return read(text or "", count)
    except StrataError as error:
        st.warning(escape(str(error)), icon=":material/link_off:")
        return None


def read(text: str, count: int) -> tuple[int, int] | None:
    """A pair from its text, the lower number first; None for an empty text.

    Raises :class:`StrataError` for anything but the numbers of two different sentences of ``count``.
    """
    if not text.strip():
        return None
    numbers = re.fullmatch(r"\s*([0-9]{1,6})\s*[,;/ ]\s*([0-9]{1,6})\s*", text)
    if numbers is None:
        raise StrataError(
            f"The pair {shorten(text)} cannot be read; write the numbers of two sentences: 6,7."
        )
    first, second = sorted(map(int, numbers.groups()))
    for number in (first, second):
        if not 1 <= number <= count:
            raise StrataError(
                f"The pair {shorten(text)}: there is no sentence {number}; allowed is 1 to {count}."
            )
    if first == second:
        raise StrataError(f"The pair {shorten(text)} is one sentence; a pair has two different ones.")
    return first, second
