"""The controls of one stage of one recipe: what they show, and the recipe that they write."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import streamlit as st

from components import held, state
from core.errors import RecipeError, StrataError
from core.recipe import SOURCE, Recipe
from core.recipe.arguments import Argument, Value
from core.recipe.options import Choice, LearningOption, Option
from core.recipe.recipe import AnyStage

BOTH = "edit.both"
"""Key of whether a model is chosen for A and B at once."""

_PICKED = "edit.picked"
"""Key of an option that was picked and lacks an argument: side, stage, name."""

_DRAWN = "edit.drawn"
"""Key of the editor that the latest run has drawn."""

_FIT = "edit.fit"
"""Key of what the steps learnt from that were last changed in this editor."""


def draws(editor: str) -> None:
    """Note which editor this run draws, such as ``b.post``; an empty word for none."""
    if st.session_state.get(_DRAWN) != editor:
        st.session_state.pop(_FIT, None)
    st.session_state[_DRAWN] = editor


@dataclass(frozen=True)
class Control:
    """One stage of recipe A or B, and how to change it.

    Its widgets follow the recipe when it is changed elsewhere (:meth:`follows`), and stay the same elements
    meanwhile, so that no click is lost between two runs. ``also`` is the other recipe, where it takes the
    same change, ``editor`` what the widgets are drawn in, such as ``b.post``: once that has gone away, what
    the browser still says of them is no choice of the visitor.
    """

    side: str
    stage: AnyStage
    recipe: Recipe
    also: Recipe | None = None
    editor: str = ""

    @property
    def chosen(self) -> tuple[Choice, ...]:
        """What the recipe holds, and an option that waits for its argument."""
        value = getattr(self.recipe, self.stage.name)
        chosen = tuple(value) if self.stage.many else (value,)
        picked = st.session_state.get(_PICKED, ())
        if picked[:2] != (self.side, self.stage.name):
            return chosen
        return (*(chosen if self.stage.many else ()), Choice(picked[2]))

    @property
    def text(self) -> str:
        """The stage's value as the recipe writes it."""
        return self.stage.text(getattr(self.recipe, self.stage.name))

    def key(self, *parts: str) -> str:
        """The key of one of its widgets."""
        return "/".join((self.side, self.stage.name, *parts))

    def follows(self, value: object, *parts: str, form: object = None) -> str:
        """The key of one of its widgets, which shows ``value`` when it is made after this, in any form."""
        key = self.key(*parts)
        state.follow(key, value, form)
        return key

    def option(self, choice: Choice) -> Option:
        """The option that a choice picks."""
        return self.stage.find(choice)

    def is_free(self, choice: Choice) -> bool:
        """Whether a choice is free text: a hub id, a layer's number, a corpus."""
        return self.stage.bare is not None and choice.name == self.stage.bare.name

    def names(self, choices: Iterable[Choice]) -> list[str]:
        """The names of options that are chosen, and free text as it is, without arguments."""
        return [self.stage.text((one,)) if self.is_free(one) else one.name for one in choices]

    def with_arguments(self, choice: Choice) -> Choice:
        """A choice with the arguments that its widgets show."""
        if self.is_free(choice):
            return choice
        given = dict(choice.arguments)
        values: dict[str, Value] = {}
        for argument in self.option(choice).arguments.values():
            before = given.get(argument.name, argument.default)
            values[argument.name] = held.now(self.key(choice.name, argument.name), before)
        return Choice(choice.name, tuple(values.items()))

    def picked(self, choice: Choice) -> Choice:
        """A choice as it comes into the recipe: without a ``fit`` of its own, it takes that of the stage.

        That is what the options before it learn from, or those that were taken away in this editor.
        """
        option, fit = self.option(choice), self._fit or st.session_state.get(_FIT)
        is_taken = isinstance(option, LearningOption) and fit in option.learns[1:]
        if not is_taken or "fit" in dict(choice.arguments):
            return choice
        return Choice(choice.name, (*choice.arguments, ("fit", fit)))

    @property
    def _fit(self) -> str | None:
        """What the last of the chosen options that learn does so from; None where none does."""
        return next((fit for choice in reversed(self.chosen) if (fit := self.stage.fit(choice))), None)

    def now(self) -> Control:
        """The control of the recipes as they are now.

        Between two runs a callback is called that was made for the recipe before the latest click, and
        again for a widget that went away with it.
        """
        here = state.now(self.side) or self.recipe
        return replace(self, recipe=here, also=self.also and state.now(state.other(self.side)))

    def put_argument(self, option: str, argument: Argument) -> None:
        """Write the arguments that the widgets show, one of which was changed (a callback)."""
        if held.is_echo(self.key(option, argument.name), can_be_empty=argument.optional):
            return
        now = self.now()
        now.put(map(now.with_arguments, now.chosen))

    def put_text(self, text: str) -> None:
        """Write free text: an option by its name, else what the stage takes it for (a callback)."""
        if self._is_gone:
            return
        try:
            choice = self.stage.choice_of(text)
        except StrataError as error:
            state.complain(self.side, str(error))
            return
        self.put([self.now().picked(choice)])

    def put(self, choices: Iterable[Choice]) -> None:
        """Write choices into the recipe; one that lacks an argument waits for it, an error is shown."""
        if self._is_gone:
            return
        choices = list(choices)
        if fit := self.now()._fit:
            st.session_state[_FIT] = fit
        st.session_state.pop(_PICKED, None)
        if lacking := [choice for choice in choices if self.lacks_argument(choice)]:
            st.session_state[_PICKED] = (self.side, self.stage.name, lacking[-1].name)
            return
        try:
            if not self.stage.many and not choices:
                raise RecipeError(f"{self.stage.name}: nothing was chosen, so it stays as it was.")
            value = self.stage.check(tuple(choices) if self.stage.many else choices[0])
            self._write(self.stage.text(value))
        except StrataError as error:
            state.complain(self.side, str(error))

    def _write(self, text: str) -> None:
        now, changed = self.now(), {self.stage.name: text}
        recipes = {self.side: now.recipe.replace(**changed)}
        if now.also is not None and self.stage is SOURCE and st.session_state.get(BOTH):
            recipes[state.other(self.side)] = now.also.replace(**changed)
        state.change(recipes)

    @property
    def _is_gone(self) -> bool:
        return bool(self.editor) and st.session_state.get(_DRAWN) != self.editor

    def lacks_argument(self, choice: Choice) -> bool:
        """Whether an argument that a choice must have is not given."""
        given = {name for name, value in choice.arguments if value not in (None, "")}
        return any(
            argument.required and name not in given
            for name, argument in self.option(choice).arguments.items()
        )
