"""Rules for Wang et al. (2020), paper 003: S3E beside other ways to add word vectors."""

from __future__ import annotations

from dataclasses import replace

from core.literature.published import SEVEN
from core.literature.rules.evaluations import NOT_TO_BE_HAD, classes, relatedness
from core.literature.rules.rule import Method, like, on_vectors
from core.literature.rules.sbert_wk import CLASSES, SIF, SYSTEMS, TIMES
from core.literature.tables import Table
from core.literature.tables.table import Cell

_S3E = replace(like("S3E, GloVe"), model="glove")

_LFP = "lexvec.commoncrawl.300d.W.pos.vectors+crawl-300d-2M.vec+paragram_300_sl999.txt"
"""LexVec, fastText and PSL side by side, as a source names them."""

_SYSTEMS: dict[str, Method] = {
    **dict.fromkeys(("skip-thought", "InferSent", "ELMo", "FastSent", "Sent2Vec", "USE"), NOT_TO_BE_HAD),
    "Avg. BERT": like("Last layer, mean"),
    "SBERT-WK": SYSTEMS["Proposed SBERT-WK"],
    "Avg. GloVe": SYSTEMS["Avg. GloVe embeddings"],
    "GloVe(Ave)": SYSTEMS["Avg. GloVe embeddings"],
    "SIF": SIF,
    "p-mean": SYSTEMS["p-mean"],
    "DCT": on_vectors("DCT"),
    "VLAWE": on_vectors("VLAWE"),
    "S3E (GloVe)": _S3E,
    "S3E (FastText)": replace(_S3E, model="crawl"),
    "S3E (L.F.P.)": replace(_S3E, model=_LFP),
}


def rule(table: Table, cell: Cell) -> Method:
    """The rule of one cell of paper 003."""
    if table.name == "IV":
        return TIMES
    system = _SYSTEMS[cell.row]
    if isinstance(system, str):
        return system
    if table.name == "I":
        return relatedness(system, cell.column, SEVEN)
    return classes(system, cell.column, CLASSES, "senteval")
