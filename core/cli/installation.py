"""The commands ``models`` and ``cache``: what is on this machine."""

from __future__ import annotations

import argparse

from core.cli.common import AddCommand, engine_of
from core.encoders.models import available
from core.errors import StrataError


def add(command: AddCommand) -> None:
    """Add the commands."""
    command("models", _models, "List the models that work without network.")
    cache = command("cache", _cache, "Show what is stored, or remove it.")
    cache.add_argument(
        "--clear", action="store_true", help="remove every stored pass and table (default: only list them)"
    )
    cache.add_argument("--uploads", action="store_true", help="with --clear: visitors' corpus files too")


def _models(options: argparse.Namespace) -> None:
    for name, where in available():
        print(f"{name:<48} {where}")
    print("Any other: --recipe 'source=<hub id, hub id@revision, or folder>'")


def _cache(options: argparse.Namespace) -> None:
    engine = engine_of(options)
    store, uploads = engine.store, engine.uploads
    if options.uploads and not options.clear:
        raise StrataError("--uploads says what --clear removes too; give both.")
    if options.clear:
        freed = store.clear() + (uploads.clear() if options.uploads else 0)
        print(f"{freed / 1e6:,.1f} MB freed in {store.root}")
        if held := uploads.size():
            print(
                f"{held / 1e6:,.1f} MB of visitors' files kept in {uploads.folder} (--uploads removes them)"
            )
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
    if files := len(uploads.corpora()):
        of = f"{uploads.size() / 1e6:,.1f} of {uploads.budget_bytes / 1e6:,.0f} MB"
        print(f"{uploads.folder}: {files} files of visitors, {of}")
