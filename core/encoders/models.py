"""Where an encoder is: bundled with the installation, in a local folder, or on the hub.

Finding a model costs no weights: :func:`locate` returns a :class:`Location` with a revision that
names the exact content, which is all that a stored pass needs to be found again. Only safetensors
weights are read and no code that comes with a model is ever run.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Annotated

from core.encoders.bundled_encoders import BUNDLED, Bundled
from core.encoders.model_config import LARGEST, ModelConfig, read_json, whole_number
from core.errors import ModelError, shorten
from core.recipe import SOURCE
from core.recipe.arguments import Text
from core.storage.files import Stamp, stamp_if_file
from core.storage.glance import at_a_glance
from core.storage.hub import (
    DownloadRequiredError,
    HubError,
    Repository,
    cached_models,
    is_hub_id,
    is_revision,
    snapshot,
)
from core.trust import FOLDERS, Trust, is_file, is_folder

MAX_TOKENS = 1024
"""The longest text that is read, for models that name no limit of their own."""

WEIGHTS = "model.safetensors"
"""The file of a bundled encoder whose content is verified."""

_LIMITS = "sentence_bert_config.json"
"""Where a sentence-transformers folder names the longest text."""

_FILES = ("*.json", "*.safetensors", "*.txt", "*.model")

Digest = Callable[[Path], str]
"""Gives the sha256 of a file; the store keeps them, so that each file is read once."""


@SOURCE.free_text
def model(*, name: Annotated[str, Text("a hub id, id@revision, or a model's folder")]) -> str:
    """Any encoder or decoder: a hub id, `id@revision`, or a local folder."""
    return name


@dataclass(frozen=True)
class Location:
    """A model's files on this machine, and the revision that names their content.

    ``limit`` is the length of texts that the revision stands for; None where it names the file that says
    the length as well. A commit of the hub stands for none: 0.
    """

    name: str
    folder: Path
    revision: str
    limit: int | None = None

    @property
    def content(self) -> str:
        """What a text's states depend on: the revision, and a limit on lengths that it does not name."""
        if self.limit in (None, self.max_tokens):
            return self.revision
        return f"{self.revision} of {self.max_tokens} tokens"

    @cached_property
    def config(self) -> ModelConfig:
        """The model's ``config.json``."""
        return ModelConfig.read(self.folder, self.name)

    @property
    def depth(self) -> int:
        """The number of transformer blocks."""
        return self.config.depth

    @property
    def dim(self) -> int:
        """The width of a token's state."""
        return self.config.dim

    @property
    def heads(self) -> int:
        """Attention heads per block; 0 for a model without."""
        return self.config.heads

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know of how the model is read."""
        if not self.config.own_code:
            return ()
        return (
            f"{self.name} names code of its own (auto_map in config.json), which is never run: it is read "
            f"by transformers' own class for {self.config.model_type}, whose numbers may be others.",
        )

    @cached_property
    def max_tokens(self) -> int:
        """The model's own limit on the length of a text, special tokens included.

        A sentence-transformers folder names its limit; else the number of positions counts, and never
        more than :data:`MAX_TOKENS`.
        """
        limits = [MAX_TOKENS, self.config.positions or MAX_TOKENS]
        own = self.folder / _LIMITS
        if own.exists():
            values = read_json(own, self.name)
            limit = whole_number(values, "max_seq_length", f"{self.name}: {own.name}", 1, LARGEST)
            limits.append(limit or MAX_TOKENS)
        return min(limits)


@at_a_glance
def locate(source: str, digest: Digest, trust: Trust = Trust()) -> Location:  # noqa: B008
    """Find a model by the source a recipe names.

    Parameters
    ----------
    source
        A bundled encoder, a folder, a hub id or ``id@revision``.
    digest
        Gives the sha256 of a file.
    trust
        The folders that may be opened, and whether the hub may be asked for files at once.

    Raises
    ------
    DownloadRequiredError
        Only the hub has the model, and ``trust`` does not let it be downloaded unasked.
    ModelError
        A model that may not be read, no such model here, or the hub is out of reach; the message names
        what works offline.
    """
    if (bundled := next((b for b in BUNDLED if b.source == source), None)) is not None:
        return _bundled(bundled, digest)
    path = trust.path(source)
    if path is not None and is_folder(path):
        return _folder(path, digest)
    if path is not None and is_file(path):
        raise ModelError(f"{shorten(source)} is a file; a model is a folder with config.json.")
    identifier, _, revision = source.partition("@")
    if is_hub_id(identifier) and (not revision or is_revision(revision)):
        if not trust.allows(source):
            raise ModelError(
                f"{shorten(source)} is none of the models that may be read on this installation: "
                f"{', '.join((*(b.source for b in BUNDLED), *(trust.models or ())))}."
            )
        return _hub(identifier, revision or None, trust)
    if path is None:
        raise ModelError(
            f"{shorten(source)} is no hub id (name or owner/name), and no folder that may be opened from "
            f"here: a page opens the folders that {FOLDERS} lists. {_offline_advice(trust)}"
        )
    raise ModelError(
        f"No folder {shorten(source)} here, and it is no hub id either (name or owner/name). "
        f"{_offline_advice()}"
    )


def available(trust: Trust = Trust()) -> list[tuple[str, str]]:  # noqa: B008
    """What works without network: (source, where it is), the bundled encoders first."""
    bundled = [(b.source, f"{b.name}, comes with the installation") for b in BUNDLED]
    cached = [name for name in cached_models() if trust.allows(name)]
    return bundled + [(name, "in the hub's cache on this machine") for name in cached]


_ORIGINAL: dict[Bundled, Stamp | None] = {}
"""The weights of bundled encoders that were found to be the original ones."""


def _bundled(model: Bundled, digest: Digest) -> Location:
    folder = model.place.folder()
    stamps = {
        name: stamp_if_file(f"{folder}/{name}") for name in (WEIGHTS, "config.json", "tokenizer.json")
    }
    if lost := next((name for name, stamp in stamps.items() if stamp is None), None):
        raise ModelError(
            f"The encoder {model.source} lacks its file {lost}. Bring it back: {model.place.restore}."
        )
    if _ORIGINAL.get(model) != stamps[WEIGHTS]:
        if (got := digest(folder / WEIGHTS)) != model.sha256:
            raise ModelError(
                f"The encoder {model.source} has a {WEIGHTS} that is not the original: sha256 {got}, "
                f"expected {model.sha256}. Bring it back: {model.place.restore}."
            )
        _ORIGINAL[model] = stamps[WEIGHTS]
    return _location(model.name, folder, f"sha256:{model.sha256[:16]}", model.max_tokens)


def _location(name: str, folder: Path, revision: str, limit: int | None = None) -> Location:
    """A location; the same one, with what it has read, while the files that it reads do not change."""
    return _known(
        name,
        folder,
        revision,
        limit,
        tuple(stamp_if_file(f"{folder}/{file}") for file in ("config.json", _LIMITS)),
    )


@lru_cache(maxsize=8)
def _known(
    name: str, folder: Path, revision: str, limit: int | None, stamps: tuple[Stamp | None, ...]
) -> Location:
    return Location(name, folder, revision, limit)


def _folder(folder: Path, digest: Digest) -> Location:
    _check_files(folder, str(folder))
    whole = hashlib.sha256()
    try:
        for path in sorted(p for p in folder.iterdir() if any(p.match(f) for f in _FILES)):
            if not path.is_file():
                raise ModelError(f"{shorten(folder)}: {path.name} is no file; a model has a file there.")
            whole.update(f"{path.name} {digest(path)}\n".encode())
    except OSError as error:
        raise ModelError(f"{shorten(folder)} cannot be read: {error.strerror}.") from error
    return _location(folder.resolve().name, folder.resolve(), f"sha256:{whole.hexdigest()[:16]}")


def _check_files(folder: Path, name: str) -> None:
    if not is_file(folder / "config.json"):
        raise ModelError(f"{shorten(name)} is no model: it has no config.json. {_offline_advice()}")
    if not any(is_file(path) for path in folder.glob("*.safetensors")):
        others = sorted(p.name for p in folder.glob("*.bin")) or ["no weights at all"]
        raise ModelError(
            f"{shorten(name)} has no safetensors weights ({', '.join(others[:3])}). Other formats can "
            "run code when loaded and are not read; convert it with save_pretrained()."
        )


def _hub(identifier: str, revision: str | None, trust: Trust) -> Location:
    repository = Repository(identifier, "model", _FILES, ("config.json", "*.safetensors"), revision)
    try:
        folder = snapshot(repository, download=trust.downloads)
    except DownloadRequiredError:
        raise
    except HubError as error:
        raise ModelError(f"{error} {_offline_advice(trust)}") from error
    _check_files(folder, identifier)
    return _location(identifier, folder, folder.name[:12], limit=0)


def _offline_advice(trust: Trust = Trust()) -> str:  # noqa: B008
    names = ", ".join(name for name, _ in available(trust))
    folder = f"a folder below {FOLDERS}" if trust.restricted else "a folder"
    return f"What works without network: {names}, or {folder} with config.json and safetensors."
