"""Which pairs are named, on tables made by hand and against a slow count."""

import itertools
from unittest.mock import Mock

import numpy as np
import pandas as pd
import pytest

from core.analysis.close_pairs import Pair, close_pairs, negates, pair_of, shared_words
from core.analysis.comparison import SimilarityMatrix, pair_table
from core.recipe import Recipe
from core.sources.source import Source


def table(sentences, a, b=None) -> pd.DataFrame:
    """The table of pairs of sentences whose similarities are given, pair by pair in order."""

    def matrix(values) -> SimilarityMatrix:
        full = np.eye(len(sentences))
        for (i, j), value in zip(itertools.combinations(range(len(sentences)), 2), values, strict=True):
            full[i, j] = full[j, i] = value
        return SimilarityMatrix(Recipe(), full, Mock(spec=Source), ())

    return pair_table(sentences, matrix(a), None if b is None else matrix(b))


def many(count: int, seed: int = 0) -> pd.DataFrame:
    """Pairs of sentences without shared words, at random under A and B."""
    sentences = [f"word{i}" for i in range(count)]
    a, b = np.random.default_rng(seed).uniform(-0.2, 1, (2, count * (count - 1) // 2))
    return table(sentences, a, b)


def named(pair: Pair | None) -> tuple[int, int] | None:
    return None if pair is None else (pair.first, pair.second)


# -- words in common


@pytest.mark.parametrize(
    ("first", "second", "share"),
    [
        ("The nurse thanked the doctor.", "The doctor thanked the nurse.", 1),
        ("The bakery opens at seven.", "the bakery CLOSES at seven!", 4 / 6),
        ("one two", "three four", 0),
        ("a b c d", "a", 1 / 4),
        ("don't go", "don’t go", 1 / 3),
        ("🎸", "🎸", 0),
        ("", "word", 0),
        ("straße", "STRASSE", 1),
    ],
)
def test_words_in_common_are_their_jaccard_index(first, second, share):
    shared = shared_words([first, second])
    assert shared[0, 1] == shared[1, 0] == pytest.approx(share)


def test_words_in_common_equal_a_count_of_sets():
    generator = np.random.default_rng(1)
    sentences = [" ".join(generator.choice(list("abcdefgh"), 5)) for _ in range(20)]
    shared = shared_words(sentences)
    for (i, one), (j, other) in itertools.product(enumerate(sentences), repeat=2):
        first, second = set(one.split()), set(other.split())
        assert shared[i, j] == pytest.approx(len(first & second) / len(first | second))


# -- pairs that are named


def test_the_closest_pair_is_that_of_the_highest_similarity_under_a():
    rows = many(9)
    top = rows.loc[rows["A"].idxmax()]
    closest = close_pairs(rows).closest
    assert named(closest) == (top["first"], top["second"])
    assert (closest.rank_a, closest.a, closest.b) == (1, top["A"], top["B"])


@pytest.mark.parametrize(("count", "limit"), [(3, 3), (6, 3), (9, 4), (12, 7), (40, 78)])
def test_a_disagreement_is_of_a_pair_among_the_closest_tenth(count, limit):
    for seed in range(20):
        rows = many(count, seed)
        close = close_pairs(rows)
        counts = (rows["rank A"] <= limit) | (rows["rank B"] <= limit)
        assert close.counted == counts.sum()
        most = rows.loc[counts, "change"].abs().max()
        assert (close.disagreement is None) == (most == 0)
        if close.disagreement is not None:
            assert abs(close.disagreement.change) == most
            assert min(close.disagreement.rank_a, close.disagreement.rank_b) <= limit


def test_unrelated_pairs_that_change_ranks_are_not_named():
    """Of ten pairs the three closest stay; the rest is turned round."""
    a = [0.9, 0.8, 0.7, 0.10, 0.09, 0.08, 0.07, 0.06, 0.05, 0.04]
    b = [0.9, 0.8, 0.7, 0.04, 0.05, 0.06, 0.07, 0.08, 0.09, 0.10]
    close = close_pairs(table(list("abcde"), a, b))
    assert close.disagreement is None
    assert not close.same_order
    assert close.counted == 3


def test_equal_orders_are_the_same_order():
    close = close_pairs(table(list("abc"), [0.3, 0.2, 0.1], [0.9, 0.5, 0.4]))
    assert close.same_order
    assert close.disagreement is None


def test_without_b_nothing_disagrees():
    close = close_pairs(table(list("abc"), [0.3, 0.2, 0.1]))
    assert close.disagreement is None
    assert not close.same_order
    assert close.closest.b is None
    assert close.closest.change == 0


def test_near_copies_and_pairs_with_few_words_in_common():
    sentences = ["a dog bit the man", "the man bit a dog", "some person was hurt", "a dog bit the cat"]
    a = [0.99, 0.6, 0.9, 0.5, 0.7, 0.1]  # 12 13 14 23 24 34
    close = close_pairs(table(sentences, a))
    assert named(close.closest) == named(close.near_copy) == (1, 2)
    assert close.near_copy.shared == 1
    assert named(close.few_words) == (1, 3)
    assert close.few_words.shared == 0
    assert close.few_words.rank_a == 4
    assert close.copies_before == 3


def test_a_sentence_pasted_twice_makes_no_pair_with_itself():
    close = close_pairs(table(["same", "same", "other"], [1, 0.2, 0.2], [1, 0.3, 0.3]))
    assert named(close.closest) == (1, 3)
    assert close.copied
    alone = close_pairs(table(["same", "same"], [1], [1]))
    assert named(alone.closest) == (1, 2)
    assert not alone.copied
    assert not close_pairs(table(["same", "other"], [1], [1])).copied


def test_a_sentence_pasted_twice_leaves_every_rank_as_it_is_without_the_copy():
    once = many(7)
    pairs = {(row["first"], row["second"]): row for _, row in once.iterrows()}
    sentences = [*(f"word{i}" for i in range(7)), "word2", "word2"]
    texts = [*range(7), 2, 2]
    values = {
        side: [
            1.0 if texts[i] == texts[j] else pairs[tuple(sorted((texts[i] + 1, texts[j] + 1)))][side]
            for i, j in itertools.combinations(range(9), 2)
        ]
        for side in ("A", "B")
    }
    rows = table(sentences, values["A"], values["B"])
    copies = rows["sentence 1"] == rows["sentence 2"]
    assert copies.sum() == 3
    assert rows.loc[copies, ["rank A", "rank B", "change"]].isna().all(axis=None)
    assert copies.tolist() == sorted(copies), "they come last"
    for _, row in rows[~copies].iterrows():
        alone = pairs[tuple(sorted((texts[row["first"] - 1] + 1, texts[row["second"] - 1] + 1)))]
        assert (row["rank A"], row["rank B"]) == (alone["rank A"], alone["rank B"])
    close, alone = close_pairs(rows), close_pairs(once)
    assert close.pairs == alone.pairs == 21
    assert close.copied
    assert not alone.copied
    for name in ("counted", "first_a", "first_b", "same_order", "closest", "few_words", "disagreement"):
        assert getattr(close, name) == getattr(alone, name), name
    pair = pair_of(rows, 3, 8)
    assert (pair.rank_a, pair.rank_b, pair.change) == (None, None, 0)


def test_where_all_are_equal_none_is_the_closest():
    close = close_pairs(table(list("abc"), [1, 1, 1 - 1e-15], [0.3, 0.2, 0.1]))
    assert close.closest is close.near_copy is close.few_words is None
    assert close.disagreement is None, "nor is a rank under A one"
    assert (close.first_a, close.first_b) == (3, 1)
    other = close_pairs(table(list("abc"), [0.3, 0.2, 0.1], [1, 1, 1 - 1e-15]))
    assert named(other.closest) == (1, 2)
    assert other.disagreement is None
    assert (other.first_a, other.first_b) == (1, 3)


def test_a_pair_is_found_in_either_order():
    rows = many(5)
    assert pair_of(rows, 2, 4) == pair_of(rows, 4, 2)
    pair = pair_of(rows, 4, 2)
    assert pair.sentences == ("word1", "word3")


# -- a negation in one of two


@pytest.mark.parametrize(
    ("sentence", "does"),
    [
        ("It is NOT raining.", True),
        ("He didn't go.", True),
        ("He didn’t go.", True),
        ("Nobody was hurt", True),
        ("I cannot come", True),
        ("A knot, a notion and another.", False),
        ("It is raining.", False),
        ("", False),
    ],
)
def test_words_that_negate(sentence, does):
    assert negates(sentence) == does


def test_the_closest_near_copy_with_a_negation_in_one_is_named():
    sentences = ["the shot is safe", "the shot is not safe", "the shot is not safe now", "no risk at all"]
    a = {(1, 2): 0.8, (1, 3): 0.7, (1, 4): 0.95, (2, 3): 0.99, (2, 4): 0.1, (3, 4): 0.2}
    found = close_pairs(table(sentences, a.values()))
    assert named(found.closest) == (2, 3), "both negate"
    assert named(found.negated) == (1, 2), "the pair of 0.95 shares no words"
    assert close_pairs(table(["one", "two", "three"], [0.1, 0.2, 0.3])).negated is None
    assert close_pairs(table(sentences, [0.5] * 6)).negated is None, "all are equally close"
