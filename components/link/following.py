"""A link that is opened: what of it cannot be read, and what is another than when it was made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

import streamlit as st

from components.link import controls, copying, origins, run
from components.link.controls import Said
from components.link.parameters import OF_PAGE, misspelt
from components.link.run import Run
from components.streamlit_inside import address
from components.text import escape
from components.wording import upper_first
from core.errors import shorten

_OPENED, _UNREAD = "link.opened", "link.unread"

_MADE_OF = ("a", "b", "corpus", "split")
"""The parameters that say what numbers are made of."""


@dataclass(frozen=True)
class Unread:
    """A part of a link that is not followed, and what the controls said when that was found."""

    parameters: tuple[str, ...]
    said: tuple[Said | None, ...]
    why: str

    def still(self, said: Mapping[str, Said]) -> bool:
        """Whether the visitor has changed none of these controls since."""
        return tuple(said.get(parameter) for parameter in self.parameters) == self.said


def open_(said: Mapping[str, list[str]]) -> None:
    """Take what a link says, of which the pages tell what they cannot follow, instead of one before."""
    st.session_state[_OPENED] = dict(said)
    st.session_state.pop(_UNREAD, None)


def bring(page: str) -> None:
    """Have a page follow what a link that opened another one says of it: the browser lets go of that.

    The address of a page names controls of the one before, which stand there after a reload.
    """
    waiting: dict[str, list[str]] = st.session_state.get(_OPENED, {})
    for name in waiting.keys() & {*OF_PAGE.get(page, ())} - st.query_params.keys():
        address.start_with(name, waiting[name])
        st.query_params[name] = waiting[name]


@contextmanager
def followed(page: str) -> Iterator[None]:
    """Run a page: above it stands what its link says in vain, and its Link button is filled.

    A parameter is judged once its control is drawn, which may be after long work; a page that is left
    takes its message with it.
    """
    if _OPENED not in st.session_state:
        open_({name: st.query_params.get_all(name) for name in st.query_params})
    opened = st.session_state[_OPENED]
    this = run.begin(page)
    copying.name_tab(this)
    try:
        yield
    finally:
        said = controls.of_this_run()
        with this.place:
            _tell(this, opened, said)
        copying.finish(this, said)
        run.end()


def warn_here() -> None:
    """Let the warning stand here, as under a bar, and not above all that the page draws."""
    if (this := run.current()) is not None:
        this.place = st.container()


def explain(parameter: str, why: str = "") -> None:
    """Say in own words why a parameter cannot be followed; no words where it is said elsewhere.

    Where the control says what the link says, it holds for this run alone, as of a corpus that may come.
    """
    if (this := run.current()) is not None:
        this.explained[parameter] = why


def _tell(this: Run, opened: dict[str, list[str]], said: Mapping[str, Said]) -> None:
    """One warning for all that the link says in vain."""
    kept = st.session_state.get(_UNREAD)
    unread: dict[str, Unread] = kept[1] if kept and kept[0] == this.page else {}
    unread = {name: one for name, one in unread.items() if one.still(said)}
    for name in [name for name in opened if name in said]:
        written = opened.pop(name)
        if not said[name].agrees(written):
            why = this.explained.get(name, _why(name, written, said[name]))
            unread[name] = Unread((name,), (said[name],), why)
    if origins.PARAMETER in opened and this.origins is not None:
        written = opened.pop(origins.PARAMETER)
        if origins.PARAMETER in st.query_params:
            del st.query_params[origins.PARAMETER]  # it is of what the link opened, not of what follows
        if why := _of_other_origin(written[-1], this):
            parameters = tuple(name for name in _MADE_OF if name in said)
            unread[origins.PARAMETER] = Unread(parameters, tuple(map(said.get, parameters)), why)
    for name, why in misspelt(set(opened) - set(said)).items():
        del opened[name]
        unread[name] = Unread((), (), why)
    st.session_state[_UNREAD] = (this.page, unread)
    reasons = {name: one.why for name, one in unread.items()} | this.explained
    if lines := list(filter(None, reasons.values())):
        st.warning("  \n".join(map(escape, lines)), icon=":material/link_off:")


def _why(name: str, written: list[str], said: Said) -> str:
    values = ", ".join(shorten(value) for value in written)
    if said.single and not said.values and not written[-1]:
        return f"The link says {name} = {values}: the last of them holds, which is empty."
    return f"The link says {name} = {values}, which this page cannot follow; it shows {said.shown[:60]}."


def _of_other_origin(written: str, this: Run) -> str:
    """What is another than when the link was made, in words; empty where nothing is."""
    linked = origins.read(written)
    if linked is None:
        return f"The link says {origins.PARAMETER} = {shorten(written)}, which is no set of fingerprints."
    here = this.origins.fingerprints() if this.origins else {}
    if this.explained.get("corpus"):  # another one is shown in its place, which is said
        here.pop("C", None)
    changed = origins.others(linked, here)
    if not changed:
        return ""
    *first, last = changed
    names = f"{', '.join(first)} and {last}" if first else last
    verb = "are not the ones" if first else "is not the one"
    return f"{upper_first(names)} {verb} this link was made with: numbers may differ."
