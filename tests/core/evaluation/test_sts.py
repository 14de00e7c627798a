"""Scores under each aggregate, their intervals, and what is said when there is none."""

from dataclasses import astuple

import numpy as np
import pytest
import scipy.stats

from core.corpora.corpus import Corpus
from core.errors import CorpusError
from core.evaluation.difference import Difference
from core.evaluation.sts import (
    against_best,
    by_subset,
    check_aggregate,
    check_scorable,
    compare,
    evaluate,
    resampled,
    spearman_of,
)
from core.evaluation.worst_pairs import worst_pairs
from core.recipe import Recipe


def corpus(gold, subset=()) -> Corpus:
    rows = range(len(gold))
    return Corpus.of_pairs("c", [f"a{i}" for i in rows], [f"b{i}" for i in rows], list(gold), subset=subset)


# Spearman 1 in x (3 pairs), -1 in y (2 pairs), worked out by hand
GOLD, SUBSET = [1.0, 2.0, 3.0, 4.0, 5.0], ["x", "x", "x", "y", "y"]
SIMILARITY = np.array([0.1, 0.2, 0.9, 0.8, 0.7])


@pytest.mark.parametrize(
    ("aggregate", "spearman"),
    [("mean", (100 - 100) / 2), ("wmean", (3 * 100 - 2 * 100) / 5), ("all", 100 * (1 - 6 * 8 / 120))],
)
def test_aggregates_by_hand(aggregate, spearman):
    """All: ranks 1 2 5 4 3 against 1 2 3 4 5, squared differences 4 + 4."""
    score = evaluate(SIMILARITY, corpus(GOLD, SUBSET), aggregate)
    assert score.spearman == pytest.approx(spearman)
    assert score.pairs == 5
    assert score.aggregate == aggregate
    assert {n: (round(v[0]), v[2]) for n, v in score.subsets.items()} == {"x": (100, 3), "y": (-100, 2)}
    linear = 100 * scipy.stats.pearsonr(SIMILARITY[:3], GOLD[:3]).statistic
    assert score.subsets["x"][1] == pytest.approx(linear)


def test_pearson_follows_the_aggregate():
    linear = [
        100 * scipy.stats.pearsonr(SIMILARITY[r], np.array(GOLD)[r]).statistic
        for r in (slice(3), slice(3, 5))
    ]
    c = corpus(GOLD, SUBSET)
    assert evaluate(SIMILARITY, c, "mean").pearson == pytest.approx(np.mean(linear))
    assert evaluate(SIMILARITY, c, "wmean").pearson == pytest.approx((3 * linear[0] + 2 * linear[1]) / 5)
    assert evaluate(SIMILARITY, c).pearson == pytest.approx(
        100 * scipy.stats.pearsonr(SIMILARITY, GOLD).statistic
    )


@pytest.fixture(scope="module")
def noisy():
    generator = np.random.default_rng(2)
    gold = generator.integers(0, 11, 300) / 2
    a = gold + generator.normal(0, 2, 300)
    return corpus(gold, ["x"] * 200 + ["y"] * 100), a, a + generator.normal(0, 0.1, 300), -gold


@pytest.mark.parametrize("aggregate", ["all", "mean", "wmean"])
def test_the_interval_surrounds_the_score_and_is_the_same_each_time(noisy, aggregate):
    c, a, _, _ = noisy
    score = evaluate(a, c, aggregate)
    assert score.low < score.spearman < score.high
    assert 5 < score.high - score.low < 25  # about 4 standard errors of 1/√300
    assert evaluate(a, c, aggregate).low == score.low


@pytest.mark.parametrize("aggregate", ["all", "mean", "wmean"])
def test_the_difference_of_a_recipe_with_itself_is_exactly_0(noisy, aggregate):
    c, a, _, _ = noisy
    difference = compare(a, a.copy(), c, aggregate)
    assert (difference.value, difference.low, difference.high) == (0, 0, 0)
    assert not difference.shown
    assert difference.words().startswith("No difference shown: A and B score the same (Spearman × 100).")


def test_the_paired_interval_is_narrower_than_either_score_s(noisy):
    c, a, near, _ = noisy
    difference, score = compare(a, near, c), evaluate(a, c)
    assert difference.high - difference.low < (score.high - score.low) / 3
    assert difference.value == pytest.approx(evaluate(near, c).spearman - score.spearman)


