"""Processes of their own that start at once: forks of one that has imported what they need."""

import multiprocessing
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext
from typing import Any

import pytest

from tests.core.helpers.scripts import HANG

PRELOADED = ["distributed", "core.sweeps.sweep", "transformers.models.bert.modeling_bert"]
"""Imported once in a process that does nothing else; no model is loaded there, and nothing is open."""


def context() -> ForkServerContext:
    """What starts such processes; they have the environment of the first time."""
    found = multiprocessing.get_context("forkserver")
    found.set_forkserver_preload(PRELOADED)
    return found


def start(work: Callable[..., None], *arguments: object) -> tuple[multiprocessing.Process, Connection]:
    """A process that does ``work(connection, *arguments)``, and the other end of the connection."""
    found = context()
    here, there = found.Pipe()
    process = found.Process(target=work, args=(there, *arguments), daemon=True)
    process.start()
    there.close()
    return process, here


def said(heard: Connection) -> Any:
    """The next that such a process says; one that ends before it has said anything raises EOFError."""
    assert heard.poll(HANG), "the process hangs"
    return heard.recv()


def last(heard: Connection) -> Any:
    """The last that it says before it ends."""
    value = said(heard)
    while True:
        try:
            value = said(heard)
        except EOFError:
            return value


def of_dask(monkeypatch: pytest.MonkeyPatch) -> None:
    """The workers that Dask starts are forks too until the test is over."""
    import dask
    from distributed import utils

    context()
    monkeypatch.setattr(utils, "_forkserver_preload_set", True)  # or Dask would name others
    monkeypatch.setitem(dask.config.config["distributed"]["worker"], "multiprocessing-method", "forkserver")
