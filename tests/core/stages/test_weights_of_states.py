"""Weights that look at states and attention: against sums over one sentence at a time, and by hand."""

from pathlib import Path

import numpy as np
import pytest
import torch

from core.corpora.corpus import Corpus
from core.encoders.output import Output
from core.errors import RecipeError
from core.pipeline.engine import Engine
from core.recipe import WEIGHT, Recipe
from core.settings import Settings
from core.sources import token_states as chunks_module
from core.stages.weighting import WeightInputs
from core.tokens import DocumentFrequencies, document_frequencies
from tests.core.helpers.batches import bounded
from tests.core.helpers.handmade import tokens_of
from tests.core.helpers.reference import loaded
from tests.core.helpers.texts import many
from tests.core.helpers.tiny import DEPTH, HEADS

TEXTS = ["The dogs run in the park.", "a", "two men sat; the cat plays, and sings", "", "rain!"]
CORPUS = Corpus.of_texts("t", TEXTS)
PLAIN = Corpus.of_texts("plain", many(60))


def weigh(option: str, inputs: WeightInputs) -> np.ndarray:
    return WEIGHT.bind(WEIGHT.parse(option))(inputs)


@torch.inference_mode()
def by_hand(
    folder: Path, texts: list[str], layer: int, block: int, head: int
) -> tuple[np.ndarray, np.ndarray]:
    """Each text's sum of A[t, t] v_t over all its tokens, and that sum over Σ A[t, t]."""
    tokenizer, model = loaded(folder)
    sums, means = [], []
    for text in texts:
        out = model(
            **tokenizer(text, return_tensors="pt"), output_hidden_states=True, output_attentions=True
        )
        attention = out.attentions[block - 1][0, head - 1].double()
        states = out.hidden_states[layer][0].double()
        total = torch.zeros(states.shape[1], dtype=torch.double)
        mass = 0.0
        for t in range(len(states)):
            total += attention[t, t] * states[t]
            mass += float(attention[t, t])
        sums.append(total.numpy())
        means.append(total.numpy() / mass)
    return np.array(sums), np.array(means)


# -- ditto -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("family", ["bert", "roberta"])
@pytest.mark.parametrize(
    ("block", "head"), [(b, h) for b in range(1, DEPTH + 1) for h in range(1, HEADS + 1)]
)
def test_each_head_gives_the_sum_of_what_its_tokens_attend_to_themselves(
    family, block, head, model, shared_engine
):
    """Scaled to sum 1 by the mean; the raw sum, [CLS] and [SEP] counted, with pool=sum as in the paper."""
    sums, means = by_hand(model(family), TEXTS, DEPTH, block, head)
    recipe = f"source={model(family)};layers=last;weight=ditto(layer={block},head={head})"
    for more, expected in (("", means), (";pool=sum", sums)):
        found = shared_engine.embed(Recipe.parse(recipe + more), CORPUS).vectors
        np.testing.assert_allclose(found, expected, atol=1e-5)


def test_heads_differ_and_so_do_the_sentences(model, shared_engine):
    vectors = [
        shared_engine.embed(
            Recipe.parse(f"source={model('bert')};layers=last;weight=ditto(layer={b},head={h})"), CORPUS
        ).vectors
        for b in (1, 2, 3)
        for h in (1, 2, 3, 4)
    ]
    apart = [np.abs(a - b).max() for i, a in enumerate(vectors) for b in vectors[:i]]
    assert len(apart) == 66
    assert min(apart) > 1e-4


def test_the_attention_of_one_layer_weighs_the_states_of_others(model, shared_engine):
    first, last = (by_hand(model("bert"), TEXTS, layer, 2, 3)[0] for layer in (1, DEPTH))
    recipe = f"source={model('bert')};weight=ditto(layer=2,head=3);pool=sum"
    found = shared_engine.embed(Recipe.parse(recipe), CORPUS).vectors
    np.testing.assert_allclose(found, (first + last) / 2, atol=1e-5)


