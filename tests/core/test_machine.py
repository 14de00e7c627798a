"""Memory that was freed goes back to the system."""

import ctypes
import sys

import numpy as np
import pytest

from core import machine
from core.status.server import resident_bytes

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

    machine._malloc_trim.cache_clear()
    monkeypatch.setattr(machine.ctypes, "CDLL", refused)
    assert machine.give_back() is False
    machine._malloc_trim.cache_clear()
