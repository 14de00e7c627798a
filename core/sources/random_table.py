"""Random token vectors: the baseline without a model.

RE of Stankevičius & Lukoševičius (2025): every id of BERT's vocabulary gets a normally distributed vector.
The score of a recipe on these vectors is its score without learnt meaning. The paper's figures are met with
``tokens=content``, that is without [CLS] and [SEP] (``python -m benchmarks.random_embeddings``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from core.recipe import SOURCE
from core.recipe.arguments import Within


@dataclass(frozen=True)
class RandomTable:
    """One row of N(0, std²) per vocabulary id."""

    seed: int
    dim: int
    std: float

    def rows(self, vocabulary: int) -> np.ndarray:
        """``[vocabulary, dim]`` in float32; the same rows for the same seed."""
        rows = np.random.default_rng(self.seed).standard_normal((vocabulary, self.dim), np.float32)
        rows *= self.std  # in place: a table of many numbers would be in memory twice
        return rows


@SOURCE.option(layered=False)
def random(
    *,
    seed: Annotated[int, Within(0, 2**31 - 1, "of the random numbers")] = 0,
    dim: Annotated[int, Within(1, 4096, "numbers per token")] = 768,
    std: Annotated[float, Within(1e-6, 1e6, "standard deviation")] = 0.1,
) -> RandomTable:
    """Normally distributed vectors, one per id of BERT's vocabulary: the baseline without a model."""
    return RandomTable(seed, dim, std)
