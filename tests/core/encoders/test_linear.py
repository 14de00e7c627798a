"""Linear layers by oneDNN give what torch's own give, to rounding."""

import numpy as np
import pytest
import torch

from core.encoders import linear as linear_module
from core.encoders.encoder import Encoder
from core.encoders.linear import OneDnnLinear, use_onednn
from core.encoders.models import locate
from tests.core.helpers.texts import many

needs_512 = pytest.mark.skipif(
    not (torch.backends.mkldnn.is_available() and torch.cpu._is_avx512_supported()),
    reason="oneDNN is taken where the processor has instructions of 512 bits",
)


@needs_512
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("shape", [(7, 32), (2, 5, 32), (1, 32), (0, 32)])
@torch.inference_mode()
def test_the_layer_is_the_product_to_rounding(shape, bias):
    torch.manual_seed(0)
    theirs = torch.nn.Linear(32, 48, bias=bias)
    x = torch.randn(shape)
    ours = OneDnnLinear(theirs)(x)
    exact = torch.nn.functional.linear(
        x.double(), theirs.weight.double(), theirs.bias.double() if bias else None
    )
    assert ours.shape == (*shape[:-1], 48)
    np.testing.assert_allclose(ours, exact, rtol=0, atol=2e-6)


@needs_512
@torch.inference_mode()
def test_under_autocast_it_is_torchs_own_in_bfloat16():
    torch.manual_seed(0)
    theirs, x = torch.nn.Linear(64, 48), torch.randn(3, 9, 64)
    ours = OneDnnLinear(theirs)
    with torch.autocast("cpu", torch.bfloat16):
        given, expected = ours(x), theirs(x)
    assert given.dtype == expected.dtype == torch.bfloat16
    np.testing.assert_allclose(given.float(), expected.float(), rtol=2**-7, atol=1e-3)
    np.testing.assert_allclose(ours(x), theirs(x), atol=2e-6)  # float32 again without it


@torch.inference_mode()
def test_other_precisions_are_torchs_own():
    theirs, x = torch.nn.Linear(8, 4).double(), torch.randn(3, 8, dtype=torch.float64)
    assert torch.equal(OneDnnLinear(theirs)(x), theirs(x))


class Doubled(torch.nn.Linear):
    """A layer that does something else."""

    def forward(self, input: torch.Tensor) -> torch.Tensor:
        return 2 * super().forward(input)


def test_layers_of_other_kinds_stay_and_weights_are_not_copied(monkeypatch):
    monkeypatch.setattr(torch.cpu, "_is_avx512_supported", lambda: True)
    monkeypatch.setattr(torch.backends.mkldnn, "is_available", lambda: True)
    first, second = torch.nn.Linear(4, 4), Doubled(4, 4)
    model = use_onednn(torch.nn.Sequential(torch.nn.Sequential(first), second))
    assert type(model[0][0]) is OneDnnLinear
    assert model[0][0].weight is first.weight
    assert model[1] is second


@pytest.mark.parametrize("lacks", ["instructions", "library"])
def test_nothing_changes_where_the_processor_or_torch_lacks_it(lacks, monkeypatch):
    monkeypatch.setattr(torch.cpu, "_is_avx512_supported", lambda: lacks != "instructions")
    monkeypatch.setattr(torch.backends.mkldnn, "is_available", lambda: lacks != "library")
    model = torch.nn.Sequential(torch.nn.Linear(4, 4))
    layer = model[0]
    assert use_onednn(model)[0] is layer


@pytest.mark.parametrize("family", ["bert", "roberta", "electra", "xlnet", "gpt2"])
def test_states_are_those_of_torchs_own_layers(family, model, engine, monkeypatch):
    location = locate(str(model(family)), engine.store.digest)
    ours = Encoder(location)
    encoded = ours.tokenizer(many(12))
    found = [*ours.run(encoded)]
    monkeypatch.setattr("core.encoders.encoder.use_onednn", lambda loaded: loaded)
    plain = Encoder(location)
    assert not any(isinstance(each, linear_module.OneDnnLinear) for each in plain.model.modules())
    for states, expected in zip(found, plain.run(encoded), strict=True):
        for layer, rows in states.layers.items():
            np.testing.assert_allclose(rows, expected.layers[layer], rtol=0, atol=5e-6)
        np.testing.assert_allclose(states.diagonals, expected.diagonals, rtol=0, atol=1e-6)
