"""What was found in one sentence, the trials, and what limits the choice, on the page Find."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from components import figure_frame, provenance, selection, state, theme
from components.figure_frame import Framed
from components.figures.search_trials import trials
from components.find.page import AskedSearch
from components.provenance import Summary
from components.text import escape
from components.wording import listed, upper_first, with_interval
from core.errors import counted
from core.evaluation.wording import between, fixed
from core.literature.presets.naming import name, name_with_source, preset_name
from core.recipe import SOURCE, Recipe, shown
from core.search.found import Compared, Found
from core.search.option_times import SHARE

CHOSEN = "find.recipe"
"""The control that says which recipe is looked at."""

REASONS = 10
"""Reasons for trials without a score that are told by themselves."""


def show(asked: AskedSearch, found: Found) -> None:
    """The trials under the headline, and the sentence on dev."""
    title = finding(found, asked.question.name, models=asked.searches_models)
    figure_frame.show(
        Framed(
            key="find.trials",
            title=title,
            figure=trials(
                found.trials,
                found.published,
                found.test,
                found.metric,
                theme.of(state.theme_name()),
            ),
            caption=caption(asked, found),
            summary=summary(asked, found),
            alt=title,
            numbers=lambda: table(found),
            hint="A click on a point chooses its recipe.",
            on_select=take_point,
            above=388,
        )
    )
    st.markdown(escape(" ".join(said(found, models=asked.searches_models))))
    _tell_failures(found)


def _tell_failures(found: Found) -> None:
    """How many proposals were left out to save time or have no score, and the commonest reasons."""
    if found.barred:
        st.caption(escape(barred(found)))
    if not found.unscored:
        return
    with st.expander(
        f"{found.unscored:,} of {counted(len(found.trials), 'trial')} could not be scored, and why"
    ):
        table = pd.DataFrame(found.reasons(REASONS), columns=["trials", "why"])
        st.table(
            table.assign(why=table["why"].map(escape)),
            hide_index=True,
            alt="How many trials could not be scored, by the reason",
        )


def finding(found: Found, corpora: str, *, models: bool = False) -> str:
    """What the choice scores on test, and what that is above plain mean pooling.

    ``models`` has recipes say theirs: several are searched.
    """
    test, recipe = found.test, Recipe.parse(found.recipe)
    chosen = "the recipe chosen on dev"
    if published := preset_name(recipe):
        chosen = f"{chosen}, the published {published}{_on_model(recipe, models)}"
    elif models:
        chosen = f"{chosen}, one{_on_model(recipe, models)}"
    value = f"{upper_first(found.metric)} = {fixed(test.value)}"
    if found.baseline is None and np.isfinite(test.low):
        value = f"{value} ({between(test.low, test.high)})"
    head = f"{value} on {corpora} test: {chosen}"
    return head if found.baseline is None else f"{head}, {above(found.baseline, models=models)}"


def above(other: Compared, *, models: bool = False) -> str:
    """The paired difference from another recipe, in words."""
    gain, interval = other.gain, between(other.gain.low, other.gain.high)
    name = f"{other.name}{_on_model(Recipe.parse(other.recipe), models)}"
    if not gain.known:
        has = f"{fixed(other.test)} (no interval)" if np.isfinite(other.test) else "no score"
        return f"{name} has {has}"
    if gain.value == gain.low == gain.high == 0:
        return f"no difference shown from {name}: they score the same"
    if not gain.shown:
        return f"no difference shown from {name}: {with_interval(gain)}"
    word = "above" if gain.value > 0 else "below"
    return f"{gain.amount} {word} {name} (difference {interval})"


def named(recipe: Recipe, asked: AskedSearch) -> str:
    """The name of a recipe, with its model where several are searched."""
    return name_with_source(recipe) if asked.searches_models else name(recipe)


def _on_model(recipe: Recipe, models: bool) -> str:
    """The model of a recipe, where several are searched."""
    return f" on {recipe.spelled()[SOURCE.name]}" if models else ""


def said(found: Found, *, models: bool = False) -> list[str]:
    """What the choice scores on dev, how much of it is luck, and the best published method."""
    among = ", published methods among them" * bool(found.methods)
    recipes = counted(len(found.scored), "recipe")
    lines = [f"On dev the choice scores {fixed(found.dev)}, the best of {recipes}{among}{_luck(found)}."]
    if found.alike:
        more = f"{len(found.alike):,} more {'scores' if len(found.alike) == 1 else 'score'}"
        lines.append(f"{more} the same as one of these on every resample of dev.")
    if found.preset is not None:
        lines.append(
            "On test, beside the published method that is best on dev: "
            f"{above(found.preset, models=models)}."
        )
    if len(found.tests) > 1:
        each = ", ".join(f"{corpus} {fixed(outcome.value)}" for corpus, outcome in found.tests.items())
        lines.append(f"Corpus by corpus: {each}.")
    return lines


def _luck(found: Found) -> str:
    """How much of the score on dev is the luck of the choice; nothing where that is not known."""
    if not np.isfinite(found.optimism):
        return ""
    if found.optimism >= found.dev:
        return (
            f"; choosing the best of so many gains about {fixed(found.optimism)}, so all of it may be luck"
        )
    return f"; about {fixed(found.optimism)} of it is the luck of choosing the best of so many"


def caption(asked: AskedSearch, found: Found) -> tuple[str, ...]:
    """What stands under every figure of the page."""
    space = asked.question.space
    return (
        f"The choice: {shown(found.recipe)}",
        f"Searched: {', '.join(space.searched)}; held: {_held(asked)}",
        " · ".join([*map(provenance.model, asked.sources), *_parts(asked, found)]),
        f"{counts(found)}; {_published(found)}",
    )


def _parts(asked: AskedSearch, found: Found) -> list[str]:
    """The corpora with their rows and fingerprints, dev and test."""
    rows = f"{asked.question.name}: {found.rows[0]:,} {found.unit} of dev, {found.rows[1]:,} of test"
    aims = [aim for part in asked.question.parts for aim in (part.dev, part.test)]
    marks = dict.fromkeys(aim.corpus.fingerprint for aim in aims)
    return [rows, f"fingerprint{'s' * (len(marks) > 1)} {', '.join(marks)}"]


def _held(asked: AskedSearch) -> str:
    """The stages that every proposal has alike, as a recipe writes them."""
    space = asked.question.space
    held = space.held.replace(source=Recipe().spelled()[SOURCE.name]) if space.others else space.held
    models = f"; models {listed(asked.models)}" if space.others else ""
    return f"{shown(held)}{models}"


def _published(found: Found) -> str:
    """How many published methods were tried, and how many of them given up."""
    often = sum(trial.given_up > 0 for trial in found.published.values())
    told = counted(len(found.published), "published method")
    return f"{told}, {often} of them given up" if often else told


def counts(found: Found) -> str:
    """How many trials there are, and how many were given up, left out or have no score."""
    parts = [counted(len(found.trials), "trial")]
    for rows, often in found.ended.items():
        parts.append(f"{often:,} given up after {rows:,} {found.unit} of dev")
    if found.barred:
        parts.append(f"{sum(found.barred.values()):,} left out to save time")
    return ", ".join([*parts, f"{found.unscored:,} could not be scored"])


def barred(found: Found) -> str:
    """Which proposals were left out to save time; empty where none was."""
    if not found.barred:
        return ""
    often = sum(found.barred.values())
    return (
        f"{often:,} of {counted(len(found.trials), 'trial')} left out to save time, as their option "
        f"took {100 * SHARE:.0f} % of the search's time: {found.saved}"
    )


def compared_on(found: Found) -> str:
    """The rows on which the scores of all trials are compared."""
    return f"{found.rungs[0]:,} {found.unit} of dev" if found.rungs else "dev"


def summary(asked: AskedSearch, found: Found) -> Summary:
    """The line under every figure of the page."""
    choice = {"": named(Recipe.parse(found.recipe), asked)}
    models = {one.name: one.name for one in asked.sources}
    size = counted(len(found.trials), "trial")
    return Summary("find", choice, models, asked.question.name, size, by_model=True)


def table(found: Found) -> pd.DataFrame:
    """Each recipe that was scored, once, the best on dev first, with the choice's score on test.

    Then those given up on a part of dev. ``trial`` is the first of a recipe, 0 that of a published method.
    """
    tried = dict.fromkeys((trial.recipe for trial in found.published.values()), 0)
    for number, trial in enumerate(found.trials, 1):
        tried.setdefault(trial.recipe, number)
    test, none = (found.test.value, found.test.low, found.test.high), (None, None, None)
    rows = [
        (spelled(one.recipe), tried[one.recipe], one.dev, *(test if one.recipe == found.recipe else none))
        for one in found.scored
    ]
    names = ["recipe", "trial", f"dev, {found.metric}", f"test, {found.metric}", "low", "high"]
    table = pd.DataFrame(rows, columns=names)
    table["dimensions"] = [one.dimensions for one in found.scored]
    if not found.rungs:
        return table
    parts = [
        (spelled(one.recipe), tried[one.recipe], one.dimensions, one.given_up, one.rungs[-1])
        for one in found.given_up
    ]
    columns = [
        "recipe",
        "trial",
        "dimensions",
        f"given up after {found.unit} of dev",
        f"score on these {found.unit}",
    ]
    return pd.concat([table, pd.DataFrame(parts, columns=columns)], ignore_index=True)


def take_point(points: Sequence[dict[str, Any]]) -> None:
    """Choose the recipe of a point that was clicked on (a callback)."""
    if points and points[0].get("customdata"):
        selection.take(CHOSEN, spelled(points[0]["customdata"][0]))


def spelled(recipe: str) -> str:
    """A recipe as the menu and the link have it: never empty."""
    return state.text_of(Recipe.parse(recipe))
