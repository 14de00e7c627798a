"""A recipe of the search, to take as A or B, on the page Find."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import suppress

import streamlit as st

from components import held, link, state, take
from components.cached import shared_engine
from components.controls import menu
from components.find.headline import CHOSEN, named, spelled
from components.find.page import SOURCES, AskedSearch
from components.scores import kept
from components.streamlit_inside import address
from components.text import escape
from core.errors import RecipeError
from core.evaluation.wording import fixed
from core.exports.kinds import exports
from core.literature.presets.naming import names
from core.recipe import SOURCE, Recipe
from core.search.found import Found

NAMES = 5
"""Recipes of the same score that are named; the others are counted."""

FOLDER = (
    "Taken as A or B, it is downloaded as a sentence-transformers folder at the end of the page Scores."
)

NO_FOLDER = (
    "No sentence-transformers folder can hold this recipe: under *What is tried*, *Only what exports* "
    "searches among those that one can."
)

SEEN = (
    "The corpus has no dev and test of its own: Scores counts all of its rows, those among them by which "
    "this recipe was chosen, and on which it looks better than it is."
)


def show(asked: AskedSearch, found: Found) -> None:
    """The recipe that a menu or a click chooses, the choice of the search to start with."""
    scored = [spelled(trial.recipe) for trial in found.scored]
    standing = {text: text for text in scored}
    standing |= {spelled(text): spelled(other) for text, other in found.alike.items()}
    trials = {
        spelled(trial.recipe): trial for trial in (*found.given_up, *found.scored, *found.scoring_alike)
    }
    offered = dict.fromkeys((spelled(found.recipe), *standing, *trials))
    _follow_link(asked, offered)
    text = menu(
        "Recipe",
        list(offered),
        CHOSEN,
        follows=True,
        help="The choice, then all others that were scored, the best on dev first, then those that score "
        "the same as one of these, then those given up on a part of dev; a click on a point of the figures "
        "chooses too",
    )
    held.tell_behind(CHOSEN)
    recipe, trial = Recipe.parse(text), trials[text]
    if text in standing:
        place = scored.index(standing[text]) + 1
        said = f"{fixed(trial.dev)} on dev, place {place:,} of {len(scored):,}"
    else:
        rows = f"{trial.given_up:,} of {found.rows[0]:,} {found.unit} of dev"
        said = f"given up after {rows}, {fixed(trial.rungs[-1])} there"
    st.markdown(f"**{escape(named(recipe, asked))}**: {said}, {trial.dimensions:,} dimensions")
    if text in standing:
        same = [other for other in standing if other != text and standing[other] == standing[text]]
        _tell_alike([Recipe.parse(other) for other in same], asked)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        take.buttons(recipe, "This recipe", "find.take", _take)
        kept.offer(shared_engine(), recipe, "find.keep")
    st.caption(FOLDER if exports(recipe) else NO_FOLDER)
    if any(part.by_hash for part in asked.question.parts):
        st.caption(SEEN)


def _follow_link(asked: AskedSearch, offered: Collection[str]) -> None:
    """Have a link that says a recipe with what changes nothing in it choose the one that is offered."""
    said = (address.written([CHOSEN])[CHOSEN] or [""])[-1]
    if not said or said in offered or CHOSEN in st.session_state:
        return
    with suppress(RecipeError):
        plain = state.text_of(asked.question.space.plainest(Recipe.parse(said)))
        if plain in offered:
            address.start_with(CHOSEN, [plain])
            link.explain(CHOSEN)


def _tell_alike(same: Sequence[Recipe], asked: AskedSearch) -> None:
    """Which recipes score the same as the one that is looked at, up to :data:`NAMES` of them by name."""
    if not same:
        return
    told = "; ".join(names([*same], tell_sources=asked.searches_models)[:NAMES])
    more = f"; {len(same) - NAMES:,} more" if len(same) > NAMES else ""
    st.caption(escape(f"The same score on every resample of dev: {told}{more}."))


def _take(side: str, recipe: Recipe) -> None:
    """Make a recipe A or B; the models of the search stay the same (a callback)."""
    if side == "a" and (before := state.now("a")) is not None:
        models = [before.spelled()[SOURCE.name], *(st.session_state.get(SOURCES) or [])]
        st.session_state[SOURCES] = [name for name in models if name != recipe.spelled()[SOURCE.name]]
    state.put(side, recipe)
