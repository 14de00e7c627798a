"""The page Tokens: the map of the whole vocabulary, its size on the wire, and what is read beside it.

With the bundled encoder's 30,522 static rows; the layers and the sentences are those of STS-B test, whose
pass is made beforehand. The first row is what the very first visitor waits for, weights and frequencies of
English included; every other starts from vectors that are there, with no map kept.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from benchmarks.report import circumstances, data_folder, fresh_settings, middle, seconds, show, table
from components.figures.labels import plain
from components.figures.tokens import Colour, MapPanel, maps
from components.theme import LIGHT
from core.analysis.token_maps import frequency_components, projection, sentence_map
from core.analysis.token_maps.projection import Projection
from core.analysis.token_maps.token_frequency import zipf
from core.analysis.token_maps.vocabulary import Space, averaged_space, choose, nearest, static_space
from core.pipeline.engine import Engine
from core.recipe import Recipe

CORPUS = "STS-B"
ROUNDS = 5
SAMPLE = 4_000
"""Tokens that the page draws on arrival, and that UMAP and t-SNE are timed on."""

BYTES = 6_000_000
"""The most that a map of the whole vocabulary may have on its way to the browser."""


def run(data: Path) -> None:
    """Measure every part and print the table."""
    with fresh_settings(data) as settings:
        engine = Engine(settings)
        first = seconds(lambda: _arrive(engine))
        space = static_space(engine, Recipe())
        everything = np.arange(len(space.vocabulary))
        corpus = engine.corpus(CORPUS)
        a, b = (engine.embed(Recipe.parse(text), corpus).vectors for text in ("layers=last", "weight=idf"))
        layers = averaged_space(engine, Recipe(), corpus)
        frequency = zipf(space.vocabulary)
        rows = space.rows(-1, everything)
        sent = len(_figure(space, _pca(space, everything), frequency).to_json())
        runs: dict[str, tuple[Callable[[], object], str]] = {
            f"map of the {SAMPLE:,} tokens of the arrival, PCA": (lambda: _drawn(space, SAMPLE), ""),
            f"map of all {len(everything):,} tokens, PCA": (lambda: _pca(space, everything), ""),
            "the same with its figure as JSON": (lambda: _drawn(space, len(everything)), "≤ 5 s"),
            f"one PCA of {len(layers.vocabulary):,} tokens in {len(layers.layers)} layers": (
                lambda: projection.compute_projection("pca", layers.layers, _reader(layers)),
                "",
            ),
            "nearest of a token by cosine, among all": (lambda: nearest(space, -1, 2000), ""),
            "components against frequency, all tokens and steps": (
                lambda: frequency_components.correlate(rows, frequency),
                "",
            ),
            f"neighbours of {len(a):,} sentences under A and B": (
                lambda: sentence_map.neighbour_change(a, b),
                "",
            ),
        }
        lines: list[list[object]] = [
            ["first visitor: weights, words, frequencies, map", "", f"{first:.2f}", "≤ 3 s"]
        ]
        for name, (what, target) in runs.items():
            what()
            durations = [seconds(what) for _ in range(ROUNDS)]
            lines.append([name, f"{middle(durations):.3f}", f"{min(durations):.3f}", target])
        some = choose(len(everything), SAMPLE)
        for method in ("umap", "tsne"):
            duration = seconds(
                lambda method=method: projection.compute_projection(method, (-1,), _reader(space, some))
            )
            said = f"said beforehand: {projection.seconds(method, SAMPLE):.0f}"
            name = f"{projection.METHODS[method]} of {SAMPLE:,} tokens, once, in its own process"
            lines.append([name, "", f"{duration:.1f}", said])
    show(
        "Tokens",
        table(["", "median s", "minimum s", "target"], lines),
        f"{ROUNDS} rounds. The figure of all {len(everything):,} tokens, hover texts included, is {sent:,} "
        f"bytes as JSON (target: less than {BYTES:,}).\n",
    )


def _arrive(engine: Engine) -> None:
    """What the page computes for its first visitor."""
    _drawn(static_space(engine, Recipe()), SAMPLE)


def _drawn(space: Space, number: int) -> str:
    """A map by PCA, coloured by frequency, as it is sent."""
    places = choose(len(space.vocabulary), number)
    return str(_figure(space, _pca(space, places), zipf(space.vocabulary)[places], places).to_json())


def _figure(space: Space, found: Projection, values: np.ndarray, places: np.ndarray | None = None):  # noqa: ANN202
    places = np.arange(len(space.vocabulary)) if places is None else places
    texts = [plain(space.vocabulary.surface_forms[i]) for i in places.tolist()]
    return maps([MapPanel(space.name, found.at(-1), texts, values)], Colour("Zipf frequency"), LIGHT).figure


def _pca(space: Space, places: np.ndarray) -> Projection:
    return projection.compute_projection("pca", (-1,), _reader(space, places))


def _reader(space: Space, places: np.ndarray | None = None) -> Callable[[int], np.ndarray]:
    places = np.arange(len(space.vocabulary)) if places is None else places
    return lambda layer: space.rows(layer, places)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run alone."""
    data = data_folder("Maps of tokens, their size, and what is read beside them.", arguments)
    print(circumstances())
    run(data)


if __name__ == "__main__":
    main()
