"""Any task by share of averaged token vectors and by layers, as :mod:`core.analysis.mixing` has similarity.

Stankevičius & Lukoševičius (2025), Figures 5, 7 and 8, for clustering and classification. Every cell is
scored by itself, since clusters and classifiers need its vectors.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.analysis.layered_source import layered_source
from core.analysis.mixing import Cell, Mixture, any_cell, columns, mixed
from core.corpora.corpus import Corpus
from core.evaluation.difference import Difference
from core.evaluation.tasks.groups import mean_of
from core.evaluation.tasks.running import about_task, run_task, task_parts
from core.pipeline.engine import Engine
from core.progress import Progress, Step, silent, within
from core.recipe import Recipe
from core.recipe.options import Choice
from core.storage.tables import RECIPE_LIBRARIES, TableKind

TASK_MIXTURE = TableKind("task-mixture", 2, RECIPE_LIBRARIES, forward=True)

LOWEST, HIGHEST = -1.0, 1.5
STEPS = (0.25, 0.1, 0.05)
"""Steps of w that a map may have; -0.25 and -0.75 are on the first and the last."""


def shares(step: float) -> tuple[float, ...]:
    """Shares from -1 to 1.5 in steps of ``step``, one of :data:`STEPS`."""
    return tuple(round(LOWEST + step * i, 2) for i in range(round((HIGHEST - LOWEST) / step) + 1))


def task_mixture(
    engine: Engine,
    recipe: Recipe,
    whole: Corpus,
    task: Choice,
    step: float,
    progress: Progress = silent,
) -> Mixture:
    """The main value × 100 of a task for every share and choice of layers; kept, each cell too.

    Parameters
    ----------
    engine, recipe
        The recipe's own layers and mix are replaced.
    whole, task
        All rows of the corpus, and what they are scored on.
    step
        Between two shares.

    Raises
    ------
    CorpusError
        The corpus is none for the task.
    RecipeError
        The source has no layers, is no model, or cannot follow the recipe.
    """
    rows, names = shares(step), _columns(engine, recipe)
    notes: dict[str, None] = {}
    metrics: dict[str, None] = {}

    def score() -> dict[str, np.ndarray]:
        values = np.full((len(rows), len(names)), np.nan)
        for done, place in enumerate(np.ndindex(values.shape)):
            step = Step("Scoring shares and layers", done, values.size)
            progress(step)
            cell = rows[place[0]], names[place[1]]
            told = within(progress, step) if done else progress  # the first reads the texts
            result = run_task(engine, mixed(recipe, *cell), whole, task, progress=told).result
            values[place] = result.value
            metrics[result.metric] = None
            notes.update(dict.fromkeys(note for note in result.notes if note not in whole.notes))
        return {
            "scores": values,
            "notes": np.array(list(notes), str),
            "metrics": np.array(list(metrics), str),
        }

    arrays = engine.store.table(TASK_MIXTURE, _parts(engine, recipe, whole, task, step), score, progress)
    singles = sum(name.isdigit() for name in names)
    told = tuple(dict.fromkeys([*whole.notes, *arrays["notes"].tolist()]))
    return Mixture(rows, names, singles, arrays["scores"], told, tuple(arrays["metrics"].tolist()))


def is_kept(engine: Engine, recipe: Recipe, whole: Corpus, task: Choice, step: float) -> bool:
    """Whether the map is stored; raises what :func:`task_mixture` raises."""
    return engine.store.has_table(TASK_MIXTURE, _parts(engine, recipe, whole, task, step))


def cells(engine: Engine, recipe: Recipe, step: float) -> int:
    """The number of cells of a map."""
    return len(shares(step)) * len(_columns(engine, recipe))


def gain(
    engine: Engine,
    recipe: Recipe,
    tasks: Sequence[tuple[Corpus, Choice]],
    best: Cell,
    alone: Cell,
    progress: Progress = silent,
) -> Difference:
    """What the mean over tasks of one cell is above another's, paired on the same rows."""
    means = [
        mean_of([run_task(engine, mixed(recipe, *cell), *each, progress=progress).result for each in tasks])
        for cell in (best, alone)
    ]
    return means[0].above(means[1])


def _columns(engine: Engine, recipe: Recipe) -> tuple[str, ...]:
    return columns(max(layered_source(engine, recipe).layers))


def _parts(engine: Engine, recipe: Recipe, whole: Corpus, task: Choice, step: float) -> tuple[object, ...]:
    parts = task_parts(engine, any_cell(recipe), task, about_task(whole, task, None, "all"))
    return parts, _columns(engine, recipe), shares(step)
