"""15 % of the tokens are predicted: 80 % of them masked, 10 % replaced, 10 % kept."""

import numpy as np
import pytest
import torch
from transformers import AutoModelForMaskedLM, AutoTokenizer

from tests.core.helpers import tiny
from training.masking import Batch, Masking
from training.model import loss_at_masks

SPECIAL = np.zeros(1000, bool)
SPECIAL[:5] = True
MASKING = Masking(4, SPECIAL)


def test_shares_of_a_long_sequence():
    ids = np.random.default_rng(0).integers(0, 1000, 100_000).astype(np.int32)
    original = ids.copy()
    seen, predicted = MASKING.mask(ids, np.random.default_rng(1))
    assert (ids == original).all()
    assert predicted.sum() == round(0.15 * (ids >= 5).sum())
    assert not predicted[ids < 5].any()
    assert (seen[~predicted] == ids[~predicted]).all()
    masked, kept = (seen == 4)[predicted], (seen == ids)[predicted]
    assert masked.mean() == pytest.approx(0.8, abs=0.01)
    assert kept.mean() == pytest.approx(0.1, abs=0.01)
    assert (seen[predicted][~masked] >= 5).all()


@pytest.mark.parametrize(("length", "expected"), [(0, 0), (1, 1), (3, 1), (10, 2), (20, 3)])
def test_at_least_one_token_is_predicted_where_there_is_one(length, expected):
    ids = np.array([2, *range(10, 10 + length), 3], np.int32)
    _, predicted = MASKING.mask(ids, np.random.default_rng(0))
    assert predicted.sum() == expected


def test_a_generator_gives_the_same_masks():
    ids = np.arange(5, 200, dtype=np.int32)
    first, second = (MASKING.mask(ids, np.random.default_rng(7)) for _ in range(2))
    assert all((a == b).all() for a, b in zip(first, second, strict=True))


@pytest.mark.parametrize("family", ["bert", "roberta", "electra", "albert", "distilbert", "mpnet"])
def test_the_loss_is_that_of_transformers(family, tmp_path):
    """The head sees predicted tokens alone; transformers asks it everywhere and leaves the others out."""
    folder = tiny.build(family, tmp_path)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    torch.manual_seed(0)
    model = AutoModelForMaskedLM.from_pretrained(folder, dtype=torch.float32).eval()
    texts = ["A girl plays the guitar in the park.", "Two men sat."]
    ids = [np.array(row, np.int32) for row in tokenizer(texts)["input_ids"]]
    masking, generator = Masking.of(tokenizer), np.random.default_rng(0)
    batch = Batch.of(ids, [masking.mask(row, generator) for row in ids], tokenizer.pad_token_id)
    labels = torch.full(batch.inputs.shape, -100)
    labels[batch.predicted] = batch.labels
    with torch.inference_mode():
        expected = model(input_ids=batch.inputs, attention_mask=batch.attention, labels=labels).loss
        assert loss_at_masks(model, batch) == pytest.approx(float(expected), rel=1e-5)
        again = model(input_ids=batch.inputs, attention_mask=batch.attention).logits
    assert again.shape[:2] == batch.inputs.shape
