"""A server ends as it was asked to, whatever it computes."""

import subprocess
import sys

import pytest
from streamlit.testing.v1 import AppTest

from components.streamlit_inside import runs

SCRIPT = """
import threading, time
import torch
from components import shutdown
from components.streamlit_inside import runs
from core.progress import Step
from core.work import Queue, Work

shutdown.PATIENCE = {patience}
begun, layer, texts = threading.Event(), torch.nn.Linear(512, 512), torch.ones(2048, 512)
until = time.monotonic() + 1

def compute(progress):
    for number in range(1_000_000):
        with torch.inference_mode():
            layer(texts)
        begun.set()
        {step}

def run():
    with torch.inference_mode():
        while {run}:
            layer(texts)
            begun.set()
    queue.submit(Work("pass", "A pass", compute))

queue = Queue(1)
shutdown.at_end(queue)
{begin}
begun.wait()
"""

STEP = "progress(Step('Reading', number, 1_000_000))"
WORK = 'queue.submit(Work("pass", "A pass", compute)); queue.submit(Work("next", "What waits", compute))'
RUN = "threading.Thread(target=run, name=runs.NAME, daemon=True).start()"


@pytest.mark.parametrize(
    ("patience", "step", "run", "begin"),
    [
        (60.0, STEP, "False", WORK),
        (0.2, "pass", "False", WORK),
        (60.0, STEP, "time.monotonic() < until", RUN),
        (0.2, STEP, "True", RUN),
    ],
    ids=["at its next step", "without one", "after a page that begins work", "in a page that goes on"],
)
def test_a_process_ends_cleanly_in_the_middle_of_torch(patience, step, run, begin):
    script = SCRIPT.format(patience=patience, step=step, run=run, begin=begin)
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_what_a_process_holds_is_not_looked_through_at_its_end():
    script = """
from components import shutdown
from core.work import Queue

class Held:
    def __del__(self):
        print("looked through")

shutdown.at_end(Queue(1))
held = Held()
held.itself = held
del held
"""
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")


def test_the_threads_of_runs_are_called_as_streamlit_calls_them():
    def page():
        import threading

        import streamlit as st

        st.session_state["name"] = threading.current_thread().name

    assert AppTest.from_function(page).run().session_state["name"] == runs.NAME
