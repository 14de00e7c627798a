"""Time and peak memory from a thousand sentences to a million: what grows as tokens, what is bounded.

    python -m benchmarks.growth --data FOLDER --sizes 1000 10000 100000

The texts are pieces of six words or fewer from sentences of novels and of mixed English, each once. Every
size has a process and a store of its own. A million takes 65 GB of disk and half an hour or more; so each
size is told on standard error when it is measured, and tables of several runs are printed by

    python -m benchmarks.growth --printed ERRORS-OF-ONE-RUN ERRORS-OF-ANOTHER
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

from benchmarks.processes import SAMPLE_SECONDS, ask, recorded
from benchmarks.report import circumstances, seconds, show, table

CORPORA = ("novels-half", "english-mixed")
WORDS = 6
SIZES = (1_000, 10_000, 100_000)
RECIPES = (
    "layers=last",
    "layers=first+last",
    "layers=last;weight=idf",
    "layers=last;post=whiten",
    "layers=last;post=quantile",
)
Found = dict[int, dict[str, Any]]
"""What was measured, by the number of texts."""

PASS, GEOMETRY, MAP, FIND = "first pass", "isotropy", "map of sentences, UMAP", "find, 10 trials"
STREAMED = 100_000
"""Texts up to which a pass that is not stored is timed too: each recipe may read them anew."""

BRIEF = 0.1
"""Seconds below which no exponent is told: what is kept in memory at one size is read again at another."""

BUNDLED, LARGE = (6, 384), (24, 1024)
"""Layers and dimensions of the bundled encoder, which is measured, and of bert-large."""


def texts(data: Path, count: int) -> Iterator[str]:
    """Different pieces of sentences."""
    seen = set[str]()
    for piece in _pieces(data):
        if piece not in seen:
            seen.add(piece)
            yield piece
            if len(seen) == count:
                return
    raise SystemExit(f"{' and '.join(CORPORA)} give {len(seen):,} texts; {count:,} are asked for.")


def _pieces(data: Path) -> Iterator[str]:
    """So many words each of every sentence of the corpora, in their order."""
    from core.pipeline.engine import Engine
    from core.settings import Settings

    with tempfile.TemporaryDirectory() as folder:
        engine = Engine(Settings(cache=Path(folder), data=data))
        for name in CORPORA:
            for sentence in engine.corpus(name).sentences:
                words = sentence.split()
                yield from (" ".join(words[start : start + WORDS]) for start in range(0, len(words), WORDS))


def run(
    data: Path, sizes: Sequence[int] = SIZES, storage: str = "float16", budget_gb: float = 70.0
) -> None:
    """Measure each size in a process, and print the tables."""
    with tempfile.TemporaryDirectory(prefix="strata-benchmark-", dir=os.environ.get("TMPDIR")) as folder:
        path = Path(folder) / "all.txt"
        with path.open("w", encoding="utf-8") as file:
            file.writelines(f"{text}\n" for text in texts(data, max(sizes)))
        stored: Found = {}
        streamed: Found = {}
        for size in sizes:
            given = {"root": folder, "size": size, "storage": storage}
            stored[size] = _ask(given | {"budget": budget_gb * 1e9})
            if size <= STREAMED:  # beside the pass there is room for what is pooled of its layers
                streamed[size] = _ask(given | {"budget": 0.9 * stored[size]["pass"], "few": True})
    show_tables(stored, streamed)


def show_tables(stored: Found, streamed: Found) -> None:
    """What was measured with a stored pass and without, by size, and what a large model would take."""
    _print("A stored pass", stored)
    _print("A pass that is not stored, for which the store has no room", streamed)
    if stored:
        print(larger(max(stored), stored[max(stored)]))


def printed(files: Sequence[Path]) -> tuple[Found, Found]:
    """What earlier runs told on standard error: with a stored pass and without, by size."""
    stored: Found = {}
    streamed: Found = {}
    for file in files:
        for line in file.read_text("utf-8").splitlines():
            if line.startswith("{"):
                found = json.loads(line)
                kind = stored if GEOMETRY in found["steps"] else streamed
                kind[found["size"]] = found
    return stored, streamed


def larger(size: int, found: dict[str, Any]) -> str:
    """What the pass of bert-large would take at as many operations a second and as many bytes a number."""
    (deep, wide), (layers, dim) = LARGE, BUNDLED
    multiplications = deep * wide**2 / (layers * dim**2)
    numbers = (deep + 2) * wide / ((layers + 2) * dim)  # static, and after the embeddings
    spent = found["steps"][PASS][0]
    return (
        f"By arithmetic from {size:,} texts: bert-large multiplies {multiplications:.1f} times as much for "
        f"a token, and stores {numbers:.1f} times as many numbers. Its pass would take "
        f"{spent * multiplications / 3600:.1f} hours where this one took {spent / 3600:.2f}, and "
        f"{found['pass'] * numbers / 1e9:,.0f} GB where this one has {found['pass'] / 1e9:,.1f}.\n"
    )


def _print(title: str, found: Found) -> None:
    if not found:
        return
    found = dict(sorted(found.items()))
    header = ["", *(part for size in found for part in (f"{size:,} texts, s", "MB"))]
    rows = [["tokens", *(part for each in found.values() for part in (f"{each['tokens']:,}", ""))]]
    for step in next(iter(found.values()))["steps"]:
        cells = [each["steps"][step] for each in found.values()]
        rows.append([step, *(part for s, peak in cells for part in (f"{s:.1f}", f"{peak / 1e6:,.0f}"))])
    rows.append(["store, GB", *(part for e in found.values() for part in (f"{e['stored'] / 1e9:.2f}", ""))])
    show(title, table(header, rows), _exponents(found))


def _exponents(found: Found) -> str:
    """How time grows with tokens between the last two sizes: 1 is linear."""
    sizes = list(found)
    if len(sizes) < 2:
        return ""
    below, above = (found[size] for size in sizes[-2:])
    tokens = math.log(above["tokens"] / below["tokens"])
    told = []
    for step, (spent, _) in above["steps"].items():
        if step in below["steps"] and min(spent, below["steps"][step][0]) > BRIEF:
            told.append(f"{step} {math.log(spent / below['steps'][step][0]) / tokens:.2f}")
    return (
        f"Exponent of time in tokens from {sizes[-2]:,} to {sizes[-1]:,} texts (1 is linear): "
        f"{'; '.join(told)}.\n"
    )


# -- in a process of its own ---------------------------------------------------------------------


def _ask(given: dict[str, Any]) -> dict[str, Any]:
    """Measure in a new process, and tell it at once: the largest size takes an hour."""
    with tempfile.TemporaryDirectory(dir=given["root"]) as cache:
        found = ask("benchmarks.growth", "--measure", json.dumps(given | {"cache": cache}))
    print(json.dumps({"size": given["size"], **found}), file=sys.stderr, flush=True)
    return found


def _measure(given: dict[str, Any]) -> dict[str, Any]:
    """Seconds and peak of the memory that the process alone has, step by step."""
    from core.analysis.geometry import of_recipe
    from core.analysis.token_maps import projection, sentence_map
    from core.corpora.corpus import Corpus
    from core.pipeline.engine import Engine
    from core.recipe import Recipe
    from core.search.budget import Budget
    from core.search.find import find
    from core.search.proxies import parted_by
    from core.search.question import Question
    from core.settings import Settings
    from core.storage.folders import size_of
    from core.storage.stored_pass import Layout

    settings = Settings(
        cache=Path(given["cache"]), budget_bytes=int(given["budget"]), storage=given["storage"]
    )
    engine, steps = Engine(settings), dict[str, tuple[float, int]]()
    first = Recipe.parse(RECIPES[0])
    with (Path(given["root"]) / "all.txt").open(encoding="utf-8") as file:
        corpus = Corpus.of_texts("pieces", [line.rstrip("\n") for line in islice(file, given["size"])])
    engine.embed(first, Corpus.of_texts("warm", corpus.sentences[:10]))
    start = anonymous()

    def step(name: str, run: Callable[[], object]) -> None:
        with peak() as largest:
            spent = seconds(run)
        steps[name] = spent, max(largest[0] - start, 0)
        print(f"{given['size']:,} texts, {name}: {spent:.1f} s", file=sys.stderr, flush=True)

    source = engine.source(first)
    step(PASS, lambda: engine.passes.get(source, corpus))
    for text in RECIPES[:2] if "few" in given else RECIPES:
        step(f"`{text}`", lambda text=text: engine.embed(Recipe.parse(text), corpus))  # type: ignore[misc]
    if "few" not in given:
        step(f"`{RECIPES[-2]}` again", lambda: engine.embed(Recipe.parse(RECIPES[-2]), corpus))
        step(GEOMETRY, lambda: of_recipe.isotropy(engine, first, corpus))

        def draw() -> None:
            places = sentence_map.sample(corpus)
            rows = engine.embed(first, corpus).vectors[places]
            projection.project(engine.store, "umap", (0,), lambda _: rows, ["growth"])

        step(MAP, draw)

        def search() -> None:
            question = Question.of(engine, first, (parted_by(corpus, "agreement"),))
            find(engine, question, Budget(trials=10))

        step(FIND, search)
    states, _ = engine.passes.get(source, corpus)
    layout = Layout(dict.fromkeys(states.layers, source.location.dim), (0, 0), settings.storage)
    tokens = len(states.tokens)
    return {
        "steps": steps,
        "tokens": tokens,
        "pass": tokens * layout.row_bytes(),
        "stored": size_of(settings.cache),
    }


def anonymous() -> int:
    """Bytes of this process that no file backs: the system cannot take them back."""
    for line in Path("/proc/self/status").read_text("utf-8").splitlines():
        if line.startswith("RssAnon:"):
            return int(line.split()[1]) * 1024
    return recorded()


@contextmanager
def peak() -> Iterator[list[int]]:
    """The largest such number while the block runs, as a list of one."""
    seen, over = [anonymous()], threading.Event()

    def watch() -> None:
        while not over.wait(SAMPLE_SECONDS):
            seen[0] = max(seen[0], anonymous())

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield seen
    finally:
        over.set()
        thread.join()


def main(arguments: Sequence[str] | None = None) -> None:
    """Run alone, or one size in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=os.environ.get("STRATA_DATA"))
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--storage", default="float16", choices=("float32", "float16"))
    parser.add_argument("--budget-gb", type=float, default=70.0)
    parser.add_argument("--printed", type=Path, nargs="+", help="print the tables of earlier runs")
    parser.add_argument("--measure", help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.measure:
        begin = time.perf_counter()
        answer = _measure(json.loads(given.measure))
        print(json.dumps(answer | {"recorded": recorded(), "seconds": time.perf_counter() - begin}))
        return
    if given.printed:
        print(circumstances())
        show_tables(*printed(given.printed))
        return
    if not given.data:
        parser.error("give the folder of evaluation data: --data FOLDER, or STRATA_DATA")
    print(circumstances())
    run(Path(given.data), given.sizes, given.storage, given.budget_gb)


if __name__ == "__main__":
    main()
