"""The similarity of two sentences as a sum over pairs of tokens."""

import numpy as np
import pytest

from core.analysis.why import AFFINE, POOLINGS, SCALING, SIMILARITIES, Contributions, contributions, refuse
from core.corpora.corpus import Corpus
from core.errors import RecipeError, TooFewSentencesError
from core.recipe import MIX, POOL, POST, SIMILARITY, Recipe
from tests.core.helpers.texts import many

TEXTS = [*many(60), "a", "The boy falls and sings in the park, again and again, with a guitar."]
PAIRS = ((0, 1), (5, 61), (60, 61), (7, 7))

RECIPES = (
    "layers=last",
    "layers=0+last;weight=idf;tokens=content",
    "layers=static;weight=sif;post=ccr",
    "layers=all;pool=sum;weight=idf",
    "pool=sum;post=centre",
    "pool=sum;weight=norm;post=zscore+normalize+abtt(d=1)",
    "post=centre",
    "weight=idf;post=zscore",
    "post=robust",
    "post=abtt(d=3)",
    "post=pccr",
    "post=whiten(k=8)",
    "post=whiten(k=8,beta=0.5,gamma=0.7)",
    "post=normalize",
    "post=normalize+zscore+normalize",
    "post=abtt+zscore",
    "layers=wk(start=0);weight=variance",
    "weight=ditto(layer=1,head=1)",
    "similarity=dot",
    "similarity=dot;pool=sum;weight=idf;post=zscore",
)


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    """Different sentences, of one token and of many."""
    return Corpus.of_texts("texts", TEXTS)


@pytest.mark.parametrize("recipe", RECIPES)
def test_the_contributions_sum_to_the_similarity_of_the_engine(shared_engine, bert, corpus, recipe):
    recipe = Recipe.parse(f"{bert};{recipe}")
    vectors = shared_engine.embed(recipe, corpus).vectors
    for pair in PAIRS:
        i, j = pair
        value = SIMILARITY.bind(recipe.similarity)(vectors[[i]], vectors[[j]])[0]
        summed = contributions(shared_engine, recipe, corpus, pair).similarity
        relative = 0 if recipe.similarity.name == "cosine" else 1e-5
        assert summed == pytest.approx(value, rel=relative, abs=1e-6)


def test_they_sum_to_the_cosine_on_the_bundled_encoder(shared_engine):
    texts = ["He is allergic to peanuts.", "Peanuts make him ill.", *many(40)]
    corpus = Corpus.of_texts("texts", texts)
    for text in ("layers=last", "weight=idf;post=zscore"):
        recipe = Recipe.parse(text)
        vectors = shared_engine.embed(recipe, corpus).vectors
        cosine = SIMILARITY.bind(recipe.similarity)(vectors[[0]], vectors[[1]])[0]
        summed = contributions(shared_engine, recipe, corpus, (0, 1))
        assert summed.similarity == pytest.approx(cosine, abs=1e-6)
        assert ("peanuts", "peanuts") in [(one, other) for one, other, _ in summed.strongest(3)]


def test_each_contribution_is_what_its_two_tokens_have(shared_engine, bert, corpus):
    """Under a mean of one layer: w_i w_j ⟨t_i, t_j⟩ / (|u| |v|), from the token states themselves."""
    recipe = Recipe.parse(f"{bert};layers=1")
    weighted = shared_engine.weighted_states(recipe, corpus)
    found = contributions(shared_engine, recipe, corpus, (3, 9))
    (u, _), (v, _) = (weighted.of_text(i, lambda step: None) for i in (3, 9))
    for i, one in enumerate(u.astype(float)):
        for j, other in enumerate(v.astype(float)):
            expected = one @ other / len(u) / len(v)
            expected /= np.linalg.norm(u.mean(axis=0)) * np.linalg.norm(v.mean(axis=0))
            assert found.values[i, j] == pytest.approx(expected, abs=1e-6)
    assert found.first[0] == "[CLS]"
    assert (len(found.first), len(found.second)) == found.values.shape


def test_a_pair_the_other_way_round_is_the_transpose(shared_engine, bert, corpus):
    recipe = Recipe.parse(f"{bert};weight=idf;post=zscore")
    one, other = (contributions(shared_engine, recipe, corpus, pair) for pair in ((2, 8), (8, 2)))
    np.testing.assert_allclose(one.values, other.values.T, atol=1e-12)
    assert (one.first, one.second) == (other.second, other.first)


def test_tokens_without_weight_have_no_row(shared_engine, bert, corpus):
    recipe = Recipe.parse(f"{bert};layers=last;tokens=content")
    found = contributions(shared_engine, recipe, corpus, (0, 1))
    assert "[CLS]" not in found.first
    assert "[SEP]" not in found.second


def test_the_strongest_are_the_largest_to_either_side_of_0():
    found = Contributions(("a", "b"), ("c", "d"), np.array([[0.1, -0.4], [0.3, 0.0]]))
    assert found.strongest(3) == [("a", "d", -0.4), ("b", "c", 0.3), ("a", "c", 0.1)]
    assert found.strongest(99)[-1] == ("b", "d", 0.0)
    assert found.similarity == pytest.approx(0)


@pytest.mark.parametrize(
    ("recipe", "says"),
    [
        ("pool=max", "Under pool=max"),
        ("pool=cls", "pool=mean or sum"),
        ("post=quantile", "Under post=quantile"),
        ("post=zscore+quantile", "Under post=quantile"),
        ("similarity=euclidean", "similarity=cosine or dot"),
        ("similarity=spearman", "Under similarity=spearman"),
        ("mix=averaged(w=0.5)", "Under mix=averaged"),
    ],
)
def test_recipes_that_do_not_decompose_are_refused(shared_engine, corpus, recipe, says):
    with pytest.raises(RecipeError, match="no sum over pairs of tokens") as error:
        contributions(shared_engine, Recipe.parse(recipe), corpus, (0, 1))
    assert says in str(error.value)


def test_a_step_that_learns_from_too_few_sentences_is_refused(shared_engine, bert):
    corpus = Corpus.of_texts("two", TEXTS[:2])
    with pytest.raises(TooFewSentencesError):
        contributions(shared_engine, Recipe.parse(f"{bert};post=zscore"), corpus, (0, 1))


def test_every_option_is_known_to_decompose_or_not():
    """A new option is refused until it is listed; those listed exist."""
    assert set(POOLINGS) < set(POOL.options)
    assert {*AFFINE, *SCALING} < set(POST.options)
    assert set(SIMILARITIES) < set(SIMILARITY.options)
    assert "none" in MIX.options
    for pool in set(POOL.options) - set(POOLINGS):
        if not any(argument.required for argument in POOL.options[pool].arguments.values()):
            with pytest.raises(RecipeError):
                refuse(Recipe.parse(f"pool={pool}"))
