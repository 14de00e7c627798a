"""The cell that is chosen on one split, scored on another, on the page Mixing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import streamlit as st

from components import job, works
from components.errors import require
from components.provenance import pairs, split
from components.text import escape
from components.wording import UNIT, layers_named, value, with_interval
from core.analysis.mixing import HeldOutScore, Mixture, mixed, score_held_out
from core.corpora.corpus import Corpus
from core.evaluation.scoring import has_similarities
from core.evaluation.wording import between, fixed, shortest
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.work import Job


def head(corpora: Sequence[Corpus]) -> None:
    """The section's heading; of the map's ``corpora`` the first one alone has a choice."""
    alone = f": {escape(corpora[0].name)} alone" if len(corpora) > 1 else ""
    st.markdown(f"## Chosen on dev, shown on test{alone}")


def show(
    engine: Engine, recipe: Recipe, splits: Sequence[Corpus], mixtures: Mapping[str, Job[Mixture]]
) -> None:
    """The held-out score of the best cell, in words, once both splits are scored."""
    chosen_on, other = splits
    chosen, shown = (require(mixtures[split.fingerprint].value) for split in splits)
    if chosen is None or shown is None:
        st.caption("It stands here once both splits are scored.")
        return
    if chosen.best is None:
        st.info(f"No cell has a score on {escape(split(chosen_on))}.", icon=":material/block:")
        return
    _, layers = chosen.best
    plain = works.identity(engine, mixed(recipe, 0.0, layers))
    work = works.recipe_work(
        "held-out",
        f"Scoring the best cell of {split(chosen_on)} on {split(other)}",
        engine,
        mixed(recipe, *chosen.best),
        other,
        lambda progress: score_held_out(engine, recipe, (chosen_on, chosen), (other, shown)),
        chosen_on.fingerprint,
        kept=lambda own: all(has_similarities(engine, one, other) for one in (own, plain)),
    )
    result = require(lambda: job.show(work))
    if result is None:
        return
    st.markdown(f"## {escape(finding(result, chosen_on, other))}")
    st.markdown(escape(verdict(result, chosen_on, other, chosen.scores.size)))


def finding(result: HeldOutScore, chosen_on: Corpus, other: Corpus) -> str:
    """The score of the chosen cell on the other split."""
    end = ""
    if result.share != 0 and not result.gain.shown:
        end = "; no difference from w = 0 shown"
    return (
        f"Chosen on {split(chosen_on)}, w = {shortest(result.share)} on {layers_named(result.layers)} "
        f"reaches {UNIT} = {value(result.score)} on {split(other)}{end}"
    )


def verdict(result: HeldOutScore, chosen_on: Corpus, other: Corpus, cells: int) -> str:
    """The rank of the chosen cell on the other split, and whether mixing gains anything there."""
    gain, layers = result.gain, layers_named(result.layers)
    if result.share == 0:
        against = "w = 0 was chosen, the model without Avg."
    elif not np.isfinite(gain.value):
        against = f"Against w = 0 on {layers} nothing can be said there: one side has no score."
    elif gain.shown:
        verb = "gains" if gain.value > 0 else "loses"
        against = (
            f"Against w = 0 on {layers} it {verb} {gain.amount} there ({between(gain.low, gain.high)})."
        )
    else:
        against = f"Against w = 0 on {layers} no difference is shown there ({with_interval(gain)})."
    first, second = (f"{split(one)} ({pairs(one)})" for one in (chosen_on, other))
    return (
        f"On {first} it scored {fixed(result.chosen_at)}, the best of {cells}; on {second} it is number "
        f"{result.rank} of them. {against}"
    )