def test_tokens_that_take_no_part_give_their_attention_to_nobody(model, shared_engine):
    """The shares of the rest are scaled to sum 1, or, with pool=sum, left as they are."""
    folder, text = model("bert"), "two men sat"
    tokenizer, made = loaded(folder)
    with torch.inference_mode():
        out = made(
            **tokenizer(text, return_tensors="pt"), output_hidden_states=True, output_attentions=True
        )
    diagonal = out.attentions[0][0, 3].diagonal().double().numpy()[1:-1]
    raw = diagonal @ out.hidden_states[-1][0].double().numpy()[1:-1]
    recipe = f"source={folder};layers=last;tokens=content;weight=ditto(layer=1,head=4)"
    one = Corpus.of_texts("one", [text])
    for more, expected in (("", raw / diagonal.sum()), (";pool=sum", raw)):
        found = shared_engine.embed(Recipe.parse(recipe + more), one).vectors[0]
        np.testing.assert_allclose(found, expected, atol=1e-5)
    (shown,) = shared_engine.token_weights(Recipe.parse(recipe), one)
    np.testing.assert_allclose(shown.shares, [0, *(diagonal / diagonal.sum()), 0], atol=1e-6)


def test_weights_shown_are_the_diagonal_scaled_to_one(model, shared_engine):
    recipe = Recipe.parse(f"source={model('roberta')};weight=ditto(layer=3,head=1)")
    found, _ = shared_engine.passes.get(shared_engine.source(recipe), CORPUS)
    for i, shown in enumerate(shared_engine.token_weights(recipe, CORPUS)):
        diagonal = found.diagonals(found.tokens.span(i))[:, 2, 0].astype(float)
        np.testing.assert_allclose(shown.shares, diagonal / diagonal.sum(), atol=1e-12)


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        ("ditto(layer=4,head=1)", r"weight=ditto\(layer\): got 4; this model has 3, allowed is 1 to 3\."),
        ("ditto(layer=1,head=5)", r"weight=ditto\(head\): got 5; this model has 4, allowed is 1 to 4\."),
        ("ditto", r"weight=ditto\(head\): got 10; this model has 4, allowed is 1 to 4\."),
        ("ditto(layer=9,head=9)", r"weight=ditto\(layer\): got 9"),
    ],
)
def test_a_head_that_is_not_there_is_refused_with_those_that_are(choice, message, bert, shared_engine):
    recipe = Recipe.parse(f"{bert};weight={choice}")
    with pytest.raises(RecipeError, match=message):
        shared_engine.embed(recipe, CORPUS)
    with pytest.raises(RecipeError, match=message):
        shared_engine.token_weights(recipe, CORPUS)


@pytest.mark.parametrize("choice", ["ditto(layer=0)", "ditto(head=0)", "ditto(head=x)", "ditto(layer=1.5)"])
def test_heads_are_counted_from_one(choice):
    with pytest.raises(
        RecipeError, match=r"weight=ditto\((layer|head)\): got .*whole number from 1 to 1000"
    ):
        Recipe.parse(f"weight={choice}")


def test_token_vectors_without_context_have_no_attention(engine):
    recipe = Recipe.parse("source=random;weight=ditto(layer=1,head=1)")
    message = r"weight=ditto\(layer=1,head=1\)|weight=ditto\(head=1\)"
    with pytest.raises(RecipeError, match=rf"({message}) looks at attention, .*without context have none"):
        engine.embed(recipe, CORPUS)


def test_a_model_that_does_not_give_its_attention_is_refused(bert, engine, monkeypatch, tmp_path):
    norm = Recipe.parse(f"{bert};weight=norm")
    expected = Engine(Settings(cache=tmp_path / "with attention")).embed(norm, CORPUS).vectors
    monkeypatch.setattr(Output, "every_attention", lambda _: None)
    with pytest.raises(RecipeError, match="weight=ditto: this model does not give its attention; take"):
        engine.embed(Recipe.parse(f"{bert};weight=ditto(head=2)"), CORPUS)
    np.testing.assert_array_equal(engine.embed(norm, CORPUS).vectors, expected)


