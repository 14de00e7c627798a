"""Controls that code sets, such as a recipe's text by a click on an option, and what it writes in the URL.

Until the browser has heard of it, each of its requests says what the control or the URL showed before. With
the next click that would undo the first. So what it says of before is passed over for a while.

A new element is another matter. Of a run that another click ends, or follows at once, the last messages are
not sent: the browser may never have had it, would show it empty in the next run, and say so. So it is set
again there.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import Any

import streamlit as st

from components.streamlit_inside import this_run

HEARD = 3.0
"""Seconds after which the browser has heard of what was set: what it says then is the visitor's."""

SOON = 0.5
"""The same for what a visitor can take back at a click, as an option of a stage or a pin."""

SENT = 0.25
"""Seconds after a run in which all that it has drawn is on its way, unless another run has begun."""

_HELD, _RECENT, _TOLD, _URL = "held", "held.recent", "held.told", "?"


@dataclass(frozen=True)
class _Held:
    """What a control was set to, and what it said ``before``, which is passed over until a moment.

    ``is_new`` says whether it was an element that the browser did not have.
    """

    value: Any
    before: tuple[tuple[Any, float], ...]
    is_new: bool = False

    def undoes(self, said: Any) -> bool:
        """Whether ``said`` is what the browser says that has not heard yet."""
        return bool(said != self.value) and any(said == one for one, _ in self.waiting())

    def waiting(self) -> list[tuple[Any, float]]:
        """What the browser may still say of before."""
        moment = time.monotonic()
        return [(one, until) for one, until in self.before if until > moment]


def parameter(name: str) -> str:
    """The key of a query parameter of the URL; one that is not there says an empty text."""
    return f"{_URL}{name}"


def hold(key: str, value: Any, heard: float = HEARD, *, is_new: bool = False) -> None:
    """Set a control, in a callback or before it is drawn, of which the browser has ``heard`` in seconds.

    ``is_new`` says whether it is drawn for the first time after this.
    """
    said, one = now(key), _all().get(key)
    waiting = [*(one.waiting() if one else ()), (said, time.monotonic() + heard)]
    before = tuple(pair for pair in waiting if pair[0] is not None and pair[0] != value)
    _all()[key] = _Held(value, before, is_new)
    _set(key, value)


def now(key: str, default: Any = None) -> Any:
    """What a control says, in a callback too: what it was set to, until the visitor has changed it."""
    said, one = _said(key, default), _all().get(key)
    return one.value if one is not None and one.undoes(said) else said


def is_echo(key: str) -> bool:
    """Whether a callback is called for a browser that has not heard: the visitor changed nothing.

    It is so too where a control says nothing at all, which no visitor can choose: the browser never had it.
    """
    said, one = _said(key), _all().get(key)
    return said is None or (one is not None and one.undoes(said))


def hear() -> None:
    """Take up what the browser says, at the start of a run; what it has not heard of yet is set again."""
    was_told = time.monotonic() > st.session_state.get(_TOLD, 0.0) + SENT
    st.session_state[_TOLD] = math.inf
    if this_run.goes_through_history():  # the address says what the visitor wants
        _all().clear()
    st.session_state[_RECENT] = bool(_all())
    for key, one in list(_all().items()):
        said = _said(key)
        if one.undoes(said) or (one.is_new and said == one.value and not was_told):
            _set(key, one.value)
        elif said != one.value or not one.waiting():
            del _all()[key]


def is_recent() -> bool:
    """Whether code has set a control in this run, or shortly before it."""
    return bool(_all()) or bool(st.session_state.get(_RECENT))


def tell() -> None:
    """Note the end of a run."""
    st.session_state[_TOLD] = time.monotonic()


def _said(key: str, default: Any = None) -> Any:
    if key.startswith(_URL):
        return st.query_params.get(key.removeprefix(_URL), "")
    return st.session_state.get(key, default)


def _set(key: str, value: Any) -> None:
    if not key.startswith(_URL):
        st.session_state[key] = value
    elif value:
        st.query_params[key.removeprefix(_URL)] = value
    else:
        st.query_params.pop(key.removeprefix(_URL), None)


def _all() -> dict[str, _Held]:
    held: dict[str, _Held] = st.session_state.setdefault(_HELD, {})
    return held
