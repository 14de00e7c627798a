"""Any task by share of Avg. and by layers, on the page Mixing: a map of one task, or of their mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from components import figure_frame, job, provenance, state, theme, works
from components.controls import menu, segments
from components.errors import require, tried
from components.figure_frame import Framed
from components.figures.mixing import heatmap
from components.figures.share_walk import walk
from components.job import Question
from components.mixing.cells import average, gained, numbers, recipes_line, summary
from components.mixing.chosen_cell import CellControls, offer
from components.tasks import choice
from components.tasks.choice import ChosenTask
from components.text import escape
from components.wording import duration_range, metric_name
from core.analysis.mixing import Mixture, mean_of, mixed
from core.analysis.mixing_tasks import STEPS, cells, gain, is_kept, task_mixture
from core.corpora.corpus import Corpus
from core.errors import StrataError, counted
from core.evaluation.difference import NO_DIFFERENCE, Difference
from core.evaluation.tasks import TASK
from core.evaluation.tasks.running import is_kept as is_scored
from core.evaluation.tasks.running import run_task
from core.evaluation.tasks.task import check_task
from core.pipeline.engine import Engine
from core.progress import Progress
from core.recipe import Recipe
from core.work import LONG, Work

CELL = CellControls("mixed.w", "mixed.layers")


def show(engine: Engine, recipe: Recipe) -> None:
    """Menus of tasks and of the step of w, and the map that is chosen, once it is there."""
    asked = choice.tasks(engine)
    if not asked:
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        step = float(
            segments(
                "Step of w",
                [f"{each:g}" for each in STEPS],
                "mixed.step",
                persist_state="session",
                help="Every cell has clusters and classifiers of its own: a finer map takes longer.",
            )
        )
        mean = f"mean of {len(asked)} tasks"
        names = [each.text for each in asked]
        shown = menu(
            "Map of",
            [mean, *names] if len(asked) > 1 else names,
            "mixed.task",
            width=360,
            persist_state="session",
        )
    corpora = _corpora(engine, [each for each in asked if shown in (mean, each.text)])
    wanted = [each for each in asked if each.text in corpora]
    if not wanted:
        return
    found = _maps(engine, recipe, wanted, corpora, step)
    if len(found) == len(wanted):
        _figure(engine, recipe, wanted, corpora, mean_of(list(found.values())))


def _corpora(engine: Engine, asked: Sequence[ChosenTask]) -> dict[str, Corpus]:
    """All rows of each task's corpus; the page says which cannot be scored."""
    corpora: dict[str, Corpus] = {}
    for each in asked:
        whole = tried(lambda each=each: engine.corpus(each.corpus, "all"))  # type: ignore[misc]
        why = whole if isinstance(whole, str) else tried(lambda: check_task(whole, each.task))  # noqa: B023
        if isinstance(why, str):
            st.error(f"**{escape(each.text)}.** {escape(why)}", icon=":material/error:")
        elif isinstance(whole, Corpus):
            corpora[each.text] = whole
    return corpora


def _maps(
    engine: Engine, recipe: Recipe, asked: Sequence[ChosenTask], corpora: Mapping[str, Corpus], step: float
) -> dict[str, Mixture]:
    """The maps that are there; a panel shows the others, after a question where they take long."""
    cell = require(lambda: mixed(recipe, 0.5, "first+last"))
    learning = {each.text: _learning(engine, recipe, each, corpora[each.text], step) for each in asked}
    long = sum(learning.values()) >= LONG
    wanted: dict[str, Work[Mixture]] = {}
    for each in asked:
        whole = corpora[each.text]

        def compute(progress: Progress, whole: Corpus = whole, each: ChosenTask = each) -> Mixture:
            return task_mixture(engine, recipe, whole, each.task, step, progress)

        work = works.recipe_work(
            "task mixture",
            f"Scoring shares and layers on {each.text}",
            engine,
            cell,
            whole,
            compute,
            TASK.text(each.task),
            step,
            learning=learning[each.text],
        )
        wanted[each.text] = replace(work, asks=work.asks or (long and learning[each.text] > 0))

    def question() -> Question | None:
        reading = works.reading(engine, [cell], *corpora.values())
        if not long:
            return reading
        count = cells(engine, recipe, step)
        told = (
            f"A map has {count} cells; clusters and classifiers take "
            f"{duration_range(sum(learning.values()))} in all, each cell once."
        )
        return Question(told if reading is None else f"{reading.text} {told}")

    jobs = job.show_each(wanted, question, key="mixed.tasks.work")
    names = list(jobs)
    return dict(job.results(names, jobs.values(), lambda name: name))


