"""Nearest neighbours and clustering of up to a million vectors, beside the libraries for them.

    python -m benchmarks.neighbours                # with faiss-cpu and usearch where they are installed
    python -m benchmarks.neighbours --sizes 20000 --only clustering

Vectors are drawn around 20 centres, 384 numbers each, and lie in a mapped file. Every measurement has a
process of its own; MB are the largest memory that no file backs, above what it was before.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import tempfile
import time
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.growth import anonymous, peak
from benchmarks.processes import ask, recorded
from benchmarks.report import circumstances, show, table

SIZES = (20_000, 100_000, 1_000_000)
DIM, CENTRES = 384, 20
SEARCHED, CLUSTERED = 0.12, 0.2
"""How far apart centres lie: less far among those that are searched, where the nearest are less clear."""

NEAR = 10
QUERIES = (1, 100)
ALL = 20_000
"""Rows of which each is a query as well, as on the map of sentences."""

OURS, FAISS, USEARCH, SKLEARN = "ours", "faiss", "usearch", "scikit-learn"
AT_ONCE, SAMPLE = "all", "some"
"""Rows that k-means is given."""

PARTS = ("search", "clustering")
SPAN = 20_000
"""Rows that faiss is given at once: it takes arrays of length 1 in memory."""


def run(sizes: Sequence[int] = SIZES, parts: Sequence[str] = PARTS) -> None:
    """Measure, and print the tables."""
    with tempfile.TemporaryDirectory(prefix="strata-benchmark-") as folder:
        for part in parts:
            (_searches if part == "search" else _clusterings)(folder, sizes)


def _searches(folder: str, sizes: Sequence[int]) -> None:
    libraries = [name for name in (FAISS, USEARCH) if find_spec(name)]
    told = ", ".join(f"{name} {_version(name)}" for name in libraries)
    rows = []
    for size in sizes:
        make(Path(folder), size, SEARCHED)
        for queries in (*QUERIES, ALL) if size == ALL else QUERIES:
            for method in [OURS, *libraries, *([SKLEARN] if size == ALL else [])]:
                each = _ask(folder, size, "search", method, queries=queries)
                rows.append(
                    [f"{size:,}", f"{queries:,}", method, *_cost(each), f"{100 * each['same']:.3f} %"]
                )
        _remove(folder, size)
    header = ["rows", "queries", "", "s", "processor s", "MB", "same rows in the same order"]
    equal = _ask(folder, 30, "equal", "", methods=[OURS, *libraries])["given"]
    orders = "; ".join(f"{name}: {' '.join(map(str, places))}" for name, places in equal.items())
    show(
        f"The {NEAR} nearest of vectors ({told or 'no library is installed'})",
        table(header, rows, 3),
        f"Of 30 equal rows these are given: {orders}.\n",
    )


def _clusterings(folder: str, sizes: Sequence[int]) -> None:
    rows = []
    for size in sizes:
        make(Path(folder), size, CLUSTERED)
        drawn = 100_000 if size > 100_000 else size // 5
        for method in (AT_ONCE, SAMPLE) if size <= 100_000 else (SAMPLE,):
            each = _ask(folder, size, "clustering", method, drawn=drawn)
            given = f"{size if method == AT_ONCE else drawn:,}"
            rows.append([f"{size:,}", given, *_cost(each), f"{each['accuracy']:.1f}", each["agreement"]])
        _remove(folder, size)
    header = ["rows", "given to k-means", "s", "processor s", "MB", "accuracy", "V-measure with all given"]
    show(f"One run of clustering into {CENTRES}", table(header, rows, 2))


def _remove(folder: str, size: int) -> None:
    for path in Path(folder).glob(f"{size}.*"):
        path.unlink()


def make(folder: Path, size: int, spread: float) -> None:
    """Vectors around centres, their class, and a mapped file of the vectors."""
    generator = np.random.default_rng(0)
    centres = spread * generator.normal(size=(CENTRES, DIM)).astype(np.float32)
    classes = generator.integers(0, CENTRES, size)
    rows = np.lib.format.open_memmap(folder / f"{size}.npy", "w+", np.float32, (size, DIM))
    for start in range(0, size, SPAN):
        span = slice(start, min(start + SPAN, size))
        noise = generator.standard_normal((span.stop - start, DIM), np.float32)
        rows[span] = centres[classes[span]] + noise
    rows.flush()
    np.save(folder / f"{size}.classes.npy", classes)


def _cost(each: dict[str, Any]) -> list[str]:
    return [f"{each['seconds']:.2f}", f"{each['processor']:.2f}", f"{each['memory'] / 1e6:,.0f}"]


def _version(name: str) -> str:
    return importlib.metadata.version({FAISS: "faiss-cpu"}.get(name, name))


# -- in a process of its own ---------------------------------------------------------------------


def _ask(folder: str, size: int, kind: str, method: str, **given: Any) -> dict[str, Any]:
    asked = {"folder": folder, "size": size, "kind": kind, "method": method, **given}
    return asked | ask("benchmarks.neighbours", "--measure", json.dumps(asked))


def _measure(given: dict[str, Any]) -> dict[str, Any]:
    if given["kind"] == "equal":
        rows, own = np.ones((given["size"], DIM), np.float32), np.array([-1])
        return {
            "given": {name: _METHODS[name](rows, rows[:1], own)[0].tolist() for name in given["methods"]}
        }
    vectors = np.load(Path(given["folder"]) / f"{given['size']}.npy", mmap_mode="r")
    for start in range(0, len(vectors), SPAN):  # once, so that reading the disk is no part of it
        vectors[start : start + SPAN].sum()
    return (_search if given["kind"] == "search" else _cluster)(given, vectors)


def _timed(work: Callable[[], Any]) -> tuple[Any, dict[str, float]]:
    before = anonymous()
    with peak() as largest:
        begin, processor = time.perf_counter(), time.process_time()
        result = work()
        spent, processor = time.perf_counter() - begin, time.process_time() - processor
    return result, {"seconds": spent, "processor": processor, "memory": max(largest[0] - before, 0)}


def _search(given: dict[str, Any], vectors: np.ndarray) -> dict[str, Any]:
    """Places of the nearest; the others are compared with ours, which have to be run first."""
    count = given["queries"]
    every = count == given["size"]
    chosen = np.arange(count) if every else np.random.default_rng(1).choice(len(vectors), count, False)
    queries = np.array(vectors[chosen])
    search = _METHODS[given["method"]]
    search(vectors[:100], queries[:1], np.array([-1]))  # what is imported and set up once
    places, cost = _timed(lambda: search(vectors, queries, chosen))
    kept = Path(given["folder"]) / f"{given['size']}.{count}.places.npy"
    if given["method"] == OURS:
        np.save(kept, places)
    return cost | {"same": float((np.load(kept) == places).mean())}


def _ours(vectors: np.ndarray, queries: np.ndarray, own: np.ndarray) -> np.ndarray:
    from core.analysis.neighbours import nearest

    return nearest(vectors, queries, NEAR, own).places


def _others(places: np.ndarray, own: np.ndarray) -> np.ndarray:
    """The first of the places that are not the query's own row."""
    return np.stack([row[row != mine][:NEAR] for row, mine in zip(places, own, strict=True)])


