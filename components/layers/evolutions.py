"""Cosines of layer with layer under each model, for the map and the hop curves of the page Layers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import streamlit as st

from components import errors, provenance, selection
from components.layers.page import LayeredModel, quoted_start
from components.provenance import Summary
from components.text import escape
from components.wording import lower_first
from core.analysis.layers.trajectories import Evolution, Paths, Trajectories
from core.corpora.corpus import Corpus
from core.errors import StrataError, counted
from core.evaluation.wording import quoted
from core.pipeline.engine import Engine
from core.tokens.marks import without_marks
from core.tokens.states import STATIC
from core.work import Job

HEIGHT = 350
"""Pixels of map and curves: the squares of the map fill half the page."""


@dataclass(frozen=True, eq=False)
class ModelEvolution:
    """The evolution map of one model."""

    model: LayeredModel
    evolution: Evolution


def evolutions(
    models: Sequence[LayeredModel], view: str, token: int, trajectories: Sequence[Job[Trajectories]]
) -> list[ModelEvolution]:
    """The cosines of layer with layer that are there; the page says where there can be none."""
    drawn = []
    for model, on_corpus in zip(models, trajectories, strict=True):
        try:
            if view == "corpus":
                found = on_corpus.value()
                if found is None:
                    continue
                evolution = found.evolution
            elif view == "sentence":
                evolution = model.paths.evolution()
            else:
                at = token if model is models[0] else same_token(models[0].paths, token, model.paths)
                if at is None:
                    st.caption(f":material/info: {escape(model.name)} cuts this word otherwise.")
                    continue
                evolution = model.paths.evolution(at)
        except StrataError as error:
            errors.tell(error)
            continue
        drawn.append(ModelEvolution(model, evolution))
    return drawn


def same_token(paths: Paths, token: int, other: Paths) -> int | None:
    """Where another model has the same token, word-start marks and case aside; None where it has not."""

    def names(model_paths: Paths) -> list[str]:
        surface_forms = model_paths.tokens.surface_forms(slice(0, len(model_paths.tokens)))
        bare = [without_marks(text).lower() for text in surface_forms]
        return selection.token_names(bare)

    wanted, offered = names(paths)[token], names(other)
    return offered.index(wanted) if wanted in offered else None


def adjacent(evolution: Evolution) -> tuple[np.ndarray, np.ndarray]:
    """Cosines of adjacent layers from 0 on, mean and spread over tokens."""
    first = evolution.layers.index(0)
    return np.diagonal(evolution.cosines, 1)[first:], np.diagonal(evolution.spread, 1)[first:]


def subject(view: str, surface_form: str, tokens: int) -> str:
    """What changes, as the first words of a finding."""
    if view == "token":
        return f"{quoted(surface_form)} changes"
    if view == "corpus":
        return "Words change"
    return "The sentence's one token changes" if tokens == 1 else "The sentence's words change"


def of_each(shown: Sequence[ModelEvolution], finding: Callable[[Evolution], str]) -> str:
    """The finding of each model, with its name where there are several."""
    if len(shown) == 1:
        return finding(shown[0].evolution)
    return "; ".join(f"{one.model.name}: {lower_first(finding(one.evolution))}" for one in shown)


def caption(
    engine: Engine, shown: Sequence[ModelEvolution], view: str, corpus: Corpus, sentence: str
) -> tuple[str, ...]:
    """Models, template, what is averaged over, and what was left out."""
    recipe = shown[0].model.recipe
    models = [
        f"{provenance.model(engine.source(one.model.recipe))}: {counted(one.evolution.tokens, 'token')}"
        for one in shown
    ]
    subject = provenance.line([], corpus, counted(len(corpus.sentences), "sentence"))
    if view != "corpus":
        subject = quoted_start(sentence)
    template = recipe.spelled()["template"]
    lines = [
        " · ".join(models),
        f"{subject} · template {template}" + ("" if view == "token" else " · without special tokens"),
    ]
    narrow = [one.model.name for one in shown if STATIC not in one.evolution.layers]
    if narrow:
        lines.append(f"Static rows of {' and '.join(narrow)} left out: their width is not the layers'.")
    return tuple(lines)


def summary(shown: Sequence[ModelEvolution], view: str, corpus: Corpus) -> Summary:
    """Models, what is averaged over, and how many tokens."""
    tokens = shown[0].evolution.tokens
    return provenance.summary(
        "layers",
        {},
        {one.model.name: one.model.name for one in shown},
        provenance.split(corpus) if view == "corpus" else f"a {view} of yours",
        counted(tokens, "token"),
    )
