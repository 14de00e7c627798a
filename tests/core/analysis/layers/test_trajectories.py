"""How tokens move from layer to layer: by loops over the states that transformers alone gives."""

from itertools import pairwise

import numpy as np
import pytest
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from core.analysis.layered_source import layered_source
from core.analysis.layers import trajectories
from core.analysis.layers.trajectories import of_corpus, of_sentence
from core.analysis.layers.word_variances import word_variances
from core.corpora.corpus import Corpus
from core.errors import RecipeError
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.settings import Settings
from core.sources import token_states
from core.tokens.words import words_of
from tests.core.helpers.handmade import tokens_of
from tests.core.helpers.reference import one_at_a_time
from tests.core.helpers.texts import many
from tests.core.stages.test_sbert_wk import cosine

TEXTS = ["The white dog is running.", "dogs", "A girl plays guitar in the rain", "dogs", "", "The dog!"]
"""One of them stands twice, one is empty."""


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return Corpus.of_texts("t", TEXTS)


@pytest.fixture(scope="module")
def states(model) -> list[np.ndarray]:
    """For each text, repeats too, its own tokens' states ``[token, layer, dim]``, the static rows first."""
    read = one_at_a_time(model("bert"), TEXTS)
    every = [np.concatenate([one.rows[None], one.hidden]).astype(np.float64) for one in read]
    return [np.moveaxis(one, 0, 1)[1:-1] for one in every]  # [CLS] and [SEP] stand at the ends


def all_cosines(token: np.ndarray) -> np.ndarray:
    return np.array([[cosine(a, b) for b in token] for a in token])


def hop_curve(token: np.ndarray) -> list[float]:
    """Of layers 0 … L."""
    own = token[1:]
    return [np.mean([cosine(own[i], own[i + k]) for i in range(len(own) - k)]) for k in range(1, len(own))]


def unevenness(token: np.ndarray) -> float:
    return float(np.var([cosine(a, b) for a, b in pairwise(token[1:])]))


def same(found: trajectories.Evolution, tokens: list[np.ndarray]) -> None:
    maps, curves = np.array([all_cosines(t) for t in tokens]), np.array([hop_curve(t) for t in tokens])
    assert found.tokens == len(tokens)
    np.testing.assert_allclose(found.cosines, maps.mean(axis=0), atol=1e-5)
    np.testing.assert_allclose(found.spread, maps.std(axis=0), atol=1e-5)
    np.testing.assert_allclose(found.hops, curves.mean(axis=0), atol=1e-5)
    np.testing.assert_allclose(found.hop_spread, curves.std(axis=0), atol=1e-5)


# -- by loops


def test_a_corpus_equals_loops_over_its_tokens(bert, shared_engine, corpus, states):
    found = of_corpus(shared_engine, Recipe.parse(bert), corpus).evolution
    assert found.layers == (-1, 0, 1, 2, 3)
    same(found, [token for text in states for token in text])


def test_words_equal_loops_over_their_occurrences(bert, shared_engine, corpus, states):
    """The tokenizer cuts ``running`` and ``dogs`` into pieces, and ``is`` into letters."""
    found = of_corpus(shared_engine, Recipe.parse(bert), corpus).words
    source = shared_engine.source(Recipe.parse(bert))
    expected: dict[str, list[float]] = {}
    texts: dict[str, int] = {}
    for text, tokens in zip(TEXTS, states, strict=True):
        cut = shared_engine.passes.tokens(source, [text])
        words = words_of(cut, shared_engine.passes.tokenizer(source).decode)
        pieces = []
        for place in range(1, len(cut) - 1):
            if words.begins[place]:
                pieces.append((words.surface_forms[words.of[place]], []))
            pieces[-1][1].append(unevenness(tokens[place - 1]))
        for word, values in pieces:
            expected.setdefault(word, []).append(np.mean(values))
        for word in {word for word, _ in pieces}:
            texts[word] = texts.get(word, 0) + 1
    assert sorted(found.surface_forms) == sorted(expected)
    assert {"dogs", "running", "is", ".", "!"} <= set(found.surface_forms)
    for i, word in enumerate(found.surface_forms):
        assert found.times[i] == len(expected[word])
        assert found.function[i] == (word in ENGLISH_STOP_WORDS)
        assert found.texts[i] == texts[word]
        assert found.variance[i] == pytest.approx(np.mean(expected[word]), abs=1e-6)
    assert found.of == len(TEXTS)


