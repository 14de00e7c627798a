"""Whether a pinned figure would be drawn today with the same models and corpus, by the same version."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from components import link, state
from components.deck.document import PinnedFigure
from components.link import origins
from components.link.origins import Origins
from components.wording import upper_first
from core.corpora.built_in import DEMO
from core.corpora.corpus import Corpus
from core.errors import StrataError
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.versions import __version__

PAGES = Path(__file__).parents[2] / "pages"
"""A file each."""


@dataclass(frozen=True)
class Today:
    """What is another than when a figure was pinned, and what cannot be had any more, in words.

    ``compared`` says whether the figure's link holds fingerprints, without which nobody can tell.
    ``same_version`` says whether this version of Sentence Strata drew it.
    """

    others: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    compared: bool = True
    same_version: bool = True

    @property
    def told(self) -> str:
        """In a sentence, and another one where another version drew it."""
        if self.same_version:
            return self._made_of
        return f"{self._made_of} This is version {__version__}: titles and labels may be other ones too."

    @property
    def _made_of(self) -> str:
        parts = [f"{name} is another one" for name in self.others] + list(self.gone)
        if not (parts or self.compared):
            return "Its link holds no fingerprints of models or corpora to compare."
        if not parts:
            return "Model, corpus and reference are the ones that it was drawn with."
        text = upper_first("; ".join(parts)).rstrip(".")
        return f"{text}. Numbers may differ when it is drawn anew."


def parameters(figure: PinnedFigure) -> dict[str, str | list[str]]:
    """What the link of a figure says, without the page."""
    read = parse_qs(urlsplit(figure.link).query, keep_blank_values=True)
    return link.parameters_of(read)


def has_page(figure: PinnedFigure) -> bool:
    """Whether the page is there that draws a figure anew."""
    return (PAGES / f"{figure.page}.py").is_file()


def of(engine: Engine, figure: PinnedFigure) -> Today:
    """Look at the models, the corpus and the references that a figure was drawn with."""
    said = parameters(figure)
    gone: list[str] = []
    corpus = _corpus(engine, said, gone)
    recipes = {side: _recipe(engine, figure, side, corpus, gone) for side in ("A", "B")}
    linked = origins.read(str(said.get(origins.PARAMETER, ""))) or {}
    here = Origins(engine, corpus, recipes["A"], recipes["B"]).fingerprints()
    version = figure.made.get("sentence-strata", __version__)
    return Today(
        tuple(origins.others(linked, here)),
        tuple(dict.fromkeys(gone)),
        compared=bool(linked),
        same_version=version == __version__,
    )


def _corpus(engine: Engine, said: Mapping[str, object], gone: list[str]) -> Corpus | None:
    if "corpus" not in said:
        return None
    try:
        return engine.corpus(str(said.get("corpus", DEMO)), str(said["split"]) if "split" in said else None)
    except StrataError as error:
        gone.append(str(error))
        return None


def _recipe(
    engine: Engine, figure: PinnedFigure, side: str, corpus: Corpus | None, gone: list[str]
) -> Recipe | None:
    if side not in figure.recipes:
        return None
    try:
        recipe = state.read(side.lower(), figure.recipes[side])
        if recipe is not None:
            engine.source(recipe, corpus)
    except StrataError as error:
        gone.append(str(error))
        return None
    return recipe
