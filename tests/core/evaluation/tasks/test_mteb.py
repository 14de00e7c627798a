"""The same vectors scored by mteb itself, on small tasks made here.

The main score is the same where the protocol is; what differs elsewhere is tested too, and docs/tasks.md
has it in words.
"""

from functools import partial

import mteb
import numpy as np
import pytest
from datasets import Dataset, DatasetDict
from mteb._evaluators.clustering_evaluator import ClusteringEvaluator
from mteb.abstasks.classification import AbsTaskClassification
from mteb.abstasks.clustering_legacy import AbsTaskClusteringLegacy
from mteb.abstasks.sts import AbsTaskSTS
from sklearn.cluster import KMeans
from sklearn.linear_model import LogisticRegression

from core.corpora.corpus import Corpus
from core.evaluation.tasks.classification import classification
from core.evaluation.tasks.clustering import clustering
from core.evaluation.tasks.similarity import sts
from tests.core.helpers.task_data import blobs, given

SAME = 1e-6
"""The most that two main scores × 100 of one protocol may be apart."""


class GivenVectors(mteb.models.abs_encoder.AbsEncoder):
    """An encoder of mteb whose vectors are there already, by text."""

    def __init__(self, texts, vectors):
        self.of = dict(zip(texts, vectors, strict=True))

    def encode(self, inputs, **others):
        return np.stack([self.of[text] for batch in inputs for text in batch["text"]])


def scored_by_mteb(base, kind, main_score, rows, encoder, **settings):
    """All scores of mteb for a task of its own class ``base`` on ``rows``, a table for each split."""
    metadata = mteb.TaskMetadata(
        name=f"Local{kind}",
        type=kind,
        main_score=main_score,
        description="Made in a test.",
        dataset={"path": "none", "revision": "none"},
        eval_splits=["test"],
        eval_langs=["eng-Latn"],
        modalities=["text"],
        category="t2t" if kind == "STS" else "t2c",
    )
    task = type(f"Local{kind}", (base,), {"metadata": metadata, **settings})()
    task.dataset = DatasetDict({split: Dataset.from_dict(columns) for split, columns in rows.items()})
    task.data_loaded = True
    split = task.train_split if settings.get("is_cross_validation") else "test"
    return task.evaluate(encoder, split, encode_kwargs={"batch_size": 16})["default"]


# -- similarity: one protocol


@pytest.fixture
def scored_pairs():
    generator = np.random.default_rng(3)
    first, second = ([f"{side} {i}" for i in range(150)] for side in ("left", "right"))
    u = generator.normal(size=(150, 8)) + 0.4  # unequal lengths and no mean of 0
    near = generator.uniform(0, 1, 150)
    v = near[:, None] * u + (1 - near)[:, None] * generator.normal(size=(150, 8))
    gold = np.round(5 * near + generator.normal(size=150) / 2, 1).clip(0, 5)  # with ties
    corpus = Corpus.of_pairs("pairs", first, second, gold.tolist())
    vectors = np.vstack([u, v]).astype(np.float32)
    return corpus, vectors[
        [first.index(s) if s in first else 150 + second.index(s) for s in corpus.sentences]
    ]


@pytest.mark.parametrize(
    ("ours", "theirs"), [("spearman", "cosine_spearman"), ("pearson", "cosine_pearson")]
)
def test_similarity_is_the_one_of_mteb(scored_pairs, ours, theirs):
    corpus, vectors = scored_pairs
    sentences = np.array(corpus.sentences)
    rows = {
        "sentence1": sentences[corpus.first].tolist(),
        "sentence2": sentences[corpus.second].tolist(),
        "score": corpus.gold.tolist(),
    }
    found = scored_by_mteb(
        AbsTaskSTS, "STS", theirs, {"test": rows}, GivenVectors(corpus.sentences, vectors)
    )
    result = sts(given(corpus, vectors), metric=ours)
    assert 20 < result.value < 95
    assert result.value == pytest.approx(100 * found["main_score"], abs=SAME)


# -- classification: mteb learns from 8 rows of each class, C = 1, ten times


def as_mteb(corpus):
    """The rows of each split, for mteb."""
    part, labels = np.array(corpus.split), np.array([int(label[-1]) for label in corpus.labels])
    texts = np.array(corpus.sentences)[corpus.first]
    return {
        split: {"text": texts[part == split].tolist(), "label": labels[part == split].tolist()}
        for split in corpus.splits
    }


@pytest.fixture
def classes():
    return blobs(per_class=60, noise=2.5, split=("train", "train", "train", "test") * 45)


