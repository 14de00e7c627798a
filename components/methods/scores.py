"""Scores of methods on a corpus: computed here, and matched with published ones."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import streamlit as st

from components import job, provenance, works
from components.cached import shared_queue
from components.errors import tried
from components.provenance import Summary
from components.text import escape
from core.corpora.corpus import Corpus
from core.evaluation.gains import Gain
from core.evaluation.scoring import Scored, score
from core.literature.differences import why_different
from core.literature.presets import Preset
from core.literature.presets.comparable import plain_mean
from core.literature.published import AVERAGE, SEVEN, PublishedScore
from core.pipeline.engine import Engine
from core.progress import Progress
from core.recipe import Recipe
from core.sources.source import file_stamps
from core.work import Job, Work

Outcome = Scored | str | None
"""A score, why there is none, or None when nothing was tried."""

AGGREGATE = "all"
"""One correlation over all pairs: what most of the published figures are."""

_TRY = "methods.try"


@dataclass(frozen=True, eq=False)
class ScoresHere:
    """The scores of methods on a corpus with the model and reference of a recipe, kept for all visitors."""

    engine: Engine
    base: Recipe
    corpus: Corpus

    @cached_property
    def scope(self) -> tuple[Hashable, ...]:
        """What all of them depend on, whatever files a method names itself."""
        model = works.identity(self.engine, Recipe(source=self.base.source, reference=self.base.reference))
        reference = works.reference_of(self.engine, self.base)
        return (*model, reference, *works.identity_of(self.corpus))

    def job(self, recipe: Recipe) -> Job[Scored | str] | None:
        """The job that scores a method, if it was asked for."""
        return shared_queue().find(self._key(recipe))

    def outcome(self, recipe: Recipe) -> Outcome:
        """The score of a method, or why there is none; None when it is not there."""
        job = self.job(recipe)
        return None if job is None else job.value()

    def work(self, name: str, recipe: Recipe, seconds: float, *, asks: bool) -> Work[Scored | str]:
        """Score a method; why it cannot be scored is a result too."""

        def compute(progress: Progress) -> Scored | str:
            return _small(tried(lambda: score(self.engine, recipe, self.corpus, AGGREGATE, progress)))

        shared = works.reads(recipe, [self.corpus]) if seconds else frozenset()
        return Work(self._key(recipe), f"Scoring {name}", compute, seconds, shared, asks)

    def forget(self, recipe: Recipe) -> None:
        """Let go of the outcome, so that the method is tried again."""
        shared_queue().forget(self._key(recipe))

    def _key(self, recipe: Recipe) -> tuple[Hashable, ...]:
        files = file_stamps(recipe.source, self.engine.settings.trust)
        return ("method", str(recipe), files, *self.scope)


def known_score(here: ScoresHere, preset: Preset, gains: Mapping[str, Gain | str]) -> float | None:
    """The score of a method: its own, else the one among the model's ``gains``, which has no interval.

    Plain mean pooling is what these are gains over. None where there is neither.
    """
    recipe = preset.apply(here.base)
    own, among = here.outcome(recipe), gains.get(preset.name)
    if isinstance(own, Scored):
        return own.score.spearman
    if recipe == plain_mean(here.base):
        known = (one for one in gains.values() if isinstance(one, Gain) and one.difference.known)
        return next((one.spearman - one.difference.value for one in known), None)
    return among.spearman if isinstance(among, Gain) else None


def _small(outcome: Scored | str) -> Scored | str:
    """The outcome without similarities: the queue may keep a hundred of them."""
    if isinstance(outcome, str):
        return outcome
    return replace(outcome, similarities=outcome.similarities[:0].copy())


def task_of(corpus: Corpus) -> str:
    """The task that papers report on this corpus; empty when they report on no such part of it."""
    if corpus.split_name not in ("test", "all"):
        return ""
    name = re.sub(r"[^a-z0-9]", "", corpus.name.lower().removesuffix(".raw"))
    known = {re.sub(r"[^a-z0-9]", "", task.lower()): task for task in (*SEVEN, "STR")}
    return known.get({"sick": "sickr"}.get(name, name), "")


def best_match(preset: Preset, corpus: Corpus, model: str) -> PublishedScore | None:
    """The published figure most like a score here: the same corpus, else an average; least differs."""
    for task in (task_of(corpus), AVERAGE):
        same = [one for one in preset.scores if one.corpus == task]
        if same:
            return min(same, key=lambda one: len(reasons(preset, one, corpus, model)))
    return preset.scores[0] if preset.scores else None


def reasons(preset: Preset, one: PublishedScore, corpus: Corpus, model: str) -> tuple[str, ...]:
    """Why a published score and the score here may differ."""
    return why_different(preset, one, model, corpus.origin, AGGREGATE)


def score_method(here: ScoresHere, preset: Preset, recipe: Recipe) -> Outcome:
    """The score of the chosen method; what it needs and what takes long is asked for before."""
    engine, corpus = here.engine, here.corpus
    outcome = here.outcome(recipe)
    if outcome is None and preset.needs and st.session_state.get(_TRY) != preset.name:
        st.info(f"Not scored yet: it needs {escape(preset.needs)}.", icon=":material/deployed_code:")
        st.button("Try it now", key="method.try", on_click=_try, args=(preset.name,), type="primary")
        return None
    if outcome is None:
        is_kept = works.has_stored_similarities(engine, recipe, corpus)
        seconds = 0.0 if is_kept else works.pending(engine, [recipe], corpus)
        read = works.reads(recipe, [corpus]) if seconds else frozenset()
        asks = works.asks(engine, [recipe], corpus) and not works.comes_anyhow(read)
        work = here.work(preset.name, recipe, seconds, asks=asks)
        outcome = job.show(work, lambda: works.reading(engine, [recipe], corpus))
    if isinstance(outcome, str):
        st.warning(f"No score here. {escape(outcome)}", icon=":material/block:")
        st.button("Try again", key="method.again", on_click=here.forget, args=(recipe,))
    return outcome


def _try(name: str) -> None:
    st.session_state[_TRY] = name


def caption(first: str, corpus: Corpus, outcomes: Sequence[Outcome]) -> tuple[str, ...]:
    """What is scored, with which models, on what; more than two models are counted."""
    models = few(
        f"{one.about['model']} ({one.about['revision']})" for one in outcomes if isinstance(one, Scored)
    )
    line = provenance.line(models, corpus, provenance.pairs(corpus), "one correlation over all pairs")
    return first, line


def summary(recipes: Mapping[str, str], corpus: Corpus, outcomes: Sequence[Outcome]) -> Summary:
    """What is scored by its name, with which models, on what."""
    models = few(str(one.about["model"]) for one in outcomes if isinstance(one, Scored))
    return Summary(
        "methods",
        recipes,
        {name: name for name in models},
        provenance.split(corpus),
        provenance.pairs(corpus),
    )


def few(models: Iterable[str]) -> list[str]:
    """Each model once; more than two are counted."""
    names = list(dict.fromkeys(models))
    return names if len(names) < 3 else [f"{len(names)} sources"]
