"""The papers whose methods, measures and figures a deck uses."""

from __future__ import annotations

from collections.abc import Iterator

from components.deck.bibliography import ENTRIES, entry
from components.deck.document import Deck, PinnedFigure
from core.errors import StrataError
from core.literature.tables.papers import PAPERS
from core.recipe import Recipe

OF_OPTIONS = {
    ("template", "T0"): "jiang2022",
    **{("template", f"T{number}"): "stankevicius2024" for number in (1, 2, 3, 4)},
    ("tokens", "unbiased"): "jiang2022",
    ("pool", "gem"): "yang2019",
    ("pool", "vlawe"): "ionescu2019",
    ("post", "ccr"): "arora2017",
    ("post", "pccr"): "ethayarajh2018",
    ("source", "averaged"): "stankevicius2024",
    ("mix", "averaged"): "stankevicius2024",
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

MANY_LAYERS = 3
"""Layers that are averaged, from which whitening is WhiteningBERT's (``huang2021``) too."""

OF_FIGURES = {
    "alignment": "wangisola2020",
    "isoscore": "rudman2022",
    "ditto": "chen2023",
}
"""The paper that proposes the measure of a figure, by a word of the figure's key."""

OF_PAGES = {"mixing": "stankevicius2024"}
"""The paper whose method a page shows."""

_OF_PAPERS = dict(
    zip(
        (paper.citation for paper in PAPERS),
        ("stankevicius2024", "wangkuo2020", "chen2023", "wang2020", "lu2023"),
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
    entries = [entry(key) for key in used(deck)]
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
        if "whiten" in _options(recipe, "post") and len(recipe.layers) >= MANY_LAYERS:
            yield "huang2021"


def _options(recipe: Recipe, stage: str) -> set[str]:
    """The names of the options that a stage of a recipe takes."""
    value = getattr(recipe, stage)
    choices = value if isinstance(value, tuple) else (value,)
    return {str(getattr(choice, "name", choice)) for choice in choices}
