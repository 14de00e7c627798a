"""What the poolings beyond the mean cost: learning, and a sentence in batches and alone.

Random states of the size of STS-B test in word vectors, so that nothing but the pooling is timed: no
model, no store, no tokenizer. S3E's own table of times has one sentence at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from benchmarks.report import alternate, circumstances, middle, seconds, show, table
from core.recipe import POOL
from core.tokens.token_batch import Pooled, TokenBatch

SENTENCES, TOKENS, DIM, WORDS = 2_551, 13, 300, 6_000
BATCH = 1_000
"""Sentences in a batch: about what a recipe reads of a stored pass at a time."""

ALONE = 300
"""Sentences that are also pooled one by one."""

ROUNDS = 5
TARGET = 0.1
POOLS = (
    "mean",
    "pmeans",
    "dct",
    "vlawe",
    "s3e",
    "s3e(k=50)",
    "s3e(form=released)",
    "gem",
)


def batches(sentences: int, batch: int) -> Iterator[TokenBatch]:
    """Random sentences of about 13 tokens, words as frequent as Zipf's law has them, weighted as by SIF."""
    generator = np.random.default_rng(0)
    vectors = generator.normal(size=(WORDS, DIM)).astype(np.float32)
    frequency = 1 / np.arange(1, WORDS + 1)
    frequency /= frequency.sum()
    for start in range(0, sentences, batch):
        texts = min(batch, sentences - start)
        lengths = 1 + generator.poisson(TOKENS - 1, texts)
        tokens = int(lengths.sum())
        ids = generator.choice(WORDS, tokens, p=frequency)
        yield TokenBatch(
            states=vectors[ids],
            weights=1e-3 / (1e-3 + frequency[ids]),
            selected=np.ones(tokens, bool),
            cls=np.full(texts, -1),
            offsets=np.concatenate([[0], np.cumsum(lengths)]),
            ids=ids,
            repeats=np.ones(texts, int),
        )


def learn(pool: str, corpus: list[TokenBatch]) -> Callable[[TokenBatch], Pooled]:
    """The function of a pooling from a batch to its rows."""
    choice = POOL.parse(pool)
    function = POOL.bind(choice)
    return function(corpus) if POOL.find(choice).learns else function


def run(_: Path | None = None) -> None:
    """Measure every pooling and print the table."""
    corpus = list(batches(SENTENCES, BATCH))
    singles = list(batches(ALONE, 1))
    pools: dict[str, Callable[[TokenBatch], Pooled]] = {}
    fits = {}
    for pool in POOLS:

        def fit(pool: str = pool) -> None:
            pools[pool] = learn(pool, corpus)

        fits[pool] = seconds(fit)

    def through(pool: str, given: list[TokenBatch]) -> Callable[[], object]:
        return lambda: [pools[pool](batch) for batch in given]

    batched = alternate({pool: through(pool, corpus) for pool in POOLS}, ROUNDS)
    alone = alternate({pool: through(pool, singles) for pool in POOLS}, ROUNDS)
    rows = []
    for pool in POOLS:
        fitted = POOL.find(POOL.parse(pool)).learns
        rows.append(
            [
                f"`{pool}`",
                pools[pool](corpus[0]).shape[1],
                f"{fits[pool]:.2f}" if fitted else "",
                f"{1e3 * middle(batched[pool]) / SENTENCES:.3f}",
                f"{1e3 * min(batched[pool]) / SENTENCES:.3f}",
                f"≤ {TARGET}" if pool == "s3e" else "",
                f"{1e3 * middle(alone[pool]) / ALONE:.2f}",
            ]
        )
    header = [
        "pooling",
        "dimensions",
        "learnt in s",
        "median ms a sentence",
        "minimum",
        "target",
        "one at a time, ms",
    ]
    show(
        "Poolings",
        table(header, rows),
        f"{SENTENCES:,} random sentences of about {TOKENS} tokens, {DIM} dimensions, {WORDS:,} words; "
        f"in batches of {BATCH:,}, {ROUNDS} rounds in turn.\n",
    )


def main() -> None:
    """Run alone."""
    print(circumstances())
    run()


if __name__ == "__main__":
    main()
