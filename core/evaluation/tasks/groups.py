"""Groups of tasks that papers average over, and their mean as the papers take it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from core.corpora.catalogue import Catalogue
from core.corpora.hub_sets import plain, same
from core.corpora.senteval import PROBING
from core.errors import CorpusError, closest, shorten
from core.evaluation.difference import Difference
from core.evaluation.statistics import in_own_order, interval
from core.evaluation.tasks.task import TASK, Samples, TaskResult, no_samples
from core.recipe.options import Choice


@dataclass(frozen=True)
class Member:
    """A task on a corpus: what the papers call it, and the names under which the corpus may be here."""

    title: str
    corpora: tuple[str, ...]
    task: str


@dataclass(frozen=True)
class Group:
    """Tasks whose values are averaged; ``explanation`` says whose group it is."""

    name: str
    explanation: str
    members: tuple[Member, ...]


@dataclass(frozen=True, eq=False)
class Mean:
    """The unweighted mean of the main values of some tasks, with its 95 % interval.

    Every corpus is resampled by itself, so that the interval says how far the mean would move on other rows
    of the same corpora; which corpora were taken is not resampled. NaN where a value does not exist.
    ``samples`` are the means of the resamples, the same for every recipe, so that differences of means of
    the same tasks are paired. ``others`` are the means of the values that every task has beside the main
    one, as Pearson's correlations.
    """

    value: float
    samples: Samples
    tasks: int
    others: Mapping[str, float] = field(default_factory=dict)

    @property
    def bounds(self) -> tuple[float, float]:
        """The 95 % bootstrap interval."""
        return interval(self.samples)

    def above(self, other: Mean) -> Difference:
        """This mean minus another of the same tasks, with its paired interval."""
        return Difference.paired(other.value, other.samples, self.value, self.samples)


def _sts(*titles: str) -> tuple[Member, ...]:
    return tuple(Member(title, _NAMES.get(title, (title, title.lower())), "sts") for title in titles)


def _of(task: str, *titles: str) -> tuple[Member, ...]:
    return tuple(Member(title, (title,), task) for title in titles)


_NAMES = {
    "STS-B": ("STS-B", "stsb"),
    "SICK-R": ("SICK", "sickr"),
    "STR": ("STR", "STR-2022", "STR2022", "str2022"),
}
_BY_LABEL = ("clustering", "classification", "probing")
_YEARS = ("STS12", "STS13", "STS14", "STS15", "STS16")
_SCORES = "classification(gold=score)"

GROUPS: Mapping[str, Group] = {
    group.name: group
    for group in (
        Group("sts", "the yearly tasks of 2012 to 2016", _sts(*_YEARS)),
        Group("sts7", "the seven of SimCSE and of most papers since", _sts(*_YEARS, "STS-B", "SICK-R")),
        Group(
            "sts8",
            "the seven and STR, as Stankevičius & Lukoševičius 2025 average them",
            _sts(*_YEARS, "STS-B", "SICK-R", "STR"),
        ),
        Group(
            "clustering",
            "short texts, Stankevičius & Lukoševičius 2025",
            _of(
                "clustering", "agnews", "biomedical", "googleTS", "searchsnippets", "stackoverflow", "tweet"
            ),
        ),
        Group(
            "classification",
            "Stankevičius & Lukoševičius 2025: STS-B and SICK-R as five soft classes",
            (
                *_of("classification", "MR", "CR", "SUBJ", "MPQA", "SST2", "MRPC", "SciCite"),
                Member("SICK-E", ("SICK", "SICK-E"), "classification"),
                *_of("classification", "SST5", "TREC"),
                Member("SICK-R", ("SICK", "SICK-R"), _SCORES),
                Member("STS-B", ("STS-B",), _SCORES),
            ),
        ),
        Group(
            "probing",
            "the ten of Conneau et al. 2018, by an MLP as in Wang & Kuo 2020",
            _of("probing", *PROBING),
        ),
    )
}
"""The groups by name, their members in the papers' order."""


@dataclass(frozen=True)
class Found:
    """The members of a group that are here, each with its corpus and task, and the titles of the others."""

    here: tuple[tuple[Member, str, Choice], ...]
    missing: tuple[str, ...]


def find_group(catalogue: Catalogue, name: str) -> Found:
    """The members of a group whose corpora can be read without the network.

    Raises :class:`CorpusError` for a name that is no group, or a group of which no corpus is here.
    """
    if name not in GROUPS:
        listed = ", ".join(GROUPS)
        raise CorpusError(f"There is no group {shorten(name)}.{closest(name, GROUPS)} Allowed: {listed}.")
    there = [entry.name for entry in catalogue.listed() if catalogue.is_here(entry.name)]
    here, missing = [], []
    for member in GROUPS[name].members:
        corpus = _corpus_of(member, there)
        if corpus is None:
            missing.append(member.title)
        else:
            here.append((member, corpus, TASK.parse(member.task)))
    if not here:
        titles = ", ".join(missing)
        raise CorpusError(f"The group {name} needs {titles}; none of them is here (--data, STRATA_DATA).")
    return Found(tuple(here), tuple(missing))


def _corpus_of(member: Member, there: Sequence[str]) -> str | None:
    """The corpus of a member, under one of its own names or, where it is of scored pairs, any other.

    A file called as a benchmark of scored pairs may lack the labels of a task on labels.
    """
    alike = plain if member.task in _BY_LABEL else same
    for candidate in member.corpora:
        if candidate in there:
            return candidate
    wanted = {alike(candidate) for candidate in member.corpora}
    return next((name for name in there if alike(name) in wanted), None)


class Asked(NamedTuple):
    """A corpus that is to be scored, what it is called, and its task; None for a corpus named itself."""

    title: str
    corpus: str
    task: Choice | None = None


def asked_for(catalogue: Catalogue, text: str) -> tuple[list[Asked], tuple[str, ...]]:
    """What names joined by ``,`` stand for, each once; and what of a group is missing.

    A mean over the same rows twice would look surer than it is.

    Raises :class:`CorpusError` for an empty name.
    """
    asked: list[Asked] = []
    missing: list[str] = []
    for name in (part.strip() for part in text.split(",")):
        if not name:
            raise CorpusError(f"corpora: got {shorten(text)}; allowed is names joined by ','.")
        if name not in GROUPS:
            asked.append(Asked(name, name))
            continue
        found = find_group(catalogue, name)
        asked += [Asked(member.title, corpus, task) for member, corpus, task in found.here]
        missing += found.missing
    once: dict[tuple[str, str], Asked] = {}
    for one in asked:
        once.setdefault((one.corpus, str(one.task)), one)
    return [*once.values()], tuple(dict.fromkeys(missing))


def mean_of(results: Sequence[TaskResult]) -> Mean:
    """The mean of the main values; without an interval where a result has none.

    Raises :class:`ValueError` for no results.
    """
    if not results:
        raise ValueError("a mean needs at least one result")
    value = float(np.mean([result.value for result in results]))
    shared = [name for name in results[0].others if all(name in result.others for result in results)]
    others = {name: float(np.mean([result.others[name] for result in results])) for name in shared}
    samples = no_samples()
    if np.isfinite(value) and len({len(result.samples) for result in results}) == 1:
        samples = np.mean([in_own_order(i, r.samples) for i, r in enumerate(results)], axis=0)
    return Mean(value, samples, len(results), others)
