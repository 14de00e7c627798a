"""Files of word vectors, read block by block: word2vec text and binary, GloVe, fastText ``.vec``.

The text format has one word per line followed by its numbers, with or without a first line
``words numbers``; X2Static's text has this format. The binary format is word2vec's: that first line, then
each word, a space and its float32 numbers. Both may be compressed with gzip. The content of a file decides
its format, not its name. Files that can hold code (PyTorch's, pickles) are refused.
"""

from __future__ import annotations

import codecs
import gzip
import re
import zlib
from collections import defaultdict
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

import numpy as np

from core.errors import ModelError, first_line, shorten
from core.sources.word_vector_lines import NUMBER, Rows, is_text, numbers_per_word, parse

BLOCK = 2_000_000
"""The number of bytes that are parsed at once."""

SAMPLE = 1_000_000
"""The number of bytes at the beginning that decide the format."""

LONGEST_LINE = 4_000_000
LONGEST_WORD = 2000
MOST_NUMBERS = 65_536

_SAMPLED_LINES = 200
_NAMED = 5
_HEADER = re.compile(rb"\s*(\d{1,12})[ \t]+(\d{1,6})\s*")
_ALLOWED = (
    "allowed are word2vec text or binary, GloVe text and fastText .vec: a word a line and at least two "
    "numbers after it, separated by spaces, plain or compressed with gzip"
)
_REFUSED = {
    b"PK\x03\x04": "is a zip archive: unpack it first. If PyTorch wrote it, as X2Static does with its "
    ".bin, turn it into text (X2Static's convert_bin_to_w2v.py)",
    b"\x80": "is a Python pickle, which can run code when loaded: turn it into text first (X2Static's "
    ".bin by its convert_bin_to_w2v.py)",
    b"\xba\x16\x4f\x2f": "is a fastText model: take the .vec file that belongs to it",
}


@dataclass
class _LeftOut:
    """The number of lines left out for one reason, and the numbers of the first of them."""

    count: int = 0
    first: list[int] = field(default_factory=list)

    def add(self, place: int) -> None:
        self.count += 1
        if self.count <= _NAMED:
            self.first.append(place)

    def __str__(self) -> str:
        return ", ".join(map(str, self.first)) + (", …" if self.count > _NAMED else "")


