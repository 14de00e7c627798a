"""Names of tokens along rows and columns: type as large as rows allow, then fewer names."""

from itertools import pairwise

import pytest

from components.figures.token_names import LEAST, LINE, fitting
from components.theme import FONT_SIZE


@pytest.mark.parametrize("count", [1, 2, 15, 23, 40, 92, 300])
@pytest.mark.parametrize("room", [60, 262, 380, 695])
def test_names_do_not_lie_over_each_other_and_can_be_read(count, room):
    for kept in ((), (count // 2,), (count - 1,)):
        names = fitting(count, room, kept=kept)
        assert LEAST <= names.size <= FONT_SIZE
        assert {*kept} <= {*names.places} <= {*range(count)}
        apart = [(below - above) * room / count for above, below in pairwise(names.places)]
        assert all(one >= LINE * names.size - 1e-9 for one in apart)


def test_each_token_is_named_while_type_can_be_read_and_the_rest_evenly():
    assert fitting(10, 380) == fitting(10, 380, kept=(3,))
    assert fitting(10, 380).size == FONT_SIZE
    assert fitting(29, 380).size < FONT_SIZE
    assert len(fitting(29, 380).places) == 29
    steps = {below - above for above, below in pairwise(fitting(92, 380).places)}
    assert steps == {3}, "evenly"
    kept = fitting(92, 380, kept=(40,))
    assert 40 in kept.places
    assert len(kept.places) >= len(fitting(92, 380).places) - 1


def test_type_is_no_larger_than_is_asked_for():
    assert fitting(3, 900, largest=13).size == 13
