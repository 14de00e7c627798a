"""Poolings give exact numbers on states that count from 0, and never write into them."""

import shutil
from dataclasses import replace

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from core.corpora.corpus import Corpus
from core.encoders.head import has_head
from core.errors import RecipeError
from core.recipe import POOL, Recipe
from core.tokens.token_batch import TokenBatch
from tests.core.helpers.reference import one_at_a_time
from tests.core.helpers.texts import many


def batch() -> TokenBatch:
    """Three texts of 3, 2 and 0 tokens; the states are 0 1, 2 3, 4 5, 6 7, 8 9."""
    return TokenBatch(
        states=np.arange(10, dtype=np.float32).reshape(5, 2) * np.array([1, -1], np.float32),
        weights=np.array([1.0, 3, 0, 0, 2]),
        selected=np.array([True, True, False, False, True]),
        cls=np.array([0, 1, -1]),
        offsets=np.array([0, 3, 5, 5]),
        ids=np.array([7, 5, 7, 5, 6]),
        repeats=np.array([1, 2, 1]),
    )


@pytest.mark.parametrize(
    ("pool", "expected"),
    [
        ("mean", [[1.5, -2.5], [8, -9], [0, 0]]),  # (0 + 3·2) / 4
        ("sum", [[6, -10], [16, -18], [0, 0]]),
        ("max", [[2, -1], [8, -9], [0, 0]]),  # of the selected alone, below 0 as well
        ("cls", [[0, -1], [8, -9], [0, 0]]),
        ("clsmean", [[0.75, -1.75], [8, -9], [0, 0]]),
        ("lasttoken", [[2, -3], [8, -9], [0, 0]]),  # of the selected ones
    ],
)
def test_a_pooling_by_hand(pool, expected):
    pooled = POOL.bind(POOL.parse(pool))(batch())
    assert pooled.dtype == np.float32
    np.testing.assert_allclose(pooled, expected, atol=1e-6)


@pytest.mark.filterwarnings("ignore:The given NumPy array is not writable")
@pytest.mark.parametrize("pool", [option.name for option in POOL if not option.learns])
def test_states_are_left_as_they_are(pool):
    given, before = batch(), batch()
    given.states.flags.writeable = False
    pooled = POOL.bind(POOL.parse(pool))(given)
    for name in ("states", "weights", "selected", "offsets", "cls", "ids", "repeats"):
        np.testing.assert_array_equal(getattr(given, name), getattr(before, name))
    assert not np.shares_memory(pooled, given.states)


@pytest.mark.parametrize("pool", [option.name for option in POOL if option.linear])
def test_a_pooling_that_says_it_is_linear_commutes_with_averaging_layers(pool):
    pooling, a = POOL.bind(POOL.parse(pool)), batch()
    other = np.sin(np.arange(10, dtype=np.float32)).reshape(5, 2)
    b, middle = (replace(a, states=states) for states in (other, (a.states + other) / 2))
    np.testing.assert_allclose(pooling(middle), (pooling(a) + pooling(b)) / 2, atol=1e-6)


@pytest.mark.parametrize(("family", "place"), [("bert", 0), ("roberta", 0), ("xlnet", -1)])
def test_the_classification_token_is_where_the_model_puts_it(family, place, model, engine):
    texts = [*many(4), "dog " * 200]
    recipe = Recipe.parse(f"source={model(family)};layers=last;pool=cls")
    vectors = engine.embed(recipe, Corpus.of_texts("t", texts)).vectors
    expected = [sentence.hidden[-1][place] for sentence in one_at_a_time(model(family), texts)]
    np.testing.assert_allclose(vectors, expected, atol=1e-5)


@pytest.mark.parametrize("prefix", ["", "bert."])
def test_the_head_is_the_dense_layer_and_tanh_that_the_checkpoint_holds(prefix, model, engine, tmp_path):
    folder, texts = tmp_path / "simcse", [*many(4), ""]
    shutil.copytree(model("bert"), folder)
    held = load_file(folder / "model.safetensors")
    generator = torch.Generator().manual_seed(3)
    dim = held["pooler.dense.bias"].shape[0]
    held["pooler.dense.weight"] = torch.randn(dim, dim, generator=generator)
    held["pooler.dense.bias"] = torch.randn(dim, generator=generator)
    save_file(
        {prefix + name: part for name, part in held.items()}, folder / "model.safetensors", {"format": "pt"}
    )
    recipe = Recipe.parse(f"source={folder};layers=last;pool=clshead")
    assert has_head(engine.source(recipe).location)
    corpus = Corpus.of_texts("t", texts)
    vectors = engine.embed(recipe, corpus).vectors
    layer = torch.nn.Linear(dim, dim)
    layer.load_state_dict({part: held[f"pooler.dense.{part}"] for part in ("weight", "bias")})
    states = torch.tensor(engine.embed(recipe.replace(pool="cls"), corpus).vectors)
    with torch.inference_mode():
        np.testing.assert_allclose(vectors, torch.tanh(layer(states)).numpy(), atol=1e-5)


@pytest.mark.parametrize("source", ["xlnet", "random"])
def test_without_a_trained_layer_the_head_is_refused(source, model, engine):
    named = model(source) if source == "xlnet" else source
    found = engine.source(Recipe.parse(f"source={named}"))
    assert not (found.is_model and has_head(found.location))
    with pytest.raises(RecipeError, match="holds no trained layer behind"):
        engine.embed(Recipe.parse(f"source={named};pool=clshead"), Corpus.of_texts("t", many(3)))


def test_the_last_token_is_the_last_that_a_decoder_reads(model, engine):
    texts = many(4)
    recipe = Recipe.parse(f"source={model('llama')};layers=last;pool=lasttoken")
    vectors = engine.embed(recipe, Corpus.of_texts("t", texts)).vectors
    expected = [sentence.hidden[-1][-1] for sentence in one_at_a_time(model("llama"), texts)]
    np.testing.assert_allclose(vectors, expected, atol=1e-5)


@pytest.mark.parametrize("family", ["gpt2", "llama"])
def test_a_decoder_has_no_classification_token(family, model, engine):
    with pytest.raises(RecipeError, match="adds no classification token; take mean, sum or max"):
        engine.embed(Recipe.parse(f"source={model(family)};pool=cls"), Corpus.of_texts("t", many(3)))
