"""Corpora from files: tables of scored pairs or labelled texts (TSV, CSV, parquet), and texts, one a line.

No row is dropped without a word. Rows that cannot be scored are left out and counted in the corpus'
notes with their line numbers; a table that is mostly unusable is refused instead.
"""

from __future__ import annotations

import gzip
import time
import zlib
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from pathlib import Path

import numpy as np
import pandas as pd
from jaxtyping import Bool

from core.corpora.corpus import Corpus
from core.corpora.numbers import has_decimal_commas, numbers_of
from core.corpora.table_lines import LINE, empty_lines, filled_rows, lines_of, with_lines
from core.errors import CorpusError, ScaleError, first_line, shorten
from core.trust import is_file

TABLES = (".tsv", ".csv", ".parquet")
TEXTS = (".txt",)
ENDINGS = tuple(e + z for e in (*TABLES, *TEXTS) for z in ("", ".gz") if e + z != ".parquet.gz")

SCALE = (0.0, 5.0)
"""The range of gold scores in the STS tasks."""

SHORTEST_TEXT = 10
"""Characters a line of a text file needs: shorter lines are headings and separators."""

COLUMNS = {
    "sentence1": ("sentence1", "text1", "sentence_a", "s1"),
    "sentence2": ("sentence2", "text2", "sentence_b", "s2"),
    "score": ("score", "similarity", "gold", "relatedness_score"),
    "subset": ("subset", "genre", "domain"),
    "split": ("split",),
}
"""What the columns of scored pairs may be called."""

LABELLED = {
    "text1": ("text", "sentence", "text1", "sentence1", "sentence_a", "s1"),
    "text2": ("text2", "sentence2", "sentence_b", "s2"),
    "label": ("label", "class", "category", "entailment_judgment"),
    "subset": COLUMNS["subset"],
    "split": COLUMNS["split"],
}
"""What the columns of labelled texts may be called."""

PARTS = {"": "", "sts": "sts", "corpus": "", **{t: t for t in ("clustering", "classification", "probing")}}
"""The folders of a data folder, and the task that the files of each are for."""

SETTLED = 2_000_000_000
"""Nanoseconds after which another change of a folder is sure to give it another time."""


def read_corpus(path: Path, name: str = "", scale: tuple[float, float] = SCALE, task: str = "") -> Corpus:
    """Read a corpus file by its ending: scored pairs or labelled texts from tables, texts from ``.txt``.

    A table with a score is one of scored pairs, and keeps its labels. ``task`` is what labels are for.

    Raises
    ------
    CorpusError
        The file is not there, not what its ending says, lacks a column, or mostly unusable.
    """
    ending = ending_of(path)
    name = name or path.name.removesuffix(ending)
    if not is_file(path):
        raise CorpusError(f"There is no file {shorten(path)}.")
    if ending.startswith(TEXTS):
        return texts_from(path, name)
    return corpus_from(read_table(path), name, f"file {path.name}", scale, task)


def corpus_from(
    table: pd.DataFrame, name: str, origin: str, scale: tuple[float, float] = SCALE, task: str = ""
) -> Corpus:
    """The corpus in a table: scored pairs where there is a score, else labelled texts or pairs."""
    if find_column(table, "score") is None and find_column(table, "label", LABELLED) is not None:
        return labelled_from(table, name, origin, task=task)
    return pairs_from(table, name, origin, scale)


def ending_of(path: Path) -> str:
    """``.tsv.gz`` of ``STS12.tsv.gz``; raises :class:`CorpusError` for an unknown ending."""
    for ending in sorted(ENDINGS, key=len, reverse=True):
        if path.name.lower().endswith(ending):
            return path.name[-len(ending) :].lower()
    raise CorpusError(f"{shorten(path.name)} is no corpus file; allowed endings: {', '.join(ENDINGS)}.")


def corpora_in(folder: Path | None) -> dict[str, Path]:
    """Corpus files by name, in a folder and its :data:`PARTS`."""
    if folder is None:
        return {}
    return dict(_by_name(tuple(_files(part, probing) for part, probing in _parts(folder))))


@lru_cache(maxsize=64)
def _parts(folder: Path) -> tuple[tuple[Path, bool], ...]:
    """A folder and its :data:`PARTS`, each with whether it is SentEval's for probing."""
    return tuple((folder / part, part == "probing") for part in PARTS)


