"""Training a tiny model: the loss falls, a seed gives one training, a killed one goes on undisturbed."""

import json
import runpy
import signal
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file
from transformers import AutoModelForMaskedLM, AutoTokenizer

from core.errors import StrataError
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.settings import Settings
from tests.core.helpers import forks
from training.checkpoint import FILE
from training.settings import TrainingSettings
from training.train import TrainingStep, learning_rate, train


@pytest.fixture(scope="module")
def trained(settings, tmp_path_factory) -> tuple[Path, list[float]]:
    """The folder of a finished training, and its losses."""
    folder = tmp_path_factory.mktemp("trained") / "model"
    return folder, train(settings, folder)


def same_weights(a: Path, b: Path) -> bool:
    first, second = (load_file(folder / "model.safetensors") for folder in (a, b))
    return first.keys() == second.keys() and all(torch.equal(first[k], second[k]) for k in first)


def test_the_loss_falls(trained):
    _, losses = trained
    assert np.mean(losses[-5:]) < np.mean(losses[:5]) - 1


def test_a_seed_gives_the_same_losses_and_weights(settings, trained, tmp_path):
    folder, losses = trained
    torch.manual_seed(99)
    assert train(settings, tmp_path / "again") == losses
    assert same_weights(folder, tmp_path / "again")


def test_another_seed_gives_other_losses_and_leaves_the_random_state_alone(settings, trained, tmp_path):
    _, losses = trained
    before = torch.random.get_rng_state()
    others = train(replace(settings, seed=4, tokens=1000), tmp_path / "other")
    assert others[0] != losses[0]
    assert torch.equal(before, torch.random.get_rng_state())


@pytest.mark.parametrize("every", [1, 7])
def test_a_stopped_training_goes_on_as_if_undisturbed(settings, trained, tmp_path, every):
    folder, losses = trained
    stops, output = (10, 12), tmp_path / "model"

    def stop_at(step: int):
        seen = []

        def progress(report):
            if isinstance(report, TrainingStep):
                seen.append(report)
                if len(seen) == step:
                    raise KeyboardInterrupt

        return progress

    for step in stops:
        with pytest.raises(KeyboardInterrupt):
            train(settings, output, resume=True, checkpoint_steps=every, progress=stop_at(step))
    assert train(settings, output, resume=True, checkpoint_steps=every) == losses
    assert same_weights(folder, output)


def run_the_command(_, *options: str) -> None:
    sys.argv = ["masked_lm", *options]
    runpy.run_module("training.masked_lm", run_name="__main__", alter_sys=True)


def test_a_killed_training_goes_on_as_if_undisturbed(settings, trained, tmp_path):
    folder, losses = trained
    output = tmp_path / "model"
    options = ["--text", settings.text[0], "--start", settings.start, "--output", output]
    options += ["--tokens", settings.tokens, "--max-length", 32, "--batch", 16, "--seed", 3]
    options += ["--learning-rate", 5e-3, "--checkpoint-steps", 1, "--quiet", "--threads", 1]
    process, _ = forks.start(run_the_command, *map(str, options))
    try:
        until = time.monotonic() + 120
        while not (output / FILE).exists() and process.is_alive() and time.monotonic() < until:
            time.sleep(0.005)
    finally:
        process.kill()
        process.join()
    assert process.exitcode == -signal.SIGKILL
    assert (output / FILE).exists()
    assert not (output / "model.safetensors").exists()
    (output / f".0000.{FILE}").write_bytes(b"half a checkpoint")
    assert train(settings, output, resume=True) == losses
    assert same_weights(folder, output)
    assert sorted(path.name for path in output.iterdir()) == sorted(path.name for path in folder.iterdir())


def test_a_finished_training_is_left_as_it_is(settings, trained):
    folder, _ = trained
    before = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    assert train(settings, folder, resume=True) == []
    assert before == {path: path.stat().st_mtime_ns for path in folder.iterdir()}


