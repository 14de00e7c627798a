"""The training itself: from settings to a saved model, with checkpoints on the way."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
import transformers
from filelock import FileLock, Timeout

from core.encoders.models import locate
from core.errors import StrataError, shorten
from core.progress import Progress, Step, silent
from core.storage.files import sha256_of
from training.checkpoint import (
    FILE,
    Position,
    read_checkpoint,
    remove_leftovers,
    restore,
    save_checkpoint,
)
from training.masking import Batch, Masking
from training.model import RECORD, load_model, load_tokenizer, loss_at_masks, save_model
from training.sequences import Sequences, batches, read_sequences
from training.settings import TrainingSettings, refuse_other

CHECKPOINT_STEPS = 200
GRADIENT_NORM = 1.0
"""Longer gradients are shortened to this norm."""

RECENT = 50
"""Steps whose mean loss is shown."""

RECORDED = 100
"""Losses, each a mean over equally many steps, that the record of a training holds at most."""

LOCK = ".lock"


@dataclass(frozen=True)
class TrainingStep(Step):
    """Tokens done, with the mean loss of recent steps and the speed since the command began."""

    loss: float
    tokens_per_second: float

    def __str__(self) -> str:
        left = (self.total - self.done) / self.tokens_per_second
        return (
            f"{super().__str__()} tokens; loss {self.loss:.3f}; {self.tokens_per_second:,.0f} tokens/s; "
            f"{duration(left)} left"
        )


def duration(seconds: float) -> str:
    """``2 h 05 min``, ``3 min 20 s`` or ``12 s``."""
    whole = max(0, round(seconds))
    if whole >= 3600:
        return f"{whole // 3600} h {whole % 3600 // 60:02} min"
    return f"{whole // 60} min {whole % 60:02} s" if whole >= 60 else f"{whole} s"


def train(
    settings: TrainingSettings,
    output: Path,
    *,
    resume: bool = False,
    checkpoint_steps: int = CHECKPOINT_STEPS,
    progress: Progress = silent,
) -> list[float]:
    """Train a masked language model and save it in ``output``; the loss of every step, in nats.

    On the CPU the losses and the weights follow from the settings (with one number of threads and one
    version of torch), whether the training is interrupted and resumed or not. With ``resume`` a folder
    without checkpoint starts at the first step, and a finished one is left as it is (no losses).

    Raises
    ------
    StrataError
        The folder is not empty (without ``resume``), in use, or holds a training with other settings; the
        text gives less than one batch; the start is no encoder that can be trained.
    """
    if checkpoint_steps < 1:
        raise StrataError(f"checkpoint-steps: got {checkpoint_steps}; allowed is 1 or more.")
    _refuse_folder(output, resume)
    start = locate(settings.start, sha256_of)
    tokenizer = load_tokenizer(start)
    if settings.max_length > start.max_tokens:
        raise StrataError(
            f"max-length: got {settings.max_length}; {start.name} reads {start.max_tokens} tokens at most."
        )
    sequences = read_sequences(
        settings.text, tokenizer, settings.max_length, settings.sequences, progress=progress
    )
    if len(sequences) < settings.batch:
        raise StrataError(
            f"The text is too short: it gives {len(sequences):,} sequences of up to {settings.max_length} "
            f"tokens, and a batch holds {settings.batch:,}. Give more text or a smaller --batch."
        )
    total = settings.tokens or sequences.tokens
    described = settings.described(start, total)
    with _locked(output), torch.random.fork_rng():
        if resume and _finished(output, described):
            return []
        remove_leftovers(output)
        torch.manual_seed(settings.seed)
        model = load_model(start, new_head=True)
        run = _Run(settings, described, output, model, tokenizer, sequences)
        run.resume()
        run.to_end(checkpoint_steps, progress)
        save_model(model, tokenizer, output, run.record())
        (output / FILE).unlink(missing_ok=True)
        return run.losses


class _Run:
    """A training between its first step and its last."""

    def __init__(
        self,
        settings: TrainingSettings,
        described: dict[str, Any],
        output: Path,
        model: Any,
        tokenizer: Any,
        sequences: Sequences,
    ) -> None:
        self.settings, self.described, self.output = settings, described, output
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.model = model.to(self.device).train()
        self.optimizer = _optimizer(self.model, settings)
        self.masking, self.pad = Masking.of(tokenizer), tokenizer.pad_token_id or 0
        self.sequences, self.total = sequences, int(described["tokens"])
        self.position, self.losses = Position(), list[float]()

    def resume(self) -> None:
        """Go to the folder's checkpoint, if it has one."""
        checkpoint = read_checkpoint(self.output)
        if checkpoint:
            refuse_other(checkpoint.settings, self.described, self.output)
            restore(checkpoint, self.model, self.optimizer)
            self.position, self.losses = checkpoint.position, checkpoint.losses

    def to_end(self, checkpoint_steps: int, progress: Progress) -> None:
        """Every step that is left, with a checkpoint after every so many and at the end."""
        begin, before = time.monotonic(), self.position.tokens
        settings = self.settings
        for rows in batches(self.sequences.lengths, settings.batch, settings.seed, self.position.step):
            if self.position.tokens >= self.total:
                break
            self._step(rows)
            seconds = max(time.monotonic() - begin, 1e-9)
            done = min(self.position.tokens, self.total)
            rate = (self.position.tokens - before) / seconds
            progress(
                TrainingStep("Training", done, self.total, float(np.mean(self.losses[-RECENT:])), rate)
            )
            if self.position.step % checkpoint_steps == 0 or self.position.tokens >= self.total:
                save_checkpoint(
                    self.output, self.described, self.position, self.losses, self.model, self.optimizer
                )

    def _step(self, rows: np.ndarray) -> None:
        generator = np.random.default_rng((self.settings.seed, self.position.step, 1))
        torch.manual_seed(int(generator.integers(2**63)))  # dropout
        original = [self.sequences[i] for i in rows]
        masked = [self.masking.mask(ids, generator) for ids in original]
        batch = Batch.of(original, masked, self.pad).to(self.device)
        rate = learning_rate(self.settings, self.position.tokens, self.total)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        bfloat16 = self.settings.forward == "bfloat16"
        with torch.autocast(self.device.type, torch.bfloat16, enabled=bfloat16):
            loss = loss_at_masks(self.model, batch)
        self.optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), GRADIENT_NORM)
        self.optimizer.step()
        self.losses.append(float(loss.detach()))
        if not np.isfinite(self.losses[-1]):
            raise StrataError(
                f"The loss is {self.losses[-1]} at step {self.position.step}; take a lower --learning-rate."
            )
        self.position = Position(self.position.step + 1, self.position.tokens + sum(map(len, original)))

    def record(self) -> dict[str, Any]:
        """What the training was, for the saved model's folder."""
        parts = np.array_split(self.losses, min(RECORDED, len(self.losses)))
        return {
            "settings": self.described,
            "steps": self.position.step,
            "tokens": self.position.tokens,
            "tokens_in_text": self.sequences.tokens,
            "losses": [round(float(part.mean()), 4) for part in parts],
            "versions": {"torch": torch.__version__, "transformers": transformers.__version__},
        }


