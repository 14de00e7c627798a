"""Scales of scores that nobody said: one guess, whoever asks."""

import numpy as np
import pytest

from core.corpora.scales import scale_of, scales_for


@pytest.mark.parametrize(
    ("low", "high", "first"),
    [
        (0, 1, (0, 1)),
        (0.2, 0.9, (0, 1)),
        (-0.3, 0.8, (-1, 1)),
        (500, 500, (0, 500)),
        (-7, -7, (-7, 0)),
        (1, 5, (1, 5)),
        (0, 5, (0, 5)),
        (0.5, 4.8, (0, 5)),
        (0, 10, (0, 10)),
        (10, 90, (0, 100)),
        (-7, 300, (-7, 300)),
    ],
)
def test_the_scale_is_guessed_from_the_scores(low, high, first):
    scales = scales_for(low, high)
    assert scales[0] == first
    assert all(a <= low and high <= b for a, b in scales)


@pytest.mark.parametrize(
    ("gold", "scale"),
    [
        ([0, 2.5, 5], (0, 5)),
        ([0.2, 4.8], (0, 5)),
        ([1, 3, 4.9], (1, 5)),
        ([0, 0.4, 1], (0, 1)),
        ([0.1, 0.9], (0, 1)),
        ([-1, 1], (-1, 1)),
        ([0, 50, 100], (0, 100)),
        ([-0.3, 0.8], (-1, 1)),
        ([10, 90], (0, 100)),
        ([3, 3, 3], (1, 5)),
        ([1, 1], (0, 1)),
        ([7, 7], (0, 10)),
        ([], (0, 5)),
    ],
)
def test_the_scale_follows_from_the_scores(gold, scale):
    gold = np.array(gold, float)
    assert scale_of(gold) == scale
    assert scale_of(gold, (2, 9)) == (2, 9)
