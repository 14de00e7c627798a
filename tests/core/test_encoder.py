"""Batches: what they hold, what bounds them, and what a model may fail to give."""

import numpy as np
import pytest
import torch

from core import encoder as encoder_module
from core.encoder import Encoder
from core.errors import ModelError
from core.models import locate
from tests.core.helpers.texts import many
from tests.core.helpers.tiny import DEPTH, HEADS, WIDTH


@pytest.fixture
def encoder(model, road) -> Encoder:
    return Encoder(locate(str(model("bert")), road.store.digest))


def test_batches_cover_every_text_once_within_their_bounds(encoder, monkeypatch):
    monkeypatch.setattr(encoder_module, "TOKENS_PER_BATCH", 40)
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
    monkeypatch.setattr(encoder_module, "ATTENTION_BYTES", 1)
    encoded = encoder.tokenizer(many(5))
    assert [s.sentences for s in encoder.run(encoded)] == [slice(i, i + 1) for i in range(5)]


def test_a_pass_can_begin_in_the_middle(encoder):
    encoded = encoder.tokenizer(many(9))
    (rest,) = encoder.run(encoded, start=4)
    assert rest.sentences == slice(4, 9)
    assert list(encoder.run(encoded, start=9)) == []


def test_texts_without_tokens_need_no_batch(model, road):
    encoder = Encoder(locate(str(model("gpt2")), road.store.digest))
    encoded = encoder.tokenizer(["", "dog", ""])
    assert [s.sentences for s in encoder.run(encoded)] == [slice(0, 1)]
    assert list(encoder.run(encoder.tokenizer(["", ""]))) == []


def test_heads_without_attention_are_kept_as_unknown(encoder):
    keep = torch.tensor([[True, True, False]])
    for given in (None, (), (None,) * DEPTH):
        unknown = encoder._diagonals(given, keep)
        assert unknown.shape == (2, DEPTH, HEADS)
        assert np.isnan(unknown).all()


def test_another_number_of_layers_than_promised_is_refused(encoder):
    with pytest.raises(ModelError, match=r"gave 1 hidden states; its config.json promises 3 layers"):
        encoder._check({-1: np.zeros((1, WIDTH)), 0: np.zeros((1, WIDTH))})


def test_the_weights_are_loaded_when_the_first_batch_is_run(encoder):
    encoded = encoder.tokenizer(many(2))
    assert "model" not in vars(encoder)
    next(encoder.run(encoded))
    assert "model" in vars(encoder)
