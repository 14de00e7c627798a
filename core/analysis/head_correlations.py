"""How a head's diagonal goes with a word's tf-idf and idf (Chen et al. 2023, Table 4).

Over all tokens of a corpus that are neither special nor the template's. Each different text counts once;
the document frequencies count a text as often as it stands in the corpus, as the weight ``idf`` does.
The paper counts words on a million sentences of Wikipedia; here the corpus' own tokens are counted.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from scipy.stats import rankdata

from core.analysis.attention import source_with_heads
from core.analysis.head_similarities import refuse_unknown, stored, with_head
from core.analysis.heads import Grid, table_key
from core.chunks import Readable
from core.corpus import Corpus
from core.embed import Road
from core.errors import CorpusError, RecipeError
from core.evaluation.statistics import pearson
from core.passes import Source
from core.progress import Progress, Step, silent
from core.recipe import Recipe
from core.tokens import Tokens

WEIGHTS = ("tf-idf", "idf")

STRETCH = 100_000
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
    road: Road, base: Recipe, corpus: Corpus, progress: Progress = silent
) -> dict[str, HeadCorrelations]:
    """Every head's diagonal against tf-idf and against idf, by weight; kept in the store.

    ``base`` gives source and template (:func:`core.analysis.heads.base_of`); gold is not looked at.

    Raises
    ------
    RecipeError
        The source has no heads, or does not give its attention.
    CorpusError
        There are fewer than two tokens to correlate over.
    StoreError
        The pass is too large to be kept.
    """
    source_with_heads(road, base)
    base = Recipe(source=base.source, template=base.template, reference=base.reference)
    key = "head-words-" + table_key(road, base, corpus)
    arrays = road.store.table(key, lambda: _correlate(road, base, corpus, progress))
    tokens, texts = int(arrays["tokens"]), len(corpus.sentences)
    return {
        name: HeadCorrelations(name, arrays[f"{name} pearson"], arrays[f"{name} spearman"], tokens, texts)
        for name in WEIGHTS
    }


def _correlate(road: Road, base: Recipe, corpus: Corpus, progress: Progress) -> dict[str, np.ndarray]:
    source = road.source(base)
    found = stored(road.read(with_head(base, "last", 1, 1), corpus, progress))
    kept = ~(found.tokens.special | found.tokens.template)
    if kept.sum() < 2:
        raise CorpusError(f"{corpus.name} has {int(kept.sum())} tokens; a correlation needs two.")
    words = _word_weights(road, source, corpus, found.tokens, kept, progress)
    ranked = {name: rankdata(values) for name, values in words.items()}
    depth, heads = source.location.depth, source.location.heads
    out = {f"{name} {kind}": np.full((depth, heads), np.nan) for name in words for kind in _KINDS}
    for layer in range(depth):
        progress(Step("Correlating heads with word weights: layers", layer, depth))
        diagonals = _diagonals(found, layer, kept)
        refuse_unknown(diagonals)
        for head in range(heads):
            own = diagonals[:, head].astype(np.float64)
            ranks = rankdata(own)
            for name in words:
                out[f"{name} pearson"][layer, head] = pearson(own, words[name])
                out[f"{name} spearman"][layer, head] = pearson(ranks, ranked[name])
    return out | {"tokens": np.array(int(kept.sum()))}


_KINDS = ("pearson", "spearman")


def _word_weights(
    road: Road, source: Source, corpus: Corpus, tokens: Tokens, kept: np.ndarray, progress: Progress
) -> dict[str, Float[np.ndarray, " token"]]:
    """idf, and idf times the count in the text, of the tokens that are kept."""
    documents = road.passes.frequencies(source, corpus, progress)
    ids: Int[np.ndarray, " token"] = tokens.ids[kept]
    idf = documents.idf(ids)
    texts = tokens.sentence[kept].astype(np.int64)
    _, which, times = np.unique(texts << 32 | ids, return_inverse=True, return_counts=True)
    return {"tf-idf": idf * times[which], "idf": idf}


def _diagonals(found: Readable, layer: int, kept: np.ndarray) -> Float[np.ndarray, "token head"]:
    """The diagonals of one layer's heads, stretch by stretch."""
    parts = []
    for start in range(0, len(kept), STRETCH):
        span = slice(start, min(start + STRETCH, len(kept)))
        diagonals = found.diagonals(span)
        if diagonals is None:
            raise RecipeError("This model has no attention heads; take another model as source.")
        parts.append(diagonals[kept[span], layer])
    return np.concatenate(parts)
