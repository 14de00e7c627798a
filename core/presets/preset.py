"""What a preset is."""

from __future__ import annotations

from dataclasses import dataclass

from core.published import Published
from core.recipe import Recipe


@dataclass(frozen=True)
class Preset:
    """A published method as a recipe.

    Attributes
    ----------
    name
        What the literature calls it, as short as can be told apart.
    recipe
        Its canonical text. It leaves the source open (whatever model is chosen), except for methods that
        are a source, and for weights that belong to one model.
    explanation
        Two sentences: what is done, and what for or with what effect.
    published
        The papers, with table or equation.
    year
        When the method was first published.
    family
        The kind of method, by which menus group.
    scores
        What papers print for it.
    needs
        What is needed beyond the installation: the network, an extra, a file.
    differs
        Where the recipe and what was published part, each in a short sentence.
    """

    name: str
    recipe: str
    explanation: str
    published: str
    year: int
    family: str
    scores: tuple[Published, ...] = ()
    needs: str = ""
    differs: tuple[str, ...] = ()

    @property
    def bound(self) -> bool:
        """Whether the recipe names its own source."""
        return "source=" in self.recipe

    def apply(self, recipe: Recipe) -> Recipe:
        """This preset on the source and reference of ``recipe``."""
        made = Recipe.parse(self.recipe)
        keep = {} if self.bound else {"source": recipe.spelled()["source"]}
        return made.replace(reference=recipe.spelled()["reference"], **keep)
