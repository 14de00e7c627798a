"""The command line of the engine: scores, vectors, sweeps and lists.

Answers go to standard output, progress and notes to standard error. A wrong value exits with code 2 and one
line that names the value, what was given and what is allowed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from core.cli import (
    corpora,
    embed,
    examples,
    export,
    find,
    installation,
    literature,
    neighbours,
    score,
    status,
    sweep,
    why,
)
from core.cli.common import Parser, Run, add_settings
from core.errors import ScaleError, StrataError
from core.versions import __version__


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
    parser = Parser(
        prog="python -m core",
        description="Sentence vectors from transformer layers, and how well they follow gold scores.",
    )
    parser.add_argument("--version", action="version", version=f"Sentence Strata {__version__}")
    commands = parser.add_subparsers(dest="name", required=True, metavar="COMMAND")

    def command(name: str, run: Run, help_: str) -> argparse.ArgumentParser:
        subparser = commands.add_parser(
            name,
            help=help_,
            description=help_,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        subparser.set_defaults(command=run)
        add_settings(subparser)
        return subparser

    for subject in (
        score,
        neighbours,
        sweep,
        find,
        why,
        export,
        embed,
        corpora,
        literature,
        installation,
        status,
    ):
        subject.add(command)
    for name, subparser in commands.choices.items():
        subparser.epilog = "\n\n".join(filter(None, (examples.shown(name), subparser.epilog)))
    return parser
