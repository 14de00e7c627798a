"""The pairs whose similarity is furthest from their gold score, by rank."""

from __future__ import annotations

import numpy as np
import pandas as pd
from jaxtyping import Float, Int

from core.corpora.corpus import Corpus
from core.evaluation.ranks import mid_ranks


def worst_pairs(
    similarities: Float[np.ndarray, " pair"], corpus: Corpus, most: int = 8
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The pairs whose rank by similarity is furthest below, and furthest above, their rank by gold.

    ``places`` is the difference of the two ranks, in percent of the number of pairs. A pair that is on the
    other side, or has the same rank by both, is in neither; none is where a similarity is NaN.
    """
    rank_difference = 100 * (mid_ranks(similarities) - mid_ranks(corpus.gold)) / max(len(corpus), 1)
    order = np.argsort(rank_difference, kind="stable")
    below, above = order[rank_difference[order] < 0], order[rank_difference[order] > 0]

    def table(rows: Int[np.ndarray, " row"]) -> pd.DataFrame:
        return pd.DataFrame(
            {
                "gold": corpus.gold[rows],
                "similarity": similarities[rows],
                "places": np.round(rank_difference[rows]).astype(int),
                "sentence 1": [corpus.sentences[int(i)] for i in corpus.first[rows]],
                "sentence 2": [corpus.sentences[int(i)] for i in corpus.second[rows]],
            }
        )

    return table(below[:most]), table(above[::-1][:most])
