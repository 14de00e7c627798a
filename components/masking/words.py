"""Word importance on the page Masking: column means over the text, against idf."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import streamlit as st

from components import figure_frame, state, theme, token_strip
from components.figure_frame import Framed
from components.figures.masking import Importance, importance
from components.masking.page import Asked, Choices, about, segments
from components.progress import working
from components.text import escape
from core.analysis.impact import inverse_frequencies
from core.corpus import Corpus
from core.embed import Road, TokenWeights
from core.evaluation.statistics import spearman


def learnt(corpus: Corpus, reference: Corpus) -> Corpus:
    """The corpus that idf is learnt from."""
    places = {"corpus": corpus, "reference": reference}
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        chosen = places[segments("idf learnt from", tuple(places), "learnt")]
        st.caption(escape(f"{chosen.name}, {len(chosen.positions):,} texts"))
    return chosen


def show(road: Road, found: Sequence[Asked], choices: Choices, learn: Corpus) -> None:
    """Column means over the text, against idf."""
    look = theme.of(state.theme_name())
    rows, strips, numbers, agrees = [], [], [], []
    with working("words") as progress:
        idfs = [inverse_frequencies(road, one.plan, learn, progress) for one in found]
    for one, idf in zip(found, idfs, strict=True):
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
                one.plan.units,
                _shares(means),
                _shares(idf),
            )
        )
        agrees.append((one.model.name, spearman(means, idf)))
        table = pd.DataFrame({"model": one.model.name, "layer": one.layer, choices.unit: one.plan.units})
        numbers.append(table.assign(impact=means, idf=idf))
    if len({one.plan.units for one in found}) == 1:  # the same words: their idf stands there once
        strips = [*strips[::2], strips[1]]
    st.html("".join(strips))
    title = _agreement(agrees)
    figure_frame.show(
        Framed(
            key="importance",
            title=title,
            figure=importance(rows, look),
            caption=(
                f"Column means: {choices.label()}, over all {choices.level} of the sentence, special "
                f"tokens apart. idf = log(texts / texts with it), learnt from {learn.name}, "
                f"{len(learn.positions):,} texts; one that occurs in none counts as in one.",
                *about(found),
            ),
            alt=title,
            numbers=pd.concat(numbers, ignore_index=True),
        )
    )


def _agreement(agrees: Sequence[tuple[str, float]]) -> str:
    said = [f"{100 * value:.0f} under {name}" for name, value in agrees if np.isfinite(value)]
    if not said:
        return "Impact and idf cannot be compared here: one of them is the same for every word"
    if len(agrees) == 1:
        return f"Impact against idf: Spearman × 100 = {100 * agrees[0][1]:.0f}"
    return f"Impact against idf in this sentence, Spearman × 100: {', '.join(said)}"


def _shares(values: np.ndarray) -> np.ndarray:
    """Values scaled to sum 1; all 0 where there is nothing to share."""
    total = values.sum()
    return values / total if total > 0 else np.zeros_like(values)


def _strip(one: Asked, values: np.ndarray, texts: np.ndarray, color: str, label: str, of: str) -> str:
    """The sentence, every unit tinted by its share."""
    units = TokenWeights(
        one.plan.units, tuple(range(len(values))), _shares(values), texts, one.plan.truncated
    )
    return token_strip.strip(units, color, label, of, stretch=True)
