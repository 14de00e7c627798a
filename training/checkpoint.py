"""Checkpoints: where a training stands, in one safetensors file that is written whole or not at all.

The numbers of a step (order of sequences, masks, dropout) follow from the seed and the step's number, so a
checkpoint needs no state of a random generator; the learning rate follows from the tokens done.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file

from core.errors import StrataError, first_line, shorten
from core.storage.files import replacing

FILE = "checkpoint.safetensors"


@dataclass(frozen=True)
class Position:
    """How far a training is: ``step`` steps (batches) and ``tokens`` tokens are done."""

    step: int = 0
    tokens: int = 0


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """What a checkpoint file holds, the weights and the optimizer's state by name of the parameter."""

    settings: dict[str, Any]
    position: Position
    losses: list[float]
    tensors: dict[str, torch.Tensor]


def save_checkpoint(
    folder: Path,
    settings: dict[str, Any],
    position: Position,
    losses: list[float],
    model: Any,
    optimizer: torch.optim.Optimizer,
) -> None:
    """Replace the folder's checkpoint; a disk that is full raises :class:`StrataError`."""
    tensors = {"losses": torch.tensor(losses, dtype=torch.float64)}
    for name, parameter in model.named_parameters():
        tensors[f"weights/{name}"] = parameter.detach()
        for key, value in optimizer.state.get(parameter, {}).items():
            tensors[f"optimizer/{key}/{name}"] = value
    about = {"settings": json.dumps(settings), "position": json.dumps(asdict(position))}
    try:
        with replacing(folder / FILE) as temporary:
            save_file({name: tensor.contiguous() for name, tensor in tensors.items()}, temporary, about)
    except (OSError, SafetensorError) as error:
        raise StrataError(
            f"The checkpoint in {shorten(folder)} cannot be written ({first_line(error)}); the one before "
            "it is kept. Make room, then go on with --resume."
        ) from error


def read_checkpoint(folder: Path) -> Checkpoint | None:
    """The folder's checkpoint, None when it has none; a damaged one raises :class:`StrataError`."""
    path = folder / FILE
    if not path.is_file():
        return None
    try:
        with safe_open(path, framework="pt") as file:
            about = file.metadata() or {}
            tensors = {name: file.get_tensor(name) for name in file.keys()}
        settings, position = json.loads(about["settings"]), Position(**json.loads(about["position"]))
        losses = tensors.pop("losses").tolist()
    except (OSError, ValueError, KeyError, TypeError, SafetensorError) as error:
        raise StrataError(
            f"The checkpoint {shorten(path)} cannot be read ({first_line(error)}); remove it, begin anew."
        ) from error
    return Checkpoint(settings, position, losses, tensors)


def restore(checkpoint: Checkpoint, model: Any, optimizer: torch.optim.Optimizer) -> None:
    """Put a checkpoint's weights and optimizer state into a model and its optimizer."""
    parameters = dict(model.named_parameters())
    for full_name, tensor in checkpoint.tensors.items():
        kind, _, rest = full_name.partition("/")
        if kind == "weights":
            with torch.no_grad():
                parameters[rest].copy_(tensor)
        else:
            key, _, name = rest.partition("/")
            parameter = parameters[name]
            optimizer.state[parameter][key] = tensor.to(parameter.device) if tensor.ndim else tensor


def remove_leftovers(folder: Path) -> None:
    """Remove what a process that was killed while it wrote a checkpoint left behind."""
    for path in folder.glob(f".*.{FILE}"):
        path.unlink()
