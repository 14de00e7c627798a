"""The sentences near to one, under recipe A or B, those near under it alone marked."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import streamlit as st

from components import table_numbers
from components.text import escape


def show(
    letter: str,
    name: str,
    sentences: Sequence[str],
    cosines: np.ndarray,
    alone: Sequence[bool] | None,
    *,
    key: str | None = None,
) -> None:
    """The recipe's letter and name, and a row for each sentence, the nearest first.

    ``alone`` says which are not among the nearest under the other recipe; None without another.
    """
    columns: dict[str, object] = {"sentence": sentences, "cosine": cosines}
    widths = {
        "sentence": st.column_config.TextColumn(width="large"),
        "cosine": st.column_config.Column(width=70),
    }
    if alone is not None:
        mark = f"{letter} alone"
        columns[mark] = alone
        widths[mark] = st.column_config.CheckboxColumn(
            width=90, help="Not among the nearest under the other recipe"
        )
    st.markdown(f"**{letter}** · {escape(name)}")
    st.dataframe(
        table_numbers.written(pd.DataFrame(columns), {"cosine": 3}),
        hide_index=True,
        key=key,
        column_config=widths,
        alt=f"The nearest sentences under {letter}",
    )
