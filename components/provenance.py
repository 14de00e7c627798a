"""What a figure's numbers were made with, in one line: models, corpus, fingerprint."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from components import names
from components.figures.labels import cut_distinct
from core.corpora.corpus import Corpus
from core.errors import counted
from core.evaluation.scoring import Scored
from core.recipe import Recipe

K = TypeVar("K", bound=Hashable)

SIDES = ("A", "B")


class Named(Protocol):
    """A model or table with its revision, such as :class:`~core.sources.source.Source`."""

    @property
    def name(self) -> str:
        """The name under which it is published, or of its folder."""

    @property
    def revision(self) -> str:
        """The state of its files."""


@dataclass(frozen=True)
class Summary:
    """What a figure is of in short: the line under it, and the parts of its files' names.

    ``recipes`` are names of recipes by side, ``models`` names by side, ``size`` how many of what. Files are
    named by their models where these are several, or with ``by_model``.
    """

    page: str
    recipes: Mapping[str, str] = field(default_factory=dict)
    models: Mapping[str, str] = field(default_factory=dict)
    corpus: str = ""
    size: str = ""
    by_model: bool = False

    @property
    def line(self) -> str:
        """``STS-B test · 1,379 pairs · all-MiniLM-L6-v2 · A: last layer, mean``.

        What the bar and the legend say too comes last: a page cuts the line where there is no room.
        """
        recipes = [f"{side}: {name}" if side else name for side, name in self.recipes.items()]
        models = [of_sides(self.models)] if self.models else []
        return " · ".join([*filter(None, (self.corpus, self.size)), *models, *recipes])

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts of a file's name that follow page and figure."""
        recipes = (f"{side}-{name}" for side, name in self.recipes.items())
        told = self.by_model or len(set(self.models.values())) > 1
        return (self.corpus, *recipes, *(self.models.values() if told else ()))


def summary(
    page: str, recipes: Mapping[str, Recipe], models: Mapping[str, Named | str], corpus: str, size: str = ""
) -> Summary:
    """The summary of a figure of some recipes by side, with names that tell them apart."""
    named = names.of(recipes)
    sources = {side: (one.name, one.revision) for side, one in models.items() if not isinstance(one, str)}
    by_side = {side: one for side, one in models.items() if isinstance(one, str)} | told_apart(sources)
    return Summary(page, named, {side: by_side[side] for side in models}, corpus, size)


def sides_named(recipes: Mapping[str, Recipe], room: int = 48) -> dict[str, str]:
    """Each side with its recipe's name, for legends and titles of panels: ``B, first+last, idf``.

    Names of more than ``room`` characters are cut, where they part if they begin alike.
    """
    named = names.of(recipes)
    cut = cut_distinct(list(named.values()), room)
    return {side: f"{side}, {name}" for side, name in zip(named, cut, strict=True)}


def recipe_line(side: str, recipe: Recipe) -> str:
    """A caption's line on recipe A or B, with the name that the visitor gave: ``B, my idf: layers=…``."""
    return f"{side_called(side)}: {recipe.label()}"


def side_called(side: str) -> str:
    """``B``, or ``B, my idf`` by the name that the visitor gave."""
    given = names.own(side.lower())
    return f"{side}, {given}" if given else side


def of_sides(models: Mapping[str, str]) -> str:
    """The model of each side, ``A: … · B: …``; one name where they are the same, or have no side."""
    if len(set(models.values())) < 2:
        return next(iter(models.values()), "")
    return " · ".join(name if side == name else f"{side}: {name}" for side, name in models.items())


def told_apart(models: Mapping[K, tuple[str, str]]) -> dict[K, str]:
    """The name of each model, and its revision or source beside it where another model has that name.

    ``models`` holds both. A model in a folder is called as the folder: checkpoints may be called alike.
    """
    called = Counter(name for name, _ in set(models.values()))
    return {key: name if called[name] == 1 else f"{name} ({own})" for key, (name, own) in models.items()}


def told(lines: Mapping[str, Iterable[str]]) -> tuple[str, ...]:
    """Each line once, with the sides that it is of where these are not all: ``A: one sentence is cut``."""
    sides: dict[str, list[str]] = {}
    for side, own in lines.items():
        for line in dict.fromkeys(own):
            sides.setdefault(line, []).append(side)
    return tuple(
        line if len(of) == len(lines) else f"{' and '.join(of)}: {line}" for line, of in sides.items()
    )


def differing(scores: Mapping[str, Scored]) -> str:
    """That a difference of scores is one of models too, and which: a sentence; empty for one model."""
    names = told_apart({side: model_of(scored) for side, scored in scores.items()})
    return f"The models differ: {of_sides(names)}." if len(set(names.values())) > 1 else ""


def model_of(scored: Scored) -> tuple[str, str]:
    """The name and the revision of the model that a score was made with."""
    return str(scored.about["model"]), str(scored.about["revision"])


def models(sources: Mapping[str, Named]) -> str:
    """The model of each side with its revision: ``A: … · B: …``; once where it is the same."""
    return of_sides({side: model(source) for side, source in sources.items()})


def model(source: Named) -> str:
    """``all-MiniLM-L6-v2 (8b3219a92973)``."""
    return f"{source.name} ({source.revision})"


def split(corpus: Corpus) -> str:
    """The corpus and its split, ``stsb test``; its name alone where it names no splits."""
    return " ".join([corpus.name, *([corpus.split_name] if corpus.splits else [])])


def split_option(corpus: Corpus) -> str:
    """What links and ``--split`` find its rows by: ``test``; ``all`` for several splits or none."""
    of_rows = {*corpus.split}
    return corpus.split[0] if len(of_rows) == 1 and of_rows != {""} else "all"


def pairs(corpus: Corpus) -> str:
    """How many pairs the corpus has: ``1,379 pairs``."""
    return counted(len(corpus), "pair")


def line(models: Iterable[str], corpus: Corpus, *parts: str) -> str:
    """``model (revision) · corpus split · parts · origin · fingerprint``; each model once, joined by "and".

    Without ``models`` the line begins with the corpus.
    """
    names = " and ".join(dict.fromkeys(models))
    end = (corpus.origin, f"fingerprint {corpus.fingerprint}")
    return " · ".join([*([names] if names else []), split(corpus), *parts, *end])
