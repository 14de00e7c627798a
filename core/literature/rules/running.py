"""A rule on this installation: what it is scored with here, why it cannot be, and its result."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np

from core.corpora.corpus import Corpus
from core.corpora.hub_sets import HUB
from core.corpora.units import split_unit
from core.errors import CorpusError, StrataError
from core.evaluation.sts import Aggregate
from core.evaluation.tasks import TASK
from core.evaluation.tasks.groups import Mean, Member, mean_of
from core.evaluation.tasks.running import TaskScored, is_kept, run_task
from core.evaluation.tasks.task import check_task
from core.literature.differences import is_a
from core.literature.rules.rule import Metric, Rule
from core.literature.tables.table import Cell
from core.pipeline.engine import Engine
from core.progress import Progress, silent
from core.recipe import SOURCE, TEMPLATE, Recipe
from core.recipe.options import Choice

K = TypeVar("K")
T = TypeVar("T")

_NO_ENCODER = ("random", "vectors", "averaged", "doc2vec")
_SENTEVAL = "SentEval"


@dataclass(frozen=True)
class Part:
    """A task that is scored for a figure: on ``split`` where it learns from the other rows."""

    title: str
    corpus: Corpus
    task: Choice
    split: str | None


@dataclass(frozen=True, eq=False)
class Runnable:
    """A rule that can be followed here.

    Attributes
    ----------
    rule
        The rule.
    recipe
        The whole recipe, with its source.
    parts
        What is scored; the figure is the mean over them.
    model
        The model or the vectors that are taken.
    differs
        Why the figure here is not expected to be the printed one; empty where it is.
    """

    rule: Rule
    recipe: Recipe
    parts: tuple[Part, ...]
    model: str
    differs: tuple[str, ...]

    @property
    def same(self) -> bool:
        """Whether nothing differs that is known."""
        return not self.differs


@dataclass(frozen=True, eq=False)
class Measured:
    """A figure as it is measured here.

    Attributes
    ----------
    scored
        The result of each task.
    metric
        The value of them that is taken.
    """

    scored: tuple[TaskScored, ...]
    metric: Metric

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know of the results, once each."""
        return tuple(dict.fromkeys(note for one in self.scored for note in one.result.notes))

    @property
    def value(self) -> float:
        """The value × 100, or the mean over the tasks; NaN where one does not exist."""
        if self._mean is not None:
            return self._mean.value
        return float(np.mean([one.result.others[self.metric] for one in self.scored]))

    @cached_property
    def bounds(self) -> tuple[float, float]:
        """Its 95 % bootstrap interval; NaN for a value that has none."""
        return (float("nan"), float("nan")) if self._mean is None else self._mean.bounds

    @cached_property
    def _mean(self) -> Mean | None:
        """The mean of the main values; None where the metric is another value beside them."""
        if any(one.result.metric != self.metric for one in self.scored):
            return None
        return mean_of([one.result for one in self.scored])

    def holds(self, cell: Cell) -> bool:
        """Whether the interval holds the printed figure, within the rounding of its last digit."""
        rounding = 0.5 * 10.0**-cell.decimals * cell.scale
        low, high = self.bounds
        return cell.value is not None and low - rounding <= cell.value * cell.scale <= high + rounding


CORRELATED = ("sts", "supervised_sts")
"""Tasks whose value is the correlation that a rule takes."""


