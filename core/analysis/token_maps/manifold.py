"""UMAP and t-SNE: embeddings of vectors in two dimensions that preserve neighbourhoods.

The libraries neither report progress nor can be stopped. This file therefore runs as a separate process,
which can be stopped::

    python -P core/analysis/token_maps/manifold.py umap 0 rows.npy points.npy

The process uses one thread and one seed, so that the same rows give the same points.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

NEIGHBOURS = 15
"""UMAP's ``n_neighbors``, its default: the neighbours of a point that stay near it."""

PERPLEXITY = 30.0
"""t-SNE's ``perplexity``, its default: about the number of neighbours of a point that stay near it."""


def umap(rows: np.ndarray, seed: int) -> np.ndarray:
    """UMAP (McInnes et al. 2018) with the library's defaults and Euclidean distance; at least 4 points."""
    from umap import UMAP  # type: ignore[import-untyped]

    reducer = UMAP(
        n_neighbors=min(NEIGHBOURS, len(rows) - 1), init=_initial(rows), random_state=seed, n_jobs=1
    )
    return np.asarray(reducer.fit_transform(rows), np.float32)


def tsne(rows: np.ndarray, seed: int) -> np.ndarray:
    """t-SNE (van der Maaten & Hinton 2008) of scikit-learn with Euclidean distance."""
    from sklearn.manifold import TSNE

    perplexity = min(PERPLEXITY, (len(rows) - 1) / 3)
    reducer = TSNE(perplexity=perplexity, init="pca", random_state=seed, n_jobs=1)
    return np.asarray(reducer.fit_transform(rows), np.float32)


def _initial(rows: np.ndarray) -> str | np.ndarray:
    """UMAP's ``init``: the spectral layout, or the first two components for points too few for one."""
    return "spectral" if len(rows) > 4 * NEIGHBOURS else _first_two(rows)


def _first_two(rows: np.ndarray) -> np.ndarray:
    flat = np.zeros((len(rows), 2), np.float32)
    flat[:, : rows.shape[1]] = rows[:, :2]
    return 10 * flat / max(float(np.abs(flat).max()), 1e-12)


def main(method: str, seed: str, source: str, target: str) -> None:
    """Read rows from ``source`` and write their points to ``target``."""
    points = {"umap": umap, "tsne": tsne}[method](np.load(Path(source)), int(seed))
    np.save(Path(target), points)


if __name__ == "__main__":
    main(*sys.argv[1:])
