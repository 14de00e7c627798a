"""A visitor's own pairs: a dialog in which a file is looked at, read and named."""

from __future__ import annotations

from collections.abc import Callable, Collection

import streamlit as st

from components import bring_file, errors
from components.bring_file import Kept
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
    """A place to drop a file; then its first rows, and how it is read. Pressed, the pairs are kept."""
    draft = bring_file.draft(
        engine,
        _KEY,
        "scored pairs",
        "One row for each pair, one column for each sentence and one for the score; others may hold "
        "subsets and splits.",
    )
    if draft is None:
        return
    reading = _reading(draft)
    corpus = bring_file.corpus(draft, reading) if reading else None
    if corpus:
        st.markdown(
            f"**{counted(len(corpus), 'pair')}** of {counted(len(corpus.sentences), 'different sentence')}"
        )
        bring_file.notes(corpus)
    bring_file.use_button(
        engine, _KEY, "Use these pairs", reading if corpus else None, lambda link: KEPT.keep(link, link)
    )


def _reading(draft: Draft) -> Reading | None:
    """Which column is what, the scale and the name; None, and the reason, where something is missing."""
    named = bring_file.columns(draft, _KEY, _LABELS, draft.guess())
    if named is None:
        return None
    scale = _scale(draft, named["score"])
    parted = _parted(draft, [*named.values()])
    name = bring_file.name_box(draft, _KEY, "pairs")
    return None if scale is None else Reading(name, **named, scale=scale, names=draft.first.names, **parted)


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


def _scale(draft: Draft, column: str) -> tuple[float, float] | None:
    """The scale of the scores; None, and the reason, where there is none."""
    bounds = draft.score_range(column)
    if bounds is None:
        errors.say(f"The column {column} holds no number.")
        return None
    low, high = bounds
    scales = {f"{a:g} to {b:g}": (a, b) for a, b in scales_for(low, high)}
    left, right = st.columns([3, 4], gap="small", vertical_alignment="bottom")
    chosen = left.selectbox(
        "Scale of the scores",
        [*scales, _OTHER],
        key=f"bring.scale/{draft.key}/{column}",
        help="What is the lowest and what is the highest score that could be given? Thresholds such as "
        "“more than 4 of 5” are at the same share of the scale.",
    )
    if chosen != _OTHER:
        right.markdown(f"Scores found: {low:g} to {high:g}; scored as **{chosen}**")
        return scales.get(chosen or "", next(iter(scales.values())))
    with right.container(horizontal=True):
        of = f"{draft.key}/{column}"
        start = st.number_input("Lowest", value=low, key=f"bring.low/{of}", format="%.6g")
        end = st.number_input("Highest", value=high, key=f"bring.high/{of}", format="%.6g")
    if not start < end:
        st.error("The highest score must be above the lowest.", icon=":material/error:")
        return None
    return float(start), float(end)
