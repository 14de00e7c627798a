"""Head search beside the forward passes it stands on, and what the picture of all heads weighs.

Ditto with each of the bundled encoder's 72 heads on STS-B dev and test, from the stored passes, by a road
that remembers nothing: reading the layers, pooling, similarities and Spearman of every head, and the
score with uniform weights. Beside it, the same by the road, recipe by recipe.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np
import plotly.io

from benchmarks.report import (
    alternate,
    circumstances,
    data_folder,
    fresh_settings,
    middle,
    seconds,
    show,
    table,
)
from components.figures.heads import tiles
from components.heads.page import CELLS
from components.theme import LIGHT
from core.analysis.attention import coarse
from core.analysis.head_similarities import SETTINGS, with_head
from core.analysis.heads import search
from core.corpus import Corpus
from core.embed import Road
from core.evaluation.sts import evaluate
from core.recipe import Recipe
from core.settings import Settings

CORPUS = "STS-B"
SPLITS = ("dev", "test")
ONE = "0+last"
ROUNDS = 3
SHAPES = ((6, 12, 21), (12, 12, 64), (12, 12, 512), (24, 16, 128))
"""Layers, heads and tokens of the pictures that are weighed."""


def run(data: Path) -> None:
    """Measure the passes and every search, and print the tables."""
    with fresh_settings(data) as settings:
        road = Road(settings)
        corpora = [road.corpus(CORPUS, split) for split in SPLITS]
        road.embed(Recipe(), Corpus.of_texts("warm-up", corpora[0].sentences[:256]))
        taken = [sum(seconds(partial(_pass, road, corpus)) for corpus in corpora) for _ in range(ROUNDS)]
        runs = {
            f"search, layers={ONE}": partial(_search, settings, [ONE]),
            f"search, all of {', '.join(SETTINGS)}": partial(_search, settings, SETTINGS),
            f"recipe by recipe, layers={ONE}: layer 1, times the layers": partial(_one_by_one, settings),
        }
        timed = alternate(runs, ROUNDS)
        found = search(road, Recipe(), corpora[1], [ONE])[ONE]
    rows: list[list[object]] = [
        ["passes, model loaded", f"{middle(taken):.2f}", f"{min(taken):.2f}", "", "", ""]
    ]
    depth = found.scores.shape[0]
    for number, (name, measured) in enumerate(timed.items()):
        values = [depth * value for value in measured] if name.startswith("recipe") else measured
        share = [f"{middle(values) / middle(taken):.1%}", f"{min(values) / min(taken):.1%}"]
        share.append("≤ 15 %" if number == 0 else "")
        rows.append([name, f"{middle(values):.2f}", f"{min(values):.2f}", *share])
    best = found.best
    show(
        "Head search",
        table(["", "median s", "least s", "of the passes", "by least", "target"], rows),
        f"{found.scores.size} heads on {' and '.join(SPLITS)} of {CORPUS}, {ROUNDS} rounds, the ways in "
        f"turn. Best on test: {best and f'L{best[0]}-H{best[1]}'} {np.nanmax(found.scores):.2f}, middle "
        f"head {found.median:.2f}, uniform {found.uniform:.2f}.\n",
        table(
            ["layers × heads, tokens", "cells", "sent to the browser", "target"], [*map(_picture, SHAPES)]
        ),
    )


def _pass(road: Road, corpus: Corpus) -> None:
    """One first pass, as if the corpus had never been seen."""
    source = road.passes.source(Recipe().source)
    road.store.discard(road.passes.key(source, corpus))
    road.passes.get(source, corpus)


def _search(settings: Settings, layers: Sequence[str]) -> None:
    """A search that finds the passes and nothing else."""
    for path in (settings.cache / "tables").glob("heads-*"):
        path.unlink()
    road = Road(settings)
    for split in SPLITS:
        search(road, Recipe(), road.corpus(CORPUS, split), layers)


def _one_by_one(settings: Settings) -> None:
    """The same scores, each recipe by itself, of the heads of one layer."""
    road = Road(settings)
    for split in SPLITS:
        corpus = road.corpus(CORPUS, split)
        for head in range(1, road.source(Recipe()).location.heads + 1):
            similarities, _ = road.similarities(with_head(Recipe(), ONE, 1, head), corpus)
            evaluate(similarities, corpus, intervals=False)


def _picture(shape: tuple[int, int, int]) -> list[object]:
    """What one picture of all heads weighs, as it is sent."""
    layers, heads, tokens = shape
    weights = (
        np.random.default_rng(0).dirichlet(np.ones(tokens), (layers, heads, tokens)).astype(np.float32)
    )
    drawn, size = coarse(weights, int((CELLS / (layers * heads)) ** 0.5))
    hover = ["<b>L1-H10 (index 0, 9)</b><br>14 % on the token itself, most: one, two, three"] * (
        layers * heads
    )
    names = [f"{i + 1}-{j + 1}" for i in range(layers) for j in range(heads)]
    spec = plotly.io.to_json(tiles(drawn, names, hover, (1, 1), LIGHT)).encode()
    blocks = f" in blocks of {size}" if size > 1 else ""
    target = "< 2 MB" if shape == (12, 12, 64) else ""
    return [f"{layers} × {heads}, {tokens}{blocks}", f"{drawn.size:,}", f"{len(spec) / 1e6:.2f} MB", target]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run alone."""
    data = data_folder("Head search, and the forward passes it stands on.", arguments)
    print(circumstances())
    run(data)


if __name__ == "__main__":
    main()
