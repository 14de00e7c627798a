"""The command line of the engine: scores, vectors, sweeps and lists.

Answers go to standard output, progress and notes to standard error. A wrong value exits with code 2 and one
line that names the value, what was given and what is allowed.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn

import numpy as np

from core import __version__
from core.corpora.catalogue import DEMO, HUB
from core.corpora.corpus import Corpus, clean
from core.corpora.fetching import fetching, listed_benchmarks
from core.corpora.tables import read_lines
from core.encoders.models import available
from core.errors import CorpusError, ScaleError, StrataError, shorten
from core.evaluation.scoring import number, score
from core.evaluation.sts import Aggregate, check_aggregate
from core.evaluation.tasks import TASK
from core.evaluation.tasks.groups import GROUPS, asked_for, mean_of
from core.evaluation.tasks.running import of_similarity, run_task
from core.evaluation.tasks.task import describe_tasks, task_for
from core.literature.presets import PRESETS
from core.literature.presets.of_paper import figures, presets_of
from core.literature.published_sets import as_lines_of_set, described
from core.literature.rules import rule_of
from core.literature.rules.running import Reproduction, as_line
from core.literature.tables import PAPERS, Paper, Table, find_table, paper, tables
from core.literature.tables.printing import as_lines, as_text
from core.literature.tables.slips import slips_of
from core.pipeline.engine import Engine
from core.progress import Progress, Step, silent
from core.recipe import Recipe, describe_options
from core.recipe.options import Choice
from core.settings import FORWARD, STORAGE, Settings
from core.sweeps.sweep import Request, read_recipes, sweep
from core.sweeps.workers import BACKENDS, Workers
from core.trust import is_folder

SECONDS_BETWEEN_LINES = 1.0

_PAPERS = ", ".join(f"{known.number} {known.citation}" for known in PAPERS)

_SWEEP = """The table has one row for each recipe and corpus: the values of score --json but its subsets,
the scale that was given, and an error where there is no score. A corpus of labelled texts is classified,
clustered or probed, as --task, the group or its folder says: the columns task, metric, value, low, high,
protocol, seeds and n say what was found.

Every row is written when it is finished. The same command continues where it was stopped, tries failed rows
again, and scores a row again when its corpus, its model or its scale has changed.

It exits with 0 when every row has a score, and with 1 when some rows failed.

Recipes of one source and template share a forward pass per corpus and are one task: with several workers
their rows arrive together. DASK_SCHEDULER_ADDRESS names a Dask cluster and RAY_ADDRESS a Ray cluster;
without them one is started on this machine. The workers of a cluster need the same packages, this project
and the same folders.
"""


class _Parser(argparse.ArgumentParser):
    """An argument parser whose error message is one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {' '.join(message.split())}\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    parser = _build_parser()
    options = parser.parse_args(arguments)
    try:
        return options.command(options) or 0
    except StrataError as error:
        advice = " Another scale is given with --scale LOW:HIGH." if isinstance(error, ScaleError) else ""
        print(f"{parser.prog}: {' '.join(str(error).split())}{advice}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(
            "\nStopped. What was read so far is kept; the same command goes on from there.", file=sys.stderr
        )
        return 130


