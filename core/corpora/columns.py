"""What the columns of corpus tables are called, and what their cells hold."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

import pandas as pd

COLUMNS = {
    "sentence1": ("sentence1", "text1", "sentence_a", "s1", "sentence_1", "text_a", "text_1", "a"),
    "sentence2": ("sentence2", "text2", "sentence_b", "s2", "sentence_2", "text_b", "text_2", "b"),
    "score": ("score", "similarity", "gold", "relatedness_score", "gold_score", "similarity_score"),
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

SPLITS = {
    "training": "train",
    "trn": "train",
    "validation": "dev",
    "valid": "dev",
    "val": "dev",
    "development": "dev",
    "testing": "test",
    "tst": "test",
}
"""What train, dev and test are called elsewhere."""

EVERY = "all"
"""What stands for every row, whatever its split or subset."""

KNOWN = {alias for names in (COLUMNS, LABELLED) for aliases in names.values() for alias in aliases}
"""Every name that says what a column is."""


def find_column(
    table: pd.DataFrame, wanted: str, names: Mapping[str, Sequence[str]] = COLUMNS
) -> str | None:
    """The column for one of ``names``, by its name; None where no column has such a name."""
    lower = {str(c).strip().lower(): c for c in table.columns}
    return next((lower[alias] for alias in names[wanted] if alias in lower), None)


def repeated(names: Iterable[str]) -> str:
    """A name that two columns have; known names are the same in capitals. Empty where there is none."""
    keys = [name.lower() if name.lower() in KNOWN else name for name in map(str.strip, names)]
    return next((key for i, key in enumerate(keys) if key and key in keys[:i]), "")


def also_called(wanted: Sequence[str]) -> str:
    """``sentence1 (also text1, s1), score (also gold)``: the names that columns of pairs may have."""
    return ", ".join(f"{name} (also {', '.join(COLUMNS[name][1:])})" for name in wanted)


def cell_text(value: object) -> str:
    """A cell's text without blanks around it; nothing for an empty cell, however pandas marks it."""
    if isinstance(value, str):
        return value.strip()
    return "" if pd.api.types.is_scalar(value) and pd.isna(value) else str(value).strip()


def split_names(cells: pd.Series) -> pd.Series:
    """The splits of rows, those that learn, choose and test as ``train``, ``dev`` and ``test``.

    ``Train`` and ``training`` are train; a name of :data:`SPLITS` stays where its split is there beside it.
    A split called ``all`` beside others is ``(all)``: the name alone stands for every row.
    """
    texts = cells.map(cell_text)
    lower = texts.str.lower()
    there = {*lower}
    names = {name: name for name in SPLITS.values()}
    names |= {other: name for other, name in SPLITS.items() if name not in there}
    if len(there) > 1:
        names[EVERY] = unlike(EVERY, {*texts})
    return lower.map(names).fillna(texts)


def unlike(name: str, others: Collection[str]) -> str:
    """A name in as many brackets as none of ``others`` has."""
    while name in others:
        name = f"({name})"
    return name
