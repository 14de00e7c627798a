"""The sidebar, the same on every page: corpus, model, recipe A and recipe B."""

from __future__ import annotations

import streamlit as st

from components import recipe_form, state, upload
from components.text import escape
from core.corpus import Corpus
from core.embed import Road
from core.errors import StrataError, shorten
from core.models import available
from core.recipe import SOURCE, Recipe


def show(road: Road, *, corpus: bool) -> tuple[Corpus | None, Recipe | None, Recipe | None]:
    """The whole sidebar; what it says: the corpus, recipe A and recipe B.

    ``corpus`` says whether the page uses one. Each is None when it is not used, switched off or cannot
    be read; then the reason stands beside its control.
    """
    with st.sidebar:
        left, right = st.columns(2, gap="small")
        with left:
            name = _name(road, corpus)
        found = _corpus(road, name) if corpus and name else None
        a, b = (recipe_form.show(side, road) for side in state.SIDES)
        with right:
            _model({side: r for side, r in zip(state.SIDES, (a, b), strict=True) if r})
        _about_models(road, [recipe for recipe in (a, b) if recipe])
    return found, a, b


def unread(a: Recipe | None, corpus: Corpus | None) -> bool:
    """Whether recipe A or the corpus cannot be read; then the page says which one."""
    if a is not None and corpus is not None:
        return False
    what = "Recipe A" if a is None else "The corpus"
    st.info(f"{what} cannot be read: the sidebar says why.", icon=":material/arrow_back:")
    return True


def _corpus(road: Road, name: str) -> Corpus | None:
    """The split of a corpus, and a place to bring another."""
    try:
        left, right = st.columns(2, gap="small", vertical_alignment="bottom")
        whole = road.corpus(name, "all")
        splits = [*whole.splits, "all"] if whole.splits else ["all"]
        start = splits.index("test") if "test" in splits else 0
        split = left.selectbox("Split", splits, index=start, key="split", bind="query-params")
        return road.corpus(name, split)
    except StrataError as error:
        st.error(escape(str(error)), icon=":material/error:")
        return None
    finally:
        with right:
            upload.show(road)


def _model(recipes: dict[str, Recipe]) -> None:
    """One model for both recipes; a recipe's own ``source`` chip gives it another."""
    used = dict.fromkeys(recipe.spelled()["source"] for recipe in recipes.values())
    names = list(dict.fromkeys([*(name for name, _ in available()), *used]))
    key = f"model/{'/'.join(used)}"

    def apply() -> None:
        picked = st.session_state[key]
        for side, recipe in recipes.items():
            try:
                known = picked in used
                source = picked if known else SOURCE.text(recipe_form.choice(SOURCE, picked))
                state.put(side, recipe.replace(source=source))
            except StrataError as error:
                st.session_state[f"{side}.problem"] = str(error)

    st.selectbox(
        "Model",
        names,
        index=names.index(next(iter(used))) if len(used) == 1 else None,
        placeholder="A and B differ",
        key=key,
        on_change=apply,
        accept_new_options=True,
        disabled=not recipes,
        help="For A and B at once. Type a hub id or a folder.",
    )


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
    shown: set[str] = set()
    for recipe in chosen:
        try:
            found = road.source(recipe)
            place = found.location
            size = f"{place.depth} layers × {place.heads} heads × {place.dim}"
        except StrataError as error:
            st.error(escape(str(error)), icon=":material/error:")
            continue
        if found.is_model and found.name not in shown:
            shown.add(found.name)
            st.caption(f"**{escape(found.name)}** · {size}  \n{escape(found.revision)}")
