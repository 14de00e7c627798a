"""The attention of one sentence: as the model gives it, in papers' numbers, and at its edges."""

import numpy as np
import pytest
import torch
from transformers import AutoModel, AutoTokenizer

from core.analysis.heads import attention as attention_module
from core.analysis.heads.attention import attention, coarse, heaviest
from core.corpora.corpus import Corpus
from core.encoders.output import Output
from core.errors import CorpusError, RecipeError
from core.recipe import Recipe
from tests.core.helpers.texts import ODD, many
from tests.core.helpers.tiny import DEPTH, HEADS, LIMIT

TEXT = "The white dog ran in the park."


def asked(folder) -> Recipe:
    return Recipe.parse(f"source={folder}")


@pytest.mark.parametrize("family", ["bert", "roberta", "electra", "distilbert", "gpt2", "llama", "xlnet"])
def test_attention_is_what_the_model_gives(model, engine, family):
    folder = model(family)
    found = attention(engine, asked(folder), TEXT)
    tokenizer = AutoTokenizer.from_pretrained(str(folder))
    theirs = AutoModel.from_pretrained(str(folder), attn_implementation="eager").eval()
    with torch.inference_mode():
        out = theirs(**tokenizer(TEXT, return_tensors="pt"), output_attentions=True)
    assert found.weights.shape[:2] == (DEPTH, HEADS) == (found.depth, found.heads)
    for layer, expected in enumerate(out.attentions):
        np.testing.assert_allclose(found.weights[layer], expected[0].numpy(), atol=1e-6)
    np.testing.assert_allclose(found.weights.sum(axis=-1), 1, atol=1e-5)
    for layer in range(DEPTH):
        for head in range(HEADS):
            for token in range(len(found.surface_forms)):
                expected = out.attentions[layer][0, head, token, token]
                assert found.diagonals[layer, head, token] == pytest.approx(float(expected), abs=1e-6)
    np.testing.assert_array_equal(found.of(2, 3), found.weights[1, 2])


def test_diagonals_are_those_of_the_stored_pass(model, engine):
    recipe = asked(model("bert"))
    found = attention(engine, recipe, TEXT)
    stored, _ = engine.passes.get(engine.source(recipe), Corpus.of_texts("one", [TEXT, *many(5)]))
    kept = stored.diagonals(stored.tokens.span(0))
    np.testing.assert_allclose(found.diagonals, kept.transpose(1, 2, 0), atol=1e-6)


def test_the_template_is_read_along(model, engine):
    found = attention(engine, asked(model("bert")).replace(template="T0"), "dog sat")
    assert "[MASK]" in found.surface_forms
    assert [text for text, own in zip(found.surface_forms, found.own, strict=True) if own] == ["dog", "sat"]


def test_special_tokens_are_not_the_sentences_own(model, engine):
    found = attention(engine, asked(model("bert")), "dog")
    assert found.surface_forms == ("[CLS]", "dog", "[SEP]")
    assert found.own.tolist() == [False, True, False]
    assert not found.truncated


def test_a_sentence_beyond_the_models_limit_is_cut_and_says_so(model, engine):
    found = attention(engine, asked(model("bert")), ODD["very long"])
    assert len(found.surface_forms) == LIMIT
    assert found.truncated


@pytest.mark.parametrize("name", [name for name in ODD if name != "very long"])
@pytest.mark.parametrize("family", ["bert", "roberta"])
def test_odd_sentences_have_attention(model, engine, family, name):
    found = attention(engine, asked(model(family)), ODD[name])
    np.testing.assert_allclose(found.weights.sum(axis=-1), 1, atol=1e-5)


def test_a_sentence_without_tokens_is_refused(model, engine):
    with pytest.raises(CorpusError, match="makes no token of this sentence"):
        attention(engine, asked(model("gpt2")), "")


@pytest.mark.parametrize("source", ["random", "averaged"])
def test_token_vectors_without_context_have_no_heads(engine, source):
    with pytest.raises(RecipeError, match="have no attention heads; take a model"):
        attention(engine, Recipe.parse(f"source={source}"), TEXT)


def test_a_model_that_does_not_give_its_attention_is_refused(model, engine, monkeypatch):
    monkeypatch.setattr(Output, "every_attention", lambda _: None)
    with pytest.raises(RecipeError, match="does not give its attention"):
        attention(engine, asked(model("bert")), TEXT)


def test_matrices_that_would_not_fit_are_refused_before_they_are_made(model, engine, monkeypatch):
    monkeypatch.setattr(attention_module, "LARGEST_BYTES", 4 * DEPTH * HEADS * 5**2)
    attention(engine, asked(model("bert")), "dog sat on")
    with pytest.raises(CorpusError, match=r"has 6 tokens; .* shown for 5 at most"):
        attention(engine, asked(model("bert")), "dog sat on mat")


def test_the_heaviest_come_first_and_zero_weighs_nothing():
    assert heaviest(np.array([0.1, 0.5, 0.0, 0.5, 0.2]), 3) == [1, 3, 4]
    assert heaviest(np.array([0.0, 0.3, 0.0])) == [1]
    assert heaviest(np.zeros(0)) == []


@pytest.mark.parametrize(
    ("tokens", "most", "size"), [(5, 5, 1), (5, 4, 2), (7, 2, 4), (9, 3, 3), (1, 1, 1)]
)
def test_blocks_hold_their_largest_weight(tokens, most, size):
    weights = np.random.default_rng(1).uniform(size=(2, 3, tokens, tokens))
    made, found = coarse(weights, most)
    assert found == size
    side = -(-tokens // size)
    assert made.shape == (2, 3, side, side)
    assert side <= most
    for i in range(side):
        for j in range(side):
            block = weights[:, :, i * size : (i + 1) * size, j * size : (j + 1) * size]
            np.testing.assert_array_equal(made[:, :, i, j], block.max(axis=(2, 3)))


@pytest.mark.parametrize("offset", [-2, -1, 1])
def test_attention_to_a_neighbour_is_the_mean_over_tokens_that_have_one(model, engine, offset):
    found = attention(engine, asked(model("bert")), TEXT)
    count = found.weights.shape[-1]
    expected = [
        [np.mean([head[t, t + offset] for t in range(count) if 0 <= t + offset < count]) for head in layer]
        for layer in found.weights
    ]
    np.testing.assert_allclose(found.beside(offset), expected, rtol=1e-6)
    assert np.isnan(found.beside(count)).all()