def _faiss(vectors: np.ndarray, queries: np.ndarray, own: np.ndarray) -> np.ndarray:
    import faiss  # type: ignore[import-not-found]

    units, heap = queries.copy(), faiss.ResultHeap(len(queries), NEAR + 1, keep_max=True)
    faiss.normalize_L2(units)
    for start in range(0, len(vectors), SPAN):
        rows = np.array(vectors[start : start + SPAN])
        faiss.normalize_L2(rows)
        cosines, places = faiss.knn(units, rows, NEAR + 1, metric=faiss.METRIC_INNER_PRODUCT)
        heap.add_result(cosines, places + start)
    heap.finalize()
    return _others(heap.I, own)


def _usearch(vectors: np.ndarray, queries: np.ndarray, own: np.ndarray) -> np.ndarray:
    from usearch.index import MetricKind, search  # type: ignore[import-not-found]

    found = []
    for start in range(0, len(queries), 100):  # it takes 16 bytes for each row and query
        some = queries[start : start + 100]
        matches = search(vectors, some, NEAR + 1, MetricKind.Cos, exact=True, threads=2)
        found.append(np.asarray(matches.keys, np.int64).reshape(len(some), -1))
    return _others(np.concatenate(found), own)


def _sklearn(vectors: np.ndarray, queries: np.ndarray, own: np.ndarray) -> np.ndarray:
    from sklearn.neighbors import NearestNeighbors

    fitted = NearestNeighbors(n_neighbors=NEAR + 1, algorithm="brute", metric="cosine")
    fitted.fit(vectors.astype(np.float64))
    return _others(fitted.kneighbors(queries.astype(np.float64), return_distance=False), own)


_METHODS = {OURS: _ours, FAISS: _faiss, USEARCH: _usearch, SKLEARN: _sklearn}


def _cluster(given: dict[str, Any], vectors: np.ndarray) -> dict[str, Any]:
    """Clusters of one run; those by a sample are compared with those of k-means over all rows."""
    from sklearn.metrics import v_measure_score

    from core.evaluation.tasks import clustering

    folder, give = Path(given["folder"]), vectors.__getitem__
    classes = np.load(folder / f"{given['size']}.classes.npy")
    kept = folder / f"{given['size']}.clusters.npy"
    clustering.MANY, tell = given["drawn"], lambda: None
    clustering.by_all(vectors[:1000], 2, 0, tell)  # what is set up once
    if given["method"] == AT_ONCE:
        clusters, cost = _timed(lambda: clustering.by_all(vectors, CENTRES, 0, tell))
        np.save(kept, clusters)
    else:
        clusters, cost = _timed(lambda: clustering.by_sample(give, len(vectors), CENTRES, 0, tell))
    both = f"{100 * v_measure_score(np.load(kept), clusters):.1f}" if kept.exists() else ""
    accuracy = 100 * float((clustering.assigned(classes, clusters) == classes).mean())
    return cost | {"accuracy": accuracy, "agreement": both}


def main(arguments: Sequence[str] | None = None) -> None:
    """Run alone, or one measurement in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--only", choices=PARTS, help="one of both tables")
    parser.add_argument("--measure", help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.measure:
        print(json.dumps(_measure(json.loads(given.measure)) | {"recorded": recorded()}))
        return
    print(circumstances())
    run(given.sizes, [given.only] if given.only else PARTS)


if __name__ == "__main__":
    main()
