"""Recipes against tasks, on the page Tasks."""

from __future__ import annotations

import numpy as np
import pandas as pd

from components import figure_frame, provenance, state, theme
from components.exports.meanings import FROM
from components.figure_frame import Framed
from components.figures.labels import plain
from components.figures.tasks import TaskTable, task_map
from components.provenance import Summary
from components.tasks.page import Results, few
from components.tasks.planning import Cell
from components.wording import metric_name, with_interval
from core.errors import counted
from core.evaluation.difference import NO_DIFFERENCE
from core.evaluation.ranks import mean_ranks
from core.evaluation.tasks.running import TaskScored, difference
from core.evaluation.wording import between, fixed, signed

COLOURS = "Colours span the values of a column, or a 95 % interval where that is wider."
"""The rule of the colours, above the figure and under it: the best of close values is not yellow."""


def show(found: Results, base: str | None) -> None:
    """The heatmap, and why cells are empty."""
    names, columns = list(found.recipes), [asked.text for asked in found.tasks]
    values = np.array([[found.value(name, column) for column in columns] for name in names])
    if np.isfinite(values).any():
        look = theme.of(state.theme_name())
        marks = [[_mark(found, (name, column), base) for column in columns] for name in names]
        hovers = [[_hover(found, (name, column), base) for column in columns] for name in names]
        ranked = found.ranked(values)
        title = finding(names, ranked) + lead(found, ranked)
        heads = [": ".join(filter(None, (column, found.unit(column)))) for column in columns]
        table = TaskTable(names, heads, values, ranked, found.widths(), hovers, marks)
        figure_frame.show(
            Framed(
                key="tasks.map",
                title=title,
                figure=task_map(table, look),
                caption=caption(found, base),
                summary=Summary(
                    "tasks",
                    size=f"{counted(len(names), 'recipe')} on {counted(len(columns), 'task')}",
                ),
                alt=f"{title}; {counted(len(names), 'recipe')} against {', '.join(columns[:4])}",
                numbers=lambda: numbers(found, values, base),
                hint=hint(base),
            )
        )
    found.tell_failures()


def finding(names: list[str], values: np.ndarray) -> str:
    """Which recipe ranks best over the tasks that all recipes have a value on, in one sentence.

    ``values`` are those that tell better from worse, the others NaN.
    """
    whole = int(np.isfinite(values).all(axis=0).sum())
    if len(names) < 2 or not whole:
        return f"Main values × 100 of {counted(len(names), 'recipe')}, each task on its own scale"
    ranks = mean_ranks(values)
    best = np.flatnonzero(ranks == ranks.min())
    tasks = values.shape[1]
    over = f"over {f'{whole} of ' * (whole < tasks)}{counted(tasks, 'task')}"
    if len(best) > 1:
        return f"{len(best)} of {len(names)} recipes share the best mean rank {over}: {ranks.min():.3g}"
    return f"{names[best[0]]} has the best mean rank of {len(names)} recipes {over}: {ranks.min():.3g}"


def lead(found: Results, values: np.ndarray) -> str:
    """On how many tasks the paired interval shows the best recipe above the next, and below it.

    Empty where none leads.

    ``values`` are as for :func:`finding`, whose sentence this ends.
    """
    ranks, names = mean_ranks(values), list(found.recipes)
    if len(names) < 2 or not np.isfinite(ranks).all() or (ranks == ranks.min()).sum() > 1:
        return ""
    best, following = np.argsort(ranks, kind="stable")[:2]
    whole = [
        asked.text for asked, column in zip(found.tasks, values.T, strict=True) if np.isfinite(column).all()
    ]
    pairs = [_difference(found, (names[best], task), names[following]) for task in whole]
    changes = [difference(each[0].result, each[1].result) for each in pairs if each]
    after = names[following]
    after = after[0] if after[:3] in ("A, ", "B, ") else f"the next one, {after}"
    shown = [change.value > 0 for change in changes if change.known and change.shown]
    if not shown:
        return f"; no difference from {after} shown"
    above, whole_tasks = sum(shown), counted(len(whole), "task")
    below = len(shown) - above
    if not (above and below):
        return f"; shown {'above' if above else 'below'} {after} on {len(shown)} of {whole_tasks}"
    return f"; shown above {after} on {above} and below it on {below} of {whole_tasks}"