@lru_cache(maxsize=64)
def _by_name(parts: tuple[tuple[Path, ...], ...]) -> dict[str, Path]:
    """Files by the names of their corpora; not to be changed."""
    return {path.name[: -len(ending_of(path))]: path for path in sorted(chain.from_iterable(parts))}


def _files(folder: Path, probing: bool) -> tuple[Path, ...]:
    """The corpus files in a folder; it is listed anew when it changed, or did so within :data:`SETTLED`."""
    try:
        stat = folder.stat()
    except OSError:
        return ()
    list_ = _listed if time.time_ns() - stat.st_mtime_ns > SETTLED else _listed.__wrapped__
    return list_(folder, probing, stat.st_mtime_ns, stat.st_ino)


@lru_cache(maxsize=64)
def _listed(folder: Path, probing: bool, changed: int, inode: int) -> tuple[Path, ...]:
    if not folder.is_dir():
        return ()
    return tuple(
        path
        for path in folder.iterdir()
        if path.is_file()
        and path.name.lower().endswith(ENDINGS)
        and path.name[0] != "."
        and not (probing and ending_of(path).startswith(TEXTS))  # SentEval's tables end in .txt
    )


def kind_of(path: Path) -> str:
    """What a corpus file holds, by its ending and its header: texts, labelled, or else pairs."""
    if ending_of(path).startswith(TEXTS):
        return "texts"
    stat = path.stat()
    return _kind_of_table(path, stat.st_size, stat.st_mtime_ns)


@lru_cache(maxsize=1024)
def _kind_of_table(path: Path, size: int, changed: int) -> str:
    """What a table holds, by its header; a changed file is read again."""
    table = pd.DataFrame(columns=list(_header(path)))
    is_scored = find_column(table, "score") is not None
    return "labelled" if not is_scored and find_column(table, "label", LABELLED) is not None else "pairs"


def _separator(path: Path) -> str:
    """What stands between cells: a tab, or in a .csv a comma or, as its first line has it, a semicolon."""
    if ending_of(path).startswith(".tsv"):
        return "\t"
    first, *others = pd.read_csv(path, sep=",", dtype=str, nrows=0).columns
    return ";" if not others and ";" in first else ","


def _header(path: Path) -> tuple[str, ...]:
    """The names of a table's columns; none for what is no table."""
    try:
        if ending_of(path) == ".parquet":
            from pyarrow import parquet

            return tuple(parquet.read_schema(path).names)
        separator = _separator(path)
        return tuple(map(str, pd.read_csv(path, sep=separator, dtype=str, nrows=0).columns))
    except Exception:  # whoever reads the corpus is told why
        return ()


def read_lines(path: Path) -> list[str]:
    """The lines of a text file, compressed or not, without their line ends."""
    opener: Callable[..., object] = gzip.open if path.suffix == ".gz" else open
    try:
        with opener(path, "rt", encoding="utf-8", newline="\n") as file:  # type: ignore[attr-defined]
            return [line.rstrip("\r\n") for line in file]
    except FileNotFoundError:
        raise CorpusError(f"There is no file {shorten(path)}.") from None
    except (UnicodeDecodeError, EOFError, OSError, zlib.error) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise CorpusError(f"{shorten(path.name)} cannot be read as UTF-8 text: {reason}.") from error


def texts_from(path: Path, name: str) -> Corpus:
    """A corpus of texts, one a line; lines under ten characters are left out and counted."""
    return corpus_of_lines(read_lines(path), name, f"file {path.name}", shorten(path.name))


def corpus_of_lines(lines: Sequence[str], name: str, origin: str, file: str) -> Corpus:
    """The same from the lines themselves; ``file`` is what an error calls what they are from."""
    lines = [line.strip() for line in lines]
    kept = [line for line in lines if len(line) >= SHORTEST_TEXT]
    if not kept:
        raise CorpusError(
            f"{file} has no line of {SHORTEST_TEXT} characters or more; a reference corpus holds one text "
            "a line."
        )
    notes = []
    if len(kept) < len(lines):
        left = len(lines) - len(kept)
        notes.append(
            f"{left:,} of {len(lines):,} lines are shorter than {SHORTEST_TEXT} characters: left out."
        )
    return Corpus.of_texts(name, kept, origin=origin, notes=notes)


