"""Every interval is that of resamples which are drawn one by one and scored by scipy or by a loop."""

import numpy as np
import pytest
from scipy.stats import pearsonr, spearmanr

from core.analysis.masking.impact import MERGES, METRICS
from core.analysis.masking.tfidf_correlation import Agreement
from core.corpora.corpus import Corpus
from core.evaluation.statistics import draw
from core.evaluation.sts import AGGREGATES, compare, evaluate, resampled
from core.evaluation.tasks.isotropy import isotropy
from core.evaluation.tasks.task import resampled_means
from tests.core.helpers.task_data import given

SOME = 40
"""Resamples that are scored one by one."""

PARTS = np.split(np.arange(120), [70, 100])
SCIPY = {"spearman": spearmanr, "pearson": pearsonr}


@pytest.fixture(scope="module")
def scored():
    """Scored pairs in three subsets, and the similarities of two recipes, some of them equal."""
    generator = np.random.default_rng(7)
    gold = generator.integers(0, 11, 120) / 2
    texts, subset = [f"t{i}" for i in range(240)], np.repeat(["x", "y", "z"], [70, 30, 20])
    corpus = Corpus.of_pairs("c", texts[:120], texts[120:], gold.tolist(), subset=subset.tolist())
    a = gold + generator.normal(0, 2, 120)
    return corpus, np.round(a, 1), np.round(a + generator.normal(0, 1, 120), 1)


def one_by_one(values, gold, aggregate, correlation):
    """The score of each of some resamples; under a mean every subset is drawn from by itself."""
    groups = np.zeros(120, int)
    for number, part in enumerate(PARTS if aggregate != "all" else ()):
        groups[part] = number
    parts = PARTS if aggregate != "all" else [np.arange(120)]
    sizes = [len(part) if aggregate == "wmean" else 1 for part in parts]
    for counts in draw(groups)[:SOME]:
        drawn = [np.repeat(part, counts[part]) for part in parts]
        scores = [100 * SCIPY[correlation](values[d], gold[d]).statistic for d in drawn]
        yield np.average(scores, weights=sizes)


@pytest.mark.parametrize("correlation", SCIPY)
@pytest.mark.parametrize("aggregate", AGGREGATES)
def test_a_score_s_interval(aggregate, correlation, scored):
    corpus, a, _ = scored
    samples = resampled(a, corpus, aggregate, correlation)
    np.testing.assert_allclose(
        samples[:SOME], [*one_by_one(a, corpus.gold, aggregate, correlation)], atol=1e-8
    )
    if correlation == "spearman":
        found = evaluate(a, corpus, aggregate)
        assert (found.low, found.high) == pytest.approx(tuple(np.percentile(samples, [2.5, 97.5])))


@pytest.mark.parametrize("aggregate", AGGREGATES)
def test_a_difference_is_of_the_same_draws(aggregate, scored):
    corpus, a, b = scored
    samples = [resampled(values, corpus, aggregate) for values in (a, b)]
    expected = [[*one_by_one(values, corpus.gold, aggregate, "spearman")] for values in (a, b)]
    np.testing.assert_allclose((samples[1] - samples[0])[:SOME], np.subtract(*expected[::-1]), atol=1e-8)
    found = compare(a, b, corpus, aggregate)
    ends = np.percentile(samples[1] - samples[0], [2.5, 97.5])
    assert (found.low, found.high) == pytest.approx(tuple(ends))


def test_an_accuracy_is_resampled_by_rows_and_by_runs():
    credits = np.random.default_rng(2).integers(0, 2, (3, 50)).astype(float)
    runs = np.random.default_rng(0).integers(0, 3, (1000, 3))
    expected = [
        100 * np.mean([np.repeat(credits[run], counts) for run in chosen])
        for chosen, counts in zip(runs[:SOME], draw(np.zeros(50, int), 100), strict=False)
    ]
    np.testing.assert_allclose(resampled_means(credits)[:SOME], expected, atol=1e-4)


def test_an_average_cosine_is_that_of_pairs_of_different_sentences_that_are_drawn():
    vectors = np.random.default_rng(1).normal(1, 1, (30, 4)).astype(np.float32)
    units = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    expected = []
    for counts in draw(np.zeros(30, int), 100)[:SOME]:
        drawn = np.repeat(np.arange(30), counts)
        different = drawn[:, None] != drawn
        expected.append(100 * (units[drawn] @ units[drawn].T)[different].mean())
    texts = Corpus.of_texts("t", [f"t{i}" for i in range(30)])
    np.testing.assert_allclose(isotropy(given(texts, vectors)).samples[:SOME], expected, atol=1e-3)


def test_the_impact_of_words_is_resampled_by_whole_sentences():
    generator = np.random.default_rng(4)
    sentence = np.sort(generator.integers(0, 12, 60))
    tfidf = np.round(generator.normal(size=60), 1)
    means = (tfidf + generator.normal(size=60)).astype(np.float32)
    whole = np.broadcast_to(means, (len(METRICS), len(MERGES), 1, 60))
    samples = []
    for counts in draw(np.zeros(12, int)):
        drawn = np.repeat(np.arange(12), counts)
        words = np.concatenate([np.flatnonzero(sentence == i) for i in drawn])
        samples.append(100 * spearmanr(means[words], tfidf[words]).statistic)
    found = Agreement(whole, tfidf, sentence, 0).correlation(0)
    assert (found.low, found.high) == pytest.approx(tuple(np.percentile(samples, [2.5, 97.5])))
