"""Recipes kept by name on this installation, with their scores, on the page Scores."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime

import pandas as pd
import streamlit as st

from components import bounded, downloads, errors, names, state, table_numbers, table_row, take
from components.cached import shared_engine
from components.text import escape
from core.corpora.brought import name_of
from core.corpora.corpus import Corpus
from core.errors import StrataError
from core.evaluation.scoring import Scored
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.storage.kept_recipes import KeptRecipe, Row

_NAME, _PROBLEM, _TABLE = "kept.name", "kept.problem", "kept.table"

_MEASURED = ("model", "revision", "corpus", "split", "fingerprint", "pairs", "aggregate")


def show(engine: Engine, corpus: Corpus, sides: Mapping[str, Scored]) -> None:
    """Buttons that keep A and B, the table of what is kept, and what one does with a row of it."""
    remember(engine, sides)
    st.markdown("## Kept by name, for all visitors of this installation")
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        bounded.text_input(
            "Name to keep a recipe by", most=names.LONGEST, key=_NAME, placeholder="its own name", width=260
        )
        for side, scored in sides.items():
            st.button(
                f"Keep {side}",
                key=f"keep.{side}",
                icon=":material/bookmark_add:",
                on_click=keep,
                args=(scored.recipe,),
                disabled=engine.settings.read_only,
                help=f"Recipe {side} stays here by this name, with the scores that are seen of it",
            )
    _tell_problem()
    kept = list(engine.kept_recipes.all().values())[::-1]
    if not kept:
        st.caption("None yet.")
        return
    about = next(iter(sides.values())).about
    chosen = st.dataframe(
        table_numbers.written(
            table(kept, corpus, str(about["aggregate"])),
            dict.fromkeys(("Spearman × 100", "low", "high"), 1),
        ),
        hide_index=True,
        placeholder="",
        key=f"{_TABLE}/{len(kept)}",
        on_select="rerun",
        selection_mode=table_row.MODE,
        alt="Recipes that are kept by name",
    )
    if (row := table_row.chosen(chosen, len(kept))) is not None:
        _offer(kept[row])
    else:
        st.caption("A row that is chosen can be taken as A or B, named anew, or removed.")
    downloads.csv(every_score(kept), "kept.recipes")


def offer(engine: Engine, recipe: Recipe, key: str) -> None:
    """A button that keeps a recipe by the name it has; why the last one could not be kept."""
    st.button(
        "Keep",
        key=key,
        icon=":material/bookmark_add:",
        on_click=keep,
        args=(recipe,),
        disabled=engine.settings.read_only,
        help="By name, for all visitors of this installation, with the scores that Scores shows of it",
    )
    _tell_problem()


def remember(engine: Engine, sides: Mapping[str, Scored]) -> None:
    """Keep the scores of the recipes that are kept."""
    for scored in sides.values():
        row = row_of(scored)
        measured_on = " ".join(str(row[name]) for name in ("model", "revision", "fingerprint", "aggregate"))
        try:
            engine.kept_recipes.add_score(state.text_of(scored.recipe), measured_on, row)
        except StrataError as error:
            st.session_state[_PROBLEM] = str(error)


def row_of(scored: Scored) -> Row:
    """A score with what it was measured on; a number that does not exist is left out."""
    score = scored.score
    numbers = {
        "spearman": score.spearman,
        "low": score.low,
        "high": score.high,
        "pearson": score.pearson,
    }
    known = {name: round(float(value), 4) for name, value in numbers.items() if math.isfinite(value)}
    return {name: scored.about[name] for name in _MEASURED} | known


def table(kept: Sequence[KeptRecipe], corpus: Corpus, aggregate: str) -> pd.DataFrame:
    """A row for each recipe, with its score on a corpus where it is known."""
    rows = []
    for one in kept:
        here = [
            row
            for row in one.scores.values()
            if (row["fingerprint"], row["aggregate"]) == (corpus.fingerprint, aggregate)
        ]
        score = here[-1] if here else {}
        rows.append(
            {
                "name": one.name,
                "Spearman × 100": score.get("spearman"),
                "low": score.get("low"),
                "high": score.get("high"),
                "model": score.get("model", ""),
                "scored on": ", ".join(_corpora(one)),
                "recipe": one.recipe,
                "kept": datetime.fromtimestamp(one.time, UTC).date(),
            }
        )
    return pd.DataFrame(rows)


def _corpora(kept: KeptRecipe) -> list[str]:
    """The corpora of its scores, each with its split, in the order of their names."""
    return sorted({f"{row['corpus']} {row['split']}" for row in kept.scores.values()})


def every_score(kept: Sequence[KeptRecipe]) -> pd.DataFrame:
    """A row for each score, and one for a recipe without any."""
    return pd.DataFrame(
        [
            {"name": one.name, "recipe": one.recipe} | dict(row)
            for one in kept
            for row in [*one.scores.values()] or [{}]
        ]
    )


def _offer(one: KeptRecipe) -> None:
    """What is done with a kept recipe."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"**{escape(one.name)}**", width="content")
        try:
            take.buttons(Recipe.parse(one.recipe), one.name, "kept.take")
        except StrataError as error:
            st.caption(escape(str(error)))
        st.button(
            "Give it the name above",
            key="kept.rename",
            on_click=_rename,
            args=(one.recipe,),
            disabled=not st.session_state.get(_NAME),
        )
        st.button("Remove", key="kept.remove", icon=":material/delete:", on_click=_drop, args=(one.recipe,))


def keep(recipe: Recipe) -> None:
    """Keep a recipe by the name that is written over the table, else by the one it has (a callback)."""
    kept, text = shared_engine().kept_recipes, state.text_of(recipe)
    known = kept.all().get(text)
    name = name_of(st.session_state.get(_NAME) or "") or (
        known.name if known else names.called([recipe])[0]
    )
    _try(lambda: kept.keep(text, name))


def _rename(recipe: str) -> None:
    name = name_of(st.session_state.get(_NAME) or "")
    if name:
        _try(lambda: shared_engine().kept_recipes.keep(recipe, name))


def _drop(recipe: str) -> None:
    _try(lambda: shared_engine().kept_recipes.drop(recipe))


def _tell_problem() -> None:
    if problem := st.session_state.pop(_PROBLEM, ""):
        errors.say(problem)


def _try(change: Callable[[], None]) -> None:
    try:
        change()
        st.session_state[_NAME] = ""
    except StrataError as error:
        st.session_state[_PROBLEM] = str(error)
