"""What stands over the matrices, in words."""

import numpy as np
import pytest

from components.compare.findings import Units, findings, headline, of_pair
from components.figures.similarities import bounds, in_cell, reach, shown
from core.analysis.close_pairs import ClosePairs, Pair

COSINE = Units("cosine", "cosine")


def pair(a=0.99, rank_a=1, b=None, rank_b=None, shared=0.9, sentences=("one", "two")) -> Pair:
    return Pair(1, 2, sentences, shared, a, rank_a, b, rank_b)


def close(**named) -> ClosePairs:
    """Pairs that are named, of 66."""
    settings = {
        "pairs": 66,
        "counted": 9,
        "closest": None,
        "near_copy": None,
        "few_words": None,
        "copies_before": 0,
        "disagreement": None,
        "same_order": False,
    }
    return ClosePairs(**(settings | named))


def said(units=COSINE, chosen=None, only=None, **named) -> str:
    """The headline."""
    pairs = close(**named)
    return headline(pairs, findings(pairs, units), units, chosen, only)


def test_a_alone_names_the_closest_pair_with_quantity_and_value():
    assert said(Units("cosine"), closest=pair()) == (
        "Cosine: the closest pair under A is 0.99: “one” / “two”"
    )


def test_a_sentence_given_twice_is_said_to_be_left_out():
    assert said(closest=pair(), copied=True).startswith(
        "Cosine: the closest pair of different sentences under A is 0.99"
    )


def test_b_says_what_it_makes_of_it():
    assert said(closest=pair(b=0.41, rank_b=5)).endswith("“one” / “two”; under B it is 0.41, rank 5")
    assert said(closest=pair(b=0.41, rank_b=1)).endswith("; under B it is 0.41, also the closest")
    alike = said(closest=pair(b=0.41, rank_b=1), first_a=3, first_b=66)
    assert alike.startswith("Cosine: one of 3 closest pairs under A is ")
    assert alike.endswith("; under B it is 0.41, as close as 65 others")


def test_unlike_similarities_are_compared_by_rank_alone():
    assert said(Units("cosine", "dot"), closest=pair(b=41.0, rank_b=5)).endswith("; under B it is rank 5")


def test_the_same_order_is_said():
    assert said(closest=pair(b=0.98, rank_b=1), same_order=True).endswith(
        "A and B put all 66 pairs in the same order"
    )


def test_equal_similarities_have_no_closest_pair():
    assert said() == "Cosine: all 66 pairs are equally close under A"


@pytest.mark.parametrize(
    ("a", "b", "end"),
    [
        (0.27, 0.21, "A 0.27, B 0.21: B puts them further apart"),
        (0.21, 0.27, "A 0.21, B 0.27: B puts them closer together"),
        (-0.03, 0.27, "A −0.03, B 0.27: B puts them closer together"),
        (0.271, 0.272, "A 0.27, B 0.27: no difference in the digits shown"),
    ],
)
def test_one_pair_has_both_values(a, b, end):
    only = pair(a=a, b=b, rank_b=1)
    assert said(only=only, pairs=1, closest=only) == f"Cosine: {end}"


def test_one_pair_alone_and_one_of_unlike_similarities():
    assert said(Units("dot"), only=pair(a=12.3456)) == "Inner product of the two sentences under A: 12.3"
    words = said(Units("cosine", "dot"), only=pair(b=12.3, rank_b=1))
    assert words == "Cosine under A 0.99, inner product under B 12.3: they share no scale"


def test_one_pair_has_no_row_of_findings():
    assert findings(close(pairs=1, closest=pair()), COSINE) == []


def test_the_largest_disagreement_names_values_and_ranks():
    row = findings(close(disagreement=pair(a=0.54, rank_a=5, b=0.07, rank_b=30)), COSINE)[-1]
    assert row.label == "Disagreement 5 → 30"
    assert row.headline == (
        "Largest disagreement among the 9 closest pairs: “one” / “two”: "
        "A cosine 0.54, rank 5 of 66; B cosine 0.07, rank 30 of 66"
    )


@pytest.mark.parametrize(
    ("copies", "said"),
    [(0, "rank 4 of 66: “"), (1, ", behind a near copy: “"), (3, ", behind 3 near copies: “")],
)
def test_few_words_in_common_stand_behind_near_copies(copies, said):
    row = findings(close(few_words=pair(a=0.62, rank_a=4), copies_before=copies), COSINE)[0]
    start = "Cosine: of pairs with few words in common the closest is 0.62 under A, rank 4 of 66"
    assert row.headline.startswith(start)
    assert said in row.headline


