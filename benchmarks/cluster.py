"""One large forward pass on a Dask cluster: one worker beside two, the corpus cut into shards.

    python -m benchmarks.cluster --data FOLDER

Each worker has one thread, so that two of them have what two cores give. Scores are compared too.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.report import circumstances, data_folder, fresh_settings, seconds, show, table
from core.evaluation.tasks.groups import Asked
from core.pipeline.engine import Engine
from core.sweeps import shards
from core.sweeps.results import Results
from core.sweeps.sweep import ADDED, COLUMNS, Request, sweep
from core.sweeps.workers import Workers

CORPUS = "STS13"
SHARD_TOKENS = 5_000
"""Smaller than those of a sweep, so that a small corpus has several."""

MANY = 100
"""Workers that are not here, whose time is told by arithmetic."""

LEAST = 1.5
"""How many times as fast two workers should read as one."""


def timed(data: Path, workers: int) -> tuple[float, float, int]:
    """Seconds of a sweep of one recipe whose workers are up, its Spearman × 100, and the shards."""
    with (
        fresh_settings(data) as settings,
        tempfile.TemporaryDirectory() as folder,
        Workers("dask", workers).held() as held,
    ):
        held.client.wait_for_workers(workers)
        list(held.run(_import, [()] * workers * 4))
        engine, output = Engine(settings), Path(folder) / "results.csv"
        count = shards.number(engine.corpus(CORPUS))
        spent = seconds(
            lambda: sweep(engine, Request(("layers=last",), (Asked(CORPUS, CORPUS),)), output, held)
        )
        (row,) = Results(output, COLUMNS, ADDED).read()
        if row["error"]:
            raise SystemExit(row["error"])
        return spent, float(row["spearman"]), count


def _import() -> None:
    """What a worker imports once is no part of the time."""
    import time

    import transformers.models.bert.modeling_bert  # noqa: F401

    import core.sweeps.sweep  # noqa: F401

    time.sleep(0.5)  # so that every worker gets one of these


def run(data: Path) -> None:
    """Print the table."""
    before, shards.SHARD_TOKENS = shards.SHARD_TOKENS, SHARD_TOKENS
    try:
        found = {workers: timed(data, workers) for workers in (1, 2)}
    finally:
        shards.SHARD_TOKENS = before
    one = found[1][0]
    rows = [
        (f"{workers}", f"{count}", f"{spent:.1f} s", f"{one / spent:.2f}", f"{score:.4f}")
        for workers, (spent, score, count) in found.items()
    ]
    header = ("workers", "shards", f"{CORPUS}, read and scored", "times as fast as one", "Spearman × 100")
    show(
        "A corpus in shards on a Dask cluster",
        table(header, rows),
        f"Aim: {LEAST:g} times as fast.\n",
        _of_many(found[1][0], found[2][0]),
    )


def _of_many(one: float, two: float) -> str:
    """What many workers would take if all but a constant part of the time were shared out among them."""
    shared = 2 * (one - two)
    constant = max(one - shared, 0.01 * one)  # two workers may by chance be more than twice as fast
    many = constant + shared / MANY
    return (
        f"By these two times {constant:.1f} s are not shared out. {MANY} workers, with as many shards and "
        f"a network that is no slower, would take {many:.1f} s, {one / many:.0f} times as fast as one. "
        "Joining the shards and scoring are in that part and grow with the corpus, so that no number of "
        f"workers is more than {one / constant:.0f} times as fast.\n"
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Run it by itself."""
    data = data_folder("One large forward pass on a Dask cluster.", arguments)
    print(circumstances())
    run(data)


if __name__ == "__main__":
    main()
