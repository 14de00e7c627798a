"""Why two sentences are similar, on the page Compare: the tokens that their similarity comes from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from components import figure_frame, job, provenance, state, theme, token_strip, works
from components.compare import heatmaps, why_in_words
from components.figure_frame import Framed
from components.figures.contributions import ContributionPanel, contribution_panels, rows_are_second
from components.figures.similarities import name, shown
from components.text import escape
from core.analysis.close_pairs import Pair
from core.analysis.comparison import SimilarityMatrix, as_corpus
from core.analysis.why.contributions import Contributions, change, spread
from core.analysis.why.left_out import LeftOut
from core.analysis.why.pair import Explained, explained
from core.pipeline.engine import Engine
from core.pipeline.token_weights import TokenWeights


def show(
    engine: Engine,
    sentences: Sequence[str],
    pair: Pair,
    matrices: Mapping[str, SimilarityMatrix],
    weights: Mapping[str, Sequence[TokenWeights]],
) -> None:
    """Tinted tokens under A and B, and token × token matrices of what sums to the similarity.

    Of a recipe whose similarity is no such sum, the tokens alone: what it loses without each. ``weights``
    gives for each side the tokens of every sentence.
    """
    found = _read(engine, sentences, pair, matrices)
    if not found:
        return
    units = {side: matrices[side].recipe.spelled()["similarity"] for side in found}
    _show_tokens(found, pair, units)
    summed = {side: each for side, each in found.items() if isinstance(each, Contributions)}
    if summed:
        cut = why_in_words.cut(pair, {side: weights[side] for side in summed if side in weights})
        _show_matrices(summed, pair, units, matrices, cut)


def _read(
    engine: Engine, sentences: Sequence[str], pair: Pair, matrices: Mapping[str, SimilarityMatrix]
) -> dict[str, Explained]:
    """What is there under each recipe; the page says why under one there is nothing."""
    corpus = as_corpus(sentences)
    first, second = corpus.rows_of(pair.sentences).tolist()
    wanted = {}
    for side, matrix in matrices.items():
        compute = partial(explained, engine, matrix.recipe, corpus, (first, second))
        what = f"Tokens of sentences {pair.first} and {pair.second} under {side}"
        wanted[side] = works.recipe_work("why", what, engine, matrix.recipe, corpus, compute, first, second)
    return job.available(job.show_each(wanted))


def _show_tokens(found: Mapping[str, Explained], pair: Pair, units: Mapping[str, str]) -> None:
    """Both sentences under each recipe, tokens tinted by what they bring; of one unit, on one scale."""
    look = theme.of(state.theme_name())
    sides = {side: (units[side], isinstance(each, LeftOut)) for side, each in found.items()}
    for column, (side, each) in zip(st.columns(len(found)), found.items(), strict=True):
        alike = [_margins(other) for key, other in found.items() if sides[key] == sides[side]]
        reach = max(float(np.abs(values).max()) for both in alike for values in both)
        with column:
            st.markdown(f"**{side}** · {escape(why_in_words.of_tints(each, units[side]))}")
            of = "less without it" if isinstance(each, LeftOut) else f"of the {name(units[side]).lower()}"
            margins = zip((each.one, each.other), _margins(each), (pair.first, pair.second), strict=True)
            st.html(
                "".join(
                    token_strip.signed_strip(
                        tokens.all,
                        dict(zip(tokens.places, values.tolist(), strict=True)),
                        reach,
                        look.name,
                        number,
                        of,
                    )
                    for tokens, values, number in margins
                )
            )


def _margins(each: Explained) -> tuple[np.ndarray, np.ndarray]:
    """One number for each token of either sentence."""
    if isinstance(each, LeftOut):
        return each.first_effects, each.second_effects
    return each.values.sum(axis=1), each.values.sum(axis=0)


def _show_matrices(
    found: Mapping[str, Contributions],
    pair: Pair,
    units: Mapping[str, str],
    matrices: Mapping[str, SimilarityMatrix],
    cut: Sequence[str],
) -> None:
    look = theme.of(state.theme_name())
    changed = _change(found, units)
    panels = [
        ContributionPanel(
            each if changed is None else spread(each, changed),
            f"{side}: {shown(each.similarity, units[side])}",
            look.side(side),
            name(units[side]),
        )
        for side, each in found.items()
    ]
    if changed is not None:
        difference = why_in_words.more(changed.similarity, units["A"])
        panels.append(ContributionPanel(changed, f"B − A: {difference}", look.text, name(units["A"])))
    title = why_in_words.finding(found, units, changed)
    figure_frame.show(
        Framed(
            key="compare.why",
            title=title,
            figure=contribution_panels(panels, look),
            caption=why_in_words.caption(
                found,
                pair,
                units,
                changed,
                {side: matrices[side].recipe.label() for side in found},
                provenance.models({side: matrices[side].source for side in found}),
                cut,
                rows_are_second=rows_are_second([panel.contributions for panel in panels]),
            ),
            alt=f"Token by token contributions to a similarity. {title}",
            numbers=lambda: numbers(found),
            summary=heatmaps.summary(
                {side: matrices[side] for side in found}, f"sentences {pair.first} and {pair.second}"
            ),
        )
    )
    if len(found) == 2 and changed is None:
        st.caption(
            "No difference is drawn: A and B compare in two ways, or cut the sentences into other tokens."
        )


def _change(found: Mapping[str, Contributions], units: Mapping[str, str]) -> Contributions | None:
    """What B has more than A for each pair of tokens; None unless these can be compared."""
    if len(found) < 2 or units["A"] != units["B"]:
        return None
    return change(found["A"], found["B"])


def numbers(found: Mapping[str, Contributions]) -> pd.DataFrame:
    """One row for each recipe and pair of tokens."""
    tables = [
        pd.DataFrame(
            {
                "recipe": side,
                "token 1": [one for one in each.first for _ in each.second],
                "token 2": [*each.second] * len(each.first),
                "contribution": each.values.ravel(),
            }
        )
        for side, each in found.items()
    ]
    return pd.concat(tables, ignore_index=True)
