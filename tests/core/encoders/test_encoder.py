"""Batches: what they hold, what bounds them, and what a model may fail to give."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from core.encoders import encoder as encoder_module
from core.encoders.encoder import Encoder
from core.encoders.loading import load_model
from core.encoders.models import locate
from core.errors import ModelError, RecipeError
from tests.core.helpers.batches import bounded
from tests.core.helpers.texts import many
from tests.core.helpers.tiny import DEPTH, HEADS, WIDTH


@pytest.fixture
def encoder(model, engine) -> Encoder:
    return Encoder(locate(str(model("bert")), engine.store.digest))


def test_batches_cover_every_text_once_within_their_bounds(encoder, monkeypatch):
    bounded(monkeypatch, tokens=40)
    encoded = encoder.tokenizer([*many(20), "", ""])
    tokens, stop = encoded.tokens, 0
    for states in encoder.run(encoded):
        assert states.sentences.start == stop
        stop = states.sentences.stop
        lengths = tokens.lengths[states.sentences]
        assert len(lengths) == 1 or lengths[0] * len(lengths) <= 40
        assert set(states.layers) == set(range(-1, DEPTH + 1))
        assert {a.shape for a in states.layers.values()} == {(lengths.sum(), WIDTH)}
        assert states.diagonals.shape == (lengths.sum(), DEPTH, HEADS)
        assert ((states.diagonals > 0) & (states.diagonals <= 1)).all()
    assert stop == 22  # a text without words still has [CLS] and [SEP]


def test_attention_matrices_bound_a_batch_too(encoder, monkeypatch):
    bounded(monkeypatch, attention_bytes=1)
    encoded = encoder.tokenizer(many(5))
    assert [s.sentences for s in encoder.run(encoded)] == [slice(i, i + 1) for i in range(5)]


def test_a_pass_can_begin_in_the_middle(encoder):
    encoded = encoder.tokenizer(many(9))
    (rest,) = encoder.run(encoded, start=4)
    assert rest.sentences == slice(4, 9)
    assert list(encoder.run(encoded, start=9)) == []


def test_texts_without_tokens_need_no_batch(model, engine):
    encoder = Encoder(locate(str(model("gpt2")), engine.store.digest))
    encoded = encoder.tokenizer(["", "dog", ""])
    assert [s.sentences for s in encoder.run(encoded)] == [slice(0, 1)]
    assert list(encoder.run(encoder.tokenizer(["", ""]))) == []


def change_output(encoder: Encoder, **fields: object) -> None:
    """Let the encoder's model give other values for some fields of its output."""
    encoder.model.register_forward_hook(lambda *given: SimpleNamespace(**(dict(given[-1]) | fields)))


@pytest.mark.parametrize("attentions", [None, (), (None,) * DEPTH])
def test_heads_without_attention_are_kept_as_unknown(encoder, attentions):
    change_output(encoder, attentions=attentions)
    encoded = encoder.tokenizer(many(3))
    (states,) = encoder.run(encoded)
    assert states.diagonals.shape == (len(encoded.tokens), DEPTH, HEADS)
    assert np.isnan(states.diagonals).all()
    with pytest.raises(RecipeError, match="does not give its attention"):
        encoder.attentions(encoded, 0)


def test_another_number_of_layers_than_promised_is_refused(encoder):
    encoded = encoder.tokenizer(many(2))
    change_output(encoder, hidden_states=(torch.zeros(2, int(encoded.tokens.lengths[0]), WIDTH),))
    with pytest.raises(
        ModelError,
        match=r"gave 1 hidden states; its config.json promises 3 layers. Config.json and weights",
    ):
        next(encoder.run(encoded))
    with pytest.raises(ModelError, match=r"gave 1 hidden states"):
        ids = encoded.tokens.ids[None]
        encoder.states(ids, encoded.type_ids, np.ones(ids.shape, bool))


