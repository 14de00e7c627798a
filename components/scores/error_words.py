"""Which words drive the errors of a recipe on a corpus, on the page Scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from components import chosen_points, downloads, job, works
from components.controls import segments
from components.text import escape, option
from core.analysis.geometry import ratings
from core.analysis.why.error_words import LEAST, ErrorWords, error_words, group_of
from core.corpora.columns import EVERY, unlike
from core.corpora.corpus import Corpus
from core.corpora.scales import scale_of
from core.errors import StrataError, are, counted, their
from core.evaluation.difference import Difference
from core.evaluation.scoring import Scored
from core.evaluation.wording import between, quoted, signed
from core.pipeline.engine import Engine

LABEL = "Words that drive the errors"
"""What opens this section."""

CHOSEN = "errors.chosen"
"""Key of the pairs that are chosen in the figure of gold against similarity."""

WORST = ("50", "100", "200", "400")
"""How many pairs may be looked at."""


def show(engine: Engine, corpus: Corpus, sides: Mapping[str, Scored]) -> None:
    """For each recipe the words without which the worst pairs come closer to their gold rank."""
    worst = int(segments("Pairs furthest from their gold rank", WORST, "errors.pairs", "200"))
    try:
        group = _group(corpus)
    except StrataError as error:
        st.caption(f":material/info: {escape(str(error))}")
        return
    wanted = {
        side: works.recipe_work(
            "error words",
            f"Leaving out words under {side}",
            engine,
            scored.recipe,
            corpus,
            partial(error_words, engine, scored.recipe, corpus, worst, group),
            worst,
            group,
        )
        for side, scored in sides.items()
    }
    jobs = job.show_each(wanted)
    for column, (side, each) in zip(st.columns(len(sides)), jobs.items(), strict=True):
        with column:
            try:
                if (found := each.value()) is not None:
                    _draw(side, found)
            except StrataError as error:
                st.caption(f":material/info: {side}: {escape(str(error))}")


def choose(corpus: Corpus, points: Sequence[Mapping[str, Any]]) -> None:
    """Look at the pairs that a visitor chose in the figure; at all again with none (a callback)."""
    pairs = sorted({int(point["point_index"]) for point in points if point["curve_number"] % 2 == 0})
    chosen_points.take(CHOSEN, corpus.fingerprint, [pairs])


def chosen(corpus: Corpus) -> tuple[int, ...]:
    """The pairs, by position, that are chosen in the figure."""
    found = chosen_points.of(CHOSEN, corpus.fingerprint)
    return tuple(pair for pairs in found for pair in pairs if pair < len(corpus))


def _group(corpus: Corpus) -> tuple[int, ...] | None:
    """The pairs that are looked at: of a subset, of some gold scores, chosen in the figure; None of all."""
    named = [name for name in dict.fromkeys(corpus.subset) if name]
    subset, every = None, unlike(EVERY, named)
    if len(named) > 1:
        subset = segments("Of the subset", [every, *named], "errors.subset", format_func=option)
    low, high = scale_of(corpus.gold, corpus.scale)
    edges = np.linspace(low, high, ratings.parts_of((low, high)) + 1).tolist()
    ranges = {f"{a:g} to {b:g}": (a, b) for a, b in pairwise(edges)}
    rating = segments("Of the gold scores", [EVERY, *ranges], "errors.rating")
    group = group_of(corpus, None if subset == every else subset, ranges.get(rating))
    if pairs := chosen(corpus):
        st.caption(f"Of the {counted(len(pairs), 'pair')} chosen in the figure of gold against similarity.")
        group = sorted(set(pairs).intersection(pairs if group is None else group))
    return None if group is None else tuple(group)


def headline(side: str, found: ErrorWords) -> str:
    """How far the pairs are off, and the word that brings them closest, whether a difference is shown."""
    pairs = f"{counted(found.pairs, 'pair')} {are(found.pairs)}"
    off = f"{side}: {pairs} {found.places:.0f} places of 100 from {their(found.pairs)} gold rank"
    if not found.words or found.words[0].gain <= 0:
        return f"{off}; no word of {LEAST} pairs or more brings them closer"
    best = found.words[0]
    gain = Difference(best.gain, best.low, best.high)
    return (
        f"{off}; without {quoted(best.word)} its {best.pairs} pairs come {gain.amount} closer "
        f"({between(best.low, best.high)}){'' if best.low > 0 else '; no difference shown'}"
    )


def table(found: ErrorWords) -> pd.DataFrame:
    """One row for each word, the largest gain first."""
    columns = {"word": "word", "gain": "places closer", "low": "low", "high": "high", "pairs": "pairs"}
    rows = [asdict(word) for word in found.words]
    return pd.DataFrame(rows, columns=list(columns)).rename(columns=columns)


def _draw(side: str, found: ErrorWords) -> None:
    st.markdown(f"**{escape(headline(side, found))}**")
    words = table(found)
    st.dataframe(
        words.style.format(dict.fromkeys(("places closer", "low", "high"), signed), na_rep=""),
        hide_index=True,
        key=f"errors.table.{side}",
        height=280,
        placeholder="",
        alt=f"{LABEL} under {side}",
    )
    st.caption(
        f"Each word is left out of pooling (the model still reads it). Words in {LEAST} pairs or more; any "
        f"word moves these pairs by {signed(found.gain)} on average. An interval is of one word by itself: "
        "the first of many is first by luck too."
    )
    downloads.csv(words, f"error.words.{side}")
