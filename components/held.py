"""Controls that code sets, such as a recipe's text by a click on an option, and what it writes in the URL.

Until the browser has heard of it, each of its requests says what the control or the URL showed before. With
the next click that would undo the first. So what it says of before is passed over until it has heard.

How far it has heard it says itself. A field out of sight shows a number, which :func:`tell` draws behind
the controls that it counts: what is sent in an order is shown in that order, and what is shown is said in
each request. Of a run that another click ends, or follows at once, the last messages are not sent, those of
the number neither: what the browser has not heard of is set again in the next run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from secrets import token_hex
from typing import Any

import streamlit as st

from components.streamlit_inside import this_run, values

BAR, PAGE = "heard-bar", "heard-page"
"""The fields of numbers, by key: behind the bar, and at the end of a run."""

STYLE = f".st-key-{BAR}, .st-key-{PAGE} {{ display: none; }}"
"""They are not for the visitor."""

_WORDS = re.compile(r"(\S+) (\d{1,12})", re.ASCII)
"""A field's text: which visit, and which of its numbers."""

_HELD, _RECENT, _NUMBERS, _VISIT, _URL = "held", "held.recent", "held.numbers", "held.visit", "?"


@dataclass(frozen=True)
class _Before:
    """What a control said before it was set, and the number that is drawn behind it; None before that."""

    value: Any
    number: int | None = None

    def is_heard(self, heard: int) -> bool:
        """Whether a browser that has heard a number no longer says it."""
        return self.number is not None and self.number <= heard


@dataclass(frozen=True)
class _Held:
    """What a control was set to, and what the browser may say that has not heard, the latest last.

    ``is_new`` says whether it was an element that the browser did not have.
    """

    value: Any
    before: tuple[_Before, ...]
    is_new: bool = False

    def is_heard(self, heard: int) -> bool:
        """Whether a browser that has heard a number knows the value."""
        return self.before[-1].is_heard(heard)

    @property
    def is_numbered(self) -> bool:
        """Whether a number is drawn behind it."""
        return self.before[-1].number is not None

    def undoes(self, said: Any, heard: int) -> bool:
        """Whether ``said`` is what a browser says that has not heard: None of an element that it lacks."""
        waiting = [one.value for one in self.before if not one.is_heard(heard)]
        return not self.is_heard(heard) and said != self.value and (said is None or said in waiting)

    def numbered(self, number: int) -> _Held:
        """The same behind which a number is drawn."""
        before = (one if one.number is not None else replace(one, number=number) for one in self.before)
        return replace(self, before=tuple(before))

    def sent_again(self) -> _Held:
        """The same, on its way once more."""
        return replace(self, before=(*self.before[:-1], replace(self.before[-1], number=None)))


def parameter(name: str) -> str:
    """The key of a query parameter of the URL; one that is not there says an empty text."""
    return f"{_URL}{name}"


def hold(key: str, value: Any, *, is_new: bool = False) -> None:
    """Set a control, in a callback or before it is drawn.

    ``is_new`` says whether it is drawn for the first time after this.
    """
    heard, one = _heard(), _all().get(key)
    before = [] if one is None else [past for past in one.before if not past.is_heard(heard)]
    _all()[key] = _Held(value, (*before, _Before(now(key))), is_new)
    _set(key, value)


def now(key: str, default: Any = None) -> Any:
    """What a control says, in a callback too: what it was set to, until the visitor has changed it."""
    said, one = _said(key, default), _all().get(key)
    return one.value if one is not None and one.undoes(said, _heard()) else said


def is_echo(key: str, *, can_be_empty: bool = False) -> bool:
    """Whether a callback is called though the visitor changed nothing; else the control is theirs again.

    So it is for a browser that has not heard what code has set, and when it has: it says another value then
    than in its request before. A control that the browser never had says nothing at all, which a visitor
    cannot choose but in one that ``can_be_empty``.
    """
    said, one, heard = _said(key), _all().get(key), _heard()
    if one is not None and (said == one.value or one.undoes(said, heard)):
        return True
    if said is None and not can_be_empty:
        return True
    if one is not None:
        _leave(key, one, said, heard)
    return False


def hear() -> None:
    """Take up what the browser says, at the start of a run; what it has not heard of yet is set again."""
    if this_run.goes_through_history():  # the address says what the visitor wants
        _all().clear()
    st.session_state[_RECENT] = bool(_all())
    heard = _heard()
    for key, one in list(_all().items()):
        said = _said(key)
        if one.undoes(said, heard) or (said == one.value and one.is_new and not one.is_heard(heard)):
            _all()[key] = one.sent_again()
            _set(key, one.value)
        elif said != one.value or one.is_heard(heard):
            _leave(key, one, said, heard)


def _leave(key: str, one: _Held, said: Any, heard: int) -> None:
    """Leave a control to the visitor, who chose what the browser says; or it has heard of what was set.

    What is on its way to a browser that has not would undo the choice there, so that is set after it.
    """
    del _all()[key]
    if not one.is_heard(heard):
        _all()[key] = _Held(said, (*one.before, _Before(one.value)))
        _set(key, said)


def is_recent() -> bool:
    """Whether code has set a control in this run, or the browser had not heard of one before it."""
    return bool(_all()) or bool(st.session_state.get(_RECENT))


@contextmanager
def told() -> Iterator[None]:
    """Draw the last number at the end of a run, below a page that ends with an error too."""
    try:
        yield
    except Exception:
        tell(PAGE)
        raise
    tell(PAGE)


def tell(field: str) -> None:
    """Draw a number, :data:`BAR` or :data:`PAGE`, which the browser says once it has what was drawn before.

    What is not drawn in a whole run is let go: the browser no longer says it.
    """
    drawn = {key: one for key, one in _all().items() if key.startswith(_URL) or values.is_drawn(key)}
    numbers = st.session_state.setdefault(_NUMBERS, {BAR: 0, PAGE: 0})
    if not all(one.is_numbered for one in drawn.values()):
        numbers[field] = max(numbers.values()) + 1
    others = {} if field == PAGE else _all()
    st.session_state[_HELD] = others | {key: one.numbered(numbers[field]) for key, one in drawn.items()}
    text = f"{st.session_state.setdefault(_VISIT, token_hex(4))} {numbers[field]}"
    if values.said(field) != text:
        st.session_state[field] = text
    st.text_input("What the browser has heard", key=field, label_visibility="collapsed")


def _heard() -> int:
    """The number that the browser has heard as it says in this request; -1 before any of this visit."""
    visit = st.session_state.get(_VISIT)
    said = (_WORDS.fullmatch(str(values.said(field))) for field in (BAR, PAGE))
    return max((int(words[2]) for words in said if words and words[1] == visit), default=-1)


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
