"""A visitor's own pairs: a dialog in which a file is looked at, read and named."""

from __future__ import annotations

from collections.abc import Callable, Collection

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components import bring_file
from components.bring_file import Kept, Wanting
from components.dialogs import dialog
from core.corpora.brought import Draft
from core.corpora.columns import find_column
from core.corpora.readings import PAIR, PARTED, Reading
from core.corpora.scales import scales_for
from core.errors import counted
from core.pipeline.engine import Engine

KEPT = Kept("brought", "brought.chosen")
"""This visit's corpora of pairs; a corpus waits to be chosen by its link."""

_KEY = "bring"
_OTHER = "another scale"
_PARTS = {"subset": "Subsets", "split": "Splits"}
_SAID = {
    "subset": "What kind of pair a row is: a genre, a domain, a phenomenon. Scores has a score of each.",
    "split": "Whether a row is of train, dev or test. Without one there is no dev to choose on.",
}
_LABELS = dict(zip(PAIR, ("Sentence 1", "Sentence 2", "Score"), strict=True))


def button(engine: Engine, on_click: Callable[[], None] | None = None) -> None:
    """A button that opens the dialog; ``on_click`` is called before."""
    if st.button(
        "Bring pairs", icon=":material/upload_file:", type="tertiary", key=_KEY, on_click=on_click
    ):
        _dialog(engine)


@dialog("Bring pairs", icon=":material/upload_file:")
def _dialog(engine: Engine) -> None:
    form(engine)
    KEPT.close()


def form(engine: Engine) -> None:
    """A place to drop a file; then how it is read, and its first rows. Pressed, the pairs are kept."""
    draft = bring_file.draft(
        engine,
        _KEY,
        "scored pairs",
        "One row for each pair, one column for each sentence and one for the score; others may hold "
        "subsets and splits.",
    )
    if draft is None:
        return
    reading = _usable(draft, _reading(draft))
    bring_file.first_rows(draft)
    bring_file.foot(engine, _KEY, "Use these pairs", reading, lambda link: KEPT.keep(link, link))


def _reading(draft: Draft) -> Reading | Wanting:
    """Which column is what, the scale and the name; the reason where something is missing."""
    named = bring_file.columns(draft, _KEY, _LABELS, draft.guess())
    if isinstance(named, Wanting):
        return named
    left, right = st.columns(2, gap="small")
    with left:
        name = bring_file.name_box(draft, _KEY, "pairs")
    scale = _scale(draft, named["score"], right)
    parted = _parted(draft, [*named.values()])
    if isinstance(scale, Wanting):
        return scale
    return Reading(name, **named, scale=scale, names=draft.first.names, **parted)


def _usable(draft: Draft, reading: Reading | Wanting) -> Reading | Wanting:
    """The reading where it gives pairs, whose number, scores and notes are said; else the reason."""
    if isinstance(reading, Wanting):
        return reading
    corpus = bring_file.corpus(draft, reading)
    if isinstance(corpus, Wanting):
        return corpus
    low, high = draft.score_range(reading.score) or reading.scale
    st.markdown(
        f"**{counted(len(corpus), 'pair')}** of {counted(len(corpus.sentences), 'different sentence')}. "
        f"Scores found: {low:g} to {high:g}; scored as **{reading.scale[0]:g} to {reading.scale[1]:g}**"
    )
    bring_file.notes(corpus)
    return reading


def _parted(draft: Draft, taken: Collection[str]) -> dict[str, str]:
    """Which other columns hold subsets and splits; empty for none."""
    free = [column for column in draft.columns if column not in taken]
    if not free:
        return dict.fromkeys(PARTED, "")
    parted = {}
    for place, wanted in zip(st.columns(2, gap="small"), PARTED, strict=True):
        start = find_column(draft.table, wanted)
        chosen = place.selectbox(
            _PARTS[wanted],
            ["", *free],
            index=1 + free.index(start) if start in free else 0,
            format_func=lambda column: column or "none",
            key=f"bring.{wanted}/{draft.key}/{' / '.join(free)}",
            help=_SAID[wanted],
        )
        parted[wanted] = chosen or ""
    return parted


def _scale(draft: Draft, column: str, menu: DeltaGenerator) -> tuple[float, float] | Wanting:
    """The scale of the scores, by a ``menu``; the reason where there is none."""
    bounds = draft.score_range(column)
    if bounds is None:
        return Wanting(f"The column {column} holds no number.")
    low, high = bounds
    scales = {f"{a:g} to {b:g}": (a, b) for a, b in scales_for(low, high)}
    chosen = menu.selectbox(
        "Scale of the scores",
        [*scales, _OTHER],
        key=f"bring.scale/{draft.key}/{column}",
        help="What is the lowest and what is the highest score that could be given? Thresholds such as "
        "“more than 4 of 5” are at the same share of the scale.",
    )
    if chosen != _OTHER:
        return scales.get(chosen or "", next(iter(scales.values())))
    with st.container(horizontal=True):
        of = f"{draft.key}/{column}"
        start = st.number_input("Lowest", value=low, key=f"bring.low/{of}", format="%.6g")
        end = st.number_input("Highest", value=high, key=f"bring.high/{of}", format="%.6g")
    if not start < end:
        return Wanting("The highest score must be above the lowest.")
    return float(start), float(end)
