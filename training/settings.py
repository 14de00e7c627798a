"""What determines a training: the settings, and their description that a checkpoint keeps."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.encoders.models import Location
from core.errors import StrataError, shorten
from core.settings import FORWARD
from core.storage.files import sha256_of

SEQUENCES = ("lines", "packed")
SHORTEST_SEQUENCE = 8
"""The smallest limit on the length of a sequence, special tokens included."""


@dataclass(frozen=True)
class TrainingSettings:
    """Everything that the weights depend on.

    Attributes
    ----------
    text
        Text files, one text a line, plain or gzipped.
    start
        The encoder whose body the training starts from: ``bundled``, a folder, a hub id.
    tokens
        Tokens to train on, padding left out, special tokens included; None for each sequence once.
    sequences
        ``lines`` makes each line a sequence of its own, ``packed`` fills sequences with one line after
        another of the same file. Lines that are too long are continued in the next sequence.
    max_length
        Tokens of a sequence at most, special tokens included.
    batch
        Sequences per step.
    learning_rate
        The highest learning rate, reached at the end of the warm-up.
    warm_up
        Share of the tokens over which the learning rate rises from 0; it falls to 0 over the others.
    weight_decay
        Of AdamW; biases and layer norms have none.
    seed
        Of the new head, the order of sequences, masks and dropout.
    forward
        Arithmetic of the forward pass: ``float32`` or ``bfloat16`` (weights stay float32).
    """

    text: tuple[Path, ...]
    start: str = "bundled"
    tokens: int | None = None
    sequences: str = "lines"
    max_length: int = 128
    batch: int = 32
    learning_rate: float = 3e-4
    warm_up: float = 0.06
    weight_decay: float = 0.01
    seed: int = 0
    forward: str = "float32"

    def __post_init__(self) -> None:
        """Refuse values that no step could use."""
        if not self.text:
            raise StrataError("text: got no file; give one text file or more, one text a line.")
        for name, allowed in (("sequences", SEQUENCES), ("forward", FORWARD)):
            value = getattr(self, name)
            if value not in allowed:
                raise StrataError(f"{name}: got {shorten(value)}; allowed is {' or '.join(allowed)}.")
        for name, low, high in (
            ("tokens", 1, 10**12),
            ("max_length", SHORTEST_SEQUENCE, 10**5),
            ("batch", 1, 10**5),
            ("learning_rate", 1e-9, 1.0),
            ("warm_up", 0.0, 0.9),
            ("weight_decay", 0.0, 1.0),
            ("seed", 0, 2**32 - 1),
        ):
            value = getattr(self, name)
            if value is not None and not low <= value <= high:
                option = name.replace("_", "-")
                raise StrataError(f"{option}: got {value:g}; allowed is {low:g} to {high:g}.")

    def described(self, start: Location, total: int) -> dict[str, Any]:
        """The settings as JSON, with the start and the texts named by their content."""
        return {
            "start": {"name": start.name, "revision": start.revision},
            "text": [{"name": path.name, "sha256": sha256_of(path)} for path in self.text],
            "tokens": total,
            "sequences": self.sequences,
            "max_length": self.max_length,
            "batch": self.batch,
            "learning_rate": self.learning_rate,
            "warm_up": self.warm_up,
            "weight_decay": self.weight_decay,
            "seed": self.seed,
            "forward": self.forward,
        }


def refuse_other(kept: dict[str, Any], asked: dict[str, Any], folder: Path) -> None:
    """Raise :class:`StrataError` when a folder's training has other settings than those asked for."""
    other = [name for name in asked if kept.get(name) != asked[name]]
    if not other:
        return
    shown = "; ".join(
        f"{n.replace('_', '-')}: there {_short(kept.get(n))}, asked {_short(asked[n])}" for n in other
    )
    raise StrataError(
        f"{shorten(folder)} holds a training with other settings ({shown}). Give the same settings, or "
        "another --output."
    )


def _short(value: object) -> str:
    if isinstance(value, dict):
        return " ".join(str(part)[:23] for part in value.values())
    return " + ".join(map(_short, value)) if isinstance(value, list) else str(value)
