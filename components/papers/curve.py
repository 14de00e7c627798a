"""Figures of a paper that show a score against an argument of its recipe."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping

import numpy as np
import pandas as pd
import streamlit as st

from components import figure_frame, provenance, state, theme
from components.controls import folded, menu
from components.errors import notes
from components.figure_frame import Framed
from components.figures.curves import curves
from components.papers import computing, relation
from components.papers.computing import Computed
from components.provenance import Summary
from components.text import escape
from components.wording import listed, metrics_named
from core.errors import are, counted
from core.evaluation.wording import fixed
from core.literature.rules.curves import Curve, curves_of
from core.literature.rules.relations import Relation, relations_of
from core.literature.rules.running import Reproduction
from core.literature.tables import Paper
from core.pipeline.engine import Engine
from core.recipe import Recipe

Outcomes = Mapping[tuple[str, float], Computed]
"""What is here of each point, by line and place."""


def show(engine: Engine, paper: Paper, base: Recipe) -> None:
    """The expander; what is in it is looked up when it is open."""
    every: list[Curve | Relation] = [*curves_of(paper.number), *relations_of(paper.number)]
    offered = {f"{one.name}: {one.title}": one for one in every}
    if not offered:
        return

    def look() -> None:
        chosen = offered[menu("Figure", list(offered), "papers.figure")]
        rules = Reproduction(engine, base)
        if isinstance(chosen, Relation):
            relation.show(engine, paper, chosen, rules)
        else:
            _show(engine, paper, chosen, rules)

    label = "Its figures: scores against an argument, and against IsoScore"
    folded(label, look, "papers.curves", ":material/show_chart:")


def _show(engine: Engine, paper: Paper, curve: Curve, rules: Reproduction) -> None:
    kept = {
        (line, at): computing.outcome(rules, rule)
        for line, points in curve.lines.items()
        for at, rule in points.items()
    }
    name = f"{curve.paper} {curve.name}"
    start, going = st.container(), st.container()
    with going:
        there = computing.computed(engine, name, kept, "papers.curve")
    with start:
        computing.button(engine, name, there, "papers.curve")
    if any(one.measured for one in there.values()):
        _draw(paper, curve, there)
    notes([note for one in there.values() if one.measured for note in one.measured.notes])
    for reason, count in Counter(one.why for one in there.values() if one.why).most_common():
        st.caption(f":material/block: {counted(count, 'point')}: {escape(reason)}")


def _draw(paper: Paper, curve: Curve, there: Outcomes) -> None:
    places = list(dict.fromkeys(at for points in curve.lines.values() for at in points))
    lines = {line: [_point(there[line, at]) for at in places] for line in curve.lines}
    found = [one.found for one in there.values() if one.found and one.measured]
    unit = f"{metrics_named(list(dict.fromkeys(one.rule.metric for one in found)))} × 100"
    title = finding(curve, places, lines, {line for (line, _), one in there.items() if one.is_open}, unit)
    models = dict.fromkeys(one.model for one in found)
    drawn = [name for name, points in lines.items() if np.isfinite(points).any()]
    figure_frame.show(
        Framed(
            key="papers.curve",
            title=title,
            figure=curves(
                places,
                lines,
                curve.argument,
                unit,
                curve.published,
                theme.of(state.theme_name()),
            ),
            caption=caption(paper, curve, there),
            summary=Summary(
                "papers",
                models={model: model for model in models},
                corpus=f"{paper.citation}, {curve.name}",
                size=f"measured here on {listed(drawn) if len(drawn) <= 3 else f'{len(drawn)} tasks'}",
                by_model=True,
            ),
            alt=f"{title}; {', '.join(lines)} against {curve.argument}",
            numbers=lambda: numbers(curve, places, lines),
        )
    )


def caption(paper: Paper, curve: Curve, there: Outcomes) -> tuple[str, ...]:
    """Whose numbers these are: the models and corpora here, after which figure of the paper."""
    here = [(one.found, one.measured) for one in there.values() if one.found and one.measured]
    models = dict.fromkeys(
        f"{one.about['model']} ({one.about['revision']})"
        + (f" here, {found.rule.model} there" if found.rule.model else "")
        for found, measured in here
        for one in measured.scored
    )
    corpora = {part.corpus.fingerprint: part.corpus for found, _ in here for part in found.parts}
    return (
        f"Every point is measured here, after {paper.citation}, {curve.name}: {curve.title}",
        f"Models: {'; '.join(models)}",
        f"One of the recipes: {here[0][0].recipe.label()}",
        *([] if curve.published is None else [f"Dotted: {curve.published:g}, which the paper takes"]),
        *(
            f"{provenance.split(corpus)}: {corpus.origin} · fingerprint {fingerprint}"
            for fingerprint, corpus in corpora.items()
        ),
    )


def finding(
    curve: Curve,
    places: list[float],
    lines: Mapping[str, list[tuple[float, float, float]]],
    incomplete: Collection[str],
    unit: str,
) -> str:
    """Where each line is highest, in ``unit``; of one that is ``incomplete`` nobody knows yet."""
    values = {name: np.array([value for value, _, _ in points]) for name, points in lines.items()}
    best = []
    for name, scores in values.items():
        if name not in incomplete and np.isfinite(scores).any():
            at = int(np.nanargmax(scores))
            best.append(f"{name} {fixed(scores[at])} at {places[at]:g}")
    drawn = [name for name in incomplete if np.isfinite(values[name]).any()]
    if not best:
        here = sum(int(np.isfinite(scores).sum()) for scores in values.values())
        return f"{curve.title}: {counted(here, 'point')} measured so far, no line is complete"
    more = f"; {counted(len(drawn), 'more line')} {are(len(drawn))} not complete" if drawn else ""
    return f"Highest {unit} by {curve.argument}: {', '.join(best)}{more}"


def numbers(
    curve: Curve, places: list[float], lines: Mapping[str, list[tuple[float, float, float]]]
) -> pd.DataFrame:
    """A line for each value of the argument, with the values of every task that has some, and intervals."""
    whole = all(place.is_integer() for place in places)
    table: dict[str, object] = {curve.argument: [int(place) if whole else place for place in places]}
    drawn = {name: points for name, points in lines.items() if np.isfinite(points).any()}
    for name, points in drawn.items():
        for place, end in enumerate(("", ", low", ", high")):
            table[f"{name}{end}"] = [round(point[place], 2) for point in points]
    return pd.DataFrame(table)


def _point(one: Computed) -> tuple[float, float, float]:
    if one.measured is None:
        return float("nan"), float("nan"), float("nan")
    return (one.measured.value, *one.measured.bounds)