def test_a_sentence_and_a_token_equal_loops(bert, shared_engine, states):
    paths = of_sentence(shared_engine, Recipe.parse(bert), TEXTS[0])
    same(paths.evolution(), list(states[0]))
    same(paths.evolution(3), [states[0][2]])
    assert not paths.evolution(3).spread.any()
    own = states[0][2][1:]
    np.testing.assert_allclose(paths.own()[3], own @ own.T, rtol=1e-4, atol=1e-3)
    np.testing.assert_allclose(paths.own(2)[3], own[2:] @ own[2:].T, rtol=1e-4, atol=1e-3)


def test_the_words_of_the_bundled_encoder_move_as_its_states_do(shared_engine):
    corpus = Corpus.of_texts("plain", many(30))
    found = of_corpus(shared_engine, Recipe(), corpus).evolution
    source = shared_engine.source(Recipe())
    read, _ = shared_engine.passes.get(source, corpus)
    plain = ~read.tokens.special
    rows = [read.read(i, slice(0, len(read.tokens)))[plain].astype(np.float64) for i in range(7)]
    unit = [row / np.linalg.norm(row, axis=1, keepdims=True) for row in rows]
    for i in range(7):
        for j in range(7):
            mean = np.einsum("td,td->t", unit[i], unit[j]).mean()
            assert found.cosines[i + 1, j + 1] == pytest.approx(mean, abs=1e-9)


# -- by hand


def test_pieces_are_averaged_within_an_occurrence_and_repeats_count():
    tokens = tokens_of("[CLS] play ##ing play [SEP]", "[CLS] play [SEP]")
    words = words_of(tokens, lambda ids: "".join(tokens.vocabulary[i] for i in ids).replace("##", ""))
    variances = np.array([9.0, 1.0, 3.0, 5.0, 9.0, 9.0, 6.0, 9.0])
    found = word_variances(tokens, words, variances, np.array([1, 3]))
    assert dict(zip(found.surface_forms, found.variance.tolist(), strict=True)) == {
        "playing": 2.0,
        "play": (5 + 3 * 6) / 4,
    }
    assert dict(zip(found.surface_forms, found.times.tolist(), strict=True)) == {"playing": 1, "play": 4}
    assert dict(zip(found.surface_forms, found.texts.tolist(), strict=True)) == {"playing": 1, "play": 4}
    assert found.of == 4


def test_mean_and_spread_by_hand_and_in_blocks():
    """Two tokens in two layers, cosines 0 and 1, the second counted three times."""
    gram = np.array([[[1.0, 0.0], [0.0, 1.0]], [[4.0, 2.0], [2.0, 1.0]]])
    for blocks in ([slice(0, 2)], [slice(0, 1), slice(1, 2)], [slice(1, 2), slice(0, 0), slice(0, 1)]):
        averages = trajectories._Averages((0, 1))
        for block in blocks:
            averages.add(gram[block], np.array([1.0, 3.0])[block])
        found = averages.evolution()
        assert found.tokens == 4
        np.testing.assert_allclose(found.cosines, [[1, 0.75], [0.75, 1]])
        np.testing.assert_allclose(found.spread, [[0, np.sqrt(3) / 4], [np.sqrt(3) / 4, 0]], atol=1e-12)
        np.testing.assert_allclose(found.hops, [0.75])
        np.testing.assert_allclose(found.hop_spread, [np.sqrt(3) / 4])


# -- what is counted


def test_the_prompt_around_a_sentence_is_not_counted(bert, shared_engine):
    recipe = Recipe.parse(f"{bert};template=T0")
    paths = of_sentence(shared_engine, recipe, "the white dog")
    assert paths.counted.sum() == 3
    assert len(paths.tokens) > 10
    found = of_corpus(shared_engine, recipe, Corpus.of_texts("t", ["the white dog", "a dog"]))
    assert found.evolution.tokens == 5
    assert sorted(found.words.surface_forms) == ["a", "dog", "the", "white"]


