"""Files from the Hugging Face hub: from this machine's cache first, and never a hang."""

from __future__ import annotations

import os
import re
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal, TypeVar
from urllib.parse import urlsplit

from core.errors import StrataError, first_line
from core.storage.folders import names_in
from core.storage.memo import Memo

SECONDS = 4.0
"""How long the hub may take to answer before it counts as out of reach."""

LISTING_SECONDS = 20.0
"""How long it may take to list a repository's files."""

SILENCE = 30.0
"""How long an endpoint that did not answer is not asked again."""

T = TypeVar("T")

_silent_since: dict[str, float] = {}
_ID = re.compile(r"[A-Za-z0-9][\w.-]*(/[\w.-]+)?")
_REVISION = re.compile(r"[A-Za-z0-9][\w.-]*(/[\w-][\w.-]*)*")


class HubError(StrataError):
    """The hub is out of reach, or does not give what was asked for."""


@dataclass(frozen=True)
class Repository:
    """Files of a model or data set on the hub.

    Attributes
    ----------
    identifier
        ``name`` or ``owner/name``.
    patterns
        The files to download, as glob patterns.
    needed
        Patterns that each have a file when the repository is complete.
    revision
        A commit, branch or tag; the newest commit when None.
    """

    identifier: str
    kind: Literal["model", "dataset"]
    patterns: tuple[str, ...]
    needed: tuple[str, ...]
    revision: str | None = None

    def __str__(self) -> str:
        return f"{'model' if self.kind == 'model' else 'data set'} {self.identifier!r}"


class DownloadRequiredError(StrataError):
    """Files that are not on this machine, and that nobody asked to download yet.

    ``repository`` says which; ``bytes`` is the size of the download.
    """

    def __init__(self, repository: Repository, size: int) -> None:
        super().__init__(
            f"The {repository} is not on this machine; a download from the hub takes {size / 1e6:,.1f} MB. "
            "A page downloads it when a visitor presses Download."
        )
        self.repository, self.bytes = repository, size


_sizes: Memo[int] = Memo(256, lambda _: 1)
"""What the download of a repository takes, asked once."""


def is_hub_id(text: str) -> bool:
    """Whether ``text`` has the form ``name`` or ``owner/name``."""
    return bool(_ID.fullmatch(text)) and ".." not in text and "--" not in text


def is_revision(text: str) -> bool:
    """Whether ``text`` has the form of a commit, branch or tag; it stays inside the cache's folders."""
    return bool(_REVISION.fullmatch(text)) and ".." not in text


def snapshot(repository: Repository, *, download: bool = True) -> Path:
    """The folder of a repository's files; its name is the commit they are of.

    Taken from the cache on this machine when it holds a file for each needed pattern, without asking
    the network.

    Raises
    ------
    DownloadRequiredError
        Only the hub has the files, and ``download`` is False.
    HubError
        Neither this machine nor the hub has them.
    """
    from huggingface_hub import DryRunFileInfo, snapshot_download

    get = _getter(repository)
    if (folder := _cached(repository, get)) is not None:
        return folder
    _require_reach(f"The {repository} is not on this machine")

    def size() -> int:
        def ask() -> list[DryRunFileInfo]:
            return snapshot_download(
                repository.identifier,
                repo_type=repository.kind,
                revision=repository.revision,
                endpoint=_endpoint(),
                allow_patterns=list(repository.patterns),
                dry_run=True,
            )

        return sum(file.file_size or 0 for file in _in_time(LISTING_SECONDS, ask) if file.will_download)

    try:
        needed = size() if download else _sizes.get((_endpoint(), repository), size)
        if download:
            return Path(get(etag_timeout=SECONDS))
    except Exception as error:  # among them all that the hub's HTTP client knows
        raise HubError(f"The hub does not give the {repository}: {first_line(error)}") from error
    raise DownloadRequiredError(repository, needed)


def is_cached(repository: Repository) -> bool:
    """Whether this machine's cache holds the repository; nobody is asked."""
    return _cached(repository, _getter(repository)) is not None


def out_of_reach() -> bool:
    """Whether the hub is switched off, or did not answer a moment ago; it is not asked."""
    silent = _silent_since.get(_endpoint(), -SILENCE)
    return _switched_off() or time.monotonic() - silent < SILENCE


def cached_models() -> list[str]:
    """Hub ids of the models in this machine's cache that can be looked at, and loaded."""
    from huggingface_hub import constants

    root = Path(constants.HF_HUB_CACHE)
    return [
        name.removeprefix("models--").replace("--", "/")
        for name in sorted(names_in(root))
        if name.startswith("models--") and _can_be_loaded(root / name / "snapshots")
    ]


def _can_be_loaded(snapshots: Path) -> bool:
    try:
        return all(any(snapshots.glob(f"*/{file}")) for file in ("config.json", "*.safetensors"))
    except OSError:  # of another user
        return False


def _getter(repository: Repository) -> Callable[..., str]:
    from huggingface_hub import snapshot_download

    return partial(
        snapshot_download,
        repository.identifier,
        repo_type=repository.kind,
        revision=repository.revision,
        endpoint=_endpoint(),
        allow_patterns=list(repository.patterns),
    )


def _cached(repository: Repository, get: Callable[..., str]) -> Path | None:
    """The folder of a repository that this machine's cache holds."""
    from huggingface_hub.errors import LocalEntryNotFoundError

    try:
        folder = Path(get(local_files_only=True))
    except (LocalEntryNotFoundError, ValueError, OSError):
        return None
    return folder if all(any(folder.rglob(pattern)) for pattern in repository.needed) else None


def _endpoint() -> str:
    return os.environ.get("HF_ENDPOINT") or "https://huggingface.co"


def _host(endpoint: str) -> str:
    """What an endpoint is called in words: its host, without a name and a password before it."""
    try:
        return urlsplit(endpoint).hostname or "HF_ENDPOINT is no address"
    except ValueError:
        return "HF_ENDPOINT is no address"


def _switched_off() -> bool:
    return os.environ.get("HF_HUB_OFFLINE", "").upper() in ("1", "ON", "YES", "TRUE")


def _require_reach(missing: str) -> None:
    endpoint = _endpoint()
    if _switched_off():
        raise HubError(f"{missing}, and HF_HUB_OFFLINE is set.")
    if not _answers(endpoint):
        raise HubError(f"{missing}, and the hub ({_host(endpoint)}) is out of reach.")


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
