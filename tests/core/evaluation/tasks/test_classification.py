"""Classification beside scikit-learn itself: folds, C, soft classes, pairs, chance, and what is refused."""

import warnings
from dataclasses import replace

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.neural_network import MLPClassifier

from core import machine
from core.corpora.corpus import Corpus
from core.errors import CorpusError, RecipeError
from core.evaluation.tasks.classification import classification
from core.evaluation.tasks.clustering import clustering
from core.evaluation.tasks.learners import LEARNERS
from core.evaluation.tasks.supervised import soft_classes
from core.evaluation.tasks.task import check_task, row_features
from core.recipe.options import Choice
from tests.core.helpers.task_data import blobs, given

SPLITS = ("train", "train", "dev", "test")


def codes(corpus):
    return np.array([int(label[-1]) for label in corpus.labels])


def test_separate_classes_are_learnt():
    result = classification(given(*blobs()))
    assert (result.metric, result.value, result.bounds, result.n) == ("accuracy", 100, (100, 100), 120)
    assert result.others == {"majority": pytest.approx(100 / 3)}
    assert result.seeds == (0,)


def test_cross_validation_is_the_one_of_scikit_learn():
    corpus, vectors = blobs(noise=3.0)
    gold, right, chosen = codes(corpus), 0, set()
    for train, test in StratifiedKFold(5, shuffle=True, random_state=0).split(vectors, gold):
        search = GridSearchCV(
            LogisticRegression(max_iter=1000),
            {"C": LEARNERS["logistic"].values},
            cv=StratifiedKFold(3, shuffle=True, random_state=0),
        )
        search.fit(vectors[train], gold[train])
        chosen.add(search.best_params_["C"])
        right += (search.predict(vectors[test]) == gold[test]).sum()
    result = classification(given(corpus, vectors), folds=5)
    assert result.value == pytest.approx(100 * right / len(gold))
    assert 40 < result.value < 95
    assert "5-fold cross-validation over all rows" in result.protocol
    assert all(f" {c:g} (" in result.protocol for c in chosen)
    low, high = result.bounds
    assert low < result.value < high


def test_given_splits_are_used_and_c_is_chosen_on_dev():
    corpus, vectors = blobs(noise=3.0, split=SPLITS * 30)
    part, gold = np.array(corpus.split), codes(corpus)
    scores = {}
    for c in LEARNERS["logistic"].values:
        model = LogisticRegression(C=c, max_iter=1000).fit(vectors[part == "train"], gold[part == "train"])
        scores[c] = [model.score(vectors[part == name], gold[part == name]) for name in ("dev", "test")]
    best = max(scores, key=lambda c: (scores[c][0], -c))
    result = classification(given(corpus, vectors))
    assert result.value == pytest.approx(100 * scores[best][1])
    assert (result.n, result.seeds) == (30, ())
    assert result.protocol.endswith(
        f"trained on train, scored on test; C from 0.25 to 8 chosen on dev: {best:g}"
    )


def test_another_split_is_scored_and_all_is_cross_validated():
    corpus, vectors = blobs(split=SPLITS * 30)
    assert classification(given(corpus, vectors, "dev")).n == 30
    assert classification(given(corpus, vectors, "train")).n == 60
    whole = classification(given(corpus, vectors, "all"))
    assert (whole.n, "10-fold cross-validation over all rows" in whole.protocol) == (120, True)
    with pytest.raises(CorpusError, match="no split 'tset'; allowed: train, dev, test, all"):
        classification(given(corpus, vectors, "tset"))


def test_what_a_recipe_learns_it_learns_from_training_rows_alone():
    corpus, vectors = blobs(per_class=20)
    data = given(corpus, vectors, learns=("idf",))
    result = classification(data, folds=4)
    assert len(data.embed.asked) == 4
    for rows in data.embed.asked:
        assert len(rows) == 45
    assert sorted(np.concatenate([np.setdiff1d(np.arange(60), rows) for rows in data.embed.asked])) == list(
        range(60)
    )
    assert result.protocol.endswith("idf learnt from the training rows of each fold")
    once = given(corpus, vectors)
    classification(once, folds=4)
    assert len(once.embed.asked) == 1


def test_pairs_are_absolute_difference_and_product():
    corpus = Corpus.of_labelled("pairs", ["a", "b"], ["0", "1"], text2=["b", "c"])
    vectors = np.array([[1.0, 2], [3, -1], [0, 5]], np.float32)
    assert row_features(given(corpus, vectors), vectors).tolist() == [[2, 3, 3, -2], [3, 6, 0, -5]]