def _build_parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="python -m core",
        description="Sentence vectors from transformer layers, and how well they follow gold scores.",
    )
    parser.add_argument("--version", action="version", version=f"Sentence Strata {__version__}")
    commands = parser.add_subparsers(dest="name", required=True, metavar="COMMAND")

    def command(
        name: str, run: Callable[[argparse.Namespace], int | None], help_: str
    ) -> argparse.ArgumentParser:
        subparser = commands.add_parser(
            name,
            help=help_,
            description=help_,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        subparser.set_defaults(command=run)
        _add_settings(subparser)
        return subparser

    score_ = command("score", _score, "Score a recipe on a corpus: similarity, classification, clustering.")
    _add_recipe(score_)
    score_.add_argument("--corpus", help="a name (see corpora) or the path of a table (default: demo)")
    score_.add_argument(
        "--corpora", help=f"several, joined by ',', and their mean; or a group: {', '.join(GROUPS)}"
    )
    score_.add_argument("--task", help="a task (see below); the one that the corpus is for when left out")
    score_.epilog = f"{score_.epilog}\n\n{describe_tasks()}"
    _add_scoring(score_)
    score_.add_argument("--json", action="store_true", help="print one JSON object")

    sweep_ = command("sweep", _sweep, "Score every recipe of a file on several corpora.")
    sweep_.add_argument(
        "--recipes", required=True, type=Path, help="a text file, one recipe a line; # comments"
    )
    sweep_.add_argument(
        "--corpora", required=True, help=f"names or paths of tables, joined by ,; or {', '.join(GROUPS)}"
    )
    sweep_.add_argument("--task", help="a task for all of them; else each has the one that it is for")
    _add_scoring(sweep_)
    sweep_.add_argument(
        "--output", required=True, type=Path, help="a .csv file: a row per recipe and corpus"
    )
    sweep_.add_argument(
        "--backend", default="loky", help=f"{', '.join(BACKENDS)} (default: loky, processes)"
    )
    sweep_.add_argument("--jobs", type=int, help="workers, -1 for all (default: 1, or all of a cluster)")
    sweep_.epilog = _SWEEP

    embed = command("embed", _embed, "Write one vector per line of a text file.")
    _add_recipe(embed)
    embed.add_argument("--input", required=True, type=Path, help="a text file, one sentence a line")
    embed.add_argument("--output", required=True, type=Path, help="a .npy file: [line, dim], float32")

    command("models", _models, "List the models that work without network.")
    corpora = command("corpora", _corpora, "List the corpora there are by name, or say what some are like.")
    corpora.add_argument(
        "names",
        nargs="?",
        help="names or paths, joined by ,: rows, classes, words and lengths of each split",
    )
    corpora.add_argument("--split", help="that split alone, or all")
    corpora.add_argument("--json", action="store_true", help="print a JSON list")
    data = command("data", _data, "Fetch benchmarks from the hub into a data folder, or list them.")
    data.add_argument("names", nargs="?", help=f"joined by ,: {', '.join(HUB)}")
    data.add_argument("--sizes", action="store_true", help="only say what would be downloaded")
    presets = command("presets", _presets, "List named recipes of the literature.")
    presets.add_argument("--paper", help=f"those of one paper, with what it prints: {_PAPERS}")
    tables_ = command("tables", _tables, "List the papers' result tables, or print one as it is printed.")
    tables_.add_argument("paper", nargs="?", help=f"the paper: {_PAPERS}")
    tables_.add_argument("table", nargs="?", help="the table: its number, or the word the list has for it")
    tables_.add_argument("--tsv", action="store_true", help="the figures one a line, tab-separated")
    tables_.add_argument("--slips", action="store_true", help="only what does not add up in print")
    tables_.add_argument(
        "--here", action="store_true", help="compute the figures of the table that can be computed here"
    )
    tables_.add_argument("--column", help="with --here: one column alone, by its name")
    tables_.add_argument(
        "--recipe", default="", help="with --here: a recipe whose source stands for the paper's model"
    )
    cache = command("cache", _cache, "Show what is stored, or remove it.")
    cache.add_argument("--clear", action="store_true", help="remove every stored pass and table")
    cache.add_argument("--uploads", action="store_true", help="with --clear: visitors' corpus files too")
    return parser


def _add_recipe(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--recipe", default="", help="stage=value joined by ';' (default: all defaults)")
    parser.epilog = "Stages of a recipe and their values:\n\n" + describe_options()


def _add_scoring(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--split", help="a split of the corpus, or all (default: test if there is one)")
    parser.add_argument("--aggregate", default="all", help="all, mean or wmean (default: all)")
    parser.add_argument("--scale", help="range of the gold scores, LOW:HIGH (default 0:5)")


def _add_settings(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("settings")
    group.add_argument("--data", type=_folder, help="folder with corpora (STRATA_DATA)")
    group.add_argument("--cache", type=_folder, help="folder of stored passes (STRATA_CACHE)")
    group.add_argument("--forward", help=f"forward pass: {' or '.join(FORWARD)} (STRATA_FORWARD)")
    group.add_argument("--storage", help=f"stored numbers: {' or '.join(STORAGE)} (STRATA_STORAGE)")
    group.add_argument("--quiet", action="store_true", help="no progress on standard error")


def _folder(text: str) -> Path:
    """A folder's path; an empty text, such as an unset variable, would mean the current folder."""
    if not text.strip():
        raise argparse.ArgumentTypeError("got ''; allowed is the path of a folder")
    return Path(text)


def _engine(options: argparse.Namespace) -> Engine:
    return Engine(
        Settings.from_environment(
            data=options.data, cache=options.cache, forward=options.forward, storage=options.storage
        )
    )


def _progress(options: argparse.Namespace) -> Progress:
    """Print each kind of step on standard error once a second, and its end."""
    if options.quiet:
        return silent
    last: dict[str, float] = {}

    def print_step(step: Step) -> None:
        now = time.perf_counter()
        if now - last.get(step.what, -math.inf) >= SECONDS_BETWEEN_LINES or step.done >= step.total:
            print(step, file=sys.stderr, flush=True)
            last[step.what] = now

    return print_step


def _scale(text: str | None) -> tuple[float, float] | None:
    if text is None:
        return None
    try:
        low, high = (float(part) for part in text.split(":"))
    except ValueError:
        low = high = math.nan
    if not low < high or not math.isfinite(high - low):
        raise CorpusError(f"scale: got {shorten(text)}; allowed is LOW:HIGH, as 0:5.")
    return low, high


def _score(options: argparse.Namespace) -> None:
    if options.corpora is not None:
        _score_several(options)
        return
    options.corpus = DEMO if options.corpus is None else options.corpus
    recipe, aggregate = Recipe.parse(options.recipe), check_aggregate(options.aggregate)
    task = None if options.task is None else TASK.parse(options.task)
    scale, engine = _scale(options.scale), _engine(options)
    whole = engine.corpus(options.corpus, "all", scale)
    task = task_for(whole) if task is None else task
    if task == Choice("sts"):
        _score_pairs(
            engine, recipe, engine.corpus(options.corpus, options.split, scale), aggregate, options
        )
        return
    scored = run_task(engine, recipe, whole, task, options.split, aggregate, _progress(options))
    if options.json:
        print(json.dumps(scored.answer(), ensure_ascii=False))
        return
    result = scored.result
    low, high = result.bounds
    _print_notes(result.notes)
    print(
        f"{whole.name} {scored.about['split']}: {result.value:.2f} {result.metric} × 100, task {task.name}"
    )
    others = "; ".join(f"{name} {value:.2f}" for name, value in result.others.items())
    print(f"  95 % between {low:.2f} and {high:.2f}; {others}")
    print(f"  {result.protocol}")
    print(f"  recipe {str(recipe) or '(defaults)'}; {result.n:,} rows; {scored.seconds:.1f} s")


def _score_several(options: argparse.Namespace) -> None:
    """Every corpus, or every member of a group, and the mean of their main values."""
    if options.corpus is not None:
        raise CorpusError("--corpus names one corpus and --corpora several; give one of the two.")
    recipe, aggregate = Recipe.parse(options.recipe), check_aggregate(options.aggregate)
    given = None if options.task is None else TASK.parse(options.task)
    scale, engine = _scale(options.scale), _engine(options)
    asked, missing = asked_for(engine.catalogue, options.corpora)
    scores = []
    for title, name, own in asked:
        whole = engine.corpus(name, "all", scale)
        task = given or own or task_for(whole)
        scored = run_task(engine, recipe, whole, task, options.split, aggregate, _progress(options))
        scores.append((title, scored))
        if not options.json:
            low, high = scored.result.bounds
            print(
                f"{title:<24} {scored.result.value:6.2f} {scored.result.metric:<9} {low:6.2f} {high:6.2f}"
            )
    mean = mean_of([scored.result for _, scored in scores])
    low, high = mean.bounds
    metrics = "+".join(dict.fromkeys(scored.result.metric for _, scored in scores))
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
            "scores": [{"title": title, **scored.answer()} for title, scored in scores],
        }
        print(json.dumps(answer, ensure_ascii=False))
        return
    title = f"mean of {mean.tasks}"
    others = "".join(f"  {name} {value:.2f}" for name, value in mean.others.items())
    print(f"{title:<24} {mean.value:6.2f} {metrics:<9} {low:6.2f} {high:6.2f}{others}")
    if missing:
        _print_notes([f"Not here, and not in the mean: {', '.join(missing)}."])


def _score_pairs(
    engine: Engine, recipe: Recipe, corpus: Corpus, aggregate: Aggregate, options: argparse.Namespace
) -> None:
    """The task sts: the same answer with the scores of subsets beside it."""
    scored = score(engine, recipe, corpus, aggregate, _progress(options))
    whole = scored.score
    if not options.json:
        _print_notes(scored.notes)
        print(
            f"{corpus.name} {corpus.split_name}: {whole.spearman:.2f} Spearman × 100, aggregate {aggregate}"
        )
        print(f"  95 % between {whole.low:.2f} and {whole.high:.2f}; Pearson {whole.pearson:.2f}")
        for name, (rank, linear, pairs) in whole.subsets.items():
            print(f"  {name:<24} {rank:6.2f}  Pearson {linear:6.2f}  {pairs:,} pairs")
        milliseconds = scored.seconds * 1000
        print(f"  recipe {str(recipe) or '(defaults)'}; {whole.pairs:,} pairs; {milliseconds:.0f} ms")
        return
    subsets = {
        name: {"spearman": number(rank), "pearson": number(linear), "pairs": pairs}
        for name, (rank, linear, pairs) in whole.subsets.items()
    }
    answer = scored.answer() | of_similarity(scored, corpus) | {"subsets": subsets}
    print(json.dumps(answer, ensure_ascii=False))


def _sweep(options: argparse.Namespace) -> int:
    workers = Workers(options.backend, options.jobs)
    engine = _engine(options)
    asked, missing = asked_for(engine.catalogue, options.corpora)
    task = None if options.task is None else TASK.parse(options.task)
    request = Request(
        read_recipes(options.recipes),
        tuple(one._replace(task=task or one.task) for one in asked),
        options.split,
        check_aggregate(options.aggregate),
        _scale(options.scale),
    )
    if missing:
        _print_notes([f"Not here, and left out: {', '.join(missing)}."])
    counts = sweep(engine, request, options.output, workers, _progress(options))
    if counts.failed:
        _print_notes(
            [f"{counts.failed:,} of {counts.rows:,} rows have no score; the column error says why."]
        )
    print(f"{counts.rows:,} rows in {options.output}")
    return 1 if counts.failed else 0


def _embed(options: argparse.Namespace) -> None:
    recipe, engine = Recipe.parse(options.recipe), _engine(options)
    if options.output.suffix != ".npy":
        raise StrataError(f"output: got {shorten(options.output)}; allowed is a file ending in .npy.")
    if not is_folder(options.output.parent):
        raise StrataError(f"output: the folder {shorten(options.output.parent)} does not exist.")
    lines = [clean(line) for line in read_lines(options.input)]
    if not lines:
        raise CorpusError(f"{shorten(options.input)} is empty; one sentence a line is needed.")
    empty = [number for number, line in enumerate(lines, 1) if not line]
    corpus = Corpus.of_texts(options.input.name, lines, origin=f"file {options.input.name}")
    embedded = engine.embed(recipe, corpus, _progress(options))
    vectors = embedded.vectors[corpus.rows_of(lines)]
    try:
        np.save(options.output, vectors, allow_pickle=False)
    except OSError as error:
        raise StrataError(f"{shorten(options.output)} cannot be written: {error.strerror}.") from error
    notes = list(embedded.notes)
    if empty:
        shown = ", ".join(map(str, empty[:5])) + (", …" if len(empty) > 5 else "")
        notes.append(f"{len(empty):,} lines are empty (lines {shown}); their vectors say nothing.")
    _print_notes(notes)
    print(f"{len(vectors):,} vectors of {vectors.shape[1]} numbers in {options.output}")


def _models(options: argparse.Namespace) -> None:
    for name, where in available():
        print(f"{name:<48} {where}")
    print("Any other: --recipe 'source=<hub id, hub id@revision, or folder>'")


def _corpora(options: argparse.Namespace) -> None:
    if options.names is not None:
        _describe_corpora(options)
        return
    for entry in _engine(options).catalogue.listed():
        print(f"{entry.name:<24} {entry.kind:<8} {entry.task:<14} {entry.origin}")


def _data(options: argparse.Namespace) -> None:
    engine = _engine(options)
    if options.names is None:
        print("\n".join(listed_benchmarks(engine.catalogue)))
        return
    if (folder := engine.settings.data) is None:
        raise StrataError("data: no folder to write into; name one with --data or STRATA_DATA.")
    for line in fetching([name.strip() for name in options.names.split(",")], folder, sizes=options.sizes):
        print(line, flush=True)


def _describe_corpora(options: argparse.Namespace) -> None:
    """Sizes, classes, words and lengths of each split, beside what paper 000 prints of it."""
    engine = _engine(options)
    asked, _ = asked_for(engine.catalogue, options.names)
    answers = []
    for name in dict.fromkeys(one.corpus for one in asked):
        splits = [options.split] if options.split else engine.corpus(name, "all").splits or ["all"]
        for split in splits:
            corpus = engine.corpus(name, split)
            answers.append(described(engine, corpus, _progress(options)))
    if options.json:
        print(json.dumps(answers, ensure_ascii=False))
        return
    for answer in answers:
        print("\n".join(as_lines_of_set(answer)))


def _presets(options: argparse.Namespace) -> None:
    if options.paper is not None:
        _presets_of(paper(options.paper))
        return
    for preset in PRESETS:
        print(f"{preset.name:<34} {preset.recipe or '(defaults)'}")
        print(f"{'':<34} {preset.explanation} {preset.published}.")


def _presets_of(asked: Paper) -> None:
    print(f"{asked.number}  {asked.citation}: {asked.title}")
    for one in presets_of(asked):
        preset = one.preset
        print(f"\n{preset.name:<34} {preset.recipe or '(defaults)'}")
        if preset.needs:
            print(f"{'':<34} needs {preset.needs}")
        for (where, model), scores in one.scores.items():
            print(f"{'':<34} {where.removeprefix(asked.citation + ', ')}; {model}, {scores[0].metric}:")
            print(f"{'':<34}   {figures(scores)}")


def _table_here(options: argparse.Namespace, found: Sequence[Table]) -> None:
    """Printed and measured figures of one table, one a line, and why the others cannot be computed."""
    if len(found) != 1:
        raise StrataError("tables: --here computes one table: give a paper and a table, as 000 11.")
    (table,) = found
    if options.column is not None and options.column not in table.columns:
        allowed = ", ".join(table.columns)
        raise StrataError(f"column: got {shorten(options.column)}; allowed is {allowed}.")
    here, missing = Reproduction(_engine(options), Recipe.parse(options.recipe)), Counter[str]()
    print("row\tcolumn\tprinted\there\tlow\thigh\tdifference\trecipe\tdiffers")
    for cell in table.cells:
        if not cell.is_result or options.column not in (None, cell.column):
            continue
        rule = rule_of(table, cell)
        figure = rule if isinstance(rule, str) else here.runnable(rule)
        try:
            if isinstance(figure, str):
                raise StrataError(figure)
            print(as_line(cell, figure, here.measure(figure, _progress(options))), flush=True)
        except StrataError as error:
            missing[str(error)] += 1
    _print_notes([f"{count} not computed: {why}" for why, count in missing.most_common()])


def _tables(options: argparse.Namespace) -> None:
    found = tables(options.paper) if options.table is None else (find_table(options.paper, options.table),)
    if options.here:
        _table_here(options, found)
    elif options.slips:
        for slip in (slip for table in found for slip in slips_of(table)):
            place = ", ".join(filter(None, (slip.row, slip.column)))
            print(f"{slip.paper} {slip.table:<18} {place}{': ' if place else ''}{slip.told}")
    elif options.tsv:
        for number, table in enumerate(found):
            print(as_lines(table) if not number else as_lines(table).partition("\n")[2])
    elif options.table is not None:
        print(as_text(found[0]))
    else:
        for table in found:
            print(f"{table.paper.number}  {table.name:<18} {table.results:>4} figures  {table.title}")


def _cache(options: argparse.Namespace) -> None:
    engine = _engine(options)
    store, uploads = engine.store, engine.uploads
    if options.uploads and not options.clear:
        raise StrataError("--uploads says what --clear removes too; give both.")
    if options.clear:
        freed = store.clear() + (uploads.clear() if options.uploads else 0)
        print(f"{freed / 1e6:,.1f} MB freed in {store.root}")
        if held := uploads.size():
            print(
                f"{held / 1e6:,.1f} MB of visitors' files kept in {uploads.folder} (--uploads removes them)"
            )
        return
    entries = store.entries()
    held = sum(entry.bytes for entry in entries)
    print(f"{store.root}: {len(entries)} passes, {held / 1e6:,.1f} of {store.budget_bytes / 1e6:,.0f} MB")
    for entry in entries:
        about = entry.about
        print(
            f"{entry.bytes / 1e6:>10,.1f} MB  {about.get('model', '?'):<24} {about.get('corpus', '?'):<16} "
            f"{about.get('sentences', 0):>9,} sentences  "
            f"{about.get('forward', '?')}/{about.get('storage', '?')}"
        )
    if files := len(uploads.corpora()):
        of = f"{uploads.size() / 1e6:,.1f} of {uploads.budget_bytes / 1e6:,.0f} MB"
        print(f"{uploads.folder}: {files} files of visitors, {of}")


def _print_notes(notes: Sequence[str]) -> None:
    for note in notes:
        print(f"note: {note}", file=sys.stderr)
