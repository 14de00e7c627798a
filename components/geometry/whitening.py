"""The part of the page Geometry about whitening: score by dimensions kept, with β and γ as sliders."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from components import figure_frame, job, provenance, state, theme, works
from components.figure_frame import Framed
from components.figures.ratings import DEPTH, whitening_curve
from components.figures.whitening_walk import walk
from components.text import escape
from components.wording import UNIT, with_interval
from core.analysis.geometry.whitening_curve import (
    Curve,
    Rotated,
    cosines,
    is_kept,
    rotate,
    steps,
    stored_curve,
)
from core.corpora.corpus import Corpus
from core.errors import StrataError
from core.evaluation.scoring import kept_under
from core.evaluation.wording import fixed
from core.pipeline.engine import Engine
from core.progress import Progress
from core.recipe import Recipe
from core.storage.memo import Memo
from core.work import Work

ROTATION_BYTES = 256_000_000
"""Bytes of rotated vectors that are kept for all visitors: another γ needs no other rotation."""


@st.fragment
def show(engine: Engine, corpus: Corpus, a: Recipe) -> None:
    """The curve for recipe A, and a button that takes its best as recipe B.

    A fragment: the sliders draw nothing else anew.
    """
    job.renew()
    controls, place = st.columns([1, 3], gap="medium")
    with controls:
        st.markdown("## What whitening does with k")
        beta = _slider("β: share of the mean taken away", "beta", "1 centres, 0 leaves the mean.")
        gamma = _slider("γ: how far columns are scaled", "gamma", "1 gives unit variance, 0 a rotation.")
    with place:
        try:
            found = job.show(_curve_work(engine, a, corpus, beta, gamma))
        except StrataError as error:
            st.info(escape(str(error)), icon=":material/info:")
            return
        if found is None:
            return
        if not np.isfinite(found.spearman).any():
            st.info("All similarities are equal under recipe A, whitened or not.", icon=":material/info:")
            return
        figure_frame.show(_framed(engine, corpus, a, found, beta, gamma))
    if found.best_k is not None and controls.button(
        f"Take k = {found.best_k} as recipe B",
        key="whitening.take",
        on_click=state.put,
        args=("b", found.whitened(found.best_k)),
        help=escape(f"B becomes {found.whitened(found.best_k)}"),
    ):
        st.rerun()


def _curve_work(engine: Engine, a: Recipe, corpus: Corpus, beta: float, gamma: float) -> Work[Curve]:
    """The score at every k."""
    rotations = _rotations()

    def compute(progress: Progress) -> Curve:
        rotated = partial(_rotated, rotations, engine, corpus, a, beta, progress)
        return stored_curve(engine, a, corpus, beta, gamma, rotated, progress)

    kept = works.if_kept(partial(is_kept, engine, a, corpus, beta, gamma))
    return works.recipe_work("whitening", "Whitening", engine, a, corpus, compute, beta, gamma, kept=kept)


def _cosines_work(
    engine: Engine, a: Recipe, corpus: Corpus, beta: float, gamma: float, at: tuple[int, ...]
) -> Work[np.ndarray]:
    """The cosines of all pairs at some k."""
    rotations = _rotations()

    def compute(progress: Progress) -> np.ndarray:
        return cosines(_rotated(rotations, engine, corpus, a, beta, progress), corpus, at, gamma)

    return works.recipe_work(
        "whitening steps", "Cosines at each k", engine, a, corpus, compute, beta, gamma, at
    )


def _framed(engine: Engine, corpus: Corpus, a: Recipe, found: Curve, beta: float, gamma: float) -> Framed:
    """The curve, and the walk of its cosines over k."""
    look, title, looked_at = theme.of(state.theme_name()), finding(found), steps(found)
    return Framed(
        key="whitening",
        title=title,
        figure=whitening_curve(found, look),
        caption=_caption(engine, corpus, found),
        summary=provenance.summary(
            "geometry",
            {"A": found.recipe},
            {"A": engine.source(found.recipe, corpus)},
            provenance.split(corpus),
            provenance.pairs(corpus),
        ),
        hint="A double click shows every score." if _cut(found) else "",
        alt=title,
        numbers=lambda: numbers(found),
        steps=_cosines_work(engine, a, corpus, beta, gamma, looked_at),
        animation=lambda at_each: walk(found, looked_at, at_each, corpus.gold, look),
    )


def finding(found: Curve) -> str:
    """Where the curve is highest, beside no whitening, in one sentence."""
    if found.best is None:
        return "Whitening leaves no score"
    at = f"the best k = {found.best_k} of {found.k[-1]}, chosen on these pairs"
    highest = f"{fixed(found.best.spearman)} at {at}"
    at_best = f"{UNIT} = {highest}"
    if not found.gain.known:
        plain = found.plain.spearman
        without = f"without it {fixed(plain)}" if np.isfinite(plain) else "without it there is no score"
        return f"Whitening reaches {at_best}; {without}"
    gain, without = found.gain, f"{fixed(found.plain.spearman)} without"
    if not gain.shown:
        return f"No difference shown: whitening reaches {at_best}, {without} ({with_interval(gain)})"
    bounds = f"({with_interval(gain)})"
    if gain.value > 0:
        return f"Whitening gains at most {gain.amount} {UNIT}: {highest}, {without} {bounds}"
    return f"Whitening loses at least {gain.amount} {UNIT}: {highest}, {without} {bounds}"


def numbers(found: Curve) -> pd.DataFrame:
    """One row for each number of dimensions."""
    columns = {"dimensions": found.k, "spearman": found.spearman}
    return pd.DataFrame(columns | {"beta": found.beta, "gamma": found.gamma})


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


def _rotated(
    rotations: Memo[Rotated], engine: Engine, corpus: Corpus, a: Recipe, beta: float, progress: Progress
) -> Rotated:
    key = (tuple(kept_under(engine, a).items()), corpus.fingerprint, beta)
    return rotations.get(key, lambda: rotate(engine, a, corpus, beta, progress))


@st.cache_resource
def _rotations() -> Memo[Rotated]:
    """The rotations of all visitors."""
    return Memo(ROTATION_BYTES)


def _cut(found: Curve) -> bool:
    """Whether scores lie under the figure."""
    return bool(np.nanmin(found.spearman) < np.nanmax(found.spearman) - DEPTH)


def _caption(engine: Engine, corpus: Corpus, found: Curve) -> tuple[str, ...]:
    shown = found.whitened(found.k[-1])
    source = engine.source(found.recipe, corpus)
    lines = [f"A, whitened last: {shown.label()} at the right end; dotted: 128, and 256 as published"]
    if found.k[-1] >= len(corpus.sentences) - 1:
        lines.append(
            f"{len(corpus.sentences):,} sentences span no more dimensions; with nearly as many columns as "
            "sentences all cosines become alike, and the curve breaks down."
        )
    if _cut(found):
        lines.append(f"Scores more than {DEPTH:g} below the best lie under the figure")
    return (
        *lines,
        f"Learnt from the {corpus.repeats.sum():,} sentences themselves. The best k is chosen on the "
        "pairs it is scored on, which flatters it: the interval knows nothing of the choice.",
        provenance.line([provenance.model(source)], corpus, provenance.pairs(corpus)),
    )
