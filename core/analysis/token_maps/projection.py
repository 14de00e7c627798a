"""Projections of vectors to two dimensions, in one map for all layers.

**PCA** is exact. When several layers share a map, each is centred on its own mean and scaled to the same
total variance, and one PCA is fitted on all layers together: the axes mean the same in every layer, and no
layer counts more because its vectors are longer. **UMAP** and **t-SNE** get the first
:data:`PCA_COMPONENTS` components of that PCA, the points of all layers together, with Euclidean distance.
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
from jaxtyping import Float

from core.errors import StrataError
from core.evaluation.isotropy import ROUNDING
from core.matrices import leading
from core.progress import Progress, Step, silent
from core.storage.store import Store
from core.storage.tables import RECIPE_LIBRARIES, TableKind

METHODS = {"pca": "PCA", "umap": "UMAP", "tsne": "t-SNE"}
SEED = 0
PCA_COMPONENTS = 50
"""Principal components that UMAP and t-SNE get."""

MIN_POINTS = 10
"""The smallest number of points for UMAP and t-SNE."""

PROJECTION = TableKind("projection", 1, (*RECIPE_LIBRARIES, "umap-learn"), forward=True)
_ARRAYS = ("points", "explained", "mean", "scale", "axes")
_SECONDS = {"umap": (25.0, 4e-3), "tsne": (4.0, 6e-3)}

ReadRows = Callable[[int], np.ndarray]
"""Gives the rows ``[point, dim]`` of a layer."""


class ProjectionError(StrataError):
    """No map of the vectors exists."""


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
        The coordinates of every point in every layer.
    explained
        The share of the variance of all scaled layers that each of the two axes holds; PCA only.
    mean, scale, axes
        The parameters of PCA: ``(rows - mean) / scale @ axes`` are the coordinates of a layer's vectors.
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

    def transform(self, rows: Float[np.ndarray, "row dim"], layer: int) -> Float[np.ndarray, "row 2"]:
        """The coordinates of further vectors of a layer. Raises :class:`ProjectionError` except for PCA."""
        if self.method != "pca":
            raise ProjectionError(f"{METHODS[self.method]} has no place for points it was not given.")
        i = self.layers.index(layer)
        scores = (rows - self.mean[i]) / self.scale[i] @ self.axes
        return _two_columns(scores[None].astype(np.float32))[0]


def seconds(method: str, points: int) -> float:
    """The estimated seconds of a map of ``points`` points over all layers; 0 for PCA."""
    if method == "pca":
        return 0.0
    start, each = _SECONDS[method]
    return start + each * points


def is_kept(store: Store, method: str, key: Sequence[object]) -> bool:
    """Whether the map of the vectors that ``key`` names is stored."""
    return store.has_table(PROJECTION, _parts(method, key))


def _parts(method: str, key: Sequence[object]) -> tuple[object, ...]:
    return method, SEED, PCA_COMPONENTS, list(key)


def project(
    store: Store,
    method: str,
    layers: Sequence[int],
    read: ReadRows,
    key: Sequence[object],
    progress: Progress = silent,
) -> Projection:
    """The map of the points in the layers, from the store or computed and stored.

    Parameters
    ----------
    store
        Stores the map.
    method
        One of :data:`METHODS`.
    layers
        The layers that share the map, all of the same width.
    read
        Gives the rows of a layer; called twice for each layer.
    key
        Everything that the vectors depend on.
    progress
        Receives every step; an exception that it raises stops the computation, also UMAP and t-SNE.

    Raises
    ------
    ProjectionError
        All vectors are equal, or there are too few of them.
    """

    def compute() -> dict[str, np.ndarray]:
        projection = compute_projection(method, layers, read, progress)
        return {name: getattr(projection, name) for name in _ARRAYS}

    work = f"{METHODS[method]} of the same points"
    arrays = store.table(PROJECTION, _parts(method, key), compute, progress, work)
    return Projection(method, tuple(layers), **{name: arrays[name] for name in _ARRAYS})


def compute_projection(
    method: str, layers: Sequence[int], read: ReadRows, progress: Progress = silent
) -> Projection:
    """The map of :func:`project`, neither read from the store nor stored."""
    scores, explained, mean, scale, axes = principal_components(
        layers, read, 2 if method == "pca" else PCA_COMPONENTS, METHODS[method], progress
    )
    if method == "pca":
        points = _two_columns(scores)
        return Projection(method, tuple(layers), points, explained[:2], mean, scale, axes)
    count, number, width = scores.shape
    if count * number < MIN_POINTS:
        raise ProjectionError(
            f"{METHODS[method]} needs {MIN_POINTS} points or more; got {count * number}. Take PCA."
        )
    points = _in_a_process(method, scores.reshape(count * number, width), progress)
    no_mean = np.zeros((count, 0), np.float32)
    return Projection(
        method,
        tuple(layers),
        points.reshape(count, number, 2),
        np.zeros(0),
        no_mean,
        np.ones(count),
        np.zeros((0, 0)),
    )


def plane_r_squared(points: Float[np.ndarray, "point 2"], values: Float[np.ndarray, " point"]) -> float:
    """R² of a linear regression of values on the coordinates of a map.

    NaN with fewer than four values, or with values that are all equal.
    """
    known = np.isfinite(values)
    x, y = points[known].astype(np.float64), values[known].astype(np.float64)
    if len(y) < 4 or np.ptp(y) == 0:
        return float("nan")
    x, y = np.column_stack([x - x.mean(axis=0), np.ones(len(x))]), y - y.mean()
    residuals = y - x @ np.linalg.lstsq(x, y, rcond=None)[0]
    return float(1 - residuals @ residuals / (y @ y))


def principal_components(
    layers: Sequence[int], read: ReadRows, most: int, name: str, progress: Progress
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """One PCA of all layers together, each centred and scaled.

    Returns scores ``[layer, point, component]``, shares of the variance, and means, scales and components.
    """
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

    The sign makes the entry with the largest magnitude positive.
    """
    values, vectors = leading(covariance, most)
    largest = vectors[np.abs(vectors).argmax(axis=0), np.arange(vectors.shape[1])]
    return vectors * np.where(largest < 0, -1, 1), np.maximum(values, 0) / np.trace(covariance)


