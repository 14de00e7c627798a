"""How many threads work has: one where several lose by waiting, a share, a number, one for each piece."""

from __future__ import annotations

import os
import re
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from functools import lru_cache
from itertools import pairwise
from typing import TypeVar

from threadpoolctl import LibController, OpenBLASController, ThreadpoolController, threadpool_limits

from core import machine
from core.loading import LOADING

SMALL = 10**9
"""Multiplications of one product up to which one thread is as fast, or faster where others work too."""


@contextmanager
def one_thread(multiplications: float, *, loops: bool = False) -> Iterator[None]:
    """A block in which linear algebra has one thread, if its products are small.

    The number is one for the whole process: of threads that are in such blocks at once the first one sets
    it, and the last one sets it back.

    Parameters
    ----------
    multiplications
        Of one product: rows × columns × outputs. Above :data:`SMALL` nothing is changed.
    loops
        Whether loops of OpenMP have one thread as well, such as those of k-means in scikit-learn. For them
        the number is that of the thread which asks.
    """
    if multiplications > SMALL:
        yield
        return
    of_loops = _libraries().select(user_api="openmp").limit(limits=1) if loops else nullcontext()
    with _BLAS.limited(), of_loops:
        yield


class _OneForAll:
    """One thread for linear algebra while any thread is in :meth:`limited`."""

    def __init__(self) -> None:
        self._lock, self._inside = threading.Lock(), 0
        self._before: list[tuple[LibController, int]] = []

    @contextmanager
    def limited(self) -> Iterator[None]:
        """A block in which libraries that have more threads use one."""
        with self._lock:
            if not self._inside:
                some = _libraries().select(user_api="blas").lib_controllers
                self._before = [(one, one.num_threads) for one in some if one.num_threads != 1]
                _set_threads((one, 1) for one, _ in self._before)
            self._inside += 1
        try:
            yield
        finally:
            with self._lock:
                self._inside -= 1
                if not self._inside:
                    _set_threads(self._before)


def _set_threads(numbers: Iterable[tuple[LibController, int]]) -> None:
    """Have libraries use so many threads; threadpoolctl would listen to the one thread that asked first."""
    OpenBLASController.clear_controlling_thread(force=True)
    for library, number in numbers:
        library.set_num_threads(number)
    OpenBLASController.clear_controlling_thread()


_BLAS = _OneForAll()


@contextmanager
def one_thread_of_torch() -> Iterator[None]:
    """A block in which torch has one thread for what the thread that asks computes, and others keep theirs.

    For small products one after another, as of training: threads of a product wait for each other, and
    where other work has a core they wait for that.
    """
    with LOADING:
        import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    other = threading.Thread(target=torch.set_num_threads, args=(before,))  # for threads that begin later
    other.start()
    other.join()
    try:
        yield
    finally:
        torch.set_num_threads(before)


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


WAITING = "OMP_WAIT_POLICY"
"""What libraries of OpenMP look at when they are loaded: how threads wait for each other."""

ALSO_OF_WAITING = ("GOMP_SPINCOUNT", "KMP_BLOCKTIME")
"""Variables of single libraries of OpenMP that say the same: GNU's, and LLVM's."""


def leave_cores_while_waiting() -> None:
    """Have threads that wait for each other leave their core to others, in libraries that are loaded later.

    By themselves threads of OpenMP, which are those of torch and scikit-learn, go on asking whether the
    others are done. On idle cores that gains next to nothing. Where other work has a core, the thread which
    asks takes the other core from the one that it waits for, again and again (``benchmarks.waiting``). What
    the environment says holds.
    """
    if not os.environ.keys() & {WAITING, *ALSO_OF_WAITING}:
        os.environ[WAITING] = "passive"


def share_cores(pieces: int) -> None:
    """Have linear algebra use its share of the cores where so many pieces of work run at once, from now on.

    Threads of one product wait for each other, and where other work has a core they wait for that: an
    isotropy of 27 ms took 1.6 s, and sums of token vectors, 30 ms on one thread, 0.5 to 2 s on two. Torch
    keeps all threads: the products of a forward pass are long. What the environment says of OpenBLAS holds.
    """
    global _share
    _share = max(1, machine.cores() // pieces)
    if OPENBLAS in os.environ:
        return
    os.environ[OPENBLAS] = str(_share)
    threadpool_limits(_share, user_api="blas")


_share: int | None = None
"""Threads of each piece of work; None where nothing is shared."""


MOST_AT_ONCE = 4
"""Pieces of one work that are done at once at most: each holds memory of its own."""

T = TypeVar("T")
R = TypeVar("R")


def at_once(work: Callable[[T], R], some: Sequence[T]) -> list[R]:
    """What independent pieces of work give, in their order; several are done at once, each on a thread.

    For pieces of some milliseconds that leave Python's lock to others for most of them. Their threads do
    not wait for each other as those of one product do, so they have all cores, up to :data:`MOST_AT_ONCE`,
    whatever the share of a piece of work is. An error of one is raised once those are over that have
    begun; the others are left out.
    """
    return _on(min(cores(), len(some), MOST_AT_ONCE), work, some)


LEAST_ROWS = 1000
"""Rows of work that are worth a thread of their own."""


def in_threads(work: Callable[[slice], None], rows: int) -> None:
    """Do what NumPy does row by row, without Python's lock, on as many threads as linear algebra may have.

    Parameters
    ----------
    work
        Called once for each span of rows, at the same time as for others.
    rows
        The spans are those of as many threads; one where there are few rows.
    """
    count = max(1, min(thread_limit(), rows // LEAST_ROWS))
    edges = [rows * i // count for i in range(count + 1)]
    _on(count, work, [slice(start, stop) for start, stop in pairwise(edges)])


def _on(threads: int, work: Callable[[T], R], some: Sequence[T]) -> list[R]:
    """What work gives, in order, on so many threads; on the one that calls where they are under two."""
    if threads < 2:
        return list(map(work, some))
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(work, some))


def thread_limit() -> int:
    """The threads that one piece of work may have: a share, or as many as the environment says, or all."""
    return cores() if _share is None else _share


def cores() -> int:
    """The cores, or as many threads as the environment says."""
    said = _NUMBER.match(os.environ.get("OMP_NUM_THREADS", ""))
    return int(said[1]) if said else machine.cores()


_NUMBER = re.compile(r"\s*([1-9][0-9]{0,3})\s*(,|$)")
"""A number of threads that may be meant, alone or as the first of those of nested loops."""


BRINGERS = ("scipy.linalg", "sklearn.utils._openmp_helpers", "torch._C")
"""Modules with which a library of linear algebra, or of loops, is loaded."""


def _libraries() -> ThreadpoolController:
    """The libraries of linear algebra and loops that are loaded."""
    return _found(tuple(name in sys.modules for name in BRINGERS))


@lru_cache(maxsize=2 ** len(BRINGERS))
def _found(loaded: tuple[bool, ...]) -> ThreadpoolController:
    """The libraries there are with these modules; looked for once, since that takes milliseconds."""
    return ThreadpoolController()
