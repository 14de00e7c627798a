"""Recipes against tasks: similarity, clustering, classification and probing in one map."""

from components.bar import bar
from components.cached import shared_engine
from components.controls import folded
from components.corpus import choice as corpus_choice
from components.ending import end_page
from components.errors import notes
from components.tasks import ablation, choice, sensitivity, sets, task_map
from components.tasks import page as tasks

engine = shared_engine()
corpus, a, b = bar.show(
    engine,
    corpus=True,
    unused=choice.unused(engine),
)
tasks.head()
if a is None:
    bar.recipe_unread()
    end_page()
if corpus is None:
    corpus_choice.unread()
pinned, beside = tasks.places()
with pinned:
    recipes = choice.recipes(a, b)
with beside:
    base = tasks.base(recipes)
asked = choice.tasks(engine, corpus)
if not asked:
    end_page()
found = tasks.results(engine, recipes, asked)
task_map.show(found, base)
notes(
    [
        *tasks.overlaps(engine, found),
        *tasks.few(found),
        *(note for scored in found.scored.values() for note in scored.result.notes),
    ]
)
folded(
    "Ablation: what each step of a recipe is worth",
    lambda: ablation.show(engine, recipes, asked),
    "ablation",
)
folded(
    "Sensitivity: one argument over a range",
    lambda: sensitivity.show(engine, recipes, asked),
    "sensitivity",
)
folded("The sets: rows, classes, words", lambda: sets.show(engine, found), "sets")
