"""What a model gives for one sentence at a time, by transformers alone: no batch, no padding."""

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from transformers import AutoModel, AutoTokenizer, PreTrainedModel, PreTrainedTokenizerBase


@dataclass(frozen=True)
class Sentence:
    """Every state of one sentence: ``hidden`` [layer, token, dim], ``diagonals`` [token, layer, head]."""

    rows: np.ndarray
    hidden: np.ndarray
    diagonals: np.ndarray


@functools.cache
def loaded(folder: Path) -> tuple[PreTrainedTokenizerBase, PreTrainedModel]:
    """A folder's tokenizer and model, loaded once for all that only read with them."""
    model = AutoModel.from_pretrained(folder, attn_implementation="eager").eval()
    return AutoTokenizer.from_pretrained(folder), model


@torch.inference_mode()
def one_at_a_time(folder: Path, texts: Sequence[str]) -> list[Sentence]:
    """The states of each text, read alone."""
    tokenizer, model = loaded(folder)
    return [_read(model, tokenizer(text, truncation=True, return_tensors="pt")) for text in texts]


def _read(model, inputs) -> Sentence:
    out = model(**inputs, output_hidden_states=True, output_attentions=True)
    tokens = range(inputs["input_ids"].shape[1])
    diagonals = [
        [[a[0, head, t, t].item() for head in range(a.shape[1])] for a in out.attentions] for t in tokens
    ]
    return Sentence(
        model.get_input_embeddings()(inputs["input_ids"])[0].numpy(),
        np.stack([state[0].numpy() for state in out.hidden_states]),
        np.array(diagonals),
    )
