"""Perturbed masking: the distance by which masking one word of a sentence moves the state of another.

    F[i, j] = d(H(x∖{i})_i, H(x∖{i, j})_i)

Row i is affected by column j. Word i is masked in both inputs, so the two states are the model's
predictions of position i with and without word j; the diagonal is 0. Masking {i, j} and {j, i} is the same
input, so W words need 1 + W + W(W-1)/2 inputs. One run serves every layer, both distances and every way to
merge pieces.

References
----------
Z. Wu, Y. Chen, B. Kao, Q. Liu: Perturbed Masking: Parameter-free Probing for Analyzing and Interpreting
BERT. ACL 2020. Q. Chen et al.: Ditto: A Simple and Efficient Approach to Improve Sentence Embeddings. EMNLP
2023, section 2 and appendix A.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
from jaxtyping import Float, Int

from core.analysis.masking.plan import SPECIAL, MaskingPlan, masked_by
from core.errors import RecipeError
from core.pipeline.engine import Engine
from core.progress import Progress, Step, silent
from core.storage.tables import TableKind

if TYPE_CHECKING:  # it loads torch, which takes seconds: it is imported where one is made
    import core.encoders.encoder

MASKING = TableKind("masking", 1, forward=True)

DistanceMetric = Literal["euclidean", "cosine"]
Merge = Literal["first", "mean", "sum", "max"]
METRICS: tuple[DistanceMetric, ...] = get_args(DistanceMetric)
MERGES: tuple[Merge, ...] = get_args(Merge)

_TINY = np.float32(1e-30)
_NONE = -2
"""No unit, in a list of the units that are masked."""

StateRows = Float[np.ndarray, "state dim"]
Distances = Float[np.ndarray, " state"]


@dataclass(frozen=True, eq=False)
class Impact:
    """The distance by which masking each unit moves each token's state.

    Attributes
    ----------
    plan
        The units that were masked.
    distances
        By metric, ``[layer, token, unit]``: layers 0 … L, every token of the sentence, the unit that is
        masked. For a special token, which is never masked itself, the sentence with that unit masked is
        compared with the sentence as it is. A token's own unit is 0.
    """

    plan: MaskingPlan
    distances: dict[DistanceMetric, Float[np.ndarray, "layer token unit"]]

    @property
    def depth(self) -> int:
        """The last layer."""
        return len(self.distances["euclidean"]) - 1

    def rows(self, *, special: bool = False) -> tuple[str, ...]:
        """The labels of a matrix's rows."""
        names = [*self.plan.units, *(self.plan.surface_forms[i] for i in self.plan.special)]
        return tuple(names[i] for i in self._order(special))

    def own_rows(self, *, special: bool = False) -> Int[np.ndarray, " unit"]:
        """The row of each unit in a matrix."""
        return np.argsort(self._order(special), kind="stable")[: len(self.plan.units)]

    def matrix(
        self,
        layer: int,
        metric: DistanceMetric = "euclidean",
        merge: Merge = "first",
        *,
        special: bool = False,
    ) -> Float[np.ndarray, "row unit"]:
        """The impact matrix: the distance by which the row's unit moves when the column's is masked.

        Parameters
        ----------
        layer
            0 … L; no token has seen another in layer 0, so all is 0 there.
        metric
            ``euclidean``, or ``cosine`` for 1 - cosine.
        merge
            The distance of a unit of several pieces: that of its ``first`` piece, or the ``mean``, ``sum``
            or ``max`` of those of all its pieces.
        special
            Whether special tokens have rows, in the order of the sentence. They have no columns.

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
        self, layer: int, metric: DistanceMetric = "euclidean", merge: Merge = "first"
    ) -> Float[np.ndarray, " unit"]:
        """The mean distance by which masking each unit moves all units, itself with 0."""
        return self.matrix(layer, metric, merge).mean(axis=0)

    def _order(self, special: bool) -> Int[np.ndarray, " row"]:
        """The units, and then the special tokens, in the order of the sentence."""
        places = np.concatenate([self.plan.starts, self.plan.special if special else self.plan.special[:0]])
        return np.argsort(places, kind="stable")


def impact(engine: Engine, planned: MaskingPlan, progress: Progress = silent) -> Impact:
    """Run the inputs of a plan, or read their distances from the store.

    ``progress`` gets the number of inputs that are done; an exception that it raises stops the run, and
    nothing of this sentence is stored.
    """

    def run() -> dict[str, np.ndarray]:
        return dict(distances(engine.passes.encoder(planned.source), planned, progress).items())

    arrays = engine.store.table(MASKING, _parts(engine, planned), run, progress, planned.source.name)
    return Impact(planned, {metric: arrays[metric] for metric in METRICS})


def pending_seconds(engine: Engine, planned: MaskingPlan) -> float:
    """The estimated seconds of :func:`impact`; 0 when the distances are stored."""
    if engine.store.has_table(MASKING, _parts(engine, planned)):
        return 0.0
    return engine.passes.seconds_for(planned.source, planned.tokens)


def _parts(engine: Engine, planned: MaskingPlan) -> tuple[object, ...]:
    """The parts of the key of a plan's distances in the store."""
    return *masked_by(engine, planned.source), planned.level, planned.text


