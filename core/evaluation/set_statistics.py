"""What a corpus is like: rows, classes, words and lengths as Stankevičius & Lukoševičius 2025 count them.

Words are what spaces part; pieces are the bundled encoder's tokens without special ones, which are those of
bert-base-uncased, of a text however long. A row of two texts counts as one text, both joined.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Int

from core.corpora.corpus import Corpus
from core.corpora.scales import scale_of
from core.pipeline.engine import Engine
from core.progress import Progress, silent
from core.recipe import Recipe
from core.storage.tables import Arrays, TableKind

SET_STATISTICS = TableKind("set-statistics", 2)

BIN = 1.0
"""The width of the bins of scores at both ends of the scale whose sizes are compared."""


@dataclass(frozen=True)
class TokenCounts:
    """How many words, or pieces of words, the rows of a corpus have, and of what kind.

    Attributes
    ----------
    vocabulary
        How many different ones there are; capitals count as different.
    length
        The mean number of a row.
    alphabetic
        The percentage that consists of letters alone.
    """

    vocabulary: int
    length: float
    alphabetic: float


@dataclass(frozen=True)
class SetStatistics:
    """What a corpus is like.

    Attributes
    ----------
    rows
        Rows, scored or labelled; texts where there are no rows.
    sentences
        Different texts.
    classes
        Different labels; 0 without labels.
    imbalance
        Rows of the largest class by those of the smallest; for scores those within 1 of the top of the
        scale by those within 1 of its bottom. NaN where there is neither, or none at the bottom.
    words, pieces
        Of the texts' words, and of the encoder's tokens.
    """

    name: str
    split: str
    rows: int
    sentences: int
    classes: int
    imbalance: float
    words: TokenCounts
    pieces: TokenCounts

    def cells(self) -> dict[str, Any]:
        """All values under the names of columns."""
        cells: dict[str, Any] = {
            "set": self.name,
            "split": self.split,
            "rows": self.rows,
            "different texts": self.sentences,
            "classes": self.classes or None,
            "largest/smallest": round(self.imbalance, 1) if np.isfinite(self.imbalance) else None,
        }
        for name, counts in (("words", self.words), ("pieces", self.pieces)):
            cells |= {
                f"vocabulary, {name}": counts.vocabulary,
                f"length, {name}": round(counts.length, 1),
                f"letters, {name} %": round(counts.alphabetic, 1),
            }
        return cells


def set_statistics(engine: Engine, corpus: Corpus, progress: Progress = silent) -> SetStatistics:
    """What a corpus, or one split of it, is like; counted once, and kept."""
    source = engine.source(Recipe())

    def count() -> Arrays:
        words = [sentence.split() for sentence in corpus.sentences]
        pieces = list(engine.passes.tokenizer(source).whole(corpus.sentences, progress))
        times, rows = _times(corpus), corpus.rows or int(corpus.repeats.sum())
        counted = [_counts(some, times, rows) for some in (words, pieces)]
        return {"counts": np.array([[c.vocabulary, c.length, c.alphabetic] for c in counted])}

    parts = (source.tokenization, corpus.fingerprint, corpus.labelled_fingerprint)
    kept = engine.store.table(SET_STATISTICS, parts, count, progress)["counts"]
    words, pieces = (TokenCounts(int(row[0]), float(row[1]), float(row[2])) for row in kept)
    return SetStatistics(
        corpus.name,
        corpus.split_name,
        corpus.rows or int(corpus.repeats.sum()),
        len(corpus.sentences),
        len(corpus.classes),
        imbalance(corpus),
        words,
        pieces,
    )


def imbalance(corpus: Corpus) -> float:
    """The largest class by the smallest, or for scores alone the top of the scale by its bottom."""
    if corpus.classes:
        sizes = Counter(label for label in corpus.labels if label).values()
        return max(sizes) / min(sizes)
    if not len(corpus):
        return float("nan")
    low, high = scale_of(corpus.gold, corpus.scale)
    top, bottom = (corpus.gold >= high - BIN).sum(), (corpus.gold <= low + BIN).sum()
    return float(top / bottom) if bottom else float("nan")


def _times(corpus: Corpus) -> Int[np.ndarray, " sentence"]:
    """In how many places of rows each sentence stands."""
    if not corpus.rows:
        return corpus.repeats
    sides = np.concatenate([corpus.first, corpus.second])
    return np.bincount(sides, minlength=len(corpus.sentences))


def _counts(by_text: Sequence[list[str]], times: Int[np.ndarray, " sentence"], rows: int) -> TokenCounts:
    """The counts of the tokens of each sentence: ``times`` is how often it stands in the rows."""
    forms = [form for some in by_text for form in some]
    often = np.repeat(times, [len(some) for some in by_text])
    letters = np.fromiter((form.isalpha() for form in forms), bool, len(forms))
    total = int(often.sum())
    return TokenCounts(
        len({form for form, count in zip(forms, often.tolist(), strict=True) if count}),
        total / max(rows, 1),
        100 * float(often[letters].sum()) / max(total, 1),
    )
