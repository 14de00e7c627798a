"""The map of tokens in its frame: points, colours, marks, finding and caption."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from components import chosen_points, figure_frame, provenance, state, theme
from components.figure_frame import Framed
from components.figures.animation import Animation
from components.figures.labels import plain
from components.figures.layers import layer_name
from components.figures.tokens import Colour, MapPanel, Mark, maps
from components.plot import WAYS
from components.tokens.controls import GROUPS, MISSING, UNITS, MapRequest
from components.tokens.drawn import TokenMap
from components.tokens.reading import GROUP, found_tokens, identity, lasso
from core.analysis.token_maps import projection
from core.analysis.token_maps.projection import METHODS
from core.corpora.corpus import Corpus
from core.errors import counted
from core.pipeline.engine import Engine


def show(engine: Engine, drawn: Sequence[TokenMap], corpus: Corpus, request: MapRequest) -> None:
    """The maps in their frame."""
    look = theme.of(state.theme_name())
    colour = Colour(
        UNITS.get(request.colour, request.colour),
        GROUPS.get(request.colour, ()),
        MISSING.get(request.colour, "special"),
    )
    panels = [_panel(one, request) for one in drawn]
    own = identity([one.model for one in drawn], request)
    figure = maps(panels, colour, look, height=560 if len(drawn) == 1 else 470, key=str(own))

    def take(points: Sequence[dict[str, Any]]) -> None:
        groups = lasso(points, figure.traces, [one.places for one in drawn])
        chosen_points.take(GROUP, own, groups)

    title = finding(drawn, request.colour)
    figure_frame.show(
        Framed(
            key="tokens.map",
            title=title,
            figure=figure.figure,
            caption=caption(engine, drawn, corpus, request),
            summary=provenance.summary(
                "tokens",
                {},
                {one.model.title: one.model.title for one in drawn},
                METHODS[request.method],
                drawn[0].which,
            ),
            alt=f"Map of tokens by {METHODS[request.method]}. {title}",
            numbers=lambda: pd.concat([numbers(one, request.colour) for one in drawn]),
            on_select=take,
            selection=WAYS,
            animation=(lambda: _over_layers(drawn, request, colour)) if len(_layers(drawn)) > 1 else None,
            above=400,
        )
    )


def _layers(drawn: Sequence[TokenMap]) -> tuple[int, ...]:
    """The layers of the slider."""
    return drawn[0].model.shared


def _over_layers(drawn: Sequence[TokenMap], request: MapRequest, colour: Colour) -> Animation:
    """The maps at every layer of the slider; a model that does not have it stays at its own."""
    look = theme.of(state.theme_name())
    figures = []
    for layer in _layers(drawn):
        moved = [
            replace(one, model=replace(one.model, layer=layer)) if layer in one.model.shared else one
            for one in drawn
        ]
        figures.append(maps([_panel(one, request) for one in moved], colour, look).figure)
    names = tuple(layer_name(layer) for layer in _layers(drawn))
    return Animation("layer", names, tuple(figures), layer_name(drawn[0].model.layer))


def _panel(one: TokenMap, request: MapRequest) -> MapPanel:
    words = one.model.space.vocabulary
    axes = ("", "")
    if request.method == "pca" and len(one.model.shared) == 1:
        axes = tuple(
            f"component {i + 1}: {100 * share:.1f} % of the variance"
            for i, share in enumerate([*one.map.explained, 0.0][:2])
        )
    elif request.method == "pca":
        axes = ("component 1 of all layers", "component 2 of all layers")
    return MapPanel(
        one.model.title,
        one.points,
        [plain(words.surface_forms[i]) for i in one.places.tolist()],
        one.values[one.places],
        axes,
        marks=_marks(one, request.find),
        frame=one.map.points.reshape(-1, 2),
    )


def _marks(one: TokenMap, find: str) -> list[Mark]:
    """The token that was searched for and its nearest, as far as the map has a place for them."""
    found = found_tokens(one.model.space, one.model.layer, find)
    if found is None:
        return []
    marks = []
    words = one.model.space.vocabulary.surface_forms
    for i in (*found.near[::-1].tolist(), found.place):
        at = where(one, i)
        if at is not None:
            marks.append(Mark(float(at[0]), float(at[1]), words[i], chief=i == found.place))
    return marks


def where(one: TokenMap, place: int) -> np.ndarray | None:
    """Where a token lies, drawn or not; None where only those that are drawn have a place."""
    at = np.flatnonzero(one.places == place)
    if len(at):
        return np.asarray(one.points[at[0]])
    if one.map.method != "pca":
        return None
    return one.map.transform(one.model.space.rows(one.model.layer, np.array([place])), one.model.layer)[0]


def finding(drawn: Sequence[TokenMap], colour: str) -> str:
    """How much of the colour the place on the map tells, in one sentence."""
    r_squared = [one.r_squared for one in drawn]
    if np.isnan(r_squared).all():
        if colour in GROUPS:
            some = int(np.nansum([np.nansum(one.values[one.places]) for one in drawn]))
            return f"{'All' if some else 'None'} of the tokens drawn: {colour}"
        return f"The {colour} of these tokens is not known, or the same for all"
    of = {"sub-word": "being a sub-word", "upper case": "upper case", "punctuation": "being punctuation"}
    shares = ["not known" if np.isnan(one) else f"{100 * one:.0f} %" for one in r_squared]
    what = f"R² of {of.get(colour, colour)} with the place on the map"
    if len(drawn) == 1:
        return f"{what}: {shares[0]}"
    return f"{what}: {', '.join(f'{one.model.name} {r}' for one, r in zip(drawn, shares, strict=True))}"


def caption(
    engine: Engine, drawn: Sequence[TokenMap], corpus: Corpus, request: MapRequest
) -> tuple[str, ...]:
    """Which vectors of which model, which tokens, how drawn, and what the colour is."""
    lines = []
    for one in drawn:
        space = one.model.space
        rows = "static rows"
        if space.over is not None:
            rows = f"averaged over {space.over.name} (fingerprint {space.over.fingerprint})"
        unknown = int(np.isnan(one.values[one.places]).sum())
        without = f" · {unknown:,} without {request.colour}, grey" if unknown else ""
        lines.append(
            f"source={one.model.recipe.spelled()['source']} · {provenance.model(space)} · "
            f"{rows} · {one.which}{without}"
        )
    lines.append(_how(drawn, request))
    if request.colour.endswith("corpus"):
        lines.append(f"Colour: {provenance.line([], corpus, counted(len(corpus.sentences), 'sentence'))}")
    elif request.colour.endswith("reference"):
        reference = engine.references.of(drawn[0].model.recipe)
        lines.append(f"Colour: reference {reference.name}, fingerprint {reference.fingerprint}")
    return tuple(lines)


def _how(drawn: Sequence[TokenMap], request: MapRequest) -> str:
    one = drawn[0]
    start = (
        ""
        if request.method == "pca"
        else f" of the first {projection.PCA_COMPONENTS} components, seed {projection.SEED}"
    )
    if len(one.model.shared) == 1:
        return f"{METHODS[request.method]}{start}"
    names = f"{layer_name(one.model.shared[0])} to {layer_name(one.model.shared[-1])}"
    return (
        f"{METHODS[request.method]}{start}, one for layers {names} together, each centred and scaled "
        "to the same variance"
    )


def numbers(one: TokenMap, colour: str) -> pd.DataFrame:
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
            "token": [words.surface_forms[i] for i in places.tolist()],
            "x": one.points[:, 0],
            "y": one.points[:, 1],
            colour: values,
        }
    )
