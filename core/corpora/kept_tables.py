"""Tables that visitors brought, as they are kept: a parquet file that says how it is read.

Its columns are ``sentence1``, ``sentence2``, ``score``, or ``text1``, ``label`` and perhaps ``text2`` (and
``subset`` and ``split``), or ``text1`` alone; every row is in its place with its line in the file, and how
it is read is metadata.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from core.corpora.corpus import Corpus
from core.corpora.readings import AnyReading, Reading, corpus_of, of_told, told
from core.corpora.table_files import read_table
from core.corpora.table_lines import LINE
from core.corpora.tables import read_corpus

_METADATA = b"sentence-strata"


def write(path: Path, table: pd.DataFrame, reading: AnyReading, file_name: str) -> None:
    """Keep a table whose columns are called as a corpus calls them, and the file it was brought in.

    Raises :class:`OSError` where it cannot be written.
    """
    import pyarrow as pa
    from pyarrow import parquet

    cells: dict[str, list[Any]] = {c: [str(cell) for cell in table[c]] for c in table.columns}
    if table.index.name == LINE:
        cells[LINE] = table.index.tolist()
    about = json.dumps(told(reading) | {"file": file_name})
    kept = pa.table(cells).replace_schema_metadata({_METADATA: about.encode()})
    parquet.write_table(kept, path)


def read_kept(path: Path, name: str, scale: tuple[float, float] | None = None) -> Corpus:
    """A corpus that a visitor brought, found by ``name``; ``scale`` instead of the one that was said."""
    kept = _about(path)
    if kept is None:
        return read_corpus(path, name, scale, kept=True)
    reading, file_name = kept
    if isinstance(reading, Reading) and scale:
        reading = replace(reading, scale=scale)
    return replace(corpus_of(read_table(path), reading, file_name), address=name)


def title_of(path: Path) -> str:
    """The name that a visitor gave a corpus; empty for a file as it was brought."""
    kept = _about(path)
    return "" if kept is None else kept[0].name


def _about(path: Path) -> tuple[AnyReading, str] | None:
    """How a kept table is read, and the file it was brought in; None for a file as it was brought."""
    from pyarrow import ArrowInvalid, parquet

    if path.suffix.lower() != ".parquet":
        return None
    try:
        written = (parquet.read_schema(path).metadata or {}).get(_METADATA)
    except (OSError, ArrowInvalid):
        return None
    if written is None:
        return None
    about = json.loads(written)
    file_name = str(about.pop("file"))
    return of_told(about), file_name
