"""Similarities of pasted sentences, and where two recipes disagree."""

from dataclasses import replace

import numpy as np
import pytest

from core.analysis.comparison import (
    MOST,
    as_corpus,
    clustered_order,
    has_matrix,
    pair_table,
    similarity_matrix,
)
from core.errors import CorpusError
from core.evaluation.scoring import kept_under
from core.pipeline.engine import Engine
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


def test_every_sentence_with_every_other_in_the_order_given(shared_engine, bert):
    found = similarity_matrix(shared_engine, Recipe.parse(bert), TEXTS).values
    assert found.shape == (8, 8)
    np.testing.assert_array_equal(found, found.T)
    np.testing.assert_allclose(np.diag(found), 1, atol=1e-12)
    np.testing.assert_allclose(found[0], found[5], atol=1e-12)  # a repeat
    backwards = similarity_matrix(shared_engine, Recipe.parse(bert), TEXTS[::-1]).values
    np.testing.assert_allclose(backwards[::-1, ::-1], found, atol=1e-6)


def test_an_engine_that_ships_keeps_a_matrix_and_others_read_it(settings, bert):
    recipe = Recipe.parse(f"{bert};tokens=content")
    visited, shipping = Engine(settings), Engine(replace(settings, ships=True))

    def is_kept(texts) -> bool:
        return has_matrix(visited, kept_under(visited, recipe).values(), texts)

    computed = similarity_matrix(visited, recipe, TEXTS)
    assert not is_kept(TEXTS)
    similarity_matrix(shipping, recipe, TEXTS)
    assert is_kept(TEXTS)
    assert not is_kept(TEXTS[::-1])
    read = similarity_matrix(Engine(replace(settings, shipped=None)), recipe, TEXTS)
    np.testing.assert_array_equal(read.values, computed.values)
    assert (read.notes, read.source.name) == (computed.notes, computed.source.name)
    assert read.notes  # of sentences without content


def test_the_table_holds_every_pair_once_and_ranks_the_closest_first(shared_engine, bert):
    a, b = (similarity_matrix(shared_engine, Recipe.parse(f"{bert};layers={i}"), TEXTS) for i in (0, 3))
    table = pair_table(TEXTS, a)
    assert len(table) == 28
    assert table["rank A"].isna().tolist() == [*[False] * 27, True], "a sentence and its copy come last"
    assert table["A"][:-1].is_monotonic_decreasing
    assert table["rank A"].iloc[0] == 1
    assert set(zip(table["sentence 1"], table["sentence 2"], strict=True)) >= {(TEXTS[0], TEXTS[5])}
    both = pair_table(TEXTS, a, b)
    assert (both["change"] == both["rank A"] - both["rank B"]).all()
    assert both[["rank A", "rank B"]].min(axis=1)[:-1].is_monotonic_increasing


def test_the_table_names_words_in_common(shared_engine, bert):
    texts = ["a dog ran", "a cat ran", "two birds"]
    table = pair_table(texts, similarity_matrix(shared_engine, Recipe.parse(bert), texts))
    shared = {(row["first"], row["second"]): row["words shared"] for _, row in table.iterrows()}
    assert shared == {(1, 2): 0.5, (1, 3): 0, (2, 3): 0}


def test_the_clustered_order_puts_blocks_together():
    """Three groups of ten whose members stand apart: each group is one run in the order."""
    groups = np.arange(30) % 3
    noise = np.random.default_rng(0).uniform(-0.05, 0.05, (30, 30))
    values = np.where(groups[:, None] == groups, 0.8, 0.1) + (noise + noise.T) / 2
    np.fill_diagonal(values, 1)
    order = clustered_order(values)
    assert sorted(order) == list(range(30))
    assert (np.diff(groups[order]) != 0).sum() == 2
    np.testing.assert_array_equal(values, values.T)


@pytest.mark.parametrize("count", [1, 2, 3, 40])
def test_equal_similarities_have_an_order_too(count):
    assert sorted(clustered_order(np.ones((count, count)))) == list(range(count))


def test_clustering_takes_similarities_of_any_size(matrix_of_distances):
    assert sorted(clustered_order(matrix_of_distances)) == list(range(len(matrix_of_distances)))


@pytest.fixture
def matrix_of_distances() -> np.ndarray:
    """Negated Euclidean distances."""
    points = np.random.default_rng(1).normal(size=(12, 4))
    return -np.linalg.norm(points[:, None] - points, axis=2)
