"""What pairs of sentences say, in words, and a row of buttons that show them, on the page Compare."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from components.compare import chosen_pair
from components.figures.labels import cut_distinct
from components.figures.similarities import name, shown
from components.text import escape
from core.analysis.close_pairs import NEAR_COPY, ClosePairs, Pair
from core.errors import counted
from core.evaluation.wording import quoted

CLIP = 40
"""Characters of a sentence in a headline."""


@dataclass(frozen=True)
class Finding:
    """A pair worth naming: what its button says, and the headline of the figure that shows it."""

    label: str
    headline: str
    pair: Pair


@dataclass(frozen=True)
class Units:
    """The similarities of A and B; ``b`` is None without B."""

    a: str
    b: str | None = None

    @property
    def shared(self) -> bool:
        """Whether the values under A and B can be compared."""
        return self.b in (None, self.a)


def show(findings: list[Finding], chosen: tuple[int, int] | None) -> None:
    """A button for each finding; a click marks its pair."""
    for number, finding in enumerate(findings):
        pair = (finding.pair.first, finding.pair.second)
        st.button(
            escape(finding.label),
            key=f"finding.{number}",
            type="primary" if pair == chosen else "secondary",
            help=escape(finding.headline),
            on_click=chosen_pair.put,
            args=(pair,),
        )


def findings(close: ClosePairs, units: Units) -> list[Finding]:
    """The findings, first the one that stands over the figure; none of a single pair."""
    if close.pairs < 2:
        return []
    rows: list[Finding] = []
    if close.closest is not None:
        value = shown(close.closest.a, units.a)
        rows.append(Finding(f"Closest {value}", _closest(close, close.closest, units), close.closest))
    if close.few_words is not None and close.few_words != close.closest:
        label = f"Few shared words {shown(close.few_words.a, units.a)}"
        rows.append(Finding(label, _few_words(close, close.few_words, units), close.few_words))
    if close.negated is not None and close.negated != close.closest:
        label = f"One negated {shown(close.negated.a, units.a)}"
        rows.append(Finding(label, _negated(close, close.negated, units), close.negated))
    if close.near_copy is not None and close.near_copy not in (close.closest, close.negated):
        label = f"Near copy {shown(close.near_copy.a, units.a)}"
        rows.append(Finding(label, _near_copy(close, close.near_copy, units), close.near_copy))
    if close.disagreement is not None:
        pair = close.disagreement
        label = f"Disagreement {pair.rank_a:,} → {pair.rank_b:,}"
        rows.append(Finding(label, _disagreement(close, pair, units), pair))
    return rows


def headline(
    close: ClosePairs, rows: list[Finding], units: Units, chosen: Pair | None, only: Pair | None
) -> str:
    """What stands over the figure: of the chosen pair, else the first finding.

    ``only`` is the pair where there is a single one of different sentences; beside copies it is named.
    """
    if only is not None and chosen in (None, only):
        return f"{_quoted(only)}. " * close.copied + _single(only, units)
    if chosen is not None:
        return next(
            (row.headline for row in rows if row.pair == chosen), _chosen(chosen, close.pairs, units)
        )
    if rows and close.closest is not None:
        return rows[0].headline
    return f"{name(units.a)}: all {close.pairs:,} pairs are equally close under A"


def of_pair(pair: Pair, pairs: int, units: Units) -> list[tuple[str, str]]:
    """For A, and for B if there is one: the side, and the pair's similarity with its rank among all."""
    sides = [("A", f"{_named(pair.a, units.a)}, {_rank(pair.rank_a, pairs)}")]
    if pair.b is not None and units.b is not None:
        sides.append(("B", f"{_named(pair.b, units.b)}, {_rank(pair.rank_b, pairs)}"))
    return sides


def _single(pair: Pair, units: Units) -> str:
    """The one pair that two sentences make."""
    a = shown(pair.a, units.a)
    if pair.b is None or units.b is None:
        return f"{name(units.a)} of the two sentences under A: {a}"
    b = shown(pair.b, units.b)
    if not units.shared:
        return f"{name(units.a)} under A {a}, {name(units.b).lower()} under B {b}: they share no scale"
    if a == b:
        return f"{name(units.a)}: A {a}, B {b}: no difference in the digits shown"
    where = "closer together" if pair.b > pair.a else "further apart"
    return f"{name(units.a)}: A {a}, B {b}: B puts them {where}"


def _closest(close: ClosePairs, pair: Pair, units: Units) -> str:
    what = ("the closest pair" if close.first_a == 1 else f"one of {close.first_a:,} closest pairs") + (
        " of different sentences" * close.copied
    )
    same = f". A and B put all {close.pairs:,} pairs in the same order" * close.same_order
    a = shown(pair.a, units.a)
    return f"{name(units.a)}: {what} under A is {a}: {_quoted(pair)}{_other(close, pair, units)}{same}"


def _few_words(close: ClosePairs, pair: Pair, units: Units) -> str:
    place = _rank(pair.rank_a, close.pairs)
    if close.copies_before:
        copies = "a near copy" if close.copies_before == 1 else f"{close.copies_before:,} near copies"
        place += f", behind {copies}"
    return (
        f"{name(units.a)}: of pairs with few words in common the closest is {shown(pair.a, units.a)} "
        f"under A, {place}: {_quoted(pair)}{_other(close, pair, units)}"
    )


def _near_copy(close: ClosePairs, pair: Pair, units: Units) -> str:
    least = f"{100 * NEAR_COPY:.0f} % of its words"
    place = _rank(pair.rank_a, close.pairs)
    return (
        f"{name(units.a)}: the closest pair that shares at least {least} is {shown(pair.a, units.a)} "
        f"under A ({place}): {_quoted(pair)}{_other(close, pair, units)}"
    )


def _negated(close: ClosePairs, pair: Pair, units: Units) -> str:
    return (
        f"{name(units.a)}: of near copies with a negation in one the closest is {shown(pair.a, units.a)} "
        f"under A ({_rank(pair.rank_a, close.pairs)}): {_quoted(pair)}{_other(close, pair, units)}"
    )


def _disagreement(close: ClosePairs, pair: Pair, units: Units) -> str:
    a, b = (f"{value}" for _, value in of_pair(pair, close.pairs, units))
    return f"Largest disagreement among the {close.counted:,} closest pairs: {_quoted(pair)}: A {a}; B {b}"


def _chosen(pair: Pair, pairs: int, units: Units) -> str:
    values = "; ".join(f"{side} {value}" for side, value in of_pair(pair, pairs, units))
    return f"{_quoted(pair)}: {values}"


def _other(close: ClosePairs, pair: Pair, units: Units) -> str:
    """What a pair that was named for A is under B."""
    if pair.b is None or pair.rank_b is None or units.b is None:
        return ""
    place = f"rank {pair.rank_b:,}"
    if pair.rank_b == 1:
        alike = f"as close as {counted(close.first_b - 1, 'other')}"
        place = alike if close.first_b > 1 else f"{'also ' * (pair.rank_a == 1)}the closest"
    if not units.shared:
        return f"; under B it is {place}"
    return f"; under B it is {shown(pair.b, units.b)}, {place}"


def _named(value: float, similarity: str) -> str:
    return f"{name(similarity).lower()} {shown(value, similarity)}"


def _rank(rank: int | None, pairs: int) -> str:
    return "a sentence and its copy" if rank is None else f"rank {rank:,} of {pairs:,}"


def _quoted(pair: Pair) -> str:
    first, second = cut_distinct(pair.sentences, CLIP)
    return f"{quoted(first)} / {quoted(second)}"
