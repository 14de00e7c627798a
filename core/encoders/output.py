"""What a model gives for a batch: tensors on its device, and the layers and diagonals of kept tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch

from core.encoders.transfer import Transfer


class Output(NamedTuple):
    """The states of layer 0 … L, the attentions, and the rows of the word-embedding matrix for the ids.

    States are ``[row, token, dim]``. ``attentions`` are ``[row, head, token, token]`` for each block; None,
    whole or for some of them, from a model that does not give them.
    """

    hidden: tuple[torch.Tensor, ...]
    attentions: tuple[torch.Tensor | None, ...] | None
    rows: torch.Tensor

    def layers(self, kept: torch.Tensor) -> list[torch.Tensor]:
        """``[token, dim]`` of the kept tokens in the static rows and in layers 0 … L."""
        return [_flat(state, kept) for state in (self.rows, *self.hidden)]

    def every_attention(self) -> tuple[torch.Tensor, ...] | None:
        """The attentions of all blocks; None where one is missing."""
        given = tuple(a for a in self.attentions or () if a is not None)
        return given if given and len(given) == len(self.attentions or ()) else None

    def diagonals(self, kept: torch.Tensor, depth: int, heads: int) -> torch.Tensor | None:
        """``[token, layer, head]`` of the kept tokens; NaN for a model that does not give its attention.

        None where ``heads``, of each of ``depth`` blocks, are 0.
        """
        if not heads:
            return None
        if (given := self.every_attention()) is None:
            return torch.full((len(kept), depth, heads), torch.nan)
        stacked = torch.stack([a.diagonal(dim1=-2, dim2=-1) for a in given])
        return _flat(stacked.permute(1, 3, 0, 2), kept)


def sent(layers: Sequence[torch.Tensor], dtype: torch.dtype = torch.float32) -> Transfer:
    """Layers on their way, rounded, after whether each of them is finite then: float16 ends at 65,504."""
    rounded = [layer.to(dtype) for layer in layers]
    finite = torch.stack([torch.isfinite(layer).all() for layer in rounded])
    return Transfer([finite, *rounded])


def _flat(state: torch.Tensor, kept: torch.Tensor) -> torch.Tensor:
    """The kept tokens of all rows, end to end: ``[row, token, …]`` → ``[kept, …]``."""
    return state.flatten(0, 1).index_select(0, kept).float()
