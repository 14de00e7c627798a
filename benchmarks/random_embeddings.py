"""Random embeddings beside the paper: what anyone can check without a model's weights.

Column RE of Stankevičius & Lukoševičius (2025), Tables 6, 7 and 9 to 12: a vector of N(0, 0.1) for
each id of BERT's vocabulary, the mean over tokens with [CLS] and [SEP], Spearman × 100 over all pairs.
Ours are means of three seeds. The paper's tables print idf^W for what is met by idf of the target,
and idf^T for what is met by idf of WikiText-2; the columns here are named after what is computed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.report import circumstances, data_folder, fresh_settings, show, table
from core.evaluation.sts import evaluate
from core.pipeline.engine import Engine
from core.recipe import Recipe

SEEDS = (0, 1, 2)
WITHIN = 1.0
"""Mean absolute difference over the anchor cells that is still agreement."""

_REFERENCE = "weight=idf(fit=reference);reference=wikitext-2"

ANCHORS = {
    "avg.": "",
    "zscore": "post=zscore",
    "idf target": "weight=idf",
    "idf target, zscore": "weight=idf;post=zscore",
    "idf WikiText-2": _REFERENCE,
    "idf WikiText-2, zscore": f"{_REFERENCE};post=zscore",
}
"""Recipes without their source, by column."""

EXTRAS = {"quantile": "post=quantile", "whiten": "post=whiten"}

PAPER = {
    "STS12": (34.7, 43.6, 55.4, 55.6, 55.1, 55.6, 40.1, 44.1),
    "STS13": (48.8, 55.9, 72.5, 73.0, 68.3, 69.8, 54.8, 75.1),
    "STS15": (62.1, 64.3, 74.4, 73.2, 73.8, 72.7, 61.4, 67.9),
    "STS16": (55.5, 60.4, 71.9, 72.2, 69.1, 70.1, 54.8, 67.1),
    "STS-B": (46.5, 54.6, 69.8, 70.0, 67.0, 67.4, 52.4, 68.1),
    "SICK": (53.1, 56.3, 57.4, 57.3, 56.8, 57.0, 54.8, 53.3),
}
"""The paper's scores by corpus, in the order of the anchors and then the extras."""


@dataclass(frozen=True)
class Cell:
    """One score beside the paper's, the mean over seeds; ``spread`` is their standard deviation."""

    corpus: str
    column: str
    ours: float
    paper: float
    spread: float

    @property
    def difference(self) -> float:
        """Points apart."""
        return abs(self.ours - self.paper)


def cells(engine: Engine, recipes: Mapping[str, str] = ANCHORS, seeds: Sequence[int] = SEEDS) -> list[Cell]:
    """Every corpus under every recipe: the mean score of some seeds beside the paper's."""
    columns = [*ANCHORS, *EXTRAS]
    found = []
    for name, published in PAPER.items():
        corpus = engine.corpus(name, "test")
        for column, text in recipes.items():
            scores = []
            for seed in seeds:
                recipe = Recipe.parse(text).replace(source=f"random(seed={seed})")
                similarities, _ = engine.similarities(recipe, corpus)
                scores.append(evaluate(similarities, corpus, intervals=False).spearman)
            paper = published[columns.index(column)]
            found.append(Cell(name, column, float(np.mean(scores)), paper, float(np.std(scores, ddof=1))))
    return found


def mean_difference(found: Sequence[Cell]) -> float:
    """The mean absolute difference from the paper, in points."""
    return float(np.mean([cell.difference for cell in found]))


def run(data: Path) -> None:
    """Compute and print the table."""
    with fresh_settings(data) as settings:
        found = cells(Engine(settings), ANCHORS | EXTRAS)
    anchors = [cell for cell in found if cell.column in ANCHORS]
    columns = [*ANCHORS, *EXTRAS]
    by_place = {(cell.corpus, cell.column): cell for cell in found}
    rows = []
    for corpus in PAPER:
        line = [by_place[corpus, column] for column in columns]
        rows.append([corpus, *(f"{cell.ours:.1f} / {cell.paper:.1f}" for cell in line)])
    worst = max(anchors, key=lambda cell: cell.difference)
    show(
        "Random embeddings, ours / paper",
        table(["Spearman × 100, all", *columns], rows),
        f"Mean absolute difference: {mean_difference(anchors):.2f} points over the {len(anchors)} anchor "
        f"cells (first six columns; bound {WITHIN:g}), {mean_difference(found):.2f} over all {len(found)}. "
        f"Worst anchor: {worst.corpus}, {worst.column}, {worst.ours - worst.paper:+.1f}, "
        f"where one seed differs from another by a standard deviation of {worst.spread:.1f}.\n",
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Run alone."""
    data = data_folder("Random embeddings beside the paper.", arguments)
    print(circumstances())
    run(data)


if __name__ == "__main__":
    main()