@pytest.mark.parametrize("value", [np.nan, np.inf, -1e20])
@pytest.mark.parametrize("task", [classification, clustering])
def test_vectors_of_which_nothing_can_be_learnt_are_refused(task, value):
    corpus, vectors = blobs(per_class=10)
    vectors[5, 2] = value
    with pytest.raises(RecipeError, match="are not finite or beyond 1e\\+17"):
        task(given(corpus, vectors))


def test_products_of_large_numbers_are_refused():
    corpus = Corpus.of_labelled("pairs", ["a", "b"], ["0", "1"], text2=["b", "c"])
    vectors = np.full((3, 2), 1e16, np.float32)
    with pytest.raises(RecipeError, match="Take post=normalize or post=zscore"):
        row_features(given(corpus, vectors), vectors)


def test_scores_become_two_classes_with_weights():
    corpus = Corpus.of_pairs("scored", list("abcde"), list("fghij"), [3.6, 5, 1, 0.4, 2])
    assert soft_classes(corpus)[1] == pytest.approx(
        np.array([[0, 0, 0.4, 0.6, 0], [0, 0, 0, 0, 1], [1, 0, 0, 0, 0], [1, 0, 0, 0, 0], [0, 1, 0, 0, 0]])
    )
    unit = replace(corpus, gold=np.array([0, 1, 0.5, 0.125, 0.25]), scale=(0.0, 1.0))
    assert soft_classes(unit)[1].argmax(axis=1).tolist() == [0, 4, 2, 0, 1]
    assert soft_classes(unit)[1][3] == pytest.approx([0.5, 0.5, 0, 0, 0])
    np.testing.assert_array_equal(soft_classes(replace(unit, scale=None))[1], soft_classes(unit)[1])


def test_soft_classes_are_learnt_as_weighted_rows():
    generator = np.random.default_rng(2)
    texts = [f"t{i}" for i in range(240)]
    gold = generator.uniform(1, 5, 120)
    corpus = Corpus.of_pairs("s", texts[:120], texts[120:], gold.tolist(), split=(("train", "test") * 60))
    vectors = np.zeros((240, 2), np.float32)
    vectors[:120, 0] = gold + generator.normal(size=120) / 2  # |u - v| is the score, nearly
    result = classification(given(corpus, vectors))
    train, test = np.arange(0, 120, 2), np.arange(1, 120, 2)
    x, weights = row_features(given(corpus, vectors), vectors), soft_classes(corpus)[1]
    doubled = np.repeat(train, 2)
    below = np.floor(gold).astype(int) - 1
    classes = np.ravel(np.column_stack([below[train], below[train] + 1]))
    shares = weights[doubled, classes]
    c = float(result.protocol.split("training rows: ")[1].split(";")[0])
    model = LogisticRegression(C=c, max_iter=1000).fit(x[doubled], classes, sample_weight=shares)
    predicted = model.predict(x[test])
    assert result.value == pytest.approx(100 * weights[test, predicted].mean())
    assert result.value > result.others["majority"] + 20
    assert "five soft classes" in result.protocol


def test_pairs_with_scores_and_labels_have_two_targets():
    texts = [f"t{i}" for i in range(80)]
    corpus = Corpus.of_pairs("both", texts[:40], texts[40:], [1.0, 5.0] * 20, labels=["no", "yes"] * 20)
    vectors = np.zeros((80, 2), np.float32)
    vectors[1:40:2] = 1
    labels, scores = (classification(given(corpus, vectors), gold=gold) for gold in ("label", "score"))
    assert labels.value == scores.value == 100
    assert ("five soft" in labels.protocol, "five soft" in scores.protocol) == (False, True)
    with pytest.raises(CorpusError, match="blobs has no scores; take gold=label"):
        classification(given(*blobs()), gold="score")


