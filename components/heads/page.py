"""The parts of the page Heads about one sentence: every head as a tile, one head large, its weights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from components import figure_frame, selection, state, theme, token_strip
from components.errors import attempt
from components.explain import heading
from components.figure_frame import Framed
from components.figures.heads import diagonals, one_head, tiles
from components.figures.labels import plain
from components.text import escape
from core.analysis.attention import SentenceAttention, coarse, heaviest
from core.analysis.head_similarities import with_head
from core.analysis.heads import base_of, published_head
from core.corpus import Corpus
from core.embed import Road, TokenWeights
from core.errors import shorten
from core.passes import Source
from core.progress import Progress
from core.recipe import WEIGHT, Recipe

ARRIVAL = (1, 9)
"""The head one arrives with: the bundled model's best on the dev set of STS-B."""

CELLS = 1_000_000
"""Cells that the picture of all heads may have, a byte each."""

LARGE = 96
"""Tokens up to which the large picture, and that of the diagonals, have one row for each."""


def head() -> None:
    """Title and how to read the page."""
    heading(
        "Heads",
        "Which attention heads find the words that matter?",
        "A tile is one head: row by row, how much each token looks at each other one; a row sums to 1. "
        "The diagonal is a token looking at itself, which Ditto takes as its weight (Chen et al. 2023, "
        "*Ditto: A Simple and Efficient Approach to Improve Sentence Embeddings*). What it does not show: "
        "attention is not explanation. A head that looks at a word need not use it, and a score that "
        "rises with a head's weights says that they help on this corpus, not why. "
        "Layers and heads are counted from 1, as in papers; code counts from 0, and both are printed.",
    )


def choose(source: Source, recipe: Recipe) -> tuple[str | None, tuple[int, int], Any]:
    """The sentence and the head to look at, and room for the token; a head that the model lacks is told.

    One begins with the head of recipe A's own weight, else with the one that is published for the model.
    """
    depth, heads = source.location.depth, source.location.heads
    own = WEIGHT.arguments(recipe.weight) if recipe.weight.name == "ditto" else {}
    published = published_head(source.name, depth, heads)
    start = (int(own["layer"]), int(own["head"])) if own else published or ARRIVAL
    wanted = st.query_params.get("head", "")
    left, middle, right = st.columns([5, 2, 2])
    with left:
        sentence = selection.sentence()
    with right:
        chosen = selection.head(depth, heads, start)
    names = {f"{i}-{j}" for i in range(1, depth + 1) for j in range(1, heads + 1)}
    if wanted and wanted not in names:
        st.warning(
            f"The link names a head {escape(shorten(wanted))}; this model has {depth} layers × {heads} "
            f"heads, so the page shows {chosen[0]}-{chosen[1]}.",
            icon=":material/link_off:",
        )
    return sentence, chosen, middle


def weights_of(
    road: Road, recipe: Recipe, sentence: str, chosen: tuple[int, int], progress: Progress
) -> TokenWeights | None:
    """What each token gets from Ditto with the chosen head, of the tokens that recipe A takes."""
    corpus = Corpus.of_texts("sentence", [sentence])
    ditto = with_head(base_of(recipe), "last", *chosen)
    found = attempt("a", recipe, lambda: road.token_weights(ditto, corpus, progress))
    return found[0] if found else None


def pictures(
    found: SentenceAttention,
    weights: TokenWeights | None,
    recipe: Recipe,
    chosen: tuple[int, int],
    place: Any,
) -> None:
    """All heads (left) and the chosen one (right); the token is chosen in ``place``."""
    _cut_note(found)
    with place:
        token = selection.token_menu(found.written, found.own.tolist())
    left, right = st.columns([11, 10], gap="medium")
    with left:
        _tiles(found, recipe, chosen)
    with right:
        _one(found, weights, recipe, chosen, token)