# -- tf-idf ------------------------------------------------------------------------------------------


def test_tfidf_is_idf_times_how_often_a_token_stands_in_its_text():
    tokens = tokens_of(
        "[CLS] cats sleep [SEP]", "[CLS] cats cats run cats fast run [SEP]", "[CLS] dogs run [SEP]"
    )
    found = weigh("tfidf", WeightInputs(tokens, document_frequencies(tokens)))
    log = np.log
    expected = (
        (0, 3 * log(3 / 2), 3 * log(3 / 2), 2 * log(3 / 2), 3 * log(3 / 2), log(3), 2 * log(3 / 2), 0),
        (0, log(3 / 2), log(3), 0),
        (0, log(3), log(3 / 2), 0),
    )
    for place, text in zip((1, 0, 2), expected, strict=True):
        assert found[tokens.span(place)].tolist() == pytest.approx(text)


def test_tfidf_counts_an_id_in_its_own_text_only():
    tokens = tokens_of("a b", "a a", "a c c")
    found = weigh("tfidf", WeightInputs(tokens, DocumentFrequencies(10, np.array([5.0, 2.0, 1.0, 1.0]))))
    a, c = tokens.ids[tokens.span(1)][0], tokens.ids[tokens.span(2)][1]
    weights = {0: np.log(10 / 5), 1: np.log(10 / 2), 2: np.log(10), 3: np.log(10)}
    assert found[tokens.span(1)].tolist() == pytest.approx([2 * weights[a]] * 2)
    assert found[tokens.span(2)].tolist() == pytest.approx([weights[a], 2 * weights[c], 2 * weights[c]])
    assert found[tokens.span(0)][0] == pytest.approx(weights[a])


def test_tfidf_as_gensim_has_it():
    """Beside gensim itself: base 2, unit norm over a text's different tokens, unknown tokens left out."""
    corpora, models = pytest.importorskip("gensim.corpora"), pytest.importorskip("gensim.models")
    texts = ["cats sleep", "cats run cats fast run", "dogs run", "dogs bite", "every cats dogs"]
    unseen = "cats wolf run run"
    dictionary = corpora.Dictionary([text.split() for text in texts])
    model = models.TfidfModel(dictionary=dictionary)
    tokens = tokens_of(*texts, unseen)
    counts = document_frequencies(tokens).counts
    counts[np.unique(tokens.ids[tokens.span(5)])] -= 1  # the last text is not learnt from
    found = weigh("tfidf(form=gensim)", WeightInputs(tokens, DocumentFrequencies(5, counts)))
    for place, text in enumerate([*texts, unseen]):
        theirs = dict(model[dictionary.doc2bow(text.split())])
        expected = [theirs.get(dictionary.token2id.get(word, -1), 0.0) for word in text.split()]
        np.testing.assert_allclose(found[tokens.span(place)], expected, atol=1e-9)


def test_tfidf_of_a_corpus(bert, shared_engine):
    """Frequencies come from the reference when the recipe says so."""
    corpus = Corpus.of_texts("t", ["the dog the dog the", "a dog", "the cat", "two cat sat"])
    first = shared_engine.token_weights(Recipe.parse(f"{bert};weight=tfidf"), corpus)[0]
    dog, the = 2 * np.log(4 / 2), 3 * np.log(4 / 2)
    expected = np.array([0, the, dog, the, dog, the, 0])
    np.testing.assert_allclose(first.shares, expected / expected.sum(), atol=1e-12)


def test_tfidf_of_texts_without_repeated_tokens_is_idf(bert, shared_engine):
    corpus = Corpus.of_texts("t", ["the dog sat", "a cat run", "the boy"])
    tfidf, idf = (
        shared_engine.embed(Recipe.parse(f"{bert};weight={name}"), corpus).vectors
        for name in ("tfidf", "idf")
    )
    assert np.array_equal(tfidf, idf)


