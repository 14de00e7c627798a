"""The command ``find``: the best recipe for a model and a corpus, chosen on dev and reported on test."""

from __future__ import annotations

import argparse
import json
from typing import Any

from core.cli.common import AddCommand, engine_of, print_notes, progress_of, scale_of
from core.corpora.catalogue import DEMO
from core.evaluation.scoring import number
from core.evaluation.sts import check_aggregate
from core.recipe import Recipe
from core.search.budget import Budget
from core.search.find import Compared, Found, find, left_out, split_in_two
from core.search.question import WIDER, Question
from core.search.space import SEARCHED

_SHOWN = 10
"""Recipes that are printed, the best on dev first."""


def add(command: AddCommand) -> None:
    """Add the command."""
    parser = command("find", _find, "Search the recipe that follows a corpus' gold scores best.")
    parser.add_argument(
        "--recipe",
        default="",
        help="what is held: source, template, reference, and stages that --stages lacks",
    )
    parser.add_argument("--corpus", default=DEMO, help="a name (see corpora) or the path of a table")
    parser.add_argument(
        "--budget", default="200", help="so many trials, as 60, or a time, as 90s, 5m, 1h (default: 200)"
    )
    parser.add_argument(
        "--stages",
        default=",".join(SEARCHED),
        help="the stages to search, joined by ',' (default: all of these)",
    )
    parser.add_argument(
        "--no-reference", action="store_true", help="no step learns from the reference corpus"
    )
    parser.add_argument(
        "--dimensions",
        type=_count,
        help=f"the most dimensions that vectors may have (default: {WIDER} times those of a token's)",
    )
    parser.add_argument("--aggregate", default="all", help="all, mean or wmean (default: all)")
    parser.add_argument("--scale", help="range of the gold scores, LOW:HIGH (default 0:5)")
    parser.add_argument("--seed", type=int, default=0, help="of the proposals (default: 0)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _count(text: str) -> int:
    """A whole number from 1."""
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"got {text!r}; allowed is a whole number from 1")
    return int(text)


def _find(options: argparse.Namespace) -> None:
    budget, aggregate = Budget.parse(options.budget), check_aggregate(options.aggregate)
    base, scale, engine = Recipe.parse(options.recipe), scale_of(options.scale), engine_of(options)
    dev, test, notes = split_in_two(engine.corpus(options.corpus, "all", scale))
    stages = tuple(filter(None, options.stages.split(",")))
    question = Question.of(
        engine,
        base,
        dev,
        stages,
        reference=not options.no_reference,
        dimensions=options.dimensions,
        aggregate=aggregate,
        seed=options.seed,
    )
    found = find(engine, question, test, budget, progress_of(options))
    print_notes([*notes, *found.notes])
    if options.json:
        print(json.dumps(_answer(found) | {"corpus": dev.name, "aggregate": aggregate}, ensure_ascii=False))
        return
    print("\n".join(_lines(found, dev.name)))


def _answer(found: Found) -> dict[str, Any]:
    """Every number; one that does not exist is None."""
    return {
        "recipe": found.recipe,
        "dev": number(found.dev),
        "test": number(found.test.spearman),
        "low": number(found.test.low),
        "high": number(found.test.high),
        "trials": len(found.trials),
        "left_out": left_out(found.trials),
        "recipes": len(found.scored),
        "optimism": number(found.optimism),
        "baseline": _of_other(found.baseline),
        "preset": _of_other(found.preset),
        "pairs": {"dev": found.pairs[0], "test": found.pairs[1]},
    }


def _of_other(other: Compared | None) -> dict[str, Any] | None:
    if other is None:
        return None
    gain = other.gain
    bounds = {"gain": number(gain.value), "low": number(gain.low), "high": number(gain.high)}
    return {"name": other.name, "recipe": other.recipe, "test": number(other.test), **bounds}


def _lines(found: Found, corpus: str) -> list[str]:
    """The choice, what it is worth on test, what it is compared with, and the best ten on dev."""
    test = found.test
    lines = [
        f"{corpus}, Spearman × 100: {found.recipe or '(defaults)'}",
        f"  test {test.spearman:.2f}, 95 % between {test.low:.2f} and {test.high:.2f}; "
        f"{found.pairs[1]:,} pairs",
        f"  dev {found.dev:.2f}, of which {found.optimism:.2f} points are owed to choosing the best of "
        f"{len(found.scored)} recipes; {found.pairs[0]:,} pairs",
    ]
    for other in (found.baseline, found.preset):
        if other is not None:
            lines.append(f"  against {other.name} ({other.recipe}, test {other.test:.2f}): {_gain(other)}")
    lines.append(f"  {len(found.trials)} trials, of which {left_out(found.trials)} could not be scored")
    best = list(found.scored.items())[:_SHOWN]
    lines.append(f"  the best on dev, {len(best)} of {len(found.scored)} with the published methods:")
    return [*lines, *(f"    {score:6.2f}  {recipe or '(defaults)'}" for recipe, score in best)]


def _gain(other: Compared) -> str:
    gain = other.gain
    interval = f"95 % between {gain.low:+.2f} and {gain.high:+.2f}"
    if not gain.shown:
        return f"no difference shown, {gain.value:+.2f}, {interval}"
    return f"{gain.value:+.2f}, {interval}"