class VectorFile(AbstractContextManager["VectorFile"]):
    """An open file of word vectors, read once from beginning to end.

    Attributes
    ----------
    dim
        The number of dimensions.
    promised
        The number of words in the first line; None without such a line.
    total
        The length of the file in bytes.

    Raises
    ------
    ModelError
        The file cannot be read, or is no file of word vectors.
    """

    def __init__(self, path: Path) -> None:
        self.path, self._name = path, shorten(path.name)
        self._left_out: defaultdict[str, _LeftOut] = defaultdict(_LeftOut)
        self._seen: set[str] = set()
        self._read = 0
        self._goes_on = False
        try:
            self._raw: BinaryIO = path.open("rb")
        except OSError as error:
            raise ModelError(f"{shorten(path)} cannot be read: {error.strerror}.") from error
        try:
            self._recognise()
        except BaseException:
            self._raw.close()
            raise

    def __exit__(self, *_: object) -> None:
        """Close the file."""
        self._raw.close()

    @property
    def done(self) -> int:
        """The number of bytes read so far."""
        return self._raw.tell()

    @property
    def bytes_needed(self) -> int:
        """The estimated size of the vectors as float32, in bytes."""
        return 4 * self.dim * self._expected

    @property
    def notes(self) -> tuple[str, ...]:
        """What is left out and why, with the numbers of the first lines (of the first words, if binary)."""
        noun = "words" if self._binary else "lines"
        notes = [
            f"{places.count:,} of {self._read:,} {noun} {why} ({places}): left out."
            for why, places in self._left_out.items()
        ]
        if self.promised is not None and self.promised != self._read:
            notes.append(f"The first line promises {self.promised:,} words; {self._read:,} lines follow.")
        if self._goes_on:
            notes.append(f"The first line promises {self._read:,} words; what follows them is left out.")
        return tuple(notes)

    def blocks(self) -> Iterator[tuple[list[str], Rows]]:
        """Words with their float32 vectors, block by block in the order of the file.

        Repeated words, and words whose vector has a non-finite number, are left out.
        """
        for places, words, rows in self._from_binary() if self._binary else self._from_text():
            finite = np.isfinite(rows).all(axis=1).tolist()
            kept_rows = []
            for i, word in enumerate(words):
                if not finite[i]:
                    self._left_out["have a number that is not finite"].add(places[i])
                elif word in self._seen:
                    self._left_out["repeat an earlier word, of which the first counts"].add(places[i])
                else:
                    self._seen.add(word)
                    kept_rows.append(i)
            yield [words[i] for i in kept_rows], rows if len(kept_rows) == len(rows) else rows[kept_rows]
        if not self._seen:
            raise ModelError(f"{self._name} has no vector that can be used. {' '.join(self.notes)}")

    # -- format --------------------------------------------------------------------------------------

    def _recognise(self) -> None:
        """Find the format, the number of dimensions, and the position of the first word."""
        self.total = self.path.stat().st_size
        compressed = self._raw.read(2) == b"\x1f\x8b"
        self._raw.seek(0)
        self._stream = gzip.GzipFile(fileobj=self._raw) if compressed else self._raw
        self._ahead = b""
        sample = self._next(SAMPLE).removeprefix(codecs.BOM_UTF8)  # else it begins the first word
        for start, why in _REFUSED.items():
            if sample.startswith(start):
                raise ModelError(f"{self._name} {why}.")
        first, _, below = sample.partition(b"\n")
        header = _HEADER.fullmatch(first)
        self.promised = int(header[1]) if header else None
        self._ahead = below if header else sample
        lines = self._ahead.split(b"\n")
        if len(sample) == SAMPLE:
            lines.pop()  # the incomplete line
        width = numbers_per_word(lines[:_SAMPLED_LINES])
        self.dim = int(header[2]) if header else width
        self._binary = header is not None and not width and not is_text(below)
        if not 2 <= self.dim <= MOST_NUMBERS or not (width or self._binary):
            raise self._unknown()
        if width and self.dim != width:
            raise ModelError(
                f"{self._name}: the first line promises {self.dim} numbers a word, the lines below it "
                f"have {width}. The file is damaged, or no file of word vectors."
            )
        guess = sum(not line.isspace() for line in filter(None, lines)) * self.total // self.done
        self._expected = self.promised if self._binary and self.promised else guess

    def _unknown(self) -> ModelError:
        return ModelError(f"{self._name} is no file of word vectors; {_ALLOWED}.")

    def _next(self, size: int) -> bytes:
        """The next bytes: those read ahead, else ``size`` bytes; empty at the end."""
        if self._ahead:
            block, self._ahead = self._ahead, b""
            return block
        try:
            return self._stream.read(size)
        except (OSError, EOFError, zlib.error) as error:
            raise ModelError(f"{self._name} cannot be read to its end: {first_line(error)}.") from error

    # -- text ------------------------------------------------------------------------------------------

    def _from_text(self) -> Iterator[tuple[list[int], list[str], Rows]]:
        """Line numbers, words and vectors of the well-formed lines."""
        number = 1 if self.promised is None else 2
        for lines in self._lines():
            places, words, numbers = [], [], []
            for place, line in enumerate(lines, number):
                if (parts := self._split(place, line.rstrip())) is not None:
                    places.append(place)
                    words.append(parts[0])
                    numbers.append(parts[1])
            number += len(lines)
            rows, good = parse(numbers, self.dim)
            for i in np.flatnonzero(~good):
                self._left_out[self._wrong_width].add(places[i])
            kept = np.flatnonzero(good).tolist()
            yield [places[i] for i in kept], [words[i] for i in kept], rows[good]

    def _lines(self) -> Iterator[list[bytes]]:
        """Lines without their ends, some at a time."""
        rest = b""
        while block := self._next(BLOCK):
            lines = (rest + block).split(b"\n")
            rest = lines.pop()
            if len(rest) > LONGEST_LINE:
                raise self._unknown()
            yield lines
        if rest:
            yield [rest]

    def _split(self, place: int, line: bytes) -> tuple[str, bytes] | None:
        """A line's word, and its numbers separated by single spaces; None for a line that is left out.

        The numbers are the last ``dim`` fields, since words may hold spaces (GloVe's ``. . .``).
        """
        if not line:
            return None
        self._read += 1
        word, _, numbers = line.partition(b" ")
        if not word or b"\t" in line or numbers.count(b" ") != self.dim - 1:
            fields = line.rsplit(None, self.dim)
            if len(fields) == self.dim and line[:1].isspace():
                self._left_out["have no word"].add(place)
                return None
            *before, last = fields[0].split() or [b""]
            if len(fields) <= self.dim or (before and NUMBER.fullmatch(last)):
                self._left_out[self._wrong_width].add(place)
                return None
            word, numbers = fields[0].strip(), b" ".join(fields[1:])
        try:
            return word.decode(), numbers
        except UnicodeDecodeError:
            self._left_out[_NOT_UTF8].add(place)
            return None

    @property
    def _wrong_width(self) -> str:
        return f"have not {self.dim} numbers after the word"

    # -- binary ----------------------------------------------------------------------------------------

    def _from_binary(self) -> Iterator[tuple[list[int], list[str], Rows]]:
        """Positions of words, words and vectors."""
        promised, rest = self.promised or 0, b""
        while self._read < promised:
            if not (block := self._next(BLOCK)):
                raise ModelError(
                    f"{self._name} ends after {self._read:,} of the {promised:,} words that its first "
                    "line promises: it was cut off; get it again."
                )
            places, words, vectors = [], [], []
            rest += block
            start = 0
            while self._read < promised and (record := self._record(rest, start)):
                raw_word, vector, start = record
                self._read += 1
                try:
                    word = raw_word.decode()
                except UnicodeDecodeError:
                    self._left_out[_NOT_UTF8].add(self._read)
                    continue
                if not word or "\n" in word:
                    self._left_out["are empty or hold a line end"].add(self._read)
                    continue
                places.append(self._read)
                words.append(word)
                vectors.append(vector)
            rest = rest[start:]
            rows = np.frombuffer(b"".join(vectors), "<f4").astype(np.float32, copy=False)
            yield places, words, rows.reshape(-1, self.dim)
        self._goes_on = bool(rest.strip() or self._next(BLOCK).strip())

    def _record(self, block: bytes, start: int) -> tuple[bytes, bytes, int] | None:
        """The word and the vector at ``start``, and their end; None when they are incomplete."""
        space = block.find(b" ", start, start + LONGEST_WORD)
        if space < 0 and len(block) - start >= LONGEST_WORD:
            raise self._unknown()
        end = space + 1 + 4 * self.dim
        if space < 0 or len(block) < end:
            return None
        return block[start:space].lstrip(b"\n"), block[space + 1 : end], end


_NOT_UTF8 = "are not UTF-8"
