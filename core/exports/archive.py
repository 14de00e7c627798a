"""An exported model as one file, for a visitor to download."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from core.corpora.corpus import Corpus
from core.exports.folder import export
from core.pipeline.engine import Engine
from core.progress import Progress, silent
from core.recipe import Recipe
from core.storage.archives import trim


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
    (:mod:`core.storage.archives`). Raises what :func:`core.exports.folder.export` raises.
    """
    root = engine.settings.cache / "exports"
    root.mkdir(parents=True, exist_ok=True)
    own = Path(tempfile.mkdtemp(dir=root))
    try:
        export(engine, recipe, own / name, corpus, progress, scores)
        made = shutil.make_archive(str(own / name), "zip", own, name)
    except BaseException:
        shutil.rmtree(own, ignore_errors=True)
        raise
    shutil.rmtree(own / name)
    trim(root, own)
    return Path(made)
