"""Lines of a text of word vectors: whether bytes are text, how many numbers a line has, and the numbers."""

from __future__ import annotations

import codecs
import re
from collections import Counter

import numpy as np
from jaxtyping import Bool, Float

NUMBER = re.compile(rb"[+-]?(\d+\.?\d*(e[+-]?\d+)?|\.\d+(e[+-]?\d+)?|nan|inf)", re.IGNORECASE)
"""A number as a line may have it."""

_CONTROL = re.compile(rb"[\0-\x08\x0e-\x1f]")

Rows = Float[np.ndarray, "word dim"]


def is_text(sample: bytes) -> bool:
    """Whether bytes are text; the last character may be incomplete."""
    try:
        codecs.getincrementaldecoder("utf-8")().decode(sample)
    except UnicodeDecodeError:
        return False
    return not _CONTROL.search(sample)


def numbers_per_word(lines: list[bytes]) -> int:
    """The number of numbers at the end of most lines; 0 when the lines disagree."""
    counts: Counter[int] = Counter()
    for fields in filter(None, (line.split() for line in lines)):
        words = next((i for i in range(len(fields), 1, -1) if not NUMBER.fullmatch(fields[i - 1])), 1)
        counts[len(fields) - words] += 1
    width, often = next(iter(counts.most_common(1)), (0, 0))
    return width if 2 * often > counts.total() else 0


def parse(lines: list[bytes], dim: int) -> tuple[Rows, Bool[np.ndarray, " word"]]:
    """The numbers of some lines as float32, and whether each line holds exactly ``dim`` numbers."""
    import pyarrow as pa
    from pyarrow import csv

    if not lines:
        return np.zeros((0, dim), np.float32), np.zeros(0, bool)
    names = [str(i) for i in range(dim)]
    data = b"\n".join(lines)
    try:
        columns = csv.read_csv(
            pa.BufferReader(data),
            read_options=csv.ReadOptions(column_names=names, block_size=len(data)),
            parse_options=csv.ParseOptions(delimiter=" ", quote_char=False),
            convert_options=csv.ConvertOptions(
                column_types=dict.fromkeys(names, pa.float32()), null_values=[]
            ),
        ).columns
        return np.stack([column.to_numpy() for column in columns], axis=1), np.ones(len(lines), bool)
    except pa.ArrowInvalid:  # at least one line does not
        rows, good = np.zeros((len(lines), dim), np.float32), np.zeros(len(lines), bool)
        for i, line in enumerate(lines):
            fields = line.split(b" ")
            if len(fields) == dim and all(map(NUMBER.fullmatch, fields)):
                with np.errstate(over="ignore"):
                    rows[i] = np.array(fields, float)
                good[i] = True
        return rows, good
