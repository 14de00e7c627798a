"""A tiny encoder, a few hundred lines to train it on, and a command that trains it."""

from pathlib import Path

import numpy as np
import pytest
import torch

from tests.core.helpers import tiny
from tests.core.helpers.texts import many
from training import evaluate, masked_lm
from training.settings import TrainingSettings


@pytest.fixture(scope="session")
def start(tmp_path_factory) -> Path:
    """The folder of a tiny BERT with random weights, small enough to learn from a few hundred lines."""
    folder = tiny.build("bert", tmp_path_factory.mktemp("start") / "bert")
    from transformers import AutoModel

    model = AutoModel.from_pretrained(folder)
    for parameter in model.parameters():
        if parameter.ndim > 1:
            torch.nn.init.normal_(parameter, std=0.02)
    model.save_pretrained(folder)
    return folder


@pytest.fixture(scope="session")
def text(tmp_path_factory) -> Path:
    """Three hundred different lines."""
    lines = many(150)
    generator = np.random.default_rng(2)
    lines += [f"{lines[i]} {lines[j]}".lower() for i, j in generator.integers(0, 150, (150, 2))]
    path = tmp_path_factory.mktemp("text") / "lines.txt"
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


@pytest.fixture(scope="session")
def settings(start, text) -> TrainingSettings:
    """Two passes over the lines."""
    return TrainingSettings(
        (text,), str(start), tokens=9000, max_length=32, batch=16, learning_rate=5e-3, seed=3
    )


@pytest.fixture
def command(capsys):
    """Run ``masked_lm`` or ``evaluate`` in this process; its exit code, standard output and error."""

    def run(name, *arguments):
        main = {"masked_lm": masked_lm.main, "evaluate": evaluate.main}[name]
        capsys.readouterr()  # what fixtures printed
        try:
            code = main([*map(str, arguments)])
        except SystemExit as stop:
            code = stop.code
        out, err = capsys.readouterr()
        return code, out, err

    return run
