"""Vectors in two dimensions, in one map for all layers.

**PCA** is exact. When several layers share a map, each is centred on its own mean and scaled to the same
total variance, and one PCA is fitted on all of them together: the axes mean the same in every layer, and no
layer counts more because its vectors are longer. **UMAP** and **t-SNE** start from the first
:data:`KEPT` components of that PCA, all layers' points together, by Euclidean distance.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import scipy.linalg
from jaxtyping import Float

from core.errors import StrataError
from core.progress import Progress, Step, silent
from core.store import Store, key_of

METHODS = {"pca": "PCA", "umap": "UMAP", "tsne": "t-SNE"}
SEED = 0
KEPT = 50
"""Components that UMAP and t-SNE start from."""

LEAST = 10
"""Points that UMAP and t-SNE need."""

ROUNDING = 1e-12
"""Variance up to this share of the mean squared length is what rounding leaves of equal vectors."""

_VERSION = 1
_ARRAYS = ("points", "explained", "mean", "scale", "axes")
_SECONDS = {"umap": (25.0, 4e-3), "tsne": (4.0, 6e-3)}

Read = Callable[[int], np.ndarray]
"""Gives the rows ``[point, dim]`` of a layer."""


class ProjectionError(StrataError):
    """Vectors of which no map can be drawn."""


@dataclass(frozen=True, eq=False)
class Projection:
    """A map of the same points in one or several layers.

    Attributes
    ----------
    method
        ``pca``, ``umap`` or ``tsne``.
    layers
        The layers that share the map.
    points
        Where every point lies in every layer.
    explained
        The share of the variance that each of the two axes holds, of the scaled layers together; of PCA.
    mean, scale, axes
        What makes further vectors of a layer points of the map: ``(rows - mean) / scale @ axes``; of PCA.
    """

    method: str
    layers: tuple[int, ...]
    points: Float[np.ndarray, "layer point 2"]
    explained: Float[np.ndarray, " axis"]
    mean: Float[np.ndarray, "layer dim"]
    scale: Float[np.ndarray, " layer"]
    axes: Float[np.ndarray, "dim axis"]

    def at(self, layer: int) -> Float[np.ndarray, "point 2"]:
        """The points of one layer."""
        return self.points[self.layers.index(layer)]

    def place(self, rows: Float[np.ndarray, "row dim"], layer: int) -> Float[np.ndarray, "row 2"]:
        """Where further vectors of a layer lie. UMAP and t-SNE have no place for them: ProjectionError."""
        if self.method != "pca":
            raise ProjectionError(f"{METHODS[self.method]} has no place for points it was not given.")
        i = self.layers.index(layer)
        placed = (rows - self.mean[i]) / self.scale[i] @ self.axes
        return _two(placed[None].astype(np.float32))[0]


def seconds(method: str, points: int) -> float:
    """About how long a map of so many points takes, those of all layers counted; 0 for PCA."""
    if method == "pca":
        return 0.0
    start, each = _SECONDS[method]
    return start + each * points


def key(method: str, what: Sequence[object]) -> str:
    """What a kept map is found by; ``what`` stands for the vectors."""
    return "projection-" + key_of(_VERSION, method, SEED, KEPT, list(what))


def project(
    store: Store,
    method: str,
    layers: Sequence[int],
    read: Read,
    what: Sequence[object],
    progress: Progress = silent,
) -> Projection:
    """The map of some points in some layers; kept under ``what``, which stands for the vectors.

    Parameters
    ----------
    store
        Keeps the map.
    method
        One of :data:`METHODS`.
    layers
        The layers that share the map, all equally wide.
    read
        Gives the rows of a layer; asked twice for each.
    what
        Everything that the vectors depend on.
    progress
        Told what is done; what it raises stops the work, that of UMAP and t-SNE too.

    Raises
    ------
    ProjectionError
        All vectors are equal, or there are too few of them.
    """
    name = key(method, what)

    def make() -> dict[str, np.ndarray]:
        found = made(method, layers, read, progress)
        return {part: getattr(found, part) for part in _ARRAYS}

    if not store.has_table(name):  # two visitors who ask for one map share the work
        with store.exclusively(name[-40:], progress, f"{METHODS[method]} of the same points"):
            found = store.table(name, make)
    else:
        found = store.table(name, make)
    arrays = {part: found[part] for part in _ARRAYS}
    return Projection(method, tuple(layers), **arrays)


def made(method: str, layers: Sequence[int], read: Read, progress: Progress = silent) -> Projection:
    """The same, not kept."""
    scores, explained, mean, scale, axes = _principal(
        layers, read, 2 if method == "pca" else KEPT, METHODS[method], progress
    )
    if method == "pca":
        points = _two(scores)
        return Projection(method, tuple(layers), points, explained[:2], mean, scale, axes)
    count, number, width = scores.shape
    if count * number < LEAST:
        raise ProjectionError(
            f"{METHODS[method]} needs {LEAST} points or more; got {count * number}. Take PCA."
        )
    flat = _apart(method, scores.reshape(count * number, width), progress)
    none = np.zeros((count, 0), np.float32)
    return Projection(
        method,
        tuple(layers),
        flat.reshape(count, number, 2),
        np.zeros(0),
        none,
        np.ones(count),
        np.zeros((0, 0)),
    )


def plane(points: Float[np.ndarray, "point 2"], values: Float[np.ndarray, " point"]) -> float:
    """R² of a plane over a map; NaN with fewer than four values or values that are all equal."""
    known = np.isfinite(values)
    x, y = points[known].astype(np.float64), values[known].astype(np.float64)
    if len(y) < 4 or np.ptp(y) == 0:
        return float("nan")
    x, y = np.column_stack([x - x.mean(axis=0), np.ones(len(x))]), y - y.mean()
    left = y - x @ np.linalg.lstsq(x, y, rcond=None)[0]
    return float(1 - left @ left / (y @ y))


def _principal(
    layers: Sequence[int], read: Read, most: int, name: str, progress: Progress
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Scores ``[layer, point, component]``, shares of the variance, and means, scales and components."""
    means, scales, total = [], [], np.zeros(0)
    for number, layer in enumerate(layers):
        progress(Step(f"{name}: layers", number, len(layers)))
        rows = read(layer)
        if len(rows) < 2:
            raise ProjectionError(f"A map needs two points or more; got {len(rows)}.")
        mean = rows.mean(axis=0, dtype=np.float64)
        centred = rows.astype(np.float64) - mean
        covariance = centred.T @ centred / len(rows)
        variance, length = float(np.trace(covariance)), float(np.einsum("ij,ij->", rows, rows)) / len(rows)
        flat = variance <= ROUNDING * length
        scale = np.sqrt(variance) if len(layers) > 1 and not flat else 1.0
        if not flat:
            covariance /= scale**2 * len(layers)
            total = covariance if not len(total) else total + covariance
        means.append(mean)
        scales.append(scale)
    if not len(total):
        raise ProjectionError(f"All {len(rows):,} vectors are equal: there is nothing to draw.")
    components, explained = _leading(total, most)
    scores = []
    for layer, mean, scale in zip(layers, means, scales, strict=True):
        scores.append((((read(layer) - mean) / scale) @ components).astype(np.float32))
    return np.stack(scores), explained, np.stack(means), np.array(scales), components


