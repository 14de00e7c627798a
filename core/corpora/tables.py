"""Corpora in tables of scored pairs or labelled texts, and in texts, one a line.

No row is dropped without a word. Rows that cannot be scored are left out and counted in the corpus'
notes with their line numbers; a table that is mostly unusable is refused instead.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
from jaxtyping import Bool

from core.corpora.columns import COLUMNS, KNOWN, LABELLED, also_called, cell_text, find_column, split_names
from core.corpora.corpus import Corpus
from core.corpora.first_line import LOOKED_AT, NAME_THEM, judge
from core.corpora.numbers import has_decimal_commas, numbers_of
from core.corpora.scales import SCALE, Scale
from core.corpora.table_files import TEXTS, ending_of, names_in, read_lines, read_table, refuse_repeated
from core.corpora.table_lines import filled_rows, lines_of
from core.corpora.unreadable import refuse_no_file
from core.errors import CorpusError, ScaleError, shorten

SHORTEST_TEXT = 10
"""Characters a line of a text file needs: shorter lines are headings and separators."""


def read_corpus(
    path: Path, name: str = "", scale: Scale | None = None, task: str = "", *, kept: bool = False
) -> Corpus:
    """Read a corpus file by its ending: scored pairs or labelled texts from tables, texts from ``.txt``.

    A table with a score is one of scored pairs, and keeps its labels. ``task`` is what labels are for. Of a
    file that was ``kept`` as it was brought the first of two columns with one name is read, as it was then.

    Raises
    ------
    CorpusError
        The file is not there, not what its ending says, lacks a column, has two of one name that says what
        they are, or is mostly unusable.
    """
    ending = ending_of(path)
    name = name or path.name.removesuffix(ending)
    refuse_no_file(path)
    if ending.startswith(TEXTS):
        return texts_from(path, name)
    if not kept:
        refuse_repeated((one for one in names_in(path) if one.strip().lower() in KNOWN), path.name)
    return corpus_from(read_table(path), name, f"file {path.name}", scale, task)


def corpus_from(
    table: pd.DataFrame, name: str, origin: str, scale: Scale | None = None, task: str = ""
) -> Corpus:
    """The corpus in a table: scored pairs where there is a score, else labelled texts or pairs."""
    if find_column(table, "score") is None and find_column(table, "label", LABELLED) is not None:
        return labelled_from(table, name, origin, task=task)
    return pairs_from(table, name, origin, scale)


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


def pairs_from(table: pd.DataFrame, name: str, origin: str, scale: Scale | None = None) -> Corpus:
    """A corpus of scored pairs from a table with sentence1, sentence2 and score.

    Rows with a missing or empty sentence, or a score that is missing, not a number or outside
    ``scale``, are left out and counted; repeated pairs are kept and counted. The corpus keeps a scale that
    is given; without one its scores are to be on :data:`SCALE`.
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
            f"Found: {got}. Say in its first line which column is {also_called(missing)}; Bring pairs, on "
            f"the pages, asks which is which.{_unnamed(table)}"
        )
    if not len(table):
        raise CorpusError(f"{name}: the table has no rows below the names of its columns.")
    texts = {c: table[columns[c]].map(cell_text) for c in ("sentence1", "sentence2")}
    written = table[columns["score"]].map(cell_text)
    commas = has_decimal_commas(written)
    score = numbers_of(written, commas=commas)
    low, high = scale or SCALE
    problems = {
        "an empty sentence": (texts["sentence1"] == "") | (texts["sentence2"] == ""),
        "no score": written == "",
        "a score that is not a number": (written != "") & ~np.isfinite(score),
        f"a score outside {low:g} to {high:g}": np.isfinite(score) & ~score.between(low, high),
    }
    advice = f"Is the score column the right one, and are its scores from {low:g} to {high:g}?"
    bad, notes = _left_out(name, problems, ScaleError, advice)
    if commas:
        notes.append("Scores are written with decimal commas: 2,5 is read as 2.5.")
    notes = empty + notes
    kept = table.index[~bad]
    pairs = pd.DataFrame({c: t[kept] for c, t in texts.items()})
    repeated = pairs.duplicated()
    if repeated.any():
        many = int(repeated.sum())
        repeat = f"{many:,} of {len(bad):,} rows {'repeats' if many == 1 else 'repeat'}"
        notes.append(f"{repeat} an earlier pair ({lines_of(repeated)}): kept.")
    columns["labels"] = find_column(table, "label", LABELLED)
    extra = {
        c: table.loc[kept, columns[c]].map(cell_text).tolist() if columns[c] is not None else ()
        for c in ("subset", "labels")
    }
    if columns["split"] is not None:
        extra["split"] = split_names(table[columns["split"]])[kept].tolist()
    corpus = Corpus.of_pairs(
        name,
        pairs["sentence1"].tolist(),
        pairs["sentence2"].tolist(),
        score[kept].tolist(),
        **extra,
        origin=origin,
        notes=notes,
    )
    return replace(corpus, scale=scale)


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
            f"{_unnamed(table)}"
        )
    if not len(table):
        raise CorpusError(f"{name}: the table has no rows below the names of its columns.")
    cells = {c: table[column].map(cell_text) for c, column in columns.items() if column is not None}
    if "split" in cells:
        cells["split"] = split_names(cells["split"])
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


def _unnamed(table: pd.DataFrame) -> str:
    """What to do where the names of the columns look like a row."""
    return "" if judge(table.columns, table.head(LOOKED_AT)).names else NAME_THEM


def _parted(table: pd.DataFrame) -> pd.DataFrame:
    """The table with two columns of sentences where one holds both, a line end between (STR-2022)."""
    text = find_column(table, "text1", LABELLED)
    if find_column(table, "sentence1") is not None or text is None or not len(table):
        return table
    parts = table[text].map(cell_text).str.replace("\r\n", "\n").str.split("\n")
    if not (parts.str.len() == 2).all():
        return table
    sentences = {f"sentence{number + 1}": parts.str[number] for number in range(2)}
    return table.drop(columns=text).assign(**sentences)


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
