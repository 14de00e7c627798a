"""The w-versus-layer map in closed form beside embedding each of its cells.

Both start from stored passes of the bundled encoder: over STS-B test, and averaged over the built-in
reference. Cells are embedded in two ways: by one engine, which remembers what it pooled (so that a cell
costs a sum, similarities and ranks), and each by an engine of its own, which reads the stored passes.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.report import circumstances, data_folder, fresh_settings, middle, seconds, show, table
from core.analysis.mixing import SHARES, columns, mixed, mixture
from core.corpora.corpus import Corpus
from core.evaluation.sts import spearman_of
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.settings import Settings

CORPUS = "STS-B"
ROUNDS = 3
SOME = 24
"""Cells that are embedded by an engine of their own; their time is scaled to all."""

RECIPE = Recipe.parse("layers=last")


def run(data: Path) -> None:
    """Measure and print the table."""
    with fresh_settings(data) as settings:
        engine = Engine(settings)
        corpus = engine.corpus(CORPUS)
        names = columns(max(engine.source(RECIPE).layers))
        cells = [(share, layers) for share in SHARES for layers in names]
        some = [cells[int(i)] for i in np.linspace(0, len(cells) - 1, SOME)]
        engine.similarities(mixed(RECIPE, 0.5, "all"), corpus)

        durations: dict[str, list[float]] = {"closed form": [], "one engine": [], "an engine each": []}
        for _ in range(ROUNDS):
            durations["closed form"].append(_closed(settings, corpus))
            engine = _opened(settings, corpus)
            durations["one engine"].append(sum(_seconds(engine, cell, corpus) for cell in cells))
            durations["an engine each"].append(
                sum(_seconds(_opened(settings, corpus), cell, corpus) for cell in some)
            )
    durations["an engine each"] = [len(cells) / SOME * t for t in durations["an engine each"]]
    rows = []
    for name, target in (("closed form", ""), ("one engine", "≥ 100"), ("an engine each", "≥ 100")):
        ratio = middle(durations[name]) / middle(durations["closed form"])
        minimum_ratio = min(durations[name]) / min(durations["closed form"])
        rows.append(
            (name, f"{middle(durations[name]):.2f}", f"{min(durations[name]):.2f}")
            + (("", "", "") if not target else (f"{ratio:.0f}", f"{minimum_ratio:.0f}", target))
        )
    show(
        f"BERT+Avg.: {len(SHARES)} shares × {len(names)} choices of layers on {CORPUS} test",
        table(["", "median s", "minimum s", "÷ closed form", "by minimum", "target"], rows),
        f"{len(corpus):,} pairs, Spearman of each cell, without intervals; {ROUNDS} rounds in turn. Cells "
        f"with an engine each are timed on {SOME} and scaled.\n",
    )


def _opened(settings: Settings, corpus: Corpus) -> Engine:
    """An engine that has opened both passes, its tokenizer loaded, and pooled nothing."""
    engine = Engine(settings)
    for recipe in (RECIPE, Recipe.parse("source=averaged")):
        engine.token_weights(recipe, corpus)
    return engine


def _closed(settings: Settings, corpus: Corpus) -> float:
    """Seconds of the whole map, which nobody has asked for before."""
    for kept in (settings.cache / "tables").glob("mixture-*"):
        kept.unlink()
    engine = _opened(settings, corpus)
    return seconds(lambda: mixture(engine, RECIPE, corpus))


def _seconds(engine: Engine, cell: tuple[float, str], corpus: Corpus) -> float:
    """Seconds of one cell's score."""

    def score() -> None:
        similarities, _ = engine.similarities(mixed(RECIPE, *cell), corpus)
        spearman_of(similarities[None], corpus)

    return seconds(score)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run alone."""
    data = data_folder("The map of BERT+Avg. in closed form beside embedding each cell.", arguments)
    print(circumstances())
    run(data)


if __name__ == "__main__":
    main()
