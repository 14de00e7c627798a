"""A Dask cluster on loopback whose scheduler and workers are processes that a test may kill."""

import asyncio
import os
import signal
import socket
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from tests.core.helpers import forks


class Cluster:
    """A scheduler and its workers; each has a store of its own in the folder ``apart``, if one is given."""

    def __init__(self, number, apart=None):
        context = forks.context()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{port}"
        self.scheduler = context.Process(target=_scheduler, args=(port,), daemon=True)
        self.workers = [
            context.Process(target=_worker, args=(self.address, f"w{i}", apart), daemon=True)
            for i in range(number)
        ]
        for process in (self.scheduler, *self.workers):
            process.start()

    def kill(self, process):
        os.kill(process.pid, signal.SIGKILL)
        process.join(5)


@contextmanager
def cluster(number=2, apart=None):
    """A cluster that Dask's configuration names; it is gone afterwards."""
    import dask

    found = Cluster(number, apart)
    try:
        with dask.config.set({"scheduler-address": found.address}):
            yield found
    finally:
        for process in (*found.workers, found.scheduler):
            if process.is_alive():
                found.kill(process)


def own_store(cache):
    """Give this process a store of its own, as on another machine."""
    from core.sweeps import sharded_reading, sweep

    common = sharded_reading.engine_of

    def engine_of(settings):
        return common(replace(settings, cache=cache))

    sharded_reading.engine_of = sweep.engine_of = engine_of


def _scheduler(port):
    from distributed import Scheduler

    async def serve():
        async with Scheduler(host="127.0.0.1", port=port, dashboard=False) as scheduler:
            await scheduler.finished()

    _quietly(serve)


def _worker(address, name, apart):
    from distributed import Worker

    if apart is not None:
        own_store(apart / name)

    async def serve():
        async with Worker(address, nthreads=1, name=name, dashboard=False) as worker:
            await worker.finished()

    _quietly(serve)


def _quietly(serve):
    with Path(os.devnull).open("w") as nothing:
        os.dup2(nothing.fileno(), 1)
        os.dup2(nothing.fileno(), 2)
        asyncio.run(serve())
