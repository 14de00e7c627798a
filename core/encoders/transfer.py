"""Numbers of a device on their way to numpy, while the device goes on with what it is given next."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch


class Transfer:
    """Tensors that are copied to the memory of numpy.

    From a GPU of CUDA they are copied behind what it is doing, into memory that it writes by itself, which
    is much faster than any other: the copies begin at once and nobody waits for them before :meth:`arrays`.
    From elsewhere they are there at once. On the CPU nothing is copied.
    """

    def __init__(self, tensors: Sequence[torch.Tensor]) -> None:
        waits = any(tensor.device.type == "cuda" for tensor in tensors)
        self._copies = [_begun(tensor) for tensor in tensors]
        self._all_there = torch.cuda.Event() if waits else None
        if self._all_there is not None:
            self._all_there.record()

    def arrays(self) -> list[np.ndarray]:
        """The tensors as arrays of their shapes and types, in the order given, once all are there."""
        if self._all_there is not None:
            self._all_there.synchronize()
        return [copy.numpy() for copy in self._copies]


def _begun(tensor: torch.Tensor) -> torch.Tensor:
    """A copy in the memory of numpy, which is whole once the device has come so far."""
    tensor = tensor.contiguous()
    if tensor.device.type != "cuda":
        return tensor.cpu()
    copy = torch.empty(tensor.shape, dtype=tensor.dtype, pin_memory=True)
    return copy.copy_(tensor, non_blocking=True)
