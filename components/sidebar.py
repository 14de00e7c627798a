"""The sidebar, the same on every page: recipes A and B; the corpus where a page uses one."""

from __future__ import annotations

import streamlit as st

from components import recipe_form
from components.text import escape
from core.corpus import Corpus
from core.embed import Road
from core.errors import StrataError
from core.recipe import Recipe


def recipes(road: Road) -> tuple[Recipe | None, Recipe | None]:
    """The controls of both recipes, and what they say."""
    with st.sidebar:
        a = recipe_form.show("a", road)
        b = recipe_form.show("b", road)
        _about_models(road, [r for r in (a, b) if r])
    return a, b


def corpus(road: Road, *, used: bool) -> Corpus | None:
    """The choice of corpus and split; None when it cannot be read (the error is shown) or not used."""
    names = [entry.name for entry in road.catalogue.listed() if entry.kind == "pairs"]
    with st.sidebar:
        reason = None if used else "This page compares the sentences you write."
        name = st.selectbox(
            "Corpus",
            names,
            key="corpus",
            bind="query-params",
            disabled=not used,
            help=reason or "Built in, from the data folder, or from the hub.",
        )
        if not used or name is None:
            return None
        try:
            whole = road.corpus(name, "all")
            splits = [*whole.splits, "all"] if whole.splits else ["all"]
            start = splits.index("test") if "test" in splits else 0
            split = st.selectbox("Split", splits, index=start, key="split", bind="query-params")
            return road.corpus(name, split)
        except StrataError as error:
            st.error(escape(str(error)), icon=":material/error:")
            return None


def _about_models(road: Road, chosen: list[Recipe]) -> None:
    """Which models stand behind the recipes, by name and revision."""
    for source in dict.fromkeys(r.source for r in chosen):
        try:
            found = road.passes.source(source)
        except StrataError as error:
            st.error(escape(str(error)), icon=":material/error:")
            continue
        if found.table is None:
            place = found.location
            size = f"{place.depth} layers × {place.heads} heads × {place.dim}"
            st.caption(f"**{escape(found.name)}** · {size}  \n{escape(found.revision)}")
