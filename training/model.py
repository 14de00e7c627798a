"""A masked language model: an encoder's body with a head, loaded, asked at its masks, and saved."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError

from core.encoders.loading import ONE_MODEL
from core.encoders.model_config import GET_AGAIN
from core.encoders.models import Location
from core.errors import ModelError, first_line
from training.masking import Batch

WEIGHTS, RECORD = "model.safetensors", "training.json"


def load_tokenizer(location: Location) -> Any:
    """The fast tokenizer of an encoder, without truncation and padding of its own."""
    from transformers import AutoTokenizer

    try:
        tokenizer = AutoTokenizer.from_pretrained(
            str(location.folder), use_fast=True, trust_remote_code=False, local_files_only=True
        )
        tokenizer.backend_tokenizer.no_truncation()
        tokenizer.backend_tokenizer.no_padding()
    except (OSError, ValueError, ImportError, KeyError, AttributeError) as error:
        raise ModelError(
            f"{location.name} has no fast tokenizer: {first_line(error)}. {GET_AGAIN}"
        ) from error
    return tokenizer


def load_model(location: Location, *, new_head: bool) -> Any:
    """The masked language model of a folder, in float32.

    With ``new_head`` a body without head is given one from torch's random state; a head that the folder
    holds is kept. Without, a folder that lacks the head is refused.

    Raises :class:`ModelError` for a folder that is no masked language model or lacks weights of its body.
    """
    from transformers import AutoModelForMaskedLM
    from transformers.utils import logging

    logging.set_verbosity_error()  # its report on the new head reads like a failure
    logging.disable_progress_bar()
    try:
        with ONE_MODEL:
            model, report = AutoModelForMaskedLM.from_pretrained(
                str(location.folder),
                dtype=torch.float32,
                use_safetensors=True,
                trust_remote_code=False,
                local_files_only=True,
                output_loading_info=True,
            )
    except (OSError, ValueError, ImportError, KeyError, RuntimeError) as error:
        raise ModelError(
            f"{location.name} cannot be loaded as a masked language model: {first_line(error)}"
        ) from error
    except SafetensorError as error:
        raise ModelError(f"{location.name}: damaged weights ({error}). {GET_AGAIN}") from error
    lost = sorted(report["missing_keys"])
    if new_head:
        lost = [name for name in lost if name.startswith(f"{model.base_model_prefix}.")]
    if lost:
        raise ModelError(
            f"{location.name} lacks {len(lost):,} weights of a masked language model "
            f"({', '.join(lost[:3])}); give a folder that masked-language-model training saved."
        )
    return model


def loss_at_masks(model: Any, batch: Batch, reduction: str = "mean") -> torch.Tensor:
    """The cross entropy at the predicted tokens of a batch, in nats.

    The head sees these tokens alone: over a vocabulary of 30,000 it costs as much per token as the body of
    a small encoder.
    """

    def keep(_module: Any, _inputs: Any, output: Any) -> Any:
        output.last_hidden_state = output.last_hidden_state[batch.predicted][None]
        return output

    handle = model.base_model.register_forward_hook(keep)
    try:
        logits = model(input_ids=batch.inputs, attention_mask=batch.attention).logits[0]
    finally:
        handle.remove()
    return torch.nn.functional.cross_entropy(logits.float(), batch.labels, reduction=reduction)


def save_model(model: Any, tokenizer: Any, folder: Path, record: dict[str, Any]) -> None:
    """Save weights (float16), configuration, tokenizer and the record of the training; weights last.

    Every file takes its place whole, so that a folder with weights is complete.
    """
    temporary = folder / ".saving"
    shutil.rmtree(temporary, ignore_errors=True)
    model.half().save_pretrained(temporary)
    tokenizer.save_pretrained(temporary)
    (temporary / RECORD).write_text(json.dumps(record, indent=2) + "\n", "utf-8")
    for path in sorted(temporary.iterdir(), key=lambda p: p.name == WEIGHTS):
        path.replace(folder / path.name)
    temporary.rmdir()
