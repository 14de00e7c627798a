"""The command ``find``: the best recipe for a model and a corpus, chosen on dev and reported on test."""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from core.cli.common import (
    AddCommand,
    add_gold,
    engine_of,
    print_notes,
    progress_of,
    refuse_idle,
    scale_of,
)
from core.corpora.built_in import DEMO
from core.errors import CorpusError, StrataError, counted
from core.evaluation.scoring import number
from core.evaluation.sts import check_aggregate
from core.evaluation.tasks import TASK
from core.evaluation.tasks.groups import GROUPS, Asked, asked_for
from core.evaluation.tasks.task import task_for
from core.literature.presets.comparable import comparable, plain_mean
from core.pipeline.engine import Engine
from core.progress import Progress
from core.recipe import Recipe, shown
from core.recipe.grammar import split
from core.search.aims import Parted, part
from core.search.budget import Budget
from core.search.find import BEST, find
from core.search.found import PLAIN_MEAN, Compared, Found, Outcome, Ranked, is_plain
from core.search.proxies import PROXIES, Regret, parted_by, regrets
from core.search.question import COSTS, WIDER, Question
from core.search.space import SEARCHED

SAME, BELOW = "≈", "<"
"""Signs of recipes beside the best one: no difference shown, and below it."""

REASONS = 3
"""Reasons for trials without a score that are told by themselves."""


def add(command: AddCommand) -> None:
    """Add the command."""
    parser = command("find", _find, "Search the recipe that follows a corpus' gold scores best.")
    parser.add_argument(
        "--recipe",
        default="",
        help="what is held: source, template, reference, and stages that --stages lacks",
    )
    parser.add_argument(
        "--sources", default="", help="more models to search on, joined by ',': the choice may be of any"
    )
    parser.add_argument("--corpus", help="a name (see corpora) or the path of a table (default: demo)")
    parser.add_argument(
        "--corpora",
        help=f"several, joined by ',', chosen by the mean rank; or a group: {', '.join(GROUPS)}",
    )
    parser.add_argument(
        "--no-gold",
        choices=tuple(PROXIES),
        help="choose from the texts alone, by this; how well it chooses where gold is known is told",
    )
    parser.add_argument(
        "--task", help="as score has it, such as clustering (default: the one that a corpus is for)"
    )
    parser.add_argument(
        "--budget", default="200", help="so many trials, as 60, or a time, as 90s, 5m, 1h (default: 200)"
    )
    parser.add_argument(
        "--stages",
        default=",".join(SEARCHED),
        help="the stages to search, joined by ',' (default: all of these)",
    )
    parser.add_argument(
        "--no-reference",
        action="store_true",
        help="no step learns from the reference corpus (default: steps may)",
    )
    parser.add_argument(
        "--dimensions",
        type=_count,
        help=f"the most dimensions that vectors may have (default: {WIDER} times those of a token's)",
    )
    parser.add_argument(
        "--exports", action="store_true", help="only what can be written as a sentence-transformers model"
    )
    parser.add_argument(
        "--low", choices=COSTS, help="search for the whole front of high scores at a low cost of this"
    )
    parser.add_argument(
        "--no-halving",
        action="store_true",
        help="measure every trial on all of dev; else most are given up on a part of it",
    )
    add_gold(parser)
    parser.add_argument(
        "--seed",
        type=int,
        default=0,
        help="of the random numbers that proposals are made with (default: 0)",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _count(text: str) -> int:
    """A whole number from 1."""
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"got {text!r}; allowed is a whole number from 1")
    return int(text)


def _find(options: argparse.Namespace) -> None:
    budget, base, engine = Budget.parse(options.budget), Recipe.parse(options.recipe), engine_of(options)
    proxy = options.no_gold
    parts, missing = _parts(engine, options)
    question = Question.of(
        engine,
        base,
        parts,
        tuple(name for name in options.stages.split(",") if name and not (proxy and name == "similarity")),
        reference=not options.no_reference,
        exports=options.exports,
        dimensions=options.dimensions,
        seed=options.seed,
        cost=options.low or "",
        halving=not options.no_halving,
        sources=[name for name in split(options.sources, ",") if name.strip()],
    )
    found = find(engine, question, budget, progress_of(options))
    print_notes([*found.notes, *missing])
    if options.json:
        about: dict[str, object] = {"corpus": question.name, "aggregate": options.aggregate}
        if proxy:
            about["regrets"] = [
                {key: number(value) if isinstance(value, float) else value for key, value in each.items()}
                for each in map(asdict, _regrets(engine, base, progress_of(options)))
            ]
        print(json.dumps(_answer(found) | about, ensure_ascii=False))
        return
    print("\n".join(_lines(found, question.name)))
    if proxy:
        told = _regrets(engine, base, progress_of(options))
        print(f"  without gold on {told[0].corpus}, where it is known, of {told[0].recipes} methods:")
        for each in told:
            print(
                f"    by {each.proxy}: {each.score:.2f}, {each.regret:.2f} below the best of them "
                f"({each.at_random:.2f} at random); rank correlation with the scores {each.agrees:+.2f}"
            )


