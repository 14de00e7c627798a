"""Files from the Hugging Face hub: from this machine's cache first, and never a hang."""

from __future__ import annotations

import os
import re
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from typing import Literal, TypeVar
from urllib.parse import urlsplit

from core.errors import StrataError, first_line

SECONDS = 4.0
"""How long the hub may take to answer before it counts as out of reach."""

LISTING_SECONDS = 20.0
"""How long it may take to list a repository's files."""

SILENCE = 30.0
"""How long an endpoint that did not answer is not asked again."""

T = TypeVar("T")

_silent_since: dict[str, float] = {}
_ID = re.compile(r"[A-Za-z0-9][\w.-]*(/[\w.-]+)?")


class HubError(StrataError):
    """The hub is out of reach, or does not give what was asked for."""


def is_hub_id(text: str) -> bool:
    """Whether ``text`` has the form ``name`` or ``owner/name``."""
    return bool(_ID.fullmatch(text)) and ".." not in text and "--" not in text


def snapshot(
    identifier: str,
    kind: Literal["model", "dataset"],
    patterns: Sequence[str],
    needed: Sequence[str],
    revision: str | None = None,
) -> Path:
    """The folder of a repository's files; its name is the commit they are of.

    Taken from the cache on this machine when it holds a file for each pattern in ``needed``, without
    asking the network. Raises :class:`HubError` when neither has it.
    """
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import LocalEntryNotFoundError

    get = partial(
        snapshot_download, identifier, repo_type=kind, revision=revision, allow_patterns=list(patterns)
    )
    try:
        folder = Path(get(local_files_only=True))
        if all(any(folder.rglob(pattern)) for pattern in needed):
            return folder
    except (LocalEntryNotFoundError, ValueError):
        pass
    _require_reach(f"The {kind} {identifier!r} is not on this machine")
    try:
        _in_time(LISTING_SECONDS, partial(get, dry_run=True))
        return Path(get(etag_timeout=SECONDS))
    except Exception as error:  # among them all that the hub's HTTP client knows
        raise HubError(f"The hub does not give the {kind} {identifier!r}: {first_line(error)}") from error


def cached_models() -> list[str]:
    """Hub ids of the models in this machine's cache that can be loaded."""
    from huggingface_hub import constants

    root = Path(constants.HF_HUB_CACHE)
    return [
        entry.name.removeprefix("models--").replace("--", "/")
        for entry in sorted(root.glob("models--*"))
        if any(entry.glob("snapshots/*/config.json")) and any(entry.glob("snapshots/*/*.safetensors"))
    ]


def _require_reach(missing: str) -> None:
    endpoint = os.environ.get("HF_ENDPOINT", "https://huggingface.co")
    if os.environ.get("HF_HUB_OFFLINE", "").upper() in ("1", "ON", "YES", "TRUE"):
        raise HubError(f"{missing}, and HF_HUB_OFFLINE is set.")
    if not _answers(endpoint):
        raise HubError(f"{missing}, and the hub ({urlsplit(endpoint).netloc}) is out of reach.")


def _answers(endpoint: str) -> bool:
    """Whether the hub answers in time; a silence is believed for :data:`SILENCE` seconds."""
    import requests

    if time.monotonic() - _silent_since.get(endpoint, -SILENCE) < SILENCE:
        return False
    ask = partial(requests.head, endpoint, timeout=SECONDS, allow_redirects=False)
    try:
        _in_time(SECONDS + 0.5, ask)
    except (requests.RequestException, OSError, ValueError):
        _silent_since[endpoint] = time.monotonic()
        return False
    return True


def _in_time(seconds: float, ask: Callable[[], T]) -> T:
    """What ``ask`` gives; raises :class:`TimeoutError` when that takes too long.

    Name resolution and the hub's listing know no timeout and can hang for minutes, so the question is
    asked in a thread that is left behind.
    """
    answer: Future[T] = Future()

    def work() -> None:
        try:
            answer.set_result(ask())
        except Exception as error:
            answer.set_exception(error)

    threading.Thread(target=work, daemon=True).start()
    return answer.result(seconds)
