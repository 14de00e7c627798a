"""The sidebar, the same on every page: recipes A and B; the corpus where a page uses one."""

from __future__ import annotations

import streamlit as st

from components import recipe_form, upload
from components.text import escape
from core.corpus import Corpus
from core.embed import Road
from core.errors import StrataError, shorten
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
    with st.sidebar:
        name = _name(road, used)
        if not used or name is None:
            return None
        upload.show(road)
        try:
            whole = road.corpus(name, "all")
            splits = [*whole.splits, "all"] if whole.splits else ["all"]
            start = splits.index("test") if "test" in splits else 0
            split = st.selectbox("Split", splits, index=start, key="split", bind="query-params")
            return road.corpus(name, split)
        except StrataError as error:
            st.error(escape(str(error)), icon=":material/error:")
            return None


def _name(road: Road, used: bool) -> str | None:
    """The corpus by name; one that a link or an upload names is offered though it is not listed."""
    names = [entry.name for entry in road.catalogue.listed() if entry.kind == "pairs"]
    wanted = [*st.session_state.get(upload.BROUGHT, []), st.query_params.get("corpus", "")]
    names += [name for name in dict.fromkeys(wanted) if name not in names and road.catalogue.holds(name)]
    lost = wanted[-1] and wanted[-1] not in names
    chosen = st.selectbox(
        "Corpus",
        names,
        key="corpus",
        bind="query-params",
        disabled=not used,
        help="Built in, from the data folder, from the hub, or a file of yours."
        if used
        else "Not used here: this page compares the sentences you write.",
    )
    if lost and used:
        st.warning(
            escape(f"The link names a corpus {shorten(wanted[-1])} that is not here; showing {chosen}."),
            icon=":material/link_off:",
        )
    return chosen


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
