"""The numbers that come with the installation are those that it computes."""

import numpy as np
import pytest

from components import selection
from components.compare.examples import MIXED
from components.state import DEFAULTS
from core.analysis.comparison import has_matrix
from core.analysis.layers.trajectories import of_sentence
from core.analysis.token_maps.vocabulary import static_space
from core.evaluation.scoring import SIMILARITIES, has_similarities, kept_under, similarities_parts
from core.pipeline.engine import Engine
from core.pipeline.learnt import LEARNT
from core.recipe import Recipe, options
from core.settings import Settings
from core.sources.passes import Passes
from core.storage import tables


@pytest.fixture(scope="module")
def computing(tmp_path_factory, with_lasting_passes) -> Engine:
    """An engine without what came with the installation, that computes it from stored passes."""
    cache = with_lasting_passes(tmp_path_factory.mktemp("computing"), ("passes",))
    return Engine(Settings(cache=cache, shipped=None))


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
    standard = np.random.default_rng(0).normal(size=(5, 384))
    rows = (found.mean_ + standard * found.scale_).astype(np.float32)  # as wide as what was learnt from
    np.testing.assert_allclose(kept.transform(rows), found.transform(rows), atol=1e-3)


def test_learnt_tables_are_only_read(tmp_path):
    engine = Engine(Settings(cache=tmp_path, shipped=None))
    recipe = Recipe.parse("source=random;post=zscore(fit=reference)")
    engine.embed(recipe, engine.corpus("demo"))
    assert not list((tmp_path / "tables").glob(f"{LEARNT.name}-*"))


def test_a_sentence_s_way_through_the_layers_came_with_the_installation_and_is_right(computing, tmp_path):
    shipping, plain = Engine(Settings(cache=tmp_path)), Recipe.parse(DEFAULTS["a"]).as_read()
    kept, found = (of_sentence(each, plain, selection.SENTENCE) for each in (shipping, computing))
    assert len(list((tmp_path / "passes").iterdir())) == 0, "the sentence was read"
    np.testing.assert_allclose(kept.gram, found.gram, rtol=1e-4, atol=1e-4)
    assert kept.layers == found.layers
    texts = [each.tokens.surface_forms(slice(0, len(each.tokens))) for each in (kept, found)]
    assert texts[0] == texts[1]


def test_the_vocabulary_came_with_the_installation_and_is_right(computing, tmp_path, monkeypatch):
    recipe = Recipe.parse(DEFAULTS["a"])
    found = static_space(computing, recipe).vocabulary
    monkeypatch.setattr(Passes, "tokenizer", None)  # no tokenizer is loaded
    kept = static_space(Engine(Settings(cache=tmp_path)), recipe).vocabulary
    assert kept.surface_forms == found.surface_forms
    for name in ("ids", "special", "subword", "upper", "punctuation"):
        np.testing.assert_array_equal(getattr(kept, name), getattr(found, name))


def test_what_came_with_the_installation_is_found_without_packages_of_single_options(tmp_path, monkeypatch):
    """gensim and zuko are extras: what a plain installation lacks must not hide what one arrives on."""
    versions = tables.library_version
    monkeypatch.setattr(
        tables, "library_version", lambda name: "none" if name in ("gensim", "zuko") else versions(name)
    )
    monkeypatch.setattr(options.Option, "installed", property(lambda option: not option.package))
    shipping = Engine(Settings(cache=tmp_path))
    for side in DEFAULTS:
        identity = kept_under(shipping, Recipe.parse(DEFAULTS[side]))
        corpus = shipping.corpus("demo")
        assert has_similarities(shipping, identity.values(), corpus), "python -m benchmarks.arrival --ship"
        assert has_matrix(shipping, identity.values(), MIXED)


def test_the_version_of_an_options_package_is_in_the_keys_of_its_recipes_alone(monkeypatch):
    seen = {}
    for version in ("1", "2"):
        monkeypatch.setattr(options, "library_version", lambda package, now=version: now)
        for text in ("post=flow", "source=doc2vec", "post=zscore"):
            seen.setdefault(text, set()).add(tuple(Recipe.parse(text).keyed().values()))
    assert [len(keys) for keys in seen.values()] == [2, 2, 1]
