"""Recipes: texts that are nearly right, and random ones that are, on every kind of source."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from core.errors import RecipeError
from core.evaluation.scoring import Scored, score
from core.pipeline.engine import Engine
from core.recipe import POST, SOURCE, STAGES, Recipe
from core.search.space import Space
from core.settings import GIGABYTE, Settings
from tests.campaign.tally import Bounds, Tally
from tests.core.helpers import tiny
from tests.core.helpers.examples import stage_choices
from tests.core.helpers.texts import many, pairs

LONGEST = 1.0
"""Seconds that reading a recipe may take."""

PATIENCE = 7200.0
"""Seconds that the process which finds every score again may take."""

TRAINED = 0.02
"""Share of the recipes that end in a step which is trained; no search proposes one."""

GRAMMAR = (*';"(),+= \\\n\t', "none", "fit=", "layers=", "post=", "1e309", "-1", "0.5", "nan", "९", "\0")
NUMBERS = ("0", "-1", "1e309", "1e-309", "nan", "inf", "0x10", "1_0", "९", "9" * 400, "", "none", "true")


class Answers(random.Random):
    """Random answers under the names of an Optuna trial's methods."""

    def suggest_categorical(self, name: str, choices: Sequence[str]) -> str:
        """One of some texts."""
        return self.choice(choices)

    def suggest_int(self, name: str, low: int, high: int, *, log: bool = False) -> int:
        """A whole number; the ends more often than others."""
        return self.choice((low, high, self.randint(low, high)))

    def suggest_float(self, name: str, low: float, high: float, *, log: bool = False) -> float:
        """A number; the ends more often than others."""
        return self.choice((low, high, self.uniform(low, high)))


def parses(bounds: Bounds) -> Tally:
    """Mutations of recipes that are right: read to the same recipe again, or refused in words."""
    tally, chance = Tally("recipes as text"), random.Random(bounds.seed)
    known = [*stage_choices(), *map(str, STAGES)]
    for _ in bounds.trials():
        text = ";".join(chance.sample(known, chance.randint(1, 3)))
        for _ in range(chance.randint(0, 4)):
            text = chance.choice(MUTATIONS)(text, chance)
        tally.count(text, _read_again(text))
    return tally


def _read_again(text: str) -> str | Exception | None:
    begun = time.monotonic()
    try:
        recipe = Recipe.parse(text)
        again = Recipe.parse(str(recipe))
    except Exception as error:
        return error
    if again != recipe:
        return f"it is read as {recipe}, and that as {again}"
    slow = time.monotonic() - begun
    return None if slow < LONGEST else f"reading it took {slow:.1f} s"


def _insert(text: str, chance: random.Random) -> str:
    at = chance.randint(0, len(text))
    return text[:at] + chance.choice(GRAMMAR) + text[at:]


def _remove(text: str, chance: random.Random) -> str:
    at = chance.randint(0, len(text))
    return text[:at] + text[at + chance.randint(1, 4) :]


def _repeat(text: str, chance: random.Random) -> str:
    at, end = sorted((chance.randint(0, len(text)), chance.randint(0, len(text))))
    return text[:end] + text[at:end] * chance.choice((1, 2, 50)) + text[end:]


def _turn(text: str, chance: random.Random) -> str:
    at = chance.randint(0, len(text))
    return text[at:] + text[:at]


def _bytes(text: str, chance: random.Random) -> str:
    raw = bytearray(text.encode("utf-8", "surrogateescape"))
    for _ in range(chance.randint(1, 3)):
        raw.insert(chance.randint(0, len(raw)), chance.randrange(256))
    return raw.decode("utf-8", chance.choice(("replace", "surrogateescape", "ignore")))


def _number(text: str, chance: random.Random) -> str:
    digits = [place for place, letter in enumerate(text) if letter.isdigit()]
    if not digits:
        return text
    at = chance.choice(digits)
    return text[:at] + chance.choice(NUMBERS) + text[at + 1 :]


def _value_of_another(text: str, chance: random.Random) -> str:
    name, _, value = text.partition("=")
    return f"{chance.choice([*STAGES])}={value}" if name in STAGES else text.replace("=", "==", 1)


MUTATIONS: tuple[Callable[[str, random.Random], str], ...] = (
    *(_insert, _remove, _repeat, _turn),
    *(_bytes, _number, _value_of_another),
)


