"""Pieces of Python run in a process of their own."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
HANG = 120
"""Seconds after which a process counts as hung: far more than any of them needs."""


def start(code: str, *arguments: object, **environment: str) -> subprocess.Popen[str]:
    """Start ``code`` with ``arguments`` as its ``sys.argv[1:]``."""
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.Popen(
        command,
        cwd=ROOT,
        env=os.environ | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def run(code: str, *arguments: object, **environment: str) -> str:
    """Run ``code`` to its end; what it printed."""
    process = start(code, *arguments, **environment)
    try:
        out, err = process.communicate(timeout=HANG)
    finally:
        process.kill()
    assert "Traceback" not in err, err
    return out
