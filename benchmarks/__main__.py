"""``python -m benchmarks``: all of them, one after the other."""

from benchmarks import (
    averaged,
    cluster,
    demo,
    exports,
    geometry,
    heads,
    layers,
    limits,
    masking,
    memory,
    mixing,
    passes,
    precision,
    proxies,
    random_embeddings,
    sbert_wk,
    search,
    subspace,
    tasks,
    toggles,
    tokens,
    waiting,
    word_vectors,
)
from benchmarks.report import circumstances, data_folder

if __name__ == "__main__":
    data = data_folder("Run every benchmark and print its tables.")
    print(circumstances())
    for benchmark in (
        limits,
        passes,
        waiting,
        sbert_wk,
        heads,
        subspace,
        precision,
        random_embeddings,
        word_vectors,
        memory,
        averaged,
        layers,
        masking,
        mixing,
        geometry,
        tasks,
        cluster,
        search,
        proxies,
        exports,
        tokens,
        toggles,
        demo,
    ):
        benchmark.run(data)
