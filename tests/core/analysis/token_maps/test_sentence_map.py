"""Sentences under two recipes: neighbours by loops, aligned maps, properties of sentences."""

import numpy as np
import pytest

from core import spans
from core.analysis import neighbours as neighbours_module
from core.analysis.neighbours import nearest_others
from core.analysis.token_maps.sentence_map import (
    aligned,
    mean_gold,
    neighbour_change,
    sample,
    stored_neighbour_change,
    subset_labels,
    word_counts,
)
from core.corpora.corpus import Corpus
from core.errors import StrataError
from core.storage.store import Store
from tests.core.helpers.texts import many


def vectors(seed: int = 0, number: int = 30, dim: int = 6) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(number, dim)).astype(np.float32)


def near_by_loops(x: np.ndarray, i: int, k: int) -> list[int]:
    """The k nearest of row i, one cosine at a time."""
    ranked = []
    for j in range(len(x)):
        if j == i:
            continue
        u, v = x[i].astype(float), x[j].astype(float)
        lengths = np.sqrt(sum(a * a for a in u)) * np.sqrt(sum(b * b for b in v))
        ranked.append((-sum(a * b for a, b in zip(u, v, strict=True)) / lengths if lengths else 0.0, j))
    return [j for _, j in sorted(ranked)[:k]]


@pytest.mark.parametrize("span", [48 * 4, 48 * 7, 10**6])
@pytest.mark.parametrize("block", [4, 1024])
@pytest.mark.parametrize("k", [1, 3, 10])
def test_neighbours_by_loops(k, block, span, monkeypatch):
    monkeypatch.setattr(neighbours_module, "BLOCK", block)
    monkeypatch.setattr(spans, "SPAN_BYTES", span)
    x = vectors()
    expected = [near_by_loops(x, i, k) for i in range(len(x))]
    np.testing.assert_array_equal(nearest_others(x, k).places, expected)


def test_equal_neighbours_come_in_the_order_of_the_corpus_and_zero_is_at_right_angles():
    x = np.array([[1, 0], [0, 1], [2, 0], [0, 0], [1, 0], [-1, 0]], np.float32)
    nearest = nearest_others(x, 5).places
    assert nearest[0].tolist() == [2, 4, 1, 3, 5]
    assert nearest[3].tolist() == [0, 1, 2, 4, 5]
    many_equal = np.repeat(x, 10, axis=0)
    assert nearest_others(many_equal, 3).places[0].tolist() == [1, 2, 3]


def test_change_is_the_jaccard_index_of_both_neighbourhoods():
    a, b, k = vectors(0), vectors(0) + 0.6 * vectors(1), 4
    change = neighbour_change(a, b, k)
    for i in range(len(a)):
        x, y = set(near_by_loops(a, i, k)), set(near_by_loops(b, i, k))
        assert change.overlap[i] == pytest.approx(len(x & y) / len(x | y))
        assert set(change.a[i].tolist()) == x
        assert set(change.b[i].tolist()) == y
    ordered = change.overlap[change.order]
    assert (np.diff(ordered) >= 0).all()
    assert 0 < ordered[0] + ordered[-1] < 2, "some change, some do not"
    ties = [(change.overlap[i], i) for i in change.order.tolist()]
    assert ties == sorted(ties)


def test_the_same_vectors_change_nothing():
    assert (neighbour_change(vectors(), 3 * vectors()).overlap == 1).all()


def test_few_sentences_have_fewer_neighbours_and_one_or_two_none():
    assert neighbour_change(vectors(number=3), vectors(1, number=3)).k == 1
    assert neighbour_change(vectors(number=12), vectors(1, number=12)).k == 10
    assert neighbour_change(vectors(number=11), vectors(1, number=11)).k == 9
    for number in (1, 2):
        with pytest.raises(StrataError, match=f"three sentences or more; the corpus has {number}"):
            neighbour_change(vectors(number=number), vectors(number=number))


def test_a_map_that_was_rotated_reflected_moved_and_scaled_is_aligned():
    a = vectors(dim=2)
    rotation = np.array([[0.6, -0.8], [0.8, 0.6]]) @ np.diag([1, -1])
    first, second, disparity = aligned(a, (5 * a @ rotation + [3, 1]).astype(np.float32))
    np.testing.assert_allclose(first, second, atol=1e-5)
    assert disparity == pytest.approx(0, abs=1e-10)
    np.testing.assert_allclose(first, (a - a.mean(0)) / np.linalg.norm(a - a.mean(0)), atol=1e-6)


def test_the_disparity_is_the_smallest_of_all_rotations_and_reflections():
    a, b = vectors(0, dim=2), vectors(1, dim=2)
    first, second, disparity = aligned(a, b)
    assert disparity == pytest.approx(((first - second) ** 2).sum(), rel=1e-4)
    x = (b - b.mean(0)) / np.linalg.norm(b - b.mean(0))
    for angle in np.linspace(0, 2 * np.pi, 60):
        for reflection in (1, -1):
            rotation = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
            rotated = x @ rotation @ np.diag([1, reflection])
            scale = max((first * rotated).sum(), 0)
            assert ((first - scale * rotated) ** 2).sum() >= disparity - 1e-5


@pytest.mark.parametrize(("a", "b", "which"), [(0, 1, "A"), (1, 0, "B")])
def test_a_map_whose_points_coincide_is_refused(a, b, which):
    maps = [np.ones((5, 2), np.float32), vectors(number=5, dim=2)]
    with pytest.raises(StrataError, match=f"map {which} are one"):
        aligned(maps[a], maps[b])


def test_the_change_is_stored(tmp_path):
    first = stored_neighbour_change(Store(tmp_path), ["x"], vectors(0), vectors(1))
    again = stored_neighbour_change(Store(tmp_path), ["x"], vectors(2), vectors(3))
    np.testing.assert_array_equal(again.order, first.order)
    assert stored_neighbour_change(Store(tmp_path), ["x"], vectors(0), vectors(1), 3).k == 3


def test_gold_labels_and_lengths_of_sentences():
    corpus = Corpus.of_pairs(
        "c", ["a b", "a b", "e"], ["c", "d d d", "c"], [1.0, 4.0, 5.0], subset=["x", "y", "z"]
    )
    assert corpus.sentences == ("a b", "e", "c", "d d d")
    np.testing.assert_allclose(mean_gold(corpus), [2.5, 5, 3, 4])
    assert subset_labels(corpus) == ("x", "z", "x", "y")
    np.testing.assert_array_equal(word_counts(corpus), [2, 1, 1, 3])


def test_a_corpus_without_pairs_has_no_gold_and_no_labels():
    corpus = Corpus.of_texts("c", many(4))
    assert np.isnan(mean_gold(corpus)).all()
    assert set(subset_labels(corpus)) == {""}


def test_a_sample_is_drawn_once_for_all():
    corpus = Corpus.of_texts("c", many(100))
    np.testing.assert_array_equal(sample(corpus), np.arange(100))
    some = sample(corpus, 20)
    assert len(set(some.tolist())) == 20
    assert (np.diff(some) > 0).all()
    np.testing.assert_array_equal(some, sample(corpus, 20))
