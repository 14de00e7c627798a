"""What the sets of the page Tasks are like, beside what paper 000 prints of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pandas as pd
import streamlit as st

from components import job
from components.tasks.page import Results
from components.text import escape
from core.corpora.corpus import Corpus
from core.literature.published_sets import described
from core.pipeline.engine import Engine
from core.progress import Progress
from core.work import Work


def show(engine: Engine, found: Results) -> None:
    """A row for each split of each set, and what is not as it is printed."""
    corpora = different(found.corpora.values())
    parts = [whole.take(split) for whole in corpora for split in whole.splits or ("all",)]
    jobs = job.show_all([_work(engine, part) for part in parts], key="sets.work")
    rows = [dict(value) for each in jobs if (value := each.value()) is not None]
    if not rows:
        return
    printed = [(row.pop("table"), row.pop("differences")) for row in rows]
    st.dataframe(
        pd.DataFrame(rows), hide_index=True, width="stretch", alt="Rows, classes and words of each set"
    )
    st.caption(
        "Words are parted by spaces; pieces are the tokens of BERT's vocabulary without special ones. A "
        "pair counts as one text."
    )
    for row, (table, differences) in zip(rows, printed, strict=True):
        if table:
            said = (
                f"not as printed ({table}): {'; '.join(differences)}" if differences else f"as in {table}"
            )
            st.caption(f":material/info: {escape(row['set'])} {escape(row['split'])}: {escape(said)}")


def different(corpora: Iterable[Corpus]) -> list[Corpus]:
    """Each corpus once; the same texts with other labels are another one."""
    return list({(each.name, each.labelled_fingerprint): each for each in corpora}.values())


def _work(engine: Engine, part: Corpus) -> Work[dict[str, Any]]:
    def compute(progress: Progress) -> dict[str, Any]:
        return described(engine, part, progress)

    return Work(
        ("sets", part.labelled_fingerprint, part.name, part.split_name), f"Counting {part.name}", compute
    )
