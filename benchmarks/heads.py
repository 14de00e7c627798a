"""Head search beside the forward passes it stands on, and what the picture of all heads weighs.

Ditto with each of the bundled encoder's 72 heads on STS-B dev and test, from the stored passes, by an
engine that remembers nothing: reading the layers, pooling, similarities and Spearman of every head, and the
score with uniform weights. Beside it, the same by the engine, recipe by recipe.
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
    first_pass,
    fresh_settings,
    middle,
    seconds,
    show,
    table,
)
from components.figures.heads import tiles
from components.heads.tiles import CELLS
from components.theme import LIGHT
from core.analysis.heads.attention import coarse
from core.analysis.heads.head_search import search
from core.analysis.heads.head_similarities import SETTINGS, with_head
from core.corpora.corpus import Corpus
from core.evaluation.sts import evaluate
from core.pipeline.engine import Engine
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
        engine = Engine(settings)
        corpora = [engine.corpus(CORPUS, split) for split in SPLITS]
        engine.embed(Recipe(), Corpus.of_texts("warm-up", corpora[0].sentences[:256]))
        durations = [
            sum(seconds(partial(first_pass, engine, corpus)) for corpus in corpora) for _ in range(ROUNDS)
        ]
        runs = {
            f"search, layers={ONE}": partial(_search, settings, [ONE]),
            f"search, all of {', '.join(SETTINGS)}": partial(_search, settings, SETTINGS),
            f"recipe by recipe, layers={ONE}: layer 1, times the layers": partial(_one_by_one, settings),
        }
        timed = alternate(runs, ROUNDS)
        found = search(engine, Recipe(), corpora[1], [ONE])[ONE]
    rows: list[list[object]] = [
        ["passes, model loaded", f"{middle(durations):.2f}", f"{min(durations):.2f}", "", "", ""]
    ]
    depth = found.scores.shape[0]
    for number, (name, measured) in enumerate(timed.items()):
        values = [depth * value for value in measured] if name.startswith("recipe") else measured
        share = [f"{middle(values) / middle(durations):.1%}", f"{min(values) / min(durations):.1%}"]
        share.append("≤ 5 %" if number == 0 else "")
        rows.append([name, f"{middle(values):.2f}", f"{min(values):.2f}", *share])
    best = found.best
    show(
        "Head search",
        table(["", "median s", "minimum s", "of the passes", "by minimum", "target"], rows),
        f"{found.scores.size} heads on {' and '.join(SPLITS)} of {CORPUS}, {ROUNDS} rounds, the ways in "
        f"turn. Best on test: {best and f'L{best[0]}-H{best[1]}'} {np.nanmax(found.scores):.2f}, middle "
        f"head {found.median:.2f}, uniform {found.uniform:.2f}.\n",
        table(
            ["layers × heads, tokens", "cells", "sent to the browser", "target"], [*map(_picture, SHAPES)]
        ),
    )


def _search(settings: Settings, layers: Sequence[str]) -> None:
    """A search that finds the passes and nothing else."""
    for path in (settings.cache / "tables").glob("heads-*"):
        path.unlink()
    engine = Engine(settings)
    for split in SPLITS:
        search(engine, Recipe(), engine.corpus(CORPUS, split), layers)


def _one_by_one(settings: Settings) -> None:
    """The same scores, each recipe by itself, of the heads of one layer."""
    engine = Engine(settings)
    for split in SPLITS:
        corpus = engine.corpus(CORPUS, split)
        for head in range(1, engine.source(Recipe()).location.heads + 1):
            similarities, _ = engine.similarities(with_head(Recipe(), ONE, 1, head), corpus)
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
