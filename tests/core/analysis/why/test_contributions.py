"""The similarity of two sentences as a sum over pairs of tokens."""

from dataclasses import replace

import numpy as np
import pytest

from core.analysis.why.contributions import Contributions, TokenPlaces, change, contributions, spread
from core.analysis.why.parts import pooling_coefficients, undecomposed
from core.corpora.corpus import Corpus
from core.errors import RecipeError, TooFewSentencesError
from core.pipeline.one_text import of_texts
from core.recipe import POOL, POST, SIMILARITY, Recipe
from core.recipe.options import Choice
from tests.core.helpers.examples import choices, stage_choices
from tests.core.helpers.texts import ODD, many
from tests.core.helpers.token_batches import random_batch

TEXTS = [*many(60), "a", "The boy falls and sings in the park, again and again, with a guitar."]
PAIRS = ((0, 1), (5, 61), (60, 61), (7, 7))

RECIPES = (
    "layers=0+last;weight=idf;tokens=content;post=ccr+normalize",
    "layers=all;pool=sum;weight=idf",
    "pool=sum;weight=norm;post=zscore+normalize+abtt(d=1)",
    "post=whiten(k=8,beta=0.5,gamma=0.7)",
    "post=normalize+zscore+normalize",
    "layers=wk(start=0);weight=variance",
    "pool=dct(k=3);post=zscore",
    "pool=clsmean;weight=idf;post=centre",
    "template=T0;tokens=mask;post=centre",
    "similarity=dot;pool=sum;weight=idf;post=zscore",
    "mix=averaged(w=0.3);layers=1+last;weight=idf;post=whiten(k=8)+normalize",
    "source=averaged(model=BERT);pool=mean;post=abtt",
    "source=random(dim=16);weight=sif(over=weights);post=pccr",
)
"""Steps together; each by itself is taken from the registry."""


MAGNIFYING = ("gamma=2", "source=averaged")
"""Where the float32 vectors of the engine have a rounding of more than 1e-6, whitened twice, or far shorter
than the mean that was subtracted from them: there the sum is compared with vectors in float64 too."""


def linear_choices() -> list[str]:
    """Every option of the registry, with both ends of its arguments, under which similarities are sums."""
    left_out = ("VECTORS", "doc2vec", "4096")
    return [
        choice
        for choice in stage_choices()
        if not choice.startswith(("template=", "reference="))
        and not any(name in choice for name in left_out)
        and not undecomposed(Recipe.parse(choice))
    ]


def in_float64(engine, recipe, corpus, pair) -> np.ndarray:
    """Means of token states by the engine's float32 shares, and post-processing, in double precision."""
    weighted = engine.weighted_states(recipe, corpus)
    texts = [of_texts(weighted, [text], lambda step: None)[text] for text in pair]
    shares = [each.batch.shares().astype(np.float32).astype(np.float64) for each in texts]
    states = [each.layers.astype(np.float64).mean(axis=0) for each in texts]
    rows = np.array([share @ each for share, each in zip(shares, states, strict=True)])
    for step in engine.fitted_steps(recipe, corpus):
        rows = step.transform(rows)
    return rows


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    """Different sentences, of one token and of many."""
    return Corpus.of_texts("texts", [*TEXTS, *ODD.values()])


