"""The page Compare: its head, the sentences that a visitor pastes, and their similarities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components import held, job, later, sentence_links, works
from components.bar.style import NARROW
from components.compare import chosen_pair, heatmaps
from components.compare.examples import MIXED, SETS
from components.deck import offer
from components.errors import attempt
from components.explain import heading
from components.text import escape
from core.analysis.comparison import MOST, SimilarityMatrix, as_corpus, has_matrix, similarity_matrix
from core.analysis.token_maps.sentence_map import NEIGHBOURS
from core.corpora.cleaning import clean_lines
from core.corpora.corpus import Corpus
from core.errors import StrataError
from core.pipeline.engine import Engine
from core.progress import Progress
from core.recipe import Recipe

SHOWN = 90
"""Characters of a sentence in the menu that opens one on another page."""

_UNDER = "compare-under"
"""Key of the row under the box: the count, examples, and the way to other pages."""

_OFFER = "compare-offer"
"""Key of what is offered under that row; a narrow window has no room for it."""

_STYLE = f"""<style>
  .st-key-compare .heatmap-label text
    {{ transform: scale(1.2); transform-box: fill-box; transform-origin: center; }}
  .st-key-{_UNDER} button {{ min-height: 1.4rem; padding: 0; }}
  @media (max-width: {NARROW}px) {{
    .st-key-sentences textarea {{ height: 4.4rem !important; min-height: 0; }}
    [data-testid="stLayoutWrapper"]:has(> .st-key-{_OFFER}) {{ display: none; }}
    .st-key-{heatmaps.ROW}, .st-key-{heatmaps.FINDINGS} {{ gap: .3rem; }}
    .st-key-{heatmaps.ROW} > .st-key-pair {{ flex-basis: 5.6rem; }}
    .st-key-{heatmaps.ROW} button {{ padding: 0 .5rem; }}
  }}
</style>"""


def head() -> None:
    """Title, and how to read the page."""
    heading(
        "Compare sentences",
        "How close are these sentences, and how much does that depend on how you pool?",
        "Each cell is the similarity of two sentences; a click on one shows the pair below, with the "
        "tokens that its similarity comes from, and where it stands among all pairs at each layer. A and "
        "B share one colour scale, from 0 (or the lowest value below it) to 1 for cosines; the third "
        "panel is B − A, of values before they are rounded. Ranks count the pairs of different "
        "sentences, each once; 1 is the closest. The largest disagreement is of those among the closest "
        "tenth (at least three) under A or B: among unrelated pairs ranks are a coin toss. Two sentences "
        "are near copies when they share half of their different words or more (Jaccard index), and have "
        "few words in common up to a fifth. High values everywhere are a property of the space "
        "(anisotropy), not of the sentences: read the order of pairs, not the numbers (Ethayarajh 2019). "
        "A dozen sentences show how recipes differ, not which is better: the page Scores is for that.",
    )


def columns() -> tuple[DeltaGenerator, DeltaGenerator]:
    """Places for the sentences and for what is said of them; one above the other in a narrow window."""
    st.html(_STYLE)
    left, right = st.columns([27, 73], gap="small")
    return left, right


@dataclass(frozen=True)
class Pasted:
    """The sentences of the box, and the place under it for what is said of them."""

    sentences: list[str]
    below: DeltaGenerator


def choose(figure: DeltaGenerator) -> Pasted | None:
    """The box to paste into, with its sentences; None when they cannot be compared.

    The reason stands where the ``figure`` would.
    """
    text = st.text_area(
        "Paste your own sentences, one per line",
        value="\n".join(MIXED),
        key="sentences",
        bind="query-params",
        persist_state="session",
        on_change=_follow_pair,
        height=350,
        help=f"Two to {MOST} sentences. Ctrl+Enter compares them; the link in the address bar holds them.",
    )
    held.tell_behind("sentences")
    cleaned = clean_lines(text or "")
    with st.container(key=_UNDER, horizontal=True, vertical_alignment="center", gap="small"):
        counted = st.container(width="content")
        examples = st.container(horizontal=True, gap="small", width="content")
        elsewhere = st.container(width="content")
    below = st.container(gap=None)
    later.draw(examples, _examples)
    try:
        as_corpus(cleaned.sentences)
    except StrataError as error:
        figure.error(escape(str(error)), icon=":material/error:")
        return None
    st.session_state[sentence_links.COMPARED] = cleaned.sentences
    counted.caption(escape(f"{len(cleaned.sentences)} sentences. " + " ".join(cleaned.notes)))
    later.draw(elsewhere, partial(_elsewhere, cleaned.sentences))
    later.draw(st.container(key=_OFFER), partial(offer.show, elsewhere=True))
    if len(text or "") > sentence_links.LONGEST:
        st.caption(":material/link_off: Too much text for a link to be shared safely; send the sentences.")
    return Pasted(list(cleaned.sentences), below)


def _elsewhere(sentences: Sequence[str]) -> None:
    """A menu that opens one of the sentences on the pages that look at one."""
    with st.popover(
        "Open one on Layers, Heads, Masking",
        type="tertiary",
        key="compare.open",
    ):
        sentence = st.selectbox(
            "Sentence",
            sentences,
            key="compare.opened",
            format_func=lambda one: one if len(one) <= SHOWN else f"{one[: SHOWN - 1]}…",
            filter_mode="contains",
        )
        sentence_links.show("On", sentence)


def _examples() -> None:
    """A row of sets of sentences, each of which fills the box."""
    for name, (sentences, question) in SETS.items():
        st.button(
            name,
            key=f"example.{name}",
            type="tertiary",
            help=question,
            on_click=_fill,
            args=(sentences,),
        )


def _follow_pair() -> None:
    """Have the pair stay with its sentences (a callback)."""
    now = clean_lines(held.now("sentences") or "")
    chosen_pair.follow(st.session_state.get(sentence_links.COMPARED, ()), now.sentences)


def _fill(sentences: Sequence[str]) -> None:
    held.hold("sentences", "\n".join(sentences))
    chosen_pair.put(None)


def neighbours(count: int) -> int:
    """How many of so many sentences count as near on the map: a quarter, and at most ten."""
    return min(max(count // 4, 1), NEIGHBOURS)


def matrices(
    engine: Engine, recipes: Mapping[str, Recipe], sentences: Sequence[str]
) -> dict[str, SimilarityMatrix]:
    """The similarities under each recipe by its side, as far as they are there; errors are shown."""
    corpus, texts = as_corpus(sentences), tuple(sentences)

    def compute(engine: Engine, recipe: Recipe, _: Corpus, progress: Progress) -> SimilarityMatrix:
        return similarity_matrix(engine, recipe, texts, progress)

    def stored(engine: Engine, recipe: Recipe, _: Corpus) -> bool:
        return has_matrix(engine, works.identity(engine, recipe), texts)

    what = f"Comparing {len(texts)} sentences"
    jobs = job.show_each(
        works.on_sides("matrix", what, engine, recipes, corpus, compute, texts, stored=stored),
        lambda: works.reading(engine, list(recipes.values()), corpus),
    )
    results = {side: attempt(side.lower(), recipes[side], each.value) for side, each in jobs.items()}
    return {side: matrix for side, matrix in results.items() if matrix is not None}
