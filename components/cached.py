"""The only place where Streamlit's caches meet the engine.

The engine keeps its own results, by content and under a bound, and all visitors share it; so what is
cached here is the engine itself, and the queue of the work that they ask it for.
"""

from __future__ import annotations

import streamlit as st

from components import shutdown
from components.errors import require
from components.figure_frame import FRAMES
from components.metrics import Metrics
from components.serving import APP
from components.streamlit_inside import pages, statistics, this_run
from core.corpora.corpus import Corpus
from core.evaluation.tasks import TASK
from core.pipeline.engine import Engine
from core.search.aims import Parted, part
from core.search.proxies import parted_by
from core.settings import Settings
from core.threads import share_cores
from core.work import Queue


def shared_engine() -> Engine:
    """The engine of this installation; the page says why, and ends, when it cannot start."""
    _through_the_door()
    engine = require(_engine)
    shared_metrics()
    return engine


@st.cache_resource(show_spinner=False, on_release=Queue.close)
def shared_queue() -> Queue:
    """The queue of this installation; it keeps results in an eighth of the memory for results."""
    settings = _engine().settings
    if settings.threads is None:
        share_cores(settings.jobs)
    queue = Queue(settings.jobs, settings.memory_bytes // 8)
    if statistics.is_server():
        shutdown.at_end(queue)
    return queue


@st.cache_resource(show_spinner=False, on_release=Metrics.end)
def shared_metrics() -> Metrics:
    """The numbers of this server: jobs, memory, disk, visitors."""
    return Metrics.begun(_engine(), shared_queue())


@st.cache_resource(
    show_spinner=False,
    max_entries=16,
    hash_funcs={Corpus: lambda corpus: (corpus.name, corpus.scale, corpus.labelled_fingerprint)},
)
def parted(corpus: Corpus, task: str = "sts") -> Parted:
    """Dev and test of a corpus for a task; see :func:`core.search.aims.part`, which raises as here."""
    return part(corpus, TASK.parse(task))


@st.cache_resource(
    show_spinner=False,
    max_entries=16,
    hash_funcs={Corpus: lambda corpus: (corpus.name, corpus.fingerprint)},
)
def halved(corpus: Corpus, proxy: str) -> Parted:
    """Halves of a corpus' sentences; see :func:`core.search.proxies.parted_by`, which raises as here."""
    return parted_by(corpus, proxy)


def _through_the_door() -> None:
    """Send a page that Streamlit ran past app.py through it.

    On a server that nobody has visited yet, a folder called pages makes Streamlit run a page that is
    opened by its own address all by itself: without setup, navigation and present view. That ends with the
    first run of app.py, but visitors who came at the same moment are on their way past it.
    """
    if this_run.main_script() == APP and FRAMES not in st.session_state:
        pages.leave_folder_alone()
        st.rerun()


@st.cache_resource(show_spinner="Starting the engine …")
def _engine() -> Engine:
    return Engine(Settings.for_pages())