# -- norm --------------------------------------------------------------------------------------------


def test_norm_is_the_length_of_the_token_vector():
    tokens = tokens_of("a b c")
    states = np.array([[3, 4], [0, 0], [-5, 12]], np.float32)
    assert weigh("norm", WeightInputs(tokens, states=states)).tolist() == [5, 0, 13]


@pytest.mark.parametrize(("layers", "numbers"), [("2", [2]), ("first+last", [1, 3]), ("all", [0, 1, 2, 3])])
def test_norm_is_that_of_the_layers_made_one(layers, numbers, bert, shared_engine):
    """Not of each layer by itself, whose pooled vectors would then be averaged."""
    recipe = Recipe.parse(f"{bert};layers={layers};weight=norm")
    found, _ = shared_engine.passes.get(shared_engine.source(recipe), CORPUS)
    vectors = shared_engine.embed(recipe, CORPUS).vectors
    shown = shared_engine.token_weights(recipe, CORPUS)
    layer_by_layer = []
    for i, vector in enumerate(vectors):
        span = found.tokens.span(i)
        states = [found.read(layer, span).astype(float) for layer in numbers]
        one = np.mean(states, axis=0)
        norms = np.sqrt((one**2).sum(axis=1))
        np.testing.assert_allclose(vector, norms @ one / norms.sum(), atol=1e-5)
        np.testing.assert_allclose(shown[i].shares, norms / norms.sum(), atol=1e-6)
        each = [np.linalg.norm(s, axis=1) @ s / np.linalg.norm(s, axis=1).sum() for s in states]
        layer_by_layer.append(np.mean(each, axis=0))
    apart = np.abs(vectors - np.array(layer_by_layer)).max()
    assert apart < 1e-5 if len(numbers) == 1 else apart > 1e-3


def test_norms_of_other_layers_are_not_mixed_up_with_those_kept(bert, engine):
    """After layers one by one, their set is weighed anew; and the other way round."""
    texts = [f"{bert};layers={layers};weight=norm" for layers in ("1", "last", "first+last", "2")]
    forward, backward = (
        [engine.embed(Recipe.parse(text), CORPUS).vectors for text in order]
        for order in (texts, texts[::-1])
    )
    fresh = Engine(engine.settings)
    again = [fresh.embed(Recipe.parse(text), CORPUS).vectors for text in texts[::-1]]
    for a, b, c in zip(forward, backward[::-1], again[::-1], strict=True):
        np.testing.assert_allclose(a, b, atol=1e-7)
        np.testing.assert_allclose(a, c, atol=1e-7)
    assert np.abs((forward[0] + forward[1]) / 2 - forward[2]).max() > 1e-3


def test_norms_with_max_pooling_only_say_who_takes_part(bert, engine):
    plain, weighted = (
        engine.embed(Recipe.parse(f"{bert};pool=max;weight={name}"), CORPUS).vectors
        for name in ("uniform", "norm")
    )
    assert np.array_equal(plain, weighted)


# -- however the pass is read ------------------------------------------------------------------------

WEIGHTS = ("ditto(layer=2,head=3)", "norm", "tfidf", "idf")


@pytest.mark.parametrize("weight", WEIGHTS)
@pytest.mark.parametrize("bytes_at_once", [1, 3_000, 20_000])
def test_weights_are_the_same_read_at_once_or_in_stretches(
    weight, bytes_at_once, bert, settings, monkeypatch
):
    recipe = Recipe.parse(f"{bert};weight={weight}")
    whole = Engine(settings)
    vectors, shown = whole.embed(recipe, PLAIN).vectors, whole.token_weights(recipe, PLAIN)
    monkeypatch.setattr(chunks_module, "CHUNK_BYTES", bytes_at_once)
    parts = Engine(settings)
    found, _ = parts.passes.get(parts.source(recipe), PLAIN)
    assert len(list(chunks_module.chunks(found, (1, 3)))) > 3

    again = parts.embed(recipe, PLAIN)

    assert again.pass_seconds == 0
    np.testing.assert_allclose(again.vectors, vectors, atol=1e-6)
    for a, b in zip(parts.token_weights(recipe, PLAIN), shown, strict=True):
        np.testing.assert_allclose(a.shares, b.shares, atol=1e-9)


