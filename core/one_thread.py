"""How many threads linear algebra has: one where several lose by waiting, or a number that is set."""

from __future__ import annotations

import os
import sys
from contextlib import AbstractContextManager, nullcontext
from functools import lru_cache

from threadpoolctl import ThreadpoolController, threadpool_limits

SMALL = 10**9
"""Multiplications of one product up to which one thread is as fast, or faster where others work too."""


def one_thread(multiplications: float) -> AbstractContextManager[object]:
    """A block in which linear algebra has one thread, if its products are small.

    The number is one for the whole process: of threads that are in such blocks at once, threadpoolctl lets
    the first one alone change it.

    Parameters
    ----------
    multiplications
        Of one product: rows × columns × outputs. Above :data:`SMALL` nothing is changed.
    """
    return nullcontext() if multiplications > SMALL else _libraries().limit(limits=1, user_api="blas")


OPENBLAS = "OPENBLAS_NUM_THREADS"
"""What NumPy's and SciPy's BLAS look at when they are loaded."""

VARIABLES = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", OPENBLAS)
"""What all libraries look at then."""


def limit_threads(count: int) -> None:
    """Have each piece of work in this process use so many threads from now on.

    This holds for the libraries that are loaded, and for those that are loaded later, torch among them.
    """
    os.environ.update(dict.fromkeys(VARIABLES, str(count)))
    threadpool_limits(count)
    if (torch := sys.modules.get("torch")) is not None:
        torch.set_num_threads(count)


def share_cores(pieces: int) -> None:
    """Have BLAS use its share of the cores where so many pieces of work run at once, from now on.

    Threads of one product wait for each other, and where other work has a core they wait for that: an
    isotropy of 27 ms took 1.6 s. Torch, whose products are long, keeps its threads. What the environment
    says of OpenBLAS holds.
    """
    if OPENBLAS in os.environ:
        return
    import joblib  # it knows what a container may use; loaded late, for it takes a while

    count = max(1, joblib.cpu_count() // pieces)
    os.environ[OPENBLAS] = str(count)
    threadpool_limits(count, user_api="blas")


@lru_cache(maxsize=1)
def _libraries() -> ThreadpoolController:
    """The libraries of linear algebra that are loaded; looked for once, since that takes milliseconds."""
    return ThreadpoolController()
