"""Arguments of options: type, range, default, and the text they are read from and printed as."""

from __future__ import annotations

import inspect
import math
import types
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from core.errors import RecipeError, shorten
from core.recipe.grammar import quote

Value = int | float | str | None


@dataclass(frozen=True)
class Within:
    """The closed range of a numeric argument, and what the argument means."""

    low: float
    high: float
    meaning: str = ""


@dataclass(frozen=True)
class Text:
    """What a free-text argument means."""

    meaning: str = ""


@dataclass(frozen=True)
class Argument:
    """One argument of an option: its type, range and default; a bound that is None does not exist."""

    name: str
    type: type
    default: Value
    required: bool = False
    optional: bool = False
    low: float | None = None
    high: float | None = None
    allowed: tuple[str, ...] = ()
    meaning: str = ""

    def up_to(self, most: int | None, value: Value) -> Argument:
        """This argument with ``most`` as its upper bound; as it is for None, or a ``value`` beyond that."""
        if not most or not isinstance(value, int) or value > most:
            return self
        return replace(self, high=most if self.high is None else min(self.high, most))

    @classmethod
    def of(cls, name: str, parameter: inspect.Parameter, hint: Any) -> Argument:
        """The argument that a keyword-only parameter with this annotation declares.

        Raises :class:`TypeError` for a type that a recipe cannot write.
        """
        notes = get_args(hint)[1:] if get_origin(hint) is Annotated else ()
        kind = get_args(hint)[0] if notes else hint
        optional = get_origin(kind) in (Union, types.UnionType) and type(None) in get_args(kind)
        if optional:
            kind = next(t for t in get_args(kind) if t is not type(None))
        allowed = tuple(get_args(kind)) if get_origin(kind) is Literal else ()
        if kind not in (int, float, str) and not allowed:
            raise TypeError(f"argument {name!r} must be int, float, str or Literal, not {kind!r}")
        note = notes[0] if notes else None
        required = parameter.default is inspect.Parameter.empty
        return cls(
            name=name,
            type=str if allowed else kind,
            default=None if required else parameter.default,
            required=required,
            optional=optional,
            low=note.low if isinstance(note, Within) else None,
            high=note.high if isinstance(note, Within) else None,
            allowed=allowed,
            meaning=note.meaning if isinstance(note, Within | Text) else "",
        )

    @property
    def kind(self) -> str:
        """The type and range in words: ``whole number from 1 to 100``."""
        if self.allowed:
            return " or ".join(self.allowed)
        if self.type is str:
            return "text"
        words = ["whole number" if self.type is int else "number"]
        if self.low is not None:
            words.append(f"from {text_of(self.low)}")
        if self.high is not None:
            words.append(f"to {text_of(self.high)}")
        return " ".join(words)

    def describe(self) -> str:
        """``d: whole number from 1 to 100 (default 2), components removed``."""
        default = "required" if self.required else f"default {text_of(self.default)}"
        return f"{self.name}: {self.kind} ({default})" + (f", {self.meaning}" if self.meaning else "")

    def read(self, text: str, where: str) -> Value:
        """The checked value of ``text``; ``where`` names the argument in errors."""
        if self.optional and text in ("none", ""):
            return None
        if self.type is str:
            return self.check(text, where)
        try:
            return self.check(self.type(text), where)
        except ValueError:  # a RecipeError too: the message below shows the text
            raise self._error(text, where) from None

    def check(self, value: Value, where: str) -> Value:
        """``value`` if it is allowed, else a :class:`RecipeError` that says what is."""
        if value is None and self.optional:
            return None
        if self.type is str:
            if not isinstance(value, str) or (self.allowed and value not in self.allowed):
                raise self._error(value, where)
            if self.required and not value:
                raise self._error(value, where)
            return value
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not self._in_range(value):
            raise self._error(value, where)
        return self.type(value)

    def _in_range(self, value: int | float) -> bool:
        if isinstance(value, float) and not math.isfinite(value):
            return False
        if self.type is int and value != int(value):
            return False
        if self.type is float and isinstance(value, int) and abs(value) > 2**1000:  # no float holds it
            return False
        return (self.low is None or self.low <= value) and (self.high is None or value <= self.high)

    def _error(self, got: object, where: str) -> RecipeError:
        return RecipeError(f"{where}: got {shorten(got)}; allowed is {self.describe()}.")


def text_of(value: Value) -> str:
    """A value as a recipe writes it: ``1`` rather than ``1.0``, ``none`` for no value."""
    if isinstance(value, float) and math.isfinite(value) and value == int(value) and abs(value) < 1e15:
        return str(int(value))
    return "none" if value is None else str(value)


def quoted_text_of(value: Value) -> str:
    """The same, in quotes where the grammar needs them."""
    text = text_of(value)
    plain = text and text == text.strip() and not any(c in text for c in ';"(),+= ')
    return text if not isinstance(value, str) or plain else quote(text)
