"""The command line of the engine: scores, vectors, sweeps and lists.

Answers go to standard output, progress and notes to standard error. A wrong value exits with code 2 and one
line that names the value, what was given and what is allowed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from importlib import import_module

from core import streams
from core.cli import examples
from core.cli.common import Parser, Run, add_settings
from core.errors import ScaleError, StrataError
from core.versions import __version__

SUBJECTS = {
    "score": ("score",),
    "neighbours": ("neighbours",),
    "sweep": ("sweep",),
    "find": ("find",),
    "why": ("why",),
    "export": ("export",),
    "embed": ("embed",),
    "corpora": ("corpora", "data"),
    "literature": ("presets", "tables"),
    "installation": ("models", "cache"),
    "status": ("status",),
}
"""Files of this folder, and the commands of each: the one that has the command is loaded alone."""

_PROGRAM = "python -m core"

CLOSED = 141
"""The exit code where the answer's reader has gone, as a shell has it for SIGPIPE."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    arguments = sys.argv[1:] if arguments is None else arguments
    first = next(iter(arguments), "")
    asked = [subject for subject, commands in SUBJECTS.items() if first in commands]
    streams.prepare()
    try:
        parser = _build_parser(asked or SUBJECTS)
        options = parser.parse_args(arguments)
        code = options.command(options) or 0
        sys.stdout.flush()
        return code
    except BrokenPipeError:  # who reads has read enough, as `head` does
        streams.leave_output()
        return CLOSED
    except StrataError as error:
        scaled = isinstance(error, ScaleError) and hasattr(options, "scale")
        advice = " Another scale is given with --scale=LOW:HIGH." if scaled else ""
        print(f"{_PROGRAM}: {' '.join(str(error).split())}{advice}", file=sys.stderr)
        return 2
    except OSError as error:
        what = error.filename or "what was asked for"
        print(f"{_PROGRAM}: {what} cannot be written or read: {error.strerror}.", file=sys.stderr)
        streams.leave_output()
        return 2
    except KeyboardInterrupt:
        print(
            "\nStopped. What was read so far is kept; the same command goes on from there.", file=sys.stderr
        )
        return 130


def _build_parser(subjects: Iterable[str] = SUBJECTS) -> argparse.ArgumentParser:
    parser = Parser(
        prog=_PROGRAM,
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

    for subject in subjects:
        import_module(f".{subject}", __name__).add(command)
    for name, subparser in commands.choices.items():
        subparser.epilog = "\n\n".join(filter(None, (examples.shown(name), subparser.epilog)))
    return parser
