"""Recipes against tasks: similarity, clustering, classification and probing in one map."""

import streamlit as st

from components.bar import bar
from components.cached import shared_engine
from components.ending import end_page
from components.errors import notes
from components.tasks import ablation, choice, sensitivity, sets, task_map
from components.tasks import page as tasks

engine = shared_engine()
_, a, b = bar.show(engine, corpus=False)
tasks.head()
if a is None:
    bar.unread(a, None)
    end_page()
recipes = choice.recipes(a, b)
asked = choice.tasks(engine)
if not asked:
    end_page()
base = tasks.base(recipes)
found = tasks.results(engine, recipes, asked)
task_map.show(found, base)
notes([note for scored in found.scored.values() for note in scored.result.notes])
steps = st.expander(
    "Ablation: what each step of a recipe is worth", key="ablation", on_change="rerun", bind="query-params"
)
if steps.open:
    with steps:
        ablation.show(engine, recipes, asked)
line = st.expander(
    "Sensitivity: one argument over a range", key="sensitivity", on_change="rerun", bind="query-params"
)
if line.open:
    with line:
        sensitivity.show(engine, recipes, asked)
about = st.expander("The sets: rows, classes, words", key="sets", on_change="rerun", bind="query-params")
if about.open:
    with about:
        sets.show(engine, found)
