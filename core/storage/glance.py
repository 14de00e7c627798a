"""What there is on disk, looked up once for as long as somebody looks.

One run of a page asks some hundred times which corpora and models there are: for each score, cell and menu.
Each time the system is asked for the stamps of files, which takes Python's lock from the run, and a run
beside others waits for it again. Within :func:`glance` what :func:`at_a_glance` marks is asked once.

A glance is one thread's own. What changes files that are looked at again says so (:func:`forget`);
what others change is found by the next glance.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

_SEEN: ContextVar[dict[Hashable, object] | None] = ContextVar("strata_seen", default=None)


@contextmanager
def glance() -> Iterator[None]:
    """Look once at what is looked at within; one inside another begins anew."""
    before = _SEEN.set({})
    try:
        yield
    finally:
        _SEEN.reset(before)


def forget() -> None:
    """Look anew from now on, within this glance."""
    seen = _SEEN.get()
    if seen is not None:
        seen.clear()


def at_a_glance(ask: Callable[P, T]) -> Callable[P, T]:
    """Give what ``ask`` gave before in this glance, to the same arguments, which are hashable.

    The answer is shared: nobody changes it. An error is no answer; outside of a glance nothing is kept.
    """

    @wraps(ask)
    def asked(*arguments: P.args, **named: P.kwargs) -> T:
        seen = _SEEN.get()
        if seen is None:
            return ask(*arguments, **named)
        key = (ask, arguments, *named.items())
        if key not in seen:
            seen[key] = ask(*arguments, **named)
        return seen[key]  # type: ignore[return-value]

    return asked