def read_table(path: Path) -> pd.DataFrame:
    """A table as its ending says; cells of TSV and CSV are texts, and the index their lines (:data:`LINE`).

    Lines without anything are rows of empty cells; those at the end are left away.
    Raises :class:`CorpusError` for what is no such table.
    """
    ending = ending_of(path)
    try:
        if ending == ".parquet":
            table = _as_objects(pd.read_parquet(path))
            return table.set_index(LINE) if LINE in table.columns else table
        separator, before = _separator(path), empty_lines(path)
        table = pd.read_csv(
            path,
            sep=separator,
            dtype=str,
            keep_default_na=False,
            na_values=[],
            encoding="utf-8",
            skiprows=before,
            skip_blank_lines=False,
        )
    except UnicodeDecodeError as error:
        raise CorpusError(f"{shorten(path.name)} is not UTF-8 text: {error.reason}.") from error
    except Exception as error:  # pandas and pyarrow raise many kinds for what is not a table
        raise CorpusError(f"{shorten(path.name)} is not a {ending} table: {first_line(error)}.") from error
    if not isinstance(table.index, pd.RangeIndex):  # pandas takes what is too many for labels of rows
        raise CorpusError(f"{shorten(path.name)}: rows have more cells than the header has names.")
    if separator == "\t":
        _refuse_swallowed_lines(table, path.name, before)
    return with_lines(table, before)


def _as_objects(table: pd.DataFrame) -> pd.DataFrame:
    """The table with its texts as Python has them: only then are texts that are no UTF-8 noticed."""
    texts = [column for column in table.columns if pd.api.types.is_string_dtype(table[column])]
    return table.astype(dict.fromkeys(texts, object))


def _refuse_swallowed_lines(table: pd.DataFrame, name: str, before: int) -> None:
    """A quote that is never closed makes one cell of many lines, and they would be lost.

    ``before`` lines stand before the header.
    """
    for column in table.columns:
        swallowed = table[column].astype(str).str.contains("[\t\n]", regex=True)
        if swallowed.any():
            line = int(np.flatnonzero(swallowed)[0]) + before + 2
            raise CorpusError(
                f"{shorten(name)}: near line {line} a double quote is opened and never closed, so one "
                "cell swallows the lines after it. Double or remove the quotes in the file."
            )


def pairs_from(table: pd.DataFrame, name: str, origin: str, scale: tuple[float, float] = SCALE) -> Corpus:
    """A corpus of scored pairs from a table with sentence1, sentence2 and score.

    Rows with a missing or empty sentence, or a score that is missing, not a number or outside
    ``scale``, are left out and counted; repeated pairs are kept and counted.
    """
    table, empty = filled_rows(table)
    table = _parted(table)
    columns = {wanted: find_column(table, wanted) for wanted in COLUMNS}
    missing = [c for c in ("sentence1", "sentence2", "score") if columns[c] is None]
    if missing:
        got = ", ".join(str(c)[:30] for c in list(table.columns)[:8])
        raise CorpusError(
            f"{name}: no column {', '.join(missing)}; a table of pairs has the columns sentence1, "
            f"sentence2 and score, one of labelled texts text and label (split and subset if you like). "
            f"Found: {got}."
        )
    if not len(table):
        raise CorpusError(f"{name}: the table has no rows.")
    texts = {c: table[columns[c]].map(_cell) for c in ("sentence1", "sentence2")}
    written = table[columns["score"]].map(_cell)
    score = numbers_of(written)
    low, high = scale
    problems = {
        "an empty sentence": (texts["sentence1"] == "") | (texts["sentence2"] == ""),
        "no score": written == "",
        "a score that is not a number": (written != "") & ~np.isfinite(score),
        f"a score outside {low:g} to {high:g}": np.isfinite(score) & ~score.between(low, high),
    }
    advice = f"Is the score column the right one, and are its scores from {low:g} to {high:g}?"
    bad, notes = _left_out(name, problems, ScaleError, advice)
    if has_decimal_commas(written):
        notes.append("Scores are written with decimal commas: 2,5 is read as 2.5.")
    notes = empty + notes
    kept = table.index[~bad]
    pairs = pd.DataFrame({c: t[kept] for c, t in texts.items()})
    repeated = pairs.duplicated()
    if repeated.any():
        many = int(repeated.sum())
        repeat = "1 row repeats" if many == 1 else f"{many:,} rows repeat"
        notes.append(f"{repeat} an earlier pair ({lines_of(repeated)}): kept.")
    columns["labels"] = find_column(table, "label", LABELLED)
    extra = {
        c: table.loc[kept, columns[c]].map(_cell).tolist() if columns[c] is not None else ()
        for c in ("subset", "split", "labels")
    }
    return Corpus.of_pairs(
        name,
        pairs["sentence1"].tolist(),
        pairs["sentence2"].tolist(),
        score[kept].tolist(),
        **extra,
        origin=origin,
        notes=notes,
    )


