"""Clustering: the Hungarian accuracy by hand, V-measure by scikit-learn, and what is refused."""

from dataclasses import replace
from functools import partial
from itertools import permutations

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.metrics import v_measure_score

from core.corpora.corpus import Corpus
from core.errors import CorpusError
from core.evaluation.tasks import clustering as clustering_module
from core.evaluation.tasks.clustering import assigned, clustering
from core.progress import told_inside
from tests.core.helpers.task_data import blobs, given


def test_clusters_are_assigned_so_that_most_rows_are_right():
    gold = np.array([0, 0, 0, 1, 1, 2])
    clusters = np.array([5, 5, 2, 2, 2, 9])
    assert assigned(gold, clusters).tolist() == [0, 0, 1, 1, 1, 2]


def test_a_cluster_beyond_the_classes_is_wrong():
    assert assigned(np.array([0, 0, 1, 1]), np.array([0, 1, 2, 2])).tolist() in (
        [0, -1, 1, 1],
        [-1, 0, 1, 1],
    )


def test_the_assignment_is_the_best_of_all_permutations():
    generator = np.random.default_rng(0)
    gold, clusters = generator.integers(0, 4, 60), generator.integers(0, 4, 60)
    best = max(np.mean(np.array(order)[clusters] == gold) for order in permutations(range(4)))
    assert np.mean(assigned(gold, clusters) == gold) == pytest.approx(best)


def test_separate_classes_are_found_in_every_run_where_there_are_two():
    corpus, vectors = blobs(classes=2)
    result = clustering(given(corpus, vectors))
    assert (result.value, result.bounds, result.n) == (100, (100, 100), 80)
    assert result.others == {"v_measure": pytest.approx(100), "nmi": pytest.approx(100), "spread": 0}
    assert result.seeds == tuple(range(10))
    assert "k-means, k = 2, Hungarian accuracy, mean of 10 runs on all" in result.protocol


def test_runs_are_those_of_scikit_learn_with_their_seed():
    corpus, vectors = blobs(noise=3.0, per_class=60)
    gold = np.array([int(label[-1]) for label in corpus.labels])
    found = [KMeans(3, n_init=1, random_state=seed).fit(vectors).labels_ for seed in range(4)]
    accuracies = [
        max(np.mean(np.array(order)[labels] == gold) for order in permutations(range(3)))
        for labels in found
    ]
    result = clustering(given(corpus, vectors), runs=4)
    assert result.value == pytest.approx(100 * np.mean(accuracies))
    assert result.others["spread"] == pytest.approx(100 * np.std(accuracies, ddof=1))
    measures = [100 * v_measure_score(gold, labels) for labels in found]
    assert result.others["v_measure"] == pytest.approx(np.mean(measures))
    low, high = result.bounds
    assert low < result.value < high


class Enough(BaseException):
    """Ends work."""


def test_a_run_can_be_stopped_before_it_ends(monkeypatch):
    monkeypatch.setattr(clustering_module, "told_inside", partial(told_inside, every=0))
    corpus, vectors = blobs(noise=3.0, per_class=60)
    told = []

    def progress(step):
        told.append(step.done)
        if len(told) == 50:
            raise Enough

    with pytest.raises(Enough):
        clustering(replace(given(corpus, vectors), progress=progress), runs=4)
    assert told == [0] * 50


def test_shuffled_labels_give_chance():
    corpus, vectors = blobs(per_class=200)
    labels = np.random.default_rng(1).permutation(corpus.labels).tolist()
    low, high = clustering(given(replace(corpus, labels=tuple(labels)), vectors)).bounds
    assert low < 100 / 3 + 4 and high < 45  # the best assignment is a little above a third


def test_pairs_are_clustered_by_their_difference_and_product():
    corpus, vectors = blobs(classes=2)
    twice = Corpus.of_labelled(
        "pairs",
        [f"text {i}" for i in range(0, 80, 2)],
        ["same", "other"] * 20,
        text2=[f"text {i + i // 2 % 2}" for i in range(0, 80, 2)],
    )
    vectors = vectors[corpus.rows_of(twice.sentences)]
    assert clustering(given(twice, vectors)).value == 100


def test_rows_without_a_label_are_left_out_and_counted():
    corpus, vectors = blobs(classes=2)
    labels = ("", *corpus.labels[1:])
    result = clustering(given(replace(corpus, labels=labels), vectors))
    assert (result.n, result.value) == (79, 100)
    assert result.notes == ("1 row without a label is left out.",)