@pytest.mark.parametrize("choice", [*RECIPES, *linear_choices()])
def test_the_contributions_sum_to_the_similarity_of_the_engine(
    choice, shared_engine, model, bert, corpus, texts_file
):
    template = ";template=T0" if choice in ("tokens=mask", "tokens=nomask") else ""
    source = "" if choice.startswith("source=") else f"{bert};"
    choice = choice.replace("BERT", str(model("bert")))
    recipe = Recipe.parse(f"{source}reference={texts_file};{choice}{template}")
    vectors = shared_engine.embed(recipe, corpus).vectors
    magnifies = any(part in choice for part in MAGNIFYING)
    for pair in ((0, 1), (5, 61), (7, 7)):
        i, j = pair
        value = SIMILARITY.bind(recipe.similarity)(vectors[[i]], vectors[[j]])[0]
        found = contributions(shared_engine, recipe, corpus, pair)
        relative = 0 if recipe.similarity.name == "cosine" else 1e-5
        if magnifies:
            assert found.similarity == pytest.approx(value, rel=relative, abs=1e-5)
            exact = in_float64(shared_engine, recipe, corpus, pair)
            value = SIMILARITY.bind(recipe.similarity)(exact[:1], exact[1:])[0]
        assert found.similarity == pytest.approx(value, rel=relative, abs=1e-6)
        if found.by_layer is not None:
            assert found.by_layer.shape == (len(found.layers),) * 2
            assert found.by_layer.sum() == pytest.approx(value, rel=relative, abs=1e-6)


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
    u, v = (of_texts(weighted, [i], lambda step: None)[i].batch.states for i in (3, 9))
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


def test_layers_contribute_what_their_means_have(shared_engine, bert, corpus):
    """Under the mean of layers 1 and 3: ⟨m_k, m_l⟩ / 4 over the lengths, from vectors of single layers."""
    found = contributions(shared_engine, Recipe.parse(f"{bert};layers=1+3"), corpus, (3, 9))
    whole = shared_engine.embed(Recipe.parse(f"{bert};layers=1+3"), corpus).vectors.astype(float)
    single = [
        shared_engine.embed(Recipe.parse(f"{bert};layers={layer}"), corpus).vectors.astype(float)
        for layer in (1, 3)
    ]
    lengths = np.linalg.norm(whole[3]) * np.linalg.norm(whole[9])
    expected = [[one[3] @ other[9] / 4 / lengths for other in single] for one in single]
    assert found.layers == (1, 3)
    np.testing.assert_allclose(found.by_layer, expected, atol=1e-6)
    assert found.cross_terms == pytest.approx(expected[0][1] + expected[1][0], abs=1e-6)


def test_constants_are_given_out_by_the_weights(shared_engine, bert, corpus):
    """Under z-score and the mean, a token's part is w_i (x_i - μ) / σ, since weights sum to 1."""
    recipe = Recipe.parse(f"{bert};layers=last;weight=idf;post=zscore")
    pooled = (
        shared_engine.embed(recipe.replace(post="none"), corpus).vectors[corpus.positions].astype(float)
    )
    z = lambda x: (x - pooled.mean(axis=0)) / pooled.std(axis=0)  # noqa: E731
    weighted = shared_engine.weighted_states(recipe, corpus)
    texts = [of_texts(weighted, [i], lambda step: None)[i] for i in (3, 9)]
    u, v = ((t.batch.weights / t.batch.weights.sum())[:, None] * z(t.batch.states) for t in texts)
    expected = u @ v.T / np.linalg.norm(u.sum(axis=0)) / np.linalg.norm(v.sum(axis=0))
    found = contributions(shared_engine, recipe, corpus, (3, 9))
    np.testing.assert_allclose(
        found.values, expected[np.ix_(found.one.places, found.other.places)], atol=1e-5
    )


def named(first: str, second: str, values) -> Contributions:
    """Contributions of tokens that all have a part."""
    one, other = (TokenPlaces((*forms,), tuple(range(len(forms)))) for forms in (first, second))
    return Contributions(one, other, np.array(values))


def test_the_strongest_are_the_largest_to_either_side_of_0():
    found = named("ab", "cd", [[0.1, -0.4], [0.3, 0.0]])
    assert found.strongest(3) == [("a", "d", -0.4), ("b", "c", 0.3), ("a", "c", 0.1)]
    assert found.strongest(99)[-1] == ("b", "d", 0.0)
    assert found.similarity == pytest.approx(0)
    assert found.cross_terms == 0


