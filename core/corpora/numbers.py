"""Numbers as tables write them: with a point, or with a comma, before what is less than one."""

from __future__ import annotations

import pandas as pd

_WITH_COMMA = r"[+-]?[0-9]+,[0-9]+"


def numbers_of(cells: pd.Series, *, commas: bool | None = None) -> pd.Series:
    """The numbers of a column, NaN for what is none.

    ``commas`` says whether ``82,5`` is 82.5; None: where :func:`has_decimal_commas`.
    """
    if has_decimal_commas(cells) if commas is None else commas:
        cells = cells.astype(str).str.strip().str.replace(",", ".", regex=False)
    return pd.to_numeric(cells, errors="coerce").astype(float)


def has_decimal_commas(cells: pd.Series) -> bool:
    """Whether a column of texts has commas where numbers have points: no cell has a point, some a comma."""
    if pd.api.types.is_numeric_dtype(cells):
        return False
    written = cells.astype(str).str.strip()
    commas = written[written.str.contains(",", regex=False)]
    if not len(commas) or commas.str.fullmatch(_WITH_COMMA).mean() <= 0.5:
        return False
    points = written[written.str.contains(".", regex=False)]
    return not pd.to_numeric(points, errors="coerce").notna().any()