def test_a_pair_is_named_once():
    top = pair()
    rows = findings(close(closest=top, near_copy=top, few_words=pair(a=0.6, rank_a=2)), COSINE)
    assert [row.label for row in rows] == ["Closest 0.99", "Few shared words 0.60"]


def test_a_near_copy_with_a_negation_in_one_is_named_as_that():
    top, other = pair(), pair(a=0.93, rank_a=3, b=0.9, rank_b=1, sentences=("safe", "not safe"))
    rows = findings(close(closest=top, near_copy=other, negated=other), COSINE)
    assert [row.label for row in rows] == ["Closest 0.99", "One negated 0.93"]
    assert rows[1].headline == (
        "Cosine: of near copies with a negation in one the closest is 0.93 under A (rank 3 of 66): "
        "“safe” / “not safe”; under B it is 0.90, the closest"
    )
    assert len(findings(close(closest=top, negated=top), COSINE)) == 1


def test_the_chosen_pair_is_the_headline():
    chosen = Pair(3, 4, ("three", "four"), 0.1, 0.27, 30, 0.21, 41)
    assert said(chosen=chosen, closest=pair()) == (
        "“three” / “four”: A cosine 0.27, rank 30 of 66; B cosine 0.21, rank 41 of 66"
    )
    assert said(chosen=pair(), closest=pair()).startswith("Cosine: the closest pair")


def test_long_sentences_are_cut_where_they_part():
    start = "x" * 200 + " and then they "
    words = said(closest=pair(sentences=(start + "agreed", start + "parted")))
    assert len(words) < 160
    assert "agreed”" in words
    assert "parted”" in words


def test_a_sentence_and_its_copy_have_no_rank():
    copy = pair(a=1.0, rank_a=None, b=1.0, sentences=("one", "one"))
    assert said(chosen=copy, closest=pair()) == (
        "“one” / “one”: A cosine 1.00, a sentence and its copy; B cosine 1.00, a sentence and its copy"
    )


def test_a_chosen_pair_stands_over_the_figure_though_only_one_is_of_different_sentences():
    copy, only = pair(a=1.0, rank_a=None, sentences=("one", "one")), pair()
    assert said(Units("cosine"), chosen=copy, only=only, pairs=1).startswith("“one” / “one”: A cosine 1.00")
    assert (
        said(Units("cosine"), chosen=only, only=only, pairs=1)
        == "Cosine of the two sentences under A: 0.99"
    )


def test_both_sides_have_value_and_rank():
    assert of_pair(pair(), 66, Units("cosine")) == [("A", "cosine 0.99, rank 1 of 66")]
    assert len(of_pair(pair(b=0.1, rank_b=3), 66, COSINE)) == 2


# -- values and scales


@pytest.mark.parametrize(
    ("value", "similarity", "text"),
    [
        (0.414, "cosine", "0.41"),
        (-0.033, "cosine", "−0.03"),
        (-0.001, "cosine", "0.00"),
        (0.9968, "cosine", "0.997"),
        (0.9999, "cosine", "1.00"),
        (1.0, "spearman", "1.00"),
        (-12.3456, "euclidean", "−12.3"),
        (0.0, "dot", "0"),
    ],
)
def test_a_similarity_in_a_sentence(value, similarity, text):
    assert shown(value, similarity) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        *((0.414, "41"), (-0.033, "−3"), (-0.001, "0"), (0.004, "0"), (0.9949, "99"), (0.996, ">99")),
        *((1.0, "100"), (0.9996, "100"), (-0.997, "<−99"), (-1.0, "−100"), (1.2, "120")),
    ],
)
def test_a_cosine_in_a_cell_is_times_100(value, text):
    assert in_cell(value, "cosine") == text


def test_the_scale_of_a_similarity_is_fixed(matrix):
    assert bounds("cosine", [matrix(4, 0.2, 0.4)]) == (0, 1)
    low, high = bounds("cosine", [matrix(4, -0.3, 0.4), matrix(4, -0.1, 0.2, seed=1)])
    assert -0.3 < low < 0
    assert high == 1
    low, high = bounds("euclidean", [-matrix(4, 5, 9)])
    assert -9 < low < -5
    assert high == 0
    assert bounds("dot", [matrix(4, 5, 9)])[0] == 0
    assert bounds("dot", [0 * matrix(4)]) == (0, 1)


def test_differences_span_a_tenth_of_the_scale_at_least():
    assert reach(np.full((2, 2), 0.06), (0.0, 1.0)) == pytest.approx(0.1)
    assert reach(np.array([[0, -0.5], [-0.5, 0]]), (0.0, 1.0)) == 0.5
    assert reach(np.zeros((2, 2)), (-20.0, 0.0)) == pytest.approx(2)
