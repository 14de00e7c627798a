"""Tables of pairs, labelled texts or texts that a visitor brings: which column is what.

A table is looked at before it is a corpus, since columns are called anything and scores are on any scale.
"""

from __future__ import annotations

import hashlib
import re
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd

from core.corpora import kept_tables
from core.corpora.cleaning import clean, named
from core.corpora.columns import COLUMNS, LABELLED, find_column
from core.corpora.corpus import Corpus
from core.corpora.first_line import LOOKED_AT, NAMES, NO_NAMES, FirstLine, is_numeric
from core.corpora.numbers import numbers_of
from core.corpora.readings import PAIR, PARTED, AnyReading, Reading, TextsReading, corpus_of
from core.corpora.scales import SCALE, scales_for
from core.corpora.table_files import (
    TABLES,
    TEXTS,
    ending_of,
    first_line_of,
    names_in,
    read_lines,
    read_table,
    refuse_repeated,
)
from core.errors import CorpusError, shorten

LONGEST_NAME = 60
"""Characters of a name that a visitor gives."""

LONGEST_SLUG = 40
"""Characters of a file name that are of such a name."""

_SCORE_NAMES = re.compile(
    r"scor|simil|gold|label|rating|relat|alike|close|ähnlich|bewert|note|punt|panaš", re.IGNORECASE
)
_OTHER_NAMES = re.compile(r"(.*[_ .-])?(id|idx|index|nr|no|#|number|row|line|fold|year)", re.IGNORECASE)
_TEXT_NAMES = re.compile(r"sent|text|premise|hypothesis|question|^[ab012]$", re.IGNORECASE)


