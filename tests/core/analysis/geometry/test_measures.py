"""Isotropy against literal formulas, packages, and what is degenerate."""

import itertools
import math
import tracemalloc
from typing import ClassVar

import numpy as np
import pytest
from IsoScore import IsoScore as published

from core.analysis.geometry.measures import (
    COMPONENTS,
    TOP,
    explained_variance,
    isotropic_iso_score,
    isotropy,
)
from core.evaluation.isotropy import average_cosine, iso_score
from tests.core.helpers.clouds import cloud

# -- average cosine


@pytest.mark.parametrize(("points", "dim", "shift"), [(2, 1, 0), (7, 3, 0), (60, 20, 2), (300, 5, -1)])
def test_average_cosine_is_the_mean_of_the_matrix_without_its_diagonal(points, dim, shift):
    x = cloud(points, dim, shift=shift).astype(np.float64)
    unit = x / np.linalg.norm(x, axis=1, keepdims=True)
    matrix = unit @ unit.T
    wanted = matrix[~np.eye(points, dtype=bool)].mean()
    assert average_cosine(x.astype(np.float32)) == pytest.approx(wanted, abs=1e-7)


def test_a_zero_vector_has_the_cosine_0_with_every_other():
    x = np.array([[1, 0], [1, 0], [0, 0]], np.float32)
    assert average_cosine(x) == pytest.approx(2 / 6)
    assert isotropy(x).zeros == 1
    assert any("vector 0" in problem for problem in isotropy(x).problems())


class Counted(np.ndarray):
    """Vectors that count the blocks of rows that are read."""

    blocks: ClassVar[list[slice]] = []

    def __getitem__(self, key):
        self.blocks.append(key)
        return super().__getitem__(key).view(np.ndarray)


def test_average_cosine_is_summed_over_blocks(monkeypatch):
    x = cloud(101, 7, shift=1)
    whole = average_cosine(x)
    monkeypatch.setattr("core.evaluation.isotropy._BLOCK_BYTES", 8 * 7 * 10)
    monkeypatch.setattr(Counted, "blocks", [])
    assert average_cosine(x.view(Counted)) == pytest.approx(whole, abs=1e-12)
    assert Counted.blocks == [slice(start, start + 10) for start in range(0, 101, 10)]


# -- IsoScore


@pytest.mark.parametrize(("points", "dim"), [(400, 10), (50, 10), (12, 30), (3, 8), (1000, 64)])
def test_iso_score_is_that_of_the_published_package(points, dim):
    x = cloud(points, dim, shift=1).astype(np.float64)
    assert iso_score(x) == pytest.approx(float(published.IsoScore(x)), abs=1e-6), "it has float32 constants"


def test_iso_score_follows_the_papers_algorithm_step_by_step():
    x = cloud(80, 6).astype(np.float64)
    n = x.shape[1]
    covariance = np.cov(x.T)
    _, axes = np.linalg.eigh(covariance)
    diagonal = np.var(x @ axes, axis=0)
    normalised = math.sqrt(n) * diagonal / math.sqrt(sum(value**2 for value in diagonal))
    defect = math.sqrt(sum((v - 1) ** 2 for v in normalised)) / math.sqrt(2 * (n - math.sqrt(n)))
    dimensions = (n - defect**2 * (n - math.sqrt(n))) ** 2 / n
    assert iso_score(x) == pytest.approx((dimensions - 1) / (n - 1), abs=1e-12)


def test_iso_score_at_its_ends():
    n = 5
    cross = np.vstack([np.eye(n), -np.eye(n)])
    assert iso_score(cross) == pytest.approx(1.0)
    line = np.outer(np.arange(6.0), np.ones(n))
    assert iso_score(line) == pytest.approx(0.0, abs=1e-12)
    half = np.vstack([cross[:, :], cross[:, :]])
    half[:, 2:] = 0
    assert iso_score(half) == pytest.approx((2 - 1) / (n - 1))


def test_iso_score_knows_neither_place_nor_scale_nor_rotation():
    x = cloud(90, 6).astype(np.float64)
    turn, _ = np.linalg.qr(np.random.default_rng(1).normal(size=(6, 6)))
    assert iso_score(7 * x @ turn + 100) == pytest.approx(iso_score(x), abs=1e-9)