def test_states_are_given_of_the_tokens_that_are_wanted(encoder):
    encoded = encoder.tokenizer(many(1))
    ids = np.repeat(encoded.tokens.ids[None], 3, axis=0)
    ids[1, 2] = ids[1, 1]  # sequences that are not alike
    every = encoder.states(ids, encoded.type_ids, np.ones(ids.shape, bool))
    wanted = np.zeros(ids.shape, bool)
    wanted[0, 1] = wanted[1, :3] = wanted[2, -1] = True
    given = encoder.states(ids, encoded.type_ids, wanted)
    assert list(given) == list(every)
    for layer, states in given.items():
        rows = every[layer].reshape(*ids.shape, -1)
        np.testing.assert_array_equal(states, np.stack([rows[0, 1], *rows[1, :3], rows[2, -1]]))


def test_states_that_are_not_finite_are_refused(encoder):
    encoded = encoder.tokenizer(many(2))
    damaged = torch.full((2, int(encoded.tokens.lengths[0]), WIDTH), torch.nan)
    change_output(encoder, hidden_states=(damaged,) * (DEPTH + 1))
    with pytest.raises(ModelError, match="numbers that are not finite"):
        next(encoder.run(encoded))


def test_states_that_storage_cannot_hold_are_refused(encoder):
    encoded = encoder.tokenizer(many(2))
    large = torch.full((2, int(encoded.tokens.lengths[0]), WIDTH), 70_000.0)
    change_output(encoder, hidden_states=(large,) * (DEPTH + 1))
    assert (next(encoder.run(encoded)).layers[1] == 70_000).all()
    with pytest.raises(ModelError, match=r"not finite; .*float32 for forward and storage"):
        next(encoder.run(encoded, dtype="float16"))


def test_the_weights_are_loaded_when_the_first_batch_is_run(encoder):
    encoded = encoder.tokenizer(many(2))
    assert not encoder.loaded
    next(encoder.run(encoded))
    assert encoder.loaded


def test_threads_that_ask_at_once_load_one_model_and_one_tokenizer(encoder, monkeypatch):
    loaded = []
    for name in ("load_model", "Tokenizer"):
        load = getattr(encoder_module, name)

        def slow(*given, load=load, name=name):
            loaded.append(name)
            time.sleep(0.05)
            return load(*given)

        monkeypatch.setattr(encoder_module, name, slow)
    start = threading.Barrier(8)

    def ask(i: int) -> None:
        start.wait()
        if i % 2:
            encoder.tokenizer  # noqa: B018
        encoder.widths if i % 4 < 2 else encoder.static_rows(np.arange(3))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(ask, range(8)))
    assert sorted(loaded) == ["Tokenizer", "load_model"]


def test_loading_several_models_at_once_leaves_the_library_as_it_was(model, engine):
    """transformers changes the initialisation of the whole process while it loads."""
    from transformers import AutoModelForMaskedLM

    locations = [locate(str(model(name)), engine.store.digest) for name in ("bert", "gpt2", "bert", "gpt2")]

    def load(location) -> None:
        for _ in range(10):
            load_model(location)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(load, locations))
    headed = AutoModelForMaskedLM.from_pretrained(model("bert"))  # its head is made, not loaded
    assert {parameter.device.type for parameter in headed.parameters()} == {"cpu"}


def test_one_encoder_is_used_while_another_one_loads(model, engine, monkeypatch):
    loading, go = threading.Event(), threading.Event()
    encoders = [Encoder(locate(str(model(name)), engine.store.digest)) for name in ("bert", "gpt2")]
    assert encoders[0].widths
    monkeypatch.setattr(encoder_module, "load_model", lambda _: (loading.set(), go.wait(10))[1])
    with ThreadPoolExecutor(1) as pool:
        pool.submit(lambda: encoders[1].model)
        assert loading.wait(10)
        assert encoders[0].static_rows(np.arange(3)).shape == (3, 32)
        go.set()
