"""The widget of an argument fits its range, and shows every value as the recipe writes it."""

from dataclasses import replace

import pytest

from components.bar.arguments import (
    LARGEST,
    can_show,
    emptied,
    log_scale,
    number_settings,
    slider_settings,
    steps_below_zero,
    width,
)
from core.evaluation.wording import shortest
from core.recipe import POST, STAGES, WEIGHT
from core.recipe.arguments import Argument, text_of

INFINITE = float("inf")


@pytest.mark.parametrize(
    ("default", "step"),
    [
        *((1.0, 0.1), (0.5, 0.1), (2.5, 0.1), (1e6, 0.1), (0.0, 0.1), (None, 0.1)),
        *((0.1, 0.01), (0.001, 0.0001), (-0.001, 0.0001), (3e-5, 1e-6)),
    ],
)
def test_the_step_follows_the_default(default, step):
    shown = number_settings(Argument("x", float, default))
    assert shown == {"min_value": None, "max_value": None, "step": pytest.approx(step), "format": "%.6g"}


@pytest.mark.parametrize(("high", "step"), [(2.0, 0.1), (1.0, 0.1), (0.05, 0.001), (INFINITE, 0.1)])
def test_the_step_follows_the_range(high, step):
    assert number_settings(Argument("x", float, 0.0, low=0.0, high=high))["step"] == pytest.approx(step)


@pytest.mark.parametrize("kind", [int, float])
@pytest.mark.parametrize(("low", "high"), [(None, None), (-INFINITE, INFINITE)])
def test_no_bound_and_an_infinite_bound_are_alike(kind, low, high):
    shown = number_settings(Argument("x", kind, kind(1), low=low, high=high))
    assert (shown["min_value"], shown["max_value"]) == (None, None)


def test_one_bound_alone():
    shown = number_settings(Argument("x", int, 3, low=1))
    assert shown == {"min_value": 1, "max_value": None, "step": 1, "format": "%d"}


def test_a_bound_beyond_what_a_browser_counts_is_no_bound():
    assert number_settings(Argument("x", int, 3, low=0, high=1e18))["max_value"] is None
    assert can_show(Argument("x", int, 3), LARGEST)
    assert not can_show(Argument("x", int, 3), LARGEST + 1)


def test_sif_is_tuned_in_steps_of_its_size():
    shown = number_settings(WEIGHT.options["sif"].arguments["a"])
    assert shown["step"] == pytest.approx(0.0001)
    assert shown["format"] % 0.001 == "0.001"


def test_a_learning_rate_is_tuned_in_steps_of_its_size():
    rate = next(a for a in POST.options["flow"].arguments.values() if "rate" in a.name)
    assert isinstance(rate.default, float)
    assert number_settings(rate)["step"] <= rate.default / 5


NUMBERS = [
    (f"{stage.name}={option.name}({argument.name})", argument)
    for stage in STAGES.values()
    for option in stage
    for argument in option.arguments.values()
    if argument.type in (int, float)
]


@pytest.mark.parametrize("argument", [a for _, a in NUMBERS], ids=[name for name, _ in NUMBERS])
def test_what_is_shown_parses_back_to_the_value(argument):
    for value in {argument.default, argument.low, argument.high} - {None}:
        value = argument.type(value)
        if scale := log_scale(argument, value):
            assert value in scale
            assert argument.read(text_of(value), "x") == value
        elif bounds := slider_settings(argument, value):
            steps = (value - bounds["min_value"]) / bounds["step"]
            assert steps == pytest.approx(round(steps), abs=1e-6)
            assert argument.type(bounds.get("format", "%d") % value) == pytest.approx(value)
            assert bounds["min_value"] >= 0 or value in steps_below_zero(bounds)
        else:
            assert argument.type(number_settings(argument)["format"] % value) == pytest.approx(value)


def test_a_scale_of_decades_holds_ends_and_value():
    argument = Argument("a", float, 1e-3, low=2e-6, high=1.0)
    scale = log_scale(argument, 0.0003)
    assert scale == sorted(scale)
    assert {2e-6, 1e-5, 5e-4, 3e-4, 1.0} <= set(scale)
    assert min(scale) == 2e-6


@pytest.mark.parametrize(
    "argument",
    [
        Argument("a", float, 0.5, low=0.0, high=1.0),
        Argument("a", float, 0.5, low=0.01, high=1.0),
        Argument("a", int, 1, low=1, high=10**6),
        Argument("a", float, None, optional=True, low=1e-6, high=1.0),
    ],
)
def test_other_arguments_have_no_scale_of_decades(argument):
    assert log_scale(argument, argument.default) == []


def test_a_value_between_the_steps_of_a_slider_has_a_number_field():
    argument = Argument("w", float, 0.5, low=-1.0, high=1.5)
    assert slider_settings(argument, 0.25)["step"] == 0.05
    assert slider_settings(argument, 0.123) == {}


def test_a_slider_below_zero_writes_a_minus():
    steps = steps_below_zero(slider_settings(Argument("w", float, 0.5, low=-1.0, high=1.5), 0.25))
    assert [shortest(step) for step in (*steps[:2], *steps[-2:])] == ["−1", "−0.95", "1.45", "1.5"]
    assert 0.15 in steps


@pytest.mark.parametrize(
    ("value", "most", "high"), [(10, 12, 12), (12, 12, 12), (99, 12, 1000), (1, 0, 1000), (1, None, 1000)]
)
def test_a_model_lowers_the_bound_of_a_value_that_is_within_it(value, most, high):
    head = WEIGHT.options["ditto"].arguments["head"]
    assert head.up_to(most, value).high == high
    assert Argument("head", int, 1).up_to(most, value).high == (None if high == 1000 else high)


@pytest.mark.parametrize(("most", "pixels"), [(12, 130), (24, 130), (48, 150), (None, 130)])
def test_a_slider_is_as_wide_as_its_range_asks_for(most, pixels):
    head = WEIGHT.options["ditto"].arguments["head"].up_to(most, 10)
    assert width(head, 10) == pixels


def test_a_field_that_is_emptied_is_as_before_where_it_must_hold_a_number():
    words = WEIGHT.options["usif"].arguments["n"]
    assert emptied(words, 7) == {"value": 7}
    assert emptied(words, None) == {}
    assert emptied(replace(words, optional=True), 7)["value"] is None


def test_one_value_alone_has_no_slider():
    head = WEIGHT.options["ditto"].arguments["head"].up_to(1, 1)
    assert slider_settings(head, 1) == {}
    assert number_settings(head) == {"min_value": 1, "max_value": 1, "step": 1, "format": "%d"}
