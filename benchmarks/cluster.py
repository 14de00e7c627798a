"""A large corpus on a Dask cluster, from texts to a score: one worker beside two, and what many would do.

    python -m benchmarks.cluster --data FOLDER

Each worker has one thread, so that two of them have what two cores give. They share a store with this
process, or have stores of their own, as machines without a disk in common. Scores are compared too.
"""

from __future__ import annotations

import re
import tempfile
import time
import uuid
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.report import circumstances, data_folder, fresh_settings, seconds, show, table
from core.evaluation.scoring import score
from core.evaluation.tasks.groups import Asked
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.sweeps import sharded_reading, shards
from core.sweeps import sweep as sweep_module
from core.sweeps.planning import Request
from core.sweeps.results import Results
from core.sweeps.rows import ADDED, COLUMNS
from core.sweeps.sweep import sweep
from core.sweeps.workers import Workers

CORPUS, RECIPE = "STS13", "layers=last"
MANY = 100
"""Workers that are not here, whose time is told by arithmetic."""

LEAST = 1.5
"""How many times as fast two workers should read as one."""


class Timed(NamedTuple):
    """A sweep of one recipe whose workers are up."""

    seconds: float
    shards: int
    megabytes: float
    spearman: str


class Parts(NamedTuple):
    """Processor seconds of the parts of a sweep, which other work on the machine does not lengthen.

    ``reading`` and ``taking`` are of a shard: by a worker, and by the process that asked for it.
    """

    tokenizing: float
    reading: float
    taking: float
    scoring: float
    megabytes: float
    shards: int


def timed(data: Path, workers: int, apart: bool) -> Timed:
    """One sweep; ``apart`` gives each worker a store of its own."""
    with (
        fresh_settings(data) as settings,
        tempfile.TemporaryDirectory(prefix="strata-benchmark-") as folder,
        Workers("dask", workers).held() as held,
    ):
        held.client.wait_for_workers(workers)
        if apart:
            held.client.run(_own_store, folder)
        list(held.run(_import, [()] * workers * 4))
        engine, output = Engine(settings), Path(folder) / "results.csv"
        engine.passes.fits(engine.source(Recipe.parse(RECIPE)), 1)  # it loads the model once
        request = Request((RECIPE,), (Asked(CORPUS, CORPUS),))
        spent = seconds(lambda: sweep(engine, request, output, held))
        (row,) = Results(output, COLUMNS, ADDED).read()
        said = re.search(r"in ([\d,]+) shards and sent ([\d,.]+) MB", row["notes"])
        if row["error"] or said is None:
            raise SystemExit(row["error"] or "The corpus was not read in shards.")
        count, moved = (float(each.replace(",", "")) for each in said.groups())
        return Timed(spent, int(count), moved, row["spearman"])


def parts(data: Path) -> Parts:
    """What the process that asks does, and what a worker does."""
    with fresh_settings(data) as settings, Workers("dask", 1).held() as held:
        held.client.wait_for_workers(1)
        list(held.run(_import, [()]))
        engine, recipe = Engine(settings), Recipe.parse(RECIPE)
        corpus, source = engine.corpus(CORPUS), engine.source(recipe)
        encoder, row_bytes = engine.passes.encoder(source), engine.passes.row_bytes(source)
        spent, moved, shard = [0.0], [0], shards.Shard(recipe, corpus.sentences[:50])
        held.client.submit(
            sharded_reading.read_shard, settings, shard, pure=False
        ).result()  # loads the model

        def worker() -> float:
            (seconds,) = held.client.run(time.process_time).values()
            return float(seconds)

        def states(tokens: Any, start: int) -> Any:
            for span in shards.cut(encoder, tokens, row_bytes, start):
                shard = shards.Shard(recipe, shards.texts_of(corpus, tokens, span))
                future = held.client.submit(sharded_reading.read_shard, settings, shard, pure=False)
                _wait(future)
                begin = time.process_time()
                sent = future.result()
                if sent.damaged:
                    raise SystemExit("A shard came damaged.")
                moved.append(sent.bytes)
                yield shards.received(sent, tokens, span, source.revision)
                spent.append(time.process_time() - begin)  # the next is asked for when it is written

        tokenizing = _processor(lambda: encoder.tokenizer(corpus.sentences))
        before = worker()
        engine.passes.make(source, corpus, states)
        reading, count = worker() - before, len(moved) - 1
        scoring = _processor(lambda: score(engine, recipe, corpus).score)
        taking = sum(spent) / count
        return Parts(tokenizing, reading / count, taking, scoring, sum(moved) / 1e6, count)


