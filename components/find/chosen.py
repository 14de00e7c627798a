"""A recipe of the search, to take as A or B, on the page Find."""

from __future__ import annotations

import streamlit as st

from components import take
from components.controls import menu
from components.find.headline import CHOSEN, spelled
from components.text import escape
from core.evaluation.wording import fixed
from core.literature.presets.naming import name
from core.recipe import Recipe
from core.search.found import Found


def show(found: Found) -> None:
    """The recipe that a menu or a click chooses, the choice of the search to start with."""
    scored = found.scored
    text = menu(
        "Recipe",
        [spelled(trial.recipe) for trial in scored],
        CHOSEN,
        help="All that were scored, the best on dev first; a click on a point of the figures chooses too",
    )
    place = next(i for i, trial in enumerate(scored) if spelled(trial.recipe) == text)
    trial, recipe = scored[place], Recipe.parse(text)
    st.markdown(
        f"**{escape(name(recipe))}**: {fixed(trial.dev)} on dev, place {place + 1:,} of {len(scored):,}, "
        f"{trial.dimensions:,} dimensions"
    )
    take.buttons(recipe, "This recipe", "find.take")