def distances(
    encoder: core.encoders.encoder.Encoder, planned: MaskingPlan, progress: Progress = silent
) -> dict[DistanceMetric, Float[np.ndarray, "layer token unit"]]:
    """Run every input once, and keep the distances of the states at masked and special positions.

    The inputs are the sentence, and then the sentence with each unit and with each pair masked. A unit's
    state with it alone masked is remembered, and a special token's in the whole sentence: what another
    unit masked as well makes of them is compared with that. The state that another is compared with comes
    in the same batch or before. All inputs have one length and need no padding.
    """
    unit, layers = planned.unit, range(encoder.location.depth + 1)
    masked = _masked(len(planned.units))
    moved = {m: np.zeros((len(layers), len(unit), len(planned.units)), np.float32) for m in METRICS}
    alone = np.zeros((len(layers), len(unit), encoder.location.dim), np.float32)
    size = encoder.batch_size(len(unit))
    step = f"Masking with {planned.source.name}: inputs"
    for start in range(0, len(masked), size):
        progress(Step(step, start, len(masked)))
        batch = masked[start : start + size]
        first, second = batch.T
        hit = (unit == batch[:, :1]) | (unit == batch[:, 1:])
        unmasked, single = (first == _NONE)[:, None], (second == _NONE)[:, None]
        special = unit == SPECIAL
        remembered = np.where(unmasked, special, single & hit)
        compared = np.where(single, special & ~unmasked, hit)
        wanted = remembered | compared
        states = encoder.states(np.where(hit, planned.mask_id, planned.ids), planned.types, wanted)
        row, token = np.nonzero(compared)
        other = np.where(unit[token] == first[row], second[row], first[row])
        kept, is_kept, is_compared = np.nonzero(remembered)[1], remembered[wanted], compared[wanted]
        for layer in layers:
            alone[layer, kept] = states[layer][is_kept]
            found = between(alone[layer, token], states[layer][is_compared])
            for metric, values in found.items():
                moved[metric][layer, token, other] = values
    progress(Step(step, len(masked), len(masked)))
    return moved


def _masked(count: int) -> Int[np.ndarray, "input 2"]:
    """The units masked in each input: none, one, or two."""
    singles = np.stack([np.arange(count), np.full(count, _NONE)], axis=1)
    pairs = np.stack(np.triu_indices(count, 1), axis=1)
    return np.concatenate([[[_NONE, _NONE]], singles, pairs])


def between(a: StateRows, b: StateRows) -> dict[DistanceMetric, Distances]:
    """The distances of each row of ``a`` from that of ``b``; cosine is 0 where a row is 0.

    With d = a - b, 1 - cosine is (|d|² - (|a| - |b|)²) / 2|a||b|, where |a| - |b| is
    d · (a + b) / (|a| + |b|). Large numbers are subtracted in d alone, so that float32 keeps six digits
    where the cosine is nearly 1.
    """
    d = a - b
    squared, (norm_a, norm_b) = _dots(d, d), (np.sqrt(_dots(x, x)) for x in (a, b))
    longer = (_dots(d, a) + _dots(d, b)) / np.maximum(norm_a + norm_b, _TINY)
    cosine = np.maximum(squared - longer**2, 0) / np.maximum(2 * norm_a * norm_b, _TINY)
    return {"euclidean": np.sqrt(squared), "cosine": cosine}


def _dots(a: StateRows, b: StateRows) -> Distances:
    """The product of each row of ``a`` with that of ``b``."""
    return np.einsum("ij,ij->i", a, b)


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
