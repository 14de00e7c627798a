"""The numbers that come with the installation are those that it computes."""

import numpy as np
import pytest

from components.state import DEFAULTS
from core.evaluation.scoring import SIMILARITIES, kept_under, similarities_parts
from core.pipeline.engine import Engine
from core.pipeline.learnt import LEARNT
from core.recipe import Recipe
from core.settings import Settings


@pytest.fixture(scope="module")
def computing(tmp_path_factory) -> Engine:
    """An engine without what came with the installation."""
    return Engine(Settings(cache=tmp_path_factory.mktemp("computing"), shipped=None))


@pytest.mark.parametrize("side", DEFAULTS)
def test_shipped_similarities_are_the_computed_ones(computing, tmp_path, side):
    recipe, shipping = Recipe.parse(DEFAULTS[side]), Engine(Settings(cache=tmp_path))
    corpus = computing.corpus("demo")
    parts = similarities_parts(kept_under(shipping, recipe).values(), corpus)
    kept = shipping.store.find_table(SIMILARITIES, parts)
    assert kept is not None, "python -m benchmarks.arrival --ship"
    found, embedded = computing.similarities(recipe, corpus)
    np.testing.assert_allclose(kept["similarities"], found, atol=1e-4)
    assert kept["notes"].tolist() == list(embedded.notes)


def test_what_a_step_learnt_came_with_the_installation_and_is_right(computing, tmp_path):
    recipe, shipping = Recipe.parse(DEFAULTS["b"]), Engine(Settings(cache=tmp_path))
    corpus = computing.corpus("demo")
    (kept,), (found,) = (each.fitted_steps(recipe, corpus) for each in (shipping, computing))
    assert len(list((tmp_path / "passes").iterdir())) == 0, "the reference was read"
    np.testing.assert_allclose(kept.mean_, found.mean_, atol=1e-5)
    np.testing.assert_allclose(kept.scale_, found.scale_, atol=1e-5)
    rows = np.random.default_rng(0).normal(size=(5, 384)).astype(np.float32)
    np.testing.assert_allclose(kept.transform(rows), found.transform(rows), atol=1e-3)


def test_learnt_tables_are_only_read(tmp_path):
    engine = Engine(Settings(cache=tmp_path, shipped=None))
    recipe = Recipe.parse("source=random;post=zscore(fit=reference)")
    engine.embed(recipe, engine.corpus("demo"))
    assert not list((tmp_path / "tables").glob(f"{LEARNT.name}-*"))
