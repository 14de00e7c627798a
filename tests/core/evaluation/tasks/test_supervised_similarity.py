"""Scores that are learnt from pairs, and probing: both beside what scikit-learn and scipy say."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import pearsonr, spearmanr
from sklearn.linear_model import LogisticRegression

from core.corpora.corpus import Corpus
from core.errors import CorpusError, RecipeError
from core.evaluation.tasks.classification import classification
from core.evaluation.tasks.clustering import clustering
from core.evaluation.tasks.probing import probing
from core.evaluation.tasks.supervised import held_out, soft_classes
from core.evaluation.tasks.supervised_similarity import supervised_sts
from tests.core.helpers.task_data import blobs, given


def scored(number=150, noise=0.5):
    generator = np.random.default_rng(4)
    gold = generator.uniform(1, 5, number)
    texts = [f"t{i}" for i in range(2 * number)]
    split = [("train", "train", "dev", "test")[i % 4] for i in range(number)]
    corpus = Corpus.of_pairs("scored", texts[:number], texts[number:], gold.tolist(), split=split)
    vectors = np.zeros((2 * number, 2), np.float32)
    vectors[:number, 0] = gold + noise * generator.normal(size=number)  # |u - v| is the score, nearly
    return corpus, vectors


def test_fewer_pairs_than_ten_have_no_interval_as_under_every_task():
    corpus, vectors = scored(36)
    tested = [i for i, split in enumerate(corpus.split) if split == "test"]
    assert len(tested) == 9
    few = supervised_sts(given(corpus, vectors))
    assert (few.n, np.isnan(few.bounds).all(), np.isfinite(few.value)) == (9, True, True)
    more = supervised_sts(given(*scored(40)))
    assert (more.n, np.isfinite(more.bounds).all()) == (10, True)


def test_the_expected_class_is_correlated_with_the_score():
    corpus, vectors = scored()
    data = given(corpus, vectors)
    found = held_out(data, *soft_classes(corpus), "logistic", 10)
    expected = found.probabilities @ [1, 2, 3, 4, 5]
    gold = corpus.gold[found.rows]
    result = supervised_sts(data)
    assert result.value == pytest.approx(100 * spearmanr(expected, gold).statistic)
    assert result.others["pearson"] == pytest.approx(100 * pearsonr(expected, gold).statistic)
    assert result.value > 80
    low, high = result.bounds
    assert low < result.value < high
    assert (result.metric, result.n) == ("spearman", 37)
    assert "trained on train, scored on test; C from 0.25 to 8 chosen on dev" in result.protocol


def test_scores_are_learnt_as_scikit_learn_learns_five_weighted_classes():
    corpus, vectors = scored(number=400, noise=1.0)
    part, gold = np.array(corpus.split), corpus.gold
    u, v = vectors[corpus.first], vectors[corpus.second]
    features, below = np.hstack([np.abs(u - v), u * v]), np.minimum(np.floor(gold), 4).astype(int)
    train = np.repeat(np.flatnonzero(part == "train"), 2)
    classes = np.ravel(np.column_stack([below, below + 1])[part == "train"])
    shares = np.where(classes == below[train], 1 - (gold - below)[train], (gold - below)[train])
    learnt = shares > 0
    predicted, right = {}, {}
    for c in (0.25, 0.5, 1, 2, 4, 8):
        model = LogisticRegression(C=c, max_iter=1000)
        model.fit(features[train[learnt]], classes[learnt], sample_weight=shares[learnt])
        probabilities = model.predict_proba(features)
        predicted[c] = probabilities @ model.classes_
        first = model.classes_[probabilities.argmax(axis=1)]
        credit = np.where(first == below, 1 - (gold - below), np.where(first == below + 1, gold - below, 0))
        right[c] = credit[part == "dev"].sum()
    best = min(right, key=lambda c: (-round(right[c], 9), c))
    test = part == "test"
    result = supervised_sts(given(corpus, vectors))
    assert f"chosen on dev: {best:g}" in result.protocol
    assert result.value == pytest.approx(100 * spearmanr(predicted[best][test], gold[test]).statistic)
    assert result.others["pearson"] == pytest.approx(
        100 * pearsonr(predicted[best][test], gold[test]).statistic
    )


def test_vectors_without_columns_are_refused_in_words():
    corpus, vectors = scored()
    for task, data in (
        (supervised_sts, given(corpus, vectors[:, :0])),
        (classification, given(blobs()[0], blobs()[1][:, :0])),
        (clustering, given(blobs()[0], blobs()[1][:, :0])),
    ):
        with pytest.raises(RecipeError, match=r"have no columns under this recipe.*Leave whitening out"):
            task(data)


def test_scores_that_mean_nothing_are_not_learnt():
    corpus, vectors = scored()
    low, high = supervised_sts(given(corpus, np.random.default_rng(0).normal(size=vectors.shape))).bounds
    assert low < 0 < high


@pytest.mark.parametrize("classifier", ["logistic", "mlp"])
def test_pairs_that_are_all_alike_have_no_correlation(classifier):
    """Each fold predicts the share of its training rows' classes, and these differ a little by fold."""
    pairs, vectors = scored()
    crossed = replace(pairs, split=("",) * len(pairs))
    for corpus in (pairs, crossed):
        result = supervised_sts(given(corpus, np.full_like(vectors, 0.3)), classifier=classifier)
        assert np.isnan([result.value, result.others["pearson"], *result.bounds]).all()
        assert [note for note in result.notes if "so no correlation exists" in note]
    assert np.isfinite(supervised_sts(given(crossed, vectors), classifier=classifier).value)


def test_a_corpus_without_scores_is_refused():
    with pytest.raises(CorpusError, match="no scored pairs"):
        supervised_sts(given(*blobs()))


def test_probing_is_classification_by_the_perceptron():
    corpus, vectors = blobs(per_class=40, split=("train", "train", "dev", "test") * 30)
    probed = probing(given(corpus, vectors))
    assert probed.protocol.startswith("MLP of 50 units")
    assert probed.value == classification(given(corpus, vectors), classifier="mlp").value
    linear = probing(given(corpus, vectors), classifier="logistic")
    assert linear.value == classification(given(corpus, vectors)).value == 100


def test_probing_needs_labels():
    with pytest.raises(CorpusError, match="scored has no labels. It takes the task sts"):
        probing(given(*scored()))


def test_pearson_can_be_the_main_value_and_is_resampled_itself():
    data = given(*scored())
    by_rank, linear = supervised_sts(data), supervised_sts(data, metric="pearson")
    assert (linear.metric, linear.value) == ("pearson", by_rank.others["pearson"])
    assert linear.others == {"spearman": by_rank.value}
    assert linear.bounds[0] < linear.value < linear.bounds[1]
    assert linear.bounds != by_rank.bounds
    assert "Pearson of the expected one" in linear.protocol
