"""The protocol of a task, the registry of tasks, and the one kind of result that all of them have.

A task is a function from :class:`TaskData` to a :class:`TaskResult`, registered as an option is: its name
is the task's, its docstring the explanation, its keyword-only parameters its arguments.

>>> TASK.text(TASK.parse("classification( folds = 5 )"))
'classification(folds=5)'
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol, runtime_checkable

import numpy as np
from jaxtyping import Float, Int

from core import machine
from core.corpora.corpus import Corpus
from core.errors import CorpusError, RecipeError
from core.evaluation.statistics import RESAMPLES, draw, interval
from core.evaluation.sts import Aggregate
from core.progress import Progress, silent
from core.recipe.options import Choice, Option
from core.recipe.stage import Stage

Rows = Int[np.ndarray, "_"]
"""Numbers of some rows of a corpus."""
Samples = Float[np.ndarray, " resample"]

LARGEST = 1e17
"""The largest feature: the squares of thousands of them have a sum in single precision."""

_BLOCK = 100
"""Resamples that are drawn at once."""

_DRAWS = 10_000_000
"""Rows that are drawn at once, for all resamples together: of more than 100,000 rows fewer resamples."""


@runtime_checkable
class Embed(Protocol):
    """Vectors of all sentences of a corpus, learnt from some of its rows alone (from all when None)."""

    def __call__(self, rows: Rows | None = None, /) -> Any:
        """``[sentence, dim]``, an array or anything that is indexed by rows as one."""


def no_samples() -> Samples:
    """The resamples of a value that has none: one NaN."""
    return np.full(1, np.nan)


@dataclass(frozen=True, eq=False)
class TaskData:
    """What a task is given.

    Attributes
    ----------
    corpus
        The rows that are scored; for a supervised task all rows of all splits.
    split
        The split that is scored, for a supervised task; None for its own choice.
    embed
        The vectors of the corpus' sentences under the recipe.
    compare
        The recipe's similarity of two matrices of vectors, row by row.
    learns
        What the recipe learns from the texts that it embeds, as ``idf`` and ``zscore``; empty for nothing.
    aggregate
        How subsets are put together where there is one score for each.
    """

    corpus: Corpus
    split: str | None
    embed: Embed
    compare: Callable[[Any, Any], Float[np.ndarray, " pair"]]
    learns: tuple[str, ...] = ()
    aggregate: Aggregate = "all"
    progress: Progress = silent


@dataclass(frozen=True, eq=False)
class TaskResult:
    """The score of a recipe on a task.

    Attributes
    ----------
    metric
        The name of the main value: spearman, accuracy.
    value
        The main value × 100; NaN where it does not exist.
    resample
        Computes ``samples``.
    protocol
        How it was measured, in words.
    seeds
        The seeds of everything random; one for each run.
    n
        The rows that are scored.
    others
        Other values × 100 by their name.
    notes
        What limits the score.
    """

    metric: str
    value: float
    resample: Callable[[], Samples]
    protocol: str
    seeds: tuple[int, ...]
    n: int
    others: Mapping[str, float] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @cached_property
    def samples(self) -> Samples:
        """The main value × 100 of each bootstrap resample; one NaN where there is no main value.

        The draws of the same rows are always the same, so that differences of two recipes' are paired.
        """
        return self.resample() if np.isfinite(self.value) else no_samples()

    @cached_property
    def bounds(self) -> tuple[float, float]:
        """The 95 % bootstrap interval of the main value."""
        return interval(self.samples)


@dataclass(frozen=True)
class TaskOption(Option):
    """A task.

    ``refuses`` says why a corpus cannot be scored on it, and gives an empty text for one that can.
    ``named`` says that it is scored only where it is named: no corpus is for it.
    ``quality`` says that a higher value is better, so that recipes can be ranked and chosen by it.
    ``supervised`` says that something is learnt from labels, so that the recipe learns from training rows.
    ``seconds`` is about how long learning takes, beside reading: a function from the corpus (whole for a
    supervised task), the columns of its vectors and the task's arguments. ``times`` is how often over a
    recipe then learns from all rows, from those of each fold anew: a function of corpus and arguments.
    """

    refuses: Callable[[Corpus], str] = lambda corpus: ""
    named: bool = False
    quality: bool = True
    supervised: bool = False
    seconds: Callable[..., float] = lambda corpus, columns, **arguments: 0.0
    times: Callable[..., float] = lambda corpus, **arguments: 1.0


@runtime_checkable
class Task(Protocol):
    """A task with its arguments, as :meth:`core.recipe.stage.Stage.bind` gives it."""

    def __call__(self, data: TaskData, /) -> TaskResult:
        """Score the vectors; raises :class:`CorpusError` for a corpus that cannot be scored."""


TASK: Stage[TaskOption, Task] = Stage("task", "What the vectors are scored on.", TaskOption)
"""The registry of tasks."""


def task_for(corpus: Corpus) -> Choice:
    """The task that a corpus is for: what its origin says, else the first that takes it.

    Raises :class:`CorpusError` for a corpus that no task takes.
    """
    if corpus.task in TASK.options and not TASK.options[corpus.task].refuses(corpus):
        return Choice(corpus.task)
    why = []
    for option in TASK:
        if not option.named:
            if not (reason := option.refuses(corpus)):
                return Choice(option.name)
            why.append(reason)
    of_scores, of_labels, *_ = why  # the tasks that are registered first
    if len(corpus):
        raise CorpusError(of_scores)
    if any(corpus.labels):
        raise CorpusError(f"{of_labels[:1].upper()}{of_labels[1:]}")
    raise CorpusError(
        f"The corpus {corpus.name} has no scored pairs and no labels, so no task can score it; take a "
        "table with sentence1, sentence2 and score, or with text and label."
    )


def check_task(corpus: Corpus, task: Choice) -> None:
    """Raise :class:`CorpusError` for a corpus that a task cannot score, with the reason."""
    if reason := TASK.find(task).refuses(corpus):
        others = [option.name for option in TASK if not option.named and not option.refuses(corpus)]
        advice = f" It takes the task {' or '.join(others)}." if others else ""
        raise CorpusError(f"task={TASK.text(task)}: {reason}{advice}")


def too_large(corpus: Corpus, cells: int, each: int) -> str:
    """Why a task has no room for a table of so many ``cells``, which take ``each`` so many bytes.

    Empty where half of the machine's memory holds it. Beyond that the system could end the process, and the
    work of all visitors with it.
    """
    memory = machine.memory()
    if memory is None or 2 * cells * each <= memory:
        return ""
    return (
        f"{len(corpus.classes):,} classes in {corpus.rows:,} rows of {corpus.name} need about "
        f"{cells * each / 1e9:,.1f} GB of memory at once; allowed is half of {memory / 1e9:,.1f} GB. Is "
        "the column of labels the right one? Fewer classes need less."
    )


def learning_seconds(task: Choice, corpus: Corpus, columns: int) -> float:
    """About how many seconds of one processor a task takes to learn from vectors that are there."""
    return TASK.find(task).seconds(corpus, columns, **TASK.arguments(task))


def times_learnt(task: Choice, corpus: Corpus) -> float:
    """How often over a recipe learns from all rows of a corpus in a task."""
    return TASK.find(task).times(corpus, **TASK.arguments(task))


def resampled_means(credits: Float[np.ndarray, "run row"]) -> Samples:
    """The mean credit × 100 of each bootstrap resample of the rows, and of the runs if there are several.

    ``credits`` is what each row adds to the value in each run: 1 where it is right, for an accuracy.
    """
    runs, rows = credits.shape
    groups, out = np.zeros(rows, int), np.empty(RESAMPLES)
    chosen = np.random.default_rng(0).integers(0, runs, (RESAMPLES, runs))
    for number, (start, stop) in enumerate(drawn_at_once(rows)):
        counts = draw(groups, stop - start, seed=number).astype(np.float32)
        means = counts @ credits.T.astype(np.float32) / max(rows, 1)
        out[start:stop] = np.take_along_axis(means, chosen[start:stop], axis=1).mean(axis=1)
    return 100 * out


def drawn_at_once(rows: int) -> Iterator[tuple[int, int]]:
    """From which to which resample draws of so many rows are made at once, as memory has room for them."""
    block = min(_BLOCK, max(1, _DRAWS // max(rows, 1)))
    for start in range(0, RESAMPLES, block):
        yield start, min(start + block, RESAMPLES)


def row_features(data: TaskData, vectors: Any, rows: Rows | None = None) -> Any:
    """The features of rows, from the vectors of sentences: u of one text, [|u − v|, u · v] of a pair.

    Raises :class:`RecipeError` for vectors without columns, of which nothing can be learnt, and for
    features that are not finite or beyond :data:`LARGEST`.
    """
    corpus = data.corpus
    rows = np.arange(corpus.rows) if rows is None else rows
    u = vectors[corpus.first[rows]]
    if not u.shape[1]:
        raise RecipeError(
            "The sentence vectors have no columns under this recipe: they differ in no direction, and "
            "whitening keeps those alone in which they do. Leave whitening out, or take other layers, "
            "tokens or another pooling."
        )
    if not corpus.paired:
        return _within_reach(u)
    v = vectors[corpus.second[rows]]
    with np.errstate(over="ignore", invalid="ignore"):  # what is not finite is refused
        return _within_reach(np.hstack([np.abs(u - v), u * v]))


def _within_reach(features: Any) -> Any:
    """Features whose squares can be summed; raises :class:`RecipeError` for others."""
    if features.size and not max(features.max(), -features.min()) <= LARGEST:
        raise RecipeError(
            f"Features of some rows are not finite or beyond {LARGEST:g} under this recipe: single "
            "precision does not hold the sum of their squares, so nothing can be learnt or clustered. Take "
            "post=normalize or post=zscore."
        )
    return features


def describe_tasks() -> str:
    """Every task and its arguments as plain text, for the command line's help."""
    return "\n".join(["Tasks:", "", *(line for option in TASK for line in option.help)])
