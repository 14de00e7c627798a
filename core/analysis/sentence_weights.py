"""The weights of the tokens of a few sentences; those of the sentences one arrives on come along."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.corpora.corpus import Corpus
from core.evaluation.scoring import kept_under
from core.pipeline.engine import Engine
from core.pipeline.token_weights import TokenWeights
from core.progress import Progress, silent
from core.recipe import Recipe
from core.storage import json_arrays
from core.storage.tables import RECIPE_LIBRARIES, Arrays, TableKind

SENTENCE_WEIGHTS = TableKind("sentence-weights", 1, RECIPE_LIBRARIES, forward=True)
"""Such tables come with the installation; visits write none."""


def of_sentences(
    engine: Engine, recipe: Recipe, corpus: Corpus, progress: Progress = silent
) -> list[TokenWeights]:
    """What :meth:`core.pipeline.engine.Engine.token_weights` gives and raises.

    Sentences whose weights come along have no token that is unknown.
    """
    weights: list[TokenWeights] = []

    def weigh() -> Arrays:
        weights.extend(engine.token_weights(recipe, corpus, progress))
        return _as_arrays(weights)

    arrays = engine.shipped_table(SENTENCE_WEIGHTS, _parts(engine, recipe, corpus), weigh)
    return weights or _from_arrays(arrays)


def come_along(engine: Engine, recipe: Recipe, corpus: Corpus) -> bool:
    """Whether they come with the installation; raises :class:`StrataError` without a source."""
    return engine.store.has_table(SENTENCE_WEIGHTS, _parts(engine, recipe, corpus))


def _parts(engine: Engine, recipe: Recipe, corpus: Corpus) -> tuple[object, ...]:
    return kept_under(engine, recipe), corpus.fingerprint


def _as_arrays(weights: Sequence[TokenWeights]) -> Arrays:
    return {
        "tokens": json_arrays.as_array([(each.surface_forms, each.words) for each in weights]),
        "shares": np.concatenate([each.shares for each in weights]),
        "texts_with": np.concatenate([each.texts_with for each in weights]),
        "truncated": np.array([each.truncated for each in weights]),
    }


def _from_arrays(arrays: Arrays) -> list[TokenWeights]:
    tokens = json_arrays.from_array(arrays["tokens"])
    ends = np.cumsum([len(words) for _, words in tokens])[:-1]
    columns = (np.split(arrays[name], ends) for name in ("shares", "texts_with"))
    return [
        TokenWeights(tuple(surface_forms), tuple(words), shares, texts_with, bool(truncated))
        for (surface_forms, words), shares, texts_with, truncated in zip(
            tokens, *columns, arrays["truncated"], strict=True
        )
    ]
