"""The command ``sweep``: every recipe of a file on several corpora."""

from __future__ import annotations

import argparse
from pathlib import Path

from core.cli.common import AddCommand, add_scoring, engine_of, print_notes, progress_of, scale_of
from core.errors import counted
from core.evaluation.sts import check_aggregate
from core.evaluation.tasks import TASK
from core.evaluation.tasks.groups import GROUPS, asked_for
from core.sweeps.planning import Request
from core.sweeps.recipe_file import read_recipes
from core.sweeps.sweep import sweep
from core.sweeps.workers import BACKENDS, Workers

_EPILOG = """The table has one row for each recipe and corpus: the values of score --json but its subsets,
the scale that was given, and an error where there is no score. A corpus of labelled texts is classified,
clustered or probed, as --task, the group or its folder says: the columns task, metric, value, low, high,
protocol, seeds and n say what was found.

Every row is written when it is finished. The same command continues where it was stopped, tries failed rows
again, and scores a row again when its corpus, its model or its scale has changed.

It exits with 0 when every row has a score, and with 1 when some rows failed.

Recipes of one source and template share a forward pass per corpus and are one task: with several workers
their rows arrive together. DASK_SCHEDULER_ADDRESS names a Dask cluster and RAY_ADDRESS a Ray cluster;
without them one is started on this machine. The workers of a cluster need the same packages, this project
and the same folders.
"""


def add(command: AddCommand) -> None:
    """Add the command."""
    parser = command("sweep", _sweep, "Score every recipe of a file on several corpora.")
    parser.add_argument(
        "--recipes", required=True, type=Path, help="a text file, one recipe a line; # comments"
    )
    parser.add_argument(
        "--corpora", required=True, help=f"names or paths of tables, joined by ,; or {', '.join(GROUPS)}"
    )
    parser.add_argument("--task", help="a task for all of them; else each has the one that it is for")
    add_scoring(parser)
    parser.add_argument(
        "--output", required=True, type=Path, help="a .csv file: a row per recipe and corpus"
    )
    parser.add_argument(
        "--backend", default="loky", help=f"{', '.join(BACKENDS)} (default: loky, processes)"
    )
    parser.add_argument("--jobs", type=int, help="workers, -1 for all (default: 1, or all of a cluster)")
    parser.epilog = _EPILOG


def _sweep(options: argparse.Namespace) -> int:
    workers = Workers(options.backend, options.jobs)
    engine = engine_of(options)
    asked, missing = asked_for(engine.catalogue, options.corpora)
    task = None if options.task is None else TASK.parse(options.task)
    request = Request(
        read_recipes(options.recipes),
        tuple(one._replace(task=task or one.task) for one in asked),
        options.split,
        check_aggregate(options.aggregate),
        scale_of(options.scale),
    )
    if missing:
        print_notes([f"Not here, and left out: {', '.join(missing)}."])
    counts = sweep(engine, request, options.output, workers, progress_of(options))
    if counts.failed:
        have = "has" if counts.failed == 1 else "have"
        print_notes(
            [f"{counts.failed:,} of {counts.rows:,} rows {have} no score; the column error says why."]
        )
    print(f"{counted(counts.rows, 'row')} in {options.output}")
    return 1 if counts.failed else 0
