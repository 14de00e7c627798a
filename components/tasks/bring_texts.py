"""A visitor's own labelled texts: a dialog in which a file is looked at, read and named."""

from __future__ import annotations

from functools import partial

import streamlit as st

from components import bring_file, errors
from components.dialogs import dialog
from components.text import escape
from core.corpora.brought import Draft, LabelledReading
from core.corpora.corpus import Corpus
from core.evaluation.tasks import TASK
from core.evaluation.tasks.folds import most_folds
from core.pipeline.engine import Engine

BROUGHT = "brought.texts"
"""Where this visit's labelled texts are kept, by what a link finds them by."""

CHOSEN = "tasks.brought"
"""Where the task of labelled texts that were just brought waits to be chosen."""

_KEY = "texts"
_ONE_TEXT = "none: one text a row"


def button(engine: Engine) -> None:
    """A button that opens the dialog."""
    if st.button("Bring texts", icon=":material/upload_file:", type="tertiary", key=_KEY):
        _dialog(engine)


@dialog("Bring labelled texts", icon=":material/upload_file:")
def _dialog(engine: Engine) -> None:
    form(engine)
    if CHOSEN in st.session_state:
        st.rerun()


def form(engine: Engine) -> None:
    """A place to drop a file; then its first rows, and how it is read. Pressed, the texts are kept."""
    draft = bring_file.draft(
        engine,
        _KEY,
        "labelled texts",
        "One row for each text, one column for it and one for its label; a second text makes a pair, and a "
        "column called split says what is learnt from.",
    )
    if draft is None:
        return
    reading = _reading(draft)
    corpus = bring_file.corpus(draft, reading) if reading else None
    classified = corpus is not None and _has_classes(corpus)
    task = _task(corpus) if corpus is not None and classified else ""
    bring_file.use_button(
        engine, _KEY, "Use these texts", reading if task else None, partial(_kept, task=task)
    )


def classifying(corpus: Corpus) -> str:
    """The classification of a corpus, in as many folds as its rows allow; empty where none do."""
    usual = TASK.options["classification"].arguments["folds"].default
    most = most_folds(corpus)
    if most == 0 and corpus.labels:
        return ""
    fewer = bool(corpus.labels) and most is not None and most < usual
    return f"classification(folds={most})" if fewer else "classification"


def _reading(draft: Draft) -> LabelledReading | None:
    """Which column is what, and the name; None, and the reason, where something is missing."""
    start = draft.guess_labelled()
    chosen: dict[str, str | None] = {}
    for place, (wanted, title) in zip(
        st.columns(3, gap="small"),
        (("text", "Text"), ("label", "Label"), ("text2", "Second text")),
        strict=True,
    ):
        options = [_ONE_TEXT, *draft.columns] if wanted == "text2" else draft.columns
        first = start[wanted] or (_ONE_TEXT if wanted == "text2" else None)
        chosen[wanted] = place.selectbox(
            title,
            options,
            index=options.index(first) if first in options else None,
            placeholder="which column?",
            key=f"texts.{wanted}/{draft.key}",
        )
    shown = "as figures show it; the list of tasks and links add letters that tell it from others"
    name = bring_file.name_box(draft, _KEY, "texts", shown)
    text, label = chosen["text"], chosen["label"]
    if text is None or label is None:
        st.info("Say which column is the text, and which its label.", icon=":material/view_column:")
        return None
    second = "" if chosen["text2"] in (None, _ONE_TEXT) else str(chosen["text2"])
    if len({text, label, second}) < 3:
        st.error("Text, label and second text need a column each.", icon=":material/error:")
        return None
    return LabelledReading(name, text, label, second, draft.first.names)


def _has_classes(corpus: Corpus) -> bool:
    """Rows and classes are said; whether there are two or more, and room to learn or cluster them."""
    classes = len(corpus.classes)
    st.markdown(f"**{corpus.rows:,} rows** of {classes:,} class{'es' * (classes != 1)}")
    bring_file.notes(corpus)
    if classes < 2:
        st.error("A classifier needs two classes or more.", icon=":material/error:")
        return False
    task = TASK.find(TASK.parse(_task_for(corpus)))
    if refused := task.refuses(corpus):
        errors.say(refused)
    return not refused


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


def _kept(link: str, task: str) -> None:
    st.session_state.setdefault(BROUGHT, []).append(link)
    st.session_state[CHOSEN] = f"{link}: {task}"
