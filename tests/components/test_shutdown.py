"""A server ends as it was asked to, whatever it computes."""

import subprocess
import sys

import pytest

SCRIPT = """
import sys, threading, time
import torch
from components import shutdown
from core.progress import Step
from core.work import Queue, Work

shutdown.PATIENCE = {patience}
begun, layer, texts = threading.Event(), torch.nn.Linear(512, 512), torch.ones(2048, 512)

def compute(progress):
    for number in range(1_000_000):
        with torch.inference_mode():
            layer(texts)
        begun.set()
        {step}

queue = Queue(1)
shutdown.at_end(queue)
queue.submit(Work("pass", "A pass", compute))
queue.submit(Work("next", "What waits", compute))
begun.wait()
"""


@pytest.mark.parametrize(
    ("patience", "step"),
    [(60.0, "progress(Step('Reading', number, 1_000_000))"), (0.2, "pass")],
    ids=["at its next step", "without one"],
)
def test_a_process_ends_cleanly_in_the_middle_of_torch(patience, step):
    script = SCRIPT.format(patience=patience, step=step)
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120)
    assert (ended.returncode, ended.stderr) == (0, "")
