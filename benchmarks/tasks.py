"""Tasks beside encoding: learning from stored vectors, and a sweep, in times of reading the texts once.

    python -m benchmarks.tasks --data FOLDER

Reading is what a recipe costs that nobody has asked for before; everything after it should cost less. All
times of a row are of one run.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from itertools import product
from pathlib import Path

from benchmarks.processes import recorded
from benchmarks.report import circumstances, data_folder, fresh_settings, seconds, show, table
from core.evaluation.tasks import TASK
from core.evaluation.tasks.groups import Asked
from core.evaluation.tasks.running import run_task
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.sweeps.planning import Request
from core.sweeps.results import Results
from core.sweeps.rows import ADDED, COLUMNS
from core.sweeps.sweep import sweep

LEARNT = (
    ("MR", "classification", "logistic regression, C in 10-fold cross-validation", 1.0),
    ("agnews", "clustering", "k-means, ten runs", 0.25),
)
"""Corpus, task, what is done, and the most that it may take in times of reading the corpus."""

SWEPT = ("STS12", "STS13", "STS15", "STS16", "STS-B", "SICK")
MOST = 3.0
"""The most that 200 recipes on these corpora may take in times of reading them."""

RECIPES = [
    f"layers={layers};weight={weight};post={post}"
    for layers, weight, post in product(
        ("0", "1", "2", "3", "4", "5", "last", "first+last", "0+last", "all"),
        ("uniform", "idf"),
        (
            *("none", "centre", "zscore", "normalize", "robust", "abtt(d=1)", "abtt(d=2)", "abtt(d=5)"),
            *("zscore+normalize", "whiten(k=128)"),
        ),
    )
]


def learnt(engine: Engine) -> list[tuple[str, ...]]:
    """For each of :data:`LEARNT`: the rows, seconds of reading and learning, their quotient, the value."""
    rows = []
    for name, task, what, most in LEARNT:
        whole = engine.corpus(name, "all")
        reading = engine.embed(Recipe.parse("layers=last"), whole).pass_seconds
        scored = run_task(engine, Recipe.parse("layers=last"), whole, TASK.parse(task))
        rows.append(
            (
                f"{name}, {what}",
                f"{whole.rows:,}",
                f"{reading:.1f} s",
                f"{scored.seconds:.1f} s",
                f"{scored.seconds / reading:.2f}",
                f"{most:g}",
                f"{scored.result.value:.1f}",
            )
        )
    return rows


def swept(engine: Engine) -> tuple[str, ...]:
    """Rows, seconds of reading, of the whole sweep, their quotient, its bound, and the peak of memory."""
    asked = tuple(Asked(name, name) for name in SWEPT)
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "results.csv"
        whole = seconds(lambda: sweep(engine, Request(tuple(RECIPES), asked), output))
        found = Results(output, COLUMNS, ADDED).read()
    if failed := [row["error"] for row in found if row["error"]]:
        raise SystemExit(failed[0])
    reading = sum(float(row["pass_seconds"]) for row in found)
    return (
        f"{len(RECIPES)} recipes on {', '.join(SWEPT)}",
        f"{len(found):,}",
        f"{reading:.1f} s",
        f"{whole:.1f} s",
        f"{whole / reading:.2f}",
        f"{MOST:g}",
        f"{recorded() / 1e6:,.0f} MB",
    )


def run(data: Path) -> None:
    """Print both tables."""
    with fresh_settings(data) as settings:
        header = ("", "rows", "reading", "learning", "learning / reading", "at most", "accuracy")
        show("Learning from stored vectors", table(header, learnt(Engine(settings))))
    with fresh_settings(data) as settings:
        header = ("", "rows", "reading", "whole sweep", "sweep / reading", "at most", "peak memory")
        show("A sweep", table(header, [swept(Engine(settings))]))


def main(arguments: Sequence[str] | None = None) -> None:
    """Run it by itself."""
    data = data_folder("Tasks beside encoding.", arguments)
    print(circumstances())
    run(data)


if __name__ == "__main__":
    main()
