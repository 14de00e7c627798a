"""The papers whose methods, measures and figures a deck uses, as BibTeX."""

from __future__ import annotations

from collections.abc import Iterator

from components.deck.document import Deck, PinnedFigure
from core.errors import StrataError
from core.literature.tables.papers import PAPERS
from core.recipe import Recipe

ENTRIES = {
    "stankevicius2025": (
        "misc",
        {
            "author": "Lukas Stankevi{\\v{c}}ius and Mantas Luko{\\v{s}}evi{\\v{c}}ius",
            "title": "Extracting Sentence Embeddings from Pretrained Transformer Models",
            "year": "2025",
        },
    ),
    "wangkuo2020": (
        "article",
        {
            "author": "Bin Wang and C.-C. Jay Kuo",
            "title": "{SBERT-WK}: A Sentence Embedding Method by Dissecting {BERT}-Based Word Models",
            "journal": "IEEE/ACM Transactions on Audio, Speech, and Language Processing",
            "volume": "28",
            "year": "2020",
        },
    ),
    "chen2023": (
        "inproceedings",
        {
            "author": "Qian Chen and Wen Wang and Qinglin Zhang and Siqi Zheng and Chong Deng and Hai Yu "
            "and Jiaqing Liu and Yukun Ma and Chong Zhang",
            "title": "Ditto: A Simple and Efficient Approach to Improve Sentence Embeddings",
            "booktitle": "Proceedings of EMNLP",
            "year": "2023",
        },
    ),
    "wang2020": (
        "inproceedings",
        {
            "author": "Bin Wang and Fenxiao Chen and Yuncheng Wang and C.-C. Jay Kuo",
            "title": "Efficient Sentence Embedding via Semantic Subspace Analysis",
            "booktitle": "Proceedings of ICPR",
            "year": "2020",
        },
    ),
    "lu2023": (
        "misc",
        {"author": "Lu", "title": "Sentence Embedding", "year": "2023", "note": "Slides"},
    ),
    "arora2017": (
        "inproceedings",
        {
            "author": "Sanjeev Arora and Yingyu Liang and Tengyu Ma",
            "title": "A Simple but Tough-to-Beat Baseline for Sentence Embeddings",
            "booktitle": "Proceedings of ICLR",
            "year": "2017",
        },
    ),
    "ethayarajh2018": (
        "inproceedings",
        {
            "author": "Kawin Ethayarajh",
            "title": "Unsupervised Random Walk Sentence Embeddings: A Strong but Simple Baseline",
            "booktitle": "Proceedings of the Workshop on Representation Learning for NLP",
            "year": "2018",
        },
    ),
    "mu2018": (
        "inproceedings",
        {
            "author": "Jiaqi Mu and Pramod Viswanath",
            "title": "All-but-the-Top: Simple and Effective Postprocessing for Word Representations",
            "booktitle": "Proceedings of ICLR",
            "year": "2018",
        },
    ),
    "su2021": (
        "misc",
        {
            "author": "Jianlin Su and Jiarun Cao and Weijie Liu and Yangyiwen Ou",
            "title": "Whitening Sentence Representations for Better Semantics and Faster Retrieval",
            "year": "2021",
            "eprint": "2103.15316",
            "archiveprefix": "arXiv",
        },
    ),
    "li2020": (
        "inproceedings",
        {
            "author": "Bohan Li and Hao Zhou and Junxian He and Mingxuan Wang and Yiming Yang and Lei Li",
            "title": "On the Sentence Embeddings from Pre-trained Language Models",
            "booktitle": "Proceedings of EMNLP",
            "year": "2020",
        },
    ),
    "ruckle2018": (
        "misc",
        {
            "author": "Andreas R{\\\"u}ckl{\\'e} and Steffen Eger and Maxime Peyrard and Iryna Gurevych",
            "title": "Concatenated Power Mean Word Embeddings as Universal Cross-Lingual Sentence "
            "Representations",
            "year": "2018",
            "eprint": "1803.01400",
            "archiveprefix": "arXiv",
        },
    ),
    "almarwani2019": (
        "inproceedings",
        {
            "author": "Nada Almarwani and Hanan Aldarmaki and Mona Diab",
            "title": "Efficient Sentence Embedding using Discrete Cosine Transform",
            "booktitle": "Proceedings of EMNLP-IJCNLP",
            "year": "2019",
        },
    ),
    "le2014": (
        "inproceedings",
        {
            "author": "Quoc Le and Tomas Mikolov",
            "title": "Distributed Representations of Sentences and Documents",
            "booktitle": "Proceedings of ICML",
            "year": "2014",
        },
    ),
    "wangisola2020": (
        "inproceedings",
        {
            "author": "Tongzhou Wang and Phillip Isola",
            "title": "Understanding Contrastive Representation Learning through Alignment and Uniformity "
            "on the Hypersphere",
            "booktitle": "Proceedings of ICML",
            "year": "2020",
        },
    ),
    "rudman2022": (
        "inproceedings",
        {
            "author": "William Rudman and Nate Gillman and Taylor Rayne and Carsten Eickhoff",
            "title": "{IsoScore}: Measuring the Uniformity of Embedding Space Utilization",
            "booktitle": "Findings of ACL",
            "year": "2022",
        },
    ),
}
"""Papers by their key: the kind of entry and its fields."""