@pytest.mark.parametrize("aggregate", ["mean", "wmean"])
def test_a_difference_is_that_of_the_subsets_in_which_both_have_a_correlation(noisy, aggregate):
    c, a, near, opposite = noisy
    in_x = np.arange(300) < 200
    constant = np.where(in_x, a, 0.5)  # the same as a in x, and nothing in y
    same = compare(constant, a, c, aggregate)
    assert (same.value, same.low, same.high) == (0, 0, 0)
    rows = [constant, a, near, opposite]
    scores, differences, _ = against_best(rows, c, aggregate)
    best = rows[int(np.argmax([score.spearman for score in scores]))]
    for row, difference in zip(rows, differences, strict=True):
        assert difference == compare(row, best, c, aggregate)
    x = c.of_rows(np.flatnonzero(in_x))
    assert compare(constant, near, c, aggregate).value == pytest.approx(
        compare(a[in_x], near[in_x], x).value
    )
    nothing_shared = compare(constant, np.where(in_x, 0.5, a), c, aggregate)
    assert not nothing_shared.known


@pytest.mark.parametrize("aggregate", ["all", "mean", "wmean"])
def test_all_rows_against_the_best_are_what_each_is_by_itself(noisy, aggregate):
    c, a, near, opposite = noisy
    rows = [opposite, a, np.ones(300), near]
    scores, differences, samples = against_best(rows, c, aggregate)
    values = [evaluate(row, c, aggregate) for row in rows]
    best = rows[int(np.nanargmax([score.spearman for score in values]))]
    for row, score, value, difference in zip(rows, scores, values, differences, strict=True):
        assert (score.spearman, score.low, score.high) == pytest.approx(
            (value.spearman, value.low, value.high), nan_ok=True
        )
        if not np.isfinite(score.spearman):
            assert not difference.known
            continue
        expected = compare(row, best, c, aggregate)
        assert astuple(difference) == pytest.approx(astuple(expected))
    for row, sample in zip(rows, samples, strict=True):
        np.testing.assert_array_equal(sample, resampled(row, c, aggregate))


@pytest.mark.parametrize("aggregate", ["all", "mean", "wmean"])
def test_resamples_of_pearson_are_around_its_value(noisy, aggregate):
    c, a, _, _ = noisy
    samples = resampled(a, c, aggregate, "pearson")
    assert samples.mean() == pytest.approx(evaluate(a, c, aggregate).pearson, abs=1)
    assert np.isnan(resampled(np.ones(300), c, aggregate, "pearson")).all()


def test_a_side_without_a_score_has_no_paired_difference():
    samples = np.array([1.0, 2.0, 3.0])
    assert astuple(Difference.paired(1.0, samples, 3.0, samples + 2)) == (2, 2, 2)
    assert not Difference.paired(float("nan"), np.full(1, np.nan), 3.0, samples).known


def test_no_row_with_a_score_has_no_difference(noisy):
    scores, differences, _ = against_best([np.ones(300)] * 2, noisy[0])
    assert not any(np.isfinite(score.spearman) for score in scores)
    assert not any(difference.known or difference.shown for difference in differences)


def test_a_difference_says_who_is_better(noisy):
    c, a, _, opposite = noisy
    worse, better = compare(a, opposite, c), compare(opposite, a, c)
    assert worse.words().startswith(
        f"A is better by {-worse.value:.1f} (Spearman × 100, 95 %: {-worse.high:.1f} to"
    )
    assert better.words().startswith(
        f"B is better by {better.value:.1f} (Spearman × 100, 95 %: {better.low:.1f} to"
    )
    nothing = compare(np.ones(300), a, c)
    assert nothing.words() == "The difference cannot be computed: one side has no score."


@pytest.mark.parametrize("aggregate", ["all", "mean", "wmean"])
def test_similarities_that_are_not_finite_are_named(noisy, aggregate):
    c, a, _, _ = noisy
    score = evaluate(np.where(np.arange(300) % 100 == 3, np.nan, a), c, aggregate)
    assert np.isnan(score.spearman)
    assert score.problem == "Some similarities are not finite under this recipe, so no correlation exists."


def test_a_subset_whose_similarities_are_not_finite_is_not_said_to_be_constant(noisy):
    c, a, _, _ = noisy
    score = evaluate(np.where(np.arange(300) == 250, np.nan, a), c, "mean")
    assert score.problem == "No correlation exists in y (constant, or not finite); left out of the mean."


def test_equal_similarities_give_no_score_and_say_why(noisy):
    c = noisy[0]
    for aggregate in ("all", "mean", "wmean"):
        score = evaluate(np.full(300, 0.7), c, aggregate)
        assert np.isnan([score.spearman, score.pearson, score.low, score.high]).all()
        assert "All similarities are equal" in score.problem


@pytest.mark.parametrize(
    ("similarities", "gold", "says"),
    [
        ([0.1, 0.5, 0.9], [1.0, 1.0, 1.0], "All gold scores are equal, so no correlation exists."),
        ([0.5, 0.5, 0.5], [1.0, 2.0, 3.0], "All similarities are equal under this recipe"),
        ([1.0, 1.0 - 1e-16, 1.0 + 2e-16], [1.0, 2.0, 3.0], "All similarities are equal under this recipe"),
        ([0.5], [1.0], "One pair alone has no correlation."),
    ],
)
def test_a_subset_without_a_correlation_says_its_own_reason(similarities, gold, says):
    c = corpus([*GOLD, *gold], [*SUBSET, *["odd"] * len(gold)])
    scores = by_subset(np.array([*SIMILARITY, *similarities]), c)
    assert np.isnan(scores["odd"].spearman)
    assert scores["odd"].problem.startswith(says)
    assert scores["x"].problem == ""


