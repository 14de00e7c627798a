"""Which words drive the errors of a recipe on a corpus of scored pairs.

Of the pairs whose rank by similarity is furthest from their rank by gold, each word of either sentence is
left out of pooling in turn. A word drives errors where this brings its pairs closer to their gold rank.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from core.analysis.why.left_out import without
from core.analysis.why.parts import halves_of
from core.corpora.corpus import Corpus
from core.errors import CorpusError
from core.evaluation.ranks import mid_ranks
from core.evaluation.statistics import draw, interval
from core.evaluation.sts import check_scorable
from core.pipeline.engine import Engine
from core.pipeline.one_text import OneText, of_texts
from core.progress import Progress, Step, silent
from core.recipe import SIMILARITY, Recipe
from core.tokens.marks import joined

LEAST = 5
"""Pairs that a word needs to be listed: of fewer an interval says nothing."""

Vectors = Float[np.ndarray, "variant dim"]


@dataclass(frozen=True)
class ErrorWord:
    """How much closer pairs come to their gold rank without one word.

    ``gain`` is the mean over its ``pairs``, in places: percent of the number of scored pairs; below 0 where
    they come out further. ``low`` and ``high`` bound it at 95 % (bootstrap over its pairs), one word by
    itself: of many words the one with the largest gain is there by luck too.
    """

    word: str
    gain: float
    low: float
    high: float
    pairs: int


@dataclass(frozen=True)
class ErrorWords:
    """The words of the pairs that go most wrong.

    Attributes
    ----------
    pairs, places
        The number of these pairs, and how far they are from their gold rank on average.
    gain
        The mean gain of leaving out any word: what a word's own is to be compared with, since whatever
        moves the worst pairs is likely to bring them closer.
    words
        Those in at least :data:`LEAST` pairs, the largest gain first.
    """

    pairs: int
    places: float
    gain: float
    words: tuple[ErrorWord, ...]


def error_words(
    engine: Engine,
    recipe: Recipe,
    corpus: Corpus,
    worst: int = 100,
    group: Sequence[int] | None = None,
    progress: Progress = silent,
) -> ErrorWords:
    """The words that drive the errors of a recipe on a corpus of scored pairs.

    Parameters
    ----------
    worst
        How many pairs are looked at, those furthest from their gold rank first.
    group
        Pairs, by position, that alone are looked at (:func:`group_of`); their ranks are among all pairs.

    Raises
    ------
    CorpusError
        The corpus has no gold scores, or the group is empty.
    TooFewSentencesError
        A step would learn from too few sentences.
    """
    check_scorable(corpus)
    rows = np.arange(len(corpus)) if group is None else np.unique(np.array(group, int))
    if not len(rows):
        raise CorpusError(f"None of the pairs of {corpus.name} is in the group; take another one.")
    similarities, _ = engine.similarities(recipe, corpus, progress)
    places = 100 / len(corpus)
    gold = mid_ranks(corpus.gold)
    off = places * (mid_ranks(similarities) - gold)
    rows = rows[np.argsort(-np.abs(off[rows]), kind="stable")[:worst]]
    needed = np.unique([corpus.first[rows], corpus.second[rows]])
    sides = _without_each_word(engine, recipe, corpus, needed, progress)
    compare, ordered = SIMILARITY.bind(recipe.similarity), np.sort(similarities)
    gains: dict[str, dict[int, list[float]]] = {}
    for row in rows.tolist():
        i, j = int(corpus.first[row]), int(corpus.second[row])
        if i not in sides or j not in sides:  # without tokens, nothing can be left out
            continue
        others = np.delete(ordered, np.searchsorted(ordered, similarities[row]))
        for (words, u), (_, v) in ((sides[i], sides[j]), (sides[j], sides[i])):
            moved = compare(u[1:], np.repeat(v[:1], len(u) - 1, axis=0))
            below, above = (np.searchsorted(others, moved, side) for side in ("left", "right"))
            ranks = (below + above) / 2 + 1
            gained = abs(off[row]) - np.abs(places * (ranks - gold[row]))
            for word, gain in zip(words, gained.tolist(), strict=True):
                gains.setdefault(word, {}).setdefault(row, []).append(gain)
    means = {word: np.array([*map(np.mean, each.values())]) for word, each in gains.items()}
    found = [_word(word, each) for word, each in means.items() if len(each) >= LEAST]
    return ErrorWords(
        len(rows),
        float(np.abs(off[rows]).mean()),
        float(np.concatenate([*means.values()]).mean()) if means else 0.0,
        tuple(sorted(found, key=lambda each: -each.gain)),
    )


def group_of(
    corpus: Corpus, subset: str | None = None, ratings: tuple[float, float] | None = None
) -> list[int] | None:
    """The pairs, by position, of a subset and of gold scores in a range, both ends included; None of all.

    Raises :class:`CorpusError` for a subset that there is not, and for scores that no pair has.
    """
    kept = np.ones(len(corpus), bool)
    if subset is not None:
        kept &= np.array(corpus.subset) == subset
        if not kept.any():
            known = ", ".join(sorted(set(filter(None, corpus.subset)))) or "none"
            raise CorpusError(f"subset: got {subset!r}; {corpus.name} has {known}.")
    if ratings is not None:
        low, high = ratings
        kept &= (corpus.gold >= low) & (corpus.gold <= high)
        if not kept.any():
            least, most = float(corpus.gold.min(initial=np.inf)), float(corpus.gold.max(initial=-np.inf))
            raise CorpusError(
                f"ratings: got {low:g} to {high:g}; no such pair of {corpus.name} has a score there, its "
                f"scores go from {least:g} to {most:g}."
            )
    return None if subset is None and ratings is None else np.flatnonzero(kept).tolist()


def _word(word: str, gains: Float[np.ndarray, " pair"]) -> ErrorWord:
    counts = draw(np.zeros(len(gains), int))
    low, high = interval(counts @ gains / len(gains))
    return ErrorWord(word, float(gains.mean()), low, high, len(gains))


def _without_each_word(
    engine: Engine,
    recipe: Recipe,
    corpus: Corpus,
    positions: Int[np.ndarray, " text"],
    progress: Progress,
) -> dict[int, tuple[list[str], Vectors]]:
    """For texts that have tokens their words, and the vectors of the whole and of it without each word."""
    vectors_of = without(engine, recipe, corpus, progress)
    by_half = [
        of_texts(engine.weighted_states(half, corpus, progress), positions.tolist(), progress)
        for half, _ in halves_of(recipe)
    ]
    found: dict[int, tuple[list[str], Vectors]] = {}
    for number, position in enumerate(positions.tolist(), 1):
        if any(position not in half for half in by_half):
            continue
        texts = [half[position] for half in by_half]
        words = words_of(texts[0])
        vectors = vectors_of(texts, [np.array(places) for _, places in words])
        found[position] = [word for word, _ in words], vectors
        progress(Step("Leaving words out: sentences", number, len(positions)))
    return found


def words_of(text: OneText) -> list[tuple[str, list[int]]]:
    """The words of a text that take part, each with the places of its tokens; special tokens by themselves.

    None of a text that has but one: without it nothing is left to compare.
    """
    grouped: dict[int, list[int]] = {}
    for place in np.flatnonzero(text.batch.selected).tolist():
        number = text.words[place]
        grouped.setdefault(number if number >= 0 else -1 - place, []).append(place)
    if len(grouped) < 2:
        return []
    return [(joined([text.surface_forms[i] for i in places]), places) for places in grouped.values()]
