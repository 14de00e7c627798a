"""Which split of the corpus is read: what the control says, the address, or a link to what is not here."""

from __future__ import annotations

from urllib.parse import parse_qs

import streamlit as st

from components import held
from components.controls import segments, take_out
from components.streamlit_inside import this_run
from components.text import option
from core.corpora.built_in import DEMO
from core.corpora.corpus import Corpus
from core.pipeline.engine import Engine

SPLIT = "split"
"""Key of the control, and its query parameter."""

_WAITING = "corpus.waiting"
"""Key of a corpus that is not here, and the split that is said of it."""


def offered(whole: Corpus) -> tuple[list[str], str]:
    """The splits of a corpus to choose from, and the one that is shown first."""
    splits = [*whole.splits, "all"] if whole.splits else ["all"]
    return splits, "test" if "test" in splits else splits[0]


def asked(whole: Corpus) -> str:
    """The split that is said, or the one shown first where there is none of that name.

    The control says it, or else the address, as the control spells it; the address alone where the visitor
    went back or forward.
    """
    if this_run.goes_through_history():
        said = parse_qs(this_run.query_string()).get(SPLIT, [None])[-1]
    else:
        said = _said()
    splits, start = offered(whole)
    return next((one for one in splits if said in (one, option(one))), start)


def control(whole: Corpus) -> str:
    """The control for the split of a corpus; the split."""
    splits, start = offered(whole)
    return segments("Split", splits, SPLIT, start, persist_state="session", format_func=option)


def let_wait(engine: Engine, name: str) -> None:
    """Keep a split that is said of a corpus that is not here until it is; what is shown has its own."""
    waiting, known = st.session_state.get(_WAITING), engine.catalogue.holds(name)
    if waiting is not None and known:
        del st.session_state[_WAITING]
        if waiting[0] == name and waiting[1]:
            held.hold(SPLIT, waiting[1])
    elif not known and (waiting is None or waiting[0] != name):
        st.session_state[_WAITING] = name, _said()
        take_out(SPLIT)
        if SPLIT in st.session_state:
            held.hold(SPLIT, offered(engine.corpus(DEMO, "all"))[1])


def _said() -> str | None:
    return st.session_state.get(SPLIT, st.query_params.get(SPLIT))
