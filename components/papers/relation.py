"""Figures of a paper that set one figure of many recipes against another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import numpy as np
import pandas as pd
import streamlit as st

from components import figure_frame, state, theme
from components.controls import menu
from components.figure_frame import Framed
from components.figures.geometry import iso_score_against_score
from components.figures.labels import plain
from components.figures.named_points import Point
from components.geometry.iso_scores import FEWEST, correlation
from components.papers import computing
from components.papers.computing import Computed
from components.provenance import Summary
from components.text import escape
from core.errors import counted
from core.evaluation.statistics import pearson
from core.evaluation.wording import fixed
from core.literature.rules.relations import Dot, Relation
from core.literature.rules.running import Reproduction
from core.literature.tables import Paper
from core.pipeline.engine import Engine

PRINTED = "as printed"


def show(engine: Engine, paper: Paper, relation: Relation, rules: Reproduction) -> None:
    """The menu of models, the button, and the figure as far as its places across are here."""
    names = list(relation.panels)
    panel = menu("Model", names, "papers.panel")
    dots = relation.panels[panel]
    with st.spinner("Looking up what is here; the sentences of WikiText-2 are found once"):
        kept = _look_up(dots, rules)
    name = f"{relation.paper} {relation.name} {panel}"
    start, going = st.container(), st.container()
    with going:
        there = computing.computed(engine, name, kept, "papers.relation")
    with start:
        computing.button(engine, name, there, "papers.relation")
    points = places(dots, there)
    if points:
        _draw(paper, relation, panel, points, there)
    missing = Counter(one.why for (_, axis), one in there.items() if one.why and axis == "across")
    for reason, count in missing.most_common():
        st.caption(f":material/block: {counted(count, 'recipe')}: {escape(reason)}")


def _look_up(dots: Mapping[str, Dot], rules: Reproduction) -> dict[tuple[str, str], Computed]:
    return {
        (row, axis): computing.outcome(rules, rule)
        for row, dot in dots.items()
        for axis, rule in (("across", dot.across), ("upwards", dot.upwards))
    }


def places(
    dots: Mapping[str, Dot], there: Mapping[tuple[str, str], Computed]
) -> dict[str, tuple[float, float, str]]:
    """Across, upwards and whose figure the latter is; rows whose place across is not here are left out.

    Upwards stands what is measured here, or what is printed where that cannot be computed here.
    """
    found = {}
    for row, dot in dots.items():
        across, upwards = there[row, "across"].measured, there[row, "upwards"].measured
        if across is not None:
            own = (upwards.value, "here") if upwards else (dot.printed, PRINTED)
            found[row] = (across.value, *own)
    return found


def finding(points: Mapping[str, tuple[float, float, str]], panel: str, across: str) -> str:
    """How the two go together over the recipes, in one sentence; ``across`` is what the first is."""
    x, y = (np.array([point[axis] for point in points.values()]) for axis in (0, 1))
    span = f"{across} from {fixed(np.nanmin(x))} to {fixed(np.nanmax(x))}"
    if len(points) < FEWEST or not np.isfinite(pearson(x, y)):
        return f"{panel}: {span} over {counted(len(points), 'recipe')}"
    said = correlation([panel] * len(points), x.tolist(), y.tolist(), "the score")
    return f"{panel}: {said}; {span}"


def numbers(points: Mapping[str, tuple[float, float, str]], relation: Relation) -> pd.DataFrame:
    """A line for each recipe."""
    rows = [(row, round(x, 2), round(y, 2), whose) for row, (x, y, whose) in points.items()]
    return pd.DataFrame(rows, columns=["recipe", relation.across, relation.upwards, "score"])


def _draw(
    paper: Paper,
    relation: Relation,
    panel: str,
    points: Mapping[str, tuple[float, float, str]],
    there: Mapping[tuple[str, str], Computed],
) -> None:
    title = finding(points, panel, relation.across)
    drawn = [
        Point(row, x, y, y, f"{plain(row)}: {relation.across} {fixed(x, 2)}, score {fixed(y, 2)} ({whose})")
        for row, (x, y, whose) in points.items()
    ]
    printed = sum(whose == PRINTED for _, _, whose in points.values())
    models = dict.fromkeys(one.found.model for one in there.values() if one.found and one.measured)
    figure_frame.show(
        Framed(
            key="papers.relation",
            title=title,
            figure=iso_score_against_score(
                drawn, theme.of(state.theme_name()), across=relation.across, upwards=relation.upwards
            ),
            caption=(
                f"{paper.citation}, {relation.name}: {relation.title}; whitening left out, as there",
                f"Model here: {'; '.join(models)}",
                *[f"{printed} of {len(points)} scores are those that the paper prints."] * bool(printed),
            ),
            summary=Summary(
                "papers",
                models={model: model for model in models},
                corpus=f"{paper.citation}, {relation.name}, {panel}",
                size=f"{counted(len(points), 'recipe')} measured here",
                by_model=True,
            ),
            alt=title,
            numbers=lambda: numbers(points, relation),
        )
    )
