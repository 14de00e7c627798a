"""The chosen figure: printed and here, what differs, its recipe to take, and why there is none."""

from __future__ import annotations

import numpy as np
import streamlit as st

from components import link, provenance, state, take
from components.errors import notes
from components.papers import cell_link
from components.papers.here import NOTED, CellHere
from components.text import escape
from components.wording import listed, metric_name, plus_minus
from core.errors import counted
from core.evaluation.tasks import TASK
from core.evaluation.wording import fixed, signed
from core.literature.rules.running import Measured, Runnable
from core.literature.tables import Table
from core.literature.tables.slips import slips_of


def head(one: CellHere) -> None:
    """The figure as printed and the one here, and what their difference says."""
    cell, measured = one.cell, one.here.measured
    left, right = st.columns(2)
    left.metric(f"printed, {cell.unit}", cell.printed)
    right.metric("here", value_here(one), help="with half of the 95 % bootstrap interval")
    if measured:
        st.markdown(verdict(one, measured))


def show(table: Table, one: CellHere) -> None:
    """What has to be known of the figure, then its recipe."""
    cell, found = one.cell, one.here.found
    for line in (*(found.differs if found else ()), *(found.rule.told if found else ())):
        st.caption(f":material/info: {escape(line)}")
    if one.here.why:
        st.caption(f":material/block: {escape(one.here.why)}")
    for slip in slips_of(table):
        if slip.is_of(cell):
            st.caption(f":material/change_history: {escape(slip.told)}")
    if one.here.measured:
        notes(one.here.measured.notes)
    if cell.note:
        st.caption(escape(f"{NOTED}{cell.note}"))
    if found:
        _recipe(found, one)


def to_methods(one: CellHere) -> None:
    """A link to the methods that the figure is published of."""
    cell_link.to_methods(one.cell, _corpus(one.here.found) if one.here.found else {})


def _recipe(found: Runnable, one: CellHere) -> None:
    parts = [provenance.split(part.corpus) for part in found.parts]
    times = " × 100" * (one.cell.scale == 1)
    st.code(found.recipe.label(), language=None, wrap_lines=True)
    scored = escape(", ".join(parts)) if len(parts) <= 3 else f"the mean of {len(parts)} tasks"
    st.caption(f"{escape(found.model)} on {scored}, {metric_name(found.rule.metric)}{times}")
    for line in _protocols(found, one.here.measured):
        st.caption(f":material/model_training: {escape(line)}")
    take.buttons(found.recipe, "The recipe of this figure", "papers.take")
    if scored_on := _corpus(found):
        corpus = found.parts[0].corpus
        st.page_link(
            "pages/scores.py",
            label=f"Take it as recipe A to Scores, on {escape(provenance.split(corpus))}",
            icon=":material/arrow_forward:",
            query_params=link.setting(
                link.kept("a", "an")
                | {"a": state.text_of(found.recipe), "aggregate": found.rule.aggregate}
                | scored_on
            ),
        )


def _corpus(found: Runnable) -> dict[str, str]:
    """The parameters of the one corpus of pairs that the figure is of; nothing for any other figure."""
    if len(found.parts) != 1 or found.parts[0].task.name != "sts":
        return {}
    corpus = found.parts[0].corpus
    return {"corpus": corpus.link, "split": provenance.split_option(corpus)}


def _protocols(found: Runnable, measured: Measured | None) -> list[str]:
    """How tasks that train something are scored: not by cosines, as the page Scores does."""
    trained = [part for part in found.parts if TASK.find(part.task).supervised]
    if not trained:
        return []
    if measured is None:
        kinds = listed(list(dict.fromkeys(part.task.name for part in trained)))
        return [f"{kinds}: a classifier is trained on some rows of the corpus and scored on others."]
    every = ((one.task.name, one.result) for one in measured.scored if TASK.find(one.task).supervised)
    told = (f"{name}, scored on {counted(result.n, 'row')}: {result.protocol}" for name, result in every)
    return list(dict.fromkeys(told))


def verdict(one: CellHere, measured: Measured) -> str:
    """The difference in words, and whether the interval holds the printed figure."""
    difference, interval = signed(one.difference, one.cell.digits), one.interval
    if not np.isfinite(one.bounds[0]):
        return f"**{difference}** here; this correlation has no interval."
    if not one.here.is_same:
        return f"**{difference}** here, where it need not be met (our interval {interval})."
    inside = "inside" if measured.holds(one.cell) else "**outside**"
    return f"**{difference}** here: the printed figure is {inside} our interval ({interval})."


def value_here(one: CellHere) -> str:
    """What is computed here, with its interval where it has one; a dash where nothing is."""
    if one.here.measured is None:
        return "—"
    if not np.isfinite(one.bounds[0]):
        return fixed(one.value, one.cell.digits)
    return plus_minus(one.value, *one.bounds, digits=one.cell.digits if one.cell.scale > 1 else 1)
