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


VARIABLES = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")
"""What libraries look at when they are loaded."""


def limit_threads(count: int) -> None:
    """Have each piece of work in this process use so many threads from now on.

    This holds for the libraries that are loaded, and for those that are loaded later, torch among them.
    """
    os.environ.update(dict.fromkeys(VARIABLES, str(count)))
    threadpool_limits(count)
    if (torch := sys.modules.get("torch")) is not None:
        torch.set_num_threads(count)


@lru_cache(maxsize=1)
def _libraries() -> ThreadpoolController:
    """The libraries of linear algebra that are loaded; looked for once, since that takes milliseconds."""
    return ThreadpoolController()
