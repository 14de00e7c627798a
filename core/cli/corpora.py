"""The commands ``corpora`` and ``data``: what is there, what it is like, and what can be fetched."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path

from core.cli.common import (
    AddCommand,
    add_scale,
    engine_of,
    print_notes,
    progress_of,
    refuse_idle,
    scale_of,
    settings_of,
)
from core.corpora.fetching import fetching, listed_benchmarks
from core.corpora.hub_sets import HUB
from core.errors import StrataError
from core.evaluation.tasks.groups import asked_for
from core.literature.published_sets import as_lines_of_set, described
from core.trust import is_folder


def add(command: AddCommand) -> None:
    """Add the commands."""
    corpora = command("corpora", _corpora, "List the corpora there are by name, or say what some are like.")
    corpora.add_argument(
        "names",
        nargs="?",
        help="names or paths, joined by ,: rows, classes, words and lengths of each split",
    )
    corpora.add_argument("--split", help="that split alone, or all (default: every split there is)")
    add_scale(corpora)
    corpora.add_argument("--json", action="store_true", help="print a JSON list in place of lines")
    data = command("data", _data, "Fetch benchmarks from the hub into a data folder, or list them.")
    data.add_argument("names", nargs="?", help=f"joined by ,: {', '.join(HUB)}")
    data.add_argument("--sizes", action="store_true", help="only say what would be downloaded")


def _corpora(options: argparse.Namespace) -> None:
    if options.names is not None:
        _describe_corpora(options)
        return
    refuse_idle(options, "corpora", ["split", "scale"], "is of corpora that are named; give their names.")
    listed = engine_of(options).catalogue.listed()
    if options.json:
        print(json.dumps([asdict(entry) for entry in listed], ensure_ascii=False))
        return
    for entry in listed:
        print(f"{entry.name:<24} {entry.kind:<8} {entry.task:<14} {entry.origin}")


def _describe_corpora(options: argparse.Namespace) -> None:
    """Sizes, classes, words and lengths of each split, beside what paper 000 prints of it."""
    engine = engine_of(options)
    asked, missing = asked_for(engine.catalogue, options.names)
    answers, scale = [], scale_of(options.scale)
    for name in dict.fromkeys(one.corpus for one in asked):
        splits = [options.split] if options.split else engine.corpus(name, "all", scale).splits or ["all"]
        for split in splits:
            corpus = engine.corpus(name, split, scale)
            answers.append(described(engine, corpus, progress_of(options)))
    if missing:
        print_notes([f"Not here: {', '.join(missing)}."])
    if options.json:
        print(json.dumps(answers, ensure_ascii=False))
        return
    for answer in answers:
        print("\n".join(as_lines_of_set(answer)))


def _data(options: argparse.Namespace) -> None:
    if options.names is None and not options.sizes:
        print("\n".join(listed_benchmarks(engine_of(options).catalogue)))
        return
    if (folder := _folder_to_fill(options)) is None:
        raise StrataError("data: no folder to write into; name one with --data or STRATA_DATA.")
    names = [*HUB] if options.names is None else [name.strip() for name in options.names.split(",")]
    for line in fetching(names, folder, sizes=options.sizes):
        print(line, flush=True)


def _folder_to_fill(options: argparse.Namespace) -> Path | None:
    """The data folder that is written into; one that ``--data`` names need not be there yet."""
    is_new = options.data is not None and not is_folder(options.data)
    return options.data if is_new else settings_of(options).data
