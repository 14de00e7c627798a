"""What a model gives for one sentence at a time, by transformers alone: no batch, no padding."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from transformers import AutoModel, AutoTokenizer


@dataclass(frozen=True)
class Sentence:
    """Every state of one sentence: ``hidden`` [layer, token, dim], ``diagonals`` [token, layer, head]."""

    rows: np.ndarray
    hidden: np.ndarray
    diagonals: np.ndarray


@torch.inference_mode()
def one_at_a_time(folder: Path, texts: Sequence[str]) -> list[Sentence]:
    """The states of each text, read alone."""
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModel.from_pretrained(folder, attn_implementation="eager").eval()
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
