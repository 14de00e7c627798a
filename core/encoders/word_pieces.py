"""The text of WordPiece's pieces by ``tokenizer.json`` alone.

A process that reads no text need not load transformers for it, which takes a second or more.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path

from tokenizers import Tokenizer

from core.storage.files import Stamp, stamp_of

FILE = "tokenizer.json"


def piece_decoder(folder: Path, pieces: Mapping[int, str]) -> Callable[[list[int]], str] | None:
    """What turns ids into text as the tokenizer of a folder does; None where only that one knows.

    The file has to hold a WordPiece tokenizer with the same surface form for each id of ``pieces``:
    transformers may add tokens that the file lacks.
    """
    try:
        tokenizer = _word_piece(folder / FILE, stamp_of(folder / FILE))
    except OSError:
        return None
    if tokenizer is None or any(tokenizer.id_to_token(i) != piece for i, piece in pieces.items()):
        return None
    return lambda ids: str(tokenizer.decode(ids, skip_special_tokens=False)).strip()


@lru_cache(4)
def _word_piece(path: Path, stamp: Stamp) -> Tokenizer | None:
    """The tokenizer of a file of a stamp, if it decodes as WordPiece does."""
    text = path.read_text("utf-8")
    try:
        decoder = json.loads(text).get("decoder") or {}
        return Tokenizer.from_str(text) if decoder.get("type") == "WordPiece" else None
    except Exception:  # the library has no class of its own for a file that it cannot read
        return None
