"""The widget of one argument of an option: a choice, a text, a slider that fits its range, or a number."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import streamlit as st

from components.bar.control import Control
from components.text import escape
from core.evaluation.wording import shortest
from core.recipe.arguments import Argument, Value, text_of
from core.recipe.options import Choice

LARGEST = 2**53 - 1
"""The largest whole number that a browser counts exactly."""

DECADES = 3.0
"""Decades of range from which on a fraction is chosen on a scale of 1, 2, 5, 10, 20, …"""

SLIDES = 60
"""Whole numbers that a slider has room for."""

FEW = 24
"""Whole numbers that a narrow slider has room for: the heads of a large model."""

_STEP = 0.1
"""The step of a fraction whose default and range ask for no smaller one."""

_HALF_STEP = 0.05
"""The largest step of a slider, so that quarters are on it."""


def show(control: Control, choice: Choice, most: Mapping[str, int]) -> None:
    """The widgets of all arguments of a choice, side by side.

    ``most`` are upper bounds by name that the recipe's model sets: a value beyond stays as it is written.
    """
    if control.is_free(choice):
        return
    given, option = dict(choice.arguments), control.option(choice)
    of = f"{option.title}: " if len(control.chosen) > 1 else ""
    for argument in option.arguments.values():
        value = given.get(argument.name, argument.default)
        argument = argument.up_to(most.get(argument.name), value)
        with st.container(width=width(argument, value), gap=None):
            _show(control, choice.name, argument, value, of + argument.name)


def width(argument: Argument, value: Value) -> int:
    """Pixels for the widget of an argument: what fits on one line beside the options."""
    if argument.allowed:
        return max(100, sum(24 + 8 * len(name) for name in argument.allowed))
    if argument.type is str:
        return 320
    slides = slider_settings(argument, value)
    is_short = argument.type is int and slides and slides["max_value"] - slides["min_value"] <= FEW
    return 150 if log_scale(argument, value) or (slides and not is_short) else 130


def _show(control: Control, option: str, argument: Argument, value: Value, label: str) -> None:
    place = (option, argument.name)
    change = {"on_change": control.put_argument, "args": (option, argument)}
    common: dict[str, Any] = {**change, "help": argument.describe()}
    if argument.allowed:
        key = control.follows(value, *place)
        st.segmented_control(label, argument.allowed, required=True, key=key, **common)
    elif argument.type is str:
        st.text_input(label, key=control.follows(value or "", *place), **common)
    elif scale := log_scale(argument, value):
        key = control.follows(value, *place, form=scale)
        st.select_slider(label, scale, format_func=text_of, key=key, **common)
    elif bounds := slider_settings(argument, value):
        key = control.follows(argument.type(value), *place, form=bounds)
        if bounds["min_value"] < 0:  # a slider of numbers would write a hyphen
            st.select_slider(label, steps_below_zero(bounds), format_func=shortest, key=key, **common)
        else:
            st.slider(label, key=key, **bounds, **common)
    elif can_show(argument, value):
        number = None if value is None else argument.type(value)
        key = control.follows(number, *place, form="field")
        st.number_input(label, key=key, **emptied(argument, number), **number_settings(argument), **common)
    else:
        st.caption(escape(f"{argument.name} = {value}: too large for a control; the text form holds it."))


def log_scale(argument: Argument, value: Value) -> list[Value]:
    """1, 2 and 5 of every decade of a range of more than three, with the value itself; else nothing."""
    low, high = argument.low, argument.high
    if argument.type is not float or argument.optional or value is None or not low or not high or low < 0:
        return []
    if math.log10(high / low) <= DECADES:
        return []
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    marks = {float(f"{digit}e{exponent}") for exponent in decades for digit in (1, 2, 5)}
    return sorted({mark for mark in marks if low <= mark <= high} | {float(low), float(high), float(value)})


def slider_settings(argument: Argument, value: Value) -> dict[str, Any]:
    """Bounds and step of a slider for a short range; nothing where a number field is better."""
    low, high = argument.low, argument.high
    if value is None or argument.optional or low is None or high is None:
        return {}
    if not 0 < high - low < math.inf:
        return {}
    if argument.type is int:
        return {"min_value": int(low), "max_value": int(high), "step": 1} if high - low <= SLIDES else {}
    step = min(_fraction_step(argument), _HALF_STEP)
    on_grid = math.isclose(round((float(value) - low) / step) * step + low, float(value), abs_tol=1e-9)
    if (high - low) / step > 400 or not on_grid:
        return {}
    return {"min_value": float(low), "max_value": float(high), "step": step, "format": "%.6g"}


def steps_below_zero(bounds: Mapping[str, Any]) -> list[float]:
    """All that a slider can be set to whose least value is below 0."""
    low, step = bounds["min_value"], bounds["step"]
    count = round((bounds["max_value"] - low) / step)
    return [round(low + i * step, 9) for i in range(count + 1)]


def emptied(argument: Argument, number: float | None) -> dict[str, Any]:
    """What a number field holds when it is emptied, or what is written there is no number.

    That is nothing where the argument may be left out, else the ``number`` of before: Streamlit's own is
    the least that is allowed.
    """
    if argument.optional:
        return {"value": None, "placeholder": "all"}
    return {} if number is None else {"value": number}


def number_settings(argument: Argument) -> Mapping[str, Any]:
    """Bounds, step and format of a number field.

    A bound that is None or infinite, or too large for a browser, is no bound. A whole number has the step
    1. The step of a fraction is the largest power of ten that is at most 0.1, a fifth of the default and
    a tenth of the range: 0.0001 for a default of 0.001.
    """
    bounds = {"min_value": _bound(argument, argument.low), "max_value": _bound(argument, argument.high)}
    if argument.type is int:
        return bounds | {"step": 1, "format": "%d"}
    return bounds | {"step": _fraction_step(argument), "format": "%.6g"}


def can_show(argument: Argument, value: object) -> bool:
    """Whether a browser can show the value of a numeric argument exactly enough to step it."""
    return argument.type is not int or not isinstance(value, int) or abs(value) <= LARGEST


def _bound(argument: Argument, bound: float | None) -> int | float | None:
    if bound is None or not math.isfinite(bound) or (argument.type is int and abs(bound) > LARGEST):
        return None
    limit: int | float = argument.type(bound)
    return limit


def _fraction_step(argument: Argument) -> float:
    sizes = [_STEP]
    default, low, high = argument.default, argument.low, argument.high
    if isinstance(default, int | float) and default and math.isfinite(default):
        sizes.append(abs(default) / 5)
    if low is not None and high is not None and math.isfinite(high - low) and high > low:
        sizes.append((high - low) / 10)
    return float(10.0 ** math.floor(math.log10(min(sizes)) + 1e-9))
