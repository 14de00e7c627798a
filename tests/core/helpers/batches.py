"""Batches of another size than the CPU's own."""

from dataclasses import replace

from core.encoders import device


def cpu_with(**bounds: int) -> None:
    """Bound the batches of encoders that are made from now on, for the rest of the process."""
    device.CPU = replace(device.CPU, **bounds)


def bounded(monkeypatch, **bounds: int) -> None:
    """The same until the test is over."""
    monkeypatch.setattr(device, "CPU", replace(device.CPU, **bounds))