@pytest.mark.parametrize("aggregate", ["mean", "wmean"])
def test_no_subset_with_a_correlation_is_said(aggregate):
    score = evaluate(np.array([0.1, 0.2, 0.3, 0.4]), corpus([1, 1, 2, 2], ["x", "x", "y", "y"]), aggregate)
    assert np.isnan(score.spearman)
    assert score.problem.startswith("In every subset all gold scores or all similarities are equal")


def test_pairs_of_no_subset_are_not_lost_beside_a_subset_called_all():
    c = corpus([*GOLD, 1.0, 2.0], [*["all"] * 5, "", ""])
    similarities = np.append(SIMILARITY, [0.1, 0.2])
    scores = by_subset(similarities, c)
    assert {name: score.pairs for name, score in scores.items()} == {"all": 5, "no subset": 2}
    assert sum(pairs for *_, pairs in evaluate(similarities, c, "mean").subsets.values()) == len(c)
    assert [*by_subset(SIMILARITY, corpus(GOLD))] == ["all"]


@pytest.mark.parametrize("aggregate", ["mean", "wmean"])
def test_a_subset_without_a_correlation_is_left_out_of_the_mean_and_named(aggregate):
    c = corpus([*GOLD, 2.0, 2.0], [*SUBSET, "flat", "flat"])
    score = evaluate(np.append(SIMILARITY, [0.1, 0.2]), c, aggregate)
    assert score.spearman == pytest.approx({"mean": 0, "wmean": 20}[aggregate])
    assert score.problem == "No correlation exists in flat (constant); left out of the mean."
    assert np.isnan(score.subsets["flat"][0])
    assert evaluate(np.append(SIMILARITY, [0.1, 0.2]), c, "all").problem == ""


@pytest.mark.parametrize("aggregate", ["all", "mean", "wmean"])
def test_many_rows_at_once_score_as_each_does_alone(noisy, aggregate):
    c, a, b, against = noisy
    parts = a.copy()
    parts[200:] = 1.0  # no correlation in y
    rows = np.stack([a, b, against, np.round(a), parts, np.full(300, 0.7), 0.7 + a * 1e-14, a * 1e-20])
    alone = [evaluate(row, c, aggregate, intervals=False).spearman for row in rows]
    np.testing.assert_allclose(spearman_of(rows, c, aggregate), alone, atol=1e-9)
    assert np.isnan(alone).sum() == 2
    assert len(spearman_of(rows[:0], c, aggregate)) == 0


@pytest.mark.parametrize(
    ("gold", "said"),
    [
        ([], "no scored pairs"),
        ([1.0], "one pair only"),
        ([3.0, 3.0], "Every gold score of c is 3: no correlation"),
    ],
)
def test_a_corpus_that_cannot_be_scored_is_refused(gold, said):
    for ask in (check_scorable, lambda c: evaluate(np.zeros(len(gold)), c), _at_once):
        with pytest.raises(CorpusError, match=said):
            ask(corpus(gold))


def _at_once(c):
    return spearman_of(np.zeros((2, len(c))), c)


def test_an_unknown_aggregate_is_refused():
    with pytest.raises(CorpusError, match="aggregate: got 'median'; allowed is all, mean, wmean"):
        check_aggregate("median")


def test_the_classification_token_of_layer_0_is_the_same_for_every_sentence(shared_engine, bert, scored):
    """Before any block it has seen no other token, so every cosine is 1 and no score exists."""
    for source in ("source=bundled", bert):
        recipe = Recipe.parse(f"{source};layers=0;pool=cls")
        similarities, _ = shared_engine.similarities(recipe, scored)
        np.testing.assert_allclose(similarities, 1, atol=1e-12)
        score = evaluate(similarities, scored)
        assert np.isnan(score.spearman)
        assert "All similarities are equal" in score.problem


def test_a_pair_that_goes_wrong_is_on_one_side_and_a_pair_in_its_place_on_none():
    """Ranks by similarity 1 2 5 4 3 against 1 2 3 4 5 by gold."""
    below, above = worst_pairs(SIMILARITY, corpus(GOLD))
    assert below[["sentence 1", "places"]].to_numpy().tolist() == [["a4", -40]]
    assert above[["sentence 1", "places"]].to_numpy().tolist() == [["a2", 40]]
    assert [len(table) for table in worst_pairs(np.where(SIMILARITY > 0.8, np.nan, 0), corpus(GOLD))] == [
        0,
        0,
    ]
