"""The library that exported folders are made for, and what it cannot do."""

from __future__ import annotations

from typing import Any

from core.encoders.importing import IMPORTING
from core.errors import StrataError, first_line

COMPARISONS = ("cosine", "dot", "euclidean", "manhattan")
"""Similarities that the library has, under the same names."""


class ExportError(StrataError):
    """A recipe that is no model of the library, or a folder that cannot be written."""


def library() -> tuple[Any, Any, Any]:
    """The library and its two folders of modules; it takes seconds to import.

    Raises :class:`ExportError` where it is not installed.
    """
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
