"""What the machine can do: matrix products, memory, stored layers; and what each job takes at that.

The sizes are those of the bundled encoder, of which every linear layer multiplies 384 × 384, 384 × 1,536 or
1,536 × 384 numbers for each token. A job is the floating-point operations and the bytes that it cannot do
without: the encoder's products for a pass, one reading of the layers for what is computed from them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import torch

from benchmarks.report import circumstances, data_folder, fresh_settings, seconds, show, table
from core.encoders.linear import use_onednn
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.storage.files import HEADER, FileReader, crc_of
from core.storage.stored_pass import StoredPass, file_name, layer_file

CORPUS = "STS-B"
TOKENS = 1024
"""Tokens of a batch on the CPU."""

SHAPES = ((384, 384), (384, 1536), (1536, 384))
"""Inputs and outputs of the encoder's linear layers."""

LAYERS, DIM, HEADS = 6, 384, 72
ROUNDS = 12
MEMORY = 256_000_000
"""Bytes that are read and copied: far more than a processor's cache holds."""

MASKED, PAIRS = 211, 784
"""Inputs of a sentence of 20 words and 28 pieces, and those of the way in two stages over pieces."""


@dataclass(frozen=True)
class Limits:
    """Operations a second of matrix products by precision, and bytes a second, all on all threads."""

    products: dict[str, float]
    read: float
    copied: float
    stored: float
    checked: float

    def seconds(self, operations: float, moved: float, precision: str = "float32") -> float:
        """The least time of a job whose operations and whose reading of memory overlap."""
        return max(operations / self.products[precision], moved / self.read)


def run(data: Path) -> None:
    """Measure the limits and print them, and what the jobs of the other tables take at them."""
    with fresh_settings(data) as settings:
        engine = Engine(settings)
        corpus = engine.corpus(CORPUS)
        found, _ = engine.passes.get(engine.passes.source(Recipe().source), corpus)
        assert isinstance(found, StoredPass)
        products, fastest = _products()
        memory, read, copied = _memory()
        stored, whole, checked = _stored(found)
        show("Limits: matrix products", table(["", *_threads("Gflop/s")], products), _NOTE)
        show("Limits: memory and stored layers", table(["", *_threads("GB/s")], memory + stored))
        limits = Limits(fastest, read, copied, whole, checked)
        show("Limits: each job", table(*_jobs(limits, found)), _JOBS)


# -- what is measured ----------------------------------------------------------------------------


def _products() -> tuple[list[list[str]], dict[str, float]]:
    """Rows of the first table, and the operations a second of the encoder's mixture of products."""
    rows: list[list[str]] = []
    fastest: dict[str, float] = {}
    for name, make in _WAYS.items():
        layers = [make(torch.nn.Linear(*shape).requires_grad_(False)) for shape in SHAPES]
        inputs = [torch.randn(TOKENS, inputs) for inputs, _ in SHAPES]
        row = [name]
        for count in _counts():
            with _on(count), torch.inference_mode(), torch.autocast("cpu", enabled="bfloat16" in name):
                least = [_least(partial(layer, x)) for layer, x in zip(layers, inputs, strict=True)]
            works = [2 * TOKENS * inputs * outputs for inputs, outputs in SHAPES]
            row.append(" ".join(f"{work / t / 1e9:,.0f}" for work, t in zip(works, least, strict=True)))
            # four of 384 × 384 and one of either other shape are a block's
            rate = (4 * works[0] + works[1] + works[2]) / (4 * least[0] + least[1] + least[2])
        precision = "bfloat16" if "bfloat16" in name else "float32"
        fastest[precision] = max(rate, fastest.get(precision, 0.0))
        rows.append(row)
    return rows, fastest


