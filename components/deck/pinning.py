"""From a figure on a page to a slide: what the run has drawn, with the link that draws it again."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

import core
from components import state
from components.deck import changes, opened, steps
from components.deck.document import HIGHEST, LARGEST_TABLE, Cell, DeckError, PinnedFigure, Table
from components.exports import pictures
from components.figure_frame import PIN_ASKED, Framed, Frames
from components.figures.animation import Animation, moving
from components.link import controls, run
from components.link.arriving import FIRST
from components.link.copying import address
from components.text import escape
from core.versions import NONE, library_version

NOT_OF_A_FIGURE = ("deck", "slide", "present", "figure", "edit")
"""Parameters that say nothing of what is drawn."""

_ASKED_ON = "pin.page"
"""Key of the page on which a figure is asked for."""

_PACKAGES = ("numpy", "plotly", "scikit-learn", "scipy", "torch", "transformers")


def finish(page: str, frames: Frames) -> None:
    """Pin the figure that the visitor has asked for; the run is done, and knows all its controls.

    A figure that waits for work, or whose steps do, is pinned by the run that has them, unless the visitor
    has left the page.
    """
    wanted, place = st.session_state.get(PIN_ASKED), page or FIRST
    if wanted is not None:
        if st.session_state.setdefault(_ASKED_ON, place) != place:
            _forget()
        elif (framed := next((one for one in frames.drawn if one.key == wanted), None)) is not None:
            found = steps.of(framed, frames.below)
            if found is not None:
                _forget()
                with frames.below:
                    _pin(framed, place, found)
    opened.let_go()


def _forget() -> None:
    steps.forget()
    for key in (PIN_ASKED, _ASKED_ON):
        st.session_state.pop(key, None)


def _pin(framed: Framed, page: str, found: steps.Found) -> None:
    """Pin a figure, and say so under it, and by a mark at the counter in the bar.

    A message over the page would cover the scores.
    """
    made = of(framed, page, found.animation)
    try:
        deck = opened.store().change(opened.address(), partial(changes.pin, figure=made))
    except DeckError as error:
        st.error(escape(str(error)), icon=":material/error:")
        return
    opened.count_again()
    how = ""
    if framed.animation is not None and not made.plotly.get("frames"):
        how = f" without its animation ({found.why or 'it is too large, or changes its parts'})"
    if framed.on_slide:
        whole, kept = (line.split(" · ") for line in (framed.line, made.line))
        rows = ", ".join(part for part in kept if part not in whole)
        how += f" with the rows that a slide can show ({rows})"
    st.caption(f":material/keep: Pinned as slide {len(deck.slides)}{escape(how)}.", text_alignment="right")


def of(framed: Framed, page: str, animation: Animation | None = None) -> PinnedFigure:
    """A figure of this run as a deck keeps it."""
    return pinned(framed, page, *_link_and_recipes(page), animation)


def pinned(
    framed: Framed,
    page: str,
    link: str,
    recipes: Mapping[str, str],
    animation: Animation | None = None,
) -> PinnedFigure:
    """A figure as a deck keeps it: in light colours, with its numbers unless they are too many.

    Of more rows than a slide can show it keeps some, as the frame itself says which.
    """
    framed = framed.on_slide() if framed.on_slide else framed
    drawn = moving(framed.figure, animation)
    return PinnedFigure(
        page=page,
        key=framed.key,
        title=framed.title,
        line=framed.line,
        caption=framed.caption,
        alt=framed.alt,
        link=link,
        recipes=recipes,
        made=made_with(),
        height=min(int(drawn.layout.height or pictures.NATURAL), HIGHEST),
        plotly=json.loads(pictures.on_white(drawn).to_json()),
        numbers=_numbers(framed),
    )


def _numbers(framed: Framed) -> Table | None:
    """The numbers of a figure, or fewer in their place where they are too many to keep."""
    table = table_of(framed.numbers())
    return table_of(framed.fewer()) if table is None and framed.fewer else table


def _link_and_recipes(page: str) -> tuple[str, dict[str, str]]:
    """The page with every control, defaults included, and recipes A and B by side."""
    said = {name: one for name, one in controls.of_this_run().items() if name not in NOT_OF_A_FIGURE}
    origins = this.origins if (this := run.current()) else None
    fingerprints = origins.fingerprints() if origins else {}
    recipes = {"A": origins.a, "B": origins.b} if origins else {}
    texts = {side: state.text_of(recipe) for side, recipe in recipes.items() if recipe is not None}
    return address(page, said, fingerprints), texts


def made_with() -> dict[str, str]:
    """When, and with which versions."""
    return {"time": datetime.now(UTC).isoformat(timespec="seconds"), **_versions()}


def _versions() -> dict[str, str]:
    installed = {package: library_version(package) for package in _PACKAGES}
    known = {package: version for package, version in installed.items() if version != NONE}
    return {"sentence-strata": core.__version__} | known


def table_of(numbers: pd.DataFrame) -> Table | None:
    """The numbers of a figure; None where they are none, or too many to keep."""
    if not numbers.size or numbers.size > LARGEST_TABLE:
        return None
    rows = tuple(tuple(map(_cell, row)) for row in numbers.itertuples(index=False, name=None))
    return Table(tuple(map(str, numbers.columns)), rows)


def _cell(value: object) -> Cell:
    """A cell as JSON writes it, whole floats included; None where there is no number."""
    if isinstance(value, bool | np.bool_):
        return bool(value)
    if isinstance(value, int | np.integer):
        return int(value)
    if isinstance(value, float | np.floating):
        return float(value) if math.isfinite(value) else None
    return None if value is None else str(value)
