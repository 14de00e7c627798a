"""The ten best recipes and what cannot be told apart, and what recipes cost, on the page Find."""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter

import pandas as pd

from components import figure_frame, state, theme
from components.controls import segments
from components.figure_frame import Framed
from components.figures import search as figures
from components.find.headline import caption, spelled, summary, take_point
from components.find.page import AskedSearch
from components.wording import upper_first
from core.evaluation.wording import fixed
from core.literature.presets.naming import names
from core.recipe import Recipe
from core.search.find import BEST
from core.search.found import Found, Ranked
from core.search.measured import best_by_cost

AXES = ("dimensions", "milliseconds a sentence")
"""What a recipe costs."""


def show_best(asked: AskedSearch, found: Found) -> None:
    """The ten best on dev with their intervals."""
    ranked = found.ranked[:BEST]
    title = upper_first(finding(ranked, found.metric))
    figure_frame.show(
        Framed(
            key="find.best",
            title=title,
            figure=figures.best(
                ranked,
                names([Recipe.parse(each.recipe) for each in ranked], tell_sources=asked.searches_models),
                found.metric,
                theme.of(state.theme_name()),
            ),
            caption=(
                "Hollow: the paired 95 % interval of its difference from the best one holds 0, on the same "
                f"{found.unit} of dev",
                *caption(asked, found),
            ),
            summary=summary(asked, found),
            alt=title,
            numbers=lambda: table(found),
            on_select=take_point,
        )
    )


def finding(ranked: Sequence[Ranked], unit: str) -> str:
    """How many of the best cannot be told apart from the first."""
    others = ranked[1:]
    if not others:
        return f"{unit} on dev: one recipe alone could be scored"
    alike = sum(not each.apart for each in others)
    spread = f"{fixed(ranked[0].dev)} to {fixed(others[-1].dev)}"
    head = f"The best {len(ranked)} recipes have {unit} = {spread} on dev"
    if len(others) == 1:
        return (
            f"{head}: {'no difference shown between them' if alike else 'the best one is above the next'}"
        )
    if not alike:
        return f"{head}: on the same rows the best one is shown above each of the next {len(others)}"
    which = "any" if alike == len(others) else f"{alike}"
    return f"{head}: no difference shown between the best one and {which} of the next {len(others)}"


def show_costs(asked: AskedSearch, found: Found) -> None:
    """Score against dimensions or milliseconds."""
    axis = segments("Cost", AXES, "find.cost", width="content", persist_state="session")
    if axis == AXES[0]:
        every = [(trial.recipe, float(trial.dimensions), trial.dev) for trial in found.scored]
    else:
        every = [(each.recipe, each.milliseconds, each.dev) for each in found.ranked]
    best_of = front(every)
    title = upper_first(cost_finding(best_of, axis, found.metric))
    how = (
        "Milliseconds: reading up to the recipe's highest layer at the speed of the stored passes, and the "
        "way from stored states to vectors, learning included, measured where the search ran; of the best "
        "ten and the front of dimensions"
    )
    figure_frame.show(
        Framed(
            key="find.costs",
            title=title,
            figure=figures.costs(every, best_of, axis, found.metric, theme.of(state.theme_name())),
            caption=(*((how,) if axis != AXES[0] else ()), *caption(asked, found)),
            summary=summary(asked, found),
            alt=title,
            numbers=lambda: costs_table(every, best_of, axis),
            on_select=take_point,
        )
    )


def front(points: Sequence[tuple[str, float, float]]) -> list[tuple[str, float, float]]:
    """Points of recipe, cost and score that no other one equals or betters at that cost, cheapest first."""
    return best_by_cost(points, itemgetter(1), itemgetter(2))


def cost_finding(best_of: Sequence[tuple[str, float, float]], axis: str, unit: str) -> str:
    """The cheapest and the best end of the front."""
    (_, least, low), (_, most, high) = best_of[0], best_of[-1]
    number = (lambda value: f"{value:,.0f}") if axis == AXES[0] else (lambda value: f"{value:.2f}")
    if len(best_of) == 1:
        return f"{unit} on dev: the best recipe, {fixed(high)}, has the fewest {axis}: {number(most)}"
    return f"{unit} on dev: {fixed(low)} with {number(least)} {axis}, {fixed(high)} with {number(most)}"


def costs_table(
    every: Sequence[tuple[str, float, float]], best_of: Sequence[tuple[str, float, float]], axis: str
) -> pd.DataFrame:
    """Every recipe that is drawn: its cost, its score on dev, and whether it is on the front."""
    rows = [(spelled(recipe), *numbers, (recipe, *numbers) in best_of) for recipe, *numbers in every]
    return pd.DataFrame(rows, columns=["recipe", axis, "dev", "front"])


def table(found: Found) -> pd.DataFrame:
    """Every recipe that was compared with the best one."""
    return pd.DataFrame(
        [
            {
                "recipe": spelled(each.recipe),
                "dev": each.dev,
                "low": each.low,
                "high": each.high,
                "behind": each.behind.value,
                "behind, low": each.behind.low,
                "behind, high": each.behind.high,
                "dimensions": each.dimensions,
                "milliseconds a sentence": each.milliseconds,
            }
            for each in found.ranked
        ]
    )
