"""A folder that sentence-transformers loads: written, loaded again, and compared with the engine."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from jaxtyping import Int

from core.corpora.catalogue import DEMO
from core.corpora.corpus import Corpus
from core.errors import TooFewSentencesError, shorten
from core.exports.affine import finished
from core.exports.card import card
from core.exports.design import Design, designed
from core.exports.kinds import refuse
from core.exports.library import ExportError, library
from core.exports.modules import model_of
from core.exports.static import StaticDesign, is_static, static_designed
from core.pipeline.engine import Engine
from core.progress import Progress, Step, silent
from core.recipe import Recipe
from core.recipe.options import MINIMUM_SENTENCES
from core.storage.files import size_of
from core.tokens import Tokens

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

SENTENCES = 64
"""Sentences that a written folder is compared with the engine on."""

APART = 1e-5
"""Largest distance from the engine's vectors, as a share of their length, at which a folder is handed out:
of the vectors before post-processing, and of what post-processing makes of the engine's own."""


@dataclass(frozen=True)
class Exported:
    """A folder that was written, loaded again and compared with the engine.

    Distances are the largest over the sentences, as a share of the vector's length.

    Attributes
    ----------
    recipe
        What the folder does.
    modules
        The library's modules in order.
    static
        Whether it is a table of token vectors.
    directions
        Whether its vectors have length 1 where the recipe's have not.
    sentences
        How many were compared.
    apart
        Distance of its vectors from the engine's.
    pooled
        The same before post-processing.
    finishing
        The same of what its post-processing makes of the engine's vectors before post-processing; of a
        table, distance of its vectors from what it gives in float64. Where
        post-processing magnifies small differences, as whitening of nearly dependent dimensions does,
        ``apart`` is larger than ``pooled`` and ``finishing``: float32 gives the engine's own vectors no
        more exactly.
    size
        Bytes of the folder.
    speed
        Sentences that it encodes in a second, here.
    """

    folder: Path
    recipe: Recipe
    modules: tuple[str, ...]
    dim: int
    static: bool
    directions: bool
    sentences: int
    apart: float
    pooled: float
    finishing: float
    size: int
    speed: float


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
    compared: int = SENTENCES,
) -> Exported:
    """Write a recipe as a sentence-transformers model.

    A recipe whose token vectors are looked up becomes a table of token vectors
    (:mod:`core.exports.static`), any other a transformer with what follows it (:mod:`core.exports.design`).

    Parameters
    ----------
    folder
        Where to; it must not be there, or be empty.
    corpus
        What a recipe with ``fit=target`` learns from; None for a recipe that learns nothing from a target.
    scores
        Lines on what the recipe scores, for the model card.
    compared
        How many sentences of the corpus the folder is compared with the engine on.

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
        corpus = Corpus.of_texts(DEMO, engine.corpus(DEMO).sentences[:compared])
    make = static_designed if is_static(recipe) else designed
    design = make(engine, recipe, corpus, progress)
    tokens = engine.weighted_states(recipe, corpus, progress).states.tokens
    rows = _comparable(tokens, design)
    if not len(rows):
        raise ExportError(f"No text of {corpus.name} has a token that counts; name another --corpus.")
    rows = rows[np.unique(np.linspace(0, len(rows) - 1, min(compared, len(rows))).astype(int))]
    texts = [corpus.sentences[int(row)] for row in rows]
    expected = engine.embed(recipe, corpus, progress).vectors[rows].astype(np.float64)
    before = engine.embed(recipe.replace(post="none"), corpus, progress).vectors[rows]
    with _written(folder) as made:
        progress(Step("Writing the model", 0, 1))
        model_of(design).save(str(made), create_model_card=False)
        loaded = _loaded(made)
        begin = time.perf_counter()
        vectors = np.asarray(loaded.encode(texts, show_progress_bar=False), np.float64)
        speed = len(texts) / (time.perf_counter() - begin)
        apart = _apart(vectors, expected)
        pooled = finishing = apart
        if isinstance(design, StaticDesign):
            exact = design.exactly(
                [tokens.ids[tokens.span(row)][~tokens.special[tokens.span(row)]] for row in rows.tolist()]
            )
            pooled, finishing = _apart(exact[0], before), _apart(vectors, exact[1])
            apart = _apart(vectors, finished([None], expected) if design.directions else expected)
        elif design.post:
            pooled, finishing = _in_halves(loaded, len(design.post), texts, before, expected)
        if not max(pooled, finishing) <= APART:
            raise ExportError(
                f"The folder gave vectors that are {max(pooled, finishing):.1g} of their length from the "
                "engine's; it was not kept. The library reads this model in another way."
            )
        exported = Exported(
            folder=folder,
            recipe=recipe,
            modules=tuple(type(module).__name__ for module in loaded),
            dim=vectors.shape[1],
            static=isinstance(design, StaticDesign),
            directions=isinstance(design, StaticDesign) and design.directions,
            sentences=len(texts),
            apart=apart,
            pooled=pooled,
            finishing=finishing,
            size=size_of(made),
            speed=speed,
        )
        text = card(engine, recipe, corpus, exported, scores, learns=bool(learns))
        (made / "README.md").write_text(text, "utf-8")
        progress(Step("Writing the model", 1, 1))
    return exported


def _comparable(tokens: Tokens, design: Design | StaticDesign) -> Int[np.ndarray, " text"]:
    """The texts that have tokens; for a table, one that counts."""
    counted = np.ones(len(tokens), bool)
    if isinstance(design, StaticDesign):
        counted = design.counted[tokens.ids] & ~tokens.special
    found = np.bincount(tokens.sentence[counted], minlength=tokens.sentences)
    return np.flatnonzero(tokens.restore(found) > 0)


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


def _loaded(folder: Path) -> SentenceTransformer:
    """The folder as anybody loads it: no code that came with it."""
    package, _, _ = library()
    return package.SentenceTransformer(str(folder), device="cpu", local_files_only=True)


def _in_halves(
    loaded: SentenceTransformer, count: int, texts: Sequence[str], before: np.ndarray, expected: np.ndarray
) -> tuple[float, float]:
    """How far a folder is from the engine before its last modules, and by these alone."""
    import torch

    package, _, _ = library()
    modules = list(loaded)
    reading = package.SentenceTransformer(modules=modules[:-count], device="cpu")
    pooled = _apart(np.asarray(reading.encode(texts, show_progress_bar=False), np.float64), before)
    features = {"sentence_embedding": torch.from_numpy(np.array(before, np.float32))}
    with torch.inference_mode():
        for module in modules[-count:]:
            features = module(features)
    return pooled, _apart(features["sentence_embedding"].numpy().astype(np.float64), expected)


def _apart(vectors: np.ndarray, expected: np.ndarray) -> float:
    """The largest distance of two rows, as a share of the expected row's length."""
    if vectors.shape != expected.shape:
        return float("inf")
    lengths = np.linalg.norm(expected, axis=1)
    distances = np.linalg.norm(vectors - expected, axis=1)
    return float((distances / np.where(lengths > 0, lengths, 1.0)).max(initial=0.0))
