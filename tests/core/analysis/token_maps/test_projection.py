"""Maps: PCA against numpy's SVD, one map for several layers, UMAP and t-SNE in a process of their own."""

import numpy as np
import pytest

from core.analysis.token_maps import manifold, projection
from core.analysis.token_maps.projection import (
    ProjectionError,
    compute_projection,
    plane_r_squared,
    project,
)
from core.storage.store import Store


def rows(seed: int = 0, points: int = 40, dim: int = 7) -> np.ndarray:
    generator = np.random.default_rng(seed)
    return (generator.normal(size=(points, dim)) * np.arange(dim, 0, -1) + 5).astype(np.float32)


def never(*_) -> np.ndarray:
    raise AssertionError("what is kept is not computed again")


def projected(x: np.ndarray, method: str = "pca", **more):
    return compute_projection(method, (3,), lambda _: x, **more)


def test_pca_is_that_of_numpys_svd_up_to_sign():
    x = rows()
    centred = x.astype(float) - x.astype(float).mean(axis=0)
    u, s, v = np.linalg.svd(centred, full_matrices=False)
    result = projected(x)
    np.testing.assert_allclose(np.abs(result.at(3)), np.abs(u[:, :2] * s[:2]), atol=1e-4)
    np.testing.assert_allclose(np.abs(result.axes), np.abs(v[:2].T), atol=1e-6)
    np.testing.assert_allclose(result.explained, (s**2 / (s**2).sum())[:2], rtol=1e-6)


def test_the_sign_makes_the_largest_number_of_an_axis_positive():
    for seed in range(6):
        axes = projected(rows(seed)).axes
        assert all(axes[np.abs(axes[:, i]).argmax(), i] > 0 for i in range(2))


def test_several_layers_share_one_map_each_centred_and_scaled_to_the_same_variance():
    layers = {0: rows(1), 1: 100 * rows(2) + 7}
    result = compute_projection("pca", (0, 1), layers.__getitem__)
    stacked = []
    for x in layers.values():
        x = x.astype(float) - x.astype(float).mean(axis=0)
        stacked.append(x / np.sqrt((x**2).sum() / len(x)))
    u, s, _ = np.linalg.svd(np.concatenate(stacked), full_matrices=False)
    expected = (u[:, :2] * s[:2]).reshape(2, 40, 2)
    np.testing.assert_allclose(np.abs(result.points), np.abs(expected), atol=1e-5)
    np.testing.assert_allclose(result.explained, (s**2 / (s**2).sum())[:2], rtol=1e-5)
    np.testing.assert_array_equal(result.at(1), result.points[1])


def test_further_vectors_are_transformed_to_the_points_they_would_have_been():
    layers = {0: rows(1), 1: 100 * rows(2) + 7}
    result = compute_projection("pca", (0, 1), layers.__getitem__)
    for layer, x in layers.items():
        np.testing.assert_allclose(result.transform(x[4:6], layer), result.at(layer)[4:6], atol=1e-5)


def test_more_dimensions_than_points():
    x = rows(points=4, dim=30)
    centred = x.astype(float) - x.astype(float).mean(axis=0)
    u, s, _ = np.linalg.svd(centred, full_matrices=False)
    np.testing.assert_allclose(np.abs(projected(x).at(3)), np.abs(u[:, :2] * s[:2]), atol=1e-3)


def test_three_tokens_and_two_and_vectors_of_one_dimension():
    x = rows(points=3)
    u, s, _ = np.linalg.svd(x.astype(float) - x.astype(float).mean(axis=0), full_matrices=False)
    np.testing.assert_allclose(np.abs(projected(x).at(3)), np.abs(u[:, :2] * s[:2]), atol=1e-4)
    two = projected(rows(points=2)).at(3)
    half = np.linalg.norm(np.diff(rows(points=2), axis=0)) / 2
    np.testing.assert_allclose(np.abs(two[:, 0]), half, rtol=1e-5)
    np.testing.assert_allclose(two[:, 1], 0, atol=1e-4)
    line = projected(rows(dim=1)).at(3)
    np.testing.assert_array_equal(line[:, 1], 0)
    assert np.ptp(line[:, 0]) > 0
    np.testing.assert_allclose(projected(rows(dim=1)).transform(rows(dim=1)[:3], 3), line[:3], atol=1e-5)


def test_a_layer_whose_vectors_are_equal_is_a_point_in_a_map_of_several():
    layers = {0: np.ones((40, 7), np.float32), 1: rows()}
    result = compute_projection("pca", (0, 1), layers.__getitem__)
    np.testing.assert_allclose(result.at(0), 0, atol=1e-5)
    assert np.ptp(result.at(1)) > 1e-3


