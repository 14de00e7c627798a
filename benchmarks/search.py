"""What a search for a recipe costs and finds: trials on STS-B dev, and a space that is tried whole.

The yardstick is one encoding: the forward passes over dev and test that any recipe needs. The trials are of
the whole space. Reading the reference, which is a pass as those are, is told apart.
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
from core.search.found import Compared, Found
from core.search.measured import Measured, best_first
from core.search.question import Question
from core.search.space import Space, Suggest
from core.search.trials import run as try_recipes

CORPUS = "STS-B"
BASE = Recipe.parse("source=untuned")
TRIALS = 500
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
    "Cutting subsamples of dev",
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

    def recipes(self) -> list[Recipe]:
        """All of its recipes."""
        return [
            self.base.replace(layers=layers, tokens=tokens, post=post)
            for layers in LAYERS
            for tokens in TOKENS
            for post in POST
        ]


@dataclass(frozen=True)
class Spent:
    """Seconds by the clock and of the processor, in which other work on the machine counts less."""

    clock: float = 0.0
    processor: float = 0.0

    @classmethod
    def so_far(cls) -> Spent:
        """Those since some beginning."""
        return cls(time.perf_counter(), time.process_time())

    def __add__(self, other: Spent) -> Spent:
        """Both."""
        return Spent(self.clock + other.clock, self.processor + other.processor)

    def __sub__(self, other: Spent) -> Spent:
        """The rest."""
        return Spent(self.clock - other.clock, self.processor - other.processor)

    def row(self, passes: Spent) -> list[str]:
        """Both, and both as shares of the passes."""
        return [
            f"{self.clock:.1f}",
            f"{self.clock / passes.clock:.2f}",
            f"{self.processor:.1f}",
            f"{self.processor / passes.processor:.2f}",
        ]


class Stages:
    """A progress that adds up what each kind of step takes."""

    def __init__(self) -> None:
        self.spent: dict[str, Spent] = defaultdict(Spent)
        self._since, self._kind = Spent.so_far(), ""

    def __call__(self, step: Step) -> None:
        """A step begins: the time since the last one was the last one's."""
        kind = step.what.partition(",")[0]
        if kind in _KINDS:  # else a step inside one of these
            self.end()
            self._kind = kind

    def end(self) -> None:
        """The last step is over."""
        now = Spent.so_far()
        if self._kind:
            self.spent[self._kind] += now - self._since
        self._since = now


def run(data: Path) -> None:
    """Measure and print the tables."""
    with fresh_settings(data) as settings:
        engine = Engine(settings)
        parted = part(engine.corpus(CORPUS, "all"))
        engine.embed(BASE, engine.corpus("demo"))  # the model is loaded
        source, begin = engine.source(BASE), Spent.so_far()
        for aim in (parted.dev, parted.test):
            engine.passes.get(source, aim.corpus)
        passes = Spent.so_far() - begin
        engine.passes.get(source, engine.references.of(BASE))
        read = Spent.so_far() - begin - passes
        _search(Engine(settings), Question.of(engine, BASE, [parted]), passes, read)
        _exhaustive(engine, parted)


def _search(engine: Engine, question: Question, passes: Spent, read: Spent) -> None:
    """What the trials cost and what they find."""
    (parted,) = question.parts
    stages, begin = Stages(), Spent.so_far()
    found = find(engine, question, Budget(trials=TRIALS), stages)
    whole = Spent.so_far() - begin
    stages.end()
    rows = [["one encoding of dev and test", *passes.row(passes), ""]]
    rows.append(["reading the reference, once", *read.row(passes), ""])
    rows += [[kind, *spent.row(passes), ""] for kind, spent in stages.spent.items()]
    rows.append(["the whole search", *whole.row(passes), "≤ 2"])
    show(
        f"Find: {TRIALS} trials of the whole space on {CORPUS} dev, {BASE}",
        table(["", "seconds", "of one encoding", "processor s", "of one encoding's", "at most"], rows),
        f"One encoding are the passes over {len(parted.dev.corpus.sentences):,} and "
        f"{len(parted.test.corpus.sentences):,} different sentences; the whole search counts from these "
        f"passes and that of the reference on. {_ended(found)}.\n",
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


def _ended(found: Found) -> str:
    """How many trials were given up where, measured on all of dev, and not scored."""
    parts = [
        f"{number} trials were given up after {rows:,} rows of dev" for rows, number in found.ended.items()
    ]
    whole = len(found.trials) - sum(found.ended.values()) - found.unscored - sum(found.barred.values())
    recipes = len({trial.recipe for trial in found.trials if trial.recipe})
    return (
        f"{', '.join(parts)}, {whole} were measured on all {found.rows[0]:,}, {found.unscored} could not "
        f"be scored, {sum(found.barred.values())} were left out to save time; "
        f"they are {recipes} different recipes"
    )


def _exhaustive(engine: Engine, parted: Parted) -> None:
    """The choice of a search beside the best of a space that is tried whole."""
    space = Grid(BASE, 6, 12)
    on_dev = Measured(engine, [parted.dev])
    every = best_first([on_dev.trial(recipe) for recipe in space.recipes()])
    on_test = Measured(engine, [parted.test])
    top = on_test.trial(Recipe.parse(every[0].recipe)).dev
    rows = []
    for halving in (True, False):
        trials = {
            seed: try_recipes(
                engine,
                Question(space, (parted,), seed=seed, halving=halving),
                Budget(trials=max(SOME)),
                on_dev=on_dev,
            )
            for seed in SEEDS
        }
        for count in SOME:
            chosen = [best_first(tried[:count])[0] for tried in trials.values()]
            dev = [every[0].dev - one.dev for one in chosen]
            test = [top - on_test.trial(Recipe.parse(one.recipe)).dev for one in chosen]
            regrets = (" ".join(signed(value, 2) for value in each) for each in (dev, test))
            rows.append([f"{count}, {'halving' if halving else 'all on all of dev'}", *regrets])
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