def test_the_perceptron_is_the_one_of_the_papers():
    """One hidden layer of 50, Adam, batches of 64, 4 epochs; the L2 term is the best on dev."""
    corpus, vectors = blobs(per_class=100, noise=3.0, split=SPLITS * 75)
    part, gold = np.array(corpus.split), codes(corpus)
    scores = {}
    for alpha in (1e-5, 1e-4, 1e-3, 1e-2):
        model = MLPClassifier((50,), solver="adam", batch_size=64, max_iter=4, alpha=alpha, random_state=0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # four epochs are what is asked for
            model.fit(vectors[part == "train"], gold[part == "train"])
        scores[alpha] = [model.score(vectors[part == name], gold[part == name]) for name in ("dev", "test")]
    best = max(scores, key=lambda alpha: (scores[alpha][0], alpha))
    result = classification(given(corpus, vectors), classifier="mlp")
    assert result.protocol.startswith("MLP of 50 units (4 epochs, batches of 64, Adam)")
    assert result.protocol.endswith(f"chosen on dev: {best:g}")
    assert result.value == pytest.approx(100 * scores[best][1])
    assert result.seeds == (0,)


def test_shuffled_labels_give_chance_within_the_interval():
    corpus, vectors = blobs(per_class=150)
    labels = np.random.default_rng(8).permutation(corpus.labels).tolist()
    result = classification(given(replace(corpus, labels=tuple(labels)), vectors))
    low, high = result.bounds
    assert low < 100 / 3 < high


def test_a_class_that_is_not_learnt_counts_as_wrong_and_is_named():
    corpus, vectors = blobs(split=SPLITS * 30)
    labels = tuple(
        "strange" if split == "test" and i % 3 == 0 else label
        for i, (label, split) in enumerate(zip(corpus.labels, corpus.split, strict=True))
    )
    result = classification(given(replace(corpus, labels=labels), vectors))
    assert result.value == pytest.approx(100 * 2 / 3)
    assert result.notes == (
        "10 scored rows are of a class that no training row has (strange), and count as wrong.",
    )


def test_unlabelled_rows_are_left_out_and_counted():
    corpus, vectors = blobs()
    labels = tuple("" if i < 5 else label for i, label in enumerate(corpus.labels))
    result = classification(given(replace(corpus, labels=labels), vectors))
    assert (result.n, result.notes) == (115, ("5 rows without a label are left out.",))


def test_few_training_rows_take_the_middle_c():
    corpus = Corpus.of_labelled(
        "few", list("abcd"), ["x", "y", "x", "y"], split=("train",) * 2 + ("test",) * 2
    )
    result = classification(given(corpus, np.array([[0.0], [9], [0], [9]], np.float32)))
    assert result.value == 100
    assert result.notes == ("Too few training rows to choose C: it is 2.",)
    assert result.protocol.endswith("trained on train, scored on test; C = 2, not chosen")


ONE = Corpus.of_labelled("one", list("abcd"), ["x"] * 4)
ALONE = Corpus.of_labelled("alone", [f"t{i}" for i in range(21)], ["x", "y"] * 10 + ["rare"])
FEW = Corpus.of_labelled("few", list("abcd"), ["x", "y"] * 2)
SMALL = Corpus.of_labelled("small", [f"t{i}" for i in range(12)], ["x", "y", "z", "w"] * 3)
ONE_LEARNT = Corpus.of_labelled(
    "learnt", list("abcd"), ["x", "x", "x", "y"], split=("train",) * 3 + ("test",)
)
UNLABELLED = replace(FEW, labels=("", "", "", ""))
HALF = replace(ONE_LEARNT, labels=("", "", "", "y"))
SAME = Corpus.of_pairs("same", list("ab"), list("cd"), [2.0, 2.0])


@pytest.mark.parametrize(
    ("corpus", "said"),
    [
        (ONE, "all labels of one are 'x': there is one class only"),
        (ALONE, "of 1 of 3 classes there is one row only.*the first is 'rare'"),
        (FEW, "4 rows are fewer than 10 folds"),
        (SMALL, "no class has as many rows as there are folds .10.; take folds=3 or fewer"),
        (ONE_LEARNT, "All training rows of learnt are of one class"),
        (UNLABELLED, "no row of few has a label"),
        (HALF, "one class only"),
        (SAME, "all scores of same are 2"),
        (Corpus.of_texts("texts", list("ab")), "the corpus texts has no labels"),
    ],
)
def test_what_cannot_be_learnt_is_refused(corpus, said):
    vectors = np.eye(len(corpus.sentences), dtype=np.float32)
    with pytest.raises(CorpusError, match=said):
        classification(given(corpus, vectors))


@pytest.mark.parametrize("task", ["classification", "probing", "clustering"])
def test_more_classes_than_half_of_the_memory_holds_are_refused_before_anything_is_read(task, monkeypatch):
    """As an identifier taken for the label has; the system would end the server in the middle."""
    texts = [f"text {i}" for i in range(400)]
    many = Corpus.of_labelled("many", texts, [f"class {i // 2}" for i in range(400)])
    monkeypatch.setattr(machine, "memory", lambda: 1_500_000)
    check_task(blobs(40)[0], Choice(task))
    with pytest.raises(CorpusError, match=r"200 classes in 400 rows of many need about 0\.0 GB of memory"):
        check_task(many, Choice(task))
    monkeypatch.setattr(machine, "memory", lambda: None)
    check_task(many, Choice(task))
