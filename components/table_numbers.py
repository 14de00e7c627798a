"""Numbers in tables, written as in sentences and figures: with a minus sign and all their decimals."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import pandas as pd
from pandas.io.formats.style import Styler

from core.evaluation.wording import fixed

MOST = 1_000
"""Rows up to which each number is written: 20,000 would take 1.5 seconds at every change."""


def written(table: pd.DataFrame, digits: Mapping[str, int]) -> pd.DataFrame | Styler:
    """The table with the columns of ``digits`` written with so many decimals; sorted, they are numbers.

    No number stands as an empty cell. Longer tables than :data:`MOST` are rounded, and the browser writes
    their numbers.
    """
    there = {name: count for name, count in digits.items() if name in table.columns}
    if len(table) > MOST:
        return table.round(there)
    formats = {name: partial(fixed, digits=count) for name, count in there.items()}
    return table.style.format(formats, na_rep="")
