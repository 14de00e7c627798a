"""How fast this machine computes, measured once: what first estimates of reading stand on."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable
from functools import lru_cache
from statistics import median

import numpy as np

from core.errors import StrataError
from core.loading import LOADING
from core.threads import cores, one_thread

SIDE = 384
"""Rows and columns of the product on the CPU: those of the bundled encoders' layers."""

GPU_SIDE = 4096
"""The same on a GPU: smaller products do not keep it busy."""

ROUNDS = 9
"""Products of which the median counts: 10 ms in all on the CPU of the benchmarks."""


def operations_a_second(device: str = "cpu", forward: str = "float32") -> float:
    """Floating-point operations a second of matrix products where models read.

    On the CPU those in float32; on a GPU those in the precision of models.

    Parameters
    ----------
    device, forward
        As in :class:`~core.settings.Settings`. A device that cannot be used counts as the CPU: reading
        says what is wrong with it.
    """
    if device == "cpu" or (device == "auto" and not _may_have_a_gpu()):
        return _of_the_cpu()
    with LOADING:
        import torch

        from core.encoders.device import find_device

    try:
        place = find_device(device).torch
        return _of_the_cpu() if place.type == "cpu" else _of_a_gpu(str(place), forward)
    except (StrataError, torch.OutOfMemoryError):
        return _of_the_cpu()


def _may_have_a_gpu() -> bool:
    """Whether torch is worth asking, which takes seconds where it is not loaded: a driver is there."""
    return "torch" in sys.modules or shutil.which("nvidia-smi") is not None


@lru_cache(maxsize=1)
def _of_the_cpu() -> float:
    """The median product on one core, times the cores that work may have."""
    factor = np.random.default_rng(0).random((SIDE, SIDE), np.float32)
    with one_thread(SIDE**3):
        return 2 * SIDE**3 / _median_seconds(lambda: factor @ factor) * cores()


@lru_cache(maxsize=8)
def _of_a_gpu(name: str, forward: str) -> float:
    with LOADING:
        import torch

    factor = torch.ones((GPU_SIDE, GPU_SIDE), dtype=getattr(torch, forward), device=name)

    def multiply() -> None:
        (factor @ factor)[:1, :1].cpu()  # which waits for it

    multiply()  # the first one loads the library
    return 2 * GPU_SIDE**3 / _median_seconds(multiply)


def _median_seconds(work: Callable[[], object]) -> float:
    seconds = []
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - begin)
    return median(seconds)
