"""Stored files that somebody damaged: the right answer, or a clear error, and never another number."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path

from core.evaluation.scoring import score
from core.recipe import Recipe
from core.storage.kept_recipes import KeptRecipes
from tests.campaign.recipes import bits, engine_in, sources_in
from tests.campaign.tally import Bounds, Tally
from tests.core.helpers.texts import pairs

Answers = dict[str, object]


LITTLE = 32_000
"""Bytes of memory for results: the vectors of sixty texts are more than their share, and go to files."""


def stored_files(bounds: Bounds, folder: Path) -> Tally:
    """One damage to one stored file at a time, before a fresh engine is asked for everything again.

    Files are taken in turn, so that every kind meets every damage before one meets it twice.
    """
    tally, chance = Tally("stored files damaged"), random.Random(bounds.seed)
    recipes = recipes_in(folder)
    whole, damaged = folder / "whole", folder / "damaged"
    right = answers(recipes, whole)
    assert answers(recipes, whole) == right
    files = sorted(path.relative_to(whole) for path in whole.rglob("*") if path.is_file())
    files = [path for path in files if path.suffix != ".lock"]
    trials = [(file, name) for file in files for name in DAMAGES]
    chance.shuffle(trials)
    for number in bounds.trials():
        file, name = trials[number % len(trials)]
        shutil.rmtree(damaged, ignore_errors=True)
        shutil.copytree(whole, damaged)
        DAMAGES[name](damaged / file, chance)
        tally.count(f"{file}: {name}", difference(recipes, damaged, right))
    return tally


def recipes_in(folder: Path) -> list[str]:
    """A few recipes that between them store a file of every kind."""
    bert, _, _, vectors, averaged, table = sources_in(folder)
    steps = ("layers=all", "post=whiten(fit=reference)", "weight=idf(fit=reference);layers=1")
    return [*(f"{bert};{step}" for step in steps), vectors, averaged, table]


def answers(recipes: list[str], cache: Path) -> Answers:
    """Every score as its bits, and the recipes that are kept by name."""
    engine, corpus = engine_in(cache, LITTLE), pairs(60)
    found: Answers = {text: bits(score(engine, Recipe.parse(text), corpus)) for text in recipes}
    kept = KeptRecipes(cache / "recipes.json")
    if not (cache / "recipes.json").exists():
        kept.keep("layers=1", "mine")
    return found | {"kept": {text: one.name for text, one in kept.all().items()}}


def difference(recipes: list[str], cache: Path, right: Answers) -> str | Exception | None:
    """What another engine says otherwise; what was kept by name may be lost, and not be another."""
    try:
        found = answers(recipes, cache)
    except Exception as error:
        return error
    wrong = [text for text in recipes if found[text] != right[text]]
    if wrong:
        return f"another number for {wrong[0]}"
    return None if found["kept"] in ({}, right["kept"]) else f"kept recipes are {found['kept']}"


def _flip(path: Path, chance: random.Random) -> None:
    content = bytearray(path.read_bytes())
    content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
    path.write_bytes(bytes(content))


def _cut(path: Path, chance: random.Random) -> None:
    os.truncate(path, chance.randrange(path.stat().st_size))


def _empty(path: Path, chance: random.Random) -> None:
    path.write_bytes(b"")


def _lengthen(path: Path, chance: random.Random) -> None:
    path.write_bytes(path.read_bytes() + chance.randbytes(chance.randint(1, 99)))


def _zero(path: Path, chance: random.Random) -> None:
    path.write_bytes(bytes(path.stat().st_size))


def _swap(path: Path, chance: random.Random) -> None:
    """The content of another file of the same kind: whole, and not the one that belongs there."""
    alike = [one for one in path.parents[1].rglob(f"*{path.suffix}") if one.is_file() and one != path]
    if alike:
        shutil.copy(chance.choice(sorted(alike)), path)


def _folder(path: Path, chance: random.Random) -> None:
    path.unlink()
    path.mkdir()
    (path / "file").write_text("")


def _remove(path: Path, chance: random.Random) -> None:
    path.unlink()


def _earlier(path: Path, chance: random.Random) -> None:
    os.utime(path, (1.0, 1.0))


def _forbid(path: Path, chance: random.Random) -> None:
    path.chmod(0)


DAMAGES: dict[str, Callable[[Path, random.Random], None]] = {
    "one bit": _flip,
    "cut": _cut,
    "empty": _empty,
    "longer": _lengthen,
    "zeros": _zero,
    "that of another": _swap,
    "a folder": _folder,
    "removed": _remove,
    "clock back": _earlier,
    "no permission": _forbid,
}