@dataclass(frozen=True, eq=False)
class Draft:
    """A table that a visitor brings, before it is a corpus; one of a text file has the column ``text``.

    ``first`` is what its first line is read as, and whether that is sure; ``digest`` tells its content.
    """

    file_name: str
    table: pd.DataFrame
    first: FirstLine = NAMES
    digest: str = ""

    @classmethod
    def read(
        cls, file_name: str, content: bytes, *, texts: bool = False, names: bool | None = None
    ) -> Draft:
        """The table in a file, with ``texts`` also in a text file.

        ``names`` says whether its first line names the columns; None: as it looks (:func:`judge`).
        Raises :class:`CorpusError` for what is none.
        """
        shown = clean(Path(file_name.replace("\\", "/")).name)
        ending = ending_of(Path(shown))
        allowed = (*TABLES, *TEXTS) if texts else TABLES
        if not ending.startswith(allowed):
            raise CorpusError(f"{shorten(shown)} is no table; allowed endings: {', '.join(allowed)}.")
        shown = (name_of(stem_of(shown)) or "file") + ending
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"{slug(stem_of(shown))}{ending}"
            path.write_bytes(content)
            if ending.startswith(TEXTS):
                first, table = NAMES, pd.DataFrame({"text": read_lines(path)})
            else:
                first = first_line_of(path)
                first = first if names is None else replace(first, names=names)
                if first.names:
                    refuse_repeated(names_in(path), shown)
                table = read_table(path, names=first.names)
                if not len(table) and names is None and not first.sure:  # one line, that may be a row
                    first = replace(first, names=False)
                    table = read_table(path, names=False)
        table.columns = [str(column).strip() or f"column {i}" for i, column in enumerate(table.columns, 1)]
        refuse_repeated(table.columns, shown)
        if not len(table):
            raise CorpusError(f"{shorten(shown)}: the table has no rows below the names of its columns.")
        return cls(shown, table, first, hashlib.sha256(content).hexdigest()[:12])

    @property
    def key(self) -> str:
        """The file, its content and how its first line is read: what there is to choose depends on them."""
        return "/".join([self.file_name, self.digest, *([] if self.first.names else [NO_NAMES])])

    @property
    def columns(self) -> list[str]:
        """The names of its columns."""
        return list(self.table.columns)

    def guess(self) -> dict[str, str | None]:
        """Which column each of :data:`PAIR` is, by its name, else by its content; None where none fits."""
        guessed: dict[str, str | None] = {wanted: find_column(self.table, wanted) for wanted in PAIR}
        known = {find_column(self.table, wanted) for wanted in COLUMNS}
        free = [column for column in self.columns if column not in known]
        numeric = [column for column in free if self._is_numeric(column)]
        scores = [c for c in numeric if not (_OTHER_NAMES.fullmatch(c) or self._counts_rows(c))]
        if guessed["score"] is None:
            guessed["score"] = _first(scores, _SCORE_NAMES)
        texts = [column for column in free if column not in numeric]
        for wanted in ("sentence1", "sentence2"):
            if guessed[wanted] is None and texts:
                guessed[wanted] = _first(texts, _TEXT_NAMES)
                texts.remove(str(guessed[wanted]))
        return guessed

    def score_range(self, column: str) -> tuple[float, float] | None:
        """The lowest and highest number in a column; None where there is no number."""
        values = numbers_of(self.table[column]).to_numpy(float)
        values = values[np.isfinite(values)]
        return (float(values.min()), float(values.max())) if len(values) else None

    def reading(self, name: str) -> Reading:
        """How the table is read where its columns and scores tell themselves.

        Raises :class:`CorpusError` where a column is missing, or the score has no number.
        """
        guessed = self.guess()
        missing = [wanted for wanted, column in guessed.items() if column is None]
        if missing:
            found = ", ".join(column[:30] for column in self.columns[:8])
            raise CorpusError(f"{name}: no column {', '.join(missing)}. Found: {found}.")
        low, high = self.score_range(str(guessed["score"])) or SCALE
        columns = {wanted: str(column) for wanted, column in guessed.items()}
        return Reading(name, **columns, scale=scales_for(low, high)[0], names=self.first.names)

    def guess_labelled(self) -> dict[str, str | None]:
        """Which column is the text, the label and the second text, by its name; None where none has one.

        A table of texts alone has the first of these.
        """
        wanted = {"text": "text1", "label": "label", "text2": "text2"}
        return {name: find_column(self.table, column, LABELLED) for name, column in wanted.items()}

    def corpus(self, reading: AnyReading) -> Corpus:
        """The rows as they are read; raises :class:`CorpusError` where that gives no corpus."""
        return corpus_of(self._named(reading), reading, self.file_name)

    def write(self, path: Path, reading: AnyReading) -> None:
        """Keep the table as it is read; raises :class:`OSError` where it cannot be written."""
        kept_tables.write(path, self._named(reading), reading, self.file_name)

    def _named(self, reading: AnyReading) -> pd.DataFrame:
        """The columns of a corpus under their own names, with subset and split."""
        if isinstance(reading, Reading):
            chosen = {wanted: getattr(reading, wanted) for wanted in PAIR}
        elif isinstance(reading, TextsReading):
            return _filled(pd.DataFrame({"text1": self.table[reading.text]}))
        else:
            chosen = {"text1": reading.text, "text2": reading.text2, "label": reading.label}
            chosen = {wanted: column for wanted, column in chosen.items() if column}
        for wanted in PARTED:
            given = getattr(reading, wanted, None)
            column = find_column(self.table, wanted) if given is None else given
            if column and column not in chosen.values():
                chosen[wanted] = column
        return _filled(pd.DataFrame({wanted: self.table[column] for wanted, column in chosen.items()}))

    def _counts_rows(self, column: str) -> bool:
        """Whether a column numbers the rows."""
        values = numbers_of(self.table[column].head(LOOKED_AT)).to_numpy(float)
        values = values[np.isfinite(values)]
        return len(values) > 2 and bool((np.diff(values) == 1).all())

    def _is_numeric(self, column: str) -> bool:
        return is_numeric(self.table[column].head(LOOKED_AT))


def _filled(table: pd.DataFrame) -> pd.DataFrame:
    """The table with "" in its empty cells, which columns of whole numbers or dates would not take."""
    return table.astype(object).fillna("")


def slug(text: str) -> str:
    """``text`` as a part of a file name: word characters, dots and dashes, not too many."""
    return re.sub(r"[^\w.-]+", "-", text).strip("-.")[:LONGEST_SLUG] or "file"


def stem_of(file_name: str) -> str:
    """A file's name without folders and ending."""
    name = Path(file_name.replace("\\", "/")).name
    return name[: -len(ending_of(Path(name)))]


def name_of(text: str) -> str:
    """A name as it is shown: on one line, not too long."""
    return named(text, LONGEST_NAME)


def _first(columns: Sequence[str], pattern: re.Pattern[str]) -> str | None:
    """The first column whose name has the pattern, else the first one."""
    return next((column for column in columns if pattern.search(column)), next(iter(columns), None))
