"""A recipe to take away as a sentence-transformers model, on the page Scores."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

import streamlit as st

from components import job, names, state, works
from components.exports.names import file_name
from components.job import Question
from components.text import escape
from core.corpora.corpus import Corpus
from core.errors import StrataError
from core.evaluation.scoring import Scored
from core.exports.archive import archive
from core.exports.card import score_line
from core.exports.kinds import refuse
from core.pipeline.engine import Engine

LABEL = "Take a recipe away as a sentence-transformers model"
"""What opens this section."""


def show(engine: Engine, corpus: Corpus, sides: Mapping[str, Scored]) -> None:
    """For each recipe a button that makes the model and gives it as a file; or why it is none."""
    st.caption(
        "A folder that SentenceTransformer(folder) loads and that gives the same vectors, with what the "
        f"recipe learnt inside (here from {escape(corpus.name)}), and a card with its scores."
    )
    for column, (side, scored) in zip(st.columns(len(sides)), sides.items(), strict=True):
        with column:
            st.markdown(f"**{side}** · {escape(_name(side, scored))}")
            try:
                refuse(scored.recipe)
                _offer(engine, corpus, side, scored)
                st.code(command(scored, corpus), language="sh", wrap_lines=True)
            except StrataError as error:
                st.caption(f":material/info: {escape(str(error))}")


def command(scored: Scored, corpus: Corpus) -> str:
    """What does the same on the command line."""
    recipe = state.text_of(scored.recipe)
    parts = ["python -m core export", "--recipe", shlex.quote(recipe), "--corpus", shlex.quote(corpus.link)]
    return " ".join([*parts, "--split", corpus.split_name or "all", "--output", "FOLDER"])


def _offer(engine: Engine, corpus: Corpus, side: str, scored: Scored) -> None:
    """A question before the model is made; then a button that downloads it."""
    name = file_name([_name(side, scored)], "zip").removesuffix(".zip")
    compute = partial(archive, engine, scored.recipe, name, corpus, [score_line(scored)])
    work = works.recipe_work(
        "export", f"Making the model of {side}", engine, scored.recipe, corpus, compute, name
    )
    asking = Question("As large as its transformer", f"Make the model of {side}", aside=True)
    made = job.show(replace(work, asks=True), lambda: asking, key=f"export.{side}")
    if made is not None:
        _download(made, side)


def _download(made: Path, side: str) -> None:
    if not made.exists():
        st.caption("The file is not kept any more; the command below makes it anew.")
        return
    st.download_button(
        f"Download {made.name} ({made.stat().st_size / 1e6:,.0f} MB)",
        made.read_bytes,
        made.name,
        "application/zip",
        icon=":material/download:",
        on_click="ignore",
        key=f"export.{side}.download",
    )


def _name(side: str, scored: Scored) -> str:
    return names.of({side.lower(): scored.recipe})[side.lower()]
