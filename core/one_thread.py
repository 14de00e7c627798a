"""Small linear algebra on one thread, where several lose more by waiting for each other than they gain."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from functools import lru_cache

from threadpoolctl import ThreadpoolController

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


@lru_cache(maxsize=1)
def _libraries() -> ThreadpoolController:
    """The libraries of linear algebra that are loaded; looked for once, since that takes milliseconds."""
    return ThreadpoolController()
