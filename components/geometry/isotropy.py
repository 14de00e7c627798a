"""The part of the page Geometry about isotropy: by layer, by sample size, components, dimensions."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from components import figure_frame, state, theme
from components.errors import notes
from components.figure_frame import Framed
from components.figures import isotropy as figures
from components.figures.layers import layer_name
from core.analysis import space
from core.analysis.geometry import LARGE, OUTLIER, Isotropy
from core.corpus import Corpus
from core.embed import Road
from core.progress import Progress
from core.recipe import Recipe

Sides = Mapping[str, Recipe]

HIGH = 0.1
"""Average cosine from which on vectors are said to share a direction."""


def show(road: Road, corpus: Corpus, sides: Sides, progress: Progress) -> None:
    """Four views behind tabs; only the one that is open is computed."""
    views: dict[str, Callable[[Road, Corpus, Sides, Progress], None]] = {
        "By layer": _layers,
        "By sample size": _sizes,
        "Components": _components,
        "Dimensions": _dimensions,
    }
    tabs = st.tabs(list(views), key="isotropy", on_change="rerun")
    for tab, view in zip(tabs, views.values(), strict=True):
        if tab.open:
            with tab:
                view(road, corpus, sides, progress)


def _layers(road: Road, corpus: Corpus, sides: Sides, progress: Progress) -> None:
    found: dict[str, dict[int, Isotropy]] = {}
    reasons: list[str] = []
    for side, recipe in sides.items():
        layers, failed = space.by_layer(road, recipe, corpus, progress)
        reasons += [f"{side}, layer {layer_name(i)}: {why}" for i, why in failed.items()]
        if layers:
            found[side] = layers
    if not any(np.isfinite(one.average_cosine) for layers in found.values() for one in layers.values()):
        st.info("No layer has an isotropy to show here.", icon=":material/info:")
        notes([*_problems(found), *reasons])
        return
    title = layers_finding(found)
    rows = [
        {"recipe": side, "layer": layer_name(i), "average cosine": one.average_cosine}
        | {"IsoScore": one.iso_score, "isotropic cloud": one.isotropic, "share of the mean": one.common}
        | {"first component": one.explained[0] if len(one.explained) else None, "dimensions": one.dim}
        | {"outlier dimensions": one.outliers, "largest dimension": int(one.top[0])}
        for side, layers in found.items()
        for i, one in layers.items()
    ]
    figure = figures.by_layer(found, theme.of(state.theme_name()))
    what = (
        "Each layer alone, the rest of the recipe as it is. Dashed: the IsoScore of an isotropic "
        "cloud of as many points."
    )
    _frame("layers", title, figure, (what, *_caption(road, corpus, sides, found)), rows)
    notes([*_problems(found), *reasons])


def _sizes(road: Road, corpus: Corpus, sides: Sides, progress: Progress) -> None:
    found = {}
    for side, recipe in sides.items():
        made = space.by_sample_size(road, recipe, corpus, progress)
        if np.isfinite(made.iso_score).any():
            found[side] = made
    if not found:
        st.info("Too few sentences, or all alike: there is no IsoScore here.", icon=":material/info:")
        return
    first = next(iter(found.values()))
    title = (
        f"Even an isotropic cloud of {first.sizes[-1]:,} points scores {first.isotropic[-1]:.2f}, not 1: "
        "compare at equal N"
    )
    rows = [
        {"recipe": side, "sentences": n, "IsoScore": score, "isotropic cloud": expected}
        for side, one in found.items()
        for n, score, expected in zip(one.sizes, one.iso_score, one.isotropic, strict=True)
    ]
    figure = figures.by_sample_size(found, theme.of(state.theme_name()))
    what = "Samples of the different sentences (seed 0). Dashed: isotropic clouds of as many points."
    _frame("sizes", title, figure, (what, *_caption(road, corpus, sides, found)), rows)


def _components(road: Road, corpus: Corpus, sides: Sides, progress: Progress) -> None:
    found = {s: o for s, o in measured(road, corpus, sides, progress).items() if len(o.explained)}
    if not found:
        st.info("Vectors without variance have no principal components.", icon=":material/info:")
        return
    title = "; ".join(
        f"{side}: the first component holds {100 * one.explained[0]:.0f} % of the variance"
        for side, one in found.items()
    )
    rows = [
        {"recipe": side, "component": i, "share of variance": share}
        for side, one in found.items()
        for i, share in enumerate(one.explained, 1)
    ]
    figure = figures.components(found, theme.of(state.theme_name()))
    what = "The mean is taken away first. " + "; ".join(
        f"{s}: the first ten hold {100 * o.explained.sum():.0f} %" for s, o in found.items()
    )
    _frame("components", title, figure, (what, *_caption(road, corpus, sides, found)), rows)


def _dimensions(road: Road, corpus: Corpus, sides: Sides, progress: Progress) -> None:
    found = {s: o for s, o in measured(road, corpus, sides, progress).items() if o.size.any()}
    if not found:
        st.info("Every vector is 0: no dimension is larger than another.", icon=":material/info:")
        return
    title = "; ".join(dimensions_finding(side, one) for side, one in found.items())
    rows = [
        {"recipe": side, "dimension": int(one.top[i]), "mean absolute value": one.size[i], "z": one.z[i]}
        | {"part of the average cosine": one.part[i], "outlier": i < one.outliers}
        for side, one in found.items()
        for i in range(len(one.top))
    ]
    figure = figures.large_dimensions(found, theme.of(state.theme_name()))
    what = (
        "Mean absolute value over sentences; dashed: the average dimension. * outlier: more than "
        f"{OUTLIER:g} standard deviations (over dimensions) above it, {LARGE:g} times as large."
    )
    _frame("dimensions", title, figure, (what, *_caption(road, corpus, sides, found)), rows)


def measured(road: Road, corpus: Corpus, sides: Sides, progress: Progress) -> dict[str, Isotropy]:
    """Isotropy of each recipe with its own layers."""
    return {side: space.isotropy(road, recipe, corpus, progress) for side, recipe in sides.items()}


def layers_finding(found: Mapping[str, Mapping[int, Isotropy]]) -> str:
    """Where random sentences are closest, in one sentence."""
    side, layers = next(iter(found.items()))
    known = {i: one for i, one in layers.items() if np.isfinite(one.average_cosine)}
    if not known:
        return "Isotropy by layer"
    most = max(known, key=lambda i: known[i].average_cosine)
    value = known[most].average_cosine
    if len(known) == 1:
        return f"Two random sentences under {side} have a cosine of {value:.2f} on average"
    name = layer_name(most)
    return f"Random sentences are closest in layer {name} under {side}: average cosine {value:.2f}"


def dimensions_finding(side: str, one: Isotropy) -> str:
    """The outlier dimensions of one recipe, in words."""
    if not one.outliers:
        return f"{side}: no outlier dimension"
    number = "1 outlier dimension" if one.outliers == 1 else f"{one.outliers} outlier dimensions"
    much = ""
    if one.average_cosine >= HIGH:
        much = f", {100 * one.outlying / one.average_cosine:.0f} % of the average cosine"
    return f"{side}: {number}{much}"


def why_high(found: Mapping[str, Isotropy]) -> str:
    """Why cosines are as high as they are: a sentence for each recipe, and one on how to read them."""
    known = {side: one for side, one in found.items() if np.isfinite(one.average_cosine)}
    if not known:
        return ""
    high = [side for side, one in known.items() if one.average_cosine >= HIGH]
    reading = (
        f"Under {' and '.join(high)} a high cosine is therefore no sign of likeness by itself: read the "
        "order of pairs, or take the mean away (post=centre)."
        if high
        else "So cosines are low unless sentences are alike; but how well ratings are told apart makes the "
        "score, not where 0 lies."
    )
    return " ".join([*(_why(side, one) for side, one in known.items()), reading])


def _why(side: str, one: Isotropy) -> str:
    cosine = round(one.average_cosine, 2) + 0.0  # -0.00 is 0
    if one.average_cosine < HIGH:
        return (
            f"Under {side} two random sentences have a cosine of {cosine:.2f} on average: vectors point in "
            "all directions."
        )
    return (
        f"Under {side} two random sentences have a cosine of {cosine:.2f} already, because all vectors "
        f"share one direction: their mean holds {100 * one.common:.0f} % of the squared length"
        f"{_by_dimensions(one)}."
    )


def _by_dimensions(one: Isotropy) -> str:
    if not one.outliers:
        return ""
    share = 100 * one.outlying / one.average_cosine
    return f", and {one.outliers} of {one.dim:,} dimensions alone {share:.0f} % of the cosine"


def _problems(found: Mapping[str, Mapping[int, Isotropy]]) -> list[str]:
    """What is missing, once for all layers that miss it."""
    said: dict[str, dict[str, list[str]]] = {}
    for side, layers in found.items():
        for i, one in layers.items():
            for problem in one.problems():
                said.setdefault(problem, {}).setdefault(side, []).append(layer_name(i))
    lines = []
    for problem, sides in said.items():
        if all(len(sides.get(side, [])) == len(layers) for side, layers in found.items()):
            lines.append(problem)
            continue
        where = "; ".join(f"{side}, layer {', '.join(names)}" for side, names in sides.items())
        lines.append(f"{where}: {problem}")
    return lines


def _frame(
    key: str, title: str, figure: go.Figure, caption: tuple[str, ...], rows: Sequence[dict[str, object]]
) -> None:
    """One view in its frame."""
    figure_frame.show(Framed(key, title, figure, caption, alt=title, numbers=pd.DataFrame(rows)))


def _caption(road: Road, corpus: Corpus, sides: Sides, drawn: Collection[str]) -> tuple[str, ...]:
    sides = {side: recipe for side, recipe in sides.items() if side in drawn}
    models = dict.fromkeys(
        f"{source.name} ({source.revision})"
        for source in (road.source(recipe, corpus) for recipe in sides.values())
    )
    return (
        *(f"{side}: {recipe.label()}" for side, recipe in sides.items()),
        f"{' and '.join(models)} · {corpus.name} {corpus.taken} · {len(corpus.sentences):,} different "
        f"sentences · fingerprint {corpus.fingerprint}",
    )
