"""What the engine needs of a model's ``config.json``, read and checked in one place."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from core.errors import ModelError, shorten

GET_AGAIN = "Get the model's files again."
NOT_OF_EACH_OTHER = "Config.json and weights do not belong together, or are not whole. Get them again."
"""What whoever uses a model can do about its files."""

MOST_BYTES = 10_000_000
"""Bytes a JSON file of a model may have."""

MOST_LAYERS = 1_000
WIDEST = 1_000_000
LARGEST = 1_000_000_000
"""Bounds on the number of blocks, on the width and the heads of one, and on every other size."""

DEPTH = ("num_hidden_layers", "n_layer", "n_layers", "num_layers")
DIM = ("hidden_size", "n_embd", "d_model", "dim")
HEADS = ("num_attention_heads", "n_head", "n_heads")
POSITIONS = ("max_position_embeddings", "n_positions")

PADDED_POSITIONS = {
    *("roberta", "xlm-roberta", "xlm-roberta-xl", "roberta-prelayernorm", "camembert", "xmod", "ibert"),
    *("mpnet", "longformer", "data2vec-text", "luke"),
}
"""Model types that count positions from behind the padding id, which is 1 where the file does not say."""

Values = Mapping[str, object]


@dataclass(frozen=True)
class ModelConfig:
    """Sizes of a transformer.

    Attributes
    ----------
    model_type
        The architecture as transformers names it; empty when the file does not say.
    depth
        The number of transformer blocks.
    dim
        The width of a token's state.
    heads
        Attention heads per block; 0 for a model without.
    positions
        The tokens of the longest text, special tokens included; None without a limit.
    vocabulary
        The rows of the word-embedding matrix; None when the file does not say.
    encoder_decoder
        Whether the model has an encoder and a decoder.
    quantized
        Whether its weights are numbers of a few bits, which stand for others.
    own_code
        Whether the file names code that comes with the model, which is never run.
    """

    model_type: str
    depth: int
    dim: int
    heads: int
    positions: int | None
    vocabulary: int | None
    encoder_decoder: bool
    quantized: bool
    own_code: bool

    @classmethod
    def read(cls, folder: Path, name: str) -> ModelConfig:
        """The ``config.json`` of a folder; ``name`` is the model's, for errors.

        Raises
        ------
        ModelError
            The file cannot be read, lacks a size, or holds one that no model has.
        """
        values = read_json(folder / "config.json", name)
        where = f"{name}: config.json"
        vocabulary = whole_number(values, "vocab_size", where, 1, LARGEST)
        return cls(
            str(values.get("model_type") or ""),
            _required(values, DEPTH, where, MOST_LAYERS),
            _required(values, DIM, where, WIDEST),
            _required(values, HEADS, where, WIDEST) if any(key in values for key in HEADS) else 0,
            _positions(values, where, vocabulary),
            vocabulary,
            bool(values.get("is_encoder_decoder")),
            values.get("quantization_config") is not None,
            bool(values.get("auto_map")),
        )


def read_json(path: Path, name: str) -> Values:
    """A JSON object from a file of the model ``name``; raises :class:`ModelError` for anything else."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise ValueError(f"it is larger than {MOST_BYTES / 1e6:.0f} MB")
        values = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise ModelError(f"{name}: {path.name} cannot be read ({error}). {GET_AGAIN}") from error
    if not isinstance(values, dict):
        raise ModelError(f"{name}: {path.name} cannot be read (it holds no JSON object). {GET_AGAIN}")
    return values


def why(error: Exception) -> str:
    """Why transformers cannot read a folder, in one line.

    Its advice on a model with code of its own is to run that code.
    """
    if "trust_remote_code" in str(error):
        return "it is read by code of its own, and code that comes with a model is never run"
    return " ".join(str(error).split())[:240] or type(error).__name__


def whole_number(values: Values, key: str, where: str, low: int, high: int) -> int | None:
    """The whole number ``values[key]``; None when it is not given.

    Raises :class:`ModelError` for another kind of value, or one outside ``low`` to ``high``.
    """
    value = values.get(key)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise ModelError(
            f"{where}: got {key} {shorten(value)}; allowed is a whole number from {low:,} to {high:,}."
        )
    return value


def _required(values: Values, keys: tuple[str, ...], where: str, high: int) -> int:
    numbers = (whole_number(values, key, where, 1, high) for key in keys)
    if (number := next((n for n in numbers if n is not None), None)) is None:
        raise ModelError(f"{where} gives none of {', '.join(keys)}. {GET_AGAIN}")
    return number


def _positions(values: Values, where: str, vocabulary: int | None) -> int | None:
    """The positions for tokens, less those that RoBERTa and its kin keep for padding."""
    most = (vocabulary or LARGEST) - 1
    pad_id = whole_number(values, "pad_token_id", where, -1, most)
    numbers = (whole_number(values, key, where, -1, LARGEST) for key in POSITIONS)
    number = next((n for n in numbers if n), None)
    if number is None or number < 0:  # -1 says that there is no limit
        return None
    if str(values.get("model_type") or "") in PADDED_POSITIONS:
        number -= (1 if pad_id is None else pad_id) + 1
    if number < 1:
        raise ModelError(f"{where} leaves no position for a token beside padding. {GET_AGAIN}")
    return number