OF_OPTIONS = {
    ("source", "averaged"): "stankevicius2025",
    ("mix", "averaged"): "stankevicius2025",
    ("source", "doc2vec"): "le2014",
    ("layers", "wk"): "wangkuo2020",
    ("weight", "variance"): "wangkuo2020",
    ("weight", "ditto"): "chen2023",
    ("weight", "sif"): "arora2017",
    ("weight", "usif"): "ethayarajh2018",
    ("pool", "s3e"): "wang2020",
    ("pool", "pmeans"): "ruckle2018",
    ("pool", "dct"): "almarwani2019",
    ("post", "abtt"): "mu2018",
    ("post", "whiten"): "su2021",
    ("post", "flow"): "li2020",
}
"""The paper that proposes an option of a stage."""

OF_FIGURES = {
    "alignment": "wangisola2020",
    "isoscore": "rudman2022",
    "ditto": "chen2023",
}
"""The paper that proposes the measure of a figure, by a word of the figure's key."""

OF_PAGES = {"mixing": "stankevicius2025"}
"""The paper whose method a page shows."""

_OF_PAPERS = dict(
    zip(
        (paper.citation for paper in PAPERS),
        ("stankevicius2025", "wangkuo2020", "chen2023", "wang2020", "lu2023"),
        strict=True,
    )
)


def used(deck: Deck) -> list[str]:
    """The keys of the papers that the slides of a deck use, in the order of :data:`ENTRIES`."""
    figures = (figure for slide in deck.slides for figure in deck.figures_of(slide))
    found = {key for figure in figures for key in _of_figure(figure)}
    return [key for key in ENTRIES if key in found]


def bibtex(deck: Deck) -> bytes:
    """An entry for each of these papers; a comment where a deck uses none."""
    entries = [_entry(key) for key in used(deck)]
    return "\n".join(entries or ["% The deck uses no method that is a paper's own.\n"]).encode()


def _of_figure(figure: PinnedFigure) -> Iterator[str]:
    words = set(figure.key.replace(".", " ").replace("-", " ").split())
    yield from (key for word, key in OF_FIGURES.items() if word in words)
    if figure.page in OF_PAGES:
        yield OF_PAGES[figure.page]
    if figure.page == "papers":
        yield from (key for citation, key in _OF_PAPERS.items() if citation in figure.line)
        return
    for text in figure.recipes.values():
        try:
            recipe = Recipe.parse(text)
        except StrataError:
            continue
        for (stage, option), key in OF_OPTIONS.items():
            if option in _options(recipe, stage):
                yield key


def _options(recipe: Recipe, stage: str) -> set[str]:
    """The names of the options that a stage of a recipe takes."""
    value = getattr(recipe, stage)
    choices = value if isinstance(value, tuple) else (value,)
    return {str(getattr(choice, "name", choice)) for choice in choices}


def _entry(key: str) -> str:
    kind, fields = ENTRIES[key]
    lines = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items())
    return f"@{kind}{{{key},\n{lines}}}\n"
