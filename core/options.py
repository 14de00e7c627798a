"""Stages, and the options each of them offers.

A :class:`Stage` is one turning of the road (``pool``, ``weight``, …). An :class:`Option` is one way to
take it: a plain function registered with :meth:`Stage.option`. The function says everything about
itself, once: its name is the option's name, the first paragraph of its docstring the explanation,
and its keyword-only parameters are the arguments, annotated with their range.

>>> stage = Stage("pool", "How token vectors become one vector.")
>>> @stage.option
... def power(vectors, *, p: Annotated[float, Within(0, 9, "the exponent")] = 2.0):
...     "The power mean of the tokens' vectors."
>>> stage.parse("power(p=3)")
Choice(name='power', arguments=(('p', 3.0),))
>>> stage.text(stage.parse("power( p = 2 )"))
'power'

A :class:`Choice` is an option picked with its arguments: a small hashable value that prints to, and
parses from, the text of a recipe. Form, command line help, documentation and the contract test read
the same registry, so a newly registered option appears in all of them.
"""

from __future__ import annotations

import inspect
import math
import types
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from core.errors import RecipeError, closest, shorten
from core.grammar import quote, split, unquote

Value = int | float | str | None

FIT = ("target", "reference")
"""What statistics are taken from: the corpus being embedded, or the reference corpus."""

Fit = Literal["target", "reference"]


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
class Choice:
    """An option's name with the arguments that differ from its defaults, sorted as declared."""

    name: str
    arguments: tuple[tuple[str, Value], ...] = ()


@dataclass(frozen=True)
class Argument:
    """One argument of an option: its type, range and default."""

    name: str
    type: type
    default: Value
    required: bool = False
    optional: bool = False
    low: float = -math.inf
    high: float = math.inf
    allowed: tuple[str, ...] = ()
    meaning: str = ""

    def describe(self) -> str:
        """``d: whole number from 1 to 100 (default 2), components removed``."""
        if self.allowed:
            kind = " or ".join(self.allowed)
        elif self.type is str:
            kind = "text"
        else:
            kind = "whole number" if self.type is int else "number"
            kind += f" from {_number(self.low)} to {_number(self.high)}"
        default = "required" if self.required else f"default {_number(self.default)}"
        return f"{self.name}: {kind} ({default})" + (f", {self.meaning}" if self.meaning else "")

    def read(self, text: str, where: str) -> Value:
        """The value written as ``text``, checked; ``where`` names the argument in errors."""
        if self.optional and text in ("none", ""):
            return None
        if self.type is str:
            return self.check(text, where)
        try:
            return self.check(self.type(text), where)
        except ValueError:  # a RecipeError too: its message shall show what was written
            raise self._wrong(text, where) from None

    def check(self, value: Value, where: str) -> Value:
        """``value`` if it is allowed, else a :class:`RecipeError` that says what is."""
        if value is None and self.optional:
            return None
        if self.type is str:
            wrong = not isinstance(value, str) or (self.allowed and value not in self.allowed)
            if wrong or (self.required and not value):
                raise self._wrong(value, where)
            return value
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise self._wrong(value, where)
        if not math.isfinite(value) or (self.type is int and value != int(value)):
            raise self._wrong(value, where)
        if not self.low <= value <= self.high:
            raise self._wrong(value, where)
        return self.type(value)

    def _wrong(self, got: object, where: str) -> RecipeError:
        return RecipeError(f"{where}: got {shorten(got)}; allowed is {self.describe()}.")


@dataclass(frozen=True)
class Option:
    """One way to take a stage: the function that does it, and what it says about itself."""

    name: str
    explanation: str
    function: Callable[..., Any]
    arguments: Mapping[str, Argument]
    traits: Mapping[str, Any] = field(default_factory=dict)

    def describe(self) -> str:
        """The option with its arguments and explanation, on one line."""
        signature = ",".join(
            f"{a.name}={'…' if a.required else _number(a.default)}" for a in self.arguments.values()
        )
        return f"{self.name}({signature})" if signature else self.name


def _number(value: Value) -> str:
    """A value as a recipe writes it: ``1`` rather than ``1.0``."""
    if isinstance(value, float) and math.isfinite(value) and value == int(value) and abs(value) < 1e15:
        return str(int(value))
    return "none" if value is None else str(value)


def _argument(name: str, parameter: inspect.Parameter, hint: Any) -> Argument:
    notes = get_args(hint)[1:] if get_origin(hint) is Annotated else ()
    kind = get_args(hint)[0] if notes else hint
    optional = get_origin(kind) in (Union, types.UnionType) and type(None) in get_args(kind)
    if optional:
        kind = next(t for t in get_args(kind) if t is not type(None))
    allowed = tuple(get_args(kind)) if get_origin(kind) is Literal else ()
    note = notes[0] if notes else None
    if kind not in (int, float, str) and not allowed:
        raise TypeError(f"argument {name!r} must be int, float, str or Literal, not {kind!r}")
    required = parameter.default is inspect.Parameter.empty
    return Argument(
        name=name,
        type=str if allowed else kind,
        default=None if required else parameter.default,
        required=required,
        optional=optional,
        low=note.low if isinstance(note, Within) else -math.inf,
        high=note.high if isinstance(note, Within) else math.inf,
        allowed=allowed,
        meaning=note.meaning if note is not None else "",
    )