@pytest.mark.parametrize(("points", "dim"), [(30, 768), (60, 40), (500, 30), (20, 20)])
def test_an_isotropic_cloud_scores_what_is_said(points, dim):
    generator = np.random.default_rng(0)
    found = [iso_score(generator.normal(size=(points, dim))) for _ in range(30)]
    assert np.mean(found) == pytest.approx(isotropic_iso_score(points, dim), rel=0.02)


def test_the_known_values_of_an_isotropic_cloud():
    found = [round(isotropic_iso_score(points, 768), 3) for points in (30, 1379, 20_000)]
    assert found == [0.035, 0.641, 0.963]


# -- components and dimensions


def test_explained_variance_is_that_of_a_principal_component_analysis():
    from sklearn.decomposition import PCA

    x = cloud(200, 15, shift=1)
    wanted = PCA().fit(x.astype(np.float64)).explained_variance_ratio_
    found = explained_variance(np.cov(x.T.astype(np.float64)))
    np.testing.assert_allclose(found, wanted, atol=1e-9)
    np.testing.assert_allclose(isotropy(x).explained, wanted[:COMPONENTS], atol=1e-9)


def test_outlier_dimensions_are_those_that_stand_out():
    x = np.random.default_rng(0).normal(size=(100, 200)).astype(np.float32)
    x[:, 17] += 30
    x[:, 90] -= 20
    found = isotropy(x)
    means = [np.mean([abs(float(row[d])) for row in x]) for d in range(200)]
    average = sum(means) / 200
    deviation = math.sqrt(sum((m - average) ** 2 for m in means) / 200)
    assert list(found.top[:2]) == [17, 90]
    assert len(found.top) == TOP
    assert found.outliers == 2
    for i, dim in enumerate(found.top):
        assert found.size[i] == pytest.approx(means[dim] / average, rel=1e-6)
        assert found.z[i] == pytest.approx((means[dim] - average) / deviation, rel=1e-6)
    assert found.outlying == pytest.approx(found.part[:2].sum())


def test_parts_of_the_average_cosine_sum_to_it():
    x = cloud(40, TOP, shift=2)
    found = isotropy(x)
    assert found.part.sum() == pytest.approx(found.average_cosine, abs=1e-9)
    unit = x / np.linalg.norm(x, axis=1, keepdims=True)
    for value, dim in zip(found.part, found.top, strict=True):
        pairs = [unit[i, dim] * unit[j, dim] for i, j in itertools.permutations(range(40), 2)]
        assert value == pytest.approx(np.mean(pairs), abs=1e-6)


def test_the_means_share_of_the_length():
    x = cloud(50, 4, shift=1).astype(np.float64)
    wanted = sum(x.mean(axis=0) ** 2) / np.mean([row @ row for row in x])
    assert isotropy(x).common == pytest.approx(wanted)


def test_memory_does_not_grow_with_the_square():
    x = cloud(6000, 16)
    tracemalloc.start()
    average_cosine(x)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 6000**2 * 8 / 4


# -- what does not exist


def test_one_sentence():
    x = np.ones((1, 3), np.float32)
    found = isotropy(x)
    assert math.isnan(average_cosine(x))
    assert math.isnan(iso_score(x))
    assert math.isnan(found.isotropic)
    assert len(found.explained) == 0
    assert any("no other" in problem for problem in found.problems())


@pytest.mark.parametrize("value", [0.0, 1.0, 0.1, 1234.5])
def test_vectors_that_are_all_equal(value):
    x = np.full((50, 7), value, np.float32)
    x += (1e-8 * value * np.random.default_rng(0).normal(size=x.shape)).astype(np.float32)
    found = isotropy(x)
    assert math.isnan(found.iso_score)
    assert math.isnan(iso_score(x))
    assert found.average_cosine == pytest.approx(1.0 if value else 0.0, abs=1e-6)
    assert -1 <= found.average_cosine <= 1
    assert any("same vector" in problem for problem in found.problems())
    assert np.isfinite(found.z).all()


def test_fewer_points_than_dimensions_are_measured_and_said():
    found = isotropy(cloud(10, 50))
    assert 0 < found.iso_score < found.isotropic < 0.2
    assert any("at most 9 of 50" in problem for problem in found.problems())
    simplex = isotropy(np.eye(20, 64))  # more even than an isotropic cloud, which is no bound
    assert simplex.iso_score > simplex.isotropic + 0.05
    assert simplex.problems()[0].endswith("would score about 0.21, not 1.")


def test_one_dimension_has_no_iso_score():
    found = isotropy(cloud(10, 1))
    assert math.isnan(found.iso_score)
    assert any("one dimension" in problem for problem in found.problems())
