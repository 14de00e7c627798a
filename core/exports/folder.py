"""A folder that sentence-transformers loads: written, loaded again, and compared with the engine."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from core.corpora.built_in import DEMO
from core.corpora.corpus import Corpus
from core.errors import TooFewSentencesError, shorten
from core.exports.card import card
from core.exports.comparison import distances, encoded, expected_of
from core.exports.design import designed
from core.exports.exported import Exported
from core.exports.kinds import refuse
from core.exports.library import ExportError, library
from core.exports.modules import model_of
from core.exports.static import StaticDesign, is_static, static_designed
from core.pipeline.engine import Engine
from core.progress import Progress, Step, silent
from core.recipe import Recipe
from core.recipe.options import MINIMUM_SENTENCES
from core.storage.folders import size_of

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

SENTENCES = 64
"""Sentences that a written folder is compared with the engine on."""

APART = 1e-5
"""Largest distance from the engine's vectors, as a share of their length, at which a folder is handed out:
of the vectors before post-processing, and of what post-processing makes of the engine's own."""


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
    recipe: Recipe | str,
    folder: Path | str,
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
    recipe, folder = Recipe.of(recipe), Path(folder)
    check_folder(folder)
    refuse(recipe)
    corpus, learns = _learnt_from(engine, recipe, corpus, compared)
    make = static_designed if is_static(recipe) else designed
    design = make(engine, recipe, corpus, progress)
    expected = expected_of(engine, recipe, corpus, design, compared, progress)
    with _written(folder) as made:
        progress(Step("Writing the model", 0, 1))
        model_of(design).save(str(made), create_model_card=False)
        loaded = _loaded(made)
        begin = time.perf_counter()
        vectors = encoded(loaded, expected.texts)
        seconds = time.perf_counter() - begin
        found = distances(loaded, design, expected, vectors)
        if not found.of_halves <= APART:
            raise ExportError(
                f"The folder gave vectors that are {found.of_halves:.1g} of their length from the "
                "engine's; it was not kept. The library reads this model in another way."
            )
        exported = Exported(
            folder=folder,
            recipe=recipe,
            modules=tuple(type(module).__name__ for module in loaded),
            dim=vectors.shape[1],
            static=isinstance(design, StaticDesign),
            directions=isinstance(design, StaticDesign) and design.directions,
            sentences=len(vectors),
            distances=found,
            size=size_of(made),
            speed=len(vectors) / seconds,
        )
        (made / "README.md").write_text(
            card(engine, recipe, corpus, exported, scores, learns=learns), "utf-8"
        )
        progress(Step("Writing the model", 1, 1))
    return exported


def _learnt_from(
    engine: Engine, recipe: Recipe, corpus: Corpus | None, compared: int
) -> tuple[Corpus, bool]:
    """The corpus of an export, and whether the recipe learns from it.

    It is some sentences of the demonstration where none is named and none is needed. Raises what
    :func:`export` raises for a corpus that is missing or too small.
    """
    learns = [f"{stage.name}={choice.name}" for stage, choice in recipe.on_target()]
    if corpus is None:
        if learns:
            raise ExportError(
                f"{' and '.join(learns)} learns from the texts that are embedded, and a model has none of "
                "its own: name the corpus that it learns from with --corpus, or take fit=reference."
            )
        return Corpus.of_texts(DEMO, engine.corpus(DEMO).sentences[:compared]), False
    if learns and len(corpus.sentences) < MINIMUM_SENTENCES:
        raise TooFewSentencesError(
            f"{' and '.join(learns)} would be learnt from {len(corpus.sentences)} different sentences; an "
            f"export needs {MINIMUM_SENTENCES:,}."
        )
    return corpus, bool(learns)


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
