"""The page Layers beside the forward pass it looks at, on STS-B test and the bundled encoder.

Each from the stored pass, with nothing else kept: the evolution map with its hop curves and the variances
of words, the score of every layer with its interval, and the grid of all pairs of layers. The grid is
made a second time as one would make it from recipes, one set of layers after another.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import combinations
from pathlib import Path

import numpy as np

from benchmarks.report import (
    circumstances,
    data_folder,
    first_pass,
    fresh_settings,
    middle,
    seconds,
    show,
    table,
)
from core.analysis.layers.layer_scores import by_layer, by_layer_and_pair, by_pair
from core.analysis.layers.layer_similarities import with_layers
from core.analysis.layers.trajectories import of_corpus
from core.corpora.corpus import Corpus
from core.evaluation.sts import evaluate
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.settings import Settings

CORPUS = "STS-B"
ROUNDS = 5
TARGET = "≤ 10 %"
RECIPES = "the same grid, recipe by recipe"
LAYERS = range(-1, 7)


def run(data: Path) -> None:
    """Measure the pass and every part of the page, and print the table."""
    with fresh_settings(data) as settings:
        engine = Engine(settings)
        corpus = engine.corpus(CORPUS)
        engine.embed(Recipe(), Corpus.of_texts("warm-up", corpus.sentences[:256]))
        durations = [seconds(partial(first_pass, engine, corpus)) for _ in range(ROUNDS)]
        runs: dict[str, Callable[[Engine, Recipe, Corpus], object]] = {
            "evolution map, hop curves and words": of_corpus,
            "score of every layer, with intervals": by_layer,
            "grid of all pairs of layers": by_pair,
            "both, as the page asks for them": by_layer_and_pair,
            RECIPES: _one_by_one,
        }
        timed: dict[str, list[float]] = {name: [] for name in runs}
        for _ in range(ROUNDS):
            for name, what in runs.items():
                timed[name].append(_anew(settings, what))
        apart = np.abs(
            by_pair(engine, Recipe(), corpus).spearman - _one_by_one(engine, Recipe(), corpus)
        ).max()
    rows: list[list[object]] = [
        ["first pass, model loaded", f"{middle(durations):.2f}", f"{min(durations):.2f}"]
    ]
    rows[0] += ["", "", ""]
    for name, values in timed.items():
        row = [name, f"{middle(values):.3f}", f"{min(values):.3f}"]
        row += [f"{middle(values) / middle(durations):.1%}", f"{min(values) / min(durations):.1%}"]
        rows.append([*row, "" if name == RECIPES else TARGET])
    show(
        "Layers",
        table(["", "median s", "minimum s", "of the pass", "by minimum", "target"], rows),
        f"{CORPUS} test, {len(corpus.sentences):,} sentences, {len(corpus):,} pairs, {ROUNDS} rounds, the "
        "ways in turn, each by an engine that has opened the pass and knows nothing else. Scores of the "
        f"two grids differ by at most {apart:.1e} (Spearman × 100).\n",
    )


def _anew(settings: Settings, what: Callable[[Engine, Recipe, Corpus], object]) -> float:
    """Seconds of one answer by an engine that knows the pass and no answer."""
    for name in ("trajectories", "layer-scores"):
        for path in (settings.cache / "tables").glob(f"{name}-*.npz"):
            path.unlink()
    engine = Engine(settings)
    corpus = engine.corpus(CORPUS)
    engine.passes.get(engine.source(Recipe()), corpus)  # opened, and its checksums compared
    return seconds(lambda: what(engine, Recipe(), corpus))


def _one_by_one(engine: Engine, recipe: Recipe, corpus: Corpus) -> np.ndarray:
    """Every layer and pair of layers as a recipe of its own."""
    grid = np.zeros((len(LAYERS), len(LAYERS)))
    for cell in [*((i, i) for i in LAYERS), *combinations(LAYERS, 2)]:
        similarities, _ = engine.similarities(with_layers(recipe, cell), corpus)
        i, j = (LAYERS.index(layer) for layer in cell)
        grid[i, j] = grid[j, i] = evaluate(similarities, corpus, intervals=False).spearman
    return grid


def main(arguments: Sequence[str] | None = None) -> None:
    """Run alone."""
    data = data_folder("The page Layers, and the forward pass.", arguments)
    print(circumstances())
    run(data)


if __name__ == "__main__":
    main()
