"""The controls of a run that are bound to the URL, and what they say as Streamlit writes it there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from components.streamlit_inside import controls


@dataclass(frozen=True)
class Said:
    """What a control says, in the URL's words.

    ``untouched`` is what it says by default. ``single`` tells that it holds one value: the last of those
    that a link writes.
    """

    values: tuple[str, ...]
    untouched: tuple[str, ...] = ()
    single: bool = False

    @property
    def shown(self) -> str:
        """In words, for a message."""
        return ", ".join(self.values) or "none"

    @property
    def written(self) -> tuple[str, ...]:
        """As a full link says it; nothing where it says nothing by default too."""
        return self.values or ("",) * bool(self.untouched)

    def agrees(self, written: list[str]) -> bool:
        """Whether it says what a link has written."""
        wanted = [value for value in dict.fromkeys(written) if value]
        if len(self.values) == 1 and wanted:
            return _alike(self.values[0], wanted[-1]) if len(wanted) == 1 else list(self.values) == wanted
        return list(self.values) == wanted


def of_this_run() -> dict[str, Said]:
    """Every bound control that the run has drawn, by its query parameter."""
    return {
        one.parameter: Said(
            one.spelled(st.session_state[one.parameter]), one.spelled(one.default), one.single
        )
        for one in controls.drawn()
    }


def by_words(written: Mapping[str, list[str]]) -> dict[str, Any]:
    """What controls of the last run hold by a link's words; their default where they cannot read them."""
    bound, found = controls.of_last_run(), {}
    for name in bound.keys() & written.keys():
        try:
            found[name] = bound[name].read(written[name])
        except ValueError:
            found[name] = bound[name].default
    return found


def _alike(one: str, other: str) -> bool:
    """Whether two values are written alike, but for capitals and the form of a number."""
    if one.lower() == other.lower():
        return True
    try:
        return float(one) == float(other)
    except ValueError:
        return False
