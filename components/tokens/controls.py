"""What a visitor asks of the page Tokens: which vectors, which map, which tokens, which colour."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import streamlit as st

from components.explain import heading
from core.analysis.projection import METHODS
from core.analysis.token_frequency import idf, log_count, zipf
from core.analysis.vocabulary import Space, choose
from core.averaged import Averaged
from core.corpus import Corpus
from core.embed import Road
from core.passes import Source
from core.progress import Progress
from core.recipe import Recipe

PARTS = ("tokens", "frequency in components", "sentences")
STATIC, CORPUS, REFERENCE = "static rows", "corpus contexts", "reference contexts"
ROWS = (STATIC, CORPUS, REFERENCE)

DRAWN = ("4,000 at random", "4,000 most frequent", "1,000 most frequent", "10,000 at random", "all")
LARGEST = 60_000
"""Tokens that one map can hold; of a larger vocabulary as many are drawn at random."""

FREQUENCIES = ("frequency in English", "frequency in the corpus", "frequency in the reference")
COLOURS = (
    *FREQUENCIES,
    *("idf in the corpus", "idf in the reference"),
    *("sub-word", "upper case", "punctuation"),
)
GROUPS = {
    "sub-word": ("no sub-word", "sub-word"),
    "upper case": ("no upper case", "upper case"),
    "punctuation": ("no punctuation", "punctuation"),
}
UNITS = {
    "frequency in English": "Zipf frequency",
    "frequency in the corpus": "log₁₀ count, corpus",
    "frequency in the reference": "log₁₀ count, reference",
    "idf in the corpus": "idf, corpus",
    "idf in the reference": "idf, reference",
}
SHORT = {name: "Zipf" if name == FREQUENCIES[0] else unit.partition(",")[0] for name, unit in UNITS.items()}
"""For the head of a narrow column."""

MISSING = {
    "frequency in English": "no English word of the list",
    "frequency in the corpus": "not in the corpus",
    "frequency in the reference": "not in the reference",
    "idf in the corpus": "not in the corpus",
    "idf in the reference": "not in the reference",
}


@dataclass(frozen=True)
class Asked:
    """What is to be drawn."""

    rows: str
    method: str
    drawn: str
    colour: str
    find: str


def head() -> None:
    """Title, and how to read the page."""
    heading(
        "Tokens",
        "Do token vectors lie together by meaning, or by frequency and form?",
        "Each point is a token. Frequent and rare tokens, pieces of words and capitalised words tend to "
        "lie apart whatever they mean: the frequency and sub-word biases of Lu (2023, slides) after Jiang "
        "et al. (2022, PromptBERT). **R²** says how much of the colour a plane over the map accounts for; "
        "what a map shows in curves it does not count. PCA keeps large distances, and only the share of "
        "the variance that is named; **UMAP and t-SNE keep neighbours: neither the distance nor the size "
        "of their islands means anything**. All three have a fixed seed. Several layers share one map, "
        "each centred and scaled to the same variance, so that a token can be followed from layer to "
        "layer. Components that go along with frequency: Mu & Viswanath (2018). No map is evidence of its "
        "own: look at the neighbours.",
    )


def part() -> str:
    """Which part of the page is shown."""
    chosen = st.segmented_control(
        "Show",
        PARTS,
        default=PARTS[0],
        required=True,
        key="part",
        bind="query-params",
        label_visibility="collapsed",
    )
    return chosen if chosen in PARTS else PARTS[0]


def ask(source: Source) -> Asked:
    """The controls of the map of tokens; only what the source of recipe A has is offered."""
    columns = st.columns([5, 3, 5, 6, 4], gap="small")
    with columns[0]:
        rows = which_rows(source)
    with columns[1]:
        method = which_map()
    with columns[2]:
        drawn = _select("Tokens", DRAWN, "drawn", "At random with a fixed seed: the same ones every time.")
    with columns[3]:
        colour = _select("Colour", COLOURS, "colour", "English: Zipf frequencies of the package wordfreq.")
    with columns[4]:
        find = st.text_input(
            "Find a token",
            key="find",
            bind="query-params",
            persist_state="session",
            max_chars=80,
            placeholder="guitar",
            help="Marked in the map; its nearest by cosine are listed.",
        )
    return Asked(rows, method, drawn, colour, (find or "").strip())


def which_rows(source: Source) -> str:
    """Which vectors of tokens, of those that a source has."""
    return _select(
        "Vectors",
        rows_of(source),
        "rows",
        "Rows of the word-embedding matrix, or means over a token's contexts in plain sentences, by layer.",
    )


def which_map() -> str:
    """How many dimensions become two."""
    names = list(METHODS.values())
    name = _select("Map", names, "map", "UMAP and t-SNE take long, once; PCA is at once.")
    return list(METHODS)[names.index(name)]


def rows_of(source: Source) -> tuple[str, ...]:
    """The vectors of tokens that a source can have."""
    if source.is_model:
        return ROWS
    return (REFERENCE,) if isinstance(source.table, Averaged) else (STATIC,)


def _select(label: str, options: tuple[str, ...] | list[str], key: str, help: str) -> str:
    if st.session_state.get(key) not in (None, *options):
        del st.session_state[key]
    chosen = st.selectbox(label, options, key=key, bind="query-params", persist_state="session", help=help)
    return chosen if chosen in options else options[0]


def values_of(
    colour: str, road: Road, recipe: Recipe, space: Space, corpus: Corpus, progress: Progress
) -> np.ndarray:
    """What every token of a space is coloured by: a number, or the place of its group; NaN for none."""
    words = space.vocabulary
    if colour in GROUPS:
        marks = {"sub-word": words.subword, "upper case": words.upper, "punctuation": words.punctuation}
        return np.where(words.special, np.nan, marks[colour].astype(float))
    if colour == FREQUENCIES[0]:
        return zipf(words)
    over = corpus if colour.endswith("corpus") else road.reference(recipe)
    measure = idf if colour.startswith("idf") else log_count
    return measure(road, road.source(recipe), words, over, progress)


def places_of(drawn: str, space: Space) -> tuple[np.ndarray, str]:
    """Which tokens of a space are drawn, and in words which and how many of how many."""
    total = len(space.vocabulary)
    text, _, how = drawn.partition(" ")
    number = min(LARGEST if drawn == "all" else int(text.replace(",", "")), total)
    if number == total:
        return np.arange(total), f"all {total:,} tokens"
    if how != "most frequent":
        return choose(total, number), f"{number:,} of {total:,} tokens, drawn at random with a fixed seed"
    by = zipf(space.vocabulary) if space.times is None else space.times
    of = "English (Zipf)" if space.over is None else space.over.name
    return choose(total, number, by), f"the {number:,} of {total:,} tokens that are most frequent in {of}"