def spelled_out(
    found: SentenceAttention, weights: TokenWeights | None, recipe: Recipe, chosen: tuple[int, int]
) -> None:
    """The chosen head's weights over the text, and the diagonals of all heads."""
    look = theme.of(state.theme_name())
    if weights is not None:
        most = heaviest(weights.shares)
        written = _written(found)
        named = ", ".join(f"“{written[i]}” {100 * weights.shares[i]:.0f} %" for i in most[:3])
        st.markdown(f"##### Ditto with L{chosen[0]}-H{chosen[1]} gives most weight to {escape(named)}")
        st.html(token_strip.strip(weights, look.a, f"L{chosen[0]}-H{chosen[1]}", marked=most))
        st.caption(
            f"A token's share of the sentence vector is its diagonal attention, scaled to sum 1 over "
            f"{escape(_taken(recipe))}; the {len(most)} heaviest are framed."
        )
    _diagonals(found, recipe, chosen)


def take(points: Sequence[dict[str, Any]]) -> None:
    """Choose the head that a visitor clicked on; a click that takes the choice back changes nothing."""
    for point in points[:1]:
        name = point.get("customdata")
        if name:
            selection.take("head", str(name[0] if isinstance(name, list) else name))


def caption(found: SentenceAttention, recipe: Recipe, more: str) -> tuple[str, ...]:
    """What is drawn, by which model, of which sentence."""
    spelled = base_of(recipe).spelled()
    return (
        more,
        f"A: source={spelled['source']};template={spelled['template']} · {found.source.name} "
        f"({found.source.revision}) · one sentence, {len(found.written)} tokens",
    )


def _tiles(found: SentenceAttention, recipe: Recipe, chosen: tuple[int, int]) -> None:
    look = theme.of(state.theme_name())
    depth, heads = found.depth, found.heads
    drawn, size = coarse(found.weights, int((CELLS / (depth * heads)) ** 0.5))
    own = found.diagonals
    mean = own.mean(axis=2)
    layer, number = (int(i) + 1 for i in np.unravel_index(int(mean.argmax()), mean.shape))
    title = f"L{layer}-H{number} keeps most on its own token: {100 * mean[layer - 1, number - 1]:.0f} %"
    written = _written(found)
    places = [(i + 1, j + 1) for i in range(depth) for j in range(heads)]
    hover = [
        f"<b>{selection.head_name(i, j)}</b><br>{100 * mean[i - 1, j - 1]:.0f} % on the token itself, "
        f"most: {plain(', '.join(written[k] for k in heaviest(own[i - 1, j - 1], 3)))}"
        for i, j in places
    ]
    names = [f"{i}-{j}" for i, j in places]
    what = (
        "A tile is one head: rows look at columns, colours go with the root. Click one to choose it. "
        "Attention is not explanation: a head that looks at a word need not use it."
    )
    if size > 1:
        what += f" Each cell is the largest attention of {size} × {size} tokens."
    figure_frame.show(
        Framed(
            key="heads.tiles",
            title=title,
            figure=tiles(drawn, names, hover, chosen, look),
            caption=caption(found, recipe, what),
            alt=f"{title}; {depth} layers of {heads} heads as tiles",
            numbers=_tile_numbers(drawn, _labels(found, size)),
            on_select=take,
        )
    )