def _memory() -> tuple[list[list[str]], float, float]:
    """Rows of the second table, and bytes a second that are read and copied on all threads."""
    source = torch.ones(MEMORY // 4)
    target = torch.empty_like(source)
    ways = {"memory, read": source.sum, "memory, copied": partial(target.copy_, source)}
    rows, rates = [], []
    for name, way in ways.items():
        row = [name]
        for count in _counts():
            with _on(count):
                rate = MEMORY / _least(way)
            row.append(f"{rate / 1e9:.1f}")
        rows.append(row)
        rates.append(rate)
    return rows, rates[0], rates[1]


def _stored(found: StoredPass) -> tuple[list[list[str]], float, float]:
    """Rows of the second table for a layer in the page cache, and its bytes a second, read and checked."""
    path = found.folder / file_name(layer_file(LAYERS))
    size = len(found.tokens) * DIM
    reader, room = FileReader(path), np.ones(size, np.float32)

    def fresh() -> None:
        reader.read_into(np.empty(size, np.float32), HEADER)

    def both() -> None:
        fresh()
        crc_of(path)

    ways: dict[str, Callable[[], object]] = {
        "stored layer, read into memory in use": partial(reader.read_into, room, HEADER),
        "stored layer, read into new memory": fresh,
        "stored layer, its checksum": partial(crc_of, path),
        "stored layer, read into new memory, and its checksum": both,
    }
    rates = {name: 4 * size / _least(way) for name, way in ways.items()}
    rows = [[name, f"{rate / 1e9:.1f}", *["" for _ in _counts()[1:]]] for name, rate in rates.items()]
    _, read, _, checked = rates.values()
    return rows, read, checked


def _least(run: Callable[[], object]) -> float:
    """The least seconds of several calls, the first left out."""
    run()
    return min(seconds(run) for _ in range(ROUNDS))


def _counts() -> list[int]:
    """One thread, and all."""
    return sorted({1, torch.get_num_threads()})


def _threads(unit: str) -> list[str]:
    return [f"{unit}, {count} thread{'s' * (count > 1)}" for count in _counts()]


@contextmanager
def _on(count: int) -> Iterator[None]:
    """Torch has so many threads."""
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)


_WAYS: dict[str, Callable[[torch.nn.Linear], torch.nn.Module]] = {
    "float32, as torch does (MKL)": lambda linear: linear,
    "float32, as the engine does": lambda linear: use_onednn(torch.nn.Sequential(linear))[0],
    "bfloat16, as torch does": lambda linear: linear,
    "bfloat16, as the engine does": lambda linear: use_onednn(torch.nn.Sequential(linear))[0],
}

# -- what jobs take at that ----------------------------------------------------------------------


def _jobs(limits: Limits, found: StoredPass) -> tuple[list[str], list[list[object]]]:
    """The last table: operations, bytes, and the least seconds of each job."""
    tokens, lengths = len(found.tokens), found.tokens.lengths.astype(np.float64)
    layer = 4.0 * tokens * DIM
    every = float(sum(len_bytes for len_bytes in found.layout.file_bytes(tokens).values()))
    attention = LAYERS * 4 * DIM * float((lengths**2).sum())
    encoding = 24.0 * LAYERS * DIM**2 * tokens + attention
    sentence = 24.0 * LAYERS * DIM**2 * 30 + LAYERS * 4 * DIM * 30**2
    writing = every / limits.copied
    jobs: list[tuple[str, float, float, float]] = [
        ("first pass, float32, written", encoding, every, limits.seconds(encoding, 0) + writing),
        ("first pass, bfloat16", encoding, every, limits.seconds(encoding, 0, "bfloat16") + writing),
        ("a recipe, its layer in memory", 2.0 * tokens * DIM, layer, limits.seconds(0, layer)),
        ("a recipe, its layer read", 2.0 * tokens * DIM, layer, layer / limits.stored),
        ("SBERT-WK, layers in memory", 2.0 * 28 * tokens * DIM, 7 * layer, limits.seconds(0, 7 * layer)),
        ("SBERT-WK, layers read", 2.0 * 28 * tokens * DIM, 7 * layer, 7 * layer / limits.stored),
        (
            "head search, two layers averaged, read and checked",
            2.0 * HEADS * tokens * DIM,
            2 * layer,
            2 * layer / limits.checked + limits.seconds(2.0 * HEADS * tokens * DIM, 0),
        ),
        ("w × layers, 14 layers read and checked", 0.0, 14 * layer, 14 * layer / limits.checked),
        (f"masking, {MASKED} inputs", MASKED * sentence, 0, limits.seconds(MASKED * sentence, 0)),
        (f"masking, {PAIRS} inputs", PAIRS * sentence, 0, limits.seconds(PAIRS * sentence, 0)),
    ]
    header = ["", "Gflop", "MB", "least ms", "of the first pass at its limit"]
    return header, [
        [name, f"{work / 1e9:,.1f}", f"{moved / 1e6:,.0f}", f"{1000 * t:,.1f}", f"{t / jobs[0][3]:.2%}"]
        for name, work, moved, t in jobs
    ]


_NOTE = (
    f"{TOKENS:,} tokens by {', '.join(f'{a:,} × {b:,}' for a, b in SHAPES)} numbers, in this order; the "
    f"least of {ROUNDS} calls each.\n"
)
_JOBS = (
    f"On {CORPUS} test. The pass: products of the encoder at the fastest rate above, and its files copied "
    "once; what follows it: each layer read once from memory, or from the page cache into new memory, with "
    "its checksum where an engine has not seen it. Normalisation, softmax, GELU and Python are in no row.\n"
)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run alone."""
    data = data_folder(
        "Matrix products, memory and stored layers, and what jobs take at these limits.", arguments
    )
    print(circumstances())
    run(data)


if __name__ == "__main__":
    main()
