"""What a model gives for a batch: its attentions are all there or count as not given."""

import pytest
import torch

from core.encoders.output import Output

BLOCK = torch.arange(2 * 3 * 4 * 4, dtype=torch.float32).reshape(2, 3, 4, 4)
"""Attention ``[row, head, token, token]``."""


def output(attentions: tuple[torch.Tensor | None, ...] | None) -> Output:
    """An output with these attentions and two layers of states."""
    states = torch.zeros(2, 4, 5)
    return Output((states, states), attentions, states)


@pytest.mark.parametrize(
    "attentions",
    [None, (), (None, None), (BLOCK, None)],
    ids=["not given", "no block", "no block gives", "one block gives"],
)
def test_attentions_of_which_one_is_missing_are_none_and_their_diagonals_unknown(attentions):
    given = output(attentions)
    assert given.every_attention() is None
    diagonals = given.diagonals(torch.tensor([0, 5]), depth=2, heads=3)
    assert diagonals.shape == (2, 2, 3)
    assert diagonals.isnan().all()


def test_a_diagonal_is_what_a_kept_token_gives_itself_in_each_layer_and_head():
    diagonals = output((BLOCK, -BLOCK)).diagonals(torch.tensor([1, 6]), depth=2, heads=3)
    for place, (row, token) in enumerate([(0, 1), (1, 2)]):
        own = BLOCK[row, :, token, token]
        assert torch.equal(diagonals[place], torch.stack([own, -own]))


def test_a_model_without_heads_has_no_diagonals():
    assert output(None).diagonals(torch.tensor([0]), depth=0, heads=0) is None
