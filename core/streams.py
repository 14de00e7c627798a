"""Standard input, output and error as a shell may hand them over: closed, full, or of a narrow encoding."""

from __future__ import annotations

import io
import os
import sys


def prepare() -> None:
    """Have streams that every command can use.

    One that is closed becomes the null device, so that no file of ours gets its number. A character that
    the encoding lacks is written as an escape. What standard error has no room for is lost: a full disk
    behind it ends no work, and a reader that has gone does.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123
    told = sys.__stderr__
    if told is not None and told is sys.stderr and not told.isatty():
        file = io.BufferedWriter(_Lossy(told.fileno(), "w", closefd=False))
        sys.stderr = io.TextIOWrapper(file, told.encoding, line_buffering=True, write_through=True)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def leave_output() -> None:
    """Let what standard output still holds go nowhere; the end of the process would try it again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class _Lossy(io.FileIO):
    """A file without which work goes on: what does not fit is lost."""

    def write(self, data: object, /) -> int:
        """Write what fits; the number of bytes of all."""
        try:
            return super().write(data)  # type: ignore[arg-type]
        except BrokenPipeError:
            raise
        except OSError:
            return memoryview(data).nbytes  # type: ignore[arg-type]