def _leading(covariance: np.ndarray, most: int) -> tuple[np.ndarray, np.ndarray]:
    """Principal components as columns and their shares of the variance, largest first.

    The sign is chosen so that the largest number of each is positive.
    """
    dim = len(covariance)
    values, vectors = scipy.linalg.eigh(covariance, subset_by_index=(max(dim - most, 0), dim - 1))
    vectors = vectors[:, ::-1]
    largest = vectors[np.abs(vectors).argmax(axis=0), np.arange(vectors.shape[1])]
    return vectors * np.where(largest < 0, -1, 1), np.maximum(values[::-1], 0) / np.trace(covariance)


def _two(scores: np.ndarray) -> np.ndarray:
    """The first two components; vectors of one dimension lie on a line."""
    missing = 2 - scores.shape[2]
    return np.pad(scores[..., :2], ((0, 0), (0, 0), (0, max(missing, 0))))


def _apart(method: str, rows: np.ndarray, progress: Progress) -> Float[np.ndarray, "point 2"]:
    """UMAP or t-SNE in a process of its own, which ends when ``progress`` raises."""
    name, about = METHODS[method], round(seconds(method, len(rows)))
    with tempfile.TemporaryDirectory(prefix="strata-map-") as folder:
        source, target, said = (Path(folder) / part for part in ("rows.npy", "points.npy", "said.txt"))
        np.save(source, rows)
        program = Path(__file__).with_name("manifold.py")
        command = [sys.executable, "-P", "-W", "ignore", *map(str, (program, method, SEED, source, target))]
        threads = dict.fromkeys(("OMP_NUM_THREADS", "NUMBA_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
        with said.open("wb") as errors:
            process = subprocess.Popen(command, stdout=errors, stderr=errors, env=os.environ | threads)  # noqa: S603
        begin = time.perf_counter()
        try:
            while True:
                with suppress(subprocess.TimeoutExpired):
                    process.wait(0.2)
                    break
                spent = int(time.perf_counter() - begin)
                progress(Step(f"{name} of {len(rows):,} points: seconds", min(spent, about), about))
        finally:
            process.kill()
            process.wait()
        if process.returncode:
            lines = said.read_text("utf-8", "replace").strip().splitlines() or ["no message"]
            raise ProjectionError(f"{name} of {len(rows):,} points failed: {lines[-1][:240]}. Take PCA.")
        return np.asarray(np.load(target), np.float32)
