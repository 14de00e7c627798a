"""The tables of the card of the built-in corpora (core/corpora/data/README.md), from their files.

python -m benchmarks.demo_card
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.stats import pearsonr, spearmanr

import core
from benchmarks.report import show, table

FOLDER = Path(core.__file__).parent / "corpora" / "data"
SPLITS = ("train", "dev", "test")
CLOSE = 0.4
"""Two scorings that differ by no more are said to agree."""

AGREEMENT = ["", "pairs", "Spearman", "Pearson", "mean difference", f"≤ {CLOSE:g}", "mean 1", "mean 2"]


def read(name: str) -> pd.DataFrame:
    """A file of the folder as a table of texts."""
    return pd.read_csv(FOLDER / name, sep="\t", dtype=str, keep_default_na=False)


def words(texts: pd.Series) -> np.ndarray:
    """The number of words of each text, between spaces."""
    return texts.str.split().str.len().to_numpy()


def main() -> None:
    """Print every table."""
    pairs = read("demo.tsv").astype({"score": float, "score1": float, "score2": float})
    show("Agreement of both scorings", table(AGREEMENT, [*_agreement(pairs)]))
    show("Pairs by kind and split", _counts(pairs, "subset"))
    show("Pairs by genre and split", _counts(pairs, "genre"))
    bands = np.minimum(pairs.score.astype(int), 4)
    rows = [[split, *np.bincount(bands[pairs.split == split], minlength=5)] for split in SPLITS]
    show("Pairs by score", table(["", "0 to 0.9", "1 to 1.9", "2 to 2.9", "3 to 3.9", "4 to 5"], rows))
    show("Sentences", _lengths(pd.concat([pairs.sentence1, pairs.sentence2])), _overlap_and_score(pairs))
    topics = read("topics.tsv")
    show("Texts by topic and register", _texts(topics), _lengths(topics.text))


def _agreement(pairs: pd.DataFrame) -> Iterator[list[object]]:
    groups = [("all", pairs), *pairs.groupby("subset"), *((s, pairs[pairs.split == s]) for s in SPLITS)]
    for name, group in groups:
        first, second = group.score1.to_numpy(), group.score2.to_numpy()
        apart = np.abs(first - second)
        yield [
            name,
            len(group),
            f"{spearmanr(first, second).statistic:.3f}",
            f"{pearsonr(first, second).statistic:.3f}",
            f"{apart.mean():.2f}",
            f"{(apart <= CLOSE + 1e-9).mean():.1%}",
            f"{first.mean():.2f}",
            f"{second.mean():.2f}",
        ]


def _counts(pairs: pd.DataFrame, column: str) -> str:
    counts = pd.crosstab(pairs[column], pairs.split, margins=True, margins_name="all")
    rows = [[name, *(row[split] for split in (*SPLITS, "all"))] for name, row in counts.iterrows()]
    groups = pairs.assign(overlap=_overlap(pairs)).groupby(column)[["score", "overlap"]].mean()
    groups.loc["all"] = pairs.score.mean(), _overlap(pairs).mean()
    rows = [[*row, *(f"{value:.2f}" for value in groups.loc[row[0]])] for row in rows]
    return table([column, *SPLITS, "all", "mean score", "word overlap"], rows)


def _lengths(texts: pd.Series) -> str:
    count = words(texts)
    quantiles = ", ".join(f"{q:g}" for q in np.quantile(count, [0.1, 0.25, 0.5, 0.75, 0.9]))
    return (
        f"{len(texts):,} texts, {texts.nunique():,} different; {count.min()} to {count.max()} words, "
        f"{count.mean():.1f} on average; quantiles 10, 25, 50, 75, 90 %: {quantiles}.\n"
    )


def _overlap(pairs: pd.DataFrame) -> np.ndarray:
    """Jaccard overlap of the words of both sentences of each pair."""
    sets = [texts.str.lower().str.findall(r"\w+").map(set) for texts in (pairs.sentence1, pairs.sentence2)]
    return np.array([len(a & b) / len(a | b) for a, b in zip(*sets, strict=True)])


def _overlap_and_score(pairs: pd.DataFrame) -> str:
    jaccard = _overlap(pairs)
    shares = {"all": np.full(len(pairs), True)} | {s: (pairs.split == s).to_numpy() for s in SPLITS}
    values = ", ".join(
        f"{name} {spearmanr(jaccard[rows], pairs.score[rows]).statistic:.2f}"
        for name, rows in shares.items()
    )
    return f"Spearman of word overlap (Jaccard) with the score: {values}.\n"


def _texts(topics: pd.DataFrame) -> str:
    counts = pd.crosstab(topics.topic, [topics.register, topics.split])
    registers = sorted(topics.register.unique())
    rows = [
        [topic, *(" / ".join(str(row[register, split]) for split in SPLITS) for register in registers)]
        for topic, row in counts.iterrows()
    ]
    return table(["topic", *(f"{name}: {' / '.join(SPLITS)}" for name in registers)], rows)


if __name__ == "__main__":
    main()
