"""Rules for Wang & Kuo (2020), paper 001: similarity, classification by a perceptron, probing, parts."""

from __future__ import annotations

from dataclasses import replace

from core.literature.published import SEVEN, YEARS
from core.literature.rules.evaluations import NOT_TO_BE_HAD, classes, probe, relatedness
from core.literature.rules.rule import Method, Rule, like, on_vectors
from core.literature.tables import Table
from core.literature.tables.table import Cell

_SBERT = like("SBERT").recipe.partition(";")[0]
FOUR_KINDS = (
    "glove.840B.300d.txt+GoogleNews-vectors-negative300.bin+attract_repel.txt+morph_specialised.txt"
)
"""The files of word vectors that p-means takes side by side, as a source names them."""

TIMES = "A time belongs to a machine: the page Methods measures the times of this one."
SIX = (*YEARS, "STS-B")
"""The tasks of Table VII."""

CLASSES = ("MR", "CR", "SUBJ", "MPQA", "SST", "TREC", "MRPC", "SICK-E")
SIF = on_vectors("SIF")

SYSTEMS: dict[str, Method] = {
    "Avg. GloVe embeddings": like("GloVe avg.", model="glove", differs=()),
    "Ave. FastText embedding": like("FastText avg.", model="crawl", differs=()),
    "SIF": SIF,
    "p-mean": like("p-means, four kinds", model=FOUR_KINDS),
    "Skip-Thought": NOT_TO_BE_HAD,
    "InferSent-GloVe": NOT_TO_BE_HAD,
    "InferSent-FastText": NOT_TO_BE_HAD,
    "Universal Sentence Encoder": NOT_TO_BE_HAD,
    "BERT [CLS]": like("[CLS]"),
    "BERT [CLS] vector": like("[CLS]"),
    "Avg. BERT embedding": like("Last layer, mean"),
    "Avg. XLNET embedding": like("Last layer, XLNet", model=""),
    "SBERT-WK (XLNET)": like("SBERT-WK on XLNet", model=""),
    "Sentence-BERT": like("SBERT", model=""),
    "Proposed SBERT-WK": like("SBERT-WK on SBERT", model=""),
    "SBERT-WK (SBERT)": like("SBERT-WK on SBERT", model=""),
}

PARTS = {
    "SBERT baseline": "layers=last",
    "SBERT + Alignment": "layers=wk(omega=1)",
    "SBERT + Novelty": "layers=wk(omega=0)",
    "SBERT + Token Importance (last layer)": "layers=last;weight=variance",
    "SBERT + Token Importance (all layers)": "layers=all;weight=variance",
    "SBERT-WK": "layers=wk;weight=variance",
}
"""Table VII: parts of the method on SBERT."""


def rule(table: Table, cell: Cell) -> Method:
    """The rule of one cell of paper 001."""
    if table.name == "VIII":
        return TIMES
    if table.name == "VII":
        return relatedness(Rule(f"{_SBERT};{PARTS[cell.row]}", (), "", ""), cell.column, SIX)
    system = SYSTEMS[cell.row]
    if isinstance(system, str):
        return system
    if table.name == "III":
        return relatedness(system, cell.column, SEVEN)
    system = replace(system, differs=tuple(each for each in system.differs if "aggregate" not in each))
    return (
        probe(system, cell.column)
        if table.name == "VI"
        else classes(system, cell.column, CLASSES, "senteval")
    )