def _processor(work: Callable[[], object]) -> float:
    begin = time.process_time()
    work()
    return time.process_time() - begin


def run(data: Path) -> None:
    """Print the tables."""
    before, shards.LARGE_TOKENS = shards.LARGE_TOKENS, 1
    try:
        found = {
            (workers, apart): timed(data, workers, apart) for apart in (False, True) for workers in (1, 2)
        }
        several = parts(data)
    finally:
        shards.LARGE_TOKENS = before
    rows = []
    for (workers, apart), each in found.items():
        faster = found[1, apart].seconds / each.seconds
        store = "each its own" if apart else "in common"
        spent, efficiency = f"{each.seconds:.1f} s", f"{100 * faster / workers:.0f} %"
        sent = f"{each.shards}", f"{each.megabytes:,.0f}"
        rows.append([f"{workers}", store, *sent, spent, f"{faster:.2f}", efficiency, each.spearman])
    header = ["workers", "store", "shards", "MB sent", f"{CORPUS}, read and scored"]
    header += ["times as fast as one", "efficiency", "Spearman × 100"]
    show(
        "A corpus in shards on a Dask cluster",
        table(header, rows, 2),
        f"Aim: {LEAST:g} times as fast.\n",
        _of_many(several),
    )


def _of_many(each: Parts) -> str:
    """What many workers would take by the parts that were measured, on machines like this one."""
    constant = each.tokenizing + each.scoring
    one = constant + each.shards * each.reading
    shared = constant + each.shards * each.reading / MANY
    many = constant + each.shards * max(each.reading / MANY, each.taking)
    size = each.megabytes / each.shards
    return (
        f"By its parts, in processor seconds: the process that asks tokenizes in {each.tokenizing:.2f} "
        f"and scores in {each.scoring:.2f}. A worker reads a shard of {size:.0f} MB in {each.reading:.2f}, "
        f"sending it included; the process that asks takes it, checks it and writes it in "
        f"{each.taking:.3f} ({size / each.taking:,.0f} MB/s), so that {each.reading / each.taking:.0f} "
        f"workers of one core keep it busy. Of a corpus with shards enough, over a network that is no "
        f"slower, {MANY} workers would be {one / many:.0f} times as fast as one; {one / shared:.0f} times "
        f"if taking shards cost nothing: tokenizing and scoring are not shared.\n"
    )


# -- in a worker -----------------------------------------------------------------------------------


def _wait(future: Any) -> None:
    from dask.distributed import wait

    wait(future)


def _import() -> None:
    """What a worker imports and loads once is no part of the time."""
    import transformers.models.bert.modeling_bert  # noqa: F401

    import core.sweeps.sweep  # noqa: F401

    time.sleep(0.5)  # so that every worker gets one of these


def _own_store(folder: str) -> None:
    """Give the process of a worker a store of its own, as on another machine."""
    own = Path(folder) / uuid.uuid4().hex

    @lru_cache(maxsize=1)
    def engine_of(settings: Any) -> Engine:
        return Engine(replace(settings, cache=own))

    sharded_reading.engine_of = sweep_module.engine_of = engine_of


def main(arguments: Sequence[str] | None = None) -> None:
    """Run it by itself."""
    data = data_folder("A large corpus on a Dask cluster.", arguments)
    print(circumstances())
    run(data)


if __name__ == "__main__":
    main()
