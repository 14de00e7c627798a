"""What each stage matters, what its options score, and all trials over the stages, on the page Find."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict

import numpy as np
import pandas as pd
import streamlit as st

from components import figure_frame, state, theme
from components.controls import menu
from components.figure_frame import Framed
from components.figures import search as figures
from components.find.headline import caption, summary
from components.find.page import Asked
from core.evaluation.wording import fixed
from core.search.found import Found
from core.search.importance import FEWEST, Effect, kinds


def show_matters(asked: Asked, found: Found) -> None:
    """The share of variance that each stage explains."""
    if not found.matters:
        st.info(f"What each stage matters is told from {FEWEST} scored trials on.", icon=":material/info:")
        return
    title = finding(found.matters)
    figure_frame.show(
        Framed(
            key="find.matters",
            title=title,
            figure=figures.matters(found.matters, theme.of(state.theme_name())),
            caption=(
                "fANOVA on a random forest of the scored trials, each stage by itself; the rest are "
                "interactions",
                *caption(asked, found),
            ),
            summary=summary(asked, found),
            alt=title,
            numbers=lambda: pd.DataFrame(list(found.matters.items()), columns=["stage", "share"]),
        )
    )


def finding(shares: Mapping[str, float]) -> str:
    """The stages that explain most."""
    (first, share), *others = shares.items()
    head = f"Variance of scores on dev over the trials: {first} explains {100 * share:.0f} %"
    if not others:
        return head
    return f"{head}, {others[0][0]} {100 * others[0][1]:.0f} %"


def show_effects(asked: Asked, found: Found) -> None:
    """What the options of one stage score."""
    stages = list(found.matters) or list(dict.fromkeys(effect.stage for effect in found.effects))
    if not stages:
        return
    stage = menu("Stage", stages, "find.stage", width=220, persist_state="session")
    shown = [effect for effect in found.effects if effect.stage == stage]
    title = effect_finding(shown, found.metric)
    figure_frame.show(
        Framed(
            key="find.effects",
            title=title,
            figure=figures.effects(shown, found.metric, theme.of(state.theme_name())),
            caption=(
                "In brackets the trials; arguments and other stages differ between them, so that an option "
                "may owe its best score to these",
                *caption(asked, found),
            ),
            summary=summary(asked, found),
            alt=title,
            numbers=lambda: pd.DataFrame([asdict(effect) for effect in found.effects]),
        )
    )


def effect_finding(shown: list[Effect], unit: str) -> str:
    """The option with the best score, and the one whose median is highest."""
    best = shown[0]
    usual = max(shown, key=lambda effect: effect.median)
    head = f"{unit} on dev by {best.stage}: the best trial has {best.option} ({fixed(best.best)})"
    if usual is best:
        return f"{head}, which has the highest median too ({fixed(best.median)})"
    return f"{head}; the highest median has {usual.option} ({fixed(usual.median)})"


def show_coordinates(asked: Asked, found: Found) -> None:
    """All scored trials as lines over the stages."""
    tried = [trial for trial in found.trials if math.isfinite(trial.dev)]
    stages = list(found.matters) or list(asked.question.space.stages)
    done = kinds(tried, stages)
    title = trials_finding([trial.dev for trial in tried], found.metric)
    figure_frame.show(
        Framed(
            key="find.coordinates",
            title=title,
            figure=figures.coordinates(tried, done, found.metric, theme.of(state.theme_name())),
            caption=(
                "A line is a trial; options of a stage stand by their best score, the best on top; what "
                "fewer than three trials do is others",
                *caption(asked, found),
            ),
            summary=summary(asked, found),
            alt=title,
            numbers=lambda: pd.DataFrame(done | {"dev": [trial.dev for trial in tried]}),
            hint="Drag along an axis to keep the lines that pass there; drag its name to move it.",
        )
    )


def trials_finding(scores: Sequence[float], unit: str) -> str:
    """How far the scored trials lie apart."""
    low, middle, high = (fixed(float(value)) for value in np.quantile(scores, (0, 0.5, 1)))
    return f"{unit} on dev: {len(scores):,} scored trials from {low} to {high}, half of them above {middle}"