@pytest.mark.parametrize("family", ["electra", "albert"])
def test_static_rows_of_another_width_are_left_out(family, model, shared_engine, corpus):
    recipe = Recipe.parse(f"source={model(family)}")
    assert of_corpus(shared_engine, recipe, corpus).evolution.layers == (0, 1, 2, 3)
    assert of_sentence(shared_engine, recipe, "a dog").layers == (0, 1, 2, 3)


@pytest.mark.parametrize("family", ["roberta", "xlnet", "gpt2", "llama"])
def test_encoders_and_decoders_alike(family, model, shared_engine, corpus):
    recipe = Recipe.parse(f"source={model(family)}")
    found = of_corpus(shared_engine, recipe, corpus)
    assert found.evolution.cosines.shape == (5, 5)
    np.testing.assert_allclose(np.diag(found.evolution.cosines), 1)
    np.testing.assert_allclose(found.evolution.cosines, found.evolution.cosines.T)
    assert "dogs" in found.words.surface_forms


# -- how it is read


def test_small_stretches_and_a_stream_give_the_same(bert, corpus, tmp_path, monkeypatch, shared_engine):
    recipe = Recipe.parse(bert)
    whole = of_corpus(shared_engine, recipe, corpus)
    monkeypatch.setattr(token_states, "CHUNK_BYTES", 1)
    for budget in (20_000_000, 0):
        engine = Engine(Settings(cache=tmp_path / str(budget), budget_bytes=budget))
        part = of_corpus(engine, recipe, corpus)
        np.testing.assert_allclose(part.evolution.cosines, whole.evolution.cosines, atol=1e-6)
        np.testing.assert_allclose(part.evolution.hop_spread, whole.evolution.hop_spread, atol=1e-6)
        np.testing.assert_allclose(part.words.variance, whole.words.variance, atol=1e-6)


def test_what_was_found_is_kept_and_another_corpus_is_another(bert, settings, monkeypatch):
    recipe = Recipe.parse(bert)
    first = of_corpus(Engine(settings), recipe, Corpus.of_texts("t", ["a dog", "a cat"]))
    again = Engine(settings)
    other = of_corpus(again, recipe, Corpus.of_texts("t", ["a dog", "a dog", "a cat"]))
    assert (first.evolution.tokens, other.evolution.tokens) == (4, 6)
    monkeypatch.setattr(again.passes, "get", None)
    kept = of_corpus(again, recipe, Corpus.of_texts("another name", ["a dog", "a cat"]))
    np.testing.assert_array_equal(kept.evolution.cosines, first.evolution.cosines)
    assert kept.words.surface_forms == first.words.surface_forms


def test_progress_is_reported(bert, engine):
    steps = []
    of_corpus(engine, Recipe.parse(bert), Corpus.of_texts("t", many(5)), steps.append)
    assert steps[-1].what == "Comparing the layers of sentences"
    assert steps[-1].done == steps[-1].total == 5


# -- refused


def test_a_source_without_layers_is_refused(shared_engine):
    with pytest.raises(RecipeError, match="no layers to compare; take a model"):
        of_corpus(shared_engine, Recipe.parse("source=random"), Corpus.of_texts("t", ["a"]))
    with pytest.raises(RecipeError, match="no layers"):
        layered_source(shared_engine, Recipe.parse("source=random(seed=3)"))


def test_nothing_known_is_refused_in_words(bert, model, shared_engine):
    with pytest.raises(RecipeError, match="No sentence of t has any token"):
        of_corpus(shared_engine, Recipe.parse(bert), Corpus.of_texts("t", [""]))
    for source in (bert, f"source={model('gpt2')}"):
        paths = of_sentence(shared_engine, Recipe.parse(source), "")
        with pytest.raises(RecipeError, match="No token of this sentence"):
            paths.evolution()
