"""A visitor's own labelled texts: a dialog in which a file is looked at, read and named."""

from __future__ import annotations

import streamlit as st

from components import bring_file
from components.bring_file import Kept, Wanting
from components.dialogs import dialog
from components.text import escape
from core.corpora.brought import Draft
from core.corpora.corpus import Corpus
from core.corpora.readings import LabelledReading
from core.errors import counted
from core.evaluation.tasks import TASK
from core.evaluation.tasks.folds import most_folds
from core.pipeline.engine import Engine

KEPT = Kept("brought.texts", "tasks.brought")
"""This visit's labelled texts; their task waits to be chosen."""

_KEY = "texts"
_LABELS = {"text": "Text", "label": "Label", "text2": "Second text"}
_WITHOUT = {"text2": "none: one text a row"}


def button(engine: Engine) -> None:
    """A button that opens the dialog."""
    if st.button("Bring texts", icon=":material/upload_file:", type="tertiary", key=_KEY):
        _dialog(engine)


@dialog("Bring labelled texts", icon=":material/upload_file:")
def _dialog(engine: Engine) -> None:
    form(engine)
    KEPT.close()


def form(engine: Engine) -> None:
    """A place to drop a file; then how it is read, and its first rows. Pressed, the texts are kept."""
    draft = bring_file.draft(
        engine,
        _KEY,
        "labelled texts",
        "One row for each text, one column for it and one for its label; a second text makes a pair, and a "
        "column called split says what is learnt from.",
    )
    if draft is None:
        return
    reading, task = _reading(draft), ""
    if not isinstance(reading, Wanting):
        found = _with_classes(bring_file.corpus(draft, reading))
        if isinstance(found, Wanting):
            reading = found
        else:
            task = _task(found)

    def kept(link: str) -> None:
        KEPT.keep(link, f"{link}: {task}")

    bring_file.first_rows(draft)
    bring_file.foot(engine, _KEY, "Use these texts", reading, kept)


def classifying(corpus: Corpus) -> str:
    """The classification of a corpus, in as many folds as its rows allow; empty where none do."""
    usual = TASK.options["classification"].arguments["folds"].default
    most = most_folds(corpus)
    if most == 0 and corpus.labels:
        return ""
    fewer = bool(corpus.labels) and most is not None and most < usual
    return f"classification(folds={most})" if fewer else "classification"


def _reading(draft: Draft) -> LabelledReading | Wanting:
    """Which column is what, and the name; the reason where something is missing."""
    named = bring_file.columns(draft, _KEY, _LABELS, draft.guess_labelled(), _WITHOUT)
    if isinstance(named, Wanting):
        return named
    shown = "as figures show it; the list of tasks and links add letters that tell it from others"
    return LabelledReading(
        bring_file.name_box(draft, _KEY, "texts", shown), **named, names=draft.first.names
    )


def _with_classes(corpus: Corpus | Wanting) -> Corpus | Wanting:
    """The corpus, its rows and classes said; the reason where nothing is learnt, or it has no room."""
    if isinstance(corpus, Wanting):
        return corpus
    classes = len(corpus.classes)
    st.markdown(f"**{counted(corpus.rows, 'row')}** of {classes:,} class{'es' * (classes != 1)}")
    bring_file.notes(corpus)
    if classes < 2:
        return Wanting("A classifier needs two classes or more.")
    task = TASK.find(TASK.parse(_task_for(corpus)))
    refused = task.refuses(corpus)
    return Wanting(refused) if refused else corpus


def _task_for(corpus: Corpus) -> str:
    """The task that the page takes for the texts."""
    return classifying(corpus) or "clustering"


def _task(corpus: Corpus) -> str:
    """The task that the page takes for the texts; a warning says so where it is not the usual one."""
    task = classifying(corpus)
    if not task:
        st.warning(
            "A class with one row only cannot be both learnt and scored, so the page clusters these texts. "
            "To classify them, give each class two rows or more, or the table a column called split with "
            "train and test.",
            icon=":material/warning:",
        )
    elif task != "classification":
        st.warning(
            f"Few rows: no class has as many as the usual folds of a cross-validation, so the page takes "
            f"{escape(task)}. Intervals will be wide.",
            icon=":material/warning:",
        )
    return _task_for(corpus)
