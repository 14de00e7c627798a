"""Word importance on the page Masking: column means over the text, against idf."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from components import figure_frame, job, state, theme, token_strip
from components.controls import segments
from components.figure_frame import Framed
from components.figures.masking import Importance, importance
from components.masking.page import Choices, ModelImpact, about, summary, unnamed
from components.text import escape
from components.wording import UNIT
from core.analysis.masking.unit_frequencies import inverse_frequencies
from core.corpora.corpus import Corpus
from core.errors import counted
from core.evaluation.statistics import spearman
from core.evaluation.wording import fixed
from core.pipeline.engine import Engine
from core.pipeline.token_weights import TokenWeights
from core.work import Work


def learnt(corpus: Corpus, reference: Corpus) -> Corpus:
    """The corpus that idf is learnt from."""
    places = {"corpus": corpus, "reference": reference}
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        chosen = places[
            segments(
                "idf learnt from",
                tuple(places),
                "learnt",
                persist_state="session",
                width="content",
            )
        ]
        st.caption(escape(f"{chosen.name}, {counted(len(chosen.positions), 'text')}"))
    return chosen


def show(engine: Engine, impacts: Sequence[ModelImpact], choices: Choices, learn: Corpus) -> None:
    """Column means over the text, against idf."""
    look = theme.of(state.theme_name())
    rows, strips, agrees = [], [], []
    jobs = job.show_all(
        [
            Work(
                ("idf", one.plan.source.tokenization, one.plan.level, one.plan.text, learn.fingerprint),
                f"Counting words of {learn.name}",
                partial(inverse_frequencies, engine, one.plan, learn),
            )
            for one in impacts
        ]
    )
    idfs = [each.value() for each in jobs]
    if any(idf is None for idf in idfs):
        return
    for one, idf in zip(impacts, idfs, strict=True):
        means = one.means(choices)
        texts = len(learn.positions) / np.exp(idf)
        strips += [
            _strip(one, means, texts, one.model.color, f"impact, {one.model.name}", "impact"),
            _strip(one, idf, texts, look.faint, "idf", "idf"),
        ]
        rows.append(
            Importance(
                f"{one.model.name} · layer {one.layer}",
                one.model.color,
                one.names,
                _shares(means),
                _shares(idf),
            )
        )
        agrees.append((one.model.name, spearman(means, idf)))
    if len({one.plan.units for one in impacts}) == 1:  # the same words: their idf stands there once
        strips = [*strips[::2], strips[1]]
    st.html("".join(strips))
    title, figure = finding(agrees, choices), importance(rows, look)
    share = f"% of sentence: a {choices.unit}'s share of the sum over the sentence."
    figure_frame.show(
        Framed(
            key="importance",
            title=title,
            figure=figure,
            caption=(
                f"Column means: {choices.label()}, over all {choices.level} of the sentence, special "
                f"tokens apart. idf = log(texts / texts with it), learnt from {learn.name}, "
                f"{counted(len(learn.positions), 'text')}; one that occurs in none counts as in one.",
                share,
                *about(impacts),
            ),
            summary=summary(impacts),
            alt=title,
            numbers=lambda: numbers(impacts, choices, idfs),
            hint=f"{share} {unnamed(figure, len(impacts[0].plan.units), choices.unit)}".strip(),
        )
    )


def finding(agrees: Sequence[tuple[str, float]], choices: Choices) -> str:
    """How impact goes with idf, in one sentence."""
    said = [(fixed(100 * value, 0), name) for name, value in agrees if np.isfinite(value)]
    if not said:
        return f"Impact and idf cannot be compared here: one of them is the same for every {choices.unit}"
    values = said[0][0] if len(agrees) == 1 else ", ".join(f"{value} under {name}" for value, name in said)
    return f"Impact of {choices.level} against their rarity (idf), this sentence alone, {UNIT}: {values}"


def numbers(impacts: Sequence[ModelImpact], choices: Choices, idfs: Sequence[np.ndarray]) -> pd.DataFrame:
    """One row for each model and unit, with the shares that the figure draws."""
    tables = []
    for one, idf in zip(impacts, idfs, strict=True):
        table = pd.DataFrame({"model": one.model.name, "layer": one.layer, choices.unit: one.plan.units})
        for name, values in (("impact", one.means(choices)), ("idf", idf)):
            table[name], table[f"{name}, % of sentence"] = values, 100 * _shares(values)
        tables.append(table)
    return pd.concat(tables, ignore_index=True)


def _shares(values: np.ndarray) -> np.ndarray:
    """Values scaled to sum 1; all 0 where there is nothing to share."""
    total = values.sum()
    return values / total if total > 0 else np.zeros_like(values)


def _strip(one: ModelImpact, values: np.ndarray, texts: np.ndarray, color: str, label: str, of: str) -> str:
    """The sentence, every unit tinted by its share."""
    units = TokenWeights(
        one.plan.units, tuple(range(len(values))), _shares(values), texts, one.plan.truncated
    )
    return token_strip.strip(units, color, label, of, full_range=True)
