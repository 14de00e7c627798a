"""The weighted sum of the token vectors of each text, which several poolings need."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from core.threads import share_of_torch
from core.tokens.states import without_mark
from core.tokens.token_batch import Pooled, TokenBatch


def weighted_sum(batch: TokenBatch, weights: Float[np.ndarray, " token"]) -> Pooled:
    """Sums of weighted rows; several times faster than a sparse product or ``reduceat``."""
    if not len(batch.states):
        return np.zeros((len(batch.cls), batch.states.shape[1]), np.float32)
    import torch  # here: it takes seconds, and not every start needs it

    states = np.ascontiguousarray(batch.states, np.float32)  # held while its memory is read
    with share_of_torch():
        summed = torch.nn.functional.embedding_bag(
            torch.arange(len(batch.states)),
            torch.from_numpy(without_mark(states)),
            torch.from_numpy(np.ascontiguousarray(batch.offsets[:-1], np.int64)),
            mode="sum",
            per_sample_weights=torch.from_numpy(np.ascontiguousarray(weights, np.float32)),
        )
    return summed.numpy()
