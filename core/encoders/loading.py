"""Loading a transformer from a folder that nobody vouches for: safetensors only, and no code of it runs.

The sizes that ``config.json`` promises are compared with those of the weights before memory is allocated.
"""

from __future__ import annotations

import math
import threading
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open

from core.encoders.model_config import GET_AGAIN, NOT_OF_EACH_OTHER, why
from core.encoders.models import Location
from core.errors import ModelError
from core.loading import LOADING

PROMISED_TIMES = 4
PROMISED_MORE = 10_000_000
"""A configuration may promise so many times, and so many more, numbers than the weights hold."""

ONE_MODEL = threading.Lock()
"""Held while transformers loads a model: meanwhile it changes torch's initialisation for the whole process,
and two loads at the same time leave it changed."""

SHARED_LAYERS = 100
"""How many more layers than the weights have arrays a configuration may promise: ALBERT's share theirs."""


def load_model(location: Location) -> torch.nn.Module:
    """The transformer of a folder, without its head, in evaluation mode and in float32.

    Raises
    ------
    ModelError
        Damaged or missing weights, or a configuration that transformers cannot follow.
    """
    with ONE_MODEL:
        return _load_model(location)


def _load_model(location: Location) -> torch.nn.Module:
    with LOADING:
        from transformers import AutoModel
        from transformers.utils import logging

    logging.set_verbosity_error()  # its report on heads that are not used reads like a failure
    logging.disable_progress_bar()
    if location.config.encoder_decoder:
        raise ModelError(
            f"{location.name} is an encoder-decoder model; take an encoder, as BERT, or a "
            "decoder, as GPT-2."
        )
    if location.config.quantized:
        raise ModelError(
            f"{location.name} has quantized weights (quantization_config in config.json), which are not "
            "read; take the model that it was made from."
        )
    try:
        _refuse_empty_promises(location)
        loaded, report = AutoModel.from_pretrained(
            str(location.folder),
            attn_implementation="eager",
            dtype=torch.float32,
            use_safetensors=True,
            trust_remote_code=False,
            local_files_only=True,
            output_loading_info=True,
        )
    except ModelError:
        raise
    except SafetensorError as error:
        raise ModelError(f"{location.name}: damaged weights ({error}). {GET_AGAIN}") from error
    except Exception as error:  # transformers and torch raise many kinds for a damaged folder
        raise ModelError(f"{location.name} could not be loaded: {_reason(error)}") from error
    lost = sorted(name for name in report["missing_keys"] if not _is_head(name))
    if lost:  # the library would fill them with random numbers
        raise ModelError(
            f"{location.name} could not be loaded: its files lack {len(lost):,} of the weights "
            f"that config.json promises ({', '.join(lost[:3])}). {NOT_OF_EACH_OTHER}"
        )
    loaded.config.return_dict = True
    return loaded.eval()


def load_config(location: Location) -> object:
    """The configuration as transformers reads it; raises :class:`ModelError` when it cannot."""
    with LOADING:
        from transformers import AutoConfig

    folder = str(location.folder)
    try:
        return AutoConfig.from_pretrained(folder, trust_remote_code=False, local_files_only=True)
    except Exception as error:  # transformers raises many kinds for values it does not expect
        raise ModelError(f"{location.name} could not be loaded: config.json: {why(error)}") from error


def _refuse_empty_promises(location: Location) -> None:
    """Refuse a configuration of far more numbers than the weights hold: the rest would be made up."""
    with LOADING:
        from transformers import AutoModel

    config, sizes = load_config(location), _sizes_of(location.folder)
    held, promised = sum(sizes), location.dim**2
    most = PROMISED_TIMES * held + PROMISED_MORE
    if promised <= most:
        if location.depth > len(sizes) + SHARED_LAYERS:
            raise ModelError(
                f"{location.name} could not be loaded: config.json promises {location.depth:,} layers; its "
                f"weights are {len(sizes):,} arrays. {NOT_OF_EACH_OTHER}"
            )
        with torch.device("meta"):
            shell = AutoModel.from_config(config, trust_remote_code=False, attn_implementation="eager")
        promised = sum(parameter.numel() for parameter in shell.parameters())
    if promised > most:
        raise ModelError(
            f"{location.name} could not be loaded: config.json promises {promised:,} numbers or more; its "
            f"weights hold {held:,}. {NOT_OF_EACH_OTHER}"
        )


def _sizes_of(folder: Path) -> list[int]:
    """How many numbers each array of a folder's weights has, by the headers of the files."""
    sizes = []
    for path in folder.glob("*.safetensors"):
        with safe_open(path, framework="pt") as file:
            sizes += [math.prod(file.get_slice(name).get_shape()) for name in file.keys()]
    return sizes


def _reason(error: Exception) -> str:
    if "ignore_mismatched_sizes" in str(error):
        return f"its weights have other sizes than config.json promises. {NOT_OF_EACH_OTHER}"
    return why(error)


def _is_head(weight: str) -> bool:
    """Whether a weight belongs to what stands on top of the transformer, of no use here."""
    return any(part == "pooler" or part.endswith("head") for part in weight.split("."))
