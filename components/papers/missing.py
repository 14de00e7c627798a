"""Why figures of a table cannot be computed here, and how its benchmarks come."""

from __future__ import annotations

from collections import Counter

import streamlit as st

from components.papers.here import States
from components.text import escape
from components.wording import listed
from core.corpora.fetching import FILES
from core.errors import counted
from core.literature.rules import rule_of
from core.literature.rules.running import Reproduction
from core.literature.tables import Table

FOLDER = "my-data"
"""What the lines to copy call a data folder that is still to be made."""

_SAID_IN = "docs/models-and-corpora.md"


def show(there: States) -> None:
    """The reasons, those of most figures first."""
    reasons = Counter(one.here.why for cell, one in there.items() if one.here.why and cell.is_result)
    if not reasons:
        return
    number = sum(reasons.values())
    title = f"{counted(number, 'figure')} cannot be computed here, and why"
    with st.expander(title, icon=":material/block:"):
        st.markdown(
            "\n".join(f"- **{count}**: {escape(reason)}" for reason, count in reasons.most_common())
        )
        st.caption(
            "Corpora come from a data folder (STRATA_DATA), models from the hub or a folder, word vectors "
            "from a file; models and vectors are chosen in the bar, as the source of recipe A."
        )


def bring(rules: Reproduction, table: Table) -> None:
    """The lines that fetch the benchmarks which the table's figures lack; nothing where they lack none."""
    of_cells = (rule_of(table, cell) for cell in table.cells if cell.is_result)
    methods = {one: None for one in of_cells if not isinstance(one, str)}
    names = list(dict.fromkeys(name for method in methods for name in rules.to_fetch(method)))
    if not names:
        return
    what, settings = listed([FILES[name] for name in names]), rules.engine.settings
    if settings.read_only:
        st.caption(
            f"Whoever keeps this installation can fetch {what} into its data folder: {_SAID_IN} says how."
        )
        return
    st.caption(f"Where the dashboard runs, this fetches {what} from the hub:")
    fetch = f"python -m core data {','.join(names)} --data"
    if settings.data is None:
        st.code(f"{fetch} {FOLDER}\nSTRATA_DATA={FOLDER} make run", language="sh", wrap_lines=True)
    else:
        st.code(f"{fetch} FOLDER", language="sh", wrap_lines=True)
        st.caption("FOLDER is the data folder of this installation.")
    st.caption(f"{_SAID_IN} says what else a data folder holds.")
