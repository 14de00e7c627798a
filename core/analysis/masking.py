"""Perturbed masking: how far masking one word of a sentence moves the state of another.

    F[i, j] = d(H(x∖{i})_i, H(x∖{i, j})_i)

Row i is affected by column j. Word i is masked both times, so what is compared is what the model makes of
its place with and without j in sight; the diagonal is 0. Masking {i, j} and {j, i} is the same input, so
1 + W + W(W-1)/2 inputs are enough for W words, and no other is run. One run serves every layer, both
distances and every way to merge pieces.

References
----------
Z. Wu, Y. Chen, B. Kao, Q. Liu: Perturbed Masking: Parameter-free Probing for Analyzing and Interpreting
BERT. ACL 2020. Q. Chen et al.: Ditto: A Simple and Efficient Approach to Improve Sentence Embeddings. EMNLP
2023, section 2 and appendix A.1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from jaxtyping import Float, Int

from core.analysis.masking_plan import SPECIAL, Plan
from core.embed import Road
from core.encoder import Encoder
from core.errors import RecipeError
from core.progress import Progress, Step, silent
from core.store import key_of

Metric = Literal["euclidean", "cosine"]
Merge = Literal["first", "mean", "sum", "max"]
METRICS: tuple[Metric, ...] = get_args(Metric)
MERGES: tuple[Merge, ...] = get_args(Merge)

_NONE = -2
"""Stands for no unit in a list of what is masked."""

States = Float[np.ndarray, "state dim"]
Distances = Float[np.ndarray, " state"]


@dataclass(frozen=True, eq=False)
class Impact:
    """How far each token's state moves when each unit is masked.

    Attributes
    ----------
    plan
        What was masked.
    distances
        By metric, ``[layer, token, unit]``: layers 0 … L, every token of the sentence, the unit that is
        masked. For a special token, which is never masked itself, the sentence with that unit masked is
        compared with the sentence as it is. A token's own unit is 0.
    """

    plan: Plan
    distances: dict[Metric, Float[np.ndarray, "layer token unit"]]

    @property
    def depth(self) -> int:
        """The last layer."""
        return len(self.distances["euclidean"]) - 1

    def rows(self, *, special: bool = False) -> tuple[str, ...]:
        """What the rows of a matrix stand for."""
        names = [*self.plan.units, *(self.plan.written[i] for i in self.plan.special)]
        return tuple(names[i] for i in self._order(special))

    def own_rows(self, *, special: bool = False) -> Int[np.ndarray, " unit"]:
        """The row of a matrix that each unit itself has."""
        return np.argsort(self._order(special), kind="stable")[: len(self.plan.units)]

    def matrix(
        self, layer: int, metric: Metric = "euclidean", merge: Merge = "first", *, special: bool = False
    ) -> Float[np.ndarray, "row unit"]:
        """The impact matrix: row i says how far unit i moves when the column's unit is masked.

        Parameters
        ----------
        layer
            0 … L; no token has seen another in layer 0, so all is 0 there.
        metric
            ``euclidean``, or ``cosine`` for 1 - cosine.
        merge
            What stands for a unit of several pieces: the distance of its ``first``, or the ``mean``,
            ``sum`` or ``max`` of those of all its pieces.
        special
            Whether special tokens have rows, where they stand in the sentence. They have no columns.

        Raises
        ------
        RecipeError
            A layer that the model does not have.
        """
        if not 0 <= layer <= self.depth:
            name = self.plan.source.name
            raise RecipeError(f"{name} has no layer {layer}; allowed is 0 to {self.depth}.")
        moved = self.distances[metric][layer].astype(np.float64)
        rows = _merged(moved[self.plan.own], self.plan.unit[self.plan.own], merge)
        return np.concatenate([rows, moved[self.plan.special]])[self._order(special)]

    def means(
        self, layer: int, metric: Metric = "euclidean", merge: Merge = "first"
    ) -> Float[np.ndarray, " unit"]:
        """How far masking each unit moves all units on average, itself with 0; without special tokens."""
        return self.matrix(layer, metric, merge).mean(axis=0)

    def _order(self, special: bool) -> Int[np.ndarray, " row"]:
        """The units, and then the special tokens, in the order of the sentence."""
        places = np.concatenate([self.plan.starts, self.plan.special if special else self.plan.special[:0]])
        return np.argsort(places, kind="stable")


def impact(road: Road, planned: Plan, progress: Progress = silent) -> Impact:
    """Run what is planned, or take it from the store.

    ``progress`` is told how many inputs are done; whatever it raises stops the work, and nothing of this
    sentence is kept.
    """
    key = _key(road, planned)

    def run() -> dict[str, np.ndarray]:
        return dict(distances(road.passes.encoder(planned.source), planned, progress).items())

    if road.store.has_table(key):
        found = road.store.table(key, run)
    else:
        with road.store.exclusively(key, progress, planned.source.name):
            found = road.store.table(key, run)
    return Impact(planned, {metric: found[metric] for metric in METRICS})


def pending_seconds(road: Road, planned: Plan) -> float:
    """About how long :func:`impact` would take; 0 when it is kept."""
    if road.store.has_table(_key(road, planned)):
        return 0.0
    return road.passes.seconds_for(planned.source, planned.tokens)


def _key(road: Road, planned: Plan) -> str:
    """What the distances depend on."""
    source = planned.source
    model = (source.name, source.revision, road.settings.forward, source.location.max_tokens)
    return "masking-" + key_of(*model, planned.level, planned.text)


def distances(
    encoder: Encoder, planned: Plan, progress: Progress = silent
) -> dict[Metric, Float[np.ndarray, "layer token unit"]]:
    """Run every input once, and keep of it only how far the states at masked and special places moved.

    The inputs come as the sentence, each unit masked, each pair masked; so what a state is compared with is
    always there, in the same batch or in one before. All have one length and need no padding.
    """
    unit, layers = planned.unit, range(encoder.location.depth + 1)
    masked = _masked(len(planned.units))
    moved = {m: np.zeros((len(layers), len(unit), len(planned.units)), np.float32) for m in METRICS}
    alone = np.zeros((len(layers), len(unit), encoder.location.dim), np.float32)
    size = encoder.batch_size(len(unit))
    what = f"Masking with {planned.source.name}: inputs"
    for start in range(0, len(masked), size):
        progress(Step(what, start, len(masked)))
        some = masked[start : start + size]
        first, second = some.T
        hit = (unit == some[:, :1]) | (unit == some[:, 1:])
        states = encoder.states(np.where(hit, planned.mask_id, planned.ids), planned.types)
        none, one = (first == _NONE)[:, None], (second == _NONE)[:, None]
        special = unit == SPECIAL
        row, token = np.nonzero(np.where(none, special, one & hit))
        for layer in layers:
            alone[layer, token] = states[layer][row, token]
        row, token = np.nonzero(np.where(one, special & ~none, hit))
        column = np.where(unit[token] == first[row], second[row], first[row])
        for layer in layers:
            before, after = alone[layer, token].astype(float), states[layer][row, token].astype(float)
            for metric, distance in _DISTANCES.items():
                moved[metric][layer, token, column] = distance(before, after)
    progress(Step(what, len(masked), len(masked)))
    return moved


def _masked(count: int) -> Int[np.ndarray, "input 2"]:
    """The units masked in each input: none, one, or two."""
    singles = np.stack([np.arange(count), np.full(count, _NONE)], axis=1)
    pairs = np.stack(np.triu_indices(count, 1), axis=1)
    return np.concatenate([[[_NONE, _NONE]], singles, pairs])


def _euclidean(a: States, b: States) -> Distances:
    return np.linalg.norm(a - b, axis=1)


def _cosine(a: States, b: States) -> Distances:
    """1 - cosine, by the distance of unit vectors: exact where the cosine is nearly 1."""
    a, b = (x / np.maximum(np.linalg.norm(x, axis=1, keepdims=True), 1e-30) for x in (a, b))
    return ((a - b) ** 2).sum(axis=1) / 2


_DISTANCES: dict[Metric, Callable[[States, States], Distances]] = {
    "euclidean": _euclidean,
    "cosine": _cosine,
}


def _merged(
    values: Float[np.ndarray, "own unit"], unit: Int[np.ndarray, " own"], merge: Merge
) -> Float[np.ndarray, "unit unit"]:
    """One row for each unit, from those of its pieces."""
    starts = np.unique(unit, return_index=True)[1]
    if merge == "first":
        return values[starts]
    if merge == "max":
        return np.maximum.reduceat(values, starts, axis=0)
    total = np.add.reduceat(values, starts, axis=0)
    return total if merge == "sum" else total / np.bincount(unit)[:, None]
