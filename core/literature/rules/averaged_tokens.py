"""Rules for Stankevičius & Lukoševičius (2025), paper 000.

A row is a weight of tokens with a step after pooling ("idf^W + zscore"), a column a model. Tables 6 to 19
have one task each, Tables 1, 4 and 5 means over the tasks of a kind. ``^W`` behind a step says that it is
learnt from WikiText-2. Behind idf the two letters are interchanged in print (see the slips).
"""

from __future__ import annotations

from core.evaluation.tasks.groups import Member
from core.literature.rules.rule import BERT, WIKITEXT, Method, Metric, Rule, group, like, member
from core.literature.tables import Table
from core.literature.tables.catalogue import CLUSTERING, SIMILARITY
from core.literature.tables.table import Cell

WEIGHTS = {
    "avg.": "",
    "idf^W": "weight=idf",
    "idf^T": f"weight=idf(fit=reference);{WIKITEXT}",
    "-biases": "tokens=unbiased",
    "[MASK]": "tokens=mask",
}
"""What a row does before pooling."""

STEPS = {
    "": "",
    "normalize": "post=normalize",
    "quantile-u": "post=quantile",
    "quantile-u^W": f"post=quantile(fit=reference);{WIKITEXT}",
    "whiten": "post=whiten",
    "whiten^W": f"post=whiten(fit=reference);{WIKITEXT}",
    "zscore": "post=zscore",
    "abtt-2": "post=abtt",
}
"""What it does after pooling."""

COLUMNS = {
    "T0": "template=T0;layers=last",
    "T4": "template=T4;layers=last",
    "BERT": "",
    "BERT + Avg.": f"mix=averaged;{WIKITEXT}",
    "Avg.": f"mix=averaged(w=1);{WIKITEXT}",
    "B2S": "tokens=content",
    "B2S-100": "tokens=content",
    "RE": "source=random;tokens=content",
}
"""What a column computes token vectors with."""

_KINDS = {"STS": "sts8", "Clust.": "clustering", "Class.": "classification"}
"""The group of tasks that a column of Table 1 is the mean over."""

_GROUPS = {
    "Avg. Spearman correlation (%) of STS tasks": "sts8",
    "Avg. accuracy (%) of clustering tasks": "clustering",
    "Avg. accuracy (%) of classification tasks": "classification",
}

_SWAPPED = "The paper's labels idf^W and idf^T are interchanged: ^W is met by idf of the scored corpus."
_CONTEXTS = "The paper averages contexts of WikiText-103, this recipe those of WikiText-2."
_FREQUENT = "The paper leaves out 33 frequent tokens, this recipe the 36 of the released list."
_LINES = "The paper learns from WikiText-2 by sentences, this recipe by lines."
_SEEDS = "Another seed moves a score by some tenths."
_DROPPED = "B2S-100 leaves out the 100 most frequent words: write drop=100 into the source of recipe A."

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
        source = simcse.recipe.partition(";")[0]
        return Rule(f"{source};{STEPS['quantile-u^W']}", tasks, "", "", metric, differs=(_LINES,))
    return _row_and_column(cell, tasks, metric)


def _tasks(table: Table, cell: Cell) -> tuple[tuple[Member, ...], Metric]:
    if table.name.isdigit() and (number := int(table.name)) >= 6:
        title = (*SIMILARITY, *CLUSTERING)[number - 6]
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
    text = ";".join(stages.values())
    differs, told = [], []
    if cell.column in ("Avg.", "BERT + Avg."):
        differs.append(_CONTEXTS)
    elif "fit=reference" in STEPS[step]:
        differs.append(_LINES)
    if weight == "-biases":
        differs.append(_FREQUENT)
    if weight.startswith("idf"):
        told.append(_SWAPPED)
    if cell.column == "RE":
        return Rule(text, tasks, "", "", metric, differs=tuple(differs), told=(*told, _SEEDS))
    if cell.column.startswith("B2S"):
        model = "bert_12layer_para"
        if cell.column == "B2S-100":
            told.append(_DROPPED)
        return Rule(text, tasks, "vectors", model, metric, differs=tuple(differs), told=tuple(told))
    return Rule(text, tasks, "model", BERT, metric, differs=tuple(differs), told=tuple(told))
