"""What commands share: arguments, the engine, progress, and notes on standard error."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn

from core.corpora.corpus import Corpus
from core.errors import CorpusError, StrataError, shorten
from core.pipeline.engine import Engine
from core.progress import Progress, silent, written
from core.recipe import describe_options
from core.settings import FORWARD, STORAGE, Settings

Run = Callable[[argparse.Namespace], int | None]
"""What a command does with its arguments; its exit code, None for 0."""

AddCommand = Callable[[str, Run, str], argparse.ArgumentParser]
"""Adds a command: its name, what it does, and a line of help; its parser, for the arguments."""


class Parser(argparse.ArgumentParser):
    """An argument parser whose error message is one line."""

    def error(self, message: str) -> NoReturn:
        """Print the message and exit with code 2."""
        self.exit(2, f"{self.prog}: {' '.join(message.split())}\n")


AGGREGATE = (
    "of a corpus with subsets: all pairs at once (all), the mean of the subsets (mean), or their mean "
    "weighted by pairs (wmean) (default: all)"
)
"""What ``--aggregate`` takes."""

_SECONDS_BETWEEN_LINES = 1.0


def add_recipe(parser: argparse.ArgumentParser) -> None:
    """Add ``--recipe``, and the stages to the help."""
    parser.add_argument("--recipe", default="", help="stage=value joined by ';' (default: all defaults)")
    parser.epilog = "Stages of a recipe and their values:\n\n" + describe_options()


def add_scoring(parser: argparse.ArgumentParser) -> None:
    """Add what every scoring takes: split, aggregate and scale."""
    parser.add_argument("--split", help="a split of the corpus, or all (default: test if there is one)")
    add_gold(parser)


def add_gold(parser: argparse.ArgumentParser) -> None:
    """Add how gold scores are read and correlated: aggregate and scale."""
    parser.add_argument("--aggregate", default="all", help=AGGREGATE)
    add_scale(parser)


def add_scale(parser: argparse.ArgumentParser) -> None:
    """Add on which scale the gold scores of a corpus are."""
    parser.add_argument(
        "--scale",
        help="range of the gold scores, LOW:HIGH, as --scale=-1:1 (default: the corpus' own, else 0:5)",
    )


def add_settings(parser: argparse.ArgumentParser) -> None:
    """Add the settings of the engine."""
    group = parser.add_argument_group("settings")
    group.add_argument(
        "--data",
        type=_folder,
        help="folder with corpora (default: STRATA_DATA, else only those that come along)",
    )
    group.add_argument(
        "--cache",
        type=_folder,
        help="folder of stored passes (default: STRATA_CACHE, else the user's cache folder)",
    )
    group.add_argument(
        "--forward",
        help=f"numbers of the forward pass: {' or '.join(FORWARD)} (default: STRATA_FORWARD, else "
        f"{FORWARD[0]})",
    )
    group.add_argument(
        "--storage",
        help=f"numbers as they are stored: {' or '.join(STORAGE)} (default: STRATA_STORAGE, else "
        f"{STORAGE[0]})",
    )
    group.add_argument(
        "--quiet", action="store_true", help="no progress on standard error (notes and errors are told)"
    )


def _folder(text: str) -> Path:
    """A folder's path; an empty text, such as an unset variable, would mean the current folder."""
    if not text.strip():
        raise argparse.ArgumentTypeError("got ''; allowed is the path of a folder")
    return Path(text)


def settings_of(options: argparse.Namespace) -> Settings:
    """The settings that are given, else those of the environment and the file."""
    return Settings.from_environment(
        data=options.data, cache=options.cache, forward=options.forward, storage=options.storage
    )


def engine_of(options: argparse.Namespace) -> Engine:
    """An engine on the given settings."""
    return Engine(settings_of(options))


def progress_of(options: argparse.Namespace) -> Progress:
    """Each kind of step on standard error, unless ``--quiet`` is given."""
    return silent if options.quiet else written(_SECONDS_BETWEEN_LINES)


def refuse_idle(options: argparse.Namespace, command: str, names: Sequence[str], why: str) -> None:
    """Raise :class:`StrataError` for the first of some options that is given, as it would do nothing.

    ``why`` says what it is of, and what to give with it.
    """
    for name in names:
        if getattr(options, name) is not None:
            raise StrataError(f"{command}: --{name} {why}")


def corpus_of(engine: Engine, name: str, options: argparse.Namespace) -> Corpus:
    """The corpus of a name, of the split and on the scale that are given."""
    return engine.corpus(name, options.split, scale_of(options.scale))


def scale_of(text: str | None) -> tuple[float, float] | None:
    """The range of gold scores; raises :class:`CorpusError` unless it is ``LOW:HIGH``."""
    if text is None:
        return None
    try:
        low, high = (float(part) for part in text.split(":"))
    except ValueError:
        low = high = math.nan
    if not low < high or not math.isfinite(high - low):
        raise CorpusError(f"scale: got {shorten(text)}; allowed is LOW:HIGH, as 0:5.")
    return low, high


def print_notes(notes: Sequence[str]) -> None:
    """Print notes on standard error."""
    for note in notes:
        print(f"note: {note}", file=sys.stderr)
