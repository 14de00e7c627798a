"""The methods of a family with their scores, on the page Methods."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from components import chooser, held, table_numbers, table_row
from components.methods.page import METHOD
from components.methods.scores import ScoresHere, best_match, known_score
from components.methods.two_models import Results
from components.text import escape
from core.errors import counted
from core.literature.presets import Preset


def show(presets: Sequence[Preset], chosen: Preset, here: ScoresHere, model: str, gains: Results) -> None:
    """The methods of a family with their scores; a click on a row chooses its method.

    A method that was not scored by itself has its score among the model's ``gains``, if they are there.
    """
    names, corpus = [preset.name for preset in presets], here.corpus
    table = f"methods.table/{len(names)}/{names[0]}"
    key = chooser.key(table, chosen.name)

    def choose() -> None:
        row = table_row.chosen(st.session_state[key], len(names))
        if row is not None and chooser.makes(table, key, names[row]):
            held.hold(METHOD, names[row])

    rows = []
    for preset in presets:
        match = best_match(preset, corpus, model)
        rows.append(
            {
                "method": preset.name,
                "here": known_score(here, preset, gains),
                "published": match.value if match else None,
                "on": match.corpus if match else "",
                "needs": preset.needs.partition(":")[0],
                "year": preset.year,
            }
        )
    marked = names.index(chosen.name) if chosen.name in names else None
    st.dataframe(
        table_numbers.written(pd.DataFrame(rows), {"here": 1, "published": 1}),
        hide_index=True,
        height=318,
        placeholder="",
        key=key,
        on_select=choose,
        selection_mode=table_row.MODE,
        selection_default=table_row.start(marked, "method"),
        column_config={
            "method": st.column_config.TextColumn(width=186),
            "here": st.column_config.Column(
                width=50, help=f"Spearman × 100 on {escape(corpus.name)}, if it is scored"
            ),
            "published": st.column_config.Column(
                width=76, help="The published figure that is most like the score here"
            ),
            "on": st.column_config.TextColumn(width=72, help="What the published figure was measured on"),
            "year": st.column_config.NumberColumn(format="%d", width=52),
        },
        alt=f"{counted(len(names), 'method')} with their scores here and published",
    )
