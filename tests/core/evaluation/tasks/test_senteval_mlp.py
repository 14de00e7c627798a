"""The perceptron of SentEval beside loops over its own derivatives, and when it stops."""

import numpy as np
import pytest
import torch

from core.evaluation.tasks.learners import LEARNERS, predict
from core.evaluation.tasks.senteval_mlp import BATCH, BETWEEN, MOST, TENACITY, SentEvalMLP


def rings(rows: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Points within a ring and around it: no line parts them."""
    draws = np.random.default_rng(seed)
    x = draws.normal(size=(rows, 2))
    return x, (np.hypot(*x.T) > 1.1).astype(int)


def by_hand(x, y, dev, l2, units, seed, weights):
    """Adam on the cross-entropy of one hidden layer, its derivatives written out, in float64."""
    draws = torch.Generator().manual_seed(seed)
    classes = y.max() + 1
    shapes = [
        ((units, x.shape[1]), x.shape[1]),
        ((units,), x.shape[1]),
        ((classes, units), units),
        ((classes,), units),
    ]
    layers = [
        (2 * torch.rand(shape, generator=draws).numpy().astype(np.float64) - 1) / np.sqrt(inputs)
        for shape, inputs in shapes
    ]
    first, second = ([np.zeros_like(layer) for layer in layers] for _ in range(2))

    def hidden_of(layers, rows):
        return 1 / (1 + np.exp(-(rows @ layers[0].T + layers[1])))

    def chances_of(layers, rows):
        scores = hidden_of(layers, rows) @ layers[2].T + layers[3]
        shares = np.exp(scores - scores.max(axis=1, keepdims=True))
        return shares / shares.sum(axis=1, keepdims=True)

    best, most, failed, step, epochs = None, -1.0, 0, 0, 0
    while epochs <= MOST:
        for _ in range(BETWEEN):
            order = torch.randperm(len(x), generator=draws).numpy()
            for start in range(0, len(x), BATCH):
                rows = order[start : start + BATCH]
                step += 1
                hidden = hidden_of(layers, x[rows])
                slope = chances_of(layers, x[rows]) - np.eye(classes)[y[rows]]
                slope *= weights[rows, None] / len(rows)
                back = slope @ layers[2] * hidden * (1 - hidden)
                slopes = [back.T @ x[rows], back.sum(axis=0), slope.T @ hidden, slope.sum(axis=0)]
                for i, (layer, each) in enumerate(zip(layers, slopes, strict=True)):
                    each = each + l2 * layer
                    first[i] = 0.9 * first[i] + 0.1 * each
                    second[i] = 0.999 * second[i] + 0.001 * each**2
                    up, down = first[i] / (1 - 0.9**step), np.sqrt(second[i] / (1 - 0.999**step)) + 1e-8
                    layers[i] = layer - 0.001 * up / down
        epochs += BETWEEN
        right = (chances_of(layers, dev[0]).argmax(axis=1) == dev[1]).sum()
        if right > most:
            most, best = right, [layer.copy() for layer in layers]
        elif failed >= TENACITY:
            break
        else:
            failed += 1
    return chances_of(best, dev[0]), epochs


@pytest.mark.parametrize(("l2", "weighted"), [(1e-5, False), (1e-2, False), (1e-4, True)])
def test_it_learns_as_derivatives_by_hand_do(l2, weighted):
    x, y = rings(300, seed=1)
    held, answers = rings(40, seed=2)
    weights = np.random.default_rng(3).uniform(0.2, 1, len(x)) if weighted else np.ones(len(x))
    model = SentEvalMLP(l2, units=12, seed=5)
    model.fit(x, y, weights if weighted else None, dev=(held, np.eye(2)[answers]))
    chances, epochs = by_hand(x, y, (held, answers), l2, 12, 5, weights)
    assert model.epochs_ == epochs
    np.testing.assert_allclose(model.predict_proba(held), chances, atol=1e-3)


def clouds(rows: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Points about twenty centres."""
    draws = np.random.default_rng(seed)
    y = draws.integers(0, 20, rows)
    return np.random.default_rng(0).normal(size=(20, 30))[y] + draws.normal(size=(rows, 30)), y


def test_it_goes_on_while_it_gains_and_stops_where_it_does_not():
    x, y = clouds(600, seed=1)
    held, answers = clouds(200, seed=2)
    long = SentEvalMLP(1e-5).fit(x, y, dev=(held, np.eye(20)[answers]))
    assert long.epochs_ > 40
    assert (long.predict_proba(held).argmax(axis=1) == answers).mean() > 0.9
    nothing = SentEvalMLP(1e-5).fit(x, y, dev=(held, np.zeros((200, 20))))
    assert nothing.epochs_ == BETWEEN * (2 + TENACITY), "the first score gains on none, the others nothing"


def test_classes_keep_their_codes_and_one_class_is_no_error():
    x, y = rings(80, seed=1)
    model = SentEvalMLP(1e-4).fit(x, 3 + 4 * y, dev=(x, np.eye(8)[3 + 4 * y]))
    assert model.classes_.tolist() == [3, 7]
    assert model.predict_proba(x).shape == (80, 2)
    alone = SentEvalMLP(1e-4).fit(x, np.full(80, 2), dev=(x, np.eye(3)[np.full(80, 2)]))
    assert alone.predict_proba(x).tolist() == [[1.0]] * 80


@pytest.mark.parametrize("on_dev", [True, False])
def test_rows_are_predicted_that_it_neither_learnt_nor_stopped_by(on_dev):
    """What the scored rows are changes nothing of what is learnt."""
    x, y = clouds(900, seed=1)
    weights = np.eye(20)[y]
    train, tune, test = np.arange(600), np.arange(600, 700), np.arange(700, 900)
    found = predict(LEARNERS["senteval"], x, weights, train, test, tune if on_dev else None)
    right = (found.probabilities.argmax(axis=1) == y[test]).mean()
    literal = predict(LEARNERS["mlp"], x, weights, train, test, tune if on_dev else None)
    assert right > (literal.probabilities.argmax(axis=1) == y[test]).mean() + 0.1, "4 epochs are not enough"
    other = weights.copy()
    other[test] = np.roll(other[test], 1, axis=1)
    again = predict(LEARNERS["senteval"], x, other, train, test, tune if on_dev else None)
    np.testing.assert_array_equal(again.probabilities, found.probabilities)
