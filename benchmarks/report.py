"""What the benchmarks share: arguments, the data folder, first passes, timing in rounds, and tables."""

from __future__ import annotations

import argparse
import datetime
import importlib.metadata
import os
import platform
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from core.corpora.corpus import Corpus
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.settings import Settings

PACKAGES = ("torch", "transformers", "sentence-transformers", "numpy", "scipy", "scikit-learn")


def data_folder(text: str, arguments: Sequence[str] | None = None) -> Path:
    """The data folder that the command line or ``STRATA_DATA`` names; ends with a message if none does."""
    parser = argparse.ArgumentParser(description=text)
    parser.add_argument("--data", type=Path, help="folder with sts/ and corpus/ (default: STRATA_DATA)")
    given = parser.parse_args(arguments)
    data = given.data or os.environ.get("STRATA_DATA")
    if not data:
        parser.error("give the folder of evaluation data: --data FOLDER, or STRATA_DATA")
    folder = Path(data).expanduser()
    if not (folder / "sts").is_dir():
        parser.error(f"{folder} has no folder sts with STS-B.tsv.gz and others")
    return folder


@contextmanager
def fresh_settings(data: Path | None, **given: object) -> Iterator[Settings]:
    """Settings with an empty cache that is removed at the end, whatever the environment says."""
    with tempfile.TemporaryDirectory(prefix="strata-benchmark-") as folder:
        yield Settings(cache=Path(folder), data=data, **given)  # type: ignore[arg-type]


def first_pass(engine: Engine, corpus: Corpus) -> None:
    """One first pass of the bundled model, as if the corpus had never been seen."""
    source = engine.passes.source(Recipe().source)
    engine.store.discard(engine.passes.key(source, corpus))
    engine.passes.get(source, corpus)


def seconds(run: Callable[[], object]) -> float:
    """How long one call takes."""
    begin = time.perf_counter()
    run()
    return time.perf_counter() - begin


def alternate(
    runs: Mapping[str, Callable[[], object]],
    rounds: int,
    before: Mapping[str, Callable[[], object]] | None = None,
) -> dict[str, list[float]]:
    """Seconds of each of several runs, in turn ``rounds`` times, so that all share the same noise.

    What some have to be done ``before`` each time is not counted.
    """
    durations: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(rounds):
        for name, run in runs.items():
            if before and name in before:
                before[name]()
            durations[name].append(seconds(run))
    return durations


def middle(values: Sequence[float]) -> float:
    """The median."""
    return statistics.median(values)


def table(header: Sequence[str], rows: Sequence[Sequence[object]], words: int = 1) -> str:
    """A Markdown table: the first columns, of words, to the left, the others to the right."""
    rule = ["---"] * words + ["---:"] * (len(header) - words)
    lines = [header, rule, *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines) + "\n"


def show(title: str, *parts: str) -> None:
    """Print a heading and what belongs under it."""
    print(f"\n### {title}\n")
    for part in parts:
        print(part, flush=True)


def circumstances(gpu: str = "no GPU used") -> str:
    """One paragraph: the day, the processors and the versions."""
    import torch

    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in PACKAGES)
    return (
        f"{datetime.date.today().isoformat()}; {_processor()}, {os.cpu_count()} cores, "
        f"{torch.get_num_threads()} threads, {gpu}; Python {platform.python_version()}, {versions}.\n"
    )


def _processor() -> str:
    """The processor's name where the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()
