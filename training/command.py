"""What the commands of this package share: one-line errors, exit codes, progress on standard error."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence

from core.errors import StrataError
from core.progress import Progress, silent, written

SECONDS_BETWEEN_LINES = 5.0


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
    return silent if quiet else written(SECONDS_BETWEEN_LINES)
