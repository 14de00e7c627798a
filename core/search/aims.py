"""What recipes are chosen by and reported on: a task on rows of a corpus, apart for dev and test."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Bool, Int, UInt8

from core.corpora.corpus import Corpus
from core.errors import CorpusError, counted
from core.evaluation.sts import Aggregate, check_scorable
from core.evaluation.tasks import TASK
from core.evaluation.tasks.running import compute_task
from core.evaluation.tasks.similarity import STS
from core.evaluation.tasks.task import TaskResult, check_task
from core.pipeline.engine import Engine
from core.progress import Progress, silent
from core.recipe import Recipe
from core.recipe.options import Choice

FEWEST = 20
"""Rows of dev and of test that a search needs."""

_DEV_OF_TRAIN = 4
"""One of so many training rows is dev where a corpus has train and test alone."""


@dataclass(frozen=True, eq=False)
class Aim:
    """A task on rows of a corpus.

    Attributes
    ----------
    corpus
        The scored rows; for a task that learns from labels those too that it learns from.
    task
        The task, with its arguments.
    part
        What the scored rows are called: dev or test.
    split
        The split that is scored by a task that learns from labels; None for its own choice.
    aggregate
        How subsets are put together, for ``sts``.
    """

    corpus: Corpus
    task: Choice
    part: str
    split: str | None = None
    aggregate: Aggregate = "all"

    @property
    def name(self) -> str:
        """``demo dev``; with the task where it is not similarity."""
        task = "" if self.task == STS else f", {TASK.text(self.task)}"
        return f"{self.corpus.name} {self.part}{task}"

    @property
    def rows(self) -> int:
        """How many rows are scored."""
        if self.split:
            return self.corpus.split.count(self.split)
        given = TASK.find(self.task).supervised and "train" in self.corpus.splits
        return self.corpus.split.count("test") if given else self.corpus.rows

    @property
    def unit(self) -> str:
        """What a scored row is called, of many."""
        return "rows"

    @property
    def metric(self) -> str:
        """What its score is, ``Spearman × 100``; empty where the task says it with the score alone."""
        return "Spearman × 100" if self.task == STS else ""

    def measure(
        self,
        engine: Engine,
        recipe: Recipe,
        progress: Progress = silent,
        reference: Corpus | None = None,
    ) -> TaskResult:
        """The recipe's score; raises what :func:`~core.evaluation.tasks.running.run_task` raises.

        ``reference`` is what it learns from with ``fit=reference``; the corpus that it names when None.
        """
        return compute_task(
            engine, recipe, self.corpus, self.task, self.split, self.aggregate, progress, reference
        )

    def sampled(self, share: float) -> Aim:
        """The same on a share of the rows: of each split, subset and class, and one at least.

        A hash of their texts alone says which, and the rows of a smaller share are among those of a larger
        one.
        """
        return replace(self, corpus=self.corpus.of_rows(_sample(self.corpus, share)))

    @property
    def depends_on(self) -> tuple[object, ...]:
        """What a score depends on beside the recipe."""
        aggregate = self.aggregate if self.task.name == STS.name else ""
        return (self.corpus.labelled_fingerprint, TASK.keyed(self.task), self.split, aggregate)


@dataclass(frozen=True, eq=False)
class Parted:
    """A corpus in two parts: recipes are chosen by the one and reported on the other; and notes.

    ``by_hash`` says that the corpus has no such splits, and who scores it has the rows of both.
    """

    dev: Aim
    test: Aim
    notes: tuple[str, ...] = ()
    by_hash: bool = False

    @property
    def name(self) -> str:
        """The corpus, with the task where it is not similarity."""
        task = "" if self.dev.task == STS else f" ({TASK.text(self.dev.task)})"
        return f"{self.dev.corpus.name}{task}"


def part(corpus: Corpus, task: Choice = STS, aggregate: Aggregate = "all") -> Parted:
    """Dev and test of a corpus for a task.

    Where it has no such splits, each row goes to one of them by a hash of its text, and a note says so. A
    task that learns from labels has its training rows in both; they are cross-validated where there are
    none. Where train and test are given alone, a part of train is dev.

    Raises
    ------
    CorpusError
        The task cannot score the corpus, or does not tell better from worse; dev or test has too few rows,
        or gold scores that are all equal.
    """
    check_task(corpus, task)
    if not TASK.find(task).quality:
        raise CorpusError(
            f"find: a higher value of the task {TASK.text(task)} is no better one; recipes are chosen by "
            "tasks of which it is."
        )
    learns = TASK.find(task).supervised
    notes: tuple[str, ...] = ()
    by_hash = False
    if {"dev", "test"} <= set(corpus.splits):
        if learns and "train" in corpus.splits:
            seen = corpus.of_rows(np.flatnonzero([name in ("train", "dev") for name in corpus.split]))
            dev, test = Aim(seen, task, "dev", "dev"), Aim(corpus, task, "test", "test")
        else:
            dev, test = (Aim(corpus.take(name), task, name, None, aggregate) for name in ("dev", "test"))
    elif learns and {"train", "test"} <= set(corpus.splits):
        train = corpus.take("train")
        held = _digests(train)[:, 0] % _DEV_OF_TRAIN == 0
        names = tuple("dev" if row else "train" for row in held.tolist())
        dev = Aim(replace(train, split=names), task, "dev", "dev")
        test = Aim(corpus, task, "test", "test")
        notes = (f"{corpus.name} has no dev; one of {_DEV_OF_TRAIN} training rows is dev, by a hash.",)
    else:
        held = _digests(corpus)[:, 0] % 2 == 1
        dev, test = (
            Aim(_unnamed(corpus, held == side), task, name, None, aggregate)
            for side, name in ((False, "dev"), (True, "test"))
        )
        by_hash = True
        row = "pair" if corpus.paired else "row"
        notes = (
            f"{corpus.name} has no dev and test; each {row} went to one of them by a hash of its text.",
        )
    for aim in (dev, test):
        if aim.rows < FEWEST:
            raise CorpusError(
                f"find: {aim.part} of {corpus.name} has {counted(aim.rows, 'row')}; a search needs "
                f"{FEWEST} in each of dev and test. Choose or bring a corpus of {3 * FEWEST} rows or more, "
                f"which are parted, or one whose column split says dev of {FEWEST} and test of {FEWEST}."
            )
        check_task(aim.corpus, task)
        if task.name == STS.name:
            check_scorable(aim.corpus)
    return Parted(dev, test, notes, by_hash)


def _unnamed(corpus: Corpus, rows: Bool[np.ndarray, " row"]) -> Corpus:
    """Some rows, without the names of splits that are none here."""
    return replace(corpus.of_rows(np.flatnonzero(rows)), split=("",) * int(rows.sum()))


def _sample(corpus: Corpus, share: float) -> Int[np.ndarray, " row"]:
    """The rows of a share of a corpus, in its order; see :meth:`Aim.sampled`."""
    numbers = np.ascontiguousarray(_digests(corpus)[:, 8:16]).view(np.uint64)[:, 0]
    labels = corpus.labels or ("",) * corpus.rows
    strata: dict[tuple[str, str, str], list[int]] = {}
    for row, stratum in enumerate(zip(corpus.split, corpus.subset, labels, strict=True)):
        strata.setdefault(stratum, []).append(row)
    taken = []
    for rows in strata.values():
        ordered = sorted(rows, key=lambda row: int(numbers[row]))
        taken += ordered[: max(1, round(share * len(rows)))]
    return np.array(sorted(taken), int)


def _digests(corpus: Corpus) -> UInt8[np.ndarray, "row 32"]:
    """For each row, bytes that depend on its texts alone, in either order."""
    sides = [side for side in (corpus.first, corpus.second) if len(side)]
    texts = (
        "\0".join(sorted(corpus.sentences[int(side[row])] for side in sides)) for row in range(corpus.rows)
    )
    digests = b"".join(hashlib.sha256(text.encode()).digest() for text in texts)
    return np.frombuffer(digests, np.uint8).reshape(-1, 32)
