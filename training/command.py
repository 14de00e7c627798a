"""What the commands of this package share: one-line errors, exit codes, progress on standard error."""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Callable, Sequence
from typing import NoReturn

from core.errors import StrataError
from core.progress import Progress, Step, silent

SECONDS_BETWEEN_LINES = 5.0


class Parser(argparse.ArgumentParser):
    """An argument parser whose error message is one line."""

    def error(self, message: str) -> NoReturn:
        """Print the message and exit with code 2."""
        self.exit(2, f"{self.prog}: {' '.join(message.split())}\n")


def run(
    parser: argparse.ArgumentParser,
    command: Callable[[argparse.Namespace], None],
    arguments: Sequence[str] | None,
    stopped: str,
) -> int:
    """Run a command; its exit code: 0, 2 for a wrong value, 130 when it is stopped by the keyboard."""
    options = parser.parse_args(arguments)
    try:
        command(options)
    except StrataError as error:
        print(f"{parser.prog}: {' '.join(str(error).split())}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"\n{stopped}", file=sys.stderr)
        return 130
    return 0


def print_progress(quiet: bool) -> Progress:
    """Print each kind of step on standard error, at most every five seconds, and its end."""
    if quiet:
        return silent
    last: dict[str, float] = {}

    def print_step(step: Step) -> None:
        now = time.monotonic()
        if now - last.get(step.what, -math.inf) >= SECONDS_BETWEEN_LINES or step.done >= step.total:
            print(step, file=sys.stderr, flush=True)
            last[step.what] = now

    return print_step
