"""Models and data sets of the hub that are not on this machine: a visitor is asked before the download."""

from __future__ import annotations

import streamlit as st

from components import errors, job
from components.cached import shared_engine, shared_queue
from core.errors import READ_ONLY, StrataError
from core.progress import Progress, Step
from core.storage.hub import DownloadRequiredError, snapshot
from core.work import Work


def show(error: DownloadRequiredError, key: str) -> None:
    """Why a download is needed and a button that starts it; while it runs, how long it has taken.

    The page is drawn anew when the files are there. A read-only installation downloads nothing, and says
    so. ``key`` tells the buttons of a page apart.
    """
    if shared_engine().settings.read_only:
        errors.say(f"The {error.repository} is not on this machine. {READ_ONLY}")
        return
    repository, what = error.repository, f"Downloading the {error.repository}"

    def download(progress: Progress) -> str:
        progress(Step(what, 0, 1))
        return str(snapshot(repository))

    work = Work(("download", repository), what, download, asks=True)
    try:
        folder = job.show(work, lambda: job.Question(str(error), "Download"), key=f"{key}.download")
    except StrataError as problem:
        errors.tell(problem)
        return
    if folder is not None:
        shared_queue().forget(work.key)  # the cache of the hub keeps the files
        st.rerun()
