"""A recipe of the search, to take as A or B, on the page Find."""

from __future__ import annotations

import streamlit as st

from components import held, state, take
from components.controls import menu
from components.find.headline import CHOSEN, named, spelled
from components.find.page import SOURCES, AskedSearch
from components.text import escape
from core.evaluation.wording import fixed
from core.exports.kinds import exports
from core.recipe import SOURCE, Recipe
from core.search.found import Found

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
    scored = found.scored
    places: dict[str, int] = {}
    for place, trial in enumerate(scored):
        places.setdefault(spelled(trial.recipe), place)
    best = sorted(places, key=lambda text: text != spelled(found.recipe))  # the choice first
    given_up = {spelled(trial.recipe): trial for trial in found.given_up}
    text = menu(
        "Recipe",
        [*best, *(other for other in given_up if other not in places)],
        CHOSEN,
        follows=True,
        help="The choice, then all others that were scored, the best on dev first, then those given up on "
        "a part of dev; a click on a point of the figures chooses too",
    )
    held.tell_behind(CHOSEN)
    recipe = Recipe.parse(text)
    trial = scored[places[text]] if text in places else given_up[text]
    said = f"{fixed(trial.dev)} on dev, place {places.get(text, 0) + 1:,} of {len(scored):,}"
    if text not in places:
        rows = f"{trial.given_up:,} of {found.rows[0]:,} {found.unit} of dev"
        said = f"given up after {rows}, {fixed(trial.rungs[-1])} there"
    st.markdown(f"**{escape(named(recipe, asked))}**: {said}, {trial.dimensions:,} dimensions")
    take.buttons(recipe, "This recipe", "find.take", _take)
    st.caption(FOLDER if exports(recipe) else NO_FOLDER)
    if any(part.by_hash for part in asked.question.parts):
        st.caption(SEEN)


def _take(side: str, recipe: Recipe) -> None:
    """Make a recipe A or B; the models of the search stay the same (a callback)."""
    if side == "a" and (before := state.now("a")) is not None:
        models = [before.spelled()[SOURCE.name], *(st.session_state.get(SOURCES) or [])]
        st.session_state[SOURCES] = [name for name in models if name != recipe.spelled()[SOURCE.name]]
    state.put(side, recipe)
