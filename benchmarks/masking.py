"""Perturbed masking beside its definition: each input once, or two stages for each cell.

One made sentence of 20 words, some of several pieces, and the bundled encoder. The definition goes row by
row, one batch each: the row's word masked alone and with every other. Over pieces, words are masked whole
but each of their pieces has a row and a column, as when distances are merged afterwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np
import torch

from benchmarks.report import (
    alternate,
    circumstances,
    data_folder,
    fresh_settings,
    middle,
    show,
    table,
)
from core.analysis.masking.impact import Impact, distances
from core.analysis.masking.plan import MaskingPlan, plan_masking
from core.encoders.encoder import Encoder
from core.pipeline.engine import Engine
from core.recipe import Recipe

SENTENCE = (
    "Beekeepers in the drizzly lowlands unpack their honeycombs while hitchhikers photograph "
    "the mills and a quizmaster sings an old anthem"
)
WORDS = 20
ENOUGH = 1 + WORDS + WORDS * (WORDS - 1) // 2
"""The inputs that are enough: none, each and each pair of the words masked."""

ROUNDS = 7
COLUMNS = ("", "inputs", "median s", "minimum s", "÷ first, median", "÷ first, minimum")
TARGETS = (f"{ENOUGH:,} inputs", "≥ 5", "")


def run(data: Path) -> None:
    """Count inputs, compare values, and time the three ways in turn."""
    with fresh_settings(data) as settings:
        rows, note = compared(Engine(settings), Recipe())
    show(
        "Perturbed masking",
        table([*COLUMNS, "target"], [[*row, target] for row, target in zip(rows, TARGETS, strict=True)]),
        note,
    )


def compared(engine: Engine, recipe: Recipe) -> tuple[list[list[object]], str]:
    """For a recipe's model, a row of :data:`COLUMNS` for each way, and a note on them."""
    source = engine.source(recipe)
    planned = plan_masking(engine, source, SENTENCE)
    encoder = engine.passes.encoder(source)
    counted = _Counted(encoder)
    found = Impact(planned, distances(counted, planned))  # type: ignore[arg-type]
    pieces = [int(i) for i in planned.unit[planned.own]]
    words = list(range(len(planned.units)))
    assert len(words) == WORDS, f"the sentence has {len(words)} words"
    ways = {
        "each input once, all layers, both distances": partial(distances, encoder, planned),
        "two stages for each cell, over pieces": partial(_two_stages, encoder, planned, pieces),
        "two stages for each cell, over words": partial(_two_stages, encoder, planned, words),
    }
    inputs = [counted.inputs, len(pieces) ** 2, len(words) ** 2]
    error = _difference(found, _two_stages(encoder, planned, words))
    alternate(ways, 1)
    timed = alternate(ways, ROUNDS)
    ours = timed[next(iter(ways))]
    rows: list[list[object]] = []
    for (name, durations), count in zip(timed.items(), inputs, strict=True):
        slower = [f"{middle(durations) / middle(ours):.2f}", f"{min(durations) / min(ours):.2f}"]
        rows.append([name, f"{count:,}", f"{middle(durations):.3f}", f"{min(durations):.3f}", *slower])
    note = (
        f"{len(words)} words, {len(pieces)} pieces, {len(planned.ids)} tokens with special ones; "
        f"{ROUNDS} rounds, the ways in turn, the last layer and Euclidean distance alone in two stages. "
        f"The matrices differ by at most {error:.1e}.\n"
    )
    return rows, note


class _Counted:
    """An encoder that counts the inputs it is given."""

    def __init__(self, encoder: Encoder) -> None:
        self.location, self.batch_size = encoder.location, encoder.batch_size
        self._states, self.inputs = encoder.states, 0

    def states(self, ids: np.ndarray, types: np.ndarray, wanted: np.ndarray) -> dict[int, np.ndarray]:
        self.inputs += len(ids)
        return self._states(ids, types, wanted)


@torch.inference_mode()
def _two_stages(encoder: Encoder, planned: MaskingPlan, words: Sequence[int]) -> np.ndarray:
    """The definition by the model itself, one batch a row; ``words`` are those of rows and columns."""
    device, model = encoder.device.torch, encoder.model
    unit = torch.from_numpy(planned.unit).to(device)
    ids = torch.from_numpy(planned.ids).long().to(device)
    types = torch.from_numpy(planned.types).long().to(device)
    found = np.zeros((len(words), len(words)))
    for i, row in enumerate(words):
        batch = torch.stack(
            [ids.masked_fill((unit == row) | (unit == column), planned.mask_id) for column in words]
        )
        out = model(
            input_ids=batch,
            attention_mask=torch.ones_like(batch),
            token_type_ids=types.expand_as(batch),
        )
        states = out.last_hidden_state[:, int(planned.starts[row])]
        found[i] = (states - states[i]).norm(dim=-1).cpu().numpy()
    return found


def _difference(found: Impact, expected: np.ndarray) -> float:
    return float(np.abs(found.matrix(found.depth) - expected).max())


def main(arguments: Sequence[str] | None = None) -> None:
    """Run alone."""
    data = data_folder("Perturbed masking, each input once, and by its definition.", arguments)
    print(circumstances())
    run(data)


if __name__ == "__main__":
    main()
