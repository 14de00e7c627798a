"""The five papers whose tables are kept as data, by the numbers they are called by here."""

from __future__ import annotations

from dataclasses import dataclass

from core.errors import StrataError, shorten


@dataclass(frozen=True)
class Paper:
    """A paper.

    Attributes
    ----------
    number
        What the command line and the file names call it: ``000`` to ``004``.
    citation
        Authors and year, as the presets cite it.
    title
        Its title.
    """

    number: str
    citation: str
    title: str


PAPERS: tuple[Paper, ...] = (
    Paper(
        "000",
        "Stankevičius & Lukoševičius 2025",
        "Extracting Sentence Embeddings from Pretrained Transformer Models",
    ),
    Paper(
        "001",
        "Wang & Kuo 2020",
        "SBERT-WK: A Sentence Embedding Method by Dissecting BERT-based Word Models",
    ),
    Paper(
        "002",
        "Chen et al. 2023",
        "Ditto: A Simple and Efficient Approach to Improve Sentence Embeddings",
    ),
    Paper(
        "003",
        "Wang et al. 2020",
        "Efficient Sentence Embedding via Semantic Subspace Analysis",
    ),
    Paper("004", "Lu 2023", "Sentence Embedding (slides)"),
)
"""The papers in the order of their numbers."""


def paper(number: str) -> Paper:
    """The paper of a number; ``2`` and ``002`` are the same.

    Raises
    ------
    StrataError
        There is no such paper.
    """
    asked = number.strip()
    for known in PAPERS:
        if asked and known.number == asked.zfill(3):
            return known
    allowed = ", ".join(f"{known.number} ({known.citation})" for known in PAPERS)
    raise StrataError(f"paper: got {shorten(number)}; allowed is {allowed}.")
