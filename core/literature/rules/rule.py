"""A rule: the recipe and the tasks that define a printed figure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from core.evaluation.sts import Aggregate
from core.evaluation.tasks.groups import GROUPS, Member
from core.literature.presets import PRESETS
from core.recipe import Recipe

Takes = Literal["model", "vectors", ""]
"""What the recipe takes from the visitor's: a transformer, a file of word vectors, or nothing."""

Metric = Literal["spearman", "pearson", "accuracy", "cosine", "isoscore"]

WIKITEXT = "reference=wikitext-2(unit=sentence)"
"""The reference of paper 000, which it writes as a superscript W: its sentences, not its lines."""

WIKITEXT_LINES = "reference=wikitext-2"
"""The same reference by its lines, each of which is a paragraph."""

NLI = "reference=nli"
"""The reference of whitening and flows in their own papers: the sentences of SNLI and MNLI."""

BERT = "bert-base-uncased"


@dataclass(frozen=True)
class Rule:
    """What a printed figure is the score of.

    Attributes
    ----------
    recipe
        The recipe as text; without a source where it takes the visitor's.
    tasks
        The tasks; the figure is their mean where there are several.
    takes
        What the recipe takes from the visitor's.
    model
        The paper's model or vectors; empty for a source that needs none of a certain name.
    metric
        The value of the tasks' results that is printed.
    aggregate
        How subsets are put together, in tasks of similarity.
    split
        The split that is scored; None for test where there is one.
    differs
        What is not the paper's, each a short sentence: the printed figure is not expected to be met.
    told
        What a reader has to know beside that.
    drop
        How many of the most frequent words the visitor's vectors leave out; None for what the visitor says.
    """

    recipe: str
    tasks: tuple[Member, ...]
    takes: Takes = "model"
    model: str = BERT
    metric: Metric = "spearman"
    aggregate: Aggregate = "all"
    split: str | None = None
    differs: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    drop: int | None = None

    def on(self, tasks: tuple[Member, ...], metric: Metric = "spearman") -> Rule:
        """The same recipe on other tasks."""
        return replace(self, tasks=tasks, metric=metric)


Method = Rule | str
"""A rule, or why there is none, in a short sentence."""


def group(name: str) -> tuple[Member, ...]:
    """The tasks of a group that papers average over."""
    return GROUPS[name].members


def member(name: str, title: str) -> tuple[Member, ...]:
    """One task of a group, by what papers call it."""
    return tuple(one for one in GROUPS[name].members if one.title == title)


def like(name: str, **other: object) -> Rule:
    """The recipe of a preset, without tasks yet.

    A preset on a model from the hub keeps it; one on a file of word vectors takes the visitor's file.
    """
    (preset,) = (one for one in PRESETS if one.name == name)
    text, takes = preset.recipe, "model"
    if "source=vectors" in text:
        text, takes = str(Recipe.parse(text).replace(source="bundled")), "vectors"
    elif "source=" in text:
        takes = ""
    given: dict[str, object] = {"takes": takes, "differs": preset.differs, **other}
    return Rule(text, (), **given)  # type: ignore[arg-type]


def on_vectors(name: str) -> Rule:
    """The recipe of a preset on static rows of a model, taken to the visitor's file of GloVe vectors."""
    rule = like(name)
    recipe = Recipe.parse(rule.recipe).replace(layers="first+last")
    return replace(rule, recipe=str(recipe), takes="vectors", model="glove")
