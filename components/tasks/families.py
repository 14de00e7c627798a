"""Means over tasks of one family, as the papers' figures of layers and isotropy have them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from components.tasks.choice import ChosenTask
from components.tasks.page import Results
from core.evaluation.tasks.groups import Mean, mean_of


@dataclass(frozen=True, eq=False)
class Family:
    """Tasks of one kind, as ``clustering``, in the order in which they were chosen."""

    name: str
    tasks: tuple[ChosenTask, ...]

    @property
    def title(self) -> str:
        """``clustering, mean of 3``, or the one task."""
        return self.tasks[0].text if len(self.tasks) == 1 else f"{self.name}, mean of {len(self.tasks)}"


def families(asked: Sequence[ChosenTask]) -> list[Family]:
    """The chosen tasks by their kind; a task with arguments is of the kind of its name."""
    kinds = dict.fromkeys(each.task.name for each in asked)
    return [Family(kind, tuple(each for each in asked if each.task.name == kind)) for kind in kinds]


def mean(found: Results, name: str, tasks: Sequence[ChosenTask]) -> Mean | None:
    """The mean of a recipe over tasks; None while it has no value on one of them."""
    scored = [found.scored.get((name, each.text)) for each in tasks]
    results = [each.result for each in scored if each is not None]
    return mean_of(results) if scored and len(results) == len(scored) else None


def spread(found: Results, name: str, tasks: Sequence[ChosenTask]) -> float:
    """The standard deviation of a recipe's values over tasks; NaN for fewer than two."""
    values = [found.value(name, each.text) for each in tasks]
    return float(np.std(values, ddof=1)) if len(values) > 1 else float("nan")
