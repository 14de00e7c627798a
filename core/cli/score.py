"""The command ``score``: one corpus, several, or a group and its mean."""

from __future__ import annotations

import argparse
import json
import math
from typing import Any

from core.cli.common import (
    AddCommand,
    add_recipe,
    add_scoring,
    engine_of,
    print_notes,
    progress_of,
    scale_of,
)
from core.corpora.built_in import DEMO
from core.corpora.corpus import Corpus
from core.errors import CorpusError, counted
from core.evaluation.scoring import number, score
from core.evaluation.sts import Aggregate, check_aggregate, few
from core.evaluation.tasks import TASK
from core.evaluation.tasks.groups import GROUPS, asked_for, mean_of
from core.evaluation.tasks.running import TaskScored, of_similarity, run_task
from core.evaluation.tasks.similarity import STS
from core.evaluation.tasks.task import TaskResult, describe_tasks, task_for
from core.literature.rules.running import CORRELATED
from core.pipeline.engine import Engine
from core.recipe import Recipe, shown
from core.recipe.options import Choice


def add(command: AddCommand) -> None:
    """Add the command."""
    parser = command("score", _score, "Score a recipe on a corpus: similarity, classification, clustering.")
    add_recipe(parser)
    parser.add_argument("--corpus", help="a name (see corpora) or the path of a table (default: demo)")
    parser.add_argument(
        "--corpora", help=f"several, joined by ',', and their mean; or a group: {', '.join(GROUPS)}"
    )
    parser.add_argument("--task", help="a task (see below); the one that the corpus is for when left out")
    parser.epilog = f"{parser.epilog}\n\n{describe_tasks()}"
    add_scoring(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _score(options: argparse.Namespace) -> None:
    if options.corpora is not None:
        _score_several(options)
        return
    options.corpus = DEMO if options.corpus is None else options.corpus
    recipe, aggregate = Recipe.parse(options.recipe), check_aggregate(options.aggregate)
    task = None if options.task is None else TASK.parse(options.task)
    scale, engine = scale_of(options.scale), engine_of(options)
    whole = engine.corpus(options.corpus, "all", scale)
    task = task_for(whole) if task is None else task
    if task == STS:
        _score_pairs(
            engine, recipe, engine.corpus(options.corpus, options.split, scale), aggregate, options
        )
        return
    scored = run_task(engine, recipe, whole, task, options.split, aggregate, progress_of(options))
    if options.json:
        print(json.dumps(_answer(task, scored, options), ensure_ascii=False))
        return
    result = scored.result
    low, high = result.bounds
    print_notes(_notes(task, result, options))
    print(
        f"{whole.name} {scored.about['split']}: {result.value:.2f} {result.metric} × 100, task {task.name}"
    )
    others = "; ".join(f"{name} {value:.2f}" for name, value in result.others.items())
    print(f"  {_interval(low, high)}; {others}")
    print(f"  {result.protocol}")
    print(f"  recipe {shown(recipe)}; {counted(result.n, 'row')}; {scored.seconds:.1f} s")


def _answer(task: Choice, scored: TaskScored, options: argparse.Namespace) -> dict[str, Any]:
    """What there is to say of a score, every note among it."""
    return scored.answer() | {"notes": _notes(task, scored.result, options)}


def _notes(task: Choice, result: TaskResult, options: argparse.Namespace) -> list[str]:
    """The notes of a score, and what :func:`_told` says."""
    return [*dict.fromkeys([*result.notes, *_told(task, result, options)])]


def _told(task: Choice, result: TaskResult, options: argparse.Namespace) -> list[str]:
    """What is told of few rows and of options without effect."""
    return [*_few(task, result), *_idle(task, options)]


def _idle(task: Choice, options: argparse.Namespace) -> list[str]:
    """What is asked for and does nothing for the task."""
    idle = {
        "--scale": options.scale is not None and task.name not in CORRELATED,
        "--aggregate": options.aggregate != "all" and task.name != STS.name,
    }
    return [f"{name} has no effect on the task {task.name}." for name, is_idle in idle.items() if is_idle]


def _few(task: Choice, result: TaskResult) -> list[str]:
    """What a reader must know of an interval of few pairs or rows."""
    if task.name in CORRELATED:
        return few(result.n, *result.bounds)
    return few(result.n, *result.bounds, "row") if math.isfinite(result.bounds[0]) else []


def _interval(low: float, high: float) -> str:
    """The bounds of a score, or that there are none."""
    return f"95 % between {low:.2f} and {high:.2f}" if math.isfinite(low) else "no interval"


def _columns(low: float, high: float) -> str:
    """The bounds of a score as two columns, or that there are none."""
    return f"{low:6.2f} {high:6.2f}" if math.isfinite(low) else f"{'no interval':>13}"


def _score_several(options: argparse.Namespace) -> None:
    """Every corpus, or every member of a group, and the mean of their main values."""
    if options.corpus is not None:
        raise CorpusError("--corpus names one corpus and --corpora several; give one of the two.")
    recipe, aggregate = Recipe.parse(options.recipe), check_aggregate(options.aggregate)
    given = None if options.task is None else TASK.parse(options.task)
    scale, engine = scale_of(options.scale), engine_of(options)
    asked, missing = asked_for(engine.catalogue, options.corpora)
    scores: list[TaskScored] = []
    answers, told = [], []
    for title, name, own in asked:
        whole = engine.corpus(name, "all", scale)
        task = given or own or task_for(whole)
        scored = run_task(engine, recipe, whole, task, options.split, aggregate, progress_of(options))
        scores.append(scored)
        answers.append({"title": title, **_answer(task, scored, options)})
        told += [f"{title}: {note}" for note in _told(task, scored.result, options)]
        if not options.json:
            value, bounds = scored.result.value, _columns(*scored.result.bounds)
            print(f"{title:<24} {value:6.2f} {scored.result.metric:<9} {bounds}")
    mean = mean_of([scored.result for scored in scores])
    low, high = mean.bounds
    metrics = "+".join(dict.fromkeys(scored.result.metric for scored in scores))
    if options.json:
        answer = {
            "recipe": str(recipe),
            "corpora": options.corpora,
            "metric": metrics,
            "value": number(mean.value),
            "low": number(low),
            "high": number(high),
            **{name: number(value) for name, value in mean.others.items()},
            "tasks": mean.tasks,
            "missing": list(missing),
            "scores": answers,
        }
        print(json.dumps(answer, ensure_ascii=False))
        return
    title = f"mean of {mean.tasks}"
    others = "".join(f"  {name} {value:.2f}" for name, value in mean.others.items())
    print(f"{title:<24} {mean.value:6.2f} {metrics:<9} {_columns(low, high)}{others}")
    if missing:
        told.append(f"Not here, and not in the mean: {', '.join(missing)}.")
    print_notes(told)


def _score_pairs(
    engine: Engine, recipe: Recipe, corpus: Corpus, aggregate: Aggregate, options: argparse.Namespace
) -> None:
    """The task sts: the same answer with the scores of subsets beside it."""
    scored = score(engine, recipe, corpus, aggregate, progress_of(options))
    whole = scored.score
    if not options.json:
        print_notes(scored.notes)
        print(
            f"{corpus.name} {corpus.split_name}: {whole.spearman:.2f} Spearman × 100, aggregate {aggregate}"
        )
        print(f"  {_interval(whole.low, whole.high)}; Pearson {whole.pearson:.2f}")
        for name, (rank, linear, pairs) in whole.subsets.items():
            print(f"  {name:<24} {rank:6.2f}  Pearson {linear:6.2f}  {counted(pairs, 'pair')}")
        milliseconds = scored.seconds * 1000
        print(f"  recipe {shown(recipe)}; {counted(whole.pairs, 'pair')}; {milliseconds:.0f} ms")
        return
    subsets = {
        name: {"spearman": number(rank), "pearson": number(linear), "pairs": pairs}
        for name, (rank, linear, pairs) in whole.subsets.items()
    }
    answer = scored.answer() | of_similarity(scored, corpus) | {"subsets": subsets}
    print(json.dumps(answer, ensure_ascii=False))
