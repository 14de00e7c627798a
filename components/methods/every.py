"""Every method scored on one corpus, one after another, and drawn best first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from components import figure_frame, job, state, theme, works
from components.controls import segments
from components.errors import tried
from components.figure_frame import Framed
from components.figures.methods import Row, scores_and_published
from components.job import Question
from components.methods.scores import (
    Outcome,
    ScoresHere,
    best_match,
    caption,
    known_score,
    summary,
    task_of,
)
from components.methods.two_models import BEST, Results
from components.text import escape
from components.wording import UNIT, duration_range, value, with_interval
from core.corpora.corpus import Corpus
from core.evaluation.difference import NO_DIFFERENCE, Difference
from core.evaluation.gains import Gain, gain
from core.evaluation.scoring import Scored
from core.evaluation.sts import FEW_PAIRS, Score
from core.evaluation.wording import fixed
from core.literature.presets import PRESETS, Preset
from core.recipe import Recipe
from core.work import State

LAST = 5
"""Methods from below that a slide shows of all, under the best."""

SECONDS_EACH = 0.3
"""About what a method takes from the stored pass to its score with interval."""


def show(here: ScoresHere, family: Sequence[Preset], model: str, gains: Results) -> None:
    """The button, the figure of what is scored so far, and what cannot be scored.

    ``gains`` are the model's: they hold scores without an interval, which the table has.
    """
    st.markdown("## Every method here")
    missing = {
        preset: recipe
        for preset in PRESETS
        if not preset.needs and not _is_made(here, recipe := preset.apply(here.base))
    }
    job.show_all(
        [here.work(preset.name, recipe, SECONDS_EACH, asks=True) for preset, recipe in missing.items()],
        lambda: _question(
            here, list(missing.values()), sum(known_score(here, one, gains) is not None for one in missing)
        ),
        key="every",
    )
    draw(here, family, model)


def _is_made(here: ScoresHere, recipe: Recipe) -> bool:
    """Whether a method is scored, or is being scored because the visitor chose it."""
    made = here.job(recipe)
    if made is None or made.state is State.STOPPED:
        return False
    return made.state.is_final or not made.pressed


def _question(here: ScoresHere, recipes: Sequence[Recipe], known: int) -> Question:
    """How much work it is, in words; averages, which take minutes more, are asked for one by one.

    ``known`` of the methods have a score without an interval.
    """
    plain = {
        (recipe.source, recipe.template, recipe.pool, recipe.post, recipe.needs_reference()): recipe
        for recipe in recipes
        if recipe.spelled()["mix"] == "none"
    }
    seconds = works.pending(here.engine, plain.values(), here.corpus)
    much = duration_range(seconds + SECONDS_EACH * len(recipes))
    what = f"{len(recipes)} methods that need nothing else are still to be scored on {here.corpus.name}"
    if len(here.corpus) >= FEW_PAIRS:
        what += ", with intervals"
        if known:
            what = (
                f"The table has scores of {known} methods, without intervals. {len(recipes)} methods "
                f"that need nothing else can be scored on {here.corpus.name}, with intervals"
            )
    return Question(
        f"{what}: {much}, one by one. Stopped, it goes on later where it was.",
        "Score every method here",
        aside=True,
    )


def draw(here: ScoresHere, family: Sequence[Preset], model: str) -> None:
    """Scores with intervals, best first, beside what is published on this corpus."""
    base, corpus = here.base, here.corpus
    found = {preset: here.outcome(preset.apply(base)) for preset in family}
    scored = {
        preset: one
        for preset, one in found.items()
        if isinstance(one, Scored) and np.isfinite(one.score.spearman)
    }
    if len(scored) < 2:
        by_itself = " with their intervals" * (len(corpus) >= FEW_PAIRS)
        st.caption(f"A figure stands here once two or more are scored{by_itself}.")
        return
    best = sorted(scored, key=lambda preset: -scored[preset].score.spearman)
    few = f"best {BEST}"
    all_shown = len(best) <= BEST or few != segments(
        "Show", (few, "all"), "methods.shown", label_visibility="collapsed"
    )
    task = task_of(corpus)
    among = "all families" if len({one.family for one in family}) > 1 else family[0].family
    look = theme.of(state.theme_name())
    scores = [(preset.name, scored[preset].score) for preset in best]
    title = finding(scores, among, _lead(here, best))

    def row(preset: Preset) -> Row:
        match = best_match(preset, corpus, model)
        printed = (match,) if match and match.corpus == task else ()
        return Row(preset.name, scored[preset].score, printed)

    def framed(shown: Sequence[Preset], which: str) -> Framed:
        return Framed(
            key="methods",
            title=title,
            figure=scores_and_published([row(preset) for preset in shown], look),
            caption=caption(
                f"{which} of {counted_as(scores)}, {among}; source "
                f"{base.spelled()['source']} unless a method brings its own. The best of many tries looks "
                "better than it is.",
                corpus,
                list(scored.values()),
            ),
            summary=summary({"": f"{which} of {len(scored)} methods"}, corpus, list(scored.values())),
            alt=f"{title}; then {', '.join(preset.name for preset in shown[1:4])}",
            numbers=lambda: _numbers(found, corpus, model),
        )

    if all_shown:
        ends = [*best[:BEST], *best[-LAST:]]
        on_slide = partial(framed, ends, f"best {BEST} and last {LAST}") if len(best) > len(ends) else None
        figure_frame.show(replace(framed(best, str(len(best))), on_slide=on_slide))
    else:
        figure_frame.show(framed(best[:BEST], str(BEST)))
    failed = [(preset.name, one) for preset, one in found.items() if isinstance(one, str)]
    if failed:
        with st.expander(f"{len(failed)} could not be scored here, and why"):
            st.table(
                pd.DataFrame(failed, columns=["method", "why"]).map(escape),
                hide_index=True,
                alt="Methods that could not be scored here, and why",
            )


def _lead(here: ScoresHere, best: Sequence[Preset]) -> Difference:
    """What the best method scores above the next, on the same pairs; not known while methods are scored."""
    scoring = [here.job(preset.apply(here.base)) for preset in PRESETS]
    if any(each is not None and not each.state.is_final for each in scoring):
        return NO_DIFFERENCE
    first, second = (preset.apply(here.base) for preset in best[:2])
    work = works.recipe_work(
        "lead",
        f"Comparing {best[0].name} with {best[1].name}",
        here.engine,
        first,
        here.corpus,
        lambda progress: gain(here.engine, second, first, here.corpus, progress=progress),
        str(second),
        here.scope,
    )
    compared = tried(lambda: job.show(work))
    return compared.difference if isinstance(compared, Gain) else NO_DIFFERENCE


def finding(best: Sequence[tuple[str, Score]], among: str, lead: Difference) -> str:
    """The method that scores highest, and whether it differs from the next, in one sentence."""
    (name, highest), (next_name, second) = best[:2]
    words = f"Highest of {counted_as(best)} ({among}): {name}, {UNIT} = {value(highest)}"
    if not lead.known:
        return words
    after = f"{next_name}, {fixed(second.spearman)} ({with_interval(lead)})"
    return f"{words}; {'next' if lead.shown else 'no difference shown to the next'}, {after}"


def counted_as(scores: Sequence[tuple[str, Score]]) -> str:
    """How many methods there are in the figure, in words: the table has scores without an interval too."""
    interval = " with an interval" if all(np.isfinite(score.low) for _, score in scores) else ""
    return f"{len(scores)} methods scored here{interval}"


def _numbers(found: dict[Preset, Outcome], corpus: Corpus, model: str) -> pd.DataFrame:
    """One row for each method that was tried, with its score or its reason."""
    rows = []
    for preset, one in found.items():
        if one is None:
            continue
        scored, match = isinstance(one, Scored), best_match(preset, corpus, model)
        rows.append(
            {
                "method": preset.name,
                "family": preset.family,
                "year": preset.year,
                "recipe": one.about["recipe"] if scored else preset.recipe,
                "model": one.about["model"] if scored else "",
                "spearman": one.score.spearman if scored else None,
                "low": one.score.low if scored else None,
                "high": one.score.high if scored else None,
                "pairs": len(corpus),
                "seconds": one.seconds if scored else None,
                "published": match.value if match else None,
                "published on": match.corpus if match else "",
                "published where": match.where if match else "",
                "problem": "" if scored else one,
            }
        )
    return pd.DataFrame(rows).sort_values("spearman", ascending=False, ignore_index=True)
