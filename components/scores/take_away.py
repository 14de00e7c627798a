"""A recipe to take away as a sentence-transformers model, on the page Scores."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

import streamlit as st

from components import job, names, provenance, state, works
from components.exports.names import file_name
from components.job import Question
from components.text import escape
from core.corpora.corpus import Corpus
from core.errors import StrataError
from core.evaluation.scoring import Scored, score
from core.exports.archive import archive
from core.exports.card import score_line
from core.exports.kinds import refuse
from core.exports.library import ExportError, check_installed
from core.exports.static import is_static, static_of
from core.pipeline.engine import Engine
from core.progress import Progress
from core.recipe import Recipe

LABEL = "Take a recipe away as a sentence-transformers model"
"""What opens this section."""


def show(engine: Engine, corpus: Corpus, sides: Mapping[str, Scored]) -> None:
    """For each recipe a button that makes the model and gives it as a file; or why it is none."""
    st.caption(
        "A folder that SentenceTransformer(folder) loads and that gives the same vectors, with what the "
        f"recipe learnt inside (here from {escape(corpus.name)}), and a card with its scores. "
        "A static model has no transformer but one vector for each token, its mean over the reference: its "
        "scores are others."
    )
    try:
        check_installed()
    except StrataError as error:
        st.caption(f":material/info: {escape(str(error))}")
        return
    for column, (side, scored) in zip(st.columns(len(sides)), sides.items(), strict=True):
        with column:
            st.markdown(f"**{side}** · {escape(_name(side, scored))}")
            _offer(engine, corpus, side, scored, scored.recipe)
            if not is_static(scored.recipe):
                _offer(engine, corpus, side, scored, static_of(scored.recipe))


def command(recipe: Recipe, corpus: Corpus) -> str:
    """What does the same on the command line."""
    text = shlex.quote(state.text_of(recipe))
    parts = ["python -m core export", "--recipe", text, "--corpus", shlex.quote(corpus.link)]
    return " ".join([*parts, "--split", provenance.split_option(corpus), "--output", "FOLDER"])


def snippet(recipe: Recipe) -> str:
    """The same vectors in Python, of a recipe that no folder can hold: learnt from the texts given."""
    return f"import core\n\nvectors = core.encode(texts, {state.text_of(recipe)!r})"


def _offer(engine: Engine, corpus: Corpus, side: str, scored: Scored, recipe: Recipe) -> None:
    """A question before a model is made, then a button that downloads it; or why there is none.

    ``recipe`` is the one that was scored, or the same on averaged token vectors.
    """
    own = recipe == scored.recipe
    kind = "model" if own else "static model"
    name = file_name([_name(side, scored) if own else f"{_name(side, scored)} static"], "zip")
    size = "A table of averaged token vectors" if is_static(recipe) else "As large as its transformer"
    try:
        refuse(recipe)
        compute = partial(_made, engine, recipe, name.removesuffix(".zip"), corpus, scored)
        what = f"Making the {kind} of {side}"
        told = scored.about["aggregate"]  # of the score in the card
        work = works.recipe_work("export", what, engine, recipe, corpus, compute, name, told)
        asking = Question(size, f"Make the {kind} of {side}", aside=True)
        made = job.show(replace(work, asks=True), lambda: asking, key=f"export.{side}.{kind}")
        if made is not None:
            _download(made, f"{side}.{kind}")
        st.code(command(recipe, corpus), language="sh", wrap_lines=True)
    except ExportError as error:
        st.caption(f":material/info: {escape(str(error))}")
        if own:
            st.code(snippet(recipe), language="python", wrap_lines=True)
    except StrataError as error:
        st.caption(f":material/info: {escape(str(error))}")


def _made(
    engine: Engine, recipe: Recipe, name: str, corpus: Corpus, scored: Scored, progress: Progress
) -> Path:
    """The file, its card with the recipe's score on this corpus."""
    if recipe != scored.recipe:
        scored = score(engine, recipe, corpus, scored.about["aggregate"], progress)
    return archive(engine, recipe, name, corpus, [score_line(scored)], progress)


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
    return names.of({side: scored.recipe})[side]