def test_classification_is_the_one_of_mteb_when_it_learns_from_all_rows_with_the_same_c(classes):
    corpus, vectors = classes
    result = classification(given(corpus, vectors))
    c = float(result.protocol.rsplit(" ", 1)[1])
    found = scored_by_mteb(
        AbsTaskClassification,
        "Classification",
        "accuracy",
        as_mteb(corpus),
        GivenVectors(corpus.sentences, vectors),
        samples_per_label=10**6,
        n_experiments=1,
        evaluator_model=LogisticRegression(C=c, max_iter=1000),
    )
    assert 50 < result.value < 99
    assert result.value == pytest.approx(100 * found["main_score"], abs=SAME)


def test_mteb_as_it_is_learns_from_eight_rows_of_each_class(classes):
    corpus, vectors = classes
    rows = as_mteb(corpus)
    encoder = GivenVectors(corpus.sentences, vectors)
    found = scored_by_mteb(AbsTaskClassification, "Classification", "accuracy", rows, encoder)
    whole = classification(given(corpus, vectors)).value
    assert 100 * found["main_score"] < whole - 1
    # its ten accuracies again: the order goes on being shuffled by the same seed, the first eight are taken
    gold = {split: np.array(columns["label"]) for split, columns in rows.items()}
    x = {split: np.stack([encoder.of[t] for t in columns["text"]]) for split, columns in rows.items()}
    order, accuracies = list(range(len(gold["train"]))), []
    for _ in range(10):
        np.random.RandomState(42).shuffle(order)
        few = [row for code in range(3) for row in [r for r in order if gold["train"][r] == code][:8]]
        model = LogisticRegression(max_iter=100).fit(x["train"][few], gold["train"][few])
        accuracies.append(100 * model.score(x["test"], gold["test"]))
    assert np.mean(accuracies) == pytest.approx(100 * found["main_score"], abs=SAME)


# -- clustering: mteb has one mini-batch k-means and V-measure, here are ten of Lloyd's and accuracy


class Lloyd(ClusteringEvaluator):
    """mteb's evaluator with the k-means that is used here in place of its mini-batches."""

    def __call__(self, model, *, encode_kwargs, num_proc=None):
        vectors = np.stack([model.of[text] for text in self.dataset["sentences"]])
        k = len(set(self.dataset["labels"]))
        return KMeans(k, n_init=1, random_state=self.seed).fit(vectors).labels_.tolist()


def clustered_by_mteb(corpus, vectors, **settings):
    labels = [int(label[-1]) for label in corpus.labels]
    texts = [corpus.sentences[int(row)] for row in corpus.first]
    encoder = GivenVectors(corpus.sentences, vectors)
    rows = {"test": {"sentences": [texts], "labels": [labels]}}
    return scored_by_mteb(AbsTaskClusteringLegacy, "Clustering", "v_measure", rows, encoder, **settings)


def test_clustering_is_the_one_of_mteb_with_the_same_k_means():
    corpus, vectors = blobs(per_class=60, noise=2.0)
    result = clustering(given(corpus, vectors), runs=4)

    found = [
        clustered_by_mteb(corpus, vectors, evaluator=partial(Lloyd, seed=seed))["main_score"]
        for seed in range(4)
    ]
    assert 10 < result.others["v_measure"] < 90
    assert result.others["v_measure"] == pytest.approx(100 * np.mean(found), abs=SAME)


def test_accuracy_of_clusters_is_the_one_of_mteb():
    corpus, vectors = blobs(per_class=60, noise=2.0)
    gold = np.array([int(label[-1]) for label in corpus.labels])
    found = []
    for seed in range(4):
        clusters = KMeans(3, n_init=1, random_state=seed).fit(vectors).labels_
        scores = AbsTaskClusteringLegacy._compute_metrics(None, gold.tolist(), clusters.tolist())
        found.append((scores["cluster_accuracy"], scores["nmi"]))
    accuracy, nmi = 100 * np.mean(found, axis=0)
    result = clustering(given(corpus, vectors), runs=4)
    assert result.value == pytest.approx(accuracy, abs=SAME)
    assert result.others["nmi"] == pytest.approx(nmi, abs=SAME)


def test_mteb_as_it_is_clusters_once_by_mini_batches():
    corpus, vectors = blobs(per_class=60, classes=2)
    apart = clustered_by_mteb(corpus, vectors)["main_score"]
    assert 100 * apart == pytest.approx(clustering(given(corpus, vectors)).others["v_measure"], abs=SAME)
    corpus, vectors = blobs(per_class=200, noise=2.0)
    found = 100 * clustered_by_mteb(corpus, vectors)["main_score"]
    lloyd = clustering(given(corpus, vectors)).others["v_measure"]
    assert SAME < abs(found - lloyd) < 10
