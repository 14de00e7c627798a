"""All figures that papers print for a method, each with its place in print, on the page Methods."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pandas as pd
import streamlit as st

from components import table_row
from components.controls import folded
from components.papers import cell_link
from core.evaluation.sts import Score
from core.evaluation.wording import fixed, signed
from core.literature.presets import Preset
from core.literature.published import PublishedScore


def show(preset: Preset, here: Score | None, task: str) -> None:
    """The expander with the table; the cell of the chosen figure is linked under it."""
    if preset.scores:
        label = f"All {len(preset.scores)} published figures of this method"
        folded(label, partial(_table, preset, here, task), "all.published")


def ordered(preset: Preset, task: str) -> list[PublishedScore]:
    """The published figures, those of the present task first."""
    return sorted(preset.scores, key=lambda one: one.corpus != task)


def numbers(scores: Sequence[PublishedScore], here: Score | None, task: str) -> pd.DataFrame:
    """One row for each published figure, those of the present task with the difference."""
    rows = []
    for one in scores:
        own = here.spearman if here is not None and one.corpus == task else None
        rows.append(
            {
                "corpus": one.corpus,
                "published": one.value,
                "here": own,
                "here − published": None if own is None else own - one.value,
                "metric": one.metric,
                "aggregate": one.aggregate,
                "model": one.model,
                "where": one.where,
            }
        )
    return pd.DataFrame(rows)


def _table(preset: Preset, here: Score | None, task: str) -> None:
    """The table, without a column that has nothing to show."""
    scores = ordered(preset, task)
    table = numbers(scores, here, task).dropna(axis="columns", how="all")
    plain, difference = partial(fixed, digits=2), partial(signed, digits=2)
    written = {"published": plain, "here": plain, "here − published": difference}
    styled = table.style.format({name: how for name, how in written.items() if name in table}, na_rep="")
    chosen = st.dataframe(
        styled,
        key=f"published.{preset.name}.{task}",
        hide_index=True,
        placeholder="",
        on_select="rerun",
        selection_mode=table_row.MODE,
        selection_default=table_row.start(0, "corpus"),
        alt=f"All {len(scores)} published figures of {preset.name}",
    )
    cell_link.to_papers(scores[table_row.chosen(chosen, len(scores)) or 0].cell)