def labelled_from(
    table: pd.DataFrame, name: str, origin: str, *, label: str = "", task: str = ""
) -> Corpus:
    """A corpus of labelled texts from a table with text (or text1 and text2) and label.

    ``label`` names the column where it is called something else. Rows with an empty text or label are left
    out and counted.
    """
    table, empty = filled_rows(table)
    columns = {wanted: find_column(table, wanted, LABELLED) for wanted in LABELLED}
    columns["label"] = label or columns["label"]
    missing = [wanted for wanted in ("text1", "label") if columns[wanted] is None]
    if missing:
        got = ", ".join(str(c)[:30] for c in list(table.columns)[:8])
        wanted = " and ".join(missing).replace("text1", "text")
        raise CorpusError(
            f"{name}: no column {wanted}; a table of labelled texts has the columns text and label, one of "
            f"labelled pairs text1, text2 and label (split and subset if you like). Found: {got}."
        )
    if not len(table):
        raise CorpusError(f"{name}: the table has no rows.")
    cells = {c: table[column].map(_cell) for c, column in columns.items() if column is not None}
    texts = [cells[c] for c in ("text1", "text2") if c in cells]
    problems = {
        "an empty text": pd.concat([text == "" for text in texts], axis=1).any(axis=1),
        "no label": cells["label"] == "",
    }
    bad, notes = _left_out(name, problems)
    notes = empty + notes
    kept = {c: column[~bad].tolist() for c, column in cells.items()}
    return Corpus.of_labelled(
        name,
        kept["text1"],
        kept["label"],
        text2=kept.get("text2", ()),
        subset=kept.get("subset", ()),
        split=kept.get("split", ()),
        origin=origin,
        notes=notes,
        task=task,
    )


def _parted(table: pd.DataFrame) -> pd.DataFrame:
    """The table with two columns of sentences where one holds both, a line end between (STR-2022)."""
    text = find_column(table, "text1", LABELLED)
    if find_column(table, "sentence1") is not None or text is None or not len(table):
        return table
    parts = table[text].map(_cell).str.replace("\r\n", "\n").str.split("\n")
    if not (parts.str.len() == 2).all():
        return table
    sentences = {f"sentence{number + 1}": parts.str[number] for number in range(2)}
    return table.drop(columns=text).assign(**sentences)


def find_column(
    table: pd.DataFrame, wanted: str, names: Mapping[str, Sequence[str]] = COLUMNS
) -> str | None:
    """The column for one of ``names``, by its name; None where no column has such a name."""
    lower = {str(c).strip().lower(): c for c in table.columns}
    return next((lower[alias] for alias in names[wanted] if alias in lower), None)


def _cell(value: object) -> str:
    if value is None or (isinstance(value, float) and np.isnan(value)):
        return ""
    return str(value).strip()


def _left_out(
    name: str, problems: Mapping[str, pd.Series], error: type[CorpusError] = CorpusError, advice: str = ""
) -> tuple[Bool[np.ndarray, " row"], list[str]]:
    """Which rows have one of the problems, and a note for each of these; refuses a table of mostly such."""
    bad = np.logical_or.reduce([problem.to_numpy() for problem in problems.values()])
    notes = [
        f"{int(problem.sum()):,} of {len(bad):,} rows {'has' if problem.sum() == 1 else 'have'} {what} "
        f"({lines_of(problem)}): left out."
        for what, problem in problems.items()
        if problem.any()
    ]
    if bad.sum() * 2 > len(bad):
        said = f"{int(bad.sum()):,} of {len(bad):,} rows cannot be used."
        raise error(" ".join(filter(None, (f"{name}: {said}", *notes, advice))))
    return bad, notes
