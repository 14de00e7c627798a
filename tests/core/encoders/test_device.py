"""A GPU is taken where there is one, gets larger batches, and gives the same numbers."""

import numpy as np
import pytest
import torch

from core.corpora.corpus import Corpus
from core.encoders import device as device_module
from core.encoders.device import CPU, GPU_SHARE, GPU_TOKENS, find_device
from core.encoders.encoder import Encoder
from core.encoders.models import locate
from core.errors import ModelError, StrataError
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.settings import Settings
from tests.core.helpers.accelerator import DEVICE, MEMORY, accelerator
from tests.core.helpers.batches import bounded
from tests.core.helpers.texts import many

CORPUS = Corpus.of_texts("t", many(60))


def test_without_a_gpu_it_is_the_cpu():
    assert find_device() == find_device("cpu") == CPU


@pytest.mark.parametrize("asked", ["cuda", "cuda:7", "xpu"])
def test_a_device_that_is_not_there_is_refused_in_words(asked):
    with pytest.raises(
        StrataError, match=rf"device: {asked} cannot be used here \(.+\); take auto or cpu\."
    ):
        find_device(asked)


@pytest.mark.parametrize("text", ["gpu", "cuda:", "cuda:a", "CPU", "meta"])
def test_a_setting_that_is_no_device_is_refused(text, monkeypatch):
    monkeypatch.setenv("STRATA_DEVICE", text)
    with pytest.raises(StrataError, match=r"STRATA_DEVICE: got .*; allowed is auto, cpu, or a device"):
        Settings.from_environment()


def test_the_setting_reaches_the_encoder(monkeypatch, tmp_path):
    monkeypatch.setenv("STRATA_DEVICE", "cuda:7")
    engine = Engine(Settings.from_environment(cache=tmp_path))
    with pytest.raises(StrataError, match="device: cuda:7"):
        engine.embed(Recipe(), CORPUS)
    assert not any((tmp_path / "passes").iterdir())


