"""What one control was set to by code, and what a browser may say of it that has not heard."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

Heard = Mapping[str, int]
"""The numbers that the browser has heard, by field."""


@dataclass(frozen=True)
class Before:
    """What a control said before it was set, and the number that is drawn behind it; None before that.

    ``is_sent`` says whether it was set to that: what the browser said of itself does not come back.
    """

    value: Any
    number: tuple[str, int] | None = None
    is_sent: bool = True

    def is_heard(self, heard: Heard) -> bool:
        """Whether a browser that has heard of these numbers no longer says it."""
        return self.number is not None and self.number[1] <= heard.get(self.number[0], -1)

    def is_numbered(self, drawn: Collection[str]) -> bool:
        """Whether a number is drawn behind it, by the fields that are drawn: another one says nothing."""
        return self.number is not None and self.number[0] in drawn


@dataclass(frozen=True)
class Held:
    """What a control was set to, and what the browser may say that has not heard, the latest last.

    What was set again was set to the value before too. ``is_new`` says whether it was an element that the
    browser did not have, ``is_chosen`` whether the visitor chose the value.
    """

    value: Any
    before: tuple[Before, ...]
    is_new: bool = False
    is_chosen: bool = False

    def is_heard(self, heard: Heard) -> bool:
        """Whether a browser that has heard these numbers knows the value, and no more is on its way."""
        return self.before[-1].is_heard(heard)

    def waiting(self, heard: Heard) -> tuple[Before, ...]:
        """What a browser may say that has heard these numbers, but for the value."""
        return tuple(one for one in self.before if not one.is_heard(heard))

    def undoes(self, said: Any, heard: Heard) -> bool:
        """Whether ``said`` is what a browser says that has not heard: None of an element that it lacks."""
        values = [one.value for one in self.waiting(heard)]
        return not self.is_heard(heard) and said != self.value and (said is None or said in values)

    def may_change(self, heard: Heard) -> bool:
        """Whether a browser that says the value may say another one later, so that it is sent again.

        So it is of an element that is new, and where others are on their way: the browser may say what it
        said before them.
        """
        others = self.is_new or self.is_chosen or len(self.waiting(heard)) > 1
        return not self.is_heard(heard) and others

    def on_its_way(self, heard: Heard) -> tuple[Before, ...]:
        """What a browser may say yet that says the visitor's choice: no longer what it said before."""
        return (*(one for one in self.waiting(heard) if one.is_sent), Before(self.value))

    def numbered(self, field: str, number: int, drawn: Collection[str]) -> Held:
        """The same behind which a number is drawn, in the place of one whose field is not ``drawn`` too."""
        told = (
            one if one.is_numbered(drawn) else replace(one, number=(field, number)) for one in self.before
        )
        return replace(self, before=tuple(told))

    def is_numbered(self, drawn: Collection[str]) -> bool:
        """Whether a number is drawn behind it."""
        return all(one.is_numbered(drawn) for one in self.before)

    def sent_again(self) -> Held:
        """The same, on its way once more."""
        again = Before(self.value)
        return self if self.before[-1] == again else replace(self, before=(*self.before, again))

    def reached(self, said: Any) -> Held | None:
        """The same for a browser that says so; None where it has the value, and no more is on its way.

        What the visitor chose, or may have chosen before others arrive, says nothing of them.
        """
        sent = tuple(one for one in self.before if one.is_sent)
        others = any(one.value != self.value for one in sent)
        stays = any(one.value == said for one in self.before if not one.is_sent)
        if self.is_chosen or others or stays or said != self.value:
            return self
        return replace(self, before=sent) if sent else None
