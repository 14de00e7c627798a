"""Which corpus is chosen, and what of it can be read.

A text field holds what a link names the corpus by, and is the one source of truth: the menu writes into it.
"""

from __future__ import annotations

import streamlit as st

from components import bring_pairs, held, hub_download, link
from components.cached import shared_engine
from components.corpus import splits
from components.text import escape
from core.corpora.built_in import DEMO
from core.corpora.corpus import Corpus
from core.corpora.uploads import is_brought
from core.errors import StrataError, shorten
from core.pipeline.engine import Engine
from core.storage.hub import DownloadRequiredError

CORPUS = "corpus"
"""Key of the text field, and its query parameter."""

BOUND = "corpus.bound"
"""Key of its place, out of sight: in a closed menu the browser would go on sending the name before."""


def chosen(engine: Engine) -> Corpus | None:
    """Draw the field that names the corpus; the corpus, or None where it cannot be read.

    :func:`unread` says why there is none.
    """
    splits.let_wait(engine, named())
    with st.container(key=BOUND):
        said = st.text_input("Corpus", value=DEMO, key=CORPUS, bind="query-params", persist_state="session")
    name = shown(engine, str(said))
    try:
        return engine.corpus(name, splits.asked(engine.corpus(name, "all")))
    except StrataError:
        return None


def now(engine: Engine) -> str:
    """The name of the corpus that is shown, before the menu is drawn."""
    return shown(engine, named())


def named() -> str:
    """What a link names the corpus by; pairs that were just brought are it from now on."""
    if brought := st.session_state.pop(bring_pairs.KEPT.chosen, None):
        held.hold(CORPUS, brought)
    return str(st.session_state.get(CORPUS, st.query_params.get(CORPUS, DEMO)))


def is_known(engine: Engine, name: str) -> bool:
    """Whether a link may name the corpus."""
    return engine.catalogue.holds(name)


def shown(engine: Engine, name: str) -> str:
    """The corpus that is shown for a name."""
    return name if is_known(engine, name) else DEMO


def unread() -> None:
    """Why there is no corpus, in the page: a question before a download, or the reason and what to do."""
    engine = shared_engine()
    name = shown(engine, str(st.session_state.get(CORPUS, DEMO)))
    try:
        engine.corpus(name, "all")
    except DownloadRequiredError as error:
        hub_download.show(error, "corpus")
    except StrataError as error:
        st.info(
            f"**{escape(name)} cannot be read.** {escape(str(error))} The corpus menu has others, and "
            "takes pairs of yours (Bring pairs).",
            icon=":material/database_off:",
        )


def explain_in_link(engine: Engine, name: str) -> None:
    """Say of a corpus that a link names and that is not here what is shown in its place."""
    if is_known(engine, name):
        return
    why = f"The link names a corpus {shorten(name)} that is not here; showing {DEMO}."
    if is_brought(name) and not engine.uploads.closed:
        why += (
            " It is a table that somebody brought: bring the same file, with the same name, columns and "
            "scale (Bring pairs), and the link works here too."
        )
    link.explain(CORPUS, why)
    link.explain(splits.SPLIT)
