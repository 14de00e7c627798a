"""The engine of Sentence Strata: no Streamlit, no Plotly.

Importing it registers the options of every stage, so that recipes can be read. ``__all__`` are the names
that other programs may rely on; what needs more than a recipe is loaded when it is first asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from core.encoders import models, template  # noqa: F401  (each registers its options)
from core.errors import StrataError
from core.recipe import Recipe
from core.sources import averaged, doc2vec, random_table, word_vectors  # noqa: F401
from core.stages import (  # noqa: F401
    bert_flow,
    layers,
    mix,
    pooling,
    postprocessing,
    similarity,
    token_selection,
    weighting,
)
from core.versions import __version__

if TYPE_CHECKING:
    from core.corpora.corpus import Corpus
    from core.evaluation.scoring import score
    from core.exports.folder import export
    from core.pipeline.encode import encode
    from core.pipeline.engine import Engine
    from core.search.find import find
    from core.settings import Settings

__all__ = [
    "Corpus",
    "Engine",
    "Recipe",
    "Settings",
    "StrataError",
    "__version__",
    "encode",
    "export",
    "find",
    "score",
]

_LATER = {
    "Corpus": ".corpora.corpus",
    "Engine": ".pipeline.engine",
    "Settings": ".settings",
    "encode": ".pipeline.encode",
    "export": ".exports.folder",
    "find": ".search.find",
    "score": ".evaluation.scoring",
}
"""Where public names come from that are loaded when they are first asked for."""


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_LATER[name], __name__), name)
