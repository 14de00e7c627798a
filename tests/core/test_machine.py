"""Memory that was freed goes back to the system, and the cores that it lets a process use."""

import ctypes
import os
import subprocess
import sys
from pathlib import Path

import joblib
import numpy as np
import pytest

from core import machine
from core.status.server import resident_bytes

ROOT = Path(__file__).parents[2]
GLIBC = sys.platform == "linux" and hasattr(ctypes.CDLL(None), "malloc_trim")


@pytest.mark.skipif(not GLIBC, reason="only glibc keeps it")
def test_memory_that_was_freed_between_what_is_in_use_is_given_back():
    size, number = 100_000, 3000  # smaller than what is mapped by itself, and so a part of the heap
    arrays = [np.ones(size, np.uint8) for _ in range(number)]
    kept = arrays[::10]
    del arrays
    before = resident_bytes()
    assert machine.give_back()
    assert before - resident_bytes() > 0.7 * size * (number - len(kept))
    assert all(array.all() for array in kept)


@pytest.mark.parametrize("problem", [OSError, TypeError, AttributeError])
def test_nothing_is_given_back_where_the_c_library_cannot_be_asked(monkeypatch, problem):
    def refused(name):
        raise problem("none here")

    machine._of_libc.cache_clear()
    monkeypatch.setattr(machine.ctypes, "CDLL", refused)
    assert machine.give_back() is False
    assert machine.hold_less() is False
    machine._of_libc.cache_clear()


HELD = """
import sys
import numpy as np
from core import machine
from core.status.server import resident_bytes
less = sys.argv[1] == "less" and machine.hold_less()
np.ones(30_000_000, np.uint8)  # freed at once: what is smaller comes from memory that is kept
arrays = [np.ones(2_000_000, np.uint8) for _ in range(100)]
kept = arrays[::10]
before = resident_bytes()
del arrays
print(less, before - resident_bytes())
"""


ON_THE_HEAP = {"MALLOC_MMAP_THRESHOLD_": "33554432"}
"""What glibc comes to by itself once an array of 32 MB was freed, unless its environment says otherwise."""


@pytest.mark.skipif(not GLIBC, reason="only glibc keeps it")
@pytest.mark.parametrize(
    ("less", "bound"),
    [(True, {}), (True, ON_THE_HEAP), (False, ON_THE_HEAP)],
    ids=["less", "told more", "as it is"],
)
def test_large_arrays_go_back_as_soon_as_they_are_freed(less, bound):
    ours = {key: value for key, value in os.environ.items() if not key.startswith(("MALLOC_", "GLIBC_"))}
    command = [sys.executable, "-c", HELD, "less" if less else "as it is"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT, env=ours | bound)
    said, given = done.stdout.split()
    assert said == str(less)
    assert (int(given) > 150_000_000) == less


def test_cores_are_those_that_another_library_counts():
    assert machine.cores() == joblib.cpu_count()


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"max": "150000 100000\n"}, 2),
        ({"max": "50000 100000\n"}, 1),
        ({"max": "max 100000\n"}, 6),
        ({"max": "1600000 100000\n"}, 6),
        ({"max": "nonsense\n"}, 6),
        ({"quota": "300000\n", "period": "100000\n"}, 3),
        ({"quota": "-1\n", "period": "100000\n"}, 6),
        ({"quota": "300000\n"}, 6),
        ({}, 6),
    ],
)
def test_a_container_s_quota_bounds_the_cores(files, expected, tmp_path, monkeypatch):
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(machine.os, "sched_getaffinity", lambda _: {*range(6)}, raising=False)
    monkeypatch.setattr(machine, "QUOTAS", ((tmp_path / "max",), (tmp_path / "quota", tmp_path / "period")))
    assert machine.cores() == expected


def test_cores_are_counted_on_a_system_that_binds_no_process(monkeypatch):
    monkeypatch.delattr(machine.os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(machine, "QUOTAS", ())
    monkeypatch.setattr(machine.os, "cpu_count", lambda: None)
    assert machine.cores() == 1
