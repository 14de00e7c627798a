"""A folder that sentence-transformers loads: written, loaded again, and compared with the engine."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from core.corpora.catalogue import DEMO
from core.corpora.corpus import Corpus
from core.encoders.importing import IMPORTING
from core.errors import TooFewSentencesError, first_line, shorten
from core.exports.affine import Affine
from core.exports.card import card
from core.exports.design import Design, ExportError, designed, refuse
from core.pipeline.engine import Engine
from core.progress import Progress, Step, silent
from core.recipe import Recipe
from core.recipe.options import MINIMUM_SENTENCES

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

SENTENCES = 64
"""Sentences that a written folder is compared with the engine on."""

APART = 1e-4
"""A folder whose vectors are further from the engine's, as a share of their length, is not handed out."""


@dataclass(frozen=True)
class Exported:
    """A folder that was written.

    ``modules`` names the library's modules in order. ``apart`` is the largest distance of its vectors from
    the engine's, as a share of the vector's length, over so many ``sentences``.
    """

    folder: Path
    modules: tuple[str, ...]
    dim: int
    sentences: int
    apart: float


def check_folder(folder: Path) -> None:
    """Raise :class:`ExportError` for a folder that cannot take a model, or is not empty."""
    try:
        if folder.exists() and not folder.is_dir():
            raise ExportError(
                f"output: {shorten(folder)} is a file; allowed is a folder that is not there."
            )
        if folder.is_dir() and any(folder.iterdir()):
            raise ExportError(
                f"output: the folder {shorten(folder)} is not empty; nothing was written. Name one that is "
                "not there yet, or an empty one."
            )
        if not folder.resolve().parent.is_dir():
            raise ExportError(f"output: the folder {shorten(folder.parent)} does not exist.")
    except OSError as error:
        raise ExportError(f"output: {shorten(folder)} cannot be read: {error.strerror}.") from error


def export(
    engine: Engine,
    recipe: Recipe,
    folder: Path,
    corpus: Corpus | None = None,
    progress: Progress = silent,
    scores: Sequence[str] = (),
) -> Exported:
    """Write a recipe as a sentence-transformers model.

    Parameters
    ----------
    folder
        Where to; it must not be there, or be empty.
    corpus
        What a recipe with ``fit=target`` learns from; None for a recipe that learns nothing from a target.
    scores
        Lines on what the recipe scores, for the model card.

    Raises
    ------
    ExportError
        The recipe is no model of the library, the folder is not empty or cannot be written, or the library
        is not installed.
    TooFewSentencesError
        The recipe learns from fewer than :data:`~core.recipe.options.MINIMUM_SENTENCES` sentences.
    """
    check_folder(folder)
    refuse(recipe)
    learns = [f"{stage.name}={choice.name}" for stage, choice in recipe.on_target()]
    if learns and corpus is None:
        raise ExportError(
            f"{' and '.join(learns)} learns from the texts that are embedded, and a model has none of its "
            "own: name the corpus that it learns from with --corpus, or take fit=reference."
        )
    if learns and corpus is not None and len(corpus.sentences) < MINIMUM_SENTENCES:
        raise TooFewSentencesError(
            f"{' and '.join(learns)} would be learnt from {len(corpus.sentences)} different sentences; an "
            f"export needs {MINIMUM_SENTENCES:,}."
        )
    if corpus is None:
        corpus = Corpus.of_texts(DEMO, engine.corpus(DEMO).sentences[:SENTENCES])
    design = designed(engine, recipe, corpus, progress)
    tokens = engine.weighted_states(recipe, corpus, progress).states.tokens
    rows = np.flatnonzero(tokens.restore(tokens.lengths) > 0)[:SENTENCES]
    texts = [corpus.sentences[int(row)] for row in rows]
    expected = engine.embed(recipe, corpus, progress).vectors[rows]
    with _written(folder) as made:
        progress(Step("Writing the model", 0, 1))
        model = _model(design)
        model.save(str(made), create_model_card=False)
        loaded = _loaded(made)
        vectors = np.asarray(loaded.encode(texts, show_progress_bar=False), np.float64)
        apart = _apart(vectors, expected.astype(np.float64))
        if not apart <= APART:
            raise ExportError(
                f"The folder gave vectors that are {apart:.1g} of their length from the engine's; it was "
                "not kept. The library reads this model in another way."
            )
        modules = tuple(type(module).__name__ for module in loaded)
        exported = Exported(folder, modules, vectors.shape[1], len(texts), apart)
        (made / "README.md").write_text(
            card(engine, recipe, corpus, exported, scores, learns=bool(learns)), "utf-8"
        )
        progress(Step("Writing the model", 1, 1))
    return exported


@contextmanager
def _written(folder: Path) -> Iterator[Path]:
    """A new folder beside ``folder``, which takes its place in the end; it is gone after an error."""
    try:
        made = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.resolve().parent))
    except OSError as error:
        raise ExportError(f"output: {shorten(folder)} cannot be written: {error.strerror}.") from error
    try:
        yield made
        made.chmod(0o755)
        if folder.is_dir():
            folder.rmdir()
        made.rename(folder)
    except OSError as error:
        raise ExportError(f"output: {shorten(folder)} cannot be written: {error.strerror}.") from error
    finally:
        if made.exists():
            shutil.rmtree(made, ignore_errors=True)


def _library() -> tuple[Any, Any, Any]:
    """The library and its two folders of modules; it takes seconds to import."""
    try:
        with IMPORTING:
            import sentence_transformers
            from sentence_transformers.base import modules as base
            from sentence_transformers.sentence_transformer import modules
    except ImportError as error:
        raise ExportError(
            "An export needs the package sentence-transformers: pip install -r requirements-extra.txt "
            f"({first_line(error)})."
        ) from error
    return sentence_transformers, base, modules


def _model(design: Design) -> SentenceTransformer:
    """The library's modules with what a recipe has learnt."""
    import torch

    library, base, own = _library()
    location = design.source.location
    transformer = base.Transformer(
        str(location.folder),
        max_seq_length=design.max_tokens,
        model_kwargs={"dtype": torch.float32, "use_safetensors": True},
        processor_kwargs={"split_special_tokens": True},  # a text that spells [MASK] is plain text
    )
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
    if design.head is not None:
        modules.append(_dense(base, design.head.weight.T, design.head.bias, torch.nn.Tanh()))
    for layer in design.post:
        if isinstance(layer, Affine):
            modules.append(_dense(base, layer.matrix, layer.bias, torch.nn.Identity()))
        else:
            modules.append(base.Normalize())
    return library.SentenceTransformer(modules=modules, device="cpu", similarity_fn_name=design.comparison)


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


def _loaded(folder: Path) -> SentenceTransformer:
    """The folder as anybody loads it: no code that came with it."""
    library, _, _ = _library()
    return library.SentenceTransformer(str(folder), device="cpu", local_files_only=True)


def _apart(vectors: np.ndarray, expected: np.ndarray) -> float:
    """The largest distance of two rows, as a share of the expected row's length."""
    if vectors.shape != expected.shape:
        return float("inf")
    lengths = np.linalg.norm(expected, axis=1)
    distances = np.linalg.norm(vectors - expected, axis=1)
    return float((distances / np.where(lengths > 0, lengths, 1.0)).max(initial=0.0))
