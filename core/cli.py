"""The command line: everything the pages compute, scripted.

Answers go to standard output, progress and notes to standard error. A wrong value exits with code 2
and one line that says what, what was got and what is allowed.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn

import numpy as np

from core import __version__
from core.catalogue import DEMO
from core.corpus import Corpus, clean
from core.embed import Road
from core.errors import CorpusError, StrataError, shorten
from core.evaluation.scoring import number, score
from core.evaluation.sts import check_aggregate
from core.models import available
from core.presets import PRESETS
from core.progress import Progress, Step, silent
from core.recipe import Recipe, describe_options
from core.settings import FORWARD, STORAGE, Settings
from core.sweep import Request, read_recipes, sweep
from core.tables import read_lines
from core.workers import BACKENDS, Workers

SECONDS_BETWEEN_LINES = 1.0

_SWEEP = """The table has a row for each recipe and corpus, with what score --json says but the subsets,
and an error where there is no score.

Rows are kept as they finish. The same command goes on where it was stopped, tries failed rows again,
and scores a row anew when its corpus or model is another one now.

It exits with 0 when every row has been scored and with 1 when some rows failed.

Recipes of one source and template share a forward pass per corpus: together they are one task, and with
several workers their rows arrive together. A Dask cluster is named by DASK_SCHEDULER_ADDRESS and a
Ray cluster by RAY_ADDRESS (else one is started on this machine); its workers need the same packages,
this project, and the same folders.
"""


class _Parser(argparse.ArgumentParser):
    """An argument parser whose complaint is one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {' '.join(message.split())}\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit code."""
    parser = _build_parser()
    given = parser.parse_args(arguments)
    try:
        return given.command(given) or 0
    except StrataError as error:
        print(f"{parser.prog}: {' '.join(str(error).split())}", file=sys.stderr)
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
        made = commands.add_parser(
            name,
            help=help_,
            description=help_,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        made.set_defaults(command=run)
        _add_settings(made)
        return made

    one = command("score", _score, "Score a recipe on a corpus of pairs.")
    _add_recipe(one)
    one.add_argument("--corpus", default=DEMO, help="a name (see corpora) or the path of a table")
    _add_scoring(one)
    one.add_argument("--scale", help="range of the gold scores, LOW:HIGH (default 0:5)")
    one.add_argument("--json", action="store_true", help="print one JSON object")

    many = command("sweep", _sweep, "Score every recipe of a file on several corpora.")
    many.add_argument(
        "--recipes", required=True, type=Path, help="a text file, one recipe a line; # comments"
    )
    many.add_argument("--corpora", required=True, help="names or paths of tables, joined by ,")
    _add_scoring(many)
    many.add_argument("--output", required=True, type=Path, help="a .csv file: a row per recipe and corpus")
    many.add_argument("--backend", default="loky", help=f"{', '.join(BACKENDS)} (default: loky, processes)")
    many.add_argument("--jobs", type=int, help="workers, -1 for all (default: 1, or all of a cluster)")
    many.epilog = _SWEEP

    embed = command("embed", _embed, "Write one vector per line of a text file.")
    _add_recipe(embed)
    embed.add_argument("--input", required=True, type=Path, help="a text file, one sentence a line")
    embed.add_argument("--output", required=True, type=Path, help="a .npy file: [line, dim], float32")

    command("models", _models, "List the models that work without network.")
    command("corpora", _corpora, "List the corpora there are by name.")
    command("presets", _presets, "List named recipes of the literature.")
    cache = command("cache", _cache, "Show what is stored, or remove it.")
    cache.add_argument("--clear", action="store_true", help="remove every stored pass and table")
    return parser


def _add_recipe(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--recipe", default="", help="stage=value joined by ';' (default: all defaults)")
    parser.epilog = "Stages of a recipe and their values:\n\n" + describe_options()


def _add_scoring(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--split", help="a split of the corpus, or all (default: test if there is one)")
    parser.add_argument("--aggregate", default="all", help="all, mean or wmean (default: all)")


def _add_settings(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("settings")
    group.add_argument("--data", type=Path, help="folder with corpora (STRATA_DATA)")
    group.add_argument("--cache", type=Path, help="folder of stored passes (STRATA_CACHE)")
    group.add_argument("--forward", help=f"forward pass: {' or '.join(FORWARD)} (STRATA_FORWARD)")
    group.add_argument("--storage", help=f"stored numbers: {' or '.join(STORAGE)} (STRATA_STORAGE)")
    group.add_argument("--quiet", action="store_true", help="no progress on standard error")


def _road(given: argparse.Namespace) -> Road:
    return Road(
        Settings.from_environment(
            data=given.data, cache=given.cache, forward=given.forward, storage=given.storage
        )
    )


def _progress(given: argparse.Namespace) -> Progress:
    """A line on standard error now and then, and when something else begins."""
    if given.quiet:
        return silent
    last: dict[str, float] = {}

    def tell(step: Step) -> None:
        now = time.perf_counter()
        if now - last.get(step.what, -math.inf) >= SECONDS_BETWEEN_LINES or step.done >= step.total:
            print(step, file=sys.stderr, flush=True)
            last[step.what] = now

    return tell


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


def _score(given: argparse.Namespace) -> None:
    recipe, aggregate = Recipe.parse(given.recipe), check_aggregate(given.aggregate)
    scale, road = _scale(given.scale), _road(given)
    corpus = road.corpus(given.corpus, given.split, scale)
    found = score(road, recipe, corpus, aggregate, _progress(given))
    whole = found.score
    if not given.json:
        _print_notes(found.notes)
        print(f"{corpus.name} {corpus.taken}: {whole.spearman:.2f} Spearman × 100, aggregate {aggregate}")
        print(f"  95 % between {whole.low:.2f} and {whole.high:.2f}; Pearson {whole.pearson:.2f}")
        for name, (rank, linear, pairs) in whole.subsets.items():
            print(f"  {name:<24} {rank:6.2f}  Pearson {linear:6.2f}  {pairs:,} pairs")
        milliseconds = found.seconds * 1000
        print(f"  recipe {str(recipe) or '(defaults)'}; {whole.pairs:,} pairs; {milliseconds:.0f} ms")
        return
    subsets = {
        name: {"spearman": number(rank), "pearson": number(linear), "pairs": pairs}
        for name, (rank, linear, pairs) in whole.subsets.items()
    }
    print(json.dumps(found.answer() | {"subsets": subsets}, ensure_ascii=False))


def _sweep(given: argparse.Namespace) -> int:
    workers = Workers(given.backend, given.jobs)
    corpora = [name.strip() for name in given.corpora.split(",")]
    if not all(corpora):
        raise CorpusError(f"corpora: got {shorten(given.corpora)}; allowed is names joined by ','.")
    request = Request(
        read_recipes(given.recipes), tuple(corpora), given.split, check_aggregate(given.aggregate)
    )
    swept = sweep(_road(given), request, given.output, workers, _progress(given))
    if swept.failed:
        _print_notes([f"{swept.failed:,} of {swept.rows:,} rows have no score; the column error says why."])
    print(f"{swept.rows:,} rows in {given.output}")
    return 1 if swept.failed else 0


def _embed(given: argparse.Namespace) -> None:
    recipe, road = Recipe.parse(given.recipe), _road(given)
    if given.output.suffix != ".npy":
        raise StrataError(f"output: got {shorten(given.output)}; allowed is a file ending in .npy.")
    if not given.output.parent.is_dir():
        raise StrataError(f"output: the folder {shorten(given.output.parent)} does not exist.")
    lines = [clean(line) for line in read_lines(given.input)]
    if not lines:
        raise CorpusError(f"{shorten(given.input)} is empty; one sentence a line is needed.")
    empty = [number for number, line in enumerate(lines, 1) if not line]
    corpus = Corpus.of_texts(given.input.name, lines, origin=f"file {given.input.name}")
    embedded = road.embed(recipe, corpus, _progress(given))
    vectors = embedded.vectors[corpus.rows_of(lines)]
    try:
        np.save(given.output, vectors, allow_pickle=False)
    except OSError as error:
        raise StrataError(f"{shorten(given.output)} cannot be written: {error.strerror}.") from error
    notes = list(embedded.notes)
    if empty:
        shown = ", ".join(map(str, empty[:5])) + (", …" if len(empty) > 5 else "")
        notes.append(f"{len(empty):,} lines are empty (lines {shown}); their vectors say nothing.")
    _print_notes(notes)
    print(f"{len(vectors):,} vectors of {vectors.shape[1]} numbers in {given.output}")


def _models(given: argparse.Namespace) -> None:
    for name, where in available():
        print(f"{name:<48} {where}")
    print("Any other: --recipe 'source=<hub id, hub id@revision, or folder>'")


def _corpora(given: argparse.Namespace) -> None:
    for entry in _road(given).catalogue.listed():
        print(f"{entry.name:<24} {entry.kind:<6} {entry.origin}")


def _presets(given: argparse.Namespace) -> None:
    for preset in PRESETS:
        print(f"{preset.name:<34} {preset.recipe or '(defaults)'}")
        print(f"{'':<34} {preset.explanation} {preset.published}.")


def _cache(given: argparse.Namespace) -> None:
    store = _road(given).store
    if given.clear:
        print(f"{store.clear() / 1e6:,.1f} MB freed in {store.root}")
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


def _print_notes(notes: Sequence[str]) -> None:
    for note in notes:
        print(f"note: {note}", file=sys.stderr)
