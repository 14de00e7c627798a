"""What papers print, cell by cell, beside what the same recipes give here."""

import streamlit as st

from components.bar import bar
from components.cached import shared_engine
from components.controls import segments
from components.ending import end_page
from components.papers import curve, here, missing, one_cell, printed, whole
from components.papers import page as papers
from core.literature.rules.running import Reproduction

engine = shared_engine()
_, a, _ = bar.show(
    engine,
    corpus=False,
    unused={
        "b": "This page takes the model of A alone.",
        "corpus": "Each figure brings its own corpus; this one gives the score in the bar alone.",
    }
    | bar.all_but("source", why="Each figure brings its own."),
)
papers.head()
if a is None:
    bar.recipe_unread()
    end_page()
table = papers.choose()
left, right = st.columns([7, 3], gap="medium")
with right, st.container(key="papers-cell"):
    chosen = papers.choose_cell(table)
    figures = st.container()
    scope = segments("Compute", here.SCOPES, "papers.scope", "column", label_visibility="collapsed")
    start, going, told = st.container(), st.container(), st.container()
rules = Reproduction(engine, a)
there = here.states(rules, table)
with going:
    there = here.computed(engine, table, there)
with start:
    here.button(engine, table, there, chosen, scope)
with figures:
    one_cell.head(there[chosen])
with told:
    one_cell.show(table, there[chosen])
    missing.bring(rules, table)
    one_cell.to_methods(there[chosen])
with left:
    printed.show(table, there, chosen)
missing.show(there)
printed.list_slips(table)
curve.show(engine, table.paper, a)
whole.show(engine, table.paper, a)