def _regrets(engine: Engine, base: Recipe, progress: Progress) -> list[Regret]:
    """How well each proxy chooses among the published methods, on the corpus that comes along."""
    recipes = [plain_mean(base), *comparable(base).values()]
    return regrets(engine, recipes, part(engine.corpus(DEMO, "all")).test, progress)


def _parts(engine: Engine, options: argparse.Namespace) -> tuple[list[Parted], list[str]]:
    """Dev and test of every corpus, and a note on what of a group is not here."""
    if options.corpus is not None and options.corpora is not None:
        raise CorpusError("--corpus names one corpus and --corpora several; give one of the two.")
    if options.no_gold:
        refuse_idle(options, "find", ["task"], "is of gold scores or labels; leave it, or --no-gold, out.")
        if options.aggregate != "all":
            raise StrataError("find: --aggregate is of gold scores; leave it, or --no-gold, out.")
    aggregate, scale = check_aggregate(options.aggregate), scale_of(options.scale)
    given = None if options.task is None else TASK.parse(options.task)
    asked, missing = [Asked("", options.corpus or DEMO)], tuple[str, ...]()
    if options.corpora is not None:
        asked, missing = asked_for(engine.catalogue, options.corpora)
    parts = []
    for _, name, own in asked:
        whole = engine.corpus(name, "all", scale)
        if options.no_gold:
            parts.append(parted_by(whole, options.no_gold))
            continue
        parts.append(part(whole, given or own or task_for(whole), aggregate))
    return parts, [f"Not here, and not in the search: {', '.join(missing)}."] if missing else []


def _answer(found: Found) -> dict[str, Any]:
    """Every number; one that does not exist is None."""
    return {
        "recipe": found.recipe,
        "metric": found.metric,
        "dev": number(found.dev),
        "test": number(found.test.value),
        "low": number(found.test.low),
        "high": number(found.test.high),
        "trials": len(found.trials),
        "given_up": {str(rows): often for rows, often in found.ended.items()},
        "left_out": found.unscored,
        "barred": found.barred,
        "recipes": len(found.scored),
        "alike": found.alike,
        "optimism": number(found.optimism),
        "baseline": _of_other(found.baseline),
        "preset": _of_other(found.preset),
        "published_as": next(iter(found.chosen_names), None),
        "matters": {stage: number(share) for stage, share in found.matters.items()},
        "front": [
            {
                "recipe": each.recipe,
                "dev": number(each.dev),
                "dimensions": each.dimensions,
                "milliseconds": number(each.milliseconds),
            }
            for each in found.ranked
            if each.recipe in {trial.recipe for trial in found.front}
        ],
        "tests": {name: number(each.value) for name, each in found.tests.items()},
        "rows": {"dev": found.rows[0], "test": found.rows[1]},
    }


def _of_other(other: Compared | None) -> dict[str, Any] | None:
    if other is None:
        return None
    gain = other.gain
    bounds = {"gain": number(gain.value), "low": number(gain.low), "high": number(gain.high)}
    return {"name": other.name, "recipe": other.recipe, "test": number(other.test), **bounds}


def _interval(test: Outcome) -> str:
    """Nothing for what has no interval: uniformity and IsoScore of one set of vectors."""
    return f", 95 % between {test.low:.2f} and {test.high:.2f}" if math.isfinite(test.low) else ""


def _owed(found: Found) -> str:
    if not math.isfinite(found.optimism):
        return f", the best of {counted(len(found.scored), 'recipe')}"
    of = f"choosing the best of {counted(len(found.scored), 'recipe')}"
    if found.optimism >= found.dev:
        return f", which may all be owed to {of}: that gains about {found.optimism:.2f} points"
    return f", of which {found.optimism:.2f} points are owed to {of}"


