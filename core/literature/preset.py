"""A preset: a published method as a recipe."""

from __future__ import annotations

from dataclasses import dataclass

from core.literature.published import PublishedScore
from core.recipe import Recipe


@dataclass(frozen=True)
class Preset:
    """A published method as a recipe.

    Attributes
    ----------
    name
        The method's name in the literature, as short as is unambiguous.
    recipe
        The canonical text. It leaves the source to the chosen model, except for methods that are a source
        and for weights that belong to one model.
    explanation
        Two sentences: the method, and its purpose or effect.
    published
        The papers, with table or equation.
    year
        The year of the first publication.
    family
        The kind of method; menus group by it.
    aliases
        Its other names in papers and its abbreviations, none of them another preset's.
    scores
        The published scores.
    needs
        Requirements beyond the installation: the network, an extra, a file.
    differs
        The differences of the recipe from the publication, each a short sentence.
    """

    name: str
    recipe: str
    explanation: str
    published: str
    year: int
    family: str
    aliases: tuple[str, ...] = ()
    scores: tuple[PublishedScore, ...] = ()
    needs: str = ""
    differs: tuple[str, ...] = ()

    @property
    def bound(self) -> bool:
        """Whether the recipe names its own source."""
        return "source=" in self.recipe

    @property
    def called(self) -> str:
        """All its names in one line, which a menu is searched by: ``ABTT · all-but-the-top``."""
        return " · ".join([self.name, ", ".join(self.aliases)] if self.aliases else [self.name])

    def apply(self, recipe: Recipe) -> Recipe:
        """This preset with the source and the reference of ``recipe``."""
        preset = Recipe.parse(self.recipe)
        keep = {} if self.bound else {"source": recipe.spelled()["source"]}
        return preset.replace(reference=recipe.spelled()["reference"], **keep)
