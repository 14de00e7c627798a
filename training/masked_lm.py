"""``python -m training.masked_lm``: train a masked language model on text files.

Progress goes to standard error. A wrong value exits with code 2 and one line that says what is allowed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path

import torch

from core.cli.common import Parser
from core.errors import StrataError
from core.settings import FORWARD
from training.command import print_progress, run
from training.settings import SEQUENCES, TrainingSettings
from training.train import CHECKPOINT_STEPS, train

_EPILOG = """The same command with --resume goes on from the last checkpoint, with the losses that an
undisturbed training has. At the end OUTPUT holds model.safetensors (float16), config.json, the tokenizer
and training.json, the record of settings and losses. It works as source=OUTPUT in a recipe and with
AutoModelForMaskedLM."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    stopped = "Stopped. The same command with --resume goes on from the last checkpoint."
    return run(_build_parser(), _train, arguments, stopped)


def _build_parser() -> argparse.ArgumentParser:
    usual = {field.name: field.default for field in fields(TrainingSettings)}
    parser = Parser(
        prog="python -m training.masked_lm",
        description="Train a masked language model: an encoder's body with a new head, on text files.",
        epilog=_EPILOG,
    )
    add = parser.add_argument
    add("--text", required=True, nargs="+", type=Path, help="text files, one text a line; plain or .gz")
    add("--output", required=True, type=Path, help="an empty or new folder")
    add("--start", default=usual["start"], help="bundled, a folder or a hub id (default: %(default)s)")
    add("--tokens", type=int, help="tokens to train on (default: every sequence once)")
    add(
        "--sequences",
        default=usual["sequences"],
        help=f"{' or '.join(SEQUENCES)}: a line each, or lines one after another (default: %(default)s)",
    )
    for name, what in (
        ("max_length", "tokens of a sequence at most"),
        ("batch", "sequences per step"),
        ("learning_rate", "the highest learning rate"),
        ("warm_up", "share of the tokens over which the learning rate rises"),
        ("weight_decay", "of AdamW"),
        ("seed", "of the new head, the order, the masks and dropout"),
    ):
        option = f"--{name.replace('_', '-')}"
        add(option, type=type(usual[name]), default=usual[name], help=f"{what} (default: %(default)s)")
    add("--forward", default=usual["forward"], help=f"{' or '.join(FORWARD)} (default: %(default)s)")
    add(
        "--checkpoint-steps",
        type=int,
        default=CHECKPOINT_STEPS,
        help="steps between two checkpoints (default: %(default)s)",
    )
    add("--resume", action="store_true", help="go on from the checkpoint in OUTPUT")
    add("--threads", type=int, help="threads of the CPU (default: torch's); rounding depends on it")
    add("--quiet", action="store_true", help="no progress on standard error")
    return parser


def _train(options: argparse.Namespace) -> None:
    set_threads(options.threads)
    given = {field.name: getattr(options, field.name) for field in fields(TrainingSettings)}
    settings = TrainingSettings(**given | {"text": tuple(options.text)})
    losses = train(
        settings,
        options.output,
        resume=options.resume,
        checkpoint_steps=options.checkpoint_steps,
        progress=print_progress(options.quiet),
    )
    if losses:
        print(f"{len(losses):,} steps; the model is in {options.output}")
    else:
        print(f"The training in {options.output} is finished; nothing is left to do.")


def set_threads(threads: int | None) -> None:
    """Let torch use so many threads; None leaves its choice."""
    if threads is None:
        return
    if threads < 1:
        raise StrataError(f"threads: got {threads}; allowed is 1 or more.")
    torch.set_num_threads(threads)


if __name__ == "__main__":
    sys.exit(main())
