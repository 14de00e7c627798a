"""A GPU that is none: tensors that were sent to it meet no others, and numpy does not see them.

What torch does on the device it does on the CPU; where a tensor is, is kept beside it. So code that forgets
to send a tensor to the device, or to bring one back, fails as it would there. Copies that nobody waits for
are made when an event is waited for that stands behind them: whoever looks before reads zeros.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch.overrides import TorchFunctionMode
from torch.utils._pytree import tree_leaves
from torch.utils.weak import WeakTensorKeyDictionary

DEVICE = torch.device("cuda", 0)
MEMORY = 1_000_000_000

_MOVES = {torch.Tensor.to, torch.Tensor.cpu, torch.Tensor.cuda}
_ANYWHERE = {"__get__", "__set__", "_has_compatible_shallow_copy_type"}
"""What looks at tensors and not into them."""


class Accelerator(TorchFunctionMode):
    """While it is entered, :data:`DEVICE` is there.

    ``numbers`` is how many numbers a result on it may have: one of more is out of memory. ``largest`` is
    the most that one had. Of the copies that were ``begun``, so many as ``arrived`` are made.
    """

    def __init__(self, numbers: float = float("inf")) -> None:
        super().__init__()
        self.numbers, self.largest = numbers, 0
        self._there = WeakTensorKeyDictionary()
        self._pinned = WeakTensorKeyDictionary()
        self._copies: list[tuple[torch.Tensor, torch.Tensor]] = []
        self.arrived = 0

    def event(self) -> Event:
        """What ``torch.cuda.Event()`` makes."""
        return Event(self)

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Do what is asked, and see where the tensors are."""
        kwargs = dict(kwargs or {})
        name, tensors = getattr(func, "__name__", ""), _tensors((args, kwargs))
        there = [tensor for tensor in tensors if tensor in self._there]
        if func == torch.Tensor.device.__get__:
            return DEVICE if there else func(*args, **kwargs)
        if func in _MOVES:
            return self._moved(func, args, kwargs, bool(there))
        if func == torch.Tensor.numpy and there:
            raise TypeError(f"a tensor on {DEVICE} is not for numpy")
        if func == torch.Tensor.data.__set__:
            func(*args)
            return self._send(args[0]) if args[1] in self._there else None
        if func == torch.Tensor.copy_ and kwargs.get("non_blocking") and args[1] in self._there:
            return self._copy_later(*args)
        if kwargs.pop("pin_memory", False):
            self._pinned[pinned := func(*args, **kwargs)] = True
            return pinned
        made_there = kwargs.get("device") is not None and torch.device(kwargs["device"]).type == DEVICE.type
        if made_there:
            kwargs["device"] = torch.device("cpu")
        left = [tensor for tensor in tensors if tensor.dim() and tensor not in self._there]
        if (there or made_there) and left and name not in _ANYWHERE:
            raise RuntimeError(f"{name}: tensors on {DEVICE} and on the CPU")
        result = func(*args, **kwargs)
        if there or made_there:
            for tensor in _tensors(result):
                self._send(tensor)
        return result

    def _moved(self, func: Any, args: Any, kwargs: dict[str, Any], there: bool) -> torch.Tensor:
        """A tensor sent to the device, brought back, or of another type where it is."""
        tensor, said = args[0], [*args[1:], *kwargs.values()]
        devices = [torch.device(one) for one in said if isinstance(one, torch.device | str)]
        types = [one for one in said if isinstance(one, torch.dtype)]
        for other in (one for one in said if isinstance(one, torch.Tensor)):
            devices.append(DEVICE if other in self._there else torch.device("cpu"))
            types.append(other.dtype)
        stays = DEVICE if there else torch.device("cpu")
        to = {torch.Tensor.cpu: torch.device("cpu"), torch.Tensor.cuda: DEVICE}.get(func, stays)
        to = devices[0] if devices else to
        moved = tensor.type(types[0]) if types else tensor.clone()
        return self._send(moved) if to.type == DEVICE.type else moved

    def _copy_later(self, copy: torch.Tensor, tensor: torch.Tensor) -> torch.Tensor:
        """Copy from the device, behind what it is doing; it would be waited for into other memory."""
        if copy not in self._pinned:
            raise RuntimeError(f"a copy from {DEVICE} that nobody waits for needs pinned memory")
        self._copies.append((copy, tensor.clone()))
        return copy.zero_()

    def arrive(self, copies: int) -> None:
        """Make so many of the copies that were begun."""
        with torch.inference_mode():
            for copy, tensor in self._copies[self.arrived : copies]:
                copy.copy_(tensor)
        self.arrived = max(self.arrived, copies)

    @property
    def begun(self) -> int:
        """How many copies were begun."""
        return len(self._copies)

    def _send(self, tensor: torch.Tensor) -> torch.Tensor:
        self.largest = max(self.largest, tensor.numel())
        if tensor.numel() > self.numbers:
            raise torch.OutOfMemoryError(f"{DEVICE}: out of memory")
        self._there[tensor] = True
        return tensor


class Event:
    """A place in what the device is doing."""

    def __init__(self, device: Accelerator) -> None:
        self._device, self._copies = device, 0

    def record(self) -> None:
        """It stands behind all that was begun."""
        self._copies = self._device.begun

    def synchronize(self) -> None:
        """Wait until the device has come to it."""
        self._device.arrive(self._copies)


def _tensors(values: object) -> list[torch.Tensor]:
    return [one for one in tree_leaves(values) if isinstance(one, torch.Tensor)]


@contextmanager
def accelerator(monkeypatch: Any, numbers: float = float("inf")) -> Iterator[Accelerator]:
    """A machine with one such device, as torch says it."""
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "mem_get_info", lambda _: (MEMORY, MEMORY))
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda _: "Handmade GPU")
    monkeypatch.setattr(torch.cuda, "empty_cache", lambda: None)
    with Accelerator(numbers) as device:
        monkeypatch.setattr(torch.cuda, "Event", device.event)
        yield device
