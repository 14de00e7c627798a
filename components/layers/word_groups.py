"""Which words move evenly from layer to layer, on the page Layers."""

from __future__ import annotations

import html
from collections.abc import Sequence
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from components import downloads, figure_frame, provenance, state, theme
from components.controls import folded, number_asked, renew
from components.figure_frame import Framed
from components.figures.layers import GROUP_COLORS, words_by_variance
from components.layers.page import LayeredModel
from components.text import escape
from core.analysis.layers.trajectories import Trajectories
from core.analysis.layers.word_groups import (
    GROUPS,
    PUBLISHED,
    IdfCorrelation,
    correlation,
    default_minimum,
    grouped,
    table,
)
from core.analysis.layers.word_variances import WordVariances
from core.corpora.corpus import Corpus
from core.errors import StrataError, counted
from core.evaluation.wording import between, signed
from core.pipeline.engine import Engine
from core.work import Job

SHOWN = 24
"""Words of a group that are written out, those seen most often first."""


def show(
    engine: Engine,
    models: Sequence[LayeredModel],
    corpus: Corpus,
    trajectories: Sequence[Job[Trajectories]],
) -> None:
    """The groups of each model, variance against idf under the first, and the table of its words."""
    st.markdown("## Words by how unevenly they move")
    recipe = models[0].recipe.as_read()
    try:
        on_corpus = trajectories[0].value()
        if on_corpus is None:
            return
        words = on_corpus.words
        least = _least(words, corpus)
        found = table(words, least)
        others = _of_others(models, trajectories, least)
    except StrataError as error:
        st.info(escape(str(error)), icon=":material/filter_alt:")
        return
    source = engine.source(recipe)
    left, right = st.columns(2, gap="medium")
    with right:
        measured = correlation(found)
        title = finding(measured)
        figure_frame.show(
            Framed(
                key="words",
                title=title,
                figure=words_by_variance(found, theme.of(state.theme_name())),
                caption=(
                    provenance.line(
                        [provenance.model(source)],
                        corpus,
                        f"template {source.template or 'none'}",
                        f"{counted(measured.words, 'word')} seen {counted(least, 'time')} or more, "
                        "punctuation left out",
                        f"idf over {counted(words.of, 'sentence')}",
                    ),
                    *_pearson(measured),
                ),
                summary=provenance.summary(
                    "layers", {}, {"": source}, provenance.split(corpus), counted(measured.words, "word")
                ),
                alt=title,
                numbers=lambda: found,
            )
        )
    with left:
        for name, part in same_words({models[0].name: found, **others}).items():
            if others:
                st.markdown(f"**{escape(name)}**")
            st.html(groups_html(part))
        st.caption(
            "Thirds of the words by variance, each by how often seen; function words (scikit-learn's "
            "English stop words) are underlined."
        )
    folded(f"All {counted(len(found), 'word')}, to sort and search", partial(_words, found), "all.words")


def _words(found: pd.DataFrame) -> None:
    """The table of all words."""
    st.dataframe(
        found,
        hide_index=True,
        column_config={
            "variance": st.column_config.NumberColumn(format="%.5f"),
            "idf": st.column_config.NumberColumn(format="%.2f"),
            "times": st.column_config.NumberColumn(help="How often the word occurs in the corpus"),
            "texts": st.column_config.NumberColumn(help="Sentences it occurs in, repeats counted"),
        },
        alt=f"{counted(len(found), 'word')} with their variance over layers",
    )
    downloads.csv(found, "words.all")


def _of_others(
    models: Sequence[LayeredModel], trajectories: Sequence[Job[Trajectories]], least: int
) -> dict[str, pd.DataFrame]:
    """The words of the models beside the first, as far as they are read."""
    values = [(model.name, each.value()) for model, each in zip(models, trajectories, strict=True)]
    return {name: table(value.words, least) for name, value in values[1:] if value is not None}


def same_words(tables: dict[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    """The words that all models have, grouped anew under each: Table I sets two models side by side."""
    if len(tables) == 1:
        return tables
    shared = set.intersection(*(set(found["word"]) for found in tables.values()))
    kept = {name: found[found["word"].isin(shared)] for name, found in tables.items()}
    return {name: grouped(found) for name, found in kept.items()}


def _least(words: WordVariances, corpus: Corpus) -> int:
    """How often a word must be seen."""
    start = default_minimum(words)
    most = max(1, int(words.times.max(initial=1)))
    start = min(start, most)
    renew("words.least", corpus.fingerprint, start)
    number_asked("words.least")
    chosen = st.number_input(
        "Words seen at least so often",
        1,
        most,
        value=start,
        key="words.least",
        bind="query-params",
        persist_state="session",
        width=220,
        help=f"The paper takes words seen more than {PUBLISHED - 1} times; it starts lower where a corpus "
        "is too small for that.",
    )
    return int(chosen or start)


def _pearson(found: IdfCorrelation) -> tuple[str, ...]:
    if not np.isfinite(found.pearson):
        return ()
    return (f"Pearson {signed(found.pearson, 2)}; the interval is over words.",)


def finding(found: IdfCorrelation) -> str:
    """How variance goes with idf, in one sentence."""
    if not np.isfinite(found.spearman):
        return f"Variance and idf of {counted(found.words, 'word')}: no correlation exists"
    bounds = between(found.low, found.high, 2)
    measured = f"Spearman of variance with idf {signed(found.spearman, 2)} ({bounds})"
    if not (found.low > 0 or found.high < 0):
        return f"No correlation shown of how unevenly words move with how rare they are: {measured}"
    which = "Rarer" if found.spearman > 0 else "More frequent"
    return f"{which} words move more unevenly: {measured}"


def groups_html(found: pd.DataFrame) -> str:
    """The three groups side by side, every word escaped, function words underlined."""
    columns = []
    for name in GROUPS:
        part = found[found["group"] == name]
        most = part.sort_values("times", ascending=False, kind="stable").head(SHOWN)
        surface_forms = ", ".join(
            f"<u>{html.escape(word)}</u>" if function else html.escape(word)
            for word, function in zip(most["word"], most["function word"], strict=True)
        )
        functions = f", {100 * part['function word'].mean():.0f} % function words" if len(part) else ""
        more = f" … {len(part) - len(most):,} more" if len(part) > len(most) else ""
        columns.append(
            f'<div style="flex:1;overflow-wrap:anywhere"><div style="border-top:4px solid '
            f'{GROUP_COLORS[name]};padding-top:.3rem;font-weight:600">{name} variance</div>'
            f"<small>{len(part):,} {'word' if len(part) == 1 else 'words'}{functions}</small>"
            f'<div style="margin-top:.4rem;line-height:1.6">{surface_forms}{more}</div></div>'
        )
    return f'<div style="display:flex;gap:1.2rem">{"".join(columns)}</div>'
