"""Components against frequency: scipy's correlations of components found by SVD, step by step."""

import numpy as np
import pytest
from scipy.stats import pearsonr, spearmanr

from core.analysis.token_maps.frequency_components import PLAIN, STEPS, correlate, stored_correlations
from core.errors import StrataError
from core.storage.store import Store


def tokens_and_frequency(tokens: int = 200, dim: int = 12, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Vectors of which the second direction is mostly frequency."""
    generator = np.random.default_rng(seed)
    x = generator.normal(size=(tokens, dim)) * np.linspace(6, 1, dim) + 3
    frequency = x[:, 1] + generator.normal(size=tokens)
    return x.astype(np.float32), frequency


def never() -> np.ndarray:
    raise AssertionError("what is kept is not computed again")


def svd_scores(x: np.ndarray) -> np.ndarray:
    u, s, _ = np.linalg.svd(x, full_matrices=False)
    return u * s


def expected_vectors(x: np.ndarray) -> dict[str, np.ndarray]:
    """What each step leaves, by SVD alone."""
    x = x.astype(float)
    centred = x - x.mean(axis=0)
    u, _, v = np.linalg.svd(centred, full_matrices=False)
    return {
        PLAIN: x,
        "centre": centred,
        "abtt(d=2)": centred - (centred @ v[:2].T) @ v[:2],
        "whiten": u * np.sqrt(len(x)),
    }


def scipy_pearson(x: np.ndarray, f: np.ndarray, step: str) -> list[float]:
    """The correlation of every component of a step, without its sign."""
    vectors = expected_vectors(x)[step]
    scores = vectors if step == "whiten" else svd_scores(vectors)
    return [abs(pearsonr(column, f)[0]) for column in scores.T]


def test_correlations_are_scipys_of_the_components_of_an_svd():
    x, f = tokens_and_frequency()
    found = correlate(x, f)
    assert [step.step for step in found.steps] == [PLAIN, *STEPS]
    assert found.notes == ()
    for step in found.steps:
        vectors = expected_vectors(x)[step.step]
        scores = vectors if step.step == "whiten" else svd_scores(vectors)
        for i in range(10):
            assert step.pearson[i] == pytest.approx(abs(pearsonr(scores[:, i], f)[0]), abs=1e-5)
            assert step.spearman[i] == pytest.approx(abs(spearmanr(scores[:, i], f)[0]), abs=2e-4)
            assert step.share[i] == pytest.approx(scores[:, i].var() / vectors.var(axis=0).sum(), rel=1e-4)


def test_the_total_is_the_variance_that_a_line_over_frequency_accounts_for():
    x, f = tokens_and_frequency()
    for step in correlate(x, f).steps:
        vectors = expected_vectors(x)[step.step]
        explained = 0.0
        for column in vectors.T:
            explained += pearsonr(column, f)[0] ** 2 * column.var() if column.var() > 1e-9 else 0
        assert step.total == pytest.approx(explained / vectors.var(axis=0).sum(), rel=1e-4)


def test_whitening_keeps_the_correlations_of_the_centred_and_spreads_the_variance():
    centred, whitened = (correlate(*tokens_and_frequency()).steps[i] for i in (1, 3))
    np.testing.assert_allclose(whitened.spearman, centred.spearman, atol=1e-4)
    np.testing.assert_allclose(whitened.share, 1 / 12, rtol=1e-5)


def test_tokens_without_frequency_are_left_out_and_counted():
    x, f = tokens_and_frequency()
    f[::4] = np.nan
    found = correlate(x, f)
    assert found.tokens == 150
    assert found.notes[0] == "50 of 200 tokens have no frequency and are left out."
    np.testing.assert_allclose(
        found.steps[1].pearson, correlate(x[~np.isnan(f)], f[~np.isnan(f)]).steps[1].pearson
    )


def test_fewer_tokens_than_dimensions_leave_out_what_cannot_be_learnt():
    x, f = tokens_and_frequency(tokens=8)
    found = correlate(x, f)
    assert [step.step for step in found.steps] == [PLAIN]
    assert len(found.steps[0].pearson) == 8
    assert [note.partition(" ")[0] for note in found.notes] == list(STEPS)
    assert "learnt from 8 tokens and needs 30" in found.notes[0]
    found = correlate(*tokens_and_frequency(tokens=35, dim=40))
    assert [step.step for step in found.steps] == [PLAIN, "centre", "abtt(d=2)"]
    assert "needs 41" in found.notes[0]


def test_components_without_variance_are_none():
    x, f = tokens_and_frequency(dim=3)
    found = correlate(x, f)
    assert [len(step.pearson) for step in found.steps] == [3, 3, 1, 3]
    for step in found.steps:
        np.testing.assert_allclose(
            step.pearson, scipy_pearson(x, f, step.step)[: len(step.pearson)], atol=1e-5
        )
    found = correlate(*tokens_and_frequency(dim=2))
    assert [step.step for step in found.steps] == [PLAIN, "centre", "whiten"]
    assert found.notes == ("abtt(d=2) leaves no variance.",)


@pytest.mark.parametrize(
    ("x", "f", "what"),
    [
        (tokens_and_frequency()[0], np.full(200, np.nan), "0 of 200 tokens have a frequency"),
        (tokens_and_frequency()[0][:2], tokens_and_frequency()[1][:2], "2 of 2 tokens"),
        (tokens_and_frequency()[0], np.ones(200), "equally frequent"),
        (np.full((50, 4), 0.1, np.float32), np.arange(50.0), "All 50 vectors are equal"),
    ],
)
def test_what_has_no_correlation_says_why(x, f, what):
    with pytest.raises(StrataError, match=what):
        correlate(x, f)


def test_three_tokens_are_enough():
    x, f = tokens_and_frequency(tokens=3)
    np.testing.assert_allclose(correlate(x, f).steps[0].pearson, scipy_pearson(x, f, PLAIN), atol=1e-5)


def test_what_was_found_is_kept(tmp_path):
    x, f = tokens_and_frequency()
    f[0] = np.nan
    first = stored_correlations(Store(tmp_path), ["x"], lambda: x, f)
    again = stored_correlations(Store(tmp_path), ["x"], never, f)
    assert (again.tokens, again.notes) == (first.tokens, first.notes)
    for step, other in zip(first.steps, again.steps, strict=True):
        assert step.step == other.step
        assert step.total == other.total
        np.testing.assert_array_equal(step.spearman, other.spearman)
    different = stored_correlations(Store(tmp_path), ["x"], lambda: x, f**2)
    assert different.steps[0].pearson[0] != first.steps[0].pearson[0]
