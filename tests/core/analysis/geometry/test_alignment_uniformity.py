"""Alignment and uniformity against literal formulas, and what does not exist."""

import itertools
import math
import tracemalloc

import numpy as np
import pytest
from scipy.spatial.distance import pdist

from core.analysis.geometry import alignment_uniformity
from core.analysis.geometry.alignment_uniformity import alignment, uniformities, uniformity
from tests.core.helpers.clouds import cloud


@pytest.mark.parametrize("normalised", [True, False])
def test_alignment_is_the_mean_squared_distance(normalised):
    u, v = cloud(23, 6, 1), cloud(23, 6, 2)
    total = 0.0
    for a, b in zip(u.astype(float), v.astype(float), strict=True):
        if normalised:
            a, b = a / math.sqrt(a @ a), b / math.sqrt(b @ b)
        total += sum((x - y) ** 2 for x, y in zip(a, b, strict=True))
    assert alignment(u, v, normalised=normalised) == pytest.approx(total / 23)


@pytest.mark.parametrize("normalised", [True, False])
@pytest.mark.parametrize("tile", [256, 16, 7])
def test_uniformity_in_tiles_is_that_over_all_pairs(normalised, tile, monkeypatch):
    monkeypatch.setattr(alignment_uniformity, "_TILE", tile)
    x = 0.3 * cloud(65, 4, shift=5)
    rows = x.astype(np.float64)
    if normalised:
        rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    wanted = math.log(np.exp(-2 * pdist(rows, "sqeuclidean")).mean())
    assert uniformity(x, normalised=normalised) == pytest.approx(wanted, rel=1e-9)


@pytest.mark.parametrize("normalised", [True, False])
def test_repeats_count_as_pairs_of_their_own(normalised):
    x, repeats = 0.4 * cloud(20, 3), np.array([1, 3, 2] + [1] * 17)
    every = np.repeat(x, repeats, axis=0)
    wanted = uniformity(every, normalised=normalised)
    assert uniformity(x, repeats, normalised=normalised) == pytest.approx(wanted, abs=1e-6)
    total, count = 0.0, 0
    for i, j in itertools.combinations(range(len(every)), 2):
        a, b = every[i].astype(float), every[j].astype(float)
        if normalised:
            a, b = a / math.sqrt(a @ a), b / math.sqrt(b @ b)
        total += math.exp(-2 * sum((a - b) ** 2))
        count += 1
    assert wanted == pytest.approx(math.log(total / count), abs=1e-6)


def test_far_vectors_do_not_underflow():
    x = np.array([[0.0, 0.0], [100.0, 0.0], [0.0, 300.0]], np.float32)
    assert uniformity(x, normalised=False) == pytest.approx(-20_000 + math.log(1 / 3))


def test_above_a_size_a_sample_stands_for_all():
    x = cloud(3000, 8, shift=1)
    exact = uniformity(x, normalised=True, most=None)
    sampled = uniformity(x, normalised=True, most=1000)
    assert sampled != exact
    assert sampled == pytest.approx(exact, abs=0.02)
    assert sampled == uniformity(x, normalised=True, most=1000), "the same sample every time"
    assert uniformity(x, normalised=True, most=3000) == exact


def test_memory_does_not_grow_with_the_square():
    x = cloud(6000, 16)
    tracemalloc.start()
    uniformity(x, normalised=True, most=None)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 6000**2 * 8 / 4


def test_progress_is_reported_and_can_stop(monkeypatch):
    monkeypatch.setattr(alignment_uniformity, "_TILE", 1024)
    steps = []
    uniformity(cloud(2100, 2), normalised=True, progress=steps.append)
    assert [(step.done, step.total) for step in steps] == [(i, 6) for i in range(6)]

    def stop(step):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        uniformity(cloud(10, 2), normalised=True, progress=stop)


def test_both_kinds_at_once_are_those_one_by_one():
    x, repeats = 0.3 * cloud(600, 5, shift=1), np.random.default_rng(0).integers(1, 4, 600)
    both = uniformities(x, repeats, normalised=[True, False])
    assert both == [uniformity(x, repeats, normalised=kind) for kind in (True, False)]


@pytest.mark.parametrize("shift", [0, 1e4])
def test_vectors_of_any_length_are_measured_around_their_mean(shift):
    x = 0.1 * cloud(300, 6).astype(np.float64) + shift
    wanted = math.log(np.exp(-2 * pdist(x, "sqeuclidean")).mean())
    assert uniformity(x, normalised=False) == pytest.approx(wanted, rel=1e-9)


def test_one_sentence():
    x = np.ones((1, 3), np.float32)
    assert math.isnan(uniformity(x, normalised=True))
    twice = uniformity(x, np.array([2]), normalised=True)
    assert twice == pytest.approx(0.0), "a sentence that stands there twice is a pair of distance 0"


@pytest.mark.parametrize("value", [0.0, 1.0, 0.1, 1234.5])
def test_vectors_that_are_all_equal(value):
    x = np.full((50, 7), value, np.float32)
    x += (1e-8 * value * np.random.default_rng(0).normal(size=x.shape)).astype(np.float32)
    assert uniformity(x, normalised=True) == pytest.approx(0.0, abs=1e-6)


def test_no_positive_pairs():
    empty = np.zeros((0, 4), np.float32)
    assert math.isnan(alignment(empty, empty, normalised=True))


def test_zero_vectors_raise_nothing():
    x = np.vstack([np.zeros((3, 4)), np.eye(4)]).astype(np.float32)
    pairs = 6 + 24 * math.exp(-2) + 12 * math.exp(-4)  # of two zeros, of one, of two orthogonal units
    assert uniformity(x, normalised=True) == pytest.approx(math.log(pairs / 42))
    assert alignment(x, x[::-1], normalised=True) == pytest.approx(6 / 7)
