"""A design as modules of sentence-transformers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from tokenizers import Tokenizer as Backend

from core.errors import first_line
from core.exports.affine import Layer
from core.exports.design import Design
from core.exports.library import ExportError, library
from core.exports.static import StaticDesign

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer


def model_of(design: Design | StaticDesign) -> SentenceTransformer:
    """The library's modules with what a recipe has learnt; the last are its post-processing."""
    package, _, own = library()
    if isinstance(design, StaticDesign):
        modules = [own.StaticEmbedding(design.tokenizer, embedding_weights=design.rows)]
    else:
        modules = _reading(design)
    modules += _finishing(design.post)
    return package.SentenceTransformer(modules=modules, device="cpu", similarity_fn_name=design.comparison)


def _reading(design: Design) -> list[Any]:
    """The modules that turn texts into vectors, up to pooling; post-processing follows them."""
    import torch

    _, base, own = library()
    location = design.source.location
    try:
        transformer = base.Transformer(
            str(location.folder),
            max_seq_length=design.max_tokens,
            model_kwargs={"dtype": torch.float32, "use_safetensors": True},
            processor_kwargs={"split_special_tokens": True},  # a text that spells [MASK] is plain text
        )
    except (OSError, ValueError) as error:  # what the library raises for a folder without a file of its own
        raise ExportError(
            f"{location.name} could not be loaded by sentence-transformers: {first_line(error)}. Is its "
            "folder still there?"
        ) from error
    if design.tokenizer is not None:
        transformer.processor = _with_template(transformer.tokenizer, design.tokenizer)
    tokenizer = transformer.tokenizer
    if tokenizer.pad_token is None:  # which token fills up is of no account: it is masked
        tokenizer.pad_token = tokenizer.eos_token or tokenizer.unk_token
    _cut_behind(transformer.model, max(design.layers))
    depth = int(transformer.model.config.num_hidden_layers)
    modules: list[Any] = [transformer]
    if design.layers != (depth,):
        transformer.model.config.output_hidden_states = True
        share = [float(layer in design.layers) for layer in range(depth + 1)]
        modules.append(
            own.WeightedLayerPooling(
                location.dim,
                num_hidden_layers=depth,
                layer_start=0,
                layer_weights=torch.nn.Parameter(torch.tensor(share)),
            )
        )
    if design.weights is not None:
        forms = [form or f"[unused id {i}]" for i, form in enumerate(design.surface_forms)]
        rows = int(transformer.model.get_input_embeddings().weight.shape[0])
        forms += [f"[unused id {i}]" for i in range(len(forms), rows)]
        weights = dict(zip(forms, design.weights.tolist(), strict=False))
        modules.append(own.WordWeights(forms, weights))
    modules.append(own.Pooling(location.dim, pooling_mode=design.modes))
    if design.halved:
        twice = np.concatenate([np.eye(location.dim)] * 2) / 2
        modules.append(_dense(base, twice, np.zeros(location.dim), torch.nn.Identity()))
    if design.head is not None:
        modules.append(_dense(base, design.head.weight.T, design.head.bias, torch.nn.Tanh()))
    return modules


def _with_template(tokenizer: Any, backend: Backend) -> Any:
    """The tokenizer of a model over another backend."""
    from transformers import PreTrainedTokenizerFast

    return PreTrainedTokenizerFast(
        tokenizer_object=backend,
        model_max_length=tokenizer.model_max_length,
        model_input_names=tokenizer.model_input_names,
        split_special_tokens=True,
        **tokenizer.special_tokens_map,
    )


def _finishing(post: Sequence[Layer]) -> list[Any]:
    """Post-processing as modules."""
    import torch

    _, base, _ = library()
    return [
        base.Normalize() if layer is None else _dense(base, layer.matrix, layer.bias, torch.nn.Identity())
        for layer in post
    ]


def _dense(base: Any, matrix: np.ndarray, bias: np.ndarray, activation: Any) -> Any:
    """A linear layer of the library; it holds the transposed matrix."""
    import torch

    return base.Dense(
        matrix.shape[0],
        matrix.shape[1],
        bias=True,
        activation_function=activation,
        init_weight=torch.from_numpy(np.ascontiguousarray(matrix.T, np.float32)),
        init_bias=torch.from_numpy(np.ascontiguousarray(bias, np.float32)),
    )


def _cut_behind(model: Any, last: int) -> None:
    """Take away the blocks behind the last layer that is used, where the blocks are a plain list."""
    blocks = getattr(getattr(model, "encoder", None), "layer", None)
    if blocks is None or not 0 < last < len(blocks) or len(blocks) != model.config.num_hidden_layers:
        return
    del blocks[last:]
    model.config.num_hidden_layers = last