def test_a_gpu_is_taken_by_itself_and_named(monkeypatch):
    with accelerator(monkeypatch):
        found = find_device()
    assert (found.torch, found.label) == (DEVICE, "Handmade GPU")
    assert (found.tokens, found.attention_bytes) == (GPU_TOKENS, MEMORY // GPU_SHARE)


@pytest.mark.parametrize("family", ["bert", "roberta", "gpt2", "electra", "albert", "distilbert", "xlnet"])
def test_numbers_are_those_of_the_cpu(family, model, engine, tmp_path, monkeypatch):
    text = f"source={model(family)};layers=all"
    right = engine.embed(Recipe.parse(text), CORPUS)
    steps = []
    with accelerator(monkeypatch) as device:
        other = Engine(Settings(cache=tmp_path / "gpu"))
        found = other.embed(Recipe.parse(text), CORPUS, steps.append)
        states, _ = other.passes.get(found.source, CORPUS)
    np.testing.assert_allclose(found.vectors, right.vectors, atol=1e-5)
    assert device.largest > 60 * 32  # it was there that the batch was
    assert any("on the Handmade GPU" in step.what for step in steps)
    assert states.about["device"] == "Handmade GPU"
    kept, _ = engine.passes.get(right.source, CORPUS)
    np.testing.assert_allclose(states.diagonals(slice(0, 50)), kept.diagonals(slice(0, 50)), atol=1e-5)


def test_attention_static_rows_and_single_sequences_come_back_from_it(model, engine, monkeypatch):
    location = locate(str(model("bert")), engine.store.digest)
    plain = Encoder(location)
    encoded = plain.tokenizer(many(4))
    ids, types = encoded.tokens.ids[None, :6], encoded.type_ids[:6]
    with accelerator(monkeypatch):
        there = Encoder(location)
        np.testing.assert_allclose(there.attentions(encoded, 1), plain.attentions(encoded, 1), atol=1e-6)
        np.testing.assert_array_equal(there.static_rows(ids[0]), plain.static_rows(ids[0]))
        wanted = ids % 3 > 0
        for layer, states in there.states(ids, types, wanted).items():
            np.testing.assert_allclose(states, plain.states(ids, types, wanted)[layer], atol=1e-5)


def test_batches_on_a_gpu_hold_more(model, engine, monkeypatch):
    location = locate(str(model("bert")), engine.store.digest)
    bounded(monkeypatch, tokens=64)
    encoded = Encoder(location).tokenizer(many(60))
    assert len([*Encoder(location).run(encoded)]) > 5
    with accelerator(monkeypatch):
        assert len([*Encoder(location).run(encoded)]) == 1


def test_a_gpu_has_the_next_batch_while_one_is_looked_at(model, engine, monkeypatch):
    location = locate(str(model("bert")), engine.store.digest)
    encoded = Encoder(location).tokenizer(many(60))
    right = next(Encoder(location).run(encoded))
    monkeypatch.setattr(device_module, "GPU_TOKENS", 128)
    begun = []
    begin = Encoder._begin
    monkeypatch.setattr(Encoder, "_begin", lambda *given: [begin(*given), begun.append(1)][0])
    with accelerator(monkeypatch) as device:
        batches = Encoder(location).run(encoded)
        first = next(batches)
        assert len(begun) == 2
        assert device.begun > device.arrived > 0  # nobody waited for the second
        rest = [*batches]
    assert len(begun) == 1 + len(rest) > 3
    np.testing.assert_allclose(first.layers[3], right.layers[3][: len(first.layers[3])], atol=1e-5)


def test_states_are_rounded_where_they_are_made(model, engine, monkeypatch):
    location = locate(str(model("bert")), engine.store.digest)
    encoder = Encoder(location)
    encoded = encoder.tokenizer(many(20))
    (exact,), (rounded,) = encoder.run(encoded), encoder.run(encoded, dtype="float16")
    for layer, states in exact.layers.items():
        np.testing.assert_array_equal(rounded.layers[layer], states.astype(np.float16))
    np.testing.assert_array_equal(rounded.diagonals, exact.diagonals.astype(np.float16))
    with accelerator(monkeypatch):
        (there,) = Encoder(location).run(encoded, dtype="float16")
    assert {a.dtype for a in (*there.layers.values(), there.diagonals)} == {np.dtype("float16")}


def test_states_that_storage_cannot_hold_are_refused_there_too(model, engine, monkeypatch):
    location = locate(str(model("bert")), engine.store.digest)
    encoded = Encoder(location).tokenizer(many(20))
    with accelerator(monkeypatch):
        encoder = Encoder(location)
        encoder.model.encoder.layer[-1].output.LayerNorm.weight.data.mul_(1e5)
        (exact,) = encoder.run(encoded)
        with pytest.raises(ModelError, match="numbers that are not finite"):
            next(encoder.run(encoded, dtype="float16"))
    assert np.abs(exact.layers[3]).max() > 65_504


def test_a_batch_that_memory_has_no_room_for_is_halved(model, engine, monkeypatch):
    location = locate(str(model("bert")), engine.store.digest)
    encoded = Encoder(location).tokenizer(many(60))
    right = [*Encoder(location).run(encoded)]
    with accelerator(monkeypatch) as device:
        encoder = Encoder(location)
        weights = max(parameter.numel() for parameter in encoder.model.parameters())
        device.numbers = weights + 10_000
        batches = [*encoder.run(encoded)]
    assert len(batches) > len(right)
    last = np.concatenate([states.layers[3] for states in batches])
    np.testing.assert_allclose(last, np.concatenate([states.layers[3] for states in right]), atol=1e-5)


def test_a_text_that_memory_has_no_room_for_is_refused_in_words(model, engine, monkeypatch):
    location = locate(str(model("bert")), engine.store.digest)
    encoded = Encoder(location).tokenizer(["the dog sat on the mat " * 8])
    with accelerator(monkeypatch) as device:
        encoder = Encoder(location)
        weights = max(parameter.numel() for parameter in encoder.model.parameters())
        device.numbers = 100
        with pytest.raises(
            ModelError, match="does not fit into the memory of Handmade GPU.*STRATA_DEVICE=cpu"
        ):
            next(encoder.run(encoded))
        device.numbers = weights + 10_000
        assert next(encoder.run(encoded)).sentences == slice(0, 1)


def test_sequences_that_memory_has_no_room_for_are_read_in_halves(model, engine, monkeypatch):
    location = locate(str(model("bert")), engine.store.digest)
    tokens = Encoder(location).tokenizer(["the dog sat on the mat " * 2]).tokens
    rows = np.repeat(tokens.ids[None], 40, axis=0)
    rows[:, 1] = np.arange(5, 45)
    types = np.zeros(rows.shape[1], np.int64)
    wanted = rows % 3 > 0
    right = Encoder(location).states(rows, types, wanted)
    with accelerator(monkeypatch) as device:
        encoder = Encoder(location)
        weights = max(parameter.numel() for parameter in encoder.model.parameters())
        device.numbers = weights + 10_000
        halved = encoder.states(rows, types, wanted)
        assert encoder.batch_size(rows.shape[1]) < Encoder(location).batch_size(rows.shape[1])
        device.numbers = 100
        with pytest.raises(ModelError, match="does not fit into the memory of Handmade GPU"):
            encoder.states(rows[:1], types, wanted[:1])
    for layer, states in right.items():
        np.testing.assert_allclose(halved[layer], states, atol=1e-5)


def test_the_attention_of_a_text_that_memory_has_no_room_for_is_refused(model, engine, monkeypatch):
    location = locate(str(model("bert")), engine.store.digest)
    encoded = Encoder(location).tokenizer(["the dog sat on the mat"])
    with accelerator(monkeypatch) as device:
        encoder = Encoder(location)
        device.numbers = 100
        with pytest.raises(ModelError, match="does not fit into the memory of Handmade GPU"):
            encoder.attentions(encoded, 0)


def test_the_handmade_gpu_notices_what_a_real_one_would(monkeypatch):
    with accelerator(monkeypatch):
        there, here = torch.ones(2, 3).to(DEVICE), torch.ones(2, 3)
        for wrong in (lambda: there + here, lambda: there @ here.T, lambda: here[there > 0]):
            with pytest.raises(RuntimeError, match="on the CPU"):
                wrong()
        with pytest.raises(TypeError, match="not for numpy"):
            there.numpy()
        assert (there * 2).device == DEVICE
        assert (there.cpu() + here).numpy().tolist() == [[2.0] * 3] * 2
        assert torch.arange(3, device=DEVICE).device == DEVICE
        assert here.device == torch.device("cpu")
    assert device_module.find_device("cpu") is CPU
