"""What stands under the figures of scores by layer and by pair of layers."""

from __future__ import annotations

from collections.abc import Mapping

from components import provenance
from components.provenance import Summary
from core.analysis.layers.layer_similarities import with_layers
from core.corpora.corpus import Corpus
from core.pipeline.engine import Engine
from core.recipe import Recipe


def summary(engine: Engine, recipes: Mapping[str, Recipe], corpus: Corpus) -> Summary:
    """The figure in short."""
    sources = {side: engine.source(recipe, corpus) for side, recipe in recipes.items()}
    return provenance.summary(
        "layers", recipes, sources, provenance.split(corpus), provenance.pairs(corpus)
    )


def caption(engine: Engine, recipes: Mapping[str, Recipe], corpus: Corpus, last: str) -> tuple[str, ...]:
    """The recipes without their layers, models and corpus, and in the ``last`` line what is drawn."""
    sources = {side: engine.source(recipe, corpus) for side, recipe in recipes.items()}
    return (
        *(
            f"Recipe {provenance.side_called(side)} with other layers: {_without_layers(recipe)}"
            for side, recipe in recipes.items()
        ),
        provenance.line(
            [provenance.models(sources)],
            corpus,
            provenance.pairs(corpus),
            "one correlation over all pairs",
        ),
        *filter(None, [last]),
    )


def _without_layers(recipe: Recipe) -> str:
    spelled = with_layers(recipe, (0,)).spelled()
    return "; ".join(f"{stage}={value}" for stage, value in spelled.items() if stage != "layers")