def learning_rate(settings: TrainingSettings, tokens: int, total: int) -> float:
    """The learning rate after some tokens: a linear rise from 0, then a linear fall to 0."""
    share, warm_up = tokens / total, settings.warm_up
    factor = share / warm_up if share < warm_up else (1 - share) / (1 - warm_up)
    return settings.learning_rate * factor


def _optimizer(model: Any, settings: TrainingSettings) -> torch.optim.Optimizer:
    parameters = list(model.parameters())
    groups = [
        {"params": [p for p in parameters if p.ndim > 1], "weight_decay": settings.weight_decay},
        {"params": [p for p in parameters if p.ndim <= 1], "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=settings.learning_rate)


def _refuse_folder(output: Path, resume: bool) -> None:
    if output.exists() and not output.is_dir():
        raise StrataError(f"output: {shorten(output)} is a file; give a folder.")
    shown = [path for path in output.glob("*") if not path.name.startswith(".")]
    if not resume and shown:
        raise StrataError(
            f"output: the folder {shorten(output)} is not empty; --resume continues the training in it, or "
            "give another folder."
        )
    ours = {FILE, RECORD}
    if resume and shown and not ours & {path.name for path in shown}:
        raise StrataError(
            f"output: the folder {shorten(output)} holds no checkpoint of a training; give its folder, or "
            "an empty one."
        )


def _finished(output: Path, described: dict[str, Any]) -> bool:
    """Whether the folder holds the finished model of these settings; refuses those of others."""
    record = output / RECORD
    if (output / FILE).exists() or not record.is_file():
        return False
    try:
        kept = json.loads(record.read_text("utf-8"))["settings"]
    except (OSError, ValueError, KeyError) as error:
        raise StrataError(f"{shorten(record)} cannot be read ({error}); give another --output.") from error
    refuse_other(kept, described, output)
    return True


@contextmanager
def _locked(output: Path) -> Iterator[None]:
    """Hold a folder alone, made if it is not there."""
    try:
        output.mkdir(parents=True, exist_ok=True)
        with FileLock(output / LOCK, timeout=0):
            yield
            (output / LOCK).unlink(missing_ok=True)
    except Timeout as error:
        raise StrataError(f"output: another training runs in {shorten(output)}.") from error
    except OSError as error:
        raise StrataError(f"output: {shorten(output)} cannot be written ({error.strerror}).") from error
