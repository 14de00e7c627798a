"""What a search for a recipe costs and finds: trials on STS-B dev, and a space that is tried whole.

The yardstick is one encoding: the forward passes over dev and test that any recipe needs. The trials are of
mean pooling without the reference; other poolings, and SBERT-WK over long windows, take seconds a recipe.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.report import circumstances, data_folder, fresh_settings, show, table
from core.evaluation.wording import between, fixed, signed
from core.pipeline.engine import Engine
from core.progress import Step
from core.recipe import Recipe
from core.search.aims import Parted, part
from core.search.budget import Budget
from core.search.find import find
from core.search.found import Compared
from core.search.measured import Measured, best_first
from core.search.question import Question
from core.search.space import Space, Suggest
from core.search.trials import run as try_recipes

CORPUS = "STS-B"
BASE = Recipe.parse("source=untuned")
TRIALS = 500
NARROW = ("layers", "tokens", "weight", "post", "similarity")
SEEDS = (0, 1, 2)
SOME = (25, 50, 100, 200)
"""Trials after which the choice is compared with the best recipe of the small space."""

LAYERS = [
    *map(str, range(7)),
    *("+".join(map(str, range(first, last + 1))) for first in range(7) for last in range(first + 1, 7)),
]
TOKENS = ("all", "content")
POST = ("none", "centre", "zscore", "abtt(d=2)", "abtt(d=8)", "whiten(k=128)")

_KINDS = (
    "Trying recipes",
    "Scoring published methods on dev",
    "Estimating the optimism of the choice",
    "Measuring what the best cost",
)


@dataclass(frozen=True)
class Grid(Space):
    """A space that is small enough to be tried whole: layers × tokens × post-processing."""

    def propose(self, suggest: Suggest) -> Recipe:
        """One of its recipes."""
        return self.base.replace(
            layers=suggest.suggest_categorical("layers", LAYERS),
            tokens=suggest.suggest_categorical("tokens", TOKENS),
            post=suggest.suggest_categorical("post", POST),
        )

    def every(self) -> list[Recipe]:
        """All of its recipes."""
        return [
            self.base.replace(layers=layers, tokens=tokens, post=post)
            for layers in LAYERS
            for tokens in TOKENS
            for post in POST
        ]


class Stages:
    """A progress that adds up the seconds of each kind of step."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self._since, self._kind = time.perf_counter(), ""

    def __call__(self, step: Step) -> None:
        """A step begins: the time since the last one was the last one's."""
        kind = step.what.partition(",")[0]
        if kind in _KINDS:  # else a step inside one of these
            self.end()
            self._kind = kind

    def end(self) -> None:
        """The last step is over."""
        now = time.perf_counter()
        if self._kind:
            self.seconds[self._kind] += now - self._since
        self._since = now


def run(data: Path) -> None:
    """Measure and print the tables."""
    with fresh_settings(data) as settings:
        engine = Engine(settings)
        parted = part(engine.corpus(CORPUS, "all"))
        engine.embed(BASE, engine.corpus("demo"))  # the model is loaded
        passes = sum(engine.embed(BASE, aim.corpus).pass_seconds for aim in (parted.dev, parted.test))
        narrow = Question.of(engine, BASE, [parted], NARROW, reference=False)
        _search(Engine(settings), narrow, passes)
        _exhaustive(engine, parted)


def _search(engine: Engine, question: Question, passes: float) -> None:
    """What the trials cost and what they find."""
    (parted,) = question.parts
    stages, begin = Stages(), time.perf_counter()
    found = find(engine, question, Budget(trials=TRIALS), stages)
    seconds = time.perf_counter() - begin
    stages.end()
    rows = [[kind, f"{spent:.1f}", f"{spent / passes:.2f}", ""] for kind, spent in stages.seconds.items()]
    rows.append(["the whole search", f"{seconds:.1f}", f"{seconds / passes:.2f}", "≤ 2"])
    show(
        f"Find: {TRIALS} trials on {CORPUS} dev, {BASE}, mean pooling without the reference",
        table(["", "seconds", "of one encoding of dev and test", "at most"], rows),
        f"One encoding, the passes over {len(parted.dev.corpus.sentences):,} and "
        f"{len(parted.test.corpus.sentences):,} different sentences, took {passes:.1f} s. "
        f"{found.left_out} trials could not be scored.\n",
    )
    compared = [each for each in (found.baseline, found.preset) if each is not None]
    rows = [[f"the choice: `{found.recipe}`", fixed(found.dev, 2), fixed(found.test.value, 2), ""]]
    rows += [[f"{each.name}: `{each.recipe}`", "", fixed(each.test, 2), _gain(each)] for each in compared]
    alike = sum(not each.apart for each in found.ranked[1:10])
    show(
        "What it chose",
        table(["Spearman × 100", "dev", "test", "the choice is above it by"], rows),
        f"{fixed(found.optimism, 2)} points of the choice on dev are owed to choosing the best of "
        f"{len(found.scored)}; test {between(found.test.low, found.test.high)}. {alike} of the next nine "
        f"cannot be told apart from it on dev.\n",
    )


def _exhaustive(engine: Engine, parted: Parted) -> None:
    """The choice of a search beside the best of a space that is tried whole."""
    space = Grid(BASE, 6, 12)
    on_dev = Measured(engine, [parted.dev])
    every = best_first([on_dev.trial(recipe) for recipe in space.every()])
    on_test = Measured(engine, [parted.test])
    top = on_test.trial(Recipe.parse(every[0].recipe)).dev
    trials = {
        seed: try_recipes(
            engine, Question(space, (parted,), seed=seed), Budget(trials=max(SOME)), on_dev=on_dev
        )
        for seed in SEEDS
    }
    rows = []
    for count in SOME:
        chosen = [best_first(tried[:count])[0] for tried in trials.values()]
        dev = [every[0].dev - one.dev for one in chosen]
        test = [top - on_test.trial(Recipe.parse(one.recipe)).dev for one in chosen]
        rows.append([f"{count}", *(" ".join(signed(value, 2) for value in each) for each in (dev, test))])
    show(
        f"Regret: the best of {len(every)} recipes, all tried, less the choice of a search",
        table(["trials", f"on dev, seeds {', '.join(map(str, SEEDS))}", "on test"], rows),
        f"{len(LAYERS)} choices of layers × {len(TOKENS)} of tokens × {len(POST)} of post-processing, "
        f"{BASE}. The best on dev is `{every[0].recipe}`: {fixed(every[0].dev, 2)}, "
        f"{fixed(top, 2)} on test.\n",
    )


def _gain(other: Compared) -> str:
    gain = other.gain
    told = "" if gain.shown else "no difference shown: "
    return f"{told}{signed(gain.value, 2)} ({between(gain.low, gain.high)})"


def main(arguments: Sequence[str] | None = None) -> None:
    """Run alone."""
    data = data_folder("What a search for a recipe costs and finds.", arguments)
    print(circumstances())
    run(data)


if __name__ == "__main__":
    main()
