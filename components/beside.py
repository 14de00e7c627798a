"""Which models a page shows side by side."""

from __future__ import annotations

import streamlit as st

from components import errors, hub_download, provenance
from core.encoders.models import available
from core.errors import StrataError
from core.pipeline.engine import Engine
from core.recipe import SOURCE, Recipe
from core.storage.hub import DownloadRequiredError

MOST = 4
"""Models that fit beside each other on a screen."""


def show(engine: Engine, a: Recipe, b: Recipe | None) -> list[tuple[str, Recipe]]:
    """Recipe A on each of the models: A's, B's if it is another, and those the visitor adds.

    Each with its model's name, and its source where another has that name. One that cannot be found is
    left out, and the page says why.
    """
    own = [recipe.spelled()["source"] for recipe in (a, b) if recipe]
    names = [name for name, _ in available(engine.settings.trust) if name not in own]
    added = st.multiselect(
        "Beside it",
        names,
        key="beside",
        bind="query-params",
        persist_state="session",
        accept_new_options=True,
        max_selections=MOST - len(set(own)),
        placeholder="a model: hub id or folder",
        help="Shown beside the models of recipes A and B, on one colour scale. A folder must be one that "
        "STRATA_FOLDERS allows.",
    )
    models: list[tuple[str, Recipe]] = []
    for source in dict.fromkeys([*own, *added]):
        try:
            known = source in own
            spelled = source if known else SOURCE.text(SOURCE.choice_of(source))
            recipe = a.replace(source=spelled)
            models.append((engine.source(recipe).name, recipe))
        except DownloadRequiredError as error:
            if source in added:  # the bar asks for those of recipes A and B
                hub_download.show(error, f"beside.{source}")
        except StrataError as error:
            errors.tell(error)
    names = provenance.told_apart(
        {place: (name, recipe.spelled()["source"]) for place, (name, recipe) in enumerate(models)}
    )
    return [(names[place], recipe) for place, (_, recipe) in enumerate(models)]
