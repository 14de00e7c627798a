"""What the demonstration corpus can show: recipes against plain mean pooling, on both bundled encoders.

    python -m benchmarks.demo

Each recipe is B, the mean of the last layer is A. The head of Ditto is chosen on dev; every number is of
test, with 95 % bootstrap intervals over the pairs.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.report import circumstances, fresh_settings, show, table
from core.analysis.heads.head_search import search
from core.analysis.heads.head_similarities import with_head
from core.corpora.built_in import DEMO
from core.corpora.corpus import Corpus
from core.encoders.bundled_encoders import BUNDLED
from core.evaluation.difference import Difference
from core.evaluation.statistics import bootstrap_spearman, draw, interval, spearman
from core.evaluation.sts import compare, evaluate
from core.pipeline.engine import Engine
from core.recipe import Recipe

PLAIN = "layers=last"
RECIPES = {
    "first+last": "layers=first+last",
    "embedding block + last": "layers=0+last",
    "idf": "layers=last;weight=idf",
    "z-score": "layers=last;post=zscore",
    "idf, z-score": "layers=last;weight=idf;post=zscore",
    "all-but-the-top": "layers=last;post=abtt(d=3)",
    "quantile": "layers=last;post=quantile",
    "whitening": "layers=last;post=whiten",
    "embedding block + last, z-score": "layers=0+last;post=zscore",
    "embedding block + last, idf": "layers=0+last;weight=idf",
    "embedding block + last, whitening": "layers=0+last;post=whiten",
    "SBERT-WK": "layers=wk;weight=variance",
    "SBERT-WK, z-score": "layers=wk;weight=variance;post=zscore",
    "Avg. mixed in": "layers=last;mix=averaged(w=0.5);reference=demo",
    "static rows, no frequent tokens": "layers=static;tokens=unbiased",
    "static rows, SIF": "layers=static;tokens=content;weight=sif(punctuation=unknown);post=ccr",
}
"""Names of recipes; Ditto is added with the head that each encoder's dev pairs choose."""

SHOWN_BY_KIND = (
    "idf",
    "Ditto",
    "Ditto, quantile",
    "SBERT-WK, z-score",
    "embedding block + last, whitening",
)


def run(data: Path | None = None) -> None:
    """Print one table for each encoder, and the gains by kind of pair."""
    with fresh_settings(data) as settings:
        for encoder in BUNDLED:
            engine = Engine(settings)
            test = engine.corpus(DEMO, "test")
            begin = time.perf_counter()
            plain = _similarities(engine, encoder.source, PLAIN, test)
            first = time.perf_counter() - begin
            load = os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")
            recipes = RECIPES | _ditto(engine, encoder.source)
            found = {
                name: _similarities(engine, encoder.source, text, test) for name, text in recipes.items()
            }
            score = evaluate(plain, test)
            rows: list[Sequence[object]] = [
                ["plain mean", f"`{PLAIN}`", f"{score.spearman:.1f} [{score.low:.1f}, {score.high:.1f}]"]
                + [""] * 2
            ]
            for name, values in found.items():
                score = evaluate(values, test)
                rows.append(
                    [
                        name,
                        f"`{recipes[name]}`",
                        f"{score.spearman:.1f} [{score.low:.1f}, {score.high:.1f}]",
                    ]
                    + [_text(compare(plain, values, test, a)) for a in ("all", "mean")]
                )
            show(
                f"`source={encoder.source}` on {DEMO} test, {len(test)} pairs",
                table(["B", "recipe", "Spearman × 100", "B - A", "B - A, mean of kinds"], rows, words=2),
                f"Bold: the interval leaves out 0. From a start without a stored pass to the first score "
                f"{first:.0f} s (load {load:.1f}).\n",
            )
            kept = {name: found[name] for name in SHOWN_BY_KIND}
            show(f"`source={encoder.source}`: B - A by kind of pair", _by_kind(plain, kept, test))


def _ditto(engine: Engine, source: str) -> dict[str, str]:
    """Ditto with the head that scores highest on dev, alone and with what spreads the vectors."""
    base = Recipe.parse(f"source={source}")
    best = search(engine, base, engine.corpus(DEMO, "dev"), ["last"])["last"].best
    assert best is not None
    ditto = str(with_head(Recipe(), "last", *best))
    steps = {"Ditto": "", "Ditto, z-score": ";post=zscore", "Ditto, quantile": ";post=quantile"}
    return {name: ditto + step for name, step in steps.items()}


def _similarities(engine: Engine, source: str, recipe: str, corpus: Corpus) -> np.ndarray:
    return engine.similarities(Recipe.parse(f"source={source};{recipe}"), corpus)[0]


def _by_kind(plain: np.ndarray, found: dict[str, np.ndarray], corpus: Corpus) -> str:
    kinds, rows = np.array(corpus.subset), []
    for kind in sorted(set(corpus.subset)):
        of = np.flatnonzero(kinds == kind)
        gold, counts = corpus.gold[of], draw(np.zeros(len(of), int))
        before = 100 * bootstrap_spearman(plain[of], gold, counts)
        row: list[object] = [kind, len(of), f"{100 * spearman(plain[of], gold):.1f}"]
        for values in found.values():
            gain = 100 * (spearman(values[of], gold) - spearman(plain[of], gold))
            bounds = interval(100 * bootstrap_spearman(values[of], gold, counts) - before)
            row.append(_text(Difference(gain, *bounds)))
        rows.append(row)
    return table(["kind", "pairs", "A", *found], rows)


def _text(difference: Difference) -> str:
    mark = "**" if difference.shown else ""
    return f"{mark}{difference.value:+.1f}{mark} [{difference.low:+.1f}, {difference.high:+.1f}]"


if __name__ == "__main__":
    print(circumstances())
    run()
