"""The tasks of papers 001 to 004, by the columns of their tables."""

from __future__ import annotations

from dataclasses import replace

from core.evaluation.tasks.groups import Member
from core.literature.rules.rule import Rule, group, member
from core.literature.tables.slips import task

NOT_TO_BE_HAD = (
    "A model that is trained for it; no safetensors file of it is known, and no recipe stands for it."
)

SUBSETS = "The mean of the subsets' correlations, as the released program of SBERT-WK prints it."

_SUPERVISED = {
    "STS-B": (Member("STS-B", ("STS-B", "stsb"), "supervised_sts"),),
    "SICK-R": (Member("SICK-R", ("SICK", "sickr"), "supervised_sts"),),
}
"""Papers 001 and 003 learn scores for these two."""

INNER = "L2 is chosen by three folds of the training rows where there is no dev split, in the paper by ten."

_WITH_DEV = ("SST", "SICK-E")

_CLASSES = {
    **{name: (name,) for name in ("MR", "CR", "SUBJ", "MPQA", "TREC", "MRPC")},
    "SST": ("SST2",),
    "SICK-E": ("SICK", "SICK-E"),
}

_PROBES = dict(
    zip(
        (
            "SentLen",
            "WC",
            "TreeDepth",
            "TopConst",
            "BShift",
            "Tense",
            "SubjNum",
            "ObjNum",
            "SOMO",
            "CoordInv",
        ),
        group("probing"),
        strict=True,
    )
)


def seven(rule: Rule, column: str) -> Rule:
    """A rule on one of the seven tasks of similarity, or on their mean."""
    return rule.on(group("sts7") if column == "Avg." else member("sts7", task(column)))


def relatedness(rule: Rule, column: str, titles: tuple[str, ...]) -> Rule:
    """A rule on the similarity tasks of papers 001 and 003, Pearson's correlation.

    Scores of STS-B and SICK-R are learnt. ``titles`` are the tasks that ``column`` is the mean over when it
    is none of them.
    """
    name = task(column)
    names = (name,) if name in (*titles, *_SUPERVISED) else titles
    tasks = tuple(one for each in names for one in _SUPERVISED.get(each) or member("sts7", each))
    told = (*rule.told, SUBSETS) if any(one.task == "sts" for one in tasks) else rule.told
    return replace(rule, tasks=tasks, metric="pearson", aggregate="mean", told=told)


def classes(rule: Rule, column: str, names: tuple[str, ...], classifier: str) -> Rule:
    """A rule on a classification task, or on the mean over ``names``."""
    columns = names if column == "Avg." else (task(column),)
    wanted = f"classification(classifier={classifier})" if classifier != "logistic" else "classification"
    tasks = tuple(Member(name, _CLASSES[name], wanted) for name in columns)
    inner = classifier == "senteval" and any(name not in _WITH_DEV for name in columns)
    return replace(rule, tasks=tasks, metric="accuracy", differs=(*rule.differs, *[INNER] * inner))


def probe(rule: Rule, column: str) -> Rule:
    """A rule on a probing task."""
    task = replace(_PROBES[column], task="probing(classifier=senteval)")
    return replace(rule, tasks=(task,), metric="accuracy")