def test_a_change_counts_a_token_that_one_recipe_leaves_out_as_0():
    before = named("abc", "d", [[0.1], [0.2], [0.3]])
    after = Contributions(TokenPlaces(("a", "b", "c"), (1,)), before.other, np.array([[0.7]]))
    found = change(before, after)
    assert found.first == ("a", "b", "c")
    np.testing.assert_allclose(found.values, [[-0.1], [0.5], [-0.3]])
    assert change(before, named("ab", "d", [[1.0], [2.0]])) is None
    np.testing.assert_array_equal(spread(after, found).values, [[np.nan], [0.7], [np.nan]])


@pytest.mark.parametrize(
    "option", ["pool=max", "pool=clshead", "post=quantile", "similarity=euclidean", "similarity=spearman"]
)
def test_recipes_that_do_not_decompose_are_refused(shared_engine, corpus, option):
    recipe = Recipe.parse(option if option.startswith("post") else f"{option};post=zscore")
    with pytest.raises(RecipeError, match="no sum over pairs of tokens") as error:
        contributions(shared_engine, recipe, corpus, (0, 1))
    assert f"Under {option} " in str(error.value)


def test_a_step_that_learns_from_too_few_sentences_is_refused(shared_engine, bert):
    corpus = Corpus.of_texts("two", TEXTS[:2])
    with pytest.raises(TooFewSentencesError):
        contributions(shared_engine, Recipe.parse(f"{bert};post=zscore"), corpus, (0, 1))


# -- what the registry says of its options is so


UNTRAINED = [c for c in choices(POOL) if not (POOL.find(c).learns or POOL.find(c).head)]


@pytest.mark.parametrize("choice", UNTRAINED, ids=POOL.text)
def test_a_pooling_is_linear_where_the_registry_says_so(choice):
    """Then it multiplies states by coefficients; the others do not."""
    several = random_batch(seed=3, texts=8)
    batch = replace(several.text(int(np.argmax(several.lengths))), cls=np.zeros(1, int))
    pool = POOL.bind(choice)
    pooled = pool(batch)[0]
    blocks = pooled.size // batch.states.shape[1]
    coefficients = pooling_coefficients(pool, batch)
    linear = coefficients.shape[0] == blocks and np.allclose(
        (coefficients @ batch.states).ravel(), pooled, atol=1e-5
    )
    assert linear == POOL.find(choice).linear


@pytest.mark.parametrize(
    "choice", [c for c in choices(POST) if c.name != "flow"], ids=lambda c: str(c.name)
)
def test_a_step_is_affine_or_scaling_where_the_registry_says_so(choice):
    generator = np.random.default_rng(0)
    rows = generator.normal(size=(60, 6)) * [1, 2, 3, 1, 2, 3] + 1
    step = POST.bind(choice)()
    step.fit(rows)
    u, v = generator.normal(size=(2, 1, 6)) * 3
    mixed = 0.3 * step.transform(u) + 0.7 * step.transform(v)
    affine = np.allclose(step.transform(0.3 * u + 0.7 * v), mixed, atol=1e-8)
    assert affine == POST.find(choice).affine
    scaled = step.transform(u)
    scaling = scaled.shape == u.shape and np.allclose(
        scaled * (u**2).sum(), u * (scaled * u).sum(), atol=1e-8
    )
    assert scaling == POST.find(choice).scaling or not scaled.any()


@pytest.mark.parametrize("option", SIMILARITY.options)
def test_a_similarity_is_bilinear_where_the_registry_says_so(option):
    u, v, w = np.random.default_rng(0).normal(size=(3, 1, 6))
    compare = SIMILARITY.bind(Choice(option))
    squared = [
        (
            compare(x, y)[0] ** 2 * (x @ x.T) * (y @ y.T),
            (x @ y.T) ** 2 * compare(x, x)[0] * compare(y, y)[0],
        )
        for x, y in ((u, v), (v, w))
    ]
    assert np.allclose(*zip(*squared, strict=True)) == SIMILARITY.find(Choice(option)).bilinear
