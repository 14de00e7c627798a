"""The page Mixing: its head, its corpora, and the caption that its figures share."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from components import errors, job, provenance, works
from components.explain import heading
from components.mixing import cells
from components.provenance import Summary
from core.analysis import mixing, mixing_gains
from core.analysis.mixing import Mixture, mixed, mixture
from core.analysis.mixing_gains import MixtureGains
from core.corpora.corpus import Corpus
from core.errors import StrataError, counted
from core.evaluation.sts import check_scorable
from core.pipeline.engine import Engine
from core.progress import Progress
from core.recipe import Recipe
from core.work import Job

MOST = 6
"""Corpora whose scores are averaged at most."""


def head() -> None:
    """Title, and how to read the page."""
    heading(
        "Mixing",
        "How much of a token's average over all its contexts helps its sentence, layer by layer?",
        "Avg. gives every token the mean of its vectors over its contexts in the reference corpus. A "
        "sentence vector here is (1 − w) × that of the model + w × that of Avg., both from the same "
        "layers: **w = 0 is the model alone, 1 is Avg. alone**, below 0 the average is taken away, above 1 "
        "the context. Everything else is recipe A's. The black × marks the highest of hundreds of "
        "cells; the best of so many looks better than it is, which is why it is chosen on dev and shown on "
        "test below. A map of one corpus says nothing of another, nor of clustering or classification, "
        "where the paper found other best shares (Stankevičius & Lukoševičius 2025, Figures 5 to 8); "
        "their maps are below.",
    )


def choose(engine: Engine, corpus: Corpus) -> list[Corpus]:
    """The corpora whose scores are averaged: the one in the bar, and others that the visitor adds."""
    offered = [entry.name for entry in engine.catalogue.offered() if entry.kind == "pairs"]
    linked = [*st.query_params.get_all("over"), *st.session_state.get("over", [])]
    offered += [
        name for name in dict.fromkeys(linked) if name not in offered and engine.catalogue.holds(name)
    ]
    # one that is in the bar now comes back when it is not
    names = [name for name in offered if name != corpus.link or name in linked]
    added = st.multiselect(
        "Mean over more corpora",
        names,
        key="over",
        bind="query-params",
        persist_state="session",
        max_selections=MOST - 1,
        placeholder=f"{corpus.name} alone",
        help="The score of a cell is then the unweighted mean of its scores on these corpora.",
    )
    corpora = [corpus]
    for name in added:
        if name == corpus.link:
            continue
        try:
            other = engine.corpus(name)
            check_scorable(other)
            corpora.append(other)
        except StrataError as error:
            errors.tell(error)
    return corpora


def dev_and_test(engine: Engine, corpus: Corpus) -> list[Corpus]:
    """The splits that a cell is chosen on and shown on; none where the corpus has not both."""
    if not {"dev", "test"} <= set(engine.corpus(corpus.link, "all").splits):
        return []
    return [engine.corpus(corpus.link, split) for split in ("dev", "test")]


def mixtures(engine: Engine, recipe: Recipe, corpora: Sequence[Corpus]) -> dict[str, Job[Mixture]]:
    """The jobs that score all cells, by the fingerprint of their corpus; one question for all of them."""
    different = {each.fingerprint: each for each in corpora}.values()
    cell = errors.require(lambda: mixed(recipe, 0.5, "first+last"))
    return job.show_each(
        {
            each.fingerprint: works.recipe_work(
                "mixture",
                f"Scoring shares and layers on {provenance.split(each)}",
                engine,
                cell,
                each,
                partial(mixture, engine, recipe, each, "all"),
                kept=works.if_kept(partial(mixing.is_kept, engine, recipe, each)),
            )
            for each in different
        },
        lambda: works.reading(engine, [cell], *different),
    )


def foresee(engine: Engine, recipe: Recipe, corpus: Corpus, progress: Progress) -> None:
    """Store the scores of all cells of a recipe, where nothing has to be read for them."""
    if not works.pending(engine, [mixed(recipe, 0.5, "first+last")], corpus):
        mixture(engine, recipe, corpus, progress=progress)


def measured_gains(
    engine: Engine, recipe: Recipe, corpora: Sequence[Corpus], mixture: Mixture
) -> MixtureGains | None:
    """What the best shares gain, with their intervals; None while they are computed."""
    cell = errors.require(lambda: mixed(recipe, 0.5, "first+last"))
    work = works.recipe_work(
        "mixture gains",
        "Intervals of the best shares",
        engine,
        cell,
        corpora,
        lambda progress: mixing_gains.gains(engine, recipe, corpora, mixture, progress=progress),
        kept=works.if_kept(partial(mixing_gains.is_kept, engine, recipe, corpora, mixture)),
    )
    return errors.require(lambda: job.show(work))


def summary(engine: Engine, recipe: Recipe, corpora: Sequence[Corpus]) -> Summary:
    """Recipe A by what is not varied, the model and the corpora."""
    several = f", mean over {len(corpora)} corpora" if len(corpora) > 1 else ""
    return cells.summary(
        recipe,
        engine.source(recipe, corpora[0]).name,
        " and ".join(map(provenance.split, corpora)),
        f"{counted(sum(map(len, corpora)), 'pair')}{several}",
    )


def caption(engine: Engine, recipe: Recipe, corpora: Sequence[Corpus], mixture: Mixture) -> tuple[str, ...]:
    """The best cell's recipe, the model, the reference of Avg. and the corpora."""
    model = provenance.model(engine.source(recipe, corpora[0]))
    average = cells.average(engine, recipe)
    lines = [cells.recipes_line(recipe, mixture)]
    if len(corpora) > 1:
        names = ", ".join(f"{provenance.split(one)} ({provenance.pairs(one)})" for one in corpora)
        lines.append(f"Each cell is the mean over {names}")
    for corpus in corpora:
        lines.append(provenance.line([model], corpus, provenance.pairs(corpus), average))
    return tuple(lines)
