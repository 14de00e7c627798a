"""Tasks on a Dask cluster: what becomes of them when a worker or the scheduler dies."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager
from typing import Any, TypeVar

from core.errors import StrataError, first_line

T = TypeVar("T")


@contextmanager
def client_of(workers: int) -> Iterator[Any]:
    """A client of the cluster that Dask's configuration names, or else of one started here.

    Raises :class:`StrataError` where no scheduler answers.
    """
    import dask
    from dask.distributed import Client, LocalCluster

    address = dask.config.get("scheduler-address", None)
    with ExitStack() as stack:
        if address is None:  # Dask holds each worker's torch to one thread
            settings = {"threads_per_worker": 1, "dashboard_address": None, "silence_logs": logging.ERROR}
            address = stack.enter_context(LocalCluster(n_workers=workers, **settings))
        try:
            client = Client(address)
        except (OSError, TimeoutError) as error:
            raise StrataError(
                f"No Dask scheduler answers at {address}: {first_line(error)}. Start one (dask scheduler), "
                "or take --backend loky, which needs none."
            ) from error
        yield stack.enter_context(client)


def run(client: Any, task: Callable[..., T], calls: Sequence[tuple[object, ...]]) -> Iterator[T]:
    """The results of ``task(*call)`` as they finish, in any order, each once.

    The scheduler gives the tasks of a worker that dies to another one. It lets go of a result once that is
    here, so that it is not computed again. An exception in a task is raised at the end, when all others are
    done.

    Raises
    ------
    StrataError
        The scheduler is gone.
    """
    from dask.distributed import as_completed

    futures = [client.submit(task, *call, pure=False) for call in calls]
    failed: Exception | None = None
    done = 0
    try:
        for future in as_completed(futures):
            try:
                result = future.result()
            except CancelledError as error:
                raise _gone(f"{done} of {len(calls)}") from error
            except Exception as error:
                failed = failed or error
                continue
            finally:
                future.release()
            done += 1
            yield result
    finally:
        if client.status == "running":
            client.cancel([future for future in futures if not future.done()])
    if failed is not None:
        raise failed


def in_order(client: Any, task: Callable[..., T], calls: Iterable[tuple[object, ...]]) -> Iterator[T]:
    """The results of ``task(*call)`` in the order of the calls, which are made as results are taken.

    Two results for each thread of the workers are asked for beforehand, so that few wait in memory. The
    scheduler gives the task of a worker that dies to another one, also where its result was not taken yet.
    An exception in a task is raised in its place.

    Raises
    ------
    StrataError
        The scheduler is gone.
    """
    left, waiting, done = iter(calls), deque[Any](), 0
    try:
        while True:
            ahead = 2 * max(1, sum(client.nthreads().values()))
            while len(waiting) < ahead and (call := next(left, None)) is not None:
                waiting.append(client.submit(task, *call, pure=False))
            if not waiting:
                return
            future = waiting.popleft()
            try:
                result = future.result()
            except CancelledError as error:
                raise _gone(str(done)) from error
            finally:
                future.release()
            done += 1
            yield result
    finally:
        if client.status == "running":
            client.cancel([*waiting])


def _gone(done: str) -> StrataError:
    return StrataError(
        f"The Dask scheduler is gone after {done} tasks. What is finished is kept; the same command goes "
        "on from there."
    )
