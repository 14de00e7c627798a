"""An exported model as one file, for a visitor to download."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from core.corpora.corpus import Corpus
from core.errors import StoreError
from core.exports.folder import export
from core.pipeline.engine import Engine
from core.progress import Progress, silent
from core.recipe import Recipe
from core.storage.archives import trim
from core.storage.folders import remove
from core.storage.trouble import trouble


def archive(
    engine: Engine,
    recipe: Recipe,
    name: str,
    corpus: Corpus,
    scores: Sequence[str] = (),
    progress: Progress = silent,
) -> Path:
    """Write a recipe as a sentence-transformers model into a zip file ``name``.zip of the cache folder.

    The model is in a folder ``name`` of the file. Older archives make room for it
    (:mod:`core.storage.archives`). Raises what :func:`core.exports.folder.export` raises, and
    :class:`StoreError` where the file cannot be written.
    """
    root = engine.settings.cache / "exports"
    try:
        root.mkdir(parents=True, exist_ok=True)
        own = Path(tempfile.mkdtemp(dir=root))
        with engine.store.exclusively(_lock_of(own), progress) as lock:
            try:
                export(engine, recipe, own / name, corpus, progress, scores)
                made = shutil.make_archive(str(own / name), "zip", own, name)
                remove(own / name)
            except BaseException:
                remove(own)
                raise
            finally:
                remove(lock)
    except OSError as error:
        raise StoreError(trouble("The model cannot be written", root, error)) from error
    trim(root, own, lambda folder: engine.store.is_held(_lock_of(folder)))
    return Path(made)


def _lock_of(folder: Path) -> str:
    """The key whose lock is held while an archive is made in a folder."""
    return f"archive-{folder.name}"
