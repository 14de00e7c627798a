"""Where tasks run: in processes of this machine, or on a Dask or Ray cluster, by way of joblib."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, TypeVar

import joblib  # type: ignore[import-untyped]

from core.errors import StrataError, first_line, shorten

T = TypeVar("T")

_PACKAGES = {"loky": (), "dask": ("dask", "distributed"), "ray": ("ray",)}

BACKENDS = tuple(_PACKAGES)


@dataclass(frozen=True)
class Workers:
    """A backend of joblib and how many of its workers are used.

    ``jobs`` is a number of workers or -1 for all there are. Left out it is 1 for ``loky``, which needs
    no other process, and all of a cluster for ``dask`` and ``ray``. A Dask cluster that exists decides
    itself how many it uses.
    """

    backend: str = "loky"
    jobs: int | None = None

    def __post_init__(self) -> None:
        """Refuse what cannot run before any work is done."""
        if self.backend not in BACKENDS:
            allowed = ", ".join(BACKENDS)
            raise StrataError(f"backend: got {shorten(self.backend)}; allowed is {allowed}.")
        if self.jobs is not None and self.jobs < 1 and self.jobs != -1:
            raise StrataError(f"jobs: got '{self.jobs}'; allowed is 1, 2, … or -1 for all there are.")
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

    def run(self, task: Callable[..., T], calls: Sequence[tuple[Any, ...]]) -> Iterator[T]:
        """The results of ``task(*call)``, each as soon as it is there, in any order.

        The threads of all workers together are as many as there are cores. Ray gives results in rounds
        of one task per worker. What a task raises is raised here, and ends the others.
        """
        with ExitStack() as stack:
            if self.backend == "loky":
                threads = max(1, joblib.cpu_count() // self.count)
                more: dict[str, Any] = {"n_jobs": self.count, "inner_max_num_threads": threads}
            elif self.backend == "dask":
                more = {"client": stack.enter_context(_dask(self.count))}
            else:
                more = {"n_jobs": stack.enter_context(_ray(self.jobs))}
            rounds = [calls]
            if self.backend == "ray":
                rounds = [calls[i : i + more["n_jobs"]] for i in range(0, len(calls), more["n_jobs"])]
            with joblib.parallel_config(self.backend, **more):
                parallel = joblib.Parallel(
                    return_as="list" if self.backend == "ray" else "generator_unordered", batch_size=1
                )
            for some in rounds:
                yield from parallel(joblib.delayed(task)(*call) for call in some)


@contextmanager
def _dask(workers: int) -> Iterator[Any]:
    """A client of the cluster that Dask's configuration names, or else of one started here."""
    import dask  # type: ignore[import-not-found]
    from dask.distributed import Client, LocalCluster  # type: ignore[import-not-found]

    address = dask.config.get("scheduler-address", None)
    with ExitStack() as stack:
        if address is None:  # Dask holds each worker's torch to one thread
            settings = {"threads_per_worker": 1, "dashboard_address": None, "silence_logs": logging.ERROR}
            address = stack.enter_context(LocalCluster(n_workers=workers, **settings))
        try:
            client = Client(address)
        except (OSError, TimeoutError) as error:
            raise StrataError(f"No Dask scheduler answers at {address}: {first_line(error)}") from error
        yield stack.enter_context(client)


@contextmanager
def _ray(jobs: int | None) -> Iterator[int]:
    """How many workers to use of the cluster that ``RAY_ADDRESS`` names, or else of one started here."""
    import ray  # type: ignore[import-not-found]
    from ray.util.joblib import register_ray  # type: ignore[import-not-found]

    register_ray()
    try:
        cluster = ray.init(ignore_reinit_error=True, log_to_driver=False, logging_level="error")
    except ConnectionError as error:
        raise StrataError(f"No Ray cluster answers: {first_line(error)}") from error
    with cluster:
        everything = int(ray.cluster_resources()["CPU"])
        yield everything if jobs in (None, -1) else jobs
