"""How much of the leading components of token vectors is frequency, on the page Tokens."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import streamlit as st

from components import figure_frame, job, provenance, state, theme, works
from components.controls import menu, segments
from components.errors import notes
from components.figure_frame import Framed
from components.figures.tokens import component_matrix
from components.tokens.controls import FREQUENCIES, MapRequest, values_of, which_rows
from components.tokens.drawn import TokenModel
from components.tokens.token_map import at_layer, spaces
from components.wording import listed
from core.analysis.token_maps.frequency_components import PLAIN, FrequencyCorrelations, stored_correlations
from core.corpora.corpus import Corpus
from core.evaluation.wording import fixed
from core.pipeline.engine import Engine
from core.progress import Progress
from core.recipe import Recipe
from core.sources.source import Source
from core.storage.keys import key_of
from core.work import Work

MEASURES = ("Spearman", "Pearson")

SAME = 0.005
"""Correlations that differ by less are called the same."""


def show(engine: Engine, named: Sequence[tuple[str, Recipe]], corpus: Corpus, source: Source) -> None:
    """One picture per model: steps down, components across."""
    left, middle, right = st.columns([3, 3, 2], gap="small")
    with left:
        rows = which_rows(source)
    with middle:
        frequency = menu("Frequency", FREQUENCIES, "frequency")
    with right:
        measure = segments("Correlation", MEASURES, "measure")
    models, _ = spaces(engine, named, corpus, MapRequest(rows, "pca", "all", frequency, ""))
    if not models:
        return
    models = at_layer(models)
    found = correlations(engine, models, corpus, frequency)
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
            caption=caption(engine, found, corpus, frequency, measure),
            summary=provenance.summary(
                "tokens",
                {},
                {model.title: model.title for model, _ in found},
                frequency,
                f"{found[0][1].tokens:,} tokens",
            ),
            alt=f"Correlation of components with frequency. {title}",
            numbers=lambda: pd.concat([numbers(model, one) for model, one in found]),
        )
    )
    notes([f"{model.name}: {note}" for model, one in found for note in one.notes])


def correlations(
    engine: Engine, models: Sequence[TokenModel], corpus: Corpus, frequency: str
) -> list[tuple[TokenModel, FrequencyCorrelations]]:
    """Each model with its correlations over all of its tokens, where they are there.

    The page says why a model has none, and shows how far they are.
    """
    jobs = job.show_all([_work(engine, model, corpus, frequency) for model in models])
    return list(job.results(models, jobs, lambda model: model.name))


def _work(engine: Engine, model: TokenModel, corpus: Corpus, frequency: str) -> Work[FrequencyCorrelations]:
    space = model.space
    places = np.arange(len(space.vocabulary))

    def compute(progress: Progress) -> FrequencyCorrelations:
        values = values_of(frequency, engine, model.recipe, space, corpus, progress)
        return stored_correlations(
            engine.store,
            [space.key, model.layer, len(places)],
            lambda: space.rows(model.layer, places),
            values,
            progress,
        )

    over = works.reference_of(engine, model.recipe)
    return Work(
        ("frequency", key_of(space.key), model.layer, frequency, corpus.fingerprint, over),
        f"Frequency in components of {model.name}",
        compute,
    )


def finding(found: Sequence[tuple[TokenModel, FrequencyCorrelations]], measure: str) -> str:
    """Which component goes along with frequency most, and how much of it whitening leaves."""
    said = [_strongest(one, measure) for _, one in found]
    if len(found) == 1:
        return f"Strongest correlation with frequency: {said[0]}"
    named = (f"{model.name} {words}" for (model, _), words in zip(found, said, strict=True))
    return f"Strongest correlation with frequency: {'; '.join(named)}"


def _strongest(found: FrequencyCorrelations, measure: str) -> str:
    """The component and the steps with the highest correlation, and how much variance is frequency."""
    by_step = [each.spearman if measure == "Spearman" else each.pearson for each in found.steps]
    highest = max(float(values.max(initial=0.0)) for values in by_step)
    component = next(i for values in by_step for i, value in enumerate(values) if value == highest)
    same = [
        one.step
        for one, values in zip(found.steps, by_step, strict=True)
        if component < len(values) and abs(values[component] - highest) < SAME
    ]
    after = listed([name if name == PLAIN else f"after {name}" for name in same])
    plain, last = found.steps[0], found.steps[-1]
    left = "" if last is plain else f", {100 * last.total:.1f} % after {last.step}"
    return (
        f"component {component + 1} {after} (|{measure}| {fixed(highest, 2)}); frequency is "
        f"{100 * plain.total:.1f} % of all variance{left}"
    )


def caption(
    engine: Engine,
    found: Sequence[tuple[TokenModel, FrequencyCorrelations]],
    corpus: Corpus,
    frequency: str,
    measure: str,
) -> tuple[str, ...]:
    """Which vectors of which model, how many tokens, which frequency."""
    lines = []
    for model, one in found:
        space = model.space
        over = ", static rows" if space.over is None else f", averaged over {space.over.name}"
        lines.append(
            f"source={model.recipe.spelled()['source']} · {provenance.model(space)}{over} · "
            f"{one.tokens:,} tokens with a frequency, of {len(space.vocabulary):,}"
        )
    name = {
        FREQUENCIES[1]: f" ({provenance.line([], corpus)})",
        FREQUENCIES[2]: f" ({engine.references.of(found[0][0].recipe).name})",
    }.get(frequency, " (Zipf, wordfreq)")
    lines.append(
        f"|{measure}| of each component's scores with {frequency}{name}. Beside a step: the share of all "
        "variance that is linear in log frequency. As they are: directions of vectors not centred. "
        "Whitening rescales the components of the centred vectors, so their correlations are the same."
    )
    return tuple(lines)


def numbers(model: TokenModel, found: FrequencyCorrelations) -> pd.DataFrame:
    """One row per step and component."""
    rows = [
        (model.name, one.step, i + 1, one.pearson[i], one.spearman[i], one.share[i], one.total)
        for one in found.steps
        for i in range(len(one.pearson))
    ]
    columns = ["model", "step", "component", "|pearson|", "|spearman|", "share of variance"]
    return pd.DataFrame(rows, columns=[*columns, "variance along frequency"])