def scores(bounds: Bounds, folder: Path) -> Tally:
    """Random recipes on every kind of source: a finite score, none with a reason, or a refusal.

    Every score is asked for again in another order, of an engine that has stored nothing, in a process of
    its own: the numbers have to be the same bits.
    """
    tally = Tally("recipes scored on 60 pairs")
    recipes = random_recipes(bounds, every_source(folder))
    engine, corpus, kept = engine_in(folder / "one"), pairs(60), {}
    for recipe in recipes:
        problem: str | Exception | None = None
        try:
            found = score(engine, recipe, corpus)
            kept[str(recipe)] = bits(found)
            problem = reason(found)
        except Exception as error:
            problem = error
        tally.count(str(recipe), problem)
    _compare_elsewhere(tally, kept, folder, random.Random(bounds.seed))
    return tally


def reason(found: Scored) -> str | None:
    """What is wrong with a score; a correlation that does not exist has to be said."""
    value = found.score.spearman
    if not math.isfinite(value) and not found.notes and np.ptp(found.similarities) > 0:
        return "no score, and no word of it"
    if math.isfinite(value) and not np.isfinite(found.similarities).all():
        return f"a score of {value} from similarities that are not finite"
    return None if not math.isfinite(value) or -100 <= value <= 100 else f"a score of {value}"


def bits(found: Scored) -> list[str]:
    """Score and similarities as exact texts."""
    return [found.score.spearman.hex(), found.similarities.astype(np.float64).tobytes().hex()]


def scores_of(recipes: Sequence[str], cache: Path) -> list[list[str]]:
    """The scores of recipes by an engine with this cache, as exact texts."""
    engine, corpus = engine_in(cache), pairs(60)
    return [bits(score(engine, Recipe.parse(recipe), corpus)) for recipe in recipes]


def _compare_elsewhere(
    tally: Tally, kept: dict[str, list[str]], folder: Path, chance: random.Random
) -> None:
    again = chance.sample(sorted(kept), len(kept))
    with ProcessPoolExecutor(1, get_context("forkserver")) as other:
        elsewhere = other.submit(scores_of, again, folder / "two").result(PATIENCE)
    found_again = sum(found == kept[recipe] for recipe, found in zip(again, elsewhere, strict=True))
    for recipe, found in zip(again, elsewhere, strict=True):
        if found != kept[recipe]:
            tally.right -= 1  # it was counted when it was first found
            tally.count(recipe, "another number in another order and process")
    tally.told = (
        f"{found_again:,} of {len(kept):,} scores were the same bits in another order, of an empty store, "
        "in a process of its own"
    )


def engine_in(cache: Path, memory_bytes: int = GIGABYTE) -> Engine:
    """An engine that stores what it reads in a folder."""
    return Engine(Settings(cache=cache, shipped=None, memory_bytes=memory_bytes))


def sources_in(folder: Path) -> list[str]:
    """A source of every kind over tiny models and word vectors made in a folder, as recipes write it."""
    models = {
        family: tiny.build(family, folder / family) if not (folder / family).exists() else folder / family
        for family in ("bert", "roberta", "gpt2")
    }
    words = sorted({word.strip(".,!?").lower() for text in many(150) for word in text.split()})
    generator = np.random.default_rng(5)
    lines = [f"{word} {' '.join(f'{x:.4f}' for x in generator.normal(size=12))}" for word in words]
    (folder / "words.txt").write_text("\n".join(lines) + "\n", "utf-8")
    (folder / "reference.txt").write_text("\n".join(f"so {text}" for text in many(80)) + "\n", "utf-8")
    reference = f"reference={folder / 'reference.txt'}"
    return [
        *(f"source={path};{reference}" for path in models.values()),
        f"source=vectors(path={folder / 'words.txt'});{reference}",
        f"source=averaged(model={models['bert']});{reference}",
        f"source=random;{reference}",
    ]


def every_source(folder: Path) -> list[str]:
    """The same, a template, and paragraph vectors where their package is installed."""
    known = sources_in(folder)
    more = ["source=doc2vec(epochs=2,dim=16)"] if SOURCE.options["doc2vec"].installed else []
    return [*known, f"{known[0]};template=T0", *(f"{one};{known[0].split(';')[1]}" for one in more)]


def random_recipes(bounds: Bounds, sources: Sequence[str]) -> Iterator[Recipe]:
    """Random recipes of a search's space on each of some sources, a few with a step that is trained."""
    chance, engine = Answers(bounds.seed), Engine(Settings(shipped=None))
    bases = [Recipe.parse(source) for source in sources]
    spaces = [Space.of(base, engine.source(base)) for base in bases]
    for number in bounds.trials():
        try:
            recipe = spaces[number % len(spaces)].propose(chance)
        except RecipeError:
            continue
        if POST.options["flow"].installed and chance.random() < TRAINED:
            steps = [*filter(None, str(recipe.spelled()["post"]).replace("none", "").split("+"))]
            recipe = recipe.replace(post="+".join([*steps, "flow(epochs=2)"]))
        yield recipe
