"""Parallel execution: in processes of this machine or on a Ray cluster by joblib, or on a Dask cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from itertools import islice
from operator import itemgetter
from typing import Any, TypeVar

import joblib  # type: ignore[import-untyped]

from core.errors import StrataError, first_line, shorten
from core.sweeps import dask_cluster

T = TypeVar("T")

_PACKAGES = {"loky": (), "dask": ("dask", "distributed"), "ray": ("ray",)}

BACKENDS = tuple(_PACKAGES)

MAX_JOBS = 1_000
"""The largest number of workers."""


@dataclass(frozen=True)
class Workers:
    """A backend of joblib and how many of its workers are used.

    ``jobs`` is a number of workers or -1 for all there are. Left out it is 1 for ``loky``, which needs
    no other process, and all of a cluster for ``dask`` and ``ray``. A Dask cluster that exists decides
    itself how many it uses. ``client`` is one of Dask's that is open already.
    """

    backend: str = "loky"
    jobs: int | None = None
    client: Any = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Refuse what cannot run before any work is done."""
        if self.backend not in BACKENDS:
            allowed = ", ".join(BACKENDS)
            raise StrataError(f"backend: got {shorten(self.backend)}; allowed is {allowed}.")
        if self.jobs is not None and self.jobs != -1 and not 1 <= self.jobs <= MAX_JOBS:
            raise StrataError(
                f"jobs: got {shorten(self.jobs)}; allowed is 1, 2, … or -1 for all there are, and at most "
                f"{MAX_JOBS:,}."
            )
        missing = [name for name in _PACKAGES[self.backend] if find_spec(name) is None]
        if missing:
            raise StrataError(
                f"backend={self.backend} needs a package that is not installed: "
                f"pip install {' '.join(missing)}."
            )

    @property
    def count(self) -> int:
        """The number of workers on this machine."""
        if self.jobs is None:
            return 1 if self.backend == "loky" else joblib.cpu_count()
        return joblib.cpu_count() if self.jobs == -1 else self.jobs

    @property
    def alone(self) -> bool:
        """Whether this process does the work itself, with every core."""
        return self.backend == "loky" and self.count == 1

    @contextmanager
    def held(self) -> Iterator[Workers]:
        """The same workers, with one Dask client for all that is run inside the block."""
        if self.backend != "dask" or self.client is not None:
            yield self
            return
        with dask_cluster.client_of(self.count) as client:
            yield replace(self, client=client)

    def run(self, task: Callable[..., T], calls: Sequence[tuple[object, ...]]) -> Iterator[T]:
        """The results of ``task(*call)`` as they finish, in any order.

        All workers together use as many threads as there are cores. Ray gives results in rounds of one task
        per worker. An exception in a task is raised here and ends the others; on Dask they go on first.
        """
        if self.backend == "dask":
            with self.held() as held:
                yield from dask_cluster.run(held.client, task, calls)
            return
        with ExitStack() as stack:
            rounds = [calls]
            if self.backend == "loky":
                threads = max(1, joblib.cpu_count() // self.count)
                options: dict[str, object] = {"n_jobs": self.count, "inner_max_num_threads": threads}
            else:
                jobs = stack.enter_context(_ray(self.jobs))
                options = {"n_jobs": jobs}
                rounds = [calls[i : i + jobs] for i in range(0, len(calls), jobs)]
            with joblib.parallel_config(self.backend, **options):
                parallel = joblib.Parallel(
                    return_as="list" if self.backend == "ray" else "generator_unordered", batch_size=1
                )
            for batch in rounds:
                yield from parallel(joblib.delayed(task)(*call) for call in batch)

    def in_order(self, task: Callable[..., T], calls: Iterable[tuple[object, ...]]) -> Iterator[T]:
        """The results of ``task(*call)`` in the order of the calls; two for each worker wait in memory.

        Dask makes further calls as results are taken; the others do so when all that wait were taken.
        """
        if self.backend == "dask":
            with self.held() as held:
                yield from dask_cluster.in_order(held.client, task, calls)
            return
        left = iter(calls)
        while some := list(islice(left, 2 * self.count)):
            numbered = [(task, number, *call) for number, call in enumerate(some)]
            for _, result in sorted(self.run(_numbered, numbered), key=itemgetter(0)):
                yield result


def _numbered(task: Callable[..., T], number: int, *call: object) -> tuple[int, T]:
    return number, task(*call)


@contextmanager
def _ray(jobs: int | None) -> Iterator[int]:
    """The number of workers of the cluster that ``RAY_ADDRESS`` names, or else of one started here."""
    import ray  # type: ignore[import-not-found]
    from ray.util.joblib import register_ray  # type: ignore[import-not-found]

    register_ray()
    try:
        cluster = ray.init(ignore_reinit_error=True, log_to_driver=False, logging_level="error")
    except ConnectionError as error:
        raise StrataError(
            f"No Ray cluster answers: {first_line(error)}. Start one (ray start --head), or take --backend "
            "loky, which needs none."
        ) from error
    with cluster:
        everything = int(ray.cluster_resources()["CPU"])
        yield everything if jobs in (None, -1) else jobs