def test_the_folder_holds_a_model_in_float16_and_its_record(settings, trained):
    folder, losses = trained
    weights = load_file(folder / "model.safetensors")
    assert {tensor.dtype for tensor in weights.values()} == {torch.float16}
    assert not any(path.name.startswith((".", "checkpoint")) for path in folder.iterdir())
    record = json.loads((folder / "training.json").read_text("utf-8"))
    assert record["steps"] == len(losses)
    assert record["tokens"] >= settings.tokens
    assert record["settings"]["text"][0]["name"] == "lines.txt"
    assert np.mean(record["losses"]) == pytest.approx(np.mean(losses), abs=1e-2)


def test_transformers_loads_the_model_with_tied_weights(trained):
    folder, _ = trained
    model, report = AutoModelForMaskedLM.from_pretrained(
        folder, dtype=torch.float32, output_loading_info=True
    )
    assert not report["missing_keys"]
    assert not report["unexpected_keys"]
    assert model.get_output_embeddings().weight is model.get_input_embeddings().weight
    tokenizer = AutoTokenizer.from_pretrained(folder)
    inputs = tokenizer("The white dog [MASK].", return_tensors="pt")
    assert torch.isfinite(model(**inputs).logits).all()


def test_the_engine_takes_the_folder_as_source(trained, tmp_path):
    folder, _ = trained
    engine = Engine(Settings(cache=tmp_path / "cache"))
    recipe = Recipe().replace(source=str(folder))
    vectors = engine.encode(["A girl plays.", "Two men sat."], recipe)
    assert vectors.shape == (2, 32)
    assert np.isfinite(vectors).all()


def test_a_model_with_a_head_can_be_trained_on(settings, trained, tmp_path):
    folder, losses = trained
    onward = replace(settings, start=str(folder), tokens=1000)
    assert np.mean(train(onward, tmp_path / "onward")[:3]) < np.mean(losses[:3]) - 1


def test_packed_sequences_and_bfloat16_train_as_well(settings, tmp_path):
    packed = replace(settings, sequences="packed", forward="bfloat16", tokens=3000)
    losses = train(packed, tmp_path / "packed")
    assert np.isfinite(losses).all()
    assert len(losses) == int(np.ceil(3000 / (16 * 32)))


def test_progress_says_tokens_loss_speed_and_time_left(settings, tmp_path):
    reports = []
    train(replace(settings, tokens=1000), tmp_path / "model", progress=reports.append)
    steps = [report for report in reports if isinstance(report, TrainingStep)]
    assert steps[-1].done == steps[-1].total == 1000
    assert str(TrainingStep("Training", 500, 8000, 2.5, 2.0)) == (
        "Training: 500 of 8,000 tokens; loss 2.500; 2 tokens/s; 1 h 02 min left"
    )


def test_the_learning_rate_rises_and_falls_linearly():
    settings = TrainingSettings((Path("a"),), learning_rate=0.5, warm_up=0.2)
    rates = [learning_rate(settings, tokens, 100) for tokens in (0, 10, 20, 60, 100)]
    assert rates == pytest.approx([0, 0.25, 0.5, 0.25, 0])


def test_a_training_that_diverges_says_so(settings, tmp_path):
    with pytest.raises(StrataError, match="lower --learning-rate"):
        train(
            replace(settings, learning_rate=1.0, weight_decay=1.0, start=diverging(settings, tmp_path)),
            tmp_path / "m",
        )


def diverging(settings: TrainingSettings, tmp_path: Path) -> str:
    """The start with a weight that is not finite."""
    model = AutoModelForMaskedLM.from_pretrained(settings.start)
    with torch.no_grad():
        model.get_input_embeddings().weight.fill_(float("nan"))
    model.save_pretrained(tmp_path / "nan")
    AutoTokenizer.from_pretrained(settings.start).save_pretrained(tmp_path / "nan")
    return str(tmp_path / "nan")
