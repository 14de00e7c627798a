"""Which of many pairs of sentences are worth naming: the close ones, and those that share words.

The ranks of pairs that are close under no recipe are nearly a coin toss: a difference of cosines in the
second decimal moves an unrelated pair by dozens of ranks. So a disagreement of A and B is looked for among
the pairs that are closest under one of them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float

CLOSE = 0.1
"""The share of all pairs that counts as close under a recipe."""

LEAST = 3
"""Pairs that count as close at least."""

NEAR_COPY = 0.5
"""Jaccard index of words from which on a pair is a near copy."""

DECIMALS = 12
"""Decimals to which similarities are equal, and share a rank."""

FEW_WORDS = 0.2
"""Jaccard index of words up to which a pair has few words in common."""

NEGATIONS = frozenset(
    "no not never none nobody nothing nowhere neither nor cannot without hardly barely scarcely".split()
)
"""Words of English that negate; so do those that end in ``n't``."""

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


@dataclass(frozen=True)
class Pair:
    """A row of :func:`~core.analysis.comparison.pair_table`; sentences are counted from 1.

    ``shared`` is the Jaccard index of the two sentences' words; ``b`` and ``rank_b`` are None without B,
    both ranks also of a sentence with its copy.
    """

    first: int
    second: int
    sentences: tuple[str, str]
    shared: float
    a: float
    rank_a: int | None
    b: float | None = None
    rank_b: int | None = None

    @property
    def change(self) -> int:
        """The rank under A less the rank under B: above 0 where B puts the pair closer; 0 without one."""
        return 0 if self.rank_a is None or self.rank_b is None else self.rank_a - self.rank_b


@dataclass(frozen=True)
class ClosePairs:
    """The pairs that are named, each None where there is none.

    Attributes
    ----------
    pairs, counted
        How many pairs are ranked, and how many of them count as close under A or B.
    closest
        The closest under A; None where all similarities under A are equal.
    near_copy
        The closest under A among those that share :data:`NEAR_COPY` of their words or more.
    few_words
        The closest under A among those that share :data:`FEW_WORDS` of their words or less.
    copies_before
        Near copies that are closer under A than ``few_words``.
    disagreement
        The close pair whose rank differs most between A and B; None where none differs, or where all
        similarities under one of them are equal.
    same_order
        Whether A and B give every pair the same rank; False without B.
    copied
        Whether a sentence was given twice, whose pairs count once.
    first_a, first_b
        How many pairs share the highest similarity under A and under B; 0 without B.
    negated
        The closest under A among the near copies of which one sentence alone has a negation.
    """

    pairs: int
    counted: int
    closest: Pair | None
    near_copy: Pair | None
    few_words: Pair | None
    copies_before: int
    disagreement: Pair | None
    same_order: bool
    copied: bool = False
    first_a: int = 1
    first_b: int = 0
    negated: Pair | None = None


def close_pairs(table: pd.DataFrame) -> ClosePairs:
    """The pairs worth naming of a table of :func:`~core.analysis.comparison.pair_table`.

    A sentence that was pasted twice makes no pair with itself, and none twice, see :func:`are_ranked`.
    """
    rows = table[are_ranked(*(table[name].tolist() for name in ("sentence 1", "sentence 2")))]
    by_a = rows.sort_values(["rank A", "first", "second"], kind="stable")
    copies, few = by_a[by_a["words shared"] >= NEAR_COPY], by_a[by_a["words shared"] <= FEW_WORDS]
    unlike = [negates(one) != negates(other) for one, other in _sentences(copies)]
    negated = copies.loc[np.array(unlike, bool)]
    some, some_b = (_differ(rows, side) for side in ("A", "B"))
    before = int((copies["rank A"] < few["rank A"].iloc[0]).sum()) if len(few) else 0
    limit, disagreement = max(LEAST, math.ceil(CLOSE * len(rows))), None
    close = rows["rank A"] <= limit
    if "rank B" in table:
        close |= rows["rank B"] <= limit
        moved = rows[close & (rows["change"] != 0)]
        by_change = moved.assign(size=moved["change"].abs()).sort_values(
            "size", ascending=False, kind="stable"
        )
        disagreement = _first(by_change) if some and some_b else None
    return ClosePairs(
        pairs=len(rows),
        counted=int(close.sum()),
        closest=_first(by_a) if some else None,
        near_copy=_first(copies) if some else None,
        few_words=_first(few) if some else None,
        copies_before=before,
        disagreement=disagreement,
        same_order="change" in rows and bool((rows["change"] == 0).all()),
        copied=len(rows) < len(table),
        first_a=int((rows["rank A"] == rows["rank A"].min()).sum()),
        first_b=int((rows["rank B"] == 1).sum()) if "rank B" in table else 0,
        negated=_first(negated) if some else None,
    )


def _differ(table: pd.DataFrame, side: str) -> bool:
    """Whether the similarities under a side are not all equal; a single one is none of several."""
    return side not in table or len(table) == 1 or table[side].round(DECIMALS).nunique() > 1


def pair_of(table: pd.DataFrame, first: int, second: int) -> Pair:
    """The pair of two different sentences, counted from 1, in either order."""
    low, high = sorted((first, second))
    return _pair(table[(table["first"] == low) & (table["second"] == high)].iloc[0])


def are_ranked(firsts: Sequence[str], seconds: Sequence[str]) -> Bool[np.ndarray, " pair"]:
    """Which pairs count in ranks: those of two different texts, each once; all where there are none."""
    codes, texts = pd.factorize(np.array([*firsts, *seconds], object))
    one, other = np.split(codes, 2)
    pair = pd.Series(np.minimum(one, other) * len(texts) + np.maximum(one, other))
    is_first = (one != other) & ~pair.duplicated().to_numpy()
    return is_first if is_first.any() else np.ones(len(one), bool)


def shared_words(sentences: Sequence[str]) -> Float[np.ndarray, "sentence sentence"]:
    """Jaccard index of the sets of words of every two sentences, in lower case and without punctuation.

    0 where neither has any word.
    """
    words = [set(_WORD.findall(sentence.casefold())) for sentence in sentences]
    columns = {word: i for i, word in enumerate(sorted(set().union(*words)))}
    holds = np.zeros((len(words), len(columns)))
    for row, own in zip(holds, words, strict=True):
        row[[columns[word] for word in own]] = 1
    both, sizes = holds @ holds.T, holds.sum(axis=1)
    either = sizes[:, None] + sizes - both
    return np.divide(both, either, out=np.zeros_like(both), where=either > 0)


def negates(sentence: str) -> bool:
    """Whether a sentence has a word that negates (English)."""
    words = _WORD.findall(sentence.casefold().replace("’", "'"))
    return any(word in NEGATIONS or word.endswith("n't") for word in words)


def _sentences(rows: pd.DataFrame) -> Iterator[tuple[str, str]]:
    return zip(rows["sentence 1"], rows["sentence 2"], strict=True)


def _first(rows: pd.DataFrame) -> Pair | None:
    return _pair(rows.iloc[0]) if len(rows) else None


def _pair(row: pd.Series) -> Pair:
    with_b = "rank B" in row
    return Pair(
        first=int(row["first"]),
        second=int(row["second"]),
        sentences=(row["sentence 1"], row["sentence 2"]),
        shared=float(row["words shared"]),
        a=float(row["A"]),
        rank_a=_rank(row["rank A"]),
        b=float(row["B"]) if with_b else None,
        rank_b=_rank(row["rank B"]) if with_b else None,
    )


def _rank(value: object) -> int | None:
    return None if pd.isna(value) else int(value)  # type: ignore[call-overload]
