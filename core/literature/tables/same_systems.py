"""Rows and cells of different tables that show the same system on the same task, and so one figure."""

from __future__ import annotations

from typing import NamedTuple

from core.literature.tables.catalogue import OF_CLASSIFICATION, OF_CLUSTERING, OF_SIMILARITY


class Row(NamedTuple):
    """A row by its place.

    Attributes
    ----------
    paper, table, label
        Where it stands.
    group
        The heading, where rows of this label stand under several.
    """

    paper: str
    table: str
    label: str
    group: str | None = None


def _rows(
    here: tuple[str, str], there: tuple[str, str], names: dict[str, str]
) -> tuple[tuple[Row, Row], ...]:
    return tuple((Row(*here, name), Row(*there, other)) for name, other in names.items())


_DITTO = {
    "First-last avg.": "BERT first-last avg.",
    "Last manual prompt": "BERT last manual prompt",
    "First-last Ditto": "BERT first-last Ditto",
}

_DITTO_SYSTEMS = (
    *("BERT static avg.", "BERT last avg.", "BERT first-last avg.", "BERT static remove biases avg."),
    *("BERT last manual prompt", "BERT static Ditto", "BERT last Ditto", "BERT first-last Ditto"),
    *("BERT-flow", "BERT-whitening", "BERT last manual and continuous prompt", "BERT first-last TF-IDF"),
    *("Unsup. BERT SimCSE", "Sup. BERT SimCSE", "Sup. SBERT first-last avg."),
    "Sup. SBERT first-last Ditto",
)

_KINDS = {
    "STS": OF_SIMILARITY,
    "Clust.": OF_CLUSTERING,
    "Class.": OF_CLASSIFICATION,
}

SAME_ROWS: tuple[tuple[Row, Row], ...] = (
    *_rows(
        ("001", "III"),
        ("003", "I"),
        {
            "Avg. GloVe embeddings": "Avg. GloVe",
            "SIF": "SIF",
            "p-mean": "p-mean",
            "Skip-Thought": "skip-thought",
            "Avg. BERT embedding": "Avg. BERT",
            "Proposed SBERT-WK": "SBERT-WK",
        },
    ),
    *_rows(
        ("001", "V"),
        ("003", "II"),
        {
            "Avg. GloVe embeddings": "GloVe(Ave)",
            "SIF": "SIF",
            "p-mean": "p-mean",
            "Skip-Thought": "skip-thought",
            "Universal Sentence Encoder": "USE",
            "SBERT-WK (SBERT)": "SBERT-WK",
        },
    ),
    *_rows(("001", "VIII"), ("003", "IV"), {"InferSent": "InferSent"}),
    *_rows(("002", "1"), ("002", "6"), {name: name for name in _DITTO_SYSTEMS}),
    *_rows(
        ("002", "6"), ("004", "scoreboard"), {"BERT-flow": "BERT-flow", "BERT-whitening": "BERT-whitening"}
    ),
    (
        Row("002", "6", "Unsup. BERT SimCSE"),
        Row("004", "scoreboard", "SimCSE-BERT", "Unsupervised Models"),
    ),
    (Row("002", "6", "Sup. BERT SimCSE"), Row("004", "scoreboard", "SimCSE-BERT", "Supervised Models")),
    (Row("004", "whitening", "Avg. GloVe embeddings"), Row("004", "scoreboard", "GloVe (avg.)")),
)
"""Pairs of rows; the columns that both have are compared."""

SAME_CELLS: tuple[tuple[Row, str, Row, str], ...] = (
    *((Row("002", "2", row), "BERT", Row("002", "6", other), "Avg.") for row, other in _DITTO.items()),
    (Row("002", "3", "BERT"), "STS avg.", Row("002", "6", "BERT first-last avg."), "Avg."),
    (Row("002", "3", "SBERT"), "STS avg.", Row("002", "6", "Sup. SBERT first-last avg."), "Avg."),
    (Row("002", "3", "ELECTRA"), "STS avg.", Row("002", "2", "First-last avg."), "ELECTRA"),
    (Row("002", "4", "Ditto Head 1-10"), "Test", Row("002", "6", "BERT first-last Ditto"), "Avg."),
    *(
        (Row("000", "1", template), kind, Row("000", "4", "[MASK]", group), template)
        for template in ("T0", "T4")
        for kind, group in _KINDS.items()
    ),
    *(
        (Row("000", "Section 4.2", f"{template} avg."), kind, Row("000", "4", "avg.", group), template)
        for template in ("T0", "T4")
        for kind, group in _KINDS.items()
    ),
    *(
        (
            Row("004", "STS-B test", system),
            "Spearman's",
            Row("004", "scoreboard", system, "Unsupervised Models"),
            "STS-B",
        )
        for system in ("SimCSE-BERT", "ConSERT-BERT", "DiffCSE-BERT")
    ),
)
"""Pairs of cells, each as row and column."""
