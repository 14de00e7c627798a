"""Figures of papers that show a score against an argument of a recipe, as rules for every point."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from core.evaluation.tasks.groups import Member
from core.literature.published import SEVEN, YEARS
from core.literature.rules.evaluations import classes, relatedness
from core.literature.rules.rule import NLI, Rule, group, like
from core.literature.rules.sbert_wk import CLASSES
from core.recipe import Recipe

Line = Mapping[float, Rule]
"""A rule for each value of the argument."""


@dataclass(frozen=True)
class Curve:
    """A figure of a paper.

    Attributes
    ----------
    paper, name
        Where it stands: the paper's number, and what the paper calls the figure.
    title
        What it shows.
    argument
        What its points differ in.
    lines
        A line for each task.
    published
        The value of the argument that the paper takes; None where it takes none.
    """

    paper: str
    name: str
    title: str
    argument: str
    lines: Mapping[str, Line]
    published: float | None = None


def _with_pool_argument(rule: Rule, name: str, value: int) -> Rule:
    """The rule with another value for an argument of its pooling."""
    recipe = Recipe.parse(rule.recipe)
    option, _, inside = recipe.spelled()["pool"].rstrip(")").partition("(")
    others = [part for part in inside.split(",") if part and not part.startswith(f"{name}=")]
    pool = f"{option}({','.join([f'{name}={value}', *others])})"
    return replace(rule, recipe=str(recipe.replace(source="bundled", pool=pool)))


_YEARLY = "STS"
"""SBERT-WK's figure has one line for the mean over the yearly tasks."""


def _lines(rules: Line, tasks: tuple[Member, ...]) -> dict[str, Line]:
    """The same rules on each of some tasks of similarity."""
    return {one.title: {at: rule.on((one,)) for at, rule in rules.items()} for one in tasks}


def _relatedness(rules: Line, names: tuple[str, ...]) -> dict[str, Line]:
    return {name: {at: relatedness(rule, name, SEVEN) for at, rule in rules.items()} for name in names}


def _of_years(rules: Line) -> dict[str, Line]:
    """The mean over the yearly tasks, and each of them."""
    mean = {at: relatedness(rule, _YEARLY, YEARS) for at, rule in rules.items()}
    return {_YEARLY: mean, **_relatedness(rules, YEARS)}


def _classes(rules: Line, *names: str) -> dict[str, Line]:
    return {
        name: {at: classes(rule, name, CLASSES, "senteval") for at, rule in rules.items()} for name in names
    }


_WINDOW = {
    float(m): Rule(f"layers=wk(window={m});weight=variance", (), model="bert-base-nli") for m in range(1, 5)
}
_STARTS = {
    float(start): Rule(f"layers=wk(start={start});weight=variance", (), model="bert-base-nli")
    for start in range(7)
}
_GROUPS = {
    float(k): _with_pool_argument(like("S3E, GloVe", model="glove", differs=()), "k", k)
    for k in range(5, 61, 5)
}
_REMOVED = {float(d): Rule(f"post=abtt(d={d})", ()) for d in (1, 2, 3, 5, 10, 20, 50, 100)}
_LEFT_OUT = {
    float(n): Rule("tokens=content", (), "vectors", "bert_12layer_para", drop=n)
    for n in (0, 10, 20, 50, 100, 200, 500, 1000)
}
_KEPT = {float(k): Rule(f"post=whiten(k={k})", ()) for k in (16, 32, 64, 128, 192, 256, 384, 512, 768)}
_KEPT_NLI = {
    k: replace(rule, recipe=f"post=whiten(k={k:g},fit=reference);{NLI}") for k, rule in _KEPT.items()
}

CURVES: tuple[Curve, ...] = (
    Curve(
        "000",
        "Section 4.1",
        "All-but-the-top: principal components that are removed",
        "components removed",
        _lines(_REMOVED, group("sts8")),
        2,
    ),
    Curve(
        "000",
        "Section 4.1.1",
        "BERT2Static: frequent words that are left out",
        "words left out",
        _lines(_LEFT_OUT, group("sts8")),
        100,
    ),
    Curve(
        "001",
        "Figure 3 (a)",
        "SBERT-WK: the window in which layers are compared",
        "window m",
        _of_years(_WINDOW) | _classes(_WINDOW, "SICK-E", "SST"),
        2,
    ),
    Curve(
        "001",
        "Figure 3 (b)",
        "SBERT-WK: the layer that it starts from",
        "starting layer",
        _of_years(_STARTS) | _classes(_STARTS, "SICK-E", "SST"),
        4,
    ),
    Curve(
        "003",
        "Figure 2",
        "S3E: groups of words",
        "groups K",
        _relatedness(_GROUPS, ("STS-B",)) | _classes(_GROUPS, "SICK-E", "SST"),
    ),
    Curve(
        "004",
        "Impact of dimensions (target)",
        "Whitening learnt on the scored corpus: dimensions that are kept",
        "dimensions kept",
        _lines(_KEPT, group("sts7")),
        256,
    ),
    Curve(
        "004",
        "Impact of dimensions (NLI)",
        "Whitening learnt on the sentences of NLI: dimensions that are kept",
        "dimensions kept",
        _lines(_KEPT_NLI, group("sts7")),
        256,
    ),
)
"""The figures in the order of the papers."""


def curves_of(paper: str) -> tuple[Curve, ...]:
    """The curves of the paper of this number."""
    return tuple(curve for curve in CURVES if curve.paper == paper)
