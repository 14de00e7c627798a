"""Why two sentences are similar, in words: headlines and captions of the page Compare."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from components import provenance
from components.figures.similarities import name, shown
from components.wording import upper_first
from core.analysis.close_pairs import Pair
from core.analysis.why.contributions import Contributions
from core.analysis.why.left_out import LeftOut
from core.analysis.why.pair import Explained
from core.evaluation.wording import quoted
from core.pipeline.token_weights import TokenWeights
from core.tokens.states import STATIC

NAMED = 5
"""Pairs of tokens that the caption names."""

LAYERS = 4
"""Layers that a line names."""

STANDS_OUT = 0.05
"""The share of a similarity, or of its change, from which on a pair of tokens is worth a headline."""


def of_tints(each: Explained, unit: str) -> str:
    """What the tints of a sentence's tokens say under one recipe."""
    if isinstance(each, LeftOut):
        return (
            f"Under {each.reason} the similarity of two sentences is no sum over pairs of tokens. The tint "
            f"is what the {name(unit).lower()} {shown(each.similarity, unit)} loses without a token; these "
            "do not add up"
        )
    return (
        f"what each token brings to the {name(unit).lower()} {shown(each.similarity, unit)}{_layers(each)}"
    )


def _layers(each: Contributions) -> str:
    """Which layers the similarity comes from, where several are averaged."""
    if each.by_layer is None or len(each.layers) < 2:
        return ""
    own = np.diag(each.by_layer)
    order = sorted(np.argsort(-np.abs(own), kind="stable")[:LAYERS])
    parts = [
        f"{'static' if each.layers[i] == STATIC else f'layer {each.layers[i]}'} {_part(own[i])}"
        for i in order
    ]
    rest = "" if len(order) == len(own) else f", the other layers {_part(own.sum() - own[order].sum())}"
    return (
        f"; of layers with themselves: {', '.join(parts)}{rest}; between layers {_part(each.cross_terms)}"
    )


def more(value: float, unit: str) -> str:
    """A difference with its sign."""
    return ("+" if value > 0 else "") + shown(value, unit)


def _part(value: float) -> str:
    return (f"{value:.0f}" if abs(value) >= 10 else f"{value:.2g}").replace("-", "−")


def finding(
    found: Mapping[str, Contributions], units: Mapping[str, str], changed: Contributions | None = None
) -> str:
    """The pair of tokens that contributes most under each recipe, and where most changes from A to B.

    Where the largest part is less than :data:`STANDS_OUT` of the whole, that no pair stands out.
    """
    parts = []
    for side, each in found.items():
        ((tokens, value),) = _largest(each, 1)
        total, most = shown(each.similarity, units[side]), shown(value, units[side])
        whole = f"the {name(units[side]).lower()} {total} under {side}"
        if abs(value) < STANDS_OUT * abs(each.similarity):
            parts.append(f"of {whole}, no pair of tokens stands out (largest {most}: {tokens})")
        elif 0 < value < each.similarity:
            parts.append(f"of {whole}, {most} comes from {tokens}")
        else:
            parts.append(f"the largest part of {whole} is {most}, {tokens}")
    if changed is not None and changed.values.any():
        ((tokens, value),) = _largest(changed, 1)
        by = more(value, units["A"])
        if abs(value) < STANDS_OUT * abs(changed.similarity):
            parts.append(f"from A to B no pair changes by much (most {tokens}, by {by})")
        else:
            parts.append(f"from A to B {tokens} changes most, by {by}")
    return upper_first("; ".join(parts))


def caption(
    found: Mapping[str, Contributions],
    pair: Pair,
    units: Mapping[str, str],
    changed: Contributions | None,
    labels: Mapping[str, str],
    models: str,
    cut: Sequence[str] = (),
    *,
    rows_are_second: bool = False,
) -> tuple[str, ...]:
    """The recipes with the strongest pairs of tokens, what changes, what is drawn, and of which models.

    ``cut`` are lines on the sentences that are not read to their end. ``rows_are_second`` says which
    sentence the rows are of.
    """
    lines = [
        f"{side}: {labels[side]} · largest: {_strongest(each, units[side])}" for side, each in found.items()
    ]
    if changed is not None:
        ranks = (pair.rank_a, pair.rank_b)
        rank = "" if None in ranks else "rank {:,} → {:,}, ".format(*ranks)
        lines.append(f"B − A: {rank}largest changes: {_strongest(changed, units['A'])}")
    down, across = pair.sentences[::-1] if rows_are_second else pair.sentences
    return (
        *lines,
        f"Rows: {quoted(down)} · columns: {quoted(across)} · "
        f"the cells sum to the similarity, colours go with the root · {models}",
        *cut,
    )


def cut(pair: Pair, weights: Mapping[str, Sequence[TokenWeights]]) -> tuple[str, ...]:
    """Which sentences of the pair are longer than a side's model reads.

    ``weights`` gives for each side the tokens of every sentence of the box.
    """
    lines = {}
    for side, texts in weights.items():
        read = {number: texts[number - 1] for number in (pair.first, pair.second)}
        lines[side] = [
            f"Sentence {number} is longer than {len(one.surface_forms)} tokens and cut there."
            for number, one in read.items()
            if one.truncated
        ]
    return provenance.told(lines)


def _strongest(found: Contributions, unit: str) -> str:
    """The pairs of tokens with the largest values."""
    return ", ".join(f"{tokens} {shown(value, unit)}" for tokens, value in _largest(found, NAMED))


def _largest(found: Contributions, count: int) -> list[tuple[str, float]]:
    """The pairs of tokens with the largest values; in quotes, as a token may be a full stop."""
    return [(f"{quoted(one)} ↔ {quoted(other)}", value) for one, other, value in found.strongest(count)]
