"""Opening a file of word vectors: the first time, from the store, and by gensim.

A file like GloVe's is generated (words with 300 numbers of five digits, no first line). Each way of
opening it has a process of its own, which imports what it needs before the clock starts. Peaks are
over the memory the process has by then.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.processes import ask, recorded
from benchmarks.report import circumstances, seconds, show, table

WORDS = 400_000
LARGE = 2_000_000
DIM = 300
LOOKED_UP = 20_000
"""Rows that are read once the file is open: about the different words of a benchmark's sentences."""

BOUND = 0.1
"""The largest share of the first opening's time that the second may take."""


def run(_: Path | None = None, words: int = WORDS) -> None:
    """Measure each way of opening the file and print the table."""
    with tempfile.TemporaryDirectory(prefix="strata-benchmark-") as folder:
        path = Path(folder) / "vectors.txt"
        write(path, words)
        size = path.stat().st_size
        found = {name: _ask(name, path) for name in ("first time", "from the store", "gensim")}
    rows = [
        [name, f"{got['seconds']:.2f}", f"{got['rows']:.2f}", f"{(got['peak'] - got['start']) / 1e6:,.0f}"]
        for name, got in found.items()
    ]
    share = found["from the store"]["seconds"] / found["first time"]["seconds"]
    show(
        f"Word vectors: {words:,} × {DIM}",
        table(["", "seconds to open", f"seconds for {LOOKED_UP:,} rows", "peak MB over the start"], rows),
        f"The file has {size / 1e6:,.0f} MB, its vectors take {words * DIM * 4 / 1e6:,.0f} MB as float32. "
        "The first time includes the sha256 of the file. From the store takes "
        f"{100 * share:.1f} % of the first time "
        f"(under {100 * BOUND:g} %: {'yes' if share < BOUND else 'NO'}).\n",
    )


def write(path: Path, words: int) -> None:
    """A file in GloVe's form; the numbers of a thousand words take turns."""
    import numpy as np

    numbers = np.random.default_rng(0).standard_normal((1000, DIM)) * 0.4
    lines = [" ".join(f"{x:.5g}" for x in row) for row in numbers]
    with path.open("w", encoding="utf-8") as file:
        file.writelines(f"word{i} {lines[i % 1000]}\n" for i in range(words))


# -- in processes of their own -------------------------------------------------------------------


def _ask(task: str, path: Path) -> dict[str, Any]:
    """Open the file one way in a new process; what it answers, with the peak of its memory."""
    return ask("benchmarks.word_vectors", "--task", task, "--file", str(path))


def _open_by_core(path: Path) -> dict[str, Any]:
    import numpy as np
    import pyarrow.csv  # noqa: F401  (the parser imports it when it is first used)

    from core.sources.word_vectors import open_vectors
    from core.storage.store import Store

    start, opened = recorded(), []
    store = Store(path.parent / "cache")
    durations = seconds(lambda: opened.append(open_vectors(path, store)))
    durations += seconds(lambda: opened[0].index)
    ids = np.sort(np.random.default_rng(1).choice(len(opened[0]), LOOKED_UP, replace=False))
    return {"start": start, "seconds": durations, "rows": seconds(lambda: opened[0].rows(ids))}


def _open_by_gensim(path: Path) -> dict[str, Any]:
    import numpy as np
    from gensim.models import KeyedVectors

    start, opened = recorded(), []
    durations = seconds(
        lambda: opened.append(KeyedVectors.load_word2vec_format(str(path), binary=False, no_header=True))
    )
    ids = np.sort(np.random.default_rng(1).choice(len(opened[0]), LOOKED_UP, replace=False))
    return {"start": start, "seconds": durations, "rows": seconds(lambda: opened[0].vectors[ids])}


def main(arguments: Sequence[str] | None = None) -> None:
    """Run alone, or open a file one way in a process of its own."""
    parser = argparse.ArgumentParser(description="Opening a file of word vectors.")
    parser.add_argument("--large", action="store_true", help=f"{LARGE:,} words (some 8 GB of disk)")
    parser.add_argument("--task", help=argparse.SUPPRESS)
    parser.add_argument("--file", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.task:
        answer = (_open_by_gensim if given.task == "gensim" else _open_by_core)(given.file)
        print(json.dumps(answer | {"recorded": recorded()}))
        return
    print(circumstances())
    run(words=LARGE if given.large else WORDS)


if __name__ == "__main__":
    main()
