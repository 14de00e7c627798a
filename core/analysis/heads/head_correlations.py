"""Correlations of every head's diagonal with the tf-idf and idf of tokens (Chen et al. 2023, Table 4).

Over all tokens of a corpus that are neither special nor the template's. Each different text counts once;
the document frequencies count a text as often as it stands in the corpus, as the weight ``idf`` does.
The paper has the tf-idf of the package gensim, learnt from a million sentences of Wikipedia:
:func:`gensim_correlations` learns it from the recipe's reference.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from core.analysis.heads.attention import source_with_heads
from core.analysis.heads.head_search import Grid, what_heads_depend_on
from core.analysis.heads.head_similarities import readable_states, refuse_missing_attention, with_head
from core.corpora.corpus import Corpus
from core.errors import CorpusError, RecipeError
from core.evaluation.ranks import mid_ranks
from core.evaluation.statistics import pearson
from core.pipeline.engine import Engine
from core.progress import Progress, Step, silent
from core.recipe import Recipe
from core.sources.token_states import ReadableStates
from core.storage.tables import TableKind
from core.tokens import Tokens
from core.tokens.tf_idf import gensim_tf_idf, tf_idf

HEAD_CORRELATIONS = TableKind("head-correlations", 1, forward=True)
GENSIM_CORRELATIONS = TableKind("head-gensim-correlations", 1, forward=True)

WEIGHTS = ("tf-idf", "idf")
"""Learnt from the corpus itself: the count in a text times idf, and idf."""

GENSIM = "tf-idf of gensim"
"""With logarithms to base 2, 0 for a token that the reference lacks, and norm 1 in each text."""

TokenWeights = Float[np.ndarray, " token"]
WordWeights = Callable[
    [Engine, Recipe, Corpus, Tokens, np.ndarray, Progress], dict[str, Float[np.ndarray, " token"]]
]

CHUNK_TOKENS = 100_000
"""Tokens whose diagonals are read at once."""


@dataclass(frozen=True, eq=False)
class HeadCorrelations:
    """The correlation of every head's diagonal with a word weight, -1 to 1; NaN where it is constant."""

    weight: str
    pearson: Grid
    spearman: Grid
    tokens: int
    texts: int


def correlations(
    engine: Engine, base: Recipe, corpus: Corpus, progress: Progress = silent
) -> dict[str, HeadCorrelations]:
    """Every head's diagonal against tf-idf and against idf, by weight; kept in the store.

    ``base`` gives source and template (:func:`core.analysis.heads.head_search.search_base`); gold scores
    are not used.

    Raises
    ------
    RecipeError
        The source has no heads, or does not give its attention.
    CorpusError
        There are fewer than two tokens to correlate over.
    StoreError
        The pass is too large to be kept.
    """
    source_with_heads(engine, base)
    base = base.as_read()
    parts = what_heads_depend_on(engine, base, corpus)
    arrays = engine.store.table(
        HEAD_CORRELATIONS, parts, lambda: _correlate(engine, base, corpus, _own_weights, progress), progress
    )
    return {name: _of(name, arrays, corpus) for name in WEIGHTS}


def is_kept(engine: Engine, base: Recipe, corpus: Corpus) -> bool:
    """Whether what :func:`correlations` gives is stored; raises :class:`RecipeError` for no heads."""
    return engine.store.has_table(HEAD_CORRELATIONS, what_heads_depend_on(engine, base.as_read(), corpus))


def gensim_correlations(
    engine: Engine, base: Recipe, corpus: Corpus, progress: Progress = silent
) -> HeadCorrelations:
    """Every head's diagonal against the tf-idf of gensim, learnt from the recipe's reference; kept.

    Raises what :func:`correlations` raises, and :class:`CorpusError` for a reference that is not here.
    """
    source_with_heads(engine, base)
    base = base.as_read()
    learnt_from = engine.references.of(base, progress).texts_fingerprint
    parts = (*what_heads_depend_on(engine, base, corpus), learnt_from)
    arrays = engine.store.table(
        GENSIM_CORRELATIONS,
        parts,
        lambda: _correlate(engine, base, corpus, _gensim_weights, progress),
        progress,
    )
    return _of(GENSIM, arrays, corpus)


def _of(name: str, arrays: Mapping[str, np.ndarray], corpus: Corpus) -> HeadCorrelations:
    linear, ranked = (arrays[f"{name} {kind}"] for kind in _KINDS)
    return HeadCorrelations(name, linear, ranked, int(arrays["tokens"]), len(corpus.sentences))


def _correlate(
    engine: Engine, base: Recipe, corpus: Corpus, word_weights: WordWeights, progress: Progress
) -> dict[str, np.ndarray]:
    source = engine.source(base)
    stored = readable_states(engine.weighted_states(with_head(base, "last", 1, 1), corpus, progress))
    kept = stored.tokens.own
    if kept.sum() < 2:
        raise CorpusError(f"{corpus.name} has {int(kept.sum())} tokens; a correlation needs two.")
    words = word_weights(engine, base, corpus, stored.tokens, kept, progress)
    ranked = {name: mid_ranks(values) for name, values in words.items()}
    depth, heads = source.location.depth, source.location.heads
    out = {f"{name} {kind}": np.full((depth, heads), np.nan) for name in words for kind in _KINDS}
    for layer in range(depth):
        progress(Step("Correlating heads with word weights: layers", layer, depth))
        diagonals = _diagonals(stored, layer, kept)
        refuse_missing_attention(diagonals)
        for head in range(heads):
            own = diagonals[:, head].astype(np.float64)
            ranks = mid_ranks(own)
            for name in words:
                out[f"{name} pearson"][layer, head] = pearson(own, words[name])
                out[f"{name} spearman"][layer, head] = pearson(ranks, ranked[name])
    return out | {"tokens": np.array(int(kept.sum()))}


_KINDS = ("pearson", "spearman")


def _own_weights(
    engine: Engine, base: Recipe, corpus: Corpus, tokens: Tokens, kept: np.ndarray, progress: Progress
) -> dict[str, TokenWeights]:
    """The idf of the corpus, and that times the count in the text, of the tokens that are kept."""
    idf = engine.passes.frequencies(engine.source(base), corpus, progress).idf(tokens.ids[kept])
    return {"tf-idf": tf_idf(tokens.ids[kept], tokens.sentence[kept], idf), "idf": idf}


def _gensim_weights(
    engine: Engine, base: Recipe, corpus: Corpus, tokens: Tokens, kept: np.ndarray, progress: Progress
) -> dict[str, TokenWeights]:
    """The tf-idf of gensim of the tokens that are kept, learnt from the reference of ``base``."""
    learnt = engine.references.of(base, progress)
    documents, ids = engine.passes.frequencies(engine.source(base), learnt, progress), tokens.ids[kept]
    return {GENSIM: gensim_tf_idf(ids, tokens.sentence[kept], documents.idf(ids), documents.unseen(ids))}


def _diagonals(stored: ReadableStates, layer: int, kept: np.ndarray) -> Float[np.ndarray, "token head"]:
    """The diagonals of one layer's heads, read chunk by chunk."""
    parts = []
    for start in range(0, len(kept), CHUNK_TOKENS):
        span = slice(start, min(start + CHUNK_TOKENS, len(kept)))
        diagonals = stored.diagonals(span)
        if diagonals is None:
            raise RecipeError("This model has no attention heads; take another model as source.")
        parts.append(diagonals[kept[span], layer])
    return np.concatenate(parts)
