"""IsoScore against the mean over tasks, a figure for each kind of task, on the page Geometry."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
import streamlit as st

from components import figure_frame, state, theme
from components.figure_frame import Framed
from components.figures.geometry import iso_score_against_score
from components.figures.labels import plain
from components.figures.named_points import Point
from components.geometry import iso_scores
from components.geometry.page import Measured, provenance_line, recipe_lines, summary
from components.tasks import choice, page
from components.tasks.families import Family, families, mean
from components.tasks.page import Results
from core.analysis.geometry.of_recipe import RecipeGeometry
from core.corpora.corpus import Corpus
from core.evaluation.tasks.groups import Mean
from core.evaluation.wording import between, fixed
from core.pipeline.engine import Engine

COLUMNS = 2
"""Figures that stand side by side."""


def show(engine: Engine, corpus: Corpus, measured: Measured) -> None:
    """A menu of tasks, and for each kind of them the measured recipes by IsoScore and mean."""
    asked = choice.tasks(engine)
    known = {name: place for name, place in measured.places.items() if np.isfinite(place.iso_score)}
    places = {name: place for name, place in known.items() if not place.whitened}
    if not asked or not places:
        return
    recipes = {name: place.recipe for name, place in places.items()}
    found = page.results(engine, recipes, asked, "isotropy.tasks.work", offered=True)
    drawn = [
        (kind, means)
        for kind in families(asked)
        if (means := {n: one for n in places if (one := mean(found, n, kind.tasks)) and _known(one)})
    ]
    columns = st.columns(COLUMNS, gap="medium") if len(drawn) > 1 else [st.container()]
    for number, (kind, means) in enumerate(drawn):
        with columns[number % len(columns)]:
            _figure(corpus, measured, known, kind, means, found)
    found.tell_failures()


def _known(one: Mean) -> bool:
    return bool(np.isfinite(one.value))


def _figure(
    corpus: Corpus,
    measured: Measured,
    known: Mapping[str, RecipeGeometry],
    kind: Family,
    means: Mapping[str, Mean],
    found: Results,
) -> None:
    places = {name: known[name] for name in means}
    drawn = measured.only(places)
    title = finding(kind, places, means)
    points = [
        Point(
            name,
            place.iso_score,
            means[name].value,
            means[name].value,
            f"<b>{plain(name)}</b><br>IsoScore {place.iso_score:.3f}<br>{plain(kind.title)}: "
            f"{fixed(means[name].value)}, {between(*means[name].bounds)}",
            measured.sides.get(name, ""),
            measured.kind(name),
        )
        for name, place in places.items()
    ]
    figure_frame.show(
        Framed(
            key=f"isoscore.{kind.name}",
            title=title,
            figure=iso_score_against_score(points, theme.of(state.theme_name()), upwards=plain(kind.title)),
            caption=(
                *iso_scores.left_out(known),
                *recipe_lines(drawn),
                *filter(None, (found.told(each, list(places)) for each in kind.tasks)),
                provenance_line(
                    corpus,
                    drawn,
                    f"IsoScore of {len(corpus.sentences):,} different sentences of {corpus.name}; "
                    "Stankevičius & Lukoševičius 2025 (Figures 1, 2) measure it on WikiText-2",
                ),
            ),
            summary=summary(corpus, drawn),
            alt=title,
            numbers=lambda: numbers(kind, places, means, found),
        )
    )


def finding(kind: Family, places: Mapping[str, RecipeGeometry], means: Mapping[str, Mean]) -> str:
    """How IsoScore goes with the mean, in one sentence."""
    return iso_scores.correlation(
        [place.model for place in places.values()],
        [place.iso_score for place in places.values()],
        [means[name].value for name in places],
        kind.title,
    )


def numbers(
    kind: Family, places: Mapping[str, RecipeGeometry], means: Mapping[str, Mean], found: Results
) -> pd.DataFrame:
    """A row for each recipe: IsoScore, the mean with its interval, and the value on each task."""
    rows = []
    for name, place in places.items():
        low, high = means[name].bounds
        row: dict[str, object] = {"recipe": name, "IsoScore": place.iso_score, "mean": means[name].value}
        row |= {"low": low, "high": high}
        row |= {each.text: found.value(name, each.text) for each in kind.tasks}
        rows.append(row | {"text": str(place.recipe)})
    return pd.DataFrame(rows)
