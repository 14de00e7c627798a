"""The engine gives what sentence-transformers gives, and what the models give one sentence at a time."""

import numpy as np
import pytest
import torch
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.modules import Pooling, Transformer

from core.corpora.corpus import Corpus
from core.encoders.models import locate
from core.recipe import Recipe
from core.stages.similarity import cosine
from core.storage.store import Store
from tests.core.helpers.batches import bounded
from tests.core.helpers.reference import one_at_a_time
from tests.core.helpers.texts import many
from tests.core.helpers.tiny import DEPTH, FAMILIES, HEADS, LIMIT

TEXTS = [*many(12), "a", "dog run " * 60, "Two dogs; a cat, and a boy!"]


@pytest.fixture(scope="module")
def theirs(tmp_path_factory) -> SentenceTransformer:
    """The bundled encoder with mean pooling and no normalisation, by sentence-transformers."""
    folder = locate("bundled", Store(tmp_path_factory.mktemp("digests")).digest).folder
    words = Transformer(str(folder), max_seq_length=256)
    return SentenceTransformer(modules=[words, Pooling(384, pooling_mode="mean")], device="cpu")


@pytest.mark.parametrize(("batch", "tokens", "seed"), [(1, 300, None), (16, 1024, 0)])
def test_the_mean_of_the_last_layer_is_that_of_sentence_transformers(
    theirs, shared_engine, monkeypatch, batch, tokens, seed
):
    texts = [*many(16), "word " * 10_000, "", "🎸", "Ünïcödé text – “quoted”"]
    if seed is not None:
        np.random.default_rng(seed).shuffle(texts)
    bounded(monkeypatch, tokens=tokens)

    ours = shared_engine.embed(Recipe.parse("layers=last"), Corpus.of_texts("t", texts))

    expected = theirs.encode(texts, batch_size=batch, convert_to_numpy=True)
    assert np.abs(ours.vectors - expected).max() < 1e-5
    assert ours.notes == ("1 of 20 sentences is longer than 256 tokens and cut there.",)


@pytest.mark.parametrize("family", FAMILIES)
def test_every_layer_is_that_of_one_sentence_at_a_time(family, model, engine):
    folder = model(family)
    expected = one_at_a_time(folder, TEXTS)
    corpus = Corpus.of_texts("t", TEXTS)

    for layer in range(DEPTH + 1):
        recipe = Recipe.parse(f"source={folder};layers={layer}")
        means = np.stack([sentence.hidden[layer].mean(axis=0) for sentence in expected])
        assert np.abs(engine.embed(recipe, corpus).vectors - means).max() < 1e-5

    static = engine.embed(Recipe.parse(f"source={folder};layers=static"), corpus).vectors
    rows = np.stack([sentence.rows.mean(axis=0) for sentence in expected])
    assert np.abs(static - rows).max() < 1e-6


@pytest.mark.parametrize("family", FAMILIES)
def test_kept_attention_is_the_diagonal_of_each_head(family, model, engine):
    expected = one_at_a_time(model(family), TEXTS)
    source = engine.passes.source(Recipe.parse(f"source={model(family)}").source)

    found, _ = engine.passes.get(source, Corpus.of_texts("t", TEXTS))

    for i, sentence in enumerate(expected):
        diagonals = found.diagonals(found.tokens.span(i))
        assert diagonals.shape == (len(sentence.rows), DEPTH, HEADS)
        assert np.abs(diagonals - sentence.diagonals).max() < 1e-5


@pytest.mark.parametrize("family", FAMILIES)
def test_company_padding_and_order_change_nothing(family, model, engine, monkeypatch):
    recipe = Recipe.parse(f"source={model(family)};layers=all")
    together = engine.embed(recipe, Corpus.of_texts("t", TEXTS)).vectors
    scale = np.abs(together).max()

    alone = np.vstack([engine.embed(recipe, Corpus.of_texts("t", [text])).vectors for text in TEXTS])
    bounded(monkeypatch, tokens=4 * LIMIT)
    backwards = engine.embed(recipe, Corpus.of_texts("t", TEXTS[::-1])).vectors[::-1]

    for other in (alone, backwards):
        assert np.abs(other - together).max() < 2e-6 * scale
        assert np.abs(cosine(other, together) - 1).max() < 1e-6


def test_the_model_is_left_as_it_was(model, engine):
    """No dropout, no gradients, and the same numbers the second time."""
    source = engine.passes.source(Recipe.parse(f"source={model('bert')}").source)
    made = engine.passes.encoder(source)
    before = {name: value.clone() for name, value in made.model.state_dict().items()}

    first, second = (list(made.run(made.tokenizer(TEXTS))) for _ in range(2))

    assert not made.model.training
    assert all(torch.equal(before[name], value) for name, value in made.model.state_dict().items())
    for a, b in zip(first, second, strict=True):
        assert all(np.array_equal(a.layers[i], b.layers[i]) for i in a.layers)
