"""What learns classes from vectors: logistic regression, and perceptrons with one hidden layer.

scikit-learn does the learning, and :mod:`core.evaluation.tasks.senteval_mlp` that of SentEval; either is
loaded when something is learnt. Targets are weights, ``[row, class]``: one class of weight 1 for a label,
two classes for a score in between. A row with two classes is learnt as two rows with these weights.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from jaxtyping import Float

from core.evaluation.tasks.folds import stratified
from core.evaluation.tasks.task import Rows
from core.loading import LOADING
from core.threads import one_thread

Weights = Float[np.ndarray, "_ class"]
Classifier = Literal["logistic", "mlp", "senteval"]

INNER_FOLDS = 3
"""Folds of the training rows by which the regularisation is chosen where there is no dev split."""

MLP_SEED = 0

HELD = 20
"""One in so many training rows is held out to stop by, where there is no dev split, as SentEval does."""


@dataclass(frozen=True)
class Learner:
    """A classifier with one number that is chosen: its name, its values, and the model with one of them.

    The value of the strongest regularisation comes first. ``seconds`` is about how long one fit takes, by
    rows, columns and classes. One that ``stops`` is fitted as far as it scores best on other rows: those
    that its number is chosen on, else a part of the training rows.
    """

    name: str
    number: str
    values: tuple[float, ...]
    make: Callable[[float], Any]
    seconds: Callable[[int, int, int], float]
    seeds: tuple[int, ...] = ()
    stops: bool = False


def _logistic(c: float) -> Any:
    with LOADING:
        from sklearn.linear_model import LogisticRegression

    return LogisticRegression(C=c, max_iter=1000)


def _mlp(alpha: float) -> Any:
    with LOADING:
        from sklearn.neural_network import MLPClassifier

    return MLPClassifier(
        hidden_layer_sizes=(50,), batch_size=64, max_iter=4, alpha=alpha, random_state=MLP_SEED
    )


def _senteval(l2: float) -> Any:
    from core.evaluation.tasks.senteval_mlp import SentEvalMLP

    return SentEvalMLP(l2, seed=MLP_SEED)


LEARNERS: dict[Classifier, Learner] = {
    "logistic": Learner(
        "logistic regression",
        "C",
        tuple(2.0**i for i in range(-2, 4)),
        _logistic,
        lambda rows, columns, classes: 1.5e-7 * rows * columns * classes,
    ),
    "mlp": Learner(
        "MLP of 50 units (4 epochs, batches of 64, Adam)",
        "L2",
        (1e-2, 1e-3, 1e-4, 1e-5),
        _mlp,
        lambda rows, columns, classes: 1.5e-7 * rows * columns,
        (MLP_SEED,),
    ),
    "senteval": Learner(
        "MLP of 50 units (SentEval's: stopped by its score on other rows, every 4 epochs)",
        "L2",
        (1e-2, 1e-3, 1e-4, 1e-5),
        _senteval,
        lambda rows, columns, classes: 5e-4 * rows + 1e-7 * rows * columns,
        (MLP_SEED,),
        stops=True,
    ),
}
"""SentEval's values of C and L2; the perceptron as SBERT-WK and S3E print it, and as their code runs it."""


@dataclass(frozen=True, eq=False)
class Predicted:
    """Probabilities of classes ``[row, class]``, the value that was chosen, and whether fitting ended."""

    probabilities: Weights
    chosen: float
    converged: bool
    tuned: bool = True


def predict(
    learner: Learner, features: Any, weights: Weights, train: Rows, test: Rows, tune: Rows | None
) -> Predicted:
    """Learn from the training rows, and predict the rows to be scored.

    The regularisation is the value that is right most often on ``tune``, or without it in a
    cross-validation of the training rows; of equals the strongest. Training rows too few to be divided take
    the middle value.
    """
    with one_thread(len(train) * features.shape[1] * weights.shape[1]):
        value, tuned = _choose(learner, features, weights, train, tune)
        learnt_from, stopped_by = _parted(train, tune) if learner.stops else (train, None)
        model, converged = _fit(learner.make(value), features, weights, learnt_from, stopped_by)
        return Predicted(_probabilities(model, features[test], weights.shape[1]), value, converged, tuned)


def _choose(
    learner: Learner, features: Any, weights: Weights, train: Rows, tune: Rows | None
) -> tuple[float, bool]:
    if tune is not None:
        divided = [(train, tune)]
    else:
        codes = weights[train].argmax(axis=1)
        if np.bincount(codes).max(initial=0) < INNER_FOLDS:
            return sorted(learner.values)[len(learner.values) // 2], False
        divided = [(train[a], train[b]) for a, b in stratified(codes, INNER_FOLDS)]
    right = np.zeros(len(learner.values))
    for learnt_from, scored in divided:
        if len(np.unique(weights[learnt_from].argmax(axis=1))) < 2:
            continue
        for place, value in enumerate(learner.values):
            stopped_by = scored if learner.stops else None
            model, _ = _fit(learner.make(value), features, weights, learnt_from, stopped_by)
            found = _probabilities(model, features[scored], weights.shape[1]).argmax(axis=1)
            right[place] += weights[scored, found].sum()
    return learner.values[int(np.argmax(right >= right.max() - 1e-9))], True  # the first of equals


def _parted(train: Rows, tune: Rows | None) -> tuple[Rows, Rows]:
    """Rows to learn from, and those to stop by: ``tune``, or one in :data:`HELD` of the training rows."""
    if tune is not None:
        return train, tune
    mixed = np.random.default_rng(MLP_SEED).permutation(train)
    held = max(1, len(train) // HELD)
    return mixed[held:], mixed[:held]


def _fit(
    model: Any, features: Any, weights: Weights, rows: Rows, stopped_by: Rows | None = None
) -> tuple[Any, bool]:
    """The model, fitted, and whether it converged (a perceptron has its epochs, and always does)."""
    with LOADING:
        from sklearn.exceptions import ConvergenceWarning
        from sklearn.neural_network import MLPClassifier

    row, code = np.nonzero(weights[rows])
    shares = weights[rows][row, code]
    sample_weight = None if (shares == 1).all() else shares
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ConvergenceWarning)
        held = {} if stopped_by is None else {"dev": (features[stopped_by], weights[stopped_by])}
        model.fit(features[rows[row]], code, sample_weight=sample_weight, **held)
    failed = any(issubclass(warning.category, ConvergenceWarning) for warning in caught)
    return model, not failed or isinstance(model, MLPClassifier)


def _probabilities(model: Any, features: Any, classes: int) -> Weights:
    """Probabilities of all classes; those that were not learnt have 0."""
    out = np.zeros((features.shape[0], classes))
    out[:, model.classes_] = model.predict_proba(features)
    return out
