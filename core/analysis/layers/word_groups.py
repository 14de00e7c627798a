"""Words by the variance of their adjacent-layer cosines, in three groups (SBERT-WK, Table I)."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.analysis.layers.word_variances import WordVariances
from core.errors import RecipeError
from core.evaluation.statistics import bootstrap_spearman, draw, interval, pearson, spearman
from core.evaluation.sts import FEW_PAIRS

GROUPS = ("low", "middle", "high")
PUBLISHED = 51
"""How often a word must be seen in the paper, which takes those that appear more than 50 times."""

ENOUGH = 45
"""Words that the groups together should have, where a corpus has them."""

_LETTER = re.compile(r"[^\W_]")
"""A letter or a digit."""

_MINIMA = (PUBLISHED, 20, 10, 5, 3, 2)


@dataclass(frozen=True)
class IdfCorrelation:
    """The correlation of variance with idf over words, −1 to 1.

    ``low`` and ``high`` are the 95 % bootstrap interval of Spearman's; NaN for fewer words than
    :data:`~core.evaluation.sts.FEW_PAIRS`.
    """

    pearson: float
    spearman: float
    low: float
    high: float
    words: int


def table(words: WordVariances, minimum: int) -> pd.DataFrame:
    """The words seen at least so often, most variance first.

    Columns: ``word``, ``variance``, ``group`` (thirds by variance), ``times``, ``texts``, ``idf``
    (natural log of texts over texts with the word) and ``function word`` (scikit-learn's English stop
    words). Punctuation is no word here.

    Raises :class:`RecipeError` when fewer than three words are left.
    """
    kept = _kept(words, minimum)
    if len(kept) < len(GROUPS):
        most = _largest(words)
        raise RecipeError(
            f"words seen at least {minimum} times: {len(kept)} here; three are needed. "
            + (f"Take {most} or less." if most else "Take a larger corpus.")
        )
    order = kept[np.argsort(words.variance[kept], kind="stable")]
    frame = pd.DataFrame(
        {
            "word": [words.surface_forms[i] for i in order],
            "variance": words.variance[order],
            "group": _thirds(len(order)),
            "times": words.times[order].astype(int),
            "texts": words.texts[order].astype(int),
            "idf": np.log(words.of / words.texts[order]),
            "function word": words.function[order],
        }
    )
    return frame[::-1].reset_index(drop=True)


def grouped(words: pd.DataFrame) -> pd.DataFrame:
    """Some lines of a table, most variance first, in thirds of their own."""
    return words.assign(group=_thirds(len(words))[::-1])


def _thirds(number: int) -> list[str]:
    """The group of each of so many words, least variance first."""
    parts = np.array_split(np.arange(number), len(GROUPS))
    return [name for name, part in zip(GROUPS, parts, strict=True) for _ in part]


def default_minimum(words: WordVariances) -> int:
    """The paper's bound, or less where a corpus has too few words that are seen so often."""
    times = words.times[_kept(words, 1)]
    return next((minimum for minimum in _MINIMA if (times >= minimum).sum() >= ENOUGH), 1)


def correlation(table: pd.DataFrame) -> IdfCorrelation:
    """The correlation of a table's columns ``variance`` and ``idf``; NaN where either is constant."""
    x, y = (table[name].to_numpy(np.float64) for name in ("variance", "idf"))
    value = spearman(x, y)
    low = high = float("nan")
    if np.isfinite(value) and len(x) >= FEW_PAIRS:
        low, high = interval(bootstrap_spearman(x, y, draw(np.zeros(len(x), int))))
    return IdfCorrelation(pearson(x, y), value, low, high, len(x))


def _kept(words: WordVariances, minimum: int) -> np.ndarray:
    lettered = np.array([bool(_LETTER.search(word)) for word in words.surface_forms], bool)
    return np.flatnonzero(lettered & (words.times >= minimum))


def _largest(words: WordVariances) -> int:
    """The largest bound that leaves three words; 0 when there are fewer than three words at all."""
    times = np.sort(words.times[_kept(words, 1)])[::-1]
    return int(times[2]) if len(times) > 2 else 0
