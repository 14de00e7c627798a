"""Which words move evenly from layer to layer, on the page Layers."""

from __future__ import annotations

import html

import numpy as np
import pandas as pd
import streamlit as st

from components import downloads, figure_frame, state, theme
from components.figure_frame import Framed
from components.figures.layers import GROUP_COLORS, words_by_variance
from components.progress import working
from components.text import escape
from core.analysis.trajectories import WordVariances, of_corpus
from core.analysis.word_groups import GROUPS, PUBLISHED, Correlation, correlation, least_for, table
from core.corpus import Corpus
from core.embed import Road
from core.errors import StrataError
from core.recipe import Recipe

SHOWN = 24
"""Words of a group that are written out, those seen most often first."""


def show(road: Road, recipe: Recipe, corpus: Corpus) -> None:
    """The groups, variance against idf, and the table of all words."""
    st.markdown("#### Words by how unevenly they move")
    try:
        with working("words") as progress:
            words = of_corpus(road, recipe, corpus, progress).words
        least = _least(words, corpus)
        found = table(words, least)
    except StrataError as error:
        st.info(escape(str(error)), icon=":material/filter_alt:")
        return
    source = road.source(recipe)
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
                    f"{source.name} ({source.revision}) · template {source.template or 'none'}",
                    f"{corpus.name} {corpus.taken} · {measured.words:,} words seen {least} times or more, "
                    f"punctuation left out · idf over {words.of:,} sentences · {corpus.origin} · "
                    f"fingerprint {corpus.fingerprint}",
                    f"Pearson {measured.pearson:+.2f}; the interval is over words.",
                ),
                alt=title,
                numbers=found,
            )
        )
    with left:
        st.html(groups_html(found))
        st.caption(
            "Thirds of the words by variance, each by how often seen; function words (scikit-learn's "
            "English stop words) are underlined."
        )
    with st.expander(f"All {len(found):,} words, to sort and search"):
        st.dataframe(
            found,
            hide_index=True,
            column_config={
                "variance": st.column_config.NumberColumn(format="%.5f"),
                "idf": st.column_config.NumberColumn(format="%.2f"),
                "times": st.column_config.NumberColumn(help="How often the word occurs in the corpus"),
                "texts": st.column_config.NumberColumn(help="Sentences it occurs in, repeats counted"),
            },
        )
        downloads.csv(found, "words.all")


def _least(words: WordVariances, corpus: Corpus) -> int:
    """How often a word must be seen."""
    start = least_for(words)
    most = max(1, int(words.times.max(initial=1)))
    chosen = st.number_input(
        "Words seen at least so often",
        1,
        most,
        value=min(start, most),
        key=f"words.least/{corpus.fingerprint}",
        width=220,
        help=f"The paper's bound is {PUBLISHED}; it starts lower where a corpus is too small for that.",
    )
    return int(chosen or start)


def finding(found: Correlation) -> str:
    """How variance goes with idf, in one sentence."""
    if not np.isfinite(found.spearman):
        return f"Variance and idf of {found.words:,} words: no correlation exists"
    bounds = f"95 %: {found.low:+.2f} to {found.high:+.2f}"
    if found.low <= 0 <= found.high:
        return f"Variance and idf go no clear way together: Spearman {found.spearman:+.2f} ({bounds})"
    which = "Rarer" if found.spearman > 0 else "More frequent"
    return f"{which} words move more unevenly: Spearman {found.spearman:+.2f} ({bounds})"


def groups_html(found: pd.DataFrame) -> str:
    """The three groups side by side, every word escaped, function words underlined."""
    columns = []
    for name in GROUPS:
        part = found[found["group"] == name]
        most = part.sort_values("times", ascending=False, kind="stable").head(SHOWN)
        written = ", ".join(
            f"<u>{html.escape(word)}</u>" if function else html.escape(word)
            for word, function in zip(most["word"], most["function word"], strict=True)
        )
        more = f" … {len(part) - len(most):,} more" if len(part) > len(most) else ""
        columns.append(
            f'<div style="flex:1;overflow-wrap:anywhere"><div style="border-top:4px solid '
            f'{GROUP_COLORS[name]};padding-top:.3rem;font-weight:600">{name} variance</div>'
            f"<small>{len(part):,} words, {100 * part['function word'].mean():.0f} % function words</small>"
            f'<div style="margin-top:.4rem;line-height:1.6">{written}{more}</div></div>'
        )
    return f'<div style="display:flex;gap:1.2rem">{"".join(columns)}</div>'