def caption(found: Results, base: str | None) -> tuple[str, ...]:
    """The exact recipes, for each task its protocol, rows, origin and fingerprint, and what is drawn."""
    lines = [f"{name}: {recipe.label()}" for name, recipe in found.recipes.items()]
    told = (found.told(asked, list(found.recipes)) for asked in found.tasks)
    models = {
        name: f"{one.about['model']} ({one.about['revision']})" for (name, _), one in found.scored.items()
    }
    under = () if base is None else (_under_values(base),)
    return (*lines, *filter(None, told), *few(found), provenance.of_sides(models), COLOURS, *under)


def hint(base: str | None) -> str:
    """What is to be seen, and where the rest is."""
    under = "" if base is None else f" Under each value: its difference from {base}, ≈ where none is shown."
    best = "The best of each column has a frame."
    return f"{best} {COLOURS} Intervals are on hover, protocols under More.{under}"


def _under_values(base: str) -> str:
    """What stands under the values of the recipes that are compared with ``base``."""
    return (
        f"Under each value: the recipe's paired difference from {base}, in points on the same rows; ≈ "
        "where its 95 % interval holds 0, so that no difference is shown."
    )


def numbers(found: Results, values: np.ndarray, base: str | None) -> pd.DataFrame:
    """A row for each recipe: its values, its mean rank, then the bounds of every value.

    Last its paired difference from ``base`` on each task, with its bounds, where one is chosen.
    """
    ranks = mean_ranks(found.ranked(values))
    rows = []
    for place, name in enumerate(found.recipes):
        row: dict[str, object] = {"recipe": name}
        bounds: dict[str, object] = {}
        changes: dict[str, object] = {}
        for column, asked in enumerate(found.tasks):
            value = values[place, column]
            row[asked.text] = _rounded(value)
            scored = found.scored.get((name, asked.text))
            low, high = scored.result.bounds if scored else (np.nan, np.nan)
            bounds[f"{asked.text}, low"], bounds[f"{asked.text}, high"] = _rounded(low), _rounded(high)
            if base is not None:
                changes |= _changes(found, (name, asked.text), base)
        rank = _rounded(ranks[place])
        rows.append(row | {"mean rank": rank} | bounds | changes | {"text": str(found.recipes[name])})
    return pd.DataFrame(rows)


def _changes(found: Results, cell: Cell, base: str) -> dict[str, float | None]:
    """A recipe's difference from ``base`` on a task, and the ends of its interval, by their columns."""
    both = _difference(found, cell, base)
    change = difference(both[0].result, both[1].result) if both else NO_DIFFERENCE
    column = f"{cell[1]}{FROM}{base}"
    return {
        column: _rounded(change.value),
        f"{column}, low": _rounded(change.low),
        f"{column}, high": _rounded(change.high),
    }


def _rounded(value: float) -> float | None:
    return round(float(value), 2) if np.isfinite(value) else None


def _difference(found: Results, cell: Cell, base: str | None) -> tuple[TaskScored, TaskScored] | None:
    one, other = found.scored.get(cell), found.scored.get((base or "", cell[1]))
    return None if one is None or other is None or cell[0] == base else (other, one)


def _mark(found: Results, cell: Cell, base: str | None) -> str:
    """The paired difference from the chosen recipe; ≈ where the interval holds 0."""
    if (both := _difference(found, cell, base)) is None:
        return ""
    change = difference(both[0].result, both[1].result)
    return "" if not change.known else signed(change.value) if change.shown else "≈"


def _hover(found: Results, cell: Cell, base: str | None) -> str:
    lines = [f"<b>{plain(cell[0])}</b>", plain(cell[1])]
    if scored := found.scored.get(cell):
        result = scored.result
        lines.append(
            f"{metric_name(result.metric)} × 100 = {fixed(result.value)}, {between(*result.bounds)}"
            if np.isfinite(result.value)
            else f"no {metric_name(result.metric)}"
        )
        lines += [
            f"{metric_name(name)} {fixed(value)}"
            for name, value in result.others.items()
            if np.isfinite(value)
        ]
        lines.append(counted(result.n, "row"))
        if both := _difference(found, cell, base):
            change = difference(both[0].result, both[1].result)
            if np.isfinite(change.value):
                lines.append(f"{with_interval(change)} against {plain(str(base))}")
    elif cell in found.failed:
        lines.append("cannot be scored; the reason stands below")
    else:
        lines.append("not there yet")
    return "<br>".join(lines)
