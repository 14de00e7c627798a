"""The controls of the maps of tokens: which vectors, which map, which tokens, which colour."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import streamlit as st

from components.controls import menu
from core.analysis.token_maps import vocabulary
from core.analysis.token_maps.projection import METHODS
from core.analysis.token_maps.token_frequency import idf, log_count, zipf
from core.analysis.token_maps.vocabulary import Space
from core.corpora.corpus import Corpus
from core.pipeline.engine import Engine
from core.progress import Progress
from core.recipe import Recipe
from core.sources.averaged import Averaged
from core.sources.source import Source

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
class MapRequest:
    """Which map of tokens is to be drawn: vectors, projection, tokens, colour, and the token to find."""

    rows: str
    method: str
    drawn: str
    colour: str
    find: str


def choose(source: Source) -> MapRequest:
    """The controls of the map of tokens; only what the source of recipe A has is offered."""
    columns = st.columns([5, 3, 5, 6, 4], gap="small")
    with columns[0]:
        rows = which_rows(source)
    with columns[1]:
        method = which_map()
    with columns[2]:
        drawn = menu(
            "Tokens",
            DRAWN,
            "drawn",
            persist_state="session",
            help="At random with a fixed seed: the same ones every time.",
        )
    with columns[3]:
        colour = menu(
            "Colour",
            COLOURS,
            "colour",
            persist_state="session",
            help="English: Zipf frequencies of the package wordfreq.",
        )
    with columns[4]:
        find = st.text_input(
            "Find a token",
            key="find",
            bind="query-params",
            persist_state="session",
            placeholder="guitar",
            help="Marked in the map; its nearest by cosine are listed.",
        )
    return MapRequest(rows, method, drawn, colour, (find or "").strip())


def which_rows(source: Source) -> str:
    """Which vectors of tokens, of those that a source has."""
    return menu(
        "Vectors",
        rows_of(source),
        "rows",
        persist_state="session",
        help="Rows of the word-embedding matrix, or means over a token's contexts in plain sentences, by "
        "layer.",
    )


def which_map() -> str:
    """How many dimensions become two."""
    names = list(METHODS.values())
    name = menu(
        "Map",
        names,
        "map",
        persist_state="session",
        help="PCA is there at once; UMAP and t-SNE take long the first time.",
    )
    return list(METHODS)[names.index(name)]


def rows_of(source: Source) -> tuple[str, ...]:
    """The vectors of tokens that a source can have."""
    if source.is_model:
        return ROWS
    return (REFERENCE,) if isinstance(source.table, Averaged) else (STATIC,)


def values_of(
    colour: str, engine: Engine, recipe: Recipe, space: Space, corpus: Corpus, progress: Progress
) -> np.ndarray:
    """What every token of a space is coloured by: a number, or the place of its group; NaN for none."""
    words = space.vocabulary
    if colour in GROUPS:
        marks = {"sub-word": words.subword, "upper case": words.upper, "punctuation": words.punctuation}
        return np.where(words.special, np.nan, marks[colour].astype(float))
    if colour == FREQUENCIES[0]:
        return zipf(words)
    over = corpus if colour.endswith("corpus") else engine.references.of(recipe)
    measure = idf if colour.startswith("idf") else log_count
    return measure(engine, engine.source(recipe), words, over, progress)


def places_of(drawn: str, space: Space) -> tuple[np.ndarray, str]:
    """Which tokens of a space are drawn, and in words which and how many of how many."""
    total = len(space.vocabulary)
    text, _, how = drawn.partition(" ")
    number = min(LARGEST if drawn == "all" else int(text.replace(",", "")), total)
    if number == total:
        return np.arange(total), f"all {total:,} tokens"
    if how != "most frequent":
        return vocabulary.choose(
            total, number
        ), f"{number:,} of {total:,} tokens, drawn at random with a fixed seed"
    by = zipf(space.vocabulary) if space.times is None else space.times
    of = "English (Zipf)" if space.over is None else space.over.name
    return vocabulary.choose(
        total, number, by
    ), f"the {number:,} of {total:,} tokens that are most frequent in {of}"
