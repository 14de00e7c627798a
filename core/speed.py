"""How fast this machine computes, measured once: what first estimates of long work stand on."""

from __future__ import annotations

import time
from functools import lru_cache
from statistics import median

import numpy as np

from core.threads import cores, one_thread

SIDE = 384
"""Rows and columns of the product: those of the bundled encoders' layers."""

ROUNDS = 9
"""Products of which the median counts: 10 ms in all on the machine of the benchmarks."""


@lru_cache(maxsize=1)
def operations_a_second() -> float:
    """Floating-point operations a second of matrix products in float32, on all cores that work may have.

    The median product on one core, times the cores.
    """
    factor = np.random.default_rng(0).random((SIDE, SIDE), np.float32)
    seconds = []
    with one_thread(SIDE**3):
        for _ in range(ROUNDS):
            begin = time.perf_counter()
            factor @ factor
            seconds.append(time.perf_counter() - begin)
    return 2 * SIDE**3 / median(seconds) * cores()
