"""Peak memory of a pass far larger than the bound: what is kept on disk must not be held in memory.

A corpus is cut so that its stored pass takes at least 4 GB; a process runs the pass and three recipes
on it. Its peak is compared with that of a process that has loaded the model and embedded ten
sentences. A smaller corpus is run a second way, with no room on disk, so that nothing is stored and
every reading streams through the model.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.processes import SAMPLE_SECONDS, ask, recorded
from benchmarks.report import circumstances, data_folder, show, table

CORPUS = "english-mixed"
STORED = 4_050_000_000
"""Bytes that the stored pass takes at least."""

STREAMED = 1_000_000_000
"""Bytes that the streamed pass would take."""

BOUND = 1_000_000_000
RECIPES = ("", "layers=all", "layers=last;pool=max")


def run(data: Path) -> None:
    """Measure three processes and print the table."""
    with tempfile.TemporaryDirectory(prefix="strata-benchmark-") as folder:
        root = Path(folder)
        sizes = _ask(root, "cut", {"data": str(data), "sizes": [STORED, STREAMED]})["cut"]
        few = _ask(root, "run", {"texts": sizes[0]["path"], "only": 10, "recipes": [""]})
        runs = {
            f"stored pass of {sizes[0]['bytes'] / 1e9:.2f} GB": {"texts": sizes[0]["path"]},
            f"streamed, would take {sizes[1]['bytes'] / 1e9:.2f} GB": {
                "texts": sizes[1]["path"],
                "budget": 0,
            },
        }
        rows = [["model loaded, ten sentences", "10", "", "", _megabytes(few["peak"]), "", ""]]
        for (label, given), size in zip(runs.items(), sizes, strict=True):
            found = _ask(root, "run", {"recipes": RECIPES, **given})
            over = found["peak"] - few["peak"]
            rows.append(
                [
                    label,
                    f"{size['texts']:,}",
                    f"{size['tokens']:,}",
                    f"{found['seconds'][0]:.0f} + " + " + ".join(f"{s:.1f}" for s in found["seconds"][1:]),
                    _megabytes(found["peak"]),
                    _megabytes(over),
                    "yes" if over < BOUND else "NO",
                ]
            )
    header = ["", "texts", "tokens", "seconds", "peak MB", "MB over", f"under {BOUND / 1e9:g} GB"]
    recipes = ", ".join(f"`{recipe or 'defaults'}`" for recipe in RECIPES)
    show(
        "Peak memory",
        table(header, rows),
        f"float32. Seconds are those of the recipes {recipes} one after the other, the first with the "
        "forward pass. The peak is the larger of what the system recorded for the process and of samples "
        f"of its resident memory every {1000 * SAMPLE_SECONDS:.0f} ms.\n",
    )


def _megabytes(number: float) -> str:
    return f"{number / 1e6:,.0f}"


# -- in processes of their own -------------------------------------------------------------------


def _ask(root: Path, task: str, given: dict[str, Any]) -> dict[str, Any]:
    """Run a task in a new process; its answer, with the peak that was seen from within and without."""
    given = {"root": str(root), **given}
    return ask("benchmarks.memory", "--task", task, json.dumps(given))


def _cut(given: dict[str, Any]) -> dict[str, Any]:
    """Write text files whose passes take the wanted sizes."""
    import numpy as np

    from core.pipeline.engine import Engine
    from core.recipe import Recipe
    from core.settings import Settings
    from core.storage.store import Layout

    root = Path(given["root"])
    engine = Engine(Settings(cache=root / "cut", data=Path(given["data"])))
    source = engine.passes.source(Recipe().source)
    where = source.location
    widths = dict.fromkeys(range(-1, where.depth + 1), where.dim)
    row = Layout(widths, (where.depth, where.heads), "float32").row_bytes()
    # eight tokens a text is less than any corpus of sentences has, so these are enough
    texts = list(engine.corpus(CORPUS).sentences[: max(given["sizes"]) // row // 8])
    tokens = engine.passes.tokens(source, texts)
    total = np.cumsum(tokens.restore(tokens.lengths)) * row
    cut = []
    for size in given["sizes"]:
        count = int(np.searchsorted(total, size)) + 1
        if count > len(texts):
            raise RuntimeError(f"{CORPUS} is too small for {size} bytes")
        path = root / f"texts-{size}.txt"
        path.write_text("\n".join(texts[:count]) + "\n", "utf-8")
        held = int(total[count - 1])
        cut.append({"path": str(path), "bytes": held, "texts": count, "tokens": held // row})
    return {"cut": cut}


def _run(given: dict[str, Any]) -> dict[str, Any]:
    """Embed the texts of a file under each recipe."""
    from benchmarks.report import seconds
    from core.corpora.corpus import Corpus
    from core.pipeline.engine import Engine
    from core.recipe import Recipe
    from core.settings import GIGABYTE, Settings

    settings = Settings(
        cache=Path(given["root"]) / "cache", budget_bytes=given.get("budget", 20 * GIGABYTE)
    )
    engine = Engine(settings)
    corpus = engine.corpus(given["texts"])
    if "only" in given:
        corpus = Corpus.of_texts("few", corpus.sentences[: given["only"]])
    durations, peaks = [], [recorded()]
    for text in given["recipes"]:
        recipe = Recipe.parse(text)
        durations.append(seconds(lambda recipe=recipe: engine.embed(recipe, corpus)))  # type: ignore[misc]
        peaks.append(recorded())
    return {"seconds": durations, "peaks": peaks}


def main(arguments: Sequence[str] | None = None) -> None:
    """Run alone, or one task in a process of its own."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    if given[:1] == ["--task"]:
        answer = {"cut": _cut, "run": _run}[given[1]](json.loads(given[2]))
        print(json.dumps(answer | {"recorded": recorded()}))
        return
    data = data_folder("Peak memory of large passes.", arguments)
    print(circumstances())
    run(data)


if __name__ == "__main__":
    main()
