"""Where a model reads: the CPU or a GPU, and how many tokens it is given there at once."""

from __future__ import annotations

from dataclasses import dataclass

import torch

from core.errors import StrataError, first_line

GPU_TOKENS = 8_192
"""Padded tokens per batch on a GPU: of 2,048 … 32,768 the fastest on an H100, for 6 to 24 layers."""

GPU_SHARE = 8
"""One part in so many of a GPU's memory is for the attention matrices of a batch."""

UNKNOWN_MEMORY = 8_000_000_000
"""Bytes assumed of a GPU that does not say how many it has."""


@dataclass(frozen=True)
class Device:
    """A processor that a model's weights lie on.

    Attributes
    ----------
    torch
        What torch calls it.
    label
        What people call it.
    tokens
        Padded tokens per batch, at most.
    attention_bytes
        Bound on the attention matrices (all layers and heads) that one batch may hold.
    ahead
        Batches that it is given before anybody waits for what it makes of the first.
    """

    torch: torch.device
    label: str
    tokens: int
    attention_bytes: int
    ahead: int = 0


CPU = Device(torch.device("cpu"), "CPU", 1024, 128_000_000)
"""1,024 tokens are the fastest of 512 … 4,096 for small encoders on two cores."""


def find_device(asked: str = "auto") -> Device:
    """The device of a setting: ``auto`` is a GPU of CUDA where there is one, else the CPU.

    Raises :class:`StrataError` where the machine has no such device, or torch no support of it.
    """
    name = asked if asked != "auto" else "cuda" if torch.cuda.is_available() else "cpu"
    if name == "cpu":
        return CPU
    try:
        device = torch.zeros(1, device=name).device
        memory = torch.cuda.mem_get_info(device)[1] if device.type == "cuda" else UNKNOWN_MEMORY
        label = torch.cuda.get_device_name(device) if device.type == "cuda" else str(device)
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        raise StrataError(
            f"device: {asked} cannot be used here ({first_line(error)}); take auto or cpu."
        ) from error
    return Device(device, label, GPU_TOKENS, memory // GPU_SHARE, ahead=int(device.type == "cuda"))
