"""The part of the page Geometry about whitening: score by dimensions kept, with β and γ as sliders."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from components import figure_frame, state, theme
from components.figure_frame import Framed
from components.figures.ratings import DEPTH, whitening_curve
from components.progress import working
from components.text import escape
from core.analysis.whitening_curve import Curve, Rotated, curve, rotate
from core.corpus import Corpus
from core.embed import Road
from core.errors import StrataError
from core.evaluation.scoring import about_recipe
from core.progress import Progress
from core.recipe import Recipe

_ROTATED = "whitening.rotated"
"""The last rotation of this visit: γ needs no other."""


@st.fragment
def show(road: Road, corpus: Corpus, a: Recipe) -> None:
    """The curve for recipe A, and a button that takes its best as recipe B.

    A fragment: the sliders draw nothing else anew.
    """
    controls, drawing = st.columns([1, 3], gap="medium")
    with controls:
        st.markdown("##### What whitening does with k")
        beta = _slider("β: share of the mean taken away", "beta", "1 centres, 0 leaves the mean.")
        gamma = _slider("γ: how far columns are scaled", "gamma", "1 gives unit variance, 0 a rotation.")
    with drawing, working("whitening") as progress:
        try:
            found = curve(_rotated(road, corpus, a, beta, progress), corpus, gamma)
        except StrataError as error:
            st.info(escape(str(error)), icon=":material/info:")
            return
        if not np.isfinite(found.spearman).any():
            st.info("All similarities are equal under recipe A, whitened or not.", icon=":material/info:")
            return
        title = finding(found)
        figure_frame.show(
            Framed(
                key="whitening",
                title=title,
                figure=whitening_curve(found, theme.of(state.theme_name())),
                caption=_caption(road, corpus, found),
                alt=title,
                numbers=pd.DataFrame(
                    {"dimensions": found.k, "spearman": found.spearman}
                    | {"beta": found.beta, "gamma": found.gamma}
                ),
            )
        )
    best = found.best_k
    if best is not None:
        taken = controls.button(
            f"Take k = {best} as recipe B",
            key="whitening.take",
            on_click=state.put,
            args=("b", found.whitened(best)),
            help=escape(f"B becomes {found.whitened(best)}"),
        )
        if taken:
            st.rerun()


def finding(found: Curve) -> str:
    """Where the curve is highest, beside no whitening, in one sentence."""
    if found.best is None:
        return "Whitening leaves no score"
    words = f"Whitening scores highest with {found.best_k} of {found.k[-1]} dimensions: "
    words += f"{found.best.spearman:.1f}"
    if np.isfinite(found.plain.spearman):
        words += f", against {found.plain.spearman:.1f} without"
    return words


def _slider(label: str, key: str, what: str) -> float:
    return st.slider(
        label,
        0.0,
        2.0,
        1.0,
        0.1,
        key=key,
        bind="query-params",
        persist_state="session",
        help=f"{what} (x − βμ) U Λ^(−γ/2), the first k columns",
    )


def _rotated(road: Road, corpus: Corpus, a: Recipe, beta: float, progress: Progress) -> Rotated:
    key = (tuple(about_recipe(road, a).items()), corpus.fingerprint, beta)
    kept = st.session_state.get(_ROTATED)
    if kept is None or kept[0] != key:
        kept = (key, rotate(road, a, corpus, beta, progress))
        st.session_state[_ROTATED] = kept
    return kept[1]


def _caption(road: Road, corpus: Corpus, found: Curve) -> tuple[str, ...]:
    shown = found.whitened(found.k[-1])
    source = road.source(found.recipe, corpus)
    lines = [f"A, whitened last: {shown.label()} at the right end; dotted: 128, and 256 as published"]
    if found.k[-1] >= len(corpus.sentences) - 1:
        lines.append(
            f"{len(corpus.sentences):,} sentences span no more dimensions; with nearly as many columns as "
            "sentences all cosines become alike, and the curve breaks down."
        )
    if np.nanmin(found.spearman) < np.nanmax(found.spearman) - DEPTH:
        lines.append(
            f"Scores more than {DEPTH:g} below the best lie under the figure; a double click shows all"
        )
    return (
        *lines,
        f"Learnt from the {corpus.repeats.sum():,} sentences themselves. The best k is chosen on the "
        "pairs it is scored on.",
        f"{source.name} ({source.revision}) · {corpus.name} {corpus.taken} · {len(corpus):,} pairs · "
        f"fingerprint {corpus.fingerprint}",
    )
