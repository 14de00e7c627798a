"""The command ``status``: what the servers on a store do, and what lies on its disk."""

from __future__ import annotations

import argparse
import json

from core.cli.common import AddCommand, settings_of
from core.status.disk import held_on_disk
from core.status.server import servers_on
from core.status.words import as_json, told


def add(command: AddCommand) -> None:
    """Add the command."""
    status = command(
        "status", _status, "Show jobs, memory and visitors of the servers on a store, and its disk."
    )
    status.add_argument("--json", action="store_true", help="print one JSON object, in bytes and seconds")


def _status(options: argparse.Namespace) -> None:
    settings = settings_of(options)
    said = servers_on(settings.cache), held_on_disk(settings), str(settings.cache)
    print(json.dumps(as_json(*said), indent=2) if options.json else "\n".join(told(*said)))
