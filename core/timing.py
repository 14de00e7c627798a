"""What a method costs: the forward pass, and the way from it to a sentence vector."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median

from core.corpus import Corpus
from core.embed import Road
from core.encoder import STATIC
from core.errors import StrataError
from core.layers import resolve
from core.progress import Progress, Step, silent
from core.recipe import WEIGHT, Recipe

WARM = 2
"""Sentences that are read before the clock runs, so that tokenizer and word counts are there."""


@dataclass(frozen=True)
class Timing:
    """What one recipe costs, in milliseconds per sentence.

    Attributes
    ----------
    name, recipe
        What it is called, and its text.
    pass_ms
        The forward pass, as it was timed when the stored pass was made; NaN for a recipe that takes
        nothing from one.
    vector_ms
        From the stored pass to the finished vector, what is learnt from the corpus included; NaN when
        the recipe cannot be walked.
    problem
        Why it cannot.
    """

    name: str
    recipe: str
    pass_ms: float
    vector_ms: float
    problem: str = ""

    @property
    def total_ms(self) -> float:
        """Both together."""
        return self.vector_ms + (0.0 if math.isnan(self.pass_ms) else self.pass_ms)


def measure(
    road: Road,
    corpus: Corpus,
    recipes: Mapping[str, Recipe],
    progress: Progress = silent,
    repeats: int = 3,
) -> list[Timing]:
    """Time some recipes, by name, on a corpus; the median of ``repeats`` walks.

    Each walk is that of a road of its own which remembers nothing: it reads the stored pass from the
    disk, which a walk before has warmed. A recipe that cannot be walked says why.
    """
    found = []
    for number, (name, recipe) in enumerate(recipes.items()):
        progress(Step(f"Timing {name}", number, len(recipes)))
        try:
            found.append(_measure(road, corpus, name, recipe, progress, repeats))
        except StrataError as error:
            found.append(Timing(name, str(recipe), math.nan, math.nan, str(error)))
    return found


def _measure(
    road: Road, corpus: Corpus, name: str, recipe: Recipe, progress: Progress, repeats: int
) -> Timing:
    sentences = len(corpus.sentences)
    warm = Corpus.of_texts("warm", corpus.sentences[:WARM])
    road.embed(recipe, corpus, progress)
    road.token_weights(recipe, warm, progress)
    seconds = []
    for _ in range(repeats):
        fresh = Road(road.settings)
        fresh.token_weights(recipe, warm)
        begin = time.perf_counter()
        made = fresh.embed(recipe, corpus, progress)
        seconds.append(time.perf_counter() - begin - made.pass_seconds)
    return Timing(
        name,
        str(recipe),
        1000 * _pass_seconds(road, corpus, recipe) / sentences,
        1000 * median(seconds) / sentences,
    )


def _pass_seconds(road: Road, corpus: Corpus, recipe: Recipe) -> float:
    """What the forward pass took when it was made; NaN when the recipe takes nothing from one."""
    source = road.source(recipe, corpus)
    taken = resolve(recipe.layers, road.passes.layers(source), source.name).layers
    looks = WEIGHT.find(recipe.weight).traits.get("needs") in ("diagonals", "layers")
    if not source.is_model or (set(taken) == {STATIC} and not looks):
        return math.nan
    return road.passes.get(source, corpus, layers=())[0].seconds
