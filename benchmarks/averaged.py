"""Avg. and BERT+Avg.: what averaging tokens over a reference corpus costs, and what it does to scores.

The paper's Avg. of bert-base-uncased over WikiText-103 scores below the model alone on STS-B with plain
averaging, and mixing half of it in gains a little (Stankevičius & Lukoševičius 2025, Tables 11 and 12).
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Sequence
from pathlib import Path

from benchmarks.report import alternate, circumstances, data_folder, fresh_settings, middle, show, table
from core.corpora.corpus import Corpus
from core.evaluation.sts import evaluate
from core.pipeline.engine import Engine
from core.progress import silent
from core.recipe import Recipe
from core.sources.averaged import average
from core.sources.token_states import StreamedPass

REFERENCE = "wikitext-2"
ROUNDS = 5
TEXTS = 200
"""Texts of the reference whose reading is timed with and without averaging."""

BUDGET = 3_000_000_000
"""Bytes that may be kept: the table of averages, and not the whole pass over the reference."""

LAYERS = ("0", "first", "first+last", "last")
SHARES = (-0.5, -0.25, 0.0, 0.25, 0.5, 0.75, 1.0, 1.25)
CORPORA = ("STS-B", "SICK")
COLUMN = {"STS-B": (59.0, 59.9, 54.2), "SICK": (63.8, 63.1, 60.3)}
"""bert-base-uncased, first + last layer, in the paper: BERT, BERT+Avg. (w = 0.5), Avg."""


def cost(engine: Engine) -> list[Sequence[object]]:
    """Seconds of reading some texts, and of reading and averaging them."""
    source = engine.passes.source(Recipe().source)
    whole = engine.corpus(REFERENCE, "all")
    some = Corpus.of_texts(REFERENCE, whole.sentences[:TEXTS])
    encoder = engine.passes.encoder(source)
    encoded = encoder.tokenizer(some.sentences)
    found = StreamedPass(encoder, encoded)
    runs = {
        "forward pass alone": lambda: deque(encoder.run(encoded), maxlen=0),
        "forward pass and Avg. of every layer": lambda: deque(
            average(found, some.repeats, silent), maxlen=0
        ),
    }
    durations = {name: middle(values) for name, values in alternate(runs, rounds=ROUNDS).items()}
    alone = durations["forward pass alone"]
    tokens = len(encoded.tokens)
    return [
        (name, f"{value:.1f}", f"{tokens / value:,.0f}", f"{value / alone:.3f} ×")
        for name, value in durations.items()
    ]


def scores(engine: Engine) -> list[Sequence[object]]:
    """Spearman × 100 by share w of Avg., corpus and layers."""
    rows = []
    for name in CORPORA:
        corpus = engine.corpus(name, "test")
        for layers in LAYERS:
            row: list[object] = [name, layers]
            for w in SHARES:
                recipe = Recipe.parse(f"layers={layers};mix=averaged(w={w});reference={REFERENCE}")
                similarities, _ = engine.similarities(recipe, corpus)
                row.append(f"{evaluate(similarities, corpus, intervals=False).spearman:.1f}")
            rows.append(row)
    return rows


def run(data: Path) -> None:
    """Compute and print both tables."""
    with fresh_settings(data, budget_bytes=BUDGET) as settings:
        engine = Engine(settings)
        show(
            f"Avg. of the bundled model: cost, {TEXTS} texts of {REFERENCE}, median of {ROUNDS} rounds",
            table(["", "seconds", "tokens per second", "of the forward pass"], cost(engine)),
        )
    with fresh_settings(data, budget_bytes=BUDGET, forward="bfloat16") as settings:
        engine = Engine(settings)
        begin = time.perf_counter()
        engine.embed(
            Recipe.parse(f"source=averaged;reference={REFERENCE}"), Corpus.of_texts("one", ["One text."])
        )
        minutes = (time.perf_counter() - begin) / 60
        found = scores(engine)
        notes = engine.similarities(
            Recipe.parse(f"source=averaged;reference={REFERENCE}"), engine.corpus("STS-B", "test")
        )[1].notes
    show(
        f"BERT+Avg. with the bundled model over {REFERENCE} (read once in bfloat16, {minutes:.0f} minutes)",
        table(["Spearman × 100", "layers", *(f"w = {w:g}" for w in SHARES)], found, words=2),
        "w = 0 is the model alone, w = 1 Avg. alone. bert-base-uncased in the paper, first + last layer "
        "and WikiText-103, w = 0 / 0.5 / 1: "
        + "; ".join(f"{name} {' / '.join(map(str, values))}" for name, values in COLUMN.items())
        + ".\n",
        *(f"{note}\n" for note in notes),
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Run alone."""
    data = data_folder("What Avg. and BERT+Avg. cost and bring.", arguments)
    print(circumstances())
    run(data)


if __name__ == "__main__":
    main()
