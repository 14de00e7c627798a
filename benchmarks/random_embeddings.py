"""Random embeddings beside the paper: what anyone can check without a model's weights.

Column RE of Stankevičius & Lukoševičius (2025), Tables 6, 7 and 9 to 12: a vector of N(0, 0.1) for
each id of BERT's vocabulary, the mean over tokens without [CLS] and [SEP], Spearman × 100 over all pairs.
Ours are means of three seeds. The paper's tables print idf^W for what is met by idf of the target,
and idf^T for what is met by idf of WikiText-2; the columns here are named after what is computed.
Whitening is learnt from the sentences of WikiText-2; its idf is counted over lines, which meets the paper
closer than sentences do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.report import circumstances, data_folder, fresh_settings, show, table
from core.evaluation.sts import evaluate
from core.literature.tables import find_table
from core.pipeline.engine import Engine
from core.recipe import Recipe

SEEDS = (0, 1, 2)
MEAN, CELL = 0.3, 1.0
"""Points of difference, on average and in one cell, that are still agreement."""

_REFERENCE = "weight=idf(fit=reference);reference=wikitext-2"
_SENTENCES = "reference=wikitext-2(unit=sentence)"

COLUMNS = {
    "avg.": ("avg.", ""),
    "zscore": ("avg. + zscore", "post=zscore"),
    "quantile": ("avg. + quantile-u", "post=quantile"),
    "whiten": ("avg. + whiten", "post=whiten"),
    "idf target": ("idf^W", "weight=idf"),
    "idf target, zscore": ("idf^W + zscore", "weight=idf;post=zscore"),
    "idf WikiText-2": ("idf^T", _REFERENCE),
    "idf WikiText-2, zscore": ("idf^T + zscore", f"{_REFERENCE};post=zscore"),
    "whiten WikiText-2": ("avg. + whiten^W", f"post=whiten(fit=reference);{_SENTENCES}"),
}
"""By column, the label of its row in the paper's tables, and the recipe without its source."""

TABLES = {"STS12": "6", "STS13": "7", "STS15": "9", "STS16": "10", "STS-B": "11", "SICK": "12"}
"""The paper's table of each corpus."""


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


def cells(
    engine: Engine,
    columns: Sequence[str] = tuple(COLUMNS),
    corpora: Sequence[str] = tuple(TABLES),
    seeds: Sequence[int] = SEEDS,
    tokens: str = "content",
) -> list[Cell]:
    """Every corpus under every recipe: the mean score of some seeds beside the paper's."""
    found = []
    for name in corpora:
        corpus, printed = engine.corpus(name, "test"), find_table("000", TABLES[name])
        for column in columns:
            row, text = COLUMNS[column]
            scores = []
            for seed in seeds:
                recipe = Recipe.parse(text).replace(source=f"random(seed={seed})", tokens=tokens)
                similarities, _ = engine.similarities(recipe, corpus)
                scores.append(evaluate(similarities, corpus, intervals=False).spearman)
            paper = printed.value(row, "RE", "")
            assert paper is not None
            found.append(Cell(name, column, float(np.mean(scores)), paper, float(np.std(scores))))
    return found


def mean_difference(found: Sequence[Cell]) -> float:
    """The mean absolute difference from the paper, in points."""
    return float(np.mean([cell.difference for cell in found]))


def run(data: Path) -> None:
    """Compute and print the table."""
    with fresh_settings(data) as settings:
        engine = Engine(settings)
        found = cells(engine)
        quick = [name for name, (_, recipe) in COLUMNS.items() if "reference" not in recipe]
        with_special = cells(engine, quick, tokens="all")
    by_place = {(cell.corpus, cell.column): cell for cell in found}
    rows = []
    for corpus in TABLES:
        line = [by_place[corpus, column] for column in COLUMNS]
        rows.append([corpus, *(f"{cell.ours:.1f} / {cell.paper:.1f}" for cell in line)])
    show(
        "Random embeddings, ours / paper",
        table(["Spearman × 100, all", *COLUMNS], rows),
        f"{_summary(found)} (bounds {MEAN:g} and {CELL:g}). "
        f"With [CLS] and [SEP], columns without WikiText-2: {_summary(with_special)}.\n",
    )


def _summary(found: Sequence[Cell]) -> str:
    worst = max(found, key=lambda cell: cell.difference)
    return (
        f"{mean_difference(found):.2f} points apart on average over {len(found)} cells, at worst "
        f"{worst.difference:.2f} ({worst.corpus}, {worst.column}; one seed differs from another by a "
        f"standard deviation of {worst.spread:.1f})"
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Run alone."""
    data = data_folder("Random embeddings beside the paper.", arguments)
    print(circumstances())
    run(data)


if __name__ == "__main__":
    main()