def _lines(found: Found, corpora: str) -> list[str]:
    """The choice, what it is worth on test, what it is compared with, and the best ten on dev."""
    test, unit = found.test, found.unit.removesuffix("s")
    lines = [
        f"{corpora}, {found.metric}: {shown(found.recipe)}",
        f"  test {test.value:.2f}{_interval(test)}; {counted(found.rows[1], unit)}",
        f"  dev {found.dev:.2f}{_owed(found)}; {counted(found.rows[0], unit)}",
    ]
    for other, what in ((found.baseline, PLAIN_MEAN), (found.preset, "the best published method")):
        lines.append(f"  against {_against(found, other, what)}")
    lines.append(f"  {counted(len(found.trials), 'trial')}, of which {found.unscored} could not be scored")
    if found.alike:
        lines.append(f"  of the same score as another one on every resample of dev: {len(found.alike):,}")
    if found.barred:
        lines.append(f"  left out to save time: {found.saved}")
    if found.rungs:
        ended = [f"{often} after {rows:,}" for rows, often in found.ended.items()]
        lines.append(f"  given up on a part of dev: {', '.join(ended)} of {found.rows[0]:,} {found.unit}")
    if found.matters:
        shares = ", ".join(f"{stage} {100 * share:.0f} %" for stage, share in found.matters.items())
        where = f"{found.rungs[0]:,} {found.unit} of dev" if found.rungs else "dev"
        lines.append(f"  of the variance on {where}, by stage: {shares}")
    if len(found.tests) > 1:
        lines.extend(f"    {name}: {each.value:.2f}" for name, each in found.tests.items())
    best = found.ranked[:BEST]
    lines.append(f"  the best on dev, {len(best)} of {len(found.scored)}{_with_methods(found)}:")
    lines += [f"    {_row(each)}" for each in best]
    return [*lines, *_signs(best), *_problems(found)]


def _against(found: Found, other: Compared | None, what: str) -> str:
    """The difference from another recipe on test, or why there is none from ``what``."""
    if other is not None:
        return f"{other.name} ({other.recipe or 'defaults'}, test {other.test:.2f}): {_gain(other)}"
    names = (name for name in found.chosen_names if is_plain(name) == (what == PLAIN_MEAN))
    if name := next(names, ""):
        return f"{what}{f', {name}' * (what != PLAIN_MEAN)}: it is the choice itself"
    if what != PLAIN_MEAN and not found.methods:
        return f"{what}: none is in the space that is searched"
    return f"{what}: none could be scored"


def _with_methods(found: Found) -> str:
    return " with the published methods" if found.methods else ""


def _signs(best: Sequence[Ranked]) -> list[str]:
    """What the signs of the table mean, those that it has."""
    meant = {
        SAME: "no difference from the best one is shown, the paired 95 % interval on dev holds 0",
        BELOW: "below the best one, the paired interval of their difference leaves out 0",
        "": "no sign: no interval is known",
    }
    have = {_sign(each) for each in best[1:]}
    told = [" ".join(filter(None, (sign, meaning))) for sign, meaning in meant.items() if sign in have]
    return [f"    {'; '.join(told)}"] if told else []


def _problems(found: Found) -> list[str]:
    """Why trials got no score: the commonest reasons."""
    lines = [f"    {often:,} × {reason}" for often, reason in found.reasons(REASONS)]
    return ["  why trials have no score:", *lines] if lines else []


def _row(ranked: Ranked) -> str:
    """Score, dimensions, milliseconds, whether it can be told apart from the best, and the recipe."""
    costs = f"{ranked.dimensions:5,} dim {ranked.milliseconds:6.2f} ms"
    return f"{ranked.dev:6.2f} {_sign(ranked) or ' '} {costs}  {shown(ranked.recipe)}"


def _sign(ranked: Ranked) -> str:
    """Whether a recipe can be told apart from the best one; empty without an interval."""
    if ranked.apart:
        return BELOW
    return SAME if ranked.behind.known else ""


def _gain(other: Compared) -> str:
    gain = other.gain
    if not gain.known:
        return "no interval"
    interval = f"95 % between {gain.low:+.2f} and {gain.high:+.2f}"
    if not gain.shown:
        return f"no difference shown, {gain.value:+.2f}, {interval}"
    return f"{gain.value:+.2f}, {interval}"
