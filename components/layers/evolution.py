"""The evolution map and the hop curves of the page Layers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st

from components import figure_frame, selection, state, theme
from components.figure_frame import Framed
from components.figures.layers import Curve, curves, layer_name
from components.figures.matrices import Matrix, side_by_side
from components.layers.page import VIEWS, Model, layered_recipe
from components.progress import working
from components.text import escape
from core.analysis.trajectories import Evolution, Paths, of_corpus
from core.corpus import Corpus
from core.embed import Road
from core.encoder import STATIC
from core.errors import StrataError
from core.progress import Progress

HEIGHT = 350
"""Pixels of the map: its squares fill half the page."""

_MARKS = "▁Ġ#"
_BAND = ("Band: one standard deviation over tokens on either side.",)
_APART, _ALONG = "by layers apart", "layer by layer"


@dataclass(frozen=True, eq=False)
class Shown:
    """What is drawn of a model."""

    model: Model
    evolution: Evolution


def show(
    road: Road,
    found: Sequence[Model],
    chosen: str,
    token: int,
    corpus: Corpus,
    sentence: str,
    *,
    ready: bool,
) -> None:
    """Map and hop curves of the chosen view; ``ready`` says whether the corpus may be read."""
    left, right = st.columns(2, gap="medium") if len(found) == 1 else (st.container(), st.container())
    with left:
        if chosen == "corpus" and not ready:
            chosen = VIEWS[1]
            st.caption(":material/info: The corpus is not read yet: shown is the sentence.")
        with working("evolution") as progress:
            shown = evolutions(road, found, chosen, token, corpus, progress)
    if not shown:
        return
    written = found[0].paths.tokens.written(slice(0, len(found[0].paths.tokens)))[token]
    of, lines = subject(chosen, written), caption(road, shown, chosen, corpus, sentence)
    with left:
        maps(shown, of, lines)
    with right:
        hop_curves(shown, lines)


def evolutions(
    road: Road, found: Sequence[Model], chosen: str, token: int, corpus: Corpus, progress: Progress
) -> list[Shown]:
    """What the map is of, for each model; the page says where there is nothing to show."""
    made = []
    for model in found:
        try:
            if chosen == "corpus":
                one = of_corpus(road, layered_recipe(model.recipe), corpus, progress).evolution
            elif chosen == "sentence":
                one = model.paths.evolution()
            else:
                at = token if model is found[0] else same_token(found[0].paths, token, model.paths)
                if at is None:
                    st.caption(f":material/info: {escape(model.name)} cuts this word otherwise.")
                    continue
                one = model.paths.evolution(at)
        except StrataError as error:
            st.error(escape(str(error)), icon=":material/error:")
            continue
        made.append(Shown(model, one))
    return made


def same_token(paths: Paths, token: int, other: Paths) -> int | None:
    """Where another model has the same token, word-start marks and case aside; None where it has not."""

    def names(one: Paths) -> list[str]:
        written = one.tokens.written(slice(0, len(one.tokens)))
        bare = [text.strip(_MARKS).lower() or text for text in written]
        return selection.token_names(bare)

    wanted, offered = names(paths)[token], names(other)
    return offered.index(wanted) if wanted in offered else None


def maps(shown: Sequence[Shown], of: str, caption: tuple[str, ...]) -> None:
    """Layer against layer, all models on one colour scale."""
    panels = [
        Matrix(
            one.evolution.cosines,
            one.model.name,
            names := [layer_name(i) for i in one.evolution.layers],
            names,
            "layers %{customdata[0]} and %{customdata[1]}: cosine %{z:.3f}",
        )
        for one in shown
    ]
    low = min(0.0, *(float(one.evolution.cosines.min()) for one in shown))
    title = _of_first(shown) + map_finding(shown[0].evolution, of)
    figure_frame.show(
        Framed(
            key="evolution",
            title=title,
            figure=side_by_side(
                panels, theme.of(state.theme_name()), bar="cosine", bounds=(low, 1.0), height=HEIGHT
            ),
            caption=caption,
            alt=f"Layer against layer, {' and '.join(one.model.name for one in shown)}. {title}",
            numbers=pd.concat([map_numbers(one) for one in shown]),
        )
    )


def hop_curves(shown: Sequence[Shown], caption: tuple[str, ...]) -> None:
    """The mean cosine so many layers apart, or of adjacent layers one after another."""
    place = st.container()
    which = st.segmented_control(
        "Hop curves",
        (_APART, _ALONG),
        default=_APART,
        required=True,
        key="hops.view",
        label_visibility="collapsed",
        help=f"{_APART}: averaged over layers. {_ALONG}: adjacent layers alone, from first to last.",
    )
    along = which == _ALONG
    depth = max(one.evolution.layers[-1] for one in shown)
    lines = [_curve(one, along, alone=len(shown) == 1) for one in shown]
    low = min(0.0, *(float((line.values - _or_zero(line.spread)).min()) for line in lines))
    title = _of_first(shown) + hop_finding(shown[0].evolution, along=along)
    with place:
        figure_frame.show(
            Framed(
                key="hops",
                title=title,
                figure=curves(
                    lines,
                    [f"{i}–{i + 1}" if along else str(i + 1) for i in range(depth)],
                    theme.of(state.theme_name()),
                    x_title="adjacent layers" if along else "layers apart",
                    y_title="cosine",
                    bounds=(low, 1.0),
                    height=HEIGHT,
                ),
                caption=(*caption, *_BAND * any(line.spread is not None for line in lines)),
                alt=title,
                numbers=pd.concat([hop_numbers(one) for one in shown]),
            )
        )


def _curve(one: Shown, along: bool, *, alone: bool) -> Curve:
    evolution, values, spread = one.evolution, one.evolution.hops, one.evolution.hop_spread
    if along:
        values, spread = adjacent(evolution)
    label = "" if alone else one.model.name
    return Curve(label, one.model.color, values, spread if evolution.tokens > 1 else None)


def adjacent(evolution: Evolution) -> tuple[np.ndarray, np.ndarray]:
    """Cosines of adjacent layers from 0 on, mean and spread over tokens."""
    first = evolution.layers.index(0)
    return np.diagonal(evolution.cosines, 1)[first:], np.diagonal(evolution.spread, 1)[first:]


def map_finding(evolution: Evolution, of: str) -> str:
    """Where states change most, in one short sentence."""
    values, _ = adjacent(evolution)
    layer = int(values.argmin())
    return f"{of} most from layer {layer} to {layer + 1}: {values[layer]:.2f}"


def hop_finding(evolution: Evolution, *, along: bool) -> str:
    """What the curve says, in one short sentence."""
    values, _ = adjacent(evolution)
    if along:
        return f"Adjacent layers: cosine {values.min():.2f} to {values.max():.2f}"
    far = len(evolution.hops)
    rest = f", {evolution.hops[-1]:.2f} at {far}" if far > 1 else ""
    return f"Cosine {evolution.hops[0]:.2f} one layer apart{rest}"


def _of_first(shown: Sequence[Shown]) -> str:
    """Whose finding it is, where there are several models."""
    return f"{shown[0].model.name}: " if len(shown) > 1 else ""


def map_numbers(one: Shown) -> pd.DataFrame:
    """One row for each pair of layers."""
    evolution = one.evolution
    i, j = np.triu_indices(len(evolution.layers))
    names = [layer_name(layer) for layer in evolution.layers]
    return pd.DataFrame(
        {
            "model": one.model.name,
            "layer": [names[k] for k in i],
            "other layer": [names[k] for k in j],
            "cosine": evolution.cosines[i, j],
            "deviation": evolution.spread[i, j],
            "tokens": evolution.tokens,
        }
    )


def hop_numbers(one: Shown) -> pd.DataFrame:
    """One row for each number of layers apart."""
    evolution = one.evolution
    apart = range(1, len(evolution.hops) + 1)
    columns = {"cosine": evolution.hops, "deviation": evolution.hop_spread, "tokens": evolution.tokens}
    return pd.DataFrame({"model": one.model.name, "layers apart": apart} | columns)


def subject(chosen: str, written: str) -> str:
    """What changes, as the first words of a finding."""
    if chosen == "token":
        return f"“{written}” changes"
    return "Words change" if chosen == "corpus" else "The sentence changes"


def caption(
    road: Road, shown: Sequence[Shown], chosen: str, corpus: Corpus, sentence: str
) -> tuple[str, ...]:
    """Models, template, what is averaged over, and what was left out."""
    recipe = shown[0].model.recipe
    read = [(one.model, one.evolution.tokens) for one in shown]
    source_names = [
        f"{model.name} ({road.source(model.recipe).revision}): {tokens:,} token{'' if tokens == 1 else 's'}"
        for model, tokens in read
    ]
    what = f"{corpus.name} {corpus.taken} · {len(corpus.sentences):,} sentences · {corpus.origin}"
    if chosen != "corpus":
        what = f"“{sentence if len(sentence) <= 90 else sentence[:89] + '…'}”"
    else:
        what += f" · fingerprint {corpus.fingerprint}"
    template = recipe.spelled()["template"]
    lines = [
        " · ".join(source_names),
        f"{what} · template {template}" + ("" if chosen == "token" else " · without special tokens"),
    ]
    narrow = [one.model.name for one in shown if STATIC not in one.evolution.layers]
    if narrow:
        lines.append(f"Static rows of {' and '.join(narrow)} left out: their width is not the layers'.")
    return tuple(lines)


def _or_zero(values: np.ndarray | None) -> np.ndarray | float:
    return 0.0 if values is None else values
