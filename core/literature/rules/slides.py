"""Rules for the slides of Lu (2023), paper 004: a scoreboard, whitening, classification, ablations."""

from __future__ import annotations

import re
from dataclasses import replace

from core.literature.rules.ditto import FLOW, WHITENING
from core.literature.rules.evaluations import NOT_TO_BE_HAD, classes, seven
from core.literature.rules.rule import BERT, Method, Rule, like, member
from core.literature.rules.sbert_wk import SYSTEMS
from core.literature.tables import Table
from core.literature.tables.table import Cell

_LARGE = "bert-large-uncased"
_SEVEN_CLASSES = ("MR", "CR", "SUBJ", "MPQA", "SST", "TREC", "MRPC")
_NO_SENTENCE_VECTORS = "A classifier that is trained on the texts themselves, not on sentence vectors."
_DECODER = (
    "A decoder of seven billion parameters, trained further; the hub holds what was added to it alone."
)
_TRAINING = "Each row is a model that is trained with another objective, and none of them is published."
_GLOVE = SYSTEMS["Avg. GloVe embeddings"]

_BOARD: dict[tuple[str, str], Method] = {
    ("Unsupervised Models", "GloVe (avg.)"): _GLOVE,
    ("Unsupervised Models", "BERT-flow"): FLOW,
    ("Unsupervised Models", "BERT-whitening"): WHITENING,
    ("Unsupervised Models", "DiffCSE-BERT"): like("DiffCSE", model=""),
    ("Unsupervised Models", "SimCSE-BERT"): like("SimCSE, unsupervised", model=""),
    ("Unsupervised Models", "LLaMA2-7B"): like("LLaMA2-7B, one word", model=""),
    ("Supervised Models", "SBERT"): like("SBERT", model=""),
    ("Supervised Models", "SimCSE-BERT"): like("SimCSE, supervised", model=""),
    ("Supervised Models", "SimCSE-LLaMA2-7B"): _DECODER,
    ("Supervised Models", "AnglE-BERT"): like("AnglE", model=""),
    ("Supervised Models", "AnglE-LLaMA2-7B"): _DECODER,
}

_CLASSIFIED: dict[str, Method] = {
    "Avg. GloVe embeddings": _GLOVE,
    "Avg. fast-text embeddings": SYSTEMS["Ave. FastText embedding"],
    "Avg. BERT embeddings": like("Last layer, mean"),
    "BERT CLS-vector": like("[CLS]"),
    "SBERT-NLI-base": like("SBERT", model=""),
    "SBERT-NLI-large": like("SBERT, large", model=""),
}

_WHITENED: dict[str, Rule] = {
    "first-last-avg": like("First-last avg. (layer 1)"),
    "flow (NLI)": FLOW,
    "flow (target)": like("BERT-flow"),
    "whitening (NLI)": WHITENING,
    "whitening-256 (NLI)": replace(WHITENING, recipe=WHITENING.recipe.replace("whiten(", "whiten(k=256,")),
    "whitening-384 (NLI)": replace(WHITENING, recipe=WHITENING.recipe.replace("whiten(", "whiten(k=384,")),
    "whitening (target)": like("BERT-whitening"),
    "whitening-256 (target)": like("BERT-whitening-256"),
}


def rule(table: Table, cell: Cell) -> Method:
    """The rule of one cell of paper 004."""
    if table.name.startswith("error rates"):
        return _NO_SENTENCE_VECTORS
    if table.name == "ablation":
        return _TRAINING
    if table.name == "classification":
        system = _CLASSIFIED.get(cell.row, NOT_TO_BE_HAD)
        return (
            system if isinstance(system, str) else classes(system, cell.column, _SEVEN_CLASSES, "logistic")
        )
    if table.name == "whitening":
        return _whitening(cell)
    system = _BOARD.get((cell.group, cell.row), NOT_TO_BE_HAD)
    if isinstance(system, str):
        return system
    return system.on(member("sts7", "STS-B")) if table.name == "STS-B test" else seven(system, cell.column)


def _whitening(cell: Cell) -> Method:
    """Whitening and flows: subsets weighted by their sizes but in the block of Reimers and Gurevych."""
    named = {
        "Avg. GloVe embeddings": _GLOVE,
        "Avg. BERT embeddings": like("Last layer, mean"),
        "BERT CLS-vector": like("[CLS]"),
    }
    if cell.row in named:
        system = named[cell.row]
        return system if isinstance(system, str) else seven(system, cell.column)
    size, label = re.fullmatch(r"BERT_(base|large)-(.+)", cell.row).groups()  # type: ignore[union-attr]
    found = replace(_WHITENED[label], model=_LARGE if size == "large" else BERT, aggregate="wmean")
    return seven(found, cell.column)