@pytest.mark.parametrize("method", projection.METHODS)
def test_vectors_that_are_all_equal_are_refused(method):
    with pytest.raises(ProjectionError, match="All 40 vectors are equal"):
        projected(np.full((40, 7), 0.1, np.float32), method)


@pytest.mark.parametrize(("points", "what"), [(1, "two points or more; got 1"), (0, "got 0")])
def test_too_few_points_are_refused(points, what):
    with pytest.raises(ProjectionError, match=what):
        projected(rows(points=points))


def test_umap_and_tsne_want_ten():
    with pytest.raises(ProjectionError, match="t-SNE needs 10 points or more; got 9. Take PCA"):
        projected(rows(points=9), "tsne")


@pytest.mark.parametrize("method", [pytest.param("umap", marks=pytest.mark.slow), "tsne"])
def test_the_same_seed_gives_the_same_map_and_it_is_kept(method, tmp_path, monkeypatch):
    x = np.concatenate([rows(1), rows(2) + 60])
    store = Store(tmp_path)
    steps = []
    first = project(store, method, (0,), lambda _: x, ["x"], steps.append)
    assert any("seconds" in str(step) for step in steps)
    assert first.points.shape == (1, 80, 2)
    if method == "tsne":
        again = manifold.tsne(
            projection.principal_components((0,), lambda _: x, 50, "", steps.append)[0][0], 0
        )
        np.testing.assert_array_equal(again, first.points[0])
    assert np.isfinite(first.points).all()  # UMAP rests on its own random layout
    near = ((first.points[0][:, None] - first.points[0][None]) ** 2).sum(-1) + 1e9 * np.eye(80)
    assert ((near.argmin(axis=1) < 40) == (np.arange(80) < 40)).all(), "the two clouds stay apart"
    monkeypatch.setattr(projection, "_in_a_process", None)
    kept = project(Store(tmp_path), method, (0,), lambda _: x, ["x"])
    np.testing.assert_array_equal(kept.points, first.points)
    with pytest.raises(ProjectionError, match="no place for points"):
        kept.transform(x[:1], 0)


def test_stopping_ends_the_process_and_keeps_nothing(tmp_path, monkeypatch):
    class StoppedError(Exception):
        pass

    started = []
    popen = projection.subprocess.Popen
    monkeypatch.setattr(
        projection.subprocess, "Popen", lambda *a, **k: started.append(popen(*a, **k)) or started[0]
    )

    def stop(step):
        if "seconds" in str(step):
            raise StoppedError

    store = Store(tmp_path)
    with pytest.raises(StoppedError):
        project(store, "tsne", (0,), lambda _: rows(), ["x"], stop)
    assert started[0].returncode is not None
    assert not projection.is_kept(store, "tsne", ["x"])


def test_a_process_that_fails_is_reported(monkeypatch):
    monkeypatch.setattr(projection, "SEED", "none")
    with pytest.raises(ProjectionError, match=r"t-SNE of 40 points failed: ValueError.*Take PCA"):
        projected(rows(), "tsne")


def test_pca_is_kept_under_what_stands_for_the_vectors(tmp_path):
    store = Store(tmp_path)
    first = project(store, "pca", (0,), lambda _: rows(1), ["one"])
    np.testing.assert_array_equal(project(store, "pca", (0,), never, ["one"]).points, first.points)
    other = project(store, "pca", (0,), lambda _: rows(2), ["two"])
    assert not np.allclose(other.points, first.points)


def test_pca_takes_no_time_worth_a_question_and_the_others_more_the_more_points():
    assert projection.seconds("pca", 10**6) == 0
    for method in ("umap", "tsne"):
        assert 0 < projection.seconds(method, 100) < projection.seconds(method, 10_000)


def test_a_plane_over_the_map():
    points = rows(dim=2)
    values = 3 + points[:, 0].astype(float) - 2 * points[:, 1]
    assert plane_r_squared(points, values) == pytest.approx(1)
    noisy = values + np.random.default_rng(1).normal(size=40) * 3
    design = np.column_stack([np.ones(40), points])
    fitted = design @ np.linalg.inv(design.T @ design) @ design.T @ noisy
    expected = 1 - ((noisy - fitted) ** 2).sum() / ((noisy - noisy.mean()) ** 2).sum()
    assert plane_r_squared(points, noisy) == pytest.approx(expected, abs=1e-5)
    some = noisy.copy()
    some[::2] = np.nan
    assert plane_r_squared(points, some) == pytest.approx(plane_r_squared(points[1::2], noisy[1::2]))


@pytest.mark.parametrize("values", [np.ones(40), np.full(40, np.nan), np.r_[np.full(37, np.nan), 1, 2, 3]])
def test_a_plane_over_nothing_is_nan(values):
    assert np.isnan(plane_r_squared(rows(dim=2), values))
