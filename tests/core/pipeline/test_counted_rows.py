"""What a recipe learns from some rows of a corpus is learnt from these rows alone."""

import numpy as np
import pytest

from core.corpora.corpus import Corpus
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.settings import Settings
from tests.core.helpers.texts import many

PLAIN = Recipe.parse("source=random(dim=8)")


@pytest.fixture
def engine(tmp_path):
    return Engine(Settings(cache=tmp_path))


def test_a_step_is_learnt_anew_for_other_rows(engine):
    corpus = Corpus.of_labelled("t", many(80), ["a", "b"] * 40)
    vectors = engine.embed(PLAIN, corpus).vectors
    for rows in (np.arange(80), np.arange(40), np.arange(20, 80)):
        (step,) = engine.fitted_steps(PLAIN.replace(post="zscore"), corpus.counted_in(rows))
        np.testing.assert_allclose(step.mean_, vectors[rows].mean(axis=0), atol=1e-5)
        np.testing.assert_allclose(step.scale_, vectors[rows].std(axis=0), atol=1e-5)


def test_document_frequencies_are_those_of_the_rows(engine):
    corpus = Corpus.of_labelled("t", many(40), ["a", "b"] * 20)
    recipe = PLAIN.replace(weight="idf")
    for rows in (np.arange(20), np.arange(40)):
        own = Corpus.of_texts("own", [corpus.sentences[i] for i in rows])
        found = engine.embed(recipe, corpus.counted_in(rows)).vectors[rows]
        np.testing.assert_allclose(found, engine.embed(recipe, own).vectors, atol=1e-6)
