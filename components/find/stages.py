"""What each stage matters, what its options score, and all trials over the stages, on the page Find."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace

import numpy as np
import pandas as pd
import streamlit as st

from components import figure_frame, state, theme
from components.controls import menu
from components.figure_frame import Framed
from components.figures import search_stages as figures
from components.find.headline import barred, caption, compared_on, summary
from components.find.page import AskedSearch
from components.text import escape
from components.wording import upper_first
from core.evaluation.wording import fixed
from core.search.found import Found
from core.search.importance import FEWEST, Effect, called, kinds
from core.search.measured import on_same_rows


def show_matters(asked: AskedSearch, found: Found) -> None:
    """The share of variance that each stage explains."""
    if not found.matters:
        st.info(escape(untold(found)), icon=":material/info:")
        return
    title = finding(found.matters, compared_on(found))
    figure_frame.show(
        Framed(
            key="find.matters",
            title=title,
            figure=figures.matters(found.matters, compared_on(found), theme.of(state.theme_name())),
            caption=(
                f"fANOVA on a random forest of the trials' scores on {compared_on(found)}, each stage by "
                "itself; the rest are interactions",
                *filter(None, [barred(found)]),
                *caption(asked, found),
            ),
            summary=summary(asked, found),
            alt=title,
            numbers=lambda: pd.DataFrame(list(found.matters.items()), columns=["stage", "share"]),
        )
    )


def untold(found: Found) -> str:
    """Why nothing is said of what each stage matters."""
    scored = len(on_same_rows(found.trials))
    if scored >= FEWEST:
        return "What each stage matters cannot be told: all trials score the same, or do the same at each."
    have = "1 trial has" if scored == 1 else f"{scored} trials have"
    where = compared_on(found)
    return f"What each stage matters takes {FEWEST} scored trials to tell; {have} a score on {where}."


def finding(shares: Mapping[str, float], where: str) -> str:
    """The stages that explain most."""
    (first, share), *others = shares.items()
    also = f", {others[0][0]} {100 * others[0][1]:.0f} %" if others else ""
    told = f"Stage {first} explains {100 * share:.0f} %{also} of the variance"
    return f"{told}: scores on {where} over the trials"


def show_effects(asked: AskedSearch, found: Found) -> None:
    """What the options of one stage score."""
    stages = list(found.matters) or list(dict.fromkeys(effect.stage for effect in found.effects))
    if not stages:
        return
    stage = menu("Stage", stages, "find.stage", follows=True, width=220, persist_state="session")
    effects = [replace(effect, option=called(effect.stage, effect.option)) for effect in found.effects]
    shown = [effect for effect in effects if effect.stage == stage]
    where = compared_on(found)
    title = upper_first(effect_finding(shown, found.metric, where))
    figure_frame.show(
        Framed(
            key="find.effects",
            title=title,
            figure=figures.effects(shown, f"{found.metric} on {where}", theme.of(state.theme_name())),
            caption=(
                "In brackets: how many trials took the option. They differ in arguments and other stages "
                "too, so an option may owe its best score to these",
                *filter(None, [barred(found)]),
                *caption(asked, found),
            ),
            summary=summary(asked, found),
            alt=title,
            numbers=lambda: pd.DataFrame([asdict(effect) for effect in effects]),
        )
    )


def effect_finding(shown: list[Effect], unit: str, where: str) -> str:
    """The option with the best score, and the one whose median is highest."""
    best = shown[0]
    usual = max(shown, key=lambda effect: effect.median)
    head = f"By {best.stage}, the best trial has {unit} = {fixed(best.best)} with {best.option}"
    if usual is best:
        return f"{head}; its median of {fixed(best.median)} is the highest too, on {where}"
    return f"{head}; the highest median is {fixed(usual.median)} with {usual.option}, on {where}"


def show_coordinates(asked: AskedSearch, found: Found) -> None:
    """All trials with a score as lines over the stages, those that were given up below the others."""
    scored = [trial for trial in found.trials if math.isfinite(trial.dev)]
    if not scored:
        st.caption("No trial has a score on dev: the choice is a published method.")
        return
    given_up = [trial for trial in found.trials if trial.given_up]
    tried = [*sorted(given_up, key=lambda trial: trial.given_up), *scored]
    stages = list(found.matters) or list(asked.question.space.searched)
    done = {stage: [called(stage, kind) for kind in each] for stage, each in kinds(tried, stages).items()}
    title = upper_first(trials_finding([trial.dev for trial in scored], len(given_up), found.metric))
    figure_frame.show(
        Framed(
            key="find.coordinates",
            title=title,
            figure=figures.coordinates(tried, done, found.metric, theme.of(state.theme_name())),
            caption=(
                "A line is a trial. The options of a stage are ordered by their best score, the best on "
                "top; “others” are options that fewer than three trials took"
                + (f"; given up: the {found.unit} of dev after which a trial ended" if given_up else ""),
                *caption(asked, found),
            ),
            summary=summary(asked, found),
            alt=title,
            numbers=lambda: pd.DataFrame(
                done
                | {"dev": [trial.dev for trial in tried]}
                | ({"given up after rows": [trial.given_up or None for trial in tried]} if given_up else {})
            ),
            hint="Drag along an axis to keep the lines that pass there; drag its name to move it.",
        )
    )


def trials_finding(scores: Sequence[float], given_up: int, unit: str) -> str:
    """How far the scored trials lie apart, and how many were given up."""
    low, middle, high = (fixed(float(value)) for value in np.quantile(scores, (0, 0.5, 1)))
    if len(scores) == 1:
        told = f"{unit} on dev: {middle} of the one trial that has a score"
    else:
        several = f"{len(scores):,} scored trials from {low} to {high}"
        told = f"{unit} on dev: {several}, half of them above {middle}"
    return f"{told}; {given_up:,} given up on a part of dev" if given_up else told
