"""The map of tokens in its frame: points, colours, marks, finding and caption."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from components import figure_frame, state, theme
from components.figure_frame import GROUPS as WAYS
from components.figure_frame import Framed
from components.figures.labels import plain
from components.figures.layers import layer_name
from components.figures.tokens import Colour, Mark, Panel, maps
from components.tokens.controls import GROUPS, MISSING, UNITS, Asked
from components.tokens.drawn import Drawn
from components.tokens.reading import GROUP, found_tokens, lasso
from core.analysis import projection
from core.analysis.projection import METHODS
from core.corpus import Corpus
from core.embed import Road


def figure(road: Road, drawn: Sequence[Drawn], corpus: Corpus, asked: Asked) -> None:
    """The maps in their frame."""
    look = theme.of(state.theme_name())
    colour = Colour(
        UNITS.get(asked.colour, asked.colour),
        GROUPS.get(asked.colour, ()),
        MISSING.get(asked.colour, "special"),
    )
    panels = [_panel(one, asked) for one in drawn]
    made = maps(panels, colour, look, height=560 if len(drawn) == 1 else 470, key=_identity(drawn, asked))

    def take(points: Sequence[dict[str, Any]]) -> None:
        groups = lasso(points, made.traces, [one.places for one in drawn])
        st.session_state[GROUP] = {
            one.model.space.key: group for one, group in zip(drawn, groups, strict=True)
        }

    title = finding(drawn, asked.colour)
    figure_frame.show(
        Framed(
            key="tokens.map",
            title=title,
            figure=made.figure,
            caption=caption(road, drawn, corpus, asked),
            alt=f"Map of tokens by {METHODS[asked.method]}. {title}",
            numbers=pd.concat([numbers(one, asked.colour) for one in drawn]),
            on_select=take,
            selection=WAYS,
        )
    )


def _identity(drawn: Sequence[Drawn], asked: Asked) -> str:
    return f"{asked.method} {asked.drawn} {[one.model.space.key for one in drawn]}"


def _panel(one: Drawn, asked: Asked) -> Panel:
    words = one.model.space.vocabulary
    axes = ("", "")
    if asked.method == "pca" and len(one.model.shared) == 1:
        axes = tuple(
            f"component {i + 1}: {100 * share:.1f} % of the variance"
            for i, share in enumerate([*one.map.explained, 0.0][:2])
        )
    elif asked.method == "pca":
        axes = ("component 1 of all layers", "component 2 of all layers")
    return Panel(
        one.model.title,
        one.points,
        [plain(words.written[i]) for i in one.places.tolist()],
        one.values[one.places],
        axes,
        marks=_marks(one, asked.find),
        frame=one.map.points.reshape(-1, 2),
    )


def _marks(one: Drawn, find: str) -> list[Mark]:
    """The token that was searched for and its nearest, as far as the map has a place for them."""
    found = found_tokens(one.model.space, one.model.layer, find)
    if found is None:
        return []
    marks = []
    words = one.model.space.vocabulary.written
    for i in (*found.near[::-1].tolist(), found.place):
        at = where(one, i)
        if at is not None:
            marks.append(Mark(float(at[0]), float(at[1]), words[i], chief=i == found.place))
    return marks


def where(one: Drawn, place: int) -> np.ndarray | None:
    """Where a token lies, drawn or not; None where only those that are drawn have a place."""
    at = np.flatnonzero(one.places == place)
    if len(at):
        return np.asarray(one.points[at[0]])
    if one.map.method != "pca":
        return None
    return one.map.place(one.model.space.rows(one.model.layer, np.array([place])), one.model.layer)[0]


def finding(drawn: Sequence[Drawn], colour: str) -> str:
    """How much of the colour the place on the map tells, in one sentence."""
    told = [one.told for one in drawn]
    if np.isnan(told).all():
        if colour in GROUPS:
            some = int(np.nansum([np.nansum(one.values[one.places]) for one in drawn]))
            return f"{'All' if some else 'None'} of the tokens drawn: {colour}"
        return f"The {colour} of these tokens is not known, or the same for all"
    of = {"sub-word": "being a sub-word", "upper case": "upper case", "punctuation": "being punctuation"}
    shares = ["no" if np.isnan(one) else f"{100 * one:.0f} % of" for one in told]
    if len(drawn) == 1:
        return f"The place on the map tells {shares[0]} {of.get(colour, colour)} (R²)"
    each = ", ".join(
        f"{one.model.name} {share.removesuffix(' of')}" for one, share in zip(drawn, shares, strict=True)
    )
    return f"The place on the map tells of {of.get(colour, colour)} (R²): {each}"


def caption(road: Road, drawn: Sequence[Drawn], corpus: Corpus, asked: Asked) -> tuple[str, ...]:
    """Which vectors of which model, which tokens, how drawn, and what the colour is."""
    lines = []
    for one in drawn:
        space = one.model.space
        rows = "static rows"
        if space.over is not None:
            rows = f"averaged over {space.over.name} (fingerprint {space.over.fingerprint})"
        unknown = int(np.isnan(one.values[one.places]).sum())
        without = f" · {unknown:,} without {asked.colour}, grey" if unknown else ""
        lines.append(
            f"source={one.model.recipe.spelled()['source']} · {space.name} ({space.revision}) · "
            f"{rows} · {one.which}{without}"
        )
    lines.append(_how(drawn, asked))
    if asked.colour.endswith("corpus"):
        lines.append(
            f"Colour: {corpus.name} {corpus.taken}, {len(corpus.sentences):,} sentences, fingerprint "
            f"{corpus.fingerprint}"
        )
    elif asked.colour.endswith("reference"):
        reference = road.reference(drawn[0].model.recipe)
        lines.append(f"Colour: reference {reference.name}, fingerprint {reference.fingerprint}")
    return tuple(lines)


def _how(drawn: Sequence[Drawn], asked: Asked) -> str:
    one = drawn[0]
    start = (
        ""
        if asked.method == "pca"
        else f" of the first {projection.KEPT} components, seed {projection.SEED}"
    )
    if len(one.model.shared) == 1:
        return f"{METHODS[asked.method]}{start}"
    names = f"{layer_name(one.model.shared[0])} to {layer_name(one.model.shared[-1])}"
    return (
        f"{METHODS[asked.method]}{start}, one for layers {names} together, each centred and scaled to the "
        "same variance"
    )


def numbers(one: Drawn, colour: str) -> pd.DataFrame:
    """One row per token that is drawn."""
    words, places = one.model.space.vocabulary, one.places
    values = one.values[places]
    if colour in GROUPS:
        values = np.array([None if np.isnan(v) else bool(v) for v in values], object)
    return pd.DataFrame(
        {
            "model": one.model.name,
            "layer": layer_name(one.model.layer),
            "id": words.ids[places],
            "token": [words.written[i] for i in places.tolist()],
            "x": one.points[:, 0],
            "y": one.points[:, 1],
            colour: values,
        }
    )
