"""Measures of a large space in bounded memory, and whitening's score for every k from one rotation.

Uniformity, average cosine and isotropy of 100,000 vectors of 384 dimensions, each in a process of its own
whose peak is compared with what it held before: the vectors themselves. An N × N matrix of them would take
80 GB. The curve of whitening is compared with one run of the engine for each number of dimensions.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.processes import SAMPLE_SECONDS, ask, recorded
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

CORPUS = "STS-B"
SENTENCES, DIM = 100_000, 384
ROUNDS = 3

LABELS = {
    "cosine": "average cosine, exact",
    "isotropy": "all measures of isotropy, exact",
    "sampled": "uniformity over all pairs of a sample, as on the page",
    "exact": "uniformity over all pairs",
}


def run(data: Path) -> None:
    """Measure a process for each measure, and the curve; print two tables."""
    from core.analysis.geometry.alignment_uniformity import EXACT

    found = {name: ask("benchmarks.geometry", "--task", name) for name in LABELS}
    rows = [
        [
            label,
            f"{found[name]['value']:.6f}",
            f"{found[name]['seconds']:.2f}",
            f"{found[name]['before'] / 1e6:,.0f}",
            f"{(found[name]['peak'] - found[name]['before']) / 1e6:,.0f}",
        ]
        for name, label in LABELS.items()
    ]
    show(
        "Geometry of 100,000 vectors",
        table(["", "value", "seconds", "MB before", "MB over"], rows),
        f"{SENTENCES:,} × {DIM} in float32 ({4 * SENTENCES * DIM / 1e6:.0f} MB), one run each. Above "
        f"{EXACT:,} sentences the page takes uniformity over all pairs of so many, drawn with a fixed "
        "seed. The peak is the larger of what the system recorded and of samples every "
        f"{1000 * SAMPLE_SECONDS:.0f} ms.\n",
    )
    _curve(data)


def _curve(data: Path) -> None:
    """Whitening's curve by one rotation, and by the engine."""
    from core.analysis.geometry.whitening_curve import curve, dimensions, rotate, whitened
    from core.pipeline.engine import Engine
    from core.recipe import Recipe

    with fresh_settings(data) as settings:
        engine = Engine(settings)
        corpus = engine.corpus(CORPUS)
        rotated = rotate(engine, Recipe(), corpus, 1.0)
        k = dimensions(rotated.most)

        def run() -> None:
            for number in k:
                engine.similarities(whitened(Recipe(), number, 1.0, gamma), corpus)

        runs: dict[str, Callable[[], object]] = {
            "one rotation, for a new β": partial(rotate, engine, Recipe(), corpus, 1.0),
            "all scores from it, for a new γ": partial(curve, rotated, corpus, 0.9),
        }
        timed = alternate(runs, ROUNDS)
        gamma = 0.9  # no run is asked twice, so that none is found in memory
        timed[f"the engine, {len(k)} times"] = [seconds(run)]
    rows = [
        [label, f"{middle(durations):.3f}", f"{min(durations):.3f}"] for label, durations in timed.items()
    ]
    show(
        "Whitening's curve",
        table(["", "median s", "minimum s"], rows),
        f"{len(k)} numbers of dimensions on the {len(corpus):,} pairs of {CORPUS} test, {DIM} dimensions, "
        f"{ROUNDS} rounds; the scores have two intervals, the engine none and no scores.\n",
    )


def _measure(name: str) -> dict[str, Any]:
    """One measure of the same vectors: normal, not isotropic, away from the origin."""
    from core.analysis.geometry import alignment_uniformity, measures

    generator = np.random.default_rng(0)
    vectors = generator.standard_normal((SENTENCES, DIM), np.float32)
    vectors *= generator.uniform(0.2, 1.0, DIM).astype(np.float32)
    vectors += np.float32(0.4)
    compute: dict[str, Callable[[], float]] = {
        "cosine": lambda: measures.average_cosine(vectors),
        "isotropy": lambda: measures.isotropy(vectors).iso_score,
        "sampled": lambda: alignment_uniformity.uniformity(vectors, normalised=True),
        "exact": lambda: alignment_uniformity.uniformity(vectors, normalised=True, most=None),
    }
    before, values = recorded(), []
    durations = seconds(lambda: values.append(compute[name]()))
    return {"value": values[0], "seconds": durations, "before": before}


def main(arguments: Sequence[str] | None = None) -> None:
    """Run alone, or one measure in a process of its own."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    if given[:1] == ["--task"]:
        print(json.dumps(_measure(given[1]) | {"recorded": recorded()}))
        return
    data = data_folder("Geometry of a large space, and whitening's curve.", arguments)
    print(circumstances())
    run(data)


if __name__ == "__main__":
    main()
