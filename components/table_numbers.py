"""Numbers in tables, written as in sentences and figures: with a minus sign and all their decimals."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import pandas as pd
from pandas.api.types import is_float_dtype, is_numeric_dtype
from pandas.io.formats.style import Styler

from core.evaluation.wording import Number, fixed

MOST = 1_000
"""Rows up to which each number is written: 20,000 would take 1.5 seconds at every change."""


def written(table: pd.DataFrame, digits: Mapping[str, int]) -> pd.DataFrame | Styler:
    """The table with the columns of ``digits`` written with so many decimals; sorted, they are numbers.

    Other columns of numbers are as they are, whole ones without decimals though some rows have none. No
    number stands as an empty cell, and text as it is. Longer tables than :data:`MOST` are rounded, and
    the browser writes their numbers, with a hyphen below 0.
    """
    there = {name: count for name, count in digits.items() if name in table.columns}
    if len(table) > MOST:
        return table.round({name: count for name, count in there.items() if is_numeric_dtype(table[name])})
    whole = {name: 0 for name in table.columns if name not in there and _is_whole(table[name])}
    formats = {name: partial(_cell, digits=count) for name, count in (whole | there).items()}
    return table.style.format(formats, na_rep="")


def _is_whole(column: pd.Series) -> bool:
    """Whether floats are counts, which became floats where one is missing."""
    return is_float_dtype(column) and bool((column.dropna() % 1 == 0).all())


def _cell(value: object, digits: int) -> str:
    return fixed(value, digits) if isinstance(value, int | Number) else str(value)