def _learning(engine: Engine, recipe: Recipe, asked: ChosenTask, whole: Corpus, step: float) -> float:
    """Seconds of learning that a map needs; 0 where it is kept, or cannot be made."""
    try:
        if is_kept(engine, recipe, whole, asked.task, step):
            return 0.0
        return cells(engine, recipe, step) * works.learning(engine, recipe, asked.task, whole)
    except StrataError:
        return 0.0


def _figure(
    engine: Engine,
    recipe: Recipe,
    asked: Sequence[ChosenTask],
    corpora: Mapping[str, Corpus],
    found: Mixture,
) -> None:
    """The map, and the chosen cell as a recipe."""
    over = asked[0].text if len(asked) == 1 else f"mean of {len(asked)} tasks"
    title = finding(found, over, _gain(engine, recipe, asked, corpora, found))
    picture = st.container()
    chosen = CELL.show(found, (tuple(each.text for each in asked), len(found.shares)))
    look = theme.of(state.theme_name())
    with picture:
        figure_frame.show(
            Framed(
                key="mixing.tasks",
                title=title,
                figure=heatmap(found, look, chosen),
                caption=caption(engine, recipe, asked, corpora, found),
                summary=summary(
                    recipe,
                    engine.source(recipe, corpora[asked[0].text]).name,
                    over,
                    f"{found.scores.size} cells",
                ),
                hint="A click on a cell chooses its share and layers.",
                alt=title,
                numbers=lambda: numbers(found).dropna(),
                on_select=partial(CELL.take, found),
                animation=lambda: walk(found, look, chosen),
            )
        )
    if chosen is not None:
        offer(recipe, found, chosen, "mixed.take")


def _gain(
    engine: Engine,
    recipe: Recipe,
    asked: Sequence[ChosenTask],
    corpora: Mapping[str, Corpus],
    found: Mixture,
) -> Difference:
    """What the best cell is above the best one without Avg.; NaN while it is not there."""
    best, layers = found.best, found.best_alone
    if best is None or layers is None:
        return NO_DIFFERENCE
    scored = [(corpora[each.text], each.task) for each in asked]
    wholes = [whole for whole, _ in scored]
    work = works.recipe_work(
        "task mixture gain",
        "The interval of the best cell",
        engine,
        mixed(recipe, 0.5, "first+last"),
        wholes,
        lambda progress: gain(engine, recipe, scored, best, (0.0, layers), progress),
        *(each.text for each in asked),
        best,
        layers,
    )
    return require(lambda: job.show(work, key="mixed.gain.work")) or NO_DIFFERENCE


def finding(found: Mixture, over: str, difference: Difference) -> str:
    """Which cell is best, and what it is above the best one without Avg., in one sentence."""
    if found.best is None:
        return f"No cell has a value on {over}"
    return gained(found, over, difference)


def caption(
    engine: Engine,
    recipe: Recipe,
    asked: Sequence[ChosenTask],
    corpora: Mapping[str, Corpus],
    found: Mixture,
) -> tuple[str, ...]:
    """The best cell's recipe, Avg.'s reference, the model, and each task's rows and corpus."""
    return (
        recipes_line(recipe, found),
        "The best of so many cells looks better than it is: it is chosen on the rows that it is scored on",
        *(
            f"{each.text}: {_scored(engine, recipe, each, corpora[each.text], found)}"
            f"{corpora[each.text].origin} · fingerprint {corpora[each.text].labelled_fingerprint}"
            for each in asked
        ),
        f"{provenance.model(engine.source(recipe, corpora[asked[0].text]))} · {average(engine, recipe)}",
        *found.notes,
    )


def _scored(engine: Engine, recipe: Recipe, asked: ChosenTask, whole: Corpus, found: Mixture) -> str:
    """Metric and rows of the best cell, which all cells have; empty where its result is not kept."""
    if found.best is None:
        return ""
    cell = mixed(recipe, *found.best)
    if not is_scored(engine, cell, whole, asked.task):
        return ""
    result = run_task(engine, cell, whole, asked.task).result
    return f"{metric_name(result.metric)} × 100 of {counted(result.n, 'row')} · "
