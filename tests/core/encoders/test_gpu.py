"""On a GPU of CUDA: the numbers of the CPU. ``STRATA_NEEDS_GPU=1`` lets the tests see one."""

import os
from dataclasses import replace

import numpy as np
import pytest
import torch

from core.corpora.corpus import Corpus
from core.encoders.encoder import Encoder
from core.encoders.models import locate
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.settings import Settings
from tests.core.helpers.texts import many

pytestmark = pytest.mark.skipif(
    os.environ.get("STRATA_NEEDS_GPU") != "1", reason="STRATA_NEEDS_GPU is not 1"
)

CORPUS = Corpus.of_texts("t", many(60))
FAMILIES = ("bert", "roberta", "gpt2", "electra", "albert", "distilbert", "xlnet", "llama")


def apart(found, right) -> float:
    """The largest difference, as a share of the largest number: float32 rounds what is added up by it."""
    return float(np.abs(found - right).max() / max(1.0, np.abs(right).max()))


def read(text: str, folder, **given):
    """The stored pass of a recipe's source."""
    engine = Engine(Settings(cache=folder, **given))
    return engine.passes.get(engine.passes.source(Recipe.parse(text).source), CORPUS)[0]


@pytest.mark.parametrize("storage", ["float32", "float16"])
@pytest.mark.parametrize("family", FAMILIES)
def test_a_pass_is_that_of_the_cpu(family, storage, model, tmp_path):
    text = f"source={model(family)}"
    right = read(text, tmp_path / "cpu", device="cpu", storage=storage)
    found = read(text, tmp_path / "gpu", storage=storage)
    assert found.about["device"] == torch.cuda.get_device_name()
    every, bound = slice(0, len(found.tokens)), {"float32": 1e-5, "float16": 2e-3}[storage]
    for layer in right.layers:
        assert apart(found.read(layer, every), right.read(layer, every)) < bound
    if (diagonals := right.diagonals(every)) is not None:
        assert apart(found.diagonals(every), diagonals) < bound


@pytest.mark.parametrize("family", FAMILIES)
def test_a_pass_in_bfloat16_errs_no_more_than_that_of_the_cpu(family, model, tmp_path):
    text = f"source={model(family)}"
    right = read(text, tmp_path / "right", device="cpu")
    usual = read(text, tmp_path / "cpu", device="cpu", forward="bfloat16")
    found = read(text, tmp_path / "gpu", forward="bfloat16")
    every = slice(0, len(found.tokens))
    for layer in right.layers:
        exact = right.read(layer, every)
        errors = [np.abs(other.read(layer, every) - exact).mean() for other in (found, usual)]
        assert errors[0] <= 2 * errors[1] + 1e-6  # layer 0 is not rounded to bfloat16 at all


@pytest.mark.parametrize("family", FAMILIES)
def test_sequences_attention_and_static_rows_are_those_of_the_cpu(family, model, engine):
    location = locate(str(model(family)), engine.store.digest)
    here, there = Encoder(location, device="cpu"), Encoder(location, device="cuda")
    encoded = here.tokenizer(many(4))
    span = encoded.tokens.span(0)
    ids, types = encoded.tokens.ids[None, span], encoded.type_ids[span]
    np.testing.assert_array_equal(there.static_rows(ids[0]), here.static_rows(ids[0]))
    assert apart(there.attentions(encoded, 1), here.attentions(encoded, 1)) < 1e-5
    wanted = ids % 3 > 0
    for layer, states in there.states(ids, types, wanted).items():
        assert apart(states, here.states(ids, types, wanted)[layer]) < 1e-5


def test_a_batch_that_its_memory_has_no_room_for_is_halved(model, engine):
    location = locate(str(model("bert")), engine.store.digest)
    encoder = Encoder(location, device="cuda")
    encoded = encoder.tokenizer([f"{text} {i}" for i in range(1000) for text in many(20)])
    right = [states.layers[3] for states in encoder.run(encoded)]
    encoder.device = replace(encoder.device, tokens=10**9, attention_bytes=10**12)
    torch.cuda.empty_cache()
    torch.cuda.set_per_process_memory_fraction(2e8 / torch.cuda.mem_get_info()[1])
    try:
        batches = [*encoder.run(encoded)]
    finally:
        torch.cuda.set_per_process_memory_fraction(1.0)
    assert encoder.batch_size(1) < 10**9
    assert [batch.sentences.stop for batch in batches][:-1] == [batch.sentences.start for batch in batches][
        1:
    ]
    assert apart(np.concatenate([batch.layers[3] for batch in batches]), np.concatenate(right)) < 1e-5
