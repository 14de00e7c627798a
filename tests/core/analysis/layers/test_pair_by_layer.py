"""A pair among all others at each layer, beside what the definition says of each layer by itself."""

import numpy as np
import pytest

from core.analysis.comparison import as_corpus
from core.analysis.layers.pair_by_layer import by_layer
from core.errors import CorpusError, RecipeError
from core.recipe import Recipe
from tests.core.helpers.texts import many

TEXTS = [*many(6), many(1)[0]]


def test_similarity_rank_and_quartiles_are_those_of_each_layer(shared_engine, bert):
    """Cosines by hand; a sentence that is there twice has its pairs counted once."""
    recipe = Recipe.parse(f"{bert};layers=first+last;weight=idf")
    found = by_layer(shared_engine, recipe, TEXTS).pair(2, 5)
    depth = shared_engine.source(recipe).location.depth
    assert found.layers == (-1, *range(depth + 1))
    corpus = as_corpus(TEXTS)
    for at, layer in enumerate(found.layers):
        alone = recipe.replace(layers="static" if layer < 0 else str(layer))
        vectors = shared_engine.embed(alone, corpus).vectors[corpus.rows_of(TEXTS[:6])]
        units = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        cosines = {(i, j): float(units[i] @ units[j]) for i in range(6) for j in range(i + 1, 6)}
        own = cosines[1, 4]
        assert found.similarity[at] == pytest.approx(own, abs=1e-6)
        assert found.rank[at] == 1 + sum(other > own + 1e-9 for other in cosines.values())
        assert found.low[at] <= found.high[at]
    assert found.pairs == 15


def test_it_refuses_a_sentence_with_itself_and_a_source_without_layers(shared_engine, bert):
    with pytest.raises(CorpusError, match="the same"):
        by_layer(shared_engine, Recipe.parse(bert), TEXTS).pair(1, 7)
    with pytest.raises(RecipeError, match="no layers to compare"):
        by_layer(shared_engine, Recipe.parse("source=random(dim=8)"), TEXTS)
