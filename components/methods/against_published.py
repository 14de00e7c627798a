"""The score of a method here against every published one, on the page Methods."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from components import figure_frame, state, theme
from components.figure_frame import Framed
from components.figures.methods import Row, scores_and_published
from components.methods import in_print
from components.methods.scores import Outcome, best_match, caption, reasons, summary, task_of
from components.text import escape
from components.wording import UNIT, value
from core.corpora.corpus import Corpus
from core.evaluation.scoring import Scored
from core.evaluation.sts import Score
from core.evaluation.wording import fixed
from core.literature.presets import Preset
from core.literature.published import AVERAGE, SEVEN, PublishedScore
from core.recipe import Recipe


def show(preset: Preset, outcome: Outcome, recipe: Recipe, corpus: Corpus, model: str) -> None:
    """Every figure that papers print for the method, and the score here."""
    if not isinstance(outcome, Scored) and not preset.scores:
        return
    look, task = theme.of(state.theme_name()), task_of(corpus)
    here = outcome.score if isinstance(outcome, Scored) else None
    label = task or corpus.name
    others = sorted({one.corpus for one in preset.scores} - {label}, key=_order)
    rows = [
        Row(
            f"{name} (here: {corpus.name})" if name == label and name != corpus.name else name,
            here if name == label else None,
            tuple(one for one in preset.scores if one.corpus == name),
        )
        for name in [label, *others]
    ]
    title = finding(preset, here, best_match(preset, corpus, model), corpus)
    figure_frame.show(
        Framed(
            key="published",
            title=title,
            figure=scores_and_published(rows, look),
            caption=caption(f"{preset.name}: {recipe.label()}", corpus, [outcome]),
            summary=summary({"": preset.name}, corpus, [outcome]),
            alt=title,
            numbers=lambda: drawn(preset, here, task, corpus.name),
        )
    )


def explain(preset: Preset, outcome: Outcome, corpus: Corpus, model: str) -> None:
    """The published figures as a table, and why the one most like the score here need not be reached."""
    here = outcome.score if isinstance(outcome, Scored) else None
    in_print.show(preset, here, task_of(corpus))
    _why(preset, corpus, model)


def finding(preset: Preset, here: Score | None, match: PublishedScore | None, corpus: Corpus) -> str:
    """What the figure says, in one sentence."""
    printed = "nothing published to set it against"
    if match:
        printed = f"published {match.metric} × 100 = {fixed(match.value)} on {match.corpus}"
    if here is None or not np.isfinite(here.spearman):
        return f"{preset.name}: {printed}"
    return f"{preset.name}: {UNIT} = {value(here)} on {corpus.name} here; {printed}"


def drawn(preset: Preset, here: Score | None, task: str, corpus: str) -> pd.DataFrame:
    """Published figures and the score here with its interval, on an own row where none is of its corpus."""
    table = in_print.numbers(in_print.ordered(preset, task), here, task)
    if here is None:
        return table
    if not any(one.corpus == task for one in preset.scores):
        own = pd.DataFrame([{"corpus": corpus, "here": here.spearman, "metric": "Spearman"}])
        table = pd.concat([own, table]).reindex(columns=list(table.columns) or list(own.columns))
    place = table.columns.get_loc("here") + 1
    for end in ("high", "low"):
        table.insert(place, end, [None if pd.isna(one) else getattr(here, end) for one in table["here"]])
    return table.reset_index(drop=True)


def _why(preset: Preset, corpus: Corpus, model: str) -> None:
    """Why the score here and the published figure most like it may differ."""
    match = best_match(preset, corpus, model)
    if match is None:
        return
    other = [one for one in reasons(preset, match, corpus, model) if one not in preset.differs]
    if other:
        st.markdown(
            f"Why {match.value:.1f} ({escape(match.where)}) need not be reached here:\n"
            + "\n".join(f"- {escape(reason)}" for reason in other)
        )


def _order(name: str) -> int:
    return (*SEVEN, "STR", AVERAGE).index(name)