def _one(
    found: SentenceAttention,
    weights: TokenWeights | None,
    recipe: Recipe,
    chosen: tuple[int, int],
    token: int,
) -> None:
    look = theme.of(state.theme_name())
    own = found.diagonals[chosen[0] - 1, chosen[1] - 1]
    most = heaviest(weights.shares if weights is not None else own)
    drawn, size = coarse(found.of(*chosen), LARGE)
    labels = _labels(found, size)
    title = f"{selection.head_name(*chosen)}: {100 * own.mean():.0f} % on the token itself"
    what = (
        f"Rows look at columns; framed: the {len(most)} heaviest of the diagonal, and the row of "
        f"{looks_at(found, chosen, token)}."
    )
    if size > 1:
        what += f" Each cell is the largest attention of {size} × {size} tokens."
    figure_frame.show(
        Framed(
            key="heads.one",
            title=title,
            figure=one_head(drawn, labels, sorted({place // size for place in most}), look, token // size),
            caption=caption(found, recipe, what),
            alt=f"{title}; heaviest {', '.join(found.written[i] for i in most[:3])}",
            numbers=_with_columns(pd.DataFrame(drawn, columns=labels), token=labels),
        )
    )


def looks_at(found: SentenceAttention, chosen: tuple[int, int], token: int) -> str:
    """A token, and where it looks most, in words."""
    names = selection.token_names(_written(found))
    row = found.of(*chosen)[token]
    most = int(row.argmax())
    where = "itself" if most == token else f"“{names[most]}”"
    return f"“{names[token]}”, which looks most at {where} ({100 * row[most]:.0f} %)"


def _diagonals(found: SentenceAttention, recipe: Recipe, chosen: tuple[int, int]) -> None:
    look = theme.of(state.theme_name())
    every = found.diagonals
    own = found.own if found.own.any() else np.ones(len(found.written), bool)
    token = int(np.where(own, every.mean(axis=(0, 1)), -1).argmax())
    title = f"Over all heads, “{_written(found)[token]}” is the token that looks at itself most"
    size = max(1, -(-len(found.written) // LARGE))
    starts = np.arange(0, len(found.written), size)
    drawn = np.maximum.reduceat(every, starts, axis=2)
    labels = _labels(found, size)
    what = "The diagonal of every head: a row per head, layers set apart; the chosen head is framed."
    if size > 1:
        what += f" Each cell is the largest of {size} tokens."
    rows = [f"L{i + 1}-H{j + 1}" for i in range(found.depth) for j in range(found.heads)]
    numbers = _with_columns(pd.DataFrame(drawn.reshape(len(rows), -1), columns=labels), head=rows)
    figure_frame.show(
        Framed(
            key="heads.diagonals",
            title=title,
            figure=diagonals(drawn, labels, chosen, look),
            caption=caption(found, recipe, what),
            alt=title,
            numbers=numbers,
        )
    )


def _written(found: SentenceAttention) -> list[str]:
    """The tokens without their word-start marks."""
    return [text.lstrip("▁Ġ") or text for text in found.written]


def _labels(found: SentenceAttention, size: int) -> list[str]:
    """A name for each token, or for each stretch of ``size`` tokens by its first."""
    names = selection.token_names(_written(found))
    return names if size == 1 else [f"{name} …" for name in names[::size]]


def _tile_numbers(drawn: np.ndarray, labels: Sequence[str]) -> pd.DataFrame:
    """What the tiles show: a row per layer, head and looking token."""
    depth, heads, side, _ = drawn.shape
    index = np.indices((depth, heads, side)).reshape(3, -1)
    table = pd.DataFrame(drawn.reshape(-1, side), columns=list(labels))
    looking = np.array(labels, object)[index[2]]
    return _with_columns(table, layer=index[0] + 1, head=index[1] + 1, token=looking)


def _with_columns(table: pd.DataFrame, **columns: Any) -> pd.DataFrame:
    """``table`` with columns before its own, which may have the same names: they are tokens."""
    for place, (name, values) in enumerate(columns.items()):
        table.insert(place, name, values, allow_duplicates=True)
    return table


def _taken(recipe: Recipe) -> str:
    """Which tokens recipe A takes, in words."""
    if recipe.tokens.name == "all":
        return "all tokens, special ones too (tokens=all)"
    return f"the tokens that recipe A takes (tokens={recipe.spelled()['tokens']})"


def _cut_note(found: SentenceAttention) -> None:
    if not found.truncated:
        return
    own = np.flatnonzero(found.own)
    end = f", after “{found.written[own[-1]]}”" if len(own) else ""
    st.warning(
        f"The sentence is longer than {len(found.written)} tokens, the limit of "
        f"{escape(found.source.name)}, and cut there{escape(end)}.",
        icon=":material/content_cut:",
    )
