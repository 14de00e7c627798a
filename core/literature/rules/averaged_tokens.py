"""Rules for Stankevičius & Lukoševičius (2025), paper 000.

A row is a weight of tokens with a step after pooling ("idf^W + zscore"), a column a model. Tables 6 to 19
have one task each, Tables 1, 4 and 5 means over the tasks of a kind. ``^W`` behind a step says that it is
learnt from WikiText-2. Behind idf the two letters are interchanged in print (see the slips).

The paper does not say how it reads WikiText-2 but for IsoScore, by sentences. What column RE shows, which
needs no model, is taken: steps after pooling are learnt from sentences, idf is counted over lines. Points
apart on average over six tasks, by sentences and by lines: idf^T 0.49 and 0.31, quantile-u^W 0.39 and
0.53, idf^T with quantile-u^W 0.62 and 0.82, idf^T with whiten^W 0.51 and 0.43; whiten^W 1.10 by lines, and
at most 0.1 on three tasks by sentences. A recipe reads one reference, so idf^T with ^W reads sentences too.
"""

from __future__ import annotations

from dataclasses import replace

from core.evaluation.tasks.groups import Member
from core.literature.rules.rule import (
    BERT,
    WIKITEXT,
    WIKITEXT_LINES,
    Method,
    Metric,
    Rule,
    group,
    like,
    member,
)
from core.literature.tables import Table
from core.literature.tables.catalogue import (
    OF_CLASSIFICATION,
    OF_CLUSTERING,
    OF_SIMILARITY,
    SIMILARITY,
    SINGLE_TASKS,
)
from core.literature.tables.table import Cell

WEIGHTS = {
    "avg.": "",
    "idf^W": "weight=idf",
    "idf^T": "weight=idf(fit=reference)",
    "-biases": "tokens=unbiased",
    "[MASK]": "tokens=mask",
}
"""What a row does before pooling."""

STEPS = {
    "": "",
    "normalize": "post=normalize",
    "quantile-u": "post=quantile",
    "quantile-u^W": "post=quantile(fit=reference)",
    "whiten": "post=whiten",
    "whiten^W": "post=whiten(fit=reference)",
    "zscore": "post=zscore",
    "abtt-2": "post=abtt",
}
"""The post-processing of a recipe, by what the paper calls it."""

COLUMNS = {
    "T0": "template=T0;layers=last",
    "T4": "template=T4;layers=last",
    "BERT": "",
    "BERT + Avg.": "mix=averaged",
    "Avg.": "mix=averaged(w=1)",
    "B2S": "tokens=content",
    "B2S-100": "tokens=content",
    "RE": "source=random;tokens=content",
}
"""What a column computes token vectors with."""

_MIXED = ("Avg.", "BERT + Avg.")
"""Columns that learn vectors of tokens from WikiText."""

_KINDS = {"STS": "sts8", "Clust.": "clustering", "Class.": "classification"}
"""The group of tasks that a column of Table 1 is the mean over."""

_GROUPS = {
    OF_SIMILARITY: "sts8",
    OF_CLUSTERING: "clustering",
    OF_CLASSIFICATION: "classification",
}

_SWAPPED = "The paper's labels idf^W and idf^T are interchanged: ^W is met by idf of the scored corpus."
_CONTEXTS = "The paper averages contexts of WikiText-103, this recipe those of WikiText-2."
_FREQUENT = "The paper leaves out 33 frequent tokens, this recipe the 36 of the released list."
_SENTENCES = "WikiText-2 is read by sentences, which random embeddings meet closer than its lines."
_BY_LINES = (
    "idf is counted over the lines of WikiText-2, which random embeddings meet closer than its sentences."
)
_ONE_UNIT = "idf is counted over sentences too, since a recipe reads one reference."
_SEEDS = "Another seed moves a score by some tenths."

_SECTION = {
    "T0 avg.": "template=T0;layers=last",
    "T4 avg.": "template=T4;layers=last",
    "T4 avg. no [MASK]": "template=T4;layers=last;tokens=nomask",
    "BERT avg.": "layers=last",
}
"""The rows that Section 4.2 tells in its text."""


def rule(table: Table, cell: Cell) -> Method:
    """The rule of one cell of paper 000."""
    tasks, metric = _tasks(table, cell)
    if table.name == "1":
        return Rule(f"template={cell.row};layers=last;tokens=mask", tasks, metric=metric)
    if table.name.startswith("Section"):
        return Rule(_SECTION[cell.row], tasks, metric=metric)
    if cell.column == "SimCSE":
        simcse = like("SimCSE, supervised", model="")
        if cell.row == "SimCSE":
            return simcse.on(tasks, metric)
        recipe = f"{like('SimCSE, quantile').recipe};{WIKITEXT}"
        return Rule(recipe, tasks, "", "", metric, told=(_SENTENCES,))
    return _row_and_column(cell, tasks, metric)


def _tasks(table: Table, cell: Cell) -> tuple[tuple[Member, ...], Metric]:
    if (title := SINGLE_TASKS.get(table.name)) is not None:
        name = "sts8" if title in SIMILARITY else "clustering"
        tasks = member(name, title)
    else:
        name = _GROUPS.get(cell.group) or _KINDS[cell.column]
        tasks = group(name)
    return tasks, "spearman" if name == "sts8" else "accuracy"


def _row_and_column(cell: Cell, tasks: tuple[Member, ...], metric: Metric) -> Method:
    weight, _, step = cell.row.partition(" + ")
    parts = [*COLUMNS[cell.column].split(";"), *WEIGHTS[weight].split(";"), *STEPS[step].split(";")]
    stages = {part.partition("=")[0]: part for part in parts if part}
    told = [_SWAPPED] if weight.startswith("idf") else []
    reference, about = _reference(cell.column, weight, step)
    text = ";".join((*stages.values(), *reference))
    told += about
    differs = [_CONTEXTS] if cell.column in _MIXED else []
    if weight == "-biases":
        differs.append(_FREQUENT)
    found = Rule(text, tasks, "model", BERT, metric, differs=tuple(differs), told=tuple(told))
    if cell.column == "RE":
        return replace(found, takes="", model="", told=(*told, _SEEDS))
    if cell.column.startswith("B2S"):
        drop = int(cell.column.partition("-")[2] or 0)
        return replace(found, takes="vectors", model="bert_12layer_para", drop=drop)
    return found


def _reference(column: str, weight: str, step: str) -> tuple[list[str], list[str]]:
    """The stage that names WikiText-2 and its unit, where something is learnt from it, and what to know."""
    of_weight, of_step = "fit=reference" in WEIGHTS[weight], "fit=reference" in STEPS[step]
    if of_weight and not of_step and column not in _MIXED:
        return [WIKITEXT_LINES], [_BY_LINES]
    if not (of_weight or of_step or column in _MIXED):
        return [], []
    return [WIKITEXT], [_SENTENCES] * of_step + [_ONE_UNIT] * of_weight
