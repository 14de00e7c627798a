"""The time of a recipe: its forward pass, and the step from the stored pass to sentence vectors."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median

from core.corpora.corpus import Corpus
from core.errors import StrataError
from core.pipeline.engine import Engine
from core.progress import Progress, Step, silent
from core.recipe import WEIGHT, Recipe
from core.sources.source import Source
from core.stages.layers import resolve
from core.tokens.states import STATIC
from core.tokens.weight_inputs import Needs

ALONE = 25
"""Sentences that are read one at a time."""

WARM = 2
"""Sentences that are embedded before the measurement, so that tokenizer and word counts are loaded."""


@dataclass(frozen=True)
class Timing:
    """The time of one recipe, in milliseconds per sentence.

    Attributes
    ----------
    name, recipe
        The recipe's name and text.
    pass_ms
        The forward pass, measured when the stored pass was computed; NaN for a recipe without one.
    vector_ms
        From the stored pass to the sentence vector, including what is learnt from the corpus; NaN when the
        recipe cannot be run.
    problem
        Why the recipe cannot be run.
    alone_ms
        The forward pass of one sentence at a time, tokenizing included: the median over a sample of
        sentences. NaN for a recipe without a pass.
    """

    name: str
    recipe: str
    pass_ms: float
    vector_ms: float
    problem: str = ""
    alone_ms: float = math.nan

    @property
    def total_ms(self) -> float:
        """The pass in batches and the step to the vector."""
        return self.vector_ms + (0.0 if math.isnan(self.pass_ms) else self.pass_ms)

    @property
    def alone_total_ms(self) -> float:
        """The pass of one sentence at a time and the step to the vector, as papers time methods."""
        return self.vector_ms + (0.0 if math.isnan(self.alone_ms) else self.alone_ms)


def measure(
    engine: Engine,
    corpus: Corpus,
    recipes: Mapping[str, Recipe],
    progress: Progress = silent,
    repeats: int = 3,
) -> list[Timing]:
    """Measure named recipes on a corpus; the median of ``repeats`` runs.

    Each run has a new engine with nothing in memory. It reads the stored pass from the disk, which an
    earlier run has warmed. A recipe that cannot be run has a ``problem``.
    """
    timings: list[Timing] = []
    alone: dict[tuple[str, str], float] = {}
    for number, (name, recipe) in enumerate(recipes.items()):
        progress(Step(f"Timing {name}", number, len(recipes)))
        try:
            timings.append(_measure(engine, corpus, name, recipe, progress, repeats, alone))
        except StrataError as error:
            timings.append(Timing(name, str(recipe), math.nan, math.nan, str(error)))
    return timings


def _measure(
    engine: Engine,
    corpus: Corpus,
    name: str,
    recipe: Recipe,
    progress: Progress,
    repeats: int,
    alone: dict[tuple[str, str], float],
) -> Timing:
    """The times of one recipe; ``alone`` remembers passes of single sentences by source and template."""
    sentences = len(corpus.sentences)
    warm = Corpus.of_texts("warm", corpus.sentences[:WARM])
    engine.embed(recipe, corpus, progress)
    engine.token_weights(recipe, warm, progress)
    seconds = []
    for _ in range(repeats):
        fresh = Engine(engine.settings)
        fresh.token_weights(recipe, warm)
        begin = time.perf_counter()
        embedded = fresh.embed(recipe, corpus, progress)
        seconds.append(time.perf_counter() - begin - embedded.pass_seconds)
    batched = _pass_seconds(engine, corpus, recipe)
    source = engine.source(recipe, corpus)
    read = source.revision, source.template
    if not math.isnan(batched) and read not in alone:
        alone[read] = alone_seconds(engine, source, corpus)
    return Timing(
        name,
        str(recipe),
        1000 * batched / sentences,
        1000 * median(seconds) / sentences,
        alone_ms=math.nan if math.isnan(batched) else 1000 * alone[read],
    )


def alone_seconds(engine: Engine, source: Source, corpus: Corpus) -> float:
    """The median seconds of a model's forward pass over one sentence at a time, tokenizing included.

    The sample is spread over the corpus; a pass that warms the model is not counted.
    """
    encoder = engine.passes.encoder(source)
    texts = corpus.sentences
    sample = [texts[i * len(texts) // ALONE] for i in range(ALONE)] if len(texts) > ALONE else list(texts)
    seconds = []
    for text in (sample[0], *sample):
        begin = time.perf_counter()
        for _ in encoder.run(encoder.tokenizer([text], silent, source.template)):
            pass
        seconds.append(time.perf_counter() - begin)
    return median(seconds[1:])


def _pass_seconds(engine: Engine, corpus: Corpus, recipe: Recipe) -> float:
    """The seconds of the forward pass when it was computed; NaN when the recipe needs none."""
    source = engine.source(recipe, corpus)
    layers = resolve(recipe.layers, source.layers, source.name).layers
    needs_pass = WEIGHT.find(recipe.weight).needs & (Needs.DIAGONALS | Needs.LAYERS)
    if not source.is_model or (set(layers) == {STATIC} and not needs_pass):
        return math.nan
    return engine.passes.get(source, corpus, layers=())[0].seconds
