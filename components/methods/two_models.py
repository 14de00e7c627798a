"""Every method on the two encoders that come along: what it gains over plain mean, on the page Methods."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from components import figure_frame, job, provenance, state, theme, works
from components.controls import segments
from components.figure_frame import Framed
from components.figures.gains import gains_by_model
from components.job import Question
from components.provenance import Summary
from components.text import escape
from components.wording import UNIT, duration_range
from core.corpora.corpus import Corpus
from core.encoders.bundled_encoders import BUNDLED
from core.errors import counted, they
from core.evaluation.gains import Gain, are_kept, gains
from core.evaluation.sts import FEW_PAIRS
from core.literature.presets.comparable import PLAIN, comparable, plain_mean
from core.pipeline.engine import Engine
from core.progress import Progress
from core.recipe import Recipe
from core.work import Work

BEST = 10
"""Methods of each encoder that are shown at first."""

FIRST, LAST = 7, 3
"""Methods of each encoder, from above and from below, that a slide can show of all."""

SECONDS_EACH = 0.6
"""About what a method takes from the stored pass to its paired interval."""

Results = Mapping[str, Gain | str]


def show(engine: Engine, base: Recipe, corpus: Corpus) -> dict[str, Results]:
    """The gain of each method on both encoders; a button first where that takes long.

    Returns the gains that are there by ``source=``: other models may have the names of these encoders.
    """
    st.markdown("## Every method on both encoders that come along")
    compared = {model.name: ModelGains.on(base.replace(source=model.source)) for model in BUNDLED[::-1]}
    plain = {name: each.plain for name, each in compared.items()}
    jobs = job.show_each(
        {name: _work(engine, name, each, corpus) for name, each in compared.items()},
        lambda: _question(engine, list(plain.values()), len(comparable(base)), corpus),
        key="gains",
    )
    results = {name: each.value() for name, each in jobs.items()}
    finished = {name: result for name, result in results.items() if result is not None}
    if len(finished) == len(compared):
        _draw(engine, finished, plain, corpus)
    return {model.source: finished[model.name] for model in BUNDLED if model.name in finished}


@dataclass(frozen=True)
class ModelGains:
    """Plain mean pooling and all comparable methods, by name, with one source and reference."""

    plain: Recipe
    recipes: Mapping[str, Recipe]

    @classmethod
    def on(cls, base: Recipe) -> ModelGains:
        """Plain mean pooling and the published methods, with the source and the reference of ``base``."""
        return cls(plain_mean(base), comparable(base))


def finding(results: Mapping[str, Results]) -> str:
    """How many methods gain, and how many lose, on each encoder."""
    parts = []
    for model, by_name in results.items():
        made = [each.difference for each in by_name.values() if isinstance(each, Gain)]
        made = [difference for difference in made if np.isfinite(difference.value)]
        known = [difference for difference in made if difference.known]
        if not made:
            parts.append(f"{model}: no method has a score")
            continue
        if not known:
            parts.append(f"{model}: {counted(len(made), 'method')} without an interval")
            continue
        gained, lost = (
            sum(difference.shown and sign * difference.value > 0 for difference in known)
            for sign in (1, -1)
        )
        alike = len(known) - gained - lost
        parts.append(
            f"{model}: {gained} of {counted(len(known), 'method')} {they(gained, 'gain')}, "
            f"{lost} {they(lost, 'lose')}, {alike} {they(alike, 'show')} no difference"
        )
    return f"{'; '.join(parts)} ({UNIT} against plain mean of the last layer)"


def ranked(drawn: Mapping[str, Mapping[str, Gain]]) -> list[str]:
    """Every method that any encoder has a gain of, by the first encoder's, the largest first."""
    first = next(iter(drawn.values()))
    return _by_gain(dict.fromkeys(name for by_name in drawn.values() for name in by_name), first)


def best_of_each(drawn: Mapping[str, Mapping[str, Gain]], most: int, least: int = 0) -> list[str]:
    """Those of :func:`ranked` whose gain on a model is among its ``most`` largest or ``least`` smallest."""
    chosen: set[str] = set()
    for by_name in drawn.values():
        by_gain = _by_gain(by_name, by_name)
        known = [name for name in by_gain if np.isfinite(by_name[name].difference.value)]
        chosen |= {*by_gain[:most], *known[max(len(known) - least, 0) :]}
    return [name for name in ranked(drawn) if name in chosen]