def test_as_many_clusters_as_rows_say_nothing_of_a_recipe():
    corpus, vectors = blobs(per_class=4, classes=3)
    each = replace(corpus, labels=tuple(f"class {i}" for i in range(12)))
    result = clustering(given(each, vectors), runs=2)
    assert result.value == 100
    assert (
        "There are as many clusters as rows: texts that differ are right under any recipe." in result.notes
    )
    assert clustering(given(corpus, vectors), runs=2).notes == ()


def test_equal_vectors_are_said_to_be_too_few():
    corpus, vectors = blobs()
    result = clustering(given(corpus, np.ones_like(vectors)))
    assert result.notes == ("Only 1 of 3 clusters have rows: too few vectors differ.",)
    assert result.value == pytest.approx(100 / 3)


@pytest.mark.parametrize(
    ("labels", "arguments", "said"),
    [
        (["a"] * 6, {}, "all labels of few are 'a': there is one class only"),
        (["a", "b"] * 3, {"k": 7}, "k=7 clusters are more than the 6 rows; take k=6 or fewer"),
    ],
)
def test_what_cannot_be_clustered_is_refused(labels, arguments, said):
    corpus = Corpus.of_labelled("few", list("abcdef"), labels)
    with pytest.raises(CorpusError, match=said):
        clustering(given(corpus, np.eye(6, dtype=np.float32)), **arguments)


class InParts:
    """Vectors that are asked for by rows; ``most`` is how many at once."""

    def __init__(self, vectors):
        self.vectors, self.most = vectors, 0

    def __getitem__(self, rows):
        self.most = max(self.most, len(rows))
        return self.vectors[rows]


@pytest.fixture
def few_at_once(monkeypatch):
    monkeypatch.setattr(clustering_module, "MANY", 300)
    monkeypatch.setattr(clustering_module, "ASSIGNED", 50)


@pytest.mark.parametrize("unlabelled", [0, 7])
def test_of_many_rows_a_run_draws_some_and_the_protocol_says_so(few_at_once, unlabelled):
    corpus, vectors = blobs(classes=2, per_class=400)
    corpus = replace(corpus, labels=("",) * unlabelled + corpus.labels[unlabelled:])
    parts = InParts(vectors)
    result = clustering(given(corpus, parts), runs=3)
    assert (result.value, result.n, result.seeds) == (100, 800 - unlabelled, (0, 1, 2))
    assert result.others == {"v_measure": pytest.approx(100), "nmi": pytest.approx(100), "spread": 0}
    assert result.protocol.startswith("k-means of 300 rows in each run, the others assigned, k = 2, Hung")
    assert parts.most == 300


def test_rows_are_given_the_nearest_centre_of_the_k_means_of_those_that_are_drawn(few_at_once):
    corpus, vectors = blobs(noise=2.0, per_class=400)
    gold = np.array([int(label[-1]) for label in corpus.labels])
    expected = []
    for seed in range(4):
        drawn = np.sort(np.random.default_rng(seed).choice(1200, 300, replace=False))
        centres = KMeans(3, n_init=1, random_state=seed).fit(vectors[drawn]).cluster_centers_
        nearest = ((vectors[:, None] - centres) ** 2).sum(axis=2).argmin(axis=1)
        expected.append(max(np.mean(np.array(order)[nearest] == gold) for order in permutations(range(3))))
    result = clustering(given(corpus, vectors), runs=4)
    assert result.value == pytest.approx(100 * np.mean(expected))
    assert result.others["spread"] == pytest.approx(100 * np.std(expected, ddof=1)) and expected[0] < 1


def test_a_run_that_draws_all_rows_is_one_at_once(few_at_once):
    _, vectors = blobs(noise=2.0)
    tell = lambda: None  # noqa: E731
    found = clustering_module.by_sample(vectors.__getitem__, len(vectors), 3, 0, tell)
    np.testing.assert_array_equal(found, clustering_module.by_all(vectors, 3, 0, tell))


def test_equal_vectors_of_many_rows_are_too_few_too(few_at_once):
    corpus, vectors = blobs(per_class=400)
    result = clustering(given(corpus, np.ones_like(vectors)))
    assert result.notes == ("Only 1 of 3 clusters have rows: too few vectors differ.",)
