"""What a similarity loses without each token, where it is no sum over tokens."""

import numpy as np
import pytest

from core.analysis.why.left_out import left_out
from core.corpora.corpus import Corpus
from core.pipeline.one_text import of_texts
from core.recipe import POOL, SIMILARITY, Recipe
from tests.core.helpers.texts import many


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    """Different sentences."""
    return Corpus.of_texts("texts", many(60))


@pytest.mark.parametrize(
    "choice",
    [
        *("pool=max", "pool=clshead", "post=quantile", "similarity=spearman", 'pool=pmeans(p="1 3 inf")'),
        *("pool=s3e(k=5)", "pool=vlawe(k=5)", "pool=gem(h=5,k=25)", "mix=averaged;pool=max;post=zscore"),
    ],
)
def test_the_whole_sentences_have_the_similarity_of_the_engine(
    choice, shared_engine, bert, corpus, texts_file
):
    recipe = Recipe.parse(f"{bert};reference={texts_file};{choice}")
    vectors = shared_engine.embed(recipe, corpus).vectors
    found = left_out(shared_engine, recipe, corpus, (3, 9))
    value = SIMILARITY.bind(recipe.similarity)(vectors[[3]], vectors[[9]])[0]
    assert found.similarity == pytest.approx(value, abs=3e-6)
    assert len(found.first_effects) == len(found.one.places)
    assert np.isfinite([*found.first_effects, *found.second_effects]).all()
    assert found.reason in choice


def test_a_token_is_left_out_of_pooling(shared_engine, bert, corpus):
    """Under max: the largest values of the other tokens, from the token states themselves."""
    recipe = Recipe.parse(f"{bert};layers=last;pool=max")
    weighted = shared_engine.weighted_states(recipe, corpus)
    u, v = (of_texts(weighted, [i], lambda step: None)[i].batch.states for i in (3, 9))
    cosine = lambda x, y: x @ y / np.linalg.norm(x) / np.linalg.norm(y)  # noqa: E731
    whole = cosine(u.max(axis=0), v.max(axis=0))
    expected = [whole - cosine(np.delete(u, i, axis=0).max(axis=0), v.max(axis=0)) for i in range(len(u))]
    found = left_out(shared_engine, recipe, corpus, (3, 9))
    np.testing.assert_allclose(found.first_effects, expected, atol=1e-6)
    token, effect = found.strongest(1)[0]
    assert token in (*found.one.surface_forms, *found.other.surface_forms)
    assert abs(effect) == pytest.approx(np.abs([*found.first_effects, *found.second_effects]).max())


def test_the_only_token_has_the_whole_similarity(shared_engine, bert):
    corpus = Corpus.of_texts("short", ["a", "the girl"])
    found = left_out(shared_engine, Recipe.parse(f"{bert};tokens=content;pool=max"), corpus, (0, 1))
    assert found.first_effects.tolist() == [found.similarity]
    assert len(found.second_effects) == 2


def test_a_text_without_its_only_weight_counts_its_other_tokens_the_same(shared_engine, bert):
    """As the engine does for a text of these tokens: "the" is in every text, and its idf is 0."""
    texts = [f"the {word}" for word in "cat dog boy man guitar park mat rain".split()]
    recipe = Recipe.parse(f"{bert};layers=static;tokens=content;weight=idf;similarity=euclidean")
    corpus = Corpus.of_texts("the", ["the", *texts])
    the, dog = shared_engine.embed(recipe, corpus).vectors[[0, 2]].astype(float)
    found = left_out(shared_engine, recipe, corpus, (1, 2))
    assert found.one.surface_forms == ("the", "cat")
    without_cat = -np.linalg.norm(the - dog)
    np.testing.assert_allclose(found.first_effects, [0, found.similarity - without_cat], atol=1e-5)


def test_many_tokens_are_pooled_in_several_batches(shared_engine, bert, corpus, monkeypatch):
    recipe = Recipe.parse(f"{bert};pool=max")
    whole = left_out(shared_engine, recipe, corpus, (3, 9))
    monkeypatch.setattr("core.analysis.why.left_out.NUMBERS", 1)
    parts = left_out(shared_engine, recipe, corpus, (3, 9))
    np.testing.assert_array_equal(parts.first_effects, whole.first_effects)
    assert POOL.find(recipe.pool).linear is False
