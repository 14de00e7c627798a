"""How much of the leading components of token vectors is frequency, on the page Tokens."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import streamlit as st

from components import figure_frame, state, theme
from components.errors import notes
from components.figure_frame import Framed
from components.figures.tokens import component_matrix
from components.progress import working
from components.text import escape
from components.tokens.controls import FREQUENCIES, Asked, values_of, which_rows
from components.tokens.drawn import Model
from components.tokens.page import at_layer, may_begin, spaces
from core.analysis.frequency_components import Frequency, kept
from core.corpus import Corpus
from core.embed import Road
from core.errors import StrataError
from core.passes import Source
from core.progress import Progress
from core.recipe import Recipe

MEASURES = ("Spearman", "Pearson")


def show(road: Road, named: Sequence[tuple[str, Recipe]], corpus: Corpus, source: Source) -> None:
    """One picture per model: steps down, components across."""
    left, middle, right = st.columns([3, 3, 2], gap="small")
    with left:
        rows = which_rows(source)
    with middle:
        frequency = st.selectbox("Frequency", FREQUENCIES, key="frequency", bind="query-params")
    with right:
        measure = st.segmented_control(
            "Correlation", MEASURES, default=MEASURES[0], required=True, key="measure", bind="query-params"
        )
    measure = measure if measure in MEASURES else MEASURES[0]
    if not may_begin(road, named, corpus, Asked(rows, "pca", "all", frequency, "")):
        return
    with working("tokens") as progress:
        models = spaces(road, named, corpus, rows, progress)
    if not models:
        return
    models = at_layer(models)
    with working("components") as progress:
        found = [
            (model, one)
            for model in models
            if (one := correlations(road, model, corpus, frequency, progress)) is not None
        ]
    if not found:
        return
    title = finding(found, measure)
    figure_frame.show(
        Framed(
            key="tokens.components",
            title=title,
            figure=component_matrix(
                [(model.title, one) for model, one in found], measure, theme.of(state.theme_name())
            ),
            caption=caption(road, found, corpus, frequency, measure),
            alt=f"Correlation of components with frequency. {title}",
            numbers=pd.concat([numbers(model, one) for model, one in found]),
        )
    )
    notes([f"{model.name}: {note}" for model, one in found for note in one.notes])


def correlations(
    road: Road, model: Model, corpus: Corpus, frequency: str, progress: Progress
) -> Frequency | None:
    """Of all tokens of a model; None, and the reason on the page, when there are none."""
    space = model.space
    places = np.arange(len(space.vocabulary))
    try:
        values = values_of(frequency, road, model.recipe, space, corpus, progress)
        return kept(
            road.store,
            [space.key, model.layer, len(places)],
            lambda: space.rows(model.layer, places),
            values,
            progress,
        )
    except StrataError as error:
        st.error(f"{escape(model.name)}: {escape(str(error))}", icon=":material/error:")
        return None


def finding(found: Sequence[tuple[Model, Frequency]], measure: str) -> str:
    """Which component goes along with frequency most, and how much of it whitening leaves."""
    model, one = found[0]
    plain, last = one.steps[0], one.steps[-1]
    values = plain.spearman if measure == "Spearman" else plain.pearson
    most = int(np.argmax(values))
    of = f"{model.name}: c" if len(found) > 1 else "C"
    after = "" if last is plain else f", {100 * last.total:.1f} % after {last.step}"
    return (
        f"{of}omponent {most + 1} as they are follows frequency most (|{measure}| {values[most]:.2f}); "
        f"{100 * plain.total:.1f} % of all variance goes along with it{after}"
    )


def caption(
    road: Road, found: Sequence[tuple[Model, Frequency]], corpus: Corpus, frequency: str, measure: str
) -> tuple[str, ...]:
    """Which vectors of which model, how many tokens, which frequency."""
    lines = []
    for model, one in found:
        space = model.space
        over = ", static rows" if space.over is None else f", averaged over {space.over.name}"
        lines.append(
            f"source={model.recipe.spelled()['source']} · {space.name} ({space.revision}){over} · "
            f"{one.tokens:,} tokens with a frequency, of {len(space.vocabulary):,}"
        )
    name = {
        FREQUENCIES[1]: f" ({corpus.name} {corpus.taken}, fingerprint {corpus.fingerprint})",
        FREQUENCIES[2]: f" ({road.reference(found[0][0].recipe).name})",
    }.get(frequency, " (Zipf, wordfreq)")
    lines.append(
        f"|{measure}| of each component's scores with {frequency}{name}. Beside a step: the share of all "
        "variance that is linear in log frequency. As they are: directions of vectors not centred. "
        "Whitening rescales the components of the centred vectors, so their correlations are the same."
    )
    return tuple(lines)


def numbers(model: Model, found: Frequency) -> pd.DataFrame:
    """One row per step and component."""
    rows = [
        (model.name, one.step, i + 1, one.pearson[i], one.spearman[i], one.share[i], one.total)
        for one in found.steps
        for i in range(len(one.pearson))
    ]
    columns = ["model", "step", "component", "|pearson|", "|spearman|", "share of variance"]
    return pd.DataFrame(rows, columns=[*columns, "variance along frequency"])
