"""Stages: the options registered for each step of a recipe, and their text.

An option is a function registered with :meth:`Stage.option`. Its name is the option's name, the first
paragraph of its docstring the explanation, and its keyword-only parameters are the arguments, annotated
with their range:

>>> from typing import Annotated
>>> from core.recipe.arguments import Within
>>> from core.recipe.options import PoolOption
>>> stage = Stage("pool", "How token vectors become one vector.", PoolOption)
>>> @stage.option(linear=True)
... def power(batch, *, p: Annotated[float, Within(0, 9, "the exponent")] = 2.0):
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

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Generic, TypeVar, cast, overload

from core.errors import RecipeError, closest, shorten
from core.recipe.arguments import Value, quoted_text_of, text_of
from core.recipe.declared import declared, name_of, of_the_pipeline
from core.recipe.grammar import quote, split, unquote
from core.recipe.options import Choice, LayerOption, LearningOption, Option

O = TypeVar("O", bound=Option)  # noqa: E741
B = TypeVar("B", bound=Callable[..., object])
F = TypeVar("F", bound=Callable[..., object])

_BRACKETS = re.compile(r"[^;\"()]+\([^;\"()]*\)")

Chosen = Choice | tuple[Choice, ...]
"""What a recipe holds for a stage: a choice, or several for a stage of many."""


class Stage(Generic[O, B]):
    """One step of a recipe and the options registered for it.

    Parameters
    ----------
    name, question
        The name in recipes, and what the stage decides, in one sentence.
    kind
        The class of its options; its fields are what :meth:`option` takes beside ``name``.
    many
        A value is a ``+`` list of options, kept as a tuple.
    unordered
        The list is a set: printed in the order of each option's ``rank``.
    empty
        The word for an empty list (only with ``many``).
    brackets
        Free text may have brackets of its own at its end, as the unit of a corpus: ``news(unit=sentence)``.
    """

    def __init__(
        self,
        name: str,
        question: str,
        kind: type[O],
        *,
        many: bool = False,
        unordered: bool = False,
        empty: str | None = None,
        brackets: bool = False,
    ) -> None:
        self.name, self.question, self.kind = name, question, kind
        self.many, self.unordered, self.empty, self.brackets = many, unordered, empty, brackets
        self.options: dict[str, O] = {}
        self.bare: O | None = None

    def __iter__(self) -> Iterator[O]:
        """The options that have a name of their own, in the order of registration."""
        return iter(self.options.values())

    def __repr__(self) -> str:
        return f"Stage({self.name!r}: {', '.join(self.options)})"

    # -- registering ---------------------------------------------------------------------------

    @overload
    def option(self, function: F) -> F: ...

    @overload
    def option(self, *, name: str = "", **fields: Any) -> Callable[[F], F]: ...

    def option(self, function: F | None = None, *, name: str = "", **fields: Any) -> F | Callable[[F], F]:
        """Register a function as an option; usable with or without fields.

        The option is called ``name``, or as the function is, less a trailing underscore. ``fields`` are
        those of the stage's option class; another one is a :class:`TypeError`. What the function declares,
        and which arguments the pipeline reads in its place: :mod:`core.recipe.declared`.
        """
        if function is None:
            return partial(self._register, name=name, fields=fields)
        return self._register(function, name=name, fields=fields)

    @overload
    def free_text(self, function: F) -> F: ...

    @overload
    def free_text(self, *, checked: bool = False) -> Callable[[F], F]: ...

    def free_text(self, function: F | None = None, *, checked: bool = False) -> F | Callable[[F], F]:
        """Register what a value means that is no option's name: a hub id, a layer, a corpus.

        ``checked=True`` runs the function when a recipe is read, so that it can refuse the text then.
        """
        if function is None:
            return partial(self._register_bare, checked=checked)
        return self._register_bare(function, checked=checked)

    def forget(self, name: str) -> None:
        """Take an option out of the registry again (tests, plug-ins)."""
        del self.options[name]

    def _register(self, function: F, *, name: str, fields: dict[str, Any]) -> F:
        name = name or name_of(function)
        self.options[name] = declared(self.kind, name, function, fields)
        return function

    def _register_bare(self, function: F, *, checked: bool) -> F:
        bare = declared(self.kind, name_of(function), function, {"checked": checked})
        if len(bare.arguments) != 1:
            raise TypeError("a free text option takes exactly one argument")
        self.bare = bare
        return function

    # -- choices -------------------------------------------------------------------------------

    def find(self, choice: Choice) -> O:
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

    def fit(self, choice: Choice) -> str | None:
        """What a choice learns from: target, reference, …; None when it learns nothing."""
        return self.arguments(choice).get("fit") if isinstance(self.find(choice), LearningOption) else None

    def bind(self, choice: Choice) -> B:
        """The option's function with the choice's arguments; those that the pipeline reads are left out."""
        option = self.find(choice)
        left_out = of_the_pipeline(option)
        given = {name: value for name, value in self.arguments(choice).items() if name not in left_out}
        return cast("B", partial(option.function, **given))

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
        """The choice that ``text`` means as free text, whatever characters it holds.

        Raises :class:`RecipeError` for a text of nothing but blanks.
        """
        if not text.strip():
            raise RecipeError(f"{self.name}: nothing was written. {self.allowed()}")
        return self._parse_bare(quote(text.strip()))

    def choice_of(self, text: str) -> Choice:
        """What a menu entry or a typed text stands for: an option by its name, else free text as it is."""
        return Choice(text) if text in self.options else self.parse_free(text)

    def text(self, value: Chosen) -> str:
        """The canonical text of a choice or tuple of choices; ``parse`` is its inverse."""
        if isinstance(value, Choice):
            return self._text_one(value)
        return "+".join(map(self._text_one, value)) or str(self.empty)

    def keyed(self, value: Chosen) -> str:
        """What kept results are found by: the text, and the marks of its options (:attr:`Option.marks`)."""
        choices = (value,) if isinstance(value, Choice) else value
        return self.text(value) + "".join(mark for choice in choices for mark in self.find(choice).marks)

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

    def allowed(self) -> str:
        """One sentence: the values this stage takes."""
        names = [option.describe() for option in self]
        if self.empty is not None:
            names.insert(0, self.empty)
        if self.bare is not None:
            names.append(next(iter(self.bare.arguments.values())).meaning)
        joined = " (joined by '+')" if self.many else ""
        return f"Allowed{joined}: {', '.join(names)}."

    def _ends_in_brackets(self, text: str) -> bool:
        """Whether free text is written with its brackets as they are."""
        return self.brackets and _BRACKETS.fullmatch(text) is not None

    def _rank(self, choice: Choice) -> float:
        option = self.find(choice)
        if option is self.bare:
            return float(str(choice.arguments[0][1]))
        return option.rank if isinstance(option, LayerOption) else 0.0

    def _parse_one(self, text: str) -> Choice:
        name, bracket, rest = text.partition("(")
        name = name.strip()
        if text.startswith('"') or (
            name not in self.options and (not bracket or self._ends_in_brackets(text))
        ):
            return self._parse_bare(text)
        if name not in self.options:
            raise RecipeError(
                f"{self.name}: no {shorten(name)}.{closest(name, self.options)} {self.allowed()}"
            )
        if bracket and not rest.endswith(")"):
            raise RecipeError(f"{self.name}={shorten(text)}: the bracket is never closed.")
        option = self.options[name]
        values: dict[str, Value] = {}
        for part in split(rest[:-1], ",") if rest[:-1].strip() else []:
            key, equals, value = (piece.strip() for piece in part.partition("="))
            where = f"{self.name}={name}"
            if not equals or key not in option.arguments:
                raise self._no_argument(option, part.strip())
            if key in values:
                raise RecipeError(f"{where}: argument {key!r} is given twice.")
            values[key] = option.arguments[key].read(unquote(value), f"{where}({key})")
        return self._check_one(Choice(name, tuple(values.items())))

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
                raise self._no_argument(option, name)
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
        if option.checked:
            option.function(**dict(kept))
        return Choice(choice.name, tuple(kept))

    def _no_argument(self, option: O, got: str) -> RecipeError:
        takes = "; ".join(argument.describe() for argument in option.arguments.values()) or "no arguments"
        return RecipeError(f"{self.name}={option.name}: no argument {shorten(got)}; it takes {takes}.")

    def _text_one(self, choice: Choice) -> str:
        if self.bare is not None and choice.name == self.bare.name:
            text = text_of(choice.arguments[0][1])
            plain = text.partition("(")[0] if self._ends_in_brackets(text) else text
            bad = any(c in plain for c in ';"()#' + ("+" if self.many else ""))  # "#" begins a comment
            return quote(text) if bad or text in self.options or text != text.strip() else text
        if not choice.arguments:
            return choice.name
        inside = ",".join(f"{name}={quoted_text_of(value)}" for name, value in choice.arguments)
        return f"{choice.name}({inside})"
