"""Controls that code sets, such as a recipe's text by a click on an option, and what it writes in the URL.

Until the browser has heard of it, each of its requests says what the control or the URL showed before. With
the next click that would undo the first. So what it says of before is passed over until it has heard.

How far it has heard it says itself. A field out of sight shows a number, which :func:`tell` draws behind
the controls that it counts: what is sent in an order is shown in that order, and what is shown is said in
each request. Of a run that another click ends, or follows at once, the last messages are not sent, those of
the number neither: what the browser has not heard of is set again in the next run, and then both times may
be on their way to it (:mod:`components.held_control`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from secrets import token_hex
from typing import Any

import streamlit as st

from components.held_control import Before, Heard, Held
from components.streamlit_inside import address, this_run, values

FIELD = "heard-"
"""Beginning of the keys of all fields of numbers."""

BAR, PAGE = f"{FIELD}bar", f"{FIELD}page"
"""The fields behind the bar, and at the end of a run."""

STYLE = f"[class*='st-key-{FIELD}'] {{ display: none; }}"
"""They are not for the visitor."""

_WORDS = re.compile(r"(\S+) (\d{1,12})", re.ASCII)
"""A field's text: which visit, and which of its numbers."""

_HELD, _RECENT, _NUMBERS, _VISIT, _URL = "held", "held.recent", "held.numbers", "held.visit", "?"


def parameter(name: str) -> str:
    """The key of a query parameter of the URL; one that is not there says an empty text."""
    return f"{_URL}{name}"


def hold(key: str, value: Any, *, is_new: bool = False) -> None:
    """Set a control, in a callback or before it is drawn.

    ``is_new`` says whether it is drawn for the first time after this.
    """
    heard, one = _heard(), _all().get(key)
    before = () if one is None else one.waiting(heard)
    said = now(key)
    said_before = Before(said, is_sent=one is not None and said == one.value)
    _all()[key] = Held(value, (*before, said_before), is_new)
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
    for key, held in list(_all().items()):
        said = _said(key)
        if (one := held.reached(values.said(key))) is None:
            del _all()[key]
        elif one.undoes(said, heard) or (said == one.value and one.may_change(heard)):
            _all()[key] = one.sent_again()
            _set(key, one.value)
        elif said != one.value or one.is_heard(heard):
            _leave(key, one, said, heard)
        else:
            _all()[key] = one


def _leave(key: str, one: Held, said: Any, heard: Heard) -> None:
    """Leave a control to the visitor, who chose what the browser says; or it has heard of what was set.

    What is on its way to a browser that has not would undo the choice there, so that is set after it.
    """
    del _all()[key]
    if not one.is_heard(heard):
        _all()[key] = Held(said, one.on_its_way(heard), is_chosen=True)
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


def tell_behind(key: str) -> None:
    """Draw a number behind a control of the page, which can be taken back while what follows is drawn."""
    tell(f"{FIELD}{key}")


def tell(field: str) -> None:
    """Draw a number, as :data:`BAR` or :data:`PAGE`, which the browser says once it has what is before it.

    What is not drawn in a whole run is let go: the browser no longer says it.
    """
    drawn = {key: one for key, one in _all().items() if key.startswith(_URL) or values.is_drawn(key)}
    numbers = st.session_state.setdefault(_NUMBERS, {BAR: 0, PAGE: 0})
    numbers.setdefault(field, 0)
    fields = {field, *(one for one in numbers if field != PAGE or values.is_drawn(one))}
    if not all(one.is_numbered(fields) for one in drawn.values()):
        numbers[field] = max(numbers.values()) + 1
    others = {} if field == PAGE else _all()
    told = {key: one.numbered(field, numbers[field], fields) for key, one in drawn.items()}
    st.session_state[_HELD] = others | told
    text = f"{st.session_state.setdefault(_VISIT, token_hex(4))} {numbers[field]}"
    if values.said(field) != text:
        st.session_state[field] = text
    st.text_input("What the browser has heard", key=field, label_visibility="collapsed")


def _heard() -> dict[str, int]:
    """The numbers that the browser has heard as it says in this request; none before any of this visit."""
    visit, fields = st.session_state.get(_VISIT), st.session_state.get(_NUMBERS, ())
    said = {field: _WORDS.fullmatch(str(values.said(field))) for field in fields}
    return {field: int(words[2]) for field, words in said.items() if words and words[1] == visit}


def _said(key: str, default: Any = None) -> Any:
    if key.startswith(_URL):
        return st.query_params.get(key.removeprefix(_URL), "")
    return st.session_state.get(key, default)


def _set(key: str, value: Any) -> None:
    name = key.removeprefix(_URL)
    if name == key:
        st.session_state[key] = value
    elif value:
        st.query_params[name] = value
    elif name in st.query_params:
        del st.query_params[name]
    else:  # another value may be on its way
        address.send_as_asked()


def _all() -> dict[str, Held]:
    held: dict[str, Held] = st.session_state.setdefault(_HELD, {})
    return held
