"""How long a sentence takes under a recipe: the model up to its highest layer, then the other stages."""

from __future__ import annotations

import time

from core.corpora.corpus import Corpus
from core.pipeline.engine import Engine
from core.progress import Progress, silent
from core.recipe import WEIGHT, Recipe
from core.recipe.plan import Plan
from core.sources.source import Source
from core.stages.layers import resolve
from core.tokens.weight_inputs import Needs


def milliseconds(engine: Engine, recipe: Recipe, corpus: Corpus, progress: Progress = silent) -> float:
    """About the milliseconds of one sentence of a corpus whose pass is stored, on this machine.

    The model's part is not measured: it is the time per token of passes that were read before, in
    proportion to the blocks that the recipe needs, since those behind its highest layer can be cut off. The
    rest, from stored token states to sentence vectors with all that the recipe learns, is measured now,
    without results that are in memory. Raises what :meth:`~core.pipeline.engine.Engine.embed` raises.
    """
    source = engine.source(recipe, corpus)
    sentences = max(len(corpus.sentences), 1)
    reading = 0.0
    if source.is_model:
        tokens = len(engine.weighted_states(recipe, corpus, progress).states.tokens.ids)
        share = deepest(recipe, source) / max(source.location.depth, 1)
        reading = engine.passes.seconds_for(source, tokens) * share
    alone = engine.without_results()
    begin = time.perf_counter()
    alone.embed(recipe, corpus, progress)
    return 1000 * (reading + time.perf_counter() - begin) / sentences


def deepest(recipe: Recipe, source: Source) -> int:
    """The highest layer of a model that a recipe needs; 0 where the embedding block is enough."""
    needs = Plan.of(recipe).weight.needs
    if Needs.LAYERS in needs:
        return source.location.depth
    layers = [0, *resolve(recipe.layers, source.layers, source.name).layers]
    if Needs.DIAGONALS in needs:
        layers.append(int(WEIGHT.arguments(recipe.weight).get("layer") or source.location.depth))
    return max(layers)