def _two_columns(scores: np.ndarray) -> np.ndarray:
    """The first two components; the second is 0 for vectors of one dimension."""
    missing = 2 - scores.shape[2]
    return np.pad(scores[..., :2], ((0, 0), (0, 0), (0, max(missing, 0))))


def _in_a_process(method: str, rows: np.ndarray, progress: Progress) -> Float[np.ndarray, "point 2"]:
    """UMAP or t-SNE in a separate process, which ends when ``progress`` raises."""
    name, estimate = METHODS[method], round(seconds(method, len(rows)))
    with tempfile.TemporaryDirectory(prefix="strata-map-") as folder:
        source, target, log = (Path(folder) / name for name in ("rows.npy", "points.npy", "log.txt"))
        np.save(source, rows)
        program = Path(__file__).with_name("manifold.py")
        command = [sys.executable, "-P", "-W", "ignore", *map(str, (program, method, SEED, source, target))]
        threads = dict.fromkeys(("OMP_NUM_THREADS", "NUMBA_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
        with log.open("wb") as errors:
            process = subprocess.Popen(command, stdout=errors, stderr=errors, env=os.environ | threads)  # noqa: S603
        begin = time.perf_counter()
        try:
            while True:
                with suppress(subprocess.TimeoutExpired):
                    process.wait(0.2)
                    break
                spent = int(time.perf_counter() - begin)
                progress(Step(f"{name} of {len(rows):,} points: seconds", min(spent, estimate), estimate))
        finally:
            process.kill()
            process.wait()
        if process.returncode:
            lines = log.read_text("utf-8", "replace").strip().splitlines() or ["no message"]
            raise ProjectionError(f"{name} of {len(rows):,} points failed: {lines[-1][:240]}. Take PCA.")
        return np.asarray(np.load(target), np.float32)
