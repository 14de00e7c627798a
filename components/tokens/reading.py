"""What is read from a map of tokens: the neighbours of one, and the group that is drawn around."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from components import chosen_points, sentence_links, table_numbers
from components.text import escape
from components.tokens.controls import GROUPS, SHORT, MapRequest
from components.tokens.drawn import TokenMap, TokenModel, map_key
from core.analysis.token_maps.vocabulary import Space, nearest
from core.evaluation.wording import isolated, quoted

GROUP = "tokens.group"
"""Key of the tokens that are drawn around, by their places in the vocabulary of each map."""

NEAR = 10

WORDS = 40
"""Words that are compared as sentences: their matrix can be read."""

TOLD = 60
"""Characters of what is searched for that are told where there is no such token."""


@dataclass(frozen=True, eq=False)
class TokenNeighbours:
    """A token that was searched for, and its nearest by cosine."""

    place: int
    near: np.ndarray
    cosines: np.ndarray


def found_tokens(space: Space, layer: int, find: str) -> TokenNeighbours | None:
    """The token that is searched for; None when nothing is, or when it is not there."""
    place = space.vocabulary.find(find) if find else None
    return None if place is None else TokenNeighbours(place, *nearest(space, layer, place, NEAR))


def lasso(
    points: Sequence[dict[str, Any]],
    traces: Sequence[tuple[int, np.ndarray]],
    places: Sequence[np.ndarray],
) -> list[list[int]]:
    """Places of the chosen tokens for each panel, ascending; what is no token of a panel is left out."""
    groups: list[set[int]] = [set() for _ in places]
    for point in points:
        curve, at = int(point.get("curve_number", -1)), int(point.get("point_index", -1))
        if 0 <= curve < len(traces):
            panel, held = traces[curve]
            if 0 <= at < len(held):
                groups[panel].add(int(places[panel][held[at]]))
    return [sorted(group) for group in groups]


def identity(models: Sequence[TokenModel], request: MapRequest) -> tuple[object, ...]:
    """What the maps of these models draw: while it stays, points keep their places."""
    return tuple(map_key(one, request) for one in models)


def keep(models: Sequence[TokenModel], request: MapRequest) -> None:
    """Drop a group of other maps than those that are asked for: nothing is marked on these."""
    if chosen_points.is_of_another(GROUP, identity(models, request)):
        _clear()
    chosen_points.field(GROUP)


def show(drawn: Sequence[TokenMap], request: MapRequest) -> None:
    """The neighbours of the token that was searched for, and what the group holds."""
    groups = chosen_points.of(GROUP, identity([one.model for one in drawn], request))
    held = [*zip(drawn, groups, strict=False)]
    if request.find:
        for one in drawn:
            neighbours(one, request)
    if any(group for _, group in held):
        for one, group in held:
            if group:
                group_table(one, group, request)
        st.button("Clear the group", icon=":material/ink_eraser:", type="tertiary", on_click=_clear)
    elif not request.find:
        st.info(
            "Draw around points to read them here. Double-click takes it back.",
            icon=":material/lasso_select:",
        )


def _clear() -> None:
    chosen_points.clear(GROUP)


def neighbours(one: TokenMap, request: MapRequest) -> None:
    """The nearest of the token that was searched for; what it could be where it is not there."""
    space = one.model.space
    found = found_tokens(space, one.model.layer, request.find)
    if found is None:
        st.warning(escape(absent(space, request.find)), icon=":material/search_off:")
        return
    name = space.vocabulary.surface_forms[found.place]
    st.markdown(f"## Nearest to {escape(quoted(name))}")
    st.caption(
        f"{escape(one.model.title)} · cosine, among all {len(space.vocabulary):,} tokens"
        + ("" if found.place in one.places or one.map.method == "pca" else " · not among those drawn")
    )
    near = {
        "token": [space.vocabulary.surface_forms[i] for i in found.near.tolist()],
        "cosine": found.cosines,
        SHORT.get(request.colour, request.colour): spelled(one.values[found.near], request.colour),
    }
    st.dataframe(
        table_numbers.written(pd.DataFrame(near), {"cosine": 3}),
        hide_index=True,
        placeholder="–",
        column_config=decimals(request.colour),
        alt=f"The tokens nearest to {quoted(name)} under {one.model.title}",
    )
    _compare(one, [found.place, *found.near.tolist()])


def absent(space: Space, find: str) -> str:
    """Why a token is not found, and what is written like it."""
    like = space.vocabulary.like(find)
    where = f" that occurs in {space.over.name}" if space.over is not None else ""
    near = f" Written alike: {', '.join(map(isolated, like))}." if like else ""
    asked = quoted(find if len(find) <= TOLD else f"{find[:TOLD]}…")
    return f"{space.name} has no token {asked}{where}; a word may be cut into pieces.{near}"


def group_table(one: TokenMap, group: Sequence[int], request: MapRequest) -> None:
    """The tokens of the group, the highest colour first."""
    words = one.model.space.vocabulary
    places = np.array([i for i in group if i < len(words)], int)
    values = one.values[places]
    order = np.argsort(-np.nan_to_num(values, nan=-np.inf), kind="stable")
    places = places[order]
    st.markdown(f"## In the group: {len(places):,} {'token' if len(places) == 1 else 'tokens'}")
    st.caption(escape(f"{one.model.title} · {shares(one, places)}"))
    st.dataframe(
        pd.DataFrame(
            {
                "token": [words.surface_forms[i] for i in places.tolist()],
                SHORT.get(request.colour, request.colour): spelled(one.values[places], request.colour),
                "sub-word": words.subword[places],
            }
        ),
        hide_index=True,
        placeholder="–",
        height=320,
        column_config=decimals(request.colour),
        alt=f"The tokens of the group under {one.model.title}",
    )
    _compare(one, places.tolist())


def _compare(one: TokenMap, places: Sequence[int]) -> None:
    """A link to Compare with the words among some tokens, each as a sentence; none for fewer than two."""
    words = one.model.space.vocabulary
    some = [words.surface_forms[place] for place in places if not words.subword[place]]
    some = [word for word in dict.fromkeys(some) if any(map(str.isalnum, word))][:WORDS]
    if len(some) > 1:
        label = "Compare them" if len(some) == len(places) else f"Compare {len(some)} of them"
        why = "Each as a sentence of its own, under recipes A and B; pieces of words are left out"
        sentence_links.to_compare(label, some, why=why)


def shares(one: TokenMap, places: np.ndarray) -> str:
    """How many of a group are pieces of words, and of all that are drawn, in words."""
    words = one.model.space.vocabulary
    here, all_ = (100 * float(words.subword[rows].mean()) for rows in (places, one.places))
    return f"sub-words: {here:.0f} % of the group, {all_:.0f} % of all that are drawn"


def decimals(colour: str) -> dict[str, Any]:
    """The format of the column of a colour: two decimals, also where the last is 0."""
    number = st.column_config.NumberColumn(format="%.2f")
    return {} if colour in GROUPS else {SHORT.get(colour, colour): number}


def spelled(values: np.ndarray, colour: str) -> list[object]:
    """Values for a table: numbers with two decimals, yes or no for groups, nothing for NaN."""
    if colour in GROUPS:
        return [None if np.isnan(v) else bool(v) for v in values]
    return [None if np.isnan(v) else round(float(v), 2) for v in values]
