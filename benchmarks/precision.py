"""What the two cheaper number formats cost: the forward pass in bfloat16, the stored pass in float16.

Cosines of the pairs of STS-B test and the Spearman score, beside float32 for both.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.report import circumstances, data_folder, fresh_settings, show, table
from core.evaluation.sts import evaluate
from core.pipeline.engine import Engine
from core.recipe import Recipe

CORPUS = "STS-B"
RECIPES = ("", "layers=last", "weight=idf;post=zscore")
FORMATS: tuple[tuple[str, str], ...] = (
    ("float32", "float32"),
    ("bfloat16", "float32"),
    ("float32", "float16"),
    ("bfloat16", "float16"),
)
"""The forward pass, and what is stored; the first is what the others are compared with."""


def run(data: Path) -> None:
    """Measure every format and print the table."""
    rows = []
    exact: dict[str, tuple[np.ndarray, float]] = {}
    for forward, storage in FORMATS:
        with fresh_settings(data, forward=forward, storage=storage) as settings:
            engine = Engine(settings)
            corpus = engine.corpus(CORPUS)
            for text in RECIPES:
                cosines, _ = engine.similarities(Recipe.parse(text), corpus)
                score = evaluate(cosines, corpus, intervals=False).spearman
                same, known = exact.setdefault(text, (cosines, score))
                error = np.abs(cosines - same)
                megabytes = engine.store.entries()[0].bytes / 1e6
                rows.append(
                    [
                        f"forward {forward}, stored {storage}",
                        f"`{text or 'defaults'}`",
                        f"{error.max():.1e}",
                        f"{error.mean():.1e}",
                        f"{score:.3f}",
                        f"{score - known:+.3f}",
                        f"{megabytes:,.0f}",
                    ]
                )
    header = [
        "numbers",
        "recipe",
        "largest error",
        "mean error",
        "Spearman × 100",
        "difference",
        "stored MB",
    ]
    show(
        "Precision",
        table(header, rows, words=2),
        "Error: the absolute difference of a pair's cosine from float32, over all "
        f"{len(corpus):,} pairs of {CORPUS} test.\n",
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Run alone."""
    data = data_folder("What bfloat16 and float16 cost.", arguments)
    print(circumstances())
    run(data)


if __name__ == "__main__":
    main()
