"""UMAP and t-SNE: points of many dimensions to two, so that neighbours stay neighbours.

Neither says how far it is, nor can it be stopped; so this file is run as a program of its own that can be::

    python -P core/analysis/manifold.py umap 0 rows.npy points.npy

One thread and one seed: the same rows give the same points.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

NEIGHBOURS = 15
"""Of UMAP, its default: how many neighbours of a point are to stay near it."""

PERPLEXITY = 30.0
"""Of t-SNE, its default: about how many neighbours of a point are to stay near it."""


def umap(rows: np.ndarray, seed: int) -> np.ndarray:
    """UMAP (McInnes et al. 2018) with the library's defaults, Euclidean distance, at least 4 points."""
    from umap import UMAP  # type: ignore[import-untyped]

    reducer = UMAP(
        n_neighbors=min(NEIGHBOURS, len(rows) - 1), init=_start(rows), random_state=seed, n_jobs=1
    )
    return np.asarray(reducer.fit_transform(rows), np.float32)


def tsne(rows: np.ndarray, seed: int) -> np.ndarray:
    """t-SNE (van der Maaten & Hinton 2008) as in scikit-learn, Euclidean distance."""
    from sklearn.manifold import TSNE

    perplexity = min(PERPLEXITY, (len(rows) - 1) / 3)
    reducer = TSNE(perplexity=perplexity, init="pca", random_state=seed, n_jobs=1)
    return np.asarray(reducer.fit_transform(rows), np.float32)


def _start(rows: np.ndarray) -> str | np.ndarray:
    """Where UMAP's points start: few have no spectral layout, and begin at their first two components."""
    return "spectral" if len(rows) > 4 * NEIGHBOURS else _two(rows)


def _two(rows: np.ndarray) -> np.ndarray:
    flat = np.zeros((len(rows), 2), np.float32)
    flat[:, : rows.shape[1]] = rows[:, :2]
    return 10 * flat / max(float(np.abs(flat).max()), 1e-12)


def main(method: str, seed: str, source: str, target: str) -> None:
    """Read rows, write points."""
    made = {"umap": umap, "tsne": tsne}[method](np.load(Path(source)), int(seed))
    np.save(Path(target), made)


if __name__ == "__main__":
    main(*sys.argv[1:])
