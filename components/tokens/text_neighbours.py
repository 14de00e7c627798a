"""The sentences of the corpus nearest to a text of the visitor's own, under recipes A and B."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from components import job, names, selection, works
from components.errors import attempt
from components.text import escape
from components.tokens import neighbour_table
from core.analysis.neighbours import Nearest, of_texts
from core.corpora.corpus import Corpus
from core.errors import counted
from core.pipeline.engine import Engine
from core.progress import Progress
from core.recipe import Recipe
from core.work import Work

NEAR = "near"
"""Key of the text."""


def show(engine: Engine, recipes: Sequence[tuple[str, Recipe]], corpus: Corpus, k: int) -> None:
    """A box for a text, and what lies nearest to it in the whole corpus; nothing more without a text."""
    st.markdown("## Nearest to a text of yours")
    text = st.text_input(
        "A text",
        key=NEAR,
        bind="query-params",
        persist_state="session",
        placeholder="A man plays the guitar.",
        label_visibility="collapsed",
        help=f"All {counted(len(corpus.sentences), 'different sentence')} of {escape(corpus.name)} are "
        "compared with it by cosine, also where the map shows a part of them.",
    )
    if not (text := selection.looked_at(text or "", "text")):
        st.caption("Write one, or paste it: what each recipe puts beside it stands here.")
        return
    jobs = job.show_all([_work(engine, letter, recipe, corpus, text, k) for letter, recipe in recipes])
    found = {
        letter: near
        for (letter, recipe), each in zip(recipes, jobs, strict=True)
        if (near := attempt(letter.lower(), recipe, each.value)) is not None
    }
    if not found:
        return
    called = names.of({letter: recipe for letter, recipe in recipes if letter in found})
    for column, (letter, near) in zip(st.columns(len(found), gap="medium"), found.items(), strict=True):
        places = near.places[0].tolist()
        others = [one.places[0].tolist() for name, one in found.items() if name != letter]
        alone = [place not in others[0] for place in places] if others else None
        with column:
            sentences = [corpus.sentences[place] for place in places]
            neighbour_table.show(
                letter, called[letter], sentences, near.cosines[0], alone, key=f"near.{letter}"
            )


def _work(engine: Engine, letter: str, recipe: Recipe, corpus: Corpus, text: str, k: int) -> Work[Nearest]:
    def compute(progress: Progress) -> Nearest:
        return of_texts(engine, recipe, corpus, [text], k, progress)

    return works.recipe_work("nearest", f"Nearest under {letter}", engine, recipe, corpus, compute, text, k)