@pytest.mark.parametrize("weight", WEIGHTS)
@pytest.mark.parametrize("pool", ["mean", "sum"])
def test_weights_are_the_same_stored_or_streamed(weight, pool, bert, engine, tmp_path, monkeypatch):
    bounded(monkeypatch, tokens=128)
    small = Engine(Settings(cache=tmp_path / "small", budget_bytes=10_000))
    recipe = Recipe.parse(f"{bert};weight={weight};pool={pool}")
    stored, streamed = (r.embed(recipe, PLAIN) for r in (engine, small))
    scale = np.abs(stored.vectors).max()
    assert np.abs(streamed.vectors - stored.vectors).max() < 1e-6 * max(scale, 1)
    assert small.store.entries() == []
    shown = [r.token_weights(recipe, PLAIN) for r in (engine, small)]
    for a, b in zip(*shown, strict=True):
        np.testing.assert_allclose(a.shares, b.shares, atol=1e-6)
        assert a.shares.sum() == pytest.approx(1)


@pytest.mark.parametrize("layers", ["last", "first+last", "all"])
def test_norms_of_any_layers_are_the_same_streamed(layers, bert, engine, tmp_path):
    small = Engine(Settings(cache=tmp_path / "small", budget_bytes=10_000))
    small.embed(Recipe.parse(f"{bert};weight=norm;layers=1"), PLAIN)
    recipe = Recipe.parse(f"{bert};weight=norm;layers={layers}")
    np.testing.assert_allclose(
        small.embed(recipe, PLAIN).vectors, engine.embed(recipe, PLAIN).vectors, atol=1e-6
    )


@pytest.mark.parametrize("weight", WEIGHTS)
def test_shares_shown_are_those_that_make_the_vector(weight, bert, shared_engine):
    recipe = Recipe.parse(f"{bert};weight={weight};layers=2;tokens=unbiased")
    found, _ = shared_engine.passes.get(shared_engine.source(recipe), PLAIN)
    vectors = shared_engine.embed(recipe, PLAIN).vectors
    for i, shown in enumerate(shared_engine.token_weights(recipe, PLAIN)):
        states = found.read(2, found.tokens.span(i))
        np.testing.assert_allclose(vectors[i], shown.shares @ states, atol=1e-5)


# -- damage ------------------------------------------------------------------------------------------


def flip(path: Path) -> None:
    """Turn one bit in the middle of a file."""
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:100])


@pytest.mark.parametrize("damage", [flip, cut, Path.unlink])
def test_damaged_diagonals_are_made_anew_for_who_uses_them(damage, bert, settings):
    ditto, uniform = (Recipe.parse(f"{bert};weight={name}") for name in ("ditto(head=2)", "uniform"))
    first = Engine(settings)
    before = first.embed(ditto, PLAIN).vectors
    (entry,) = (settings.cache / "passes").iterdir()
    damage(entry / "diagonals.npy")

    again = Engine(settings).embed(ditto, PLAIN)

    assert again.pass_seconds > 0
    assert np.array_equal(again.vectors, before)
    assert Engine(settings).embed(uniform, PLAIN).pass_seconds == 0


def test_diagonals_are_not_checked_for_who_does_not_use_them(bert, settings):
    Engine(settings).embed(Recipe.parse(bert), PLAIN)
    (entry,) = (settings.cache / "passes").iterdir()
    flip(entry / "diagonals.npy")
    assert Engine(settings).embed(Recipe.parse(f"{bert};weight=norm"), PLAIN).pass_seconds == 0
    assert Engine(settings).embed(Recipe.parse(f"{bert};weight=ditto(head=1)"), PLAIN).pass_seconds > 0
