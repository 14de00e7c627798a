"""The w-versus-layer map in closed form beside embedding each of its cells.

Both start from stored passes of the bundled encoder: over STS-B test, and averaged over the built-in
reference. Cells are embedded in two ways: by one road, which remembers what it pooled (so that a cell costs
a sum, similarities and ranks), and each by a road of its own, which reads the stored passes.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.report import circumstances, data_folder, fresh_settings, middle, seconds, show, table
from core.analysis.mixing import SHARES, columns, mixed, mixture
from core.corpus import Corpus
from core.embed import Road
from core.evaluation.sts import spearman_of
from core.recipe import Recipe
from core.settings import Settings

CORPUS = "STS-B"
ROUNDS = 3
SOME = 24
"""Cells that are embedded by a road of their own; their time is scaled to all."""

RECIPE = Recipe.parse("layers=last")


def run(data: Path) -> None:
    """Measure and print the table."""
    with fresh_settings(data) as settings:
        road = Road(settings)
        corpus = road.corpus(CORPUS)
        names = columns(max(road.passes.layers(road.source(RECIPE))))
        cells = [(share, layers) for share in SHARES for layers in names]
        some = [cells[int(i)] for i in np.linspace(0, len(cells) - 1, SOME)]
        road.similarities(mixed(RECIPE, 0.5, "all"), corpus)

        taken: dict[str, list[float]] = {"closed form": [], "one road": [], "a road each": []}
        for _ in range(ROUNDS):
            taken["closed form"].append(_closed(settings, corpus))
            road = _opened(settings, corpus)
            taken["one road"].append(sum(_seconds(road, cell, corpus) for cell in cells))
            taken["a road each"].append(
                sum(_seconds(_opened(settings, corpus), cell, corpus) for cell in some)
            )
    taken["a road each"] = [len(cells) / SOME * t for t in taken["a road each"]]
    rows = []
    for name, target in (("closed form", ""), ("one road", "≥ 50"), ("a road each", "≥ 50")):
        ratio = middle(taken[name]) / middle(taken["closed form"])
        least = min(taken[name]) / min(taken["closed form"])
        rows.append(
            (name, f"{middle(taken[name]):.2f}", f"{min(taken[name]):.2f}")
            + (("", "", "") if not target else (f"{ratio:.0f}", f"{least:.0f}", target))
        )
    show(
        f"BERT+Avg.: {len(SHARES)} shares × {len(names)} choices of layers on {CORPUS} test",
        table(["", "median s", "least s", "÷ closed form", "by least", "target"], rows),
        f"{len(corpus):,} pairs, Spearman of each cell, without intervals; {ROUNDS} rounds in turn. Cells "
        f"with a road each are timed on {SOME} and scaled.\n",
    )


def _opened(settings: Settings, corpus: Corpus) -> Road:
    """A road that has opened both passes, its tokenizer loaded, and pooled nothing."""
    road = Road(settings)
    for recipe in (RECIPE, Recipe.parse("source=averaged")):
        road.token_weights(recipe, corpus)
    return road


def _closed(settings: Settings, corpus: Corpus) -> float:
    """Seconds of the whole map, which nobody has asked for before."""
    for kept in (settings.cache / "tables").glob("mixture-*"):
        kept.unlink()
    road = _opened(settings, corpus)
    return seconds(lambda: mixture(road, RECIPE, corpus))


def _seconds(road: Road, cell: tuple[float, str], corpus: Corpus) -> float:
    """Seconds of one cell's score."""

    def score() -> None:
        similarities, _ = road.similarities(mixed(RECIPE, *cell), corpus)
        spearman_of(similarities[None], corpus)

    return seconds(score)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run alone."""
    data = data_folder("The map of BERT+Avg. in closed form beside embedding each cell.", arguments)
    print(circumstances())
    run(data)


if __name__ == "__main__":
    main()
