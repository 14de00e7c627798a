"""Similarities of pasted sentences, and where two recipes disagree."""

import numpy as np
import pytest

from core.comparison import MOST, as_corpus, pair_table, similarity_matrix
from core.errors import CorpusError
from core.recipe import Recipe
from tests.core.helpers.texts import many

TEXTS = [*many(5), many(1)[0], "", "[SEP]"]


def test_two_to_two_hundred_sentences_are_compared():
    lines = [f"sentence {i}" for i in range(MOST + 1)]
    assert len(as_corpus(lines[:200]).sentences) == 200
    with pytest.raises(CorpusError, match="At most 200 sentences are compared at once; got 201"):
        as_corpus(lines)
    for few, got in (([], "none"), (["a"], "one")):
        with pytest.raises(CorpusError, match=f"Two sentences are needed.*got {got}"):
            as_corpus(few)


def test_every_sentence_with_every_other_in_the_order_given(shared_road, bert):
    found = similarity_matrix(shared_road, Recipe.parse(bert), TEXTS).values
    assert found.shape == (8, 8)
    np.testing.assert_array_equal(found, found.T)
    np.testing.assert_allclose(np.diag(found), 1, atol=1e-12)
    np.testing.assert_allclose(found[0], found[5], atol=1e-12)  # a repeat
    backwards = similarity_matrix(shared_road, Recipe.parse(bert), TEXTS[::-1]).values
    np.testing.assert_allclose(backwards[::-1, ::-1], found, atol=1e-6)


def test_the_table_holds_every_pair_once_and_ranks_the_closest_first(shared_road, bert):
    a, b = (similarity_matrix(shared_road, Recipe.parse(f"{bert};layers={i}"), TEXTS) for i in (0, 3))
    table = pair_table(TEXTS, a)
    assert len(table) == 28
    assert table["A"].is_monotonic_decreasing
    assert table["rank A"].iloc[0] == 1
    assert set(zip(table["sentence 1"], table["sentence 2"], strict=True)) >= {(TEXTS[0], TEXTS[5])}
    both = pair_table(TEXTS, a, b)
    assert (both["change"] == both["rank A"] - both["rank B"]).all()
    assert both["change"].abs().is_monotonic_decreasing
