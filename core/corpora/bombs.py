"""Files that unpack to far more than they hold: refused before their table is read.

What is counted is what a table takes in memory: the bytes of its texts, not of the file. A megabyte of
parquet can name one long text in millions of rows, and one of gzip can hold gigabytes of zeros.
"""

from __future__ import annotations

import io
import zlib
from collections.abc import Iterator

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from core.corpora import separators
from core.errors import CorpusError, first_line

MOST_ROWS = 2_000_000
"""Rows of a table that is brought."""

MOST_CELLS = 10_000_000
"""Cells of a table that is brought: an empty one takes memory, too."""

MOST_MEMBERS = 100_000
"""Members of a gzip file: each takes time, also one that holds nothing."""

MOST_PARTS = 20_000
"""Parts of a parquet file, a column of a row group each: they take time as well."""

_GIVEN = 16_000
_CHUNK = 1_000_000
_BATCH = 10_000

_TEXT, _FIXED = "BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY"
"""How parquet holds texts of any length, and those of one length, whatever their writer calls them."""


def refuse(content: bytes, ending: str, most: int) -> None:
    """Raise :class:`CorpusError` for a table of more than ``most`` bytes, or of too many rows or columns.

    ``ending`` says what the file is: ``.parquet``, or text that may be compressed (``.tsv.gz``).
    """
    if ending == ".parquet":
        _refuse_parquet(content, most)
        return
    unpacked = lines = tabs = 0
    last = b""
    for part in _parts(content, ending):
        unpacked, lines = unpacked + len(part), lines + _line_ends(part, last)
        tabs, last = tabs + part.count(b"\t"), part[-1:]
        _refuse_sizes(unpacked, lines, most)
    if not ending.startswith(".txt"):
        cut = separators.cut(_parts(content, ending), tabbed=ending.startswith(".tsv"))
        if cut.separator == "\t" and tabs > MOST_CELLS:  # in later rows, looked at before the table is read
            raise _many_cells("")
        _refuse_cells(lines, cut.columns)


def _refuse_sizes(unpacked: int, rows: int, most: int) -> None:
    if unpacked > most:
        raise CorpusError(f"The file unpacks to more than {most / 1e6:,.1f} MB. Give a part of it.")
    if rows > MOST_ROWS:
        raise CorpusError(
            f"The table has more rows than {MOST_ROWS:,}, which is the most. Give a part of it."
        )


def _refuse_cells(rows: int, columns: int) -> None:
    separators.refuse_wide(columns)
    if rows * columns > MOST_CELLS:
        raise _many_cells(f": {rows:,} rows of {columns:,}")


def _many_cells(which: str) -> CorpusError:
    return CorpusError(
        f"The table has more cells than {MOST_CELLS:,}, which is the most{which}. Leave out columns that "
        "are not needed."
    )


def _line_ends(part: bytes, last: bytes) -> int:
    """How many lines end in a part: a carriage return alone ends one, too; ``last`` stands before it."""
    is_cut = last == b"\r" and part.startswith(b"\n")
    return part.count(b"\n") + part.count(b"\r") - part.count(b"\r\n") - is_cut


def _parts(content: bytes, ending: str) -> Iterator[bytes]:
    """The content in pieces, unpacked: whoever asks for its first rows alone has no copy of the others."""
    if ending.endswith(".gz"):
        return _unpacked(content)
    return (content[start : start + _CHUNK] for start in range(0, len(content), _CHUNK))


def _unpacked(content: bytes) -> Iterator[bytes]:
    """What a gzip file holds, in pieces; it may have several members.

    zlib copies what it was given and has not used, so that it is given little at a time.
    """
    start = members = 0
    try:
        while start < len(content):
            member, members = zlib.decompressobj(wbits=31), members + 1
            if members > MOST_MEMBERS:
                raise CorpusError(
                    f"The file holds more than {MOST_MEMBERS:,} gzip files, which is the most."
                )
            while start < len(content) and not member.eof:
                given = content[start : start + _GIVEN]
                start += len(given)
                yield member.decompress(given, _CHUNK)
                while member.unconsumed_tail:
                    yield member.decompress(member.unconsumed_tail, _CHUNK)
            start -= len(member.unused_data)
    except zlib.error as error:
        raise CorpusError(f"The file is no gzip file: {first_line(error)}.") from error


def _refuse_parquet(content: bytes, most: int) -> None:
    try:
        about = pq.ParquetFile(io.BytesIO(content))
        if about.metadata.num_row_groups * about.metadata.num_columns > MOST_PARTS:
            raise CorpusError(
                f"The table is written in more parts (row groups × columns) than {MOST_PARTS:,}, which is "
                "the most. Write it with more rows in each row group."
            )
        said = sum(
            about.metadata.row_group(i).total_byte_size for i in range(about.metadata.num_row_groups)
        )
        rows = about.metadata.num_rows
        _refuse_sizes(said, rows, most)
        _refuse_cells(rows, about.metadata.num_columns)
        for field in about.schema_arrow:
            if pa.types.is_nested(field.type):
                raise CorpusError(f"The column {field.name!r} holds lists or records; leave it out.")
            if isinstance(field.type, pa.BaseExtensionType):
                raise CorpusError(f"The column {field.name!r} holds {field.type}; save it as text.")
        columns = [about.schema.column(i) for i in range(about.metadata.num_columns)]
        fixed = sum(column.length for column in columns if column.physical_type == _FIXED)
        _refuse_sizes(rows * fixed, rows, most)
        names, taken = [column.path for column in columns if column.physical_type == _TEXT], 0
        for batch in pq.ParquetFile(io.BytesIO(content), read_dictionary=names).iter_batches(_BATCH):
            taken += sum(map(_bytes, batch.columns))
            _refuse_sizes(taken, 0, most)
    except CorpusError:
        raise
    except (pa.ArrowException, OSError, ValueError):
        return  # no such file: who reads the table says so, by the name that it came with


def _bytes(column: pa.Array) -> int:
    """Bytes of a column once every row has its own text."""
    if not pa.types.is_dictionary(column.type):
        return int(column.nbytes)
    kind = column.type.value_type
    if not (pa.types.is_string(kind) or pa.types.is_binary(kind)):
        return 8 * len(column)
    lengths = pc.binary_length(column.dictionary)
    return int(pc.sum(lengths.take(column.indices)).as_py() or 0)
