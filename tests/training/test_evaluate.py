"""Loss on held-out text, and the behaviour table."""

import numpy as np
import pytest

from core.pipeline.engine import Engine
from core.settings import Settings
from tests.core.helpers.texts import pairs
from training.behaviour import BERT, behaviour, markdown
from training.held_out import held_out_loss
from training.train import train

TOKENS = 130
"""Of the tiny model's vocabulary."""


@pytest.fixture(scope="module")
def model(settings, tmp_path_factory):
    folder = tmp_path_factory.mktemp("model") / "tiny"
    train(settings, folder)
    return folder


def test_a_trained_model_predicts_its_text_better_than_chance(model, text):
    measured = held_out_loss(str(model), [text])
    assert measured.loss < np.log(TOKENS) - 1
    assert measured.perplexity == pytest.approx(np.exp(measured.loss))
    assert measured.predicted / measured.tokens == pytest.approx(0.13, abs=0.03)


def test_the_loss_follows_from_the_seed_and_not_from_batches(model, text, monkeypatch):
    first = held_out_loss(str(model), [text], lines=60)
    monkeypatch.setattr("training.held_out.BATCH", 7)
    assert held_out_loss(str(model), [text], lines=60).loss == pytest.approx(first.loss, rel=1e-5)
    assert held_out_loss(str(model), [text], lines=60, seed=1).loss != pytest.approx(first.loss, rel=1e-3)


def test_the_command_prints_loss_and_perplexity(command, model, text):
    code, out, err = command("evaluate", "--model", model, "--text", text, "--lines", 40, "--threads", 1)
    assert code == 0
    assert "lines.txt: masked-LM loss" in out
    assert "40 sequences of up to 96 tokens" in out, "the model reads no more"
    assert "sequences: 40 of 40" in err


def test_the_table_has_every_recipe_of_the_papers(model, tmp_path):
    corpus = pairs()
    rows = behaviour(Engine(Settings(cache=tmp_path / "cache")), str(model), corpus)
    assert [row.name for row in rows[:4]] == [f"layers={i}" for i in range(4)]
    assert [row.name for row in rows[4 : 4 + len(BERT)]] == list(BERT)
    assert np.isfinite([row.value for row in rows]).all()
    values = {row.name: row.value for row in rows}
    assert values["layers=last"] == pytest.approx(values["layers=3"])
    lines = markdown(rows, "tiny", corpus).splitlines()
    assert len(lines) == len(rows) + 2
    assert lines[-1].endswith("| 0.508 |")
