"""The page Geometry: its head, and the recipes that are measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from components.errors import attempt
from components.explain import heading
from components.text import escape
from core.analysis import space
from core.analysis.space import Place
from core.corpus import Corpus
from core.embed import Road
from core.errors import StrataError
from core.progress import Progress, Step
from core.recipe import Recipe

PLAIN = "plain"
"""The label of the recipe that suggestions start from."""


@dataclass(frozen=True, eq=False)
class Shown:
    """What is drawn: places with their labels, which of them arrows come from, and what failed.

    ``sides`` says which label is recipe A or B; ``suggested`` that nothing is pinned yet.
    """

    places: dict[str, Place]
    sides: dict[str, str]
    base: str | None
    failed: dict[str, str]
    suggested: bool


def head() -> None:
    """Title, and how to read the page."""
    heading(
        "Geometry",
        "How sentence vectors lie in their space, and whether that goes with better scores.",
        "**Alignment** is the mean squared distance of positive pairs, **uniformity** the logarithm of the "
        "mean of exp(−2 × squared distance) over all pairs of sentences (Wang & Isola 2020); lower is "
        "better for both. SimCSE and Ditto take unit vectors and pairs of gold > 4; Stankevičius & "
        "Lukoševičius 2025 take vectors as they are and pairs of gold 5. **As they are, both depend on the "
        "vectors' scale**: a recipe that shrinks all vectors is better aligned, less uniform, without any "
        "change of similarities, and far vectors leave uniformity to the few closest pairs. "
        "**IsoScore** (Rudman et al. 2022) is 1 when the variance is the same in every dimension. It grows "
        "with the number of sentences, so compare it at equal N; whitening makes it 1 by construction. "
        "**Average cosine** is that of two different sentences (Ethayarajh 2019). None of these measures "
        "quality: they describe the space, and the score says what it is good for. A correlation over a "
        "handful of recipes, chosen by hand, is no more than a hint.",
    )


def collect(
    road: Road,
    corpus: Corpus,
    pinned: Sequence[Recipe],
    a: Recipe,
    sides: Mapping[str, Recipe],
    progress: Progress,
) -> Shown:
    """Measure the pins, or suggestions on the model of ``a`` where there are none, and recipes A and B."""
    wanted: dict[str, Recipe] = {}
    if pinned:
        first = pinned[0]
        for recipe in pinned:
            name = recipe.label() if recipe == first else space.turnings(first, recipe)
            wanted[name] = recipe
        base = next(iter(wanted))
    else:
        plain, variants = space.suggested(a)
        wanted = {PLAIN: plain, **{space.turnings(plain, one): one for one in variants}}
        base = PLAIN
    labels: dict[str, str] = {}
    for side, recipe in sides.items():
        same = next((name for name, one in wanted.items() if one == recipe), None)
        name = same or side
        wanted[name] = recipe
        labels.setdefault(name, side)
    found, failed = {}, {}
    for done, (name, recipe) in enumerate(wanted.items()):
        progress(Step("Measuring recipes", done, len(wanted)))
        try:
            found[name] = space.place(road, recipe, corpus, progress)
        except StrataError as error:
            failed[name] = str(error)
    return Shown(found, labels, base if base in found else None, failed, not pinned)


def walked(
    road: Road, corpus: Corpus, a: Recipe, b: Recipe | None, progress: Progress
) -> dict[str, Recipe]:
    """Recipes A and B as far as they can be walked; the page says once what hinders the others."""
    found = {}
    for side, recipe in (("A", a), ("B", b)):
        if recipe and attempt(side.lower(), recipe, lambda r=recipe: road.embed(r, corpus, progress)):
            found[side] = recipe
    return found


def recipes(pinned: Sequence[Recipe], a: Recipe, b: Recipe | None) -> list[Recipe]:
    """Every recipe that the page will walk."""
    plain, variants = space.suggested(a)
    return [*(pinned or (plain, *variants)), a, *([b] if b else [])]


def failures(shown: Shown) -> None:
    """The recipes that could not be measured, and why."""
    if not shown.failed:
        return
    with st.expander(f"{len(shown.failed)} could not be measured here, and why"):
        rows = pd.DataFrame(shown.failed.items(), columns=["recipe", "why"])
        st.table(rows.map(escape), hide_index=True)