def _describe_function(function: Callable[..., Any]) -> tuple[str, dict[str, Argument]]:
    explanation = " ".join((inspect.getdoc(function) or "").split("\n\n")[0].split())
    if not explanation:
        raise TypeError(f"option {function.__name__!r} needs a docstring: it is what users read")
    parameters = inspect.signature(function).parameters.values()
    keywords = [p for p in parameters if p.kind is p.KEYWORD_ONLY]
    hints = get_type_hints(function, include_extras=True) if keywords else {}
    return explanation, {p.name: _argument(p.name, p, hints.get(p.name)) for p in keywords}


class Stage:
    """One turning of the road and the options registered for it.

    Parameters
    ----------
    name, question
        The name in recipes, and what the stage decides, in one sentence.
    many
        A value is a ``+`` list of options, kept as a tuple.
    unordered
        The list is a set: printed in the order of each option's ``rank`` trait.
    empty
        The word for an empty list (only with ``many``).
    """

    def __init__(
        self,
        name: str,
        question: str,
        *,
        many: bool = False,
        unordered: bool = False,
        empty: str | None = None,
    ) -> None:
        self.name, self.question = name, question
        self.many, self.unordered, self.empty = many, unordered, empty
        self.options: dict[str, Option] = {}
        self.bare: Option | None = None

    def __iter__(self) -> Iterator[Option]:
        """The options that have a name of their own, in the order of registration."""
        return iter(self.options.values())

    def __repr__(self) -> str:
        return f"Stage({self.name!r}: {', '.join(self.options)})"

    def option(self, function: Callable[..., Any] | None = None, *, name: str = "", **traits: Any) -> Any:
        """Register a function as an option; usable with or without traits.

        The option is called ``name``, or as the function is, less a trailing underscore.

        ``fitted=True`` adds the argument ``fit`` (target or reference), which the road reads; a tuple
        of names in place of True says what else it may be learnt from, the default first.
        Other traits are notes for the road (``linear=True``: commutes with averaging layers).
        """
        if function is None:
            return partial(self.option, name=name, **traits)
        name = name or function.__name__.rstrip("_")
        explanation, arguments = _describe_function(function)
        if fitted := traits.get("fitted"):
            allowed = FIT if fitted is True else fitted
            meaning = "what it is learnt from"
            arguments["fit"] = Argument("fit", str, allowed[0], allowed=allowed, meaning=meaning)
        self.options[name] = Option(name, explanation, function, arguments, traits)
        return function

    def free_text(self, function: Callable[..., Any] | None = None, *, checked: bool = False) -> Any:
        """Register what a value means that is no option's name: a hub id, a layer, a corpus.

        ``checked=True`` runs the function when a recipe is read, so that it can refuse the text then.
        """
        if function is None:
            return partial(self.free_text, checked=checked)
        explanation, arguments = _describe_function(function)
        if len(arguments) != 1:
            raise TypeError("a free text option takes exactly one argument")
        traits = {"checked": checked}
        self.bare = Option(function.__name__.rstrip("_"), explanation, function, arguments, traits)
        return function

    def forget(self, name: str) -> None:
        """Take an option out of the registry again (tests, plug-ins)."""
        del self.options[name]

    # -- reading and printing ------------------------------------------------------------------

    def parse(self, text: str) -> Any:
        """The choice (or tuple of choices, for a stage of many) that ``text`` says."""
        text = text.strip()
        if not text:
            raise RecipeError(f"{self.name}: nothing after '='; {self.allowed()}")
        if not self.many:
            return self._parse_one(text)
        if text == self.empty:
            return ()
        return self.check(tuple(self._parse_one(part.strip()) for part in split(text, "+")))

    def parse_free(self, text: str) -> Choice:
        """The choice that ``text`` means as free text, whatever characters it holds."""
        return self._parse_bare(quote(text.strip()))

    def text(self, value: Any) -> str:
        """The canonical text of a choice or tuple of choices; ``parse`` is its inverse."""
        if not self.many:
            return self._text_one(value)
        return "+".join(map(self._text_one, value)) or str(self.empty)

    def check(self, value: Any) -> Any:
        """``value`` with every argument checked and in canonical form."""
        if not self.many:
            return self._check_one(value)
        checked = tuple(self._check_one(choice) for choice in value)
        if not checked and self.empty is None:
            raise RecipeError(f"{self.name}: at least one value is needed; {self.allowed()}")
        if self.unordered:
            checked = tuple(sorted(dict.fromkeys(checked), key=self._rank))
        return checked

    def find(self, choice: Choice) -> Option:
        """The option a choice picks."""
        if self.bare is not None and choice.name == self.bare.name:
            return self.bare
        if choice.name not in self.options:
            known = closest(choice.name, self.options)
            raise RecipeError(f"{self.name}: no {shorten(choice.name)}.{known} {self.allowed()}")
        return self.options[choice.name]

    def arguments(self, choice: Choice) -> dict[str, Any]:
        """All arguments of a choice, defaults filled in."""
        option = self.find(choice)
        return {name: a.default for name, a in option.arguments.items()} | dict(choice.arguments)

    def bind(self, choice: Choice) -> Callable[..., Any]:
        """The option's function with the choice's arguments, ``fit`` (the road's own) left out."""
        option, arguments = self.find(choice), self.arguments(choice)
        if option.traits.get("fitted"):
            arguments.pop("fit")
        return partial(option.function, **arguments)

    def allowed(self) -> str:
        """One sentence: the values this stage takes."""
        names = [option.describe() for option in self]
        if self.empty is not None:
            names.insert(0, self.empty)
        if self.bare is not None:
            names.append(next(iter(self.bare.arguments.values())).meaning)
        joined = " (joined by '+')" if self.many else ""
        return f"Allowed{joined}: {', '.join(names)}."

    def _rank(self, choice: Choice) -> float:
        option = self.find(choice)
        if option is self.bare:
            return float(str(choice.arguments[0][1]))
        return float(option.traits.get("rank", 0))

    def _parse_one(self, text: str) -> Choice:
        name, bracket, rest = text.partition("(")
        name = name.strip()
        if text.startswith('"') or (not bracket and name not in self.options):
            return self._parse_bare(text)
        if name not in self.options:
            raise RecipeError(
                f"{self.name}: no {shorten(name)}.{closest(name, self.options)} {self.allowed()}"
            )
        if bracket and not rest.endswith(")"):
            raise RecipeError(f"{self.name}={shorten(text)}: the bracket is never closed.")
        option = self.options[name]
        found: dict[str, Value] = {}
        for part in split(rest[:-1], ",") if rest[:-1].strip() else []:
            key, equals, value = (piece.strip() for piece in part.partition("="))
            where = f"{self.name}={name}"
            if not equals or key not in option.arguments:
                takes = "; ".join(a.describe() for a in option.arguments.values()) or "no arguments"
                raise RecipeError(f"{where}: no argument {shorten(part.strip())}; it takes {takes}.")
            if key in found:
                raise RecipeError(f"{where}: argument {key!r} is given twice.")
            found[key] = option.arguments[key].read(unquote(value), f"{where}({key})")
        return self._check_one(Choice(name, tuple(found.items())))

    def _parse_bare(self, text: str) -> Choice:
        if self.bare is None:
            got = f"{self.name}: no {shorten(text)}."
            raise RecipeError(f"{got}{closest(text, self.options)} {self.allowed()}")
        argument = next(iter(self.bare.arguments.values()))
        try:
            value = argument.read(unquote(text), self.name)
        except RecipeError:
            hint = closest(text, self.options)
            raise RecipeError(f"{self.name}: no {shorten(text)}.{hint} {self.allowed()}") from None
        return self._check_one(Choice(self.bare.name, ((argument.name, value),)))

    def _check_one(self, choice: Choice) -> Choice:
        option = self.find(choice)
        given = dict(choice.arguments)
        for name in given:
            if name not in option.arguments:
                raise RecipeError(f"{self.name}={choice.name}: no argument {name!r}.")
        kept = []
        for name, argument in option.arguments.items():
            where = f"{self.name}={choice.name}({name})"
            if name not in given:
                if argument.required:
                    raise RecipeError(f"{where} is missing; it takes {argument.describe()}.")
                continue
            value = argument.check(given[name], where)
            if argument.required or value != argument.default:
                kept.append((name, value))
        if option.traits.get("checked"):
            option.function(**dict(kept))
        return Choice(choice.name, tuple(kept))

    def _text_one(self, choice: Choice) -> str:
        if self.bare is not None and choice.name == self.bare.name:
            text = _number(choice.arguments[0][1])
            bad = any(c in text for c in ';"()' + ("+" if self.many else ""))
            return quote(text) if bad or text in self.options or text != text.strip() else text
        if not choice.arguments:
            return choice.name
        inside = ",".join(f"{name}={_written(value)}" for name, value in choice.arguments)
        return f"{choice.name}({inside})"


def _written(value: Value) -> str:
    text = _number(value)
    plain = text and text == text.strip() and not any(c in text for c in ';"(),+= ')
    return text if not isinstance(value, str) or plain else quote(text)