def _by_gain(names: Iterable[str], by_name: Mapping[str, Gain]) -> list[str]:
    """Names by their gain, those without one last."""
    gained = {name: each.difference.value for name, each in by_name.items()}
    known = {name: gain for name, gain in gained.items() if np.isfinite(gain)}
    return sorted(names, key=lambda name: -known.get(name, -np.inf))


def numbers(results: Mapping[str, Results]) -> pd.DataFrame:
    """A row for each encoder and method, with the gain or the reason why there is none."""
    rows = []
    for model, by_name in results.items():
        for name, each in by_name.items():
            row: dict[str, object] = {"encoder": model, "method": name}
            if isinstance(each, Gain):
                difference = each.difference
                row |= {"spearman": each.spearman, "gain": difference.value}
                row |= {"low": difference.low, "high": difference.high}
            else:
                row["problem"] = each
            rows.append(row)
    return pd.DataFrame(rows)


def _work(engine: Engine, model: str, compared: ModelGains, corpus: Corpus) -> Work[dict[str, Gain | str]]:
    """The gains of all methods on one encoder; where they are not kept, a visitor asks for them."""
    plain, recipes = compared.plain, compared.recipes

    def compute(progress: Progress) -> dict[str, Gain | str]:
        return gains(engine, plain, recipes, corpus, progress=progress)

    what = f"Comparing {counted(len(recipes), 'method')} of {model} on {provenance.split(corpus)}"
    stored = are_kept(engine, plain, recipes.values(), corpus)
    reference = works.reference_of(engine, plain)  # which plain mean itself learns nothing from
    work = works.recipe_work(
        "gains", what, engine, plain, corpus, compute, reference, kept=lambda _: stored
    )
    if stored:
        return work
    return replace(work, seconds=work.seconds + SECONDS_EACH * len(recipes), asks=True)


def _question(engine: Engine, recipes: Sequence[Recipe], methods: int, corpus: Corpus) -> Question:
    seconds = works.pending(engine, recipes, corpus) + SECONDS_EACH * methods * len(recipes)
    return Question(
        f"{methods} methods on {len(recipes)} encoders take {duration_range(seconds)}, once; it can be "
        "stopped, and goes on where it was.",
        "Compare both encoders",
        aside=True,
    )


def _shown(drawn: Mapping[str, Mapping[str, Gain]]) -> tuple[list[str], str]:
    """The methods that a visitor looks at, and in words which they are; a control where all are many."""
    every, few = ranked(drawn), best_of_each(drawn, BEST)
    best, counts = f"best {BEST} on each", counted(len(every), "method")
    if len(few) == len(every):
        return every, counts
    chosen = segments("Show", (best, "all"), "gains.shown", label_visibility="collapsed")
    return (few, f"{best}: {len(few)} of {counts}") if chosen == best else (every, counts)


def _draw(
    engine: Engine, results: Mapping[str, Results], plain: Mapping[str, Recipe], corpus: Corpus
) -> None:
    drawn = {
        model: {name: each for name, each in by_name.items() if isinstance(each, Gain)}
        for model, by_name in results.items()
    }
    look, title = theme.of(state.theme_name()), finding(results)
    models = [provenance.model(engine.source(recipe)) for recipe in plain.values()]
    spread = ", with its paired 95 % interval" * (len(corpus) >= FEW_PAIRS)

    def framed(names: Sequence[str], which: str) -> Framed:
        return Framed(
            key="gains",
            title=title,
            figure=gains_by_model(names, drawn, look),
            caption=(
                which,
                f"Each method against plain mean of the last layer ({PLAIN}) of the same "
                f"encoder on the same pairs{spread}; hollow: no "
                "difference shown. The best of many tries looks better than it is.",
                provenance.line(models, corpus, provenance.pairs(corpus), "one correlation over all pairs"),
            ),
            summary=Summary(
                "methods",
                {"": which},
                {model: model for model in drawn},
                provenance.split(corpus),
                provenance.pairs(corpus),
            ),
            alt=title,
            numbers=lambda: numbers(results),
        )

    names, which = _shown(drawn)
    ends = best_of_each(drawn, FIRST, LAST)
    some = f"best {FIRST} and last {LAST} on each: {len(ends)} of {counted(len(names), 'method')}"
    too_many = len(names) > max(len(ends), len(best_of_each(drawn, BEST)))
    figure_frame.show(
        replace(framed(names, which), on_slide=partial(framed, ends, some) if too_many else None)
    )
    failed = sorted(
        {f"{name}: {each}" for r in results.values() for name, each in r.items() if isinstance(each, str)}
    )
    if failed:
        with st.expander(f"{len(failed)} could not be scored here, and why"):
            for line in failed:
                st.markdown(f"- {escape(line)}")