class Reproduction:
    """Rules followed on this installation, with the source of one recipe where they take one.

    What it has found of models and corpora it remembers: make a new one when these may have changed.
    """

    def __init__(self, engine: Engine, base: Recipe) -> None:
        self.engine = engine
        self.given = base.spelled()[SOURCE.name]
        self._models: dict[tuple[str, str], str | StrataError] = {}
        self._references: dict[str, str | StrataError] = {}
        self._parts: dict[tuple[Member, str | None, Metric], Part | StrataError] = {}

    def runnable(self, rule: Rule) -> Runnable | str:
        """The rule with its whole recipe, or in the engine's words why it cannot run.

        Nothing is read but the corpora.
        """
        recipe = Recipe.parse(rule.recipe)
        kind = re.split(r"[(@/]", self.given)[0]
        if rule.takes == "model" and kind in _NO_ENCODER:
            return f"It takes a transformer, and the source of recipe A is {self.given}."
        if rule.takes == "vectors" and kind != "vectors":
            return f"It takes word vectors ({rule.model}): choose their file as the source of recipe A."
        if rule.takes:
            recipe = recipe.replace(source=self._source(rule))
        try:
            model = self._model(recipe)
            if recipe.needs_reference():
                self._check_reference(recipe)
            parts = tuple(self._part(one, rule.split, rule.metric) for one in rule.tasks)
        except StrataError as error:
            return str(error)
        same = not rule.model or is_a(model, rule.model)
        other = () if same else (f"{model} here, {rule.model} there.",)
        return Runnable(rule, recipe, parts, model, (*other, *rule.differs, *_rebuilt(parts)))

    def kept(self, found: Runnable) -> Measured | None:
        """The figure where all its results are kept; None where something has to be computed."""
        if not self.engine.references.at_hand(found.recipe) or not all(
            is_kept(self.engine, *_arguments(found, part)) for part in found.parts
        ):
            return None
        return self.measure(found)

    def measure(self, found: Runnable, progress: Progress = silent) -> Measured:
        """Score every task of the rule; what is kept is read.

        Raises what :func:`~core.evaluation.tasks.running.run_task` raises.
        """
        scored = (run_task(self.engine, *_arguments(found, part), progress) for part in found.parts)
        return Measured(tuple(scored), found.rule.metric)

    def _source(self, rule: Rule) -> str:
        """The visitor's source; of word vectors as many frequent words are left out as the rule says."""
        if rule.drop is None:
            return self.given
        given = SOURCE.parse(self.given)
        kept = tuple(pair for pair in given.arguments if pair[0] != "drop")
        return SOURCE.text(SOURCE.check(Choice(given.name, (*kept, ("drop", rule.drop)))))

    def _model(self, recipe: Recipe) -> str:
        spelled = recipe.spelled()
        key = spelled[SOURCE.name], spelled[TEMPLATE.name]
        return _remembered(self._models, key, lambda: self.engine.source(recipe).name)

    def _check_reference(self, recipe: Recipe) -> None:
        """Raise :class:`CorpusError` where what a recipe learns from is not here."""
        name = recipe.spelled()["reference"]
        if not self.engine.catalogue.holds(name):
            raise CorpusError(f"It learns from {name}, which is not here; a data folder brings it.")
        _remembered(self._references, name, lambda: self.engine.references.as_given(recipe).fingerprint)

    def _part(self, one: Member, split: str | None, metric: Metric) -> Part:
        return _remembered(self._parts, (one, split, metric), lambda: self._read(one, split, metric))

    def to_fetch(self, rule: Rule) -> tuple[str, ...]:
        """The benchmarks of the hub by which the corpora come that a rule lacks here."""
        lacking = (one.corpora for one in rule.tasks if self._name_here(one) is None)
        return tuple(name for names in lacking for name in names if name in HUB)

    @cached_property
    def _there(self) -> set[str]:
        catalogue = self.engine.catalogue
        return {entry.name for entry in catalogue.listed() if catalogue.is_here(entry.name)}

    def _name_here(self, one: Member) -> str | None:
        """The name under which the corpus of a task is here; None where it is not."""
        return next((name for name in one.corpora if split_unit(name)[0] in self._there), None)

    def _read(self, one: Member, split: str | None, metric: Metric) -> Part:
        """The corpus of a task; raises :class:`CorpusError` where it is not here, or none for the task."""
        name = self._name_here(one)
        if name is None:
            also = f" (or {', '.join(one.corpora[1:])})" if one.corpora[1:] else ""
            raise CorpusError(f"The corpus {one.corpora[0]}{also} is not here; a data folder brings it.")
        task = TASK.parse(one.task)
        if task.name in CORRELATED:  # the value that is taken is the one that has an interval
            task = TASK.check(Choice(task.name, (*task.arguments, ("metric", metric))))
        supervised = TASK.find(task).supervised
        corpus = self.engine.corpus(name, "all" if supervised else split)
        check_task(corpus, task)
        return Part(one.title, corpus, task, split if supervised else "all")


def _remembered(known: dict[K, T | StrataError], key: K, find: Callable[[], T]) -> T:
    """What was found before under the key, or what ``find`` gives; an error is raised again."""
    if key not in known:
        try:
            known[key] = find()
        except StrataError as error:
            known[key] = error
    value = known[key]
    if isinstance(value, StrataError):
        raise value
    return value


def as_line(cell: Cell, found: Runnable, measured: Measured) -> str:
    """Row, column, printed, here and its bounds in the unit of print, difference, recipe, what differs."""
    here = [value / cell.scale for value in (measured.value, *measured.bounds)]
    difference = here[0] - (cell.value if cell.value is not None else float("nan"))
    shown = (f"{number:.{cell.digits}f}" if np.isfinite(number) else "" for number in (*here, difference))
    words = (str(found.recipe), " ".join(found.differs))
    return "\t".join((cell.row, cell.column, cell.printed, *shown, *words))


def _arguments(found: Runnable, part: Part) -> tuple[Recipe, Corpus, Choice, str | None, Aggregate]:
    return found.recipe, part.corpus, part.task, part.split, found.rule.aggregate


def _rebuilt(parts: tuple[Part, ...]) -> tuple[str, ...]:
    """Probing tasks that are not the published files are other tasks of the same names."""
    other = any(part.task.name == "probing" and _SENTEVAL not in part.corpus.origin for part in parts)
    return ("Its sentences are not those of SentEval's file.",) if other else ()
