"""Every method scored on one corpus, one after another, and drawn best first."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import streamlit as st

from components import figure_frame, state, theme
from components.errors import tried
from components.figure_frame import Framed
from components.figures.methods import Row, scores_and_published
from components.jobs import asked, done
from components.methods.scores import AGGREGATE, Found, best_match, caption, keep, kept, task_of
from components.progress import duration, pending, working
from components.text import escape
from components.wording import value
from core.corpus import Corpus
from core.embed import Road
from core.evaluation.scoring import Scored, score
from core.presets import PRESETS, Preset
from core.progress import Step
from core.recipe import Recipe

BEST = 10
"""Methods that a slide can show."""

SECONDS_EACH = 0.3
"""About what a method takes from the stored pass to its score with interval."""


def show(road: Road, base: Recipe, corpus: Corpus, family: Sequence[Preset], model: str) -> None:
    """The button, the figure of what is scored so far, and what cannot be scored."""
    st.markdown("##### Every method here")
    todo = [preset for preset in PRESETS if not preset.needs]
    open_ = [preset for preset in todo if kept(preset.apply(base), corpus) is None]
    if open_ and asked(
        "every",
        f"{base} {corpus.fingerprint}",
        "Score every method here",
        _about(road, base, corpus, open_),
    ):
        run(road, base, corpus, open_, len(todo))
        done()
    draw(base, corpus, family, model)


def _about(road: Road, base: Recipe, corpus: Corpus, presets: Sequence[Preset]) -> str:
    """How much work it is, in words; averages, which take minutes more, are asked for one by one."""
    recipes = [preset.apply(base) for preset in presets]
    plain = [recipe for recipe in recipes if recipe.spelled()["mix"] == "none"]
    much = duration(sum(pending(road, plain, corpus).values()) + SECONDS_EACH * len(presets))
    return (
        f"{len(presets)} that need nothing are still to be scored on {corpus.name}: about {much}, one by "
        "one; it can be stopped, and goes on where it was."
    )


def run(road: Road, base: Recipe, corpus: Corpus, presets: Sequence[Preset], total: int) -> None:
    """Score the methods one by one; each is kept as it is done, a failure with its reason."""
    with working("every") as progress:
        for number, preset in enumerate(presets, total - len(presets)):
            recipe = preset.apply(base)

            def tell(step: Step, number: int = number, name: str = preset.name) -> None:
                progress(Step(f"{escape(name)} ({step.what.lower()}); methods", number, total))

            progress(Step(f"{escape(preset.name)}; methods", number, total))
            keep(recipe, corpus, tried(lambda r=recipe, t=tell: score(road, r, corpus, AGGREGATE, t)))


def draw(base: Recipe, corpus: Corpus, family: Sequence[Preset], model: str) -> None:
    """Scores with intervals, best first, beside what is published on this corpus."""
    found = {preset: kept(preset.apply(base), corpus) for preset in family}
    scored = {
        preset: one
        for preset, one in found.items()
        if isinstance(one, Scored) and np.isfinite(one.score.spearman)
    }
    if len(scored) < 2:
        st.caption("A figure of all of them stands here once two or more are scored.")
        return
    best = sorted(scored, key=lambda preset: -scored[preset].score.spearman)
    shown = best
    if len(best) > BEST:
        which = st.segmented_control(
            "Show",
            [f"best {BEST}", f"all {len(best)}"],
            default=f"best {BEST}",
            required=True,
            key="methods.shown",
            label_visibility="collapsed",
        )
        shown = best if str(which).startswith("all") else best[:BEST]
    task = task_of(corpus)
    look, title = theme.of(state.theme_name()), f"Best here: {best[0].name}, {value(scored[best[0]].score)}"
    rows = []
    for preset in shown:
        match = best_match(preset, corpus, model)
        printed = (match,) if match and match.corpus == task else ()
        rows.append(Row(preset.name, scored[preset].score, printed))
    among = "all families" if len({one.family for one in family}) > 1 else family[0].family
    figure_frame.show(
        Framed(
            key="methods",
            title=title,
            figure=scores_and_published(rows, look),
            caption=caption(
                f"{len(shown)} of {len(scored)} methods scored here, {among}; source "
                f"{base.spelled()['source']} unless a method brings its own. The best of many tries looks "
                "better than it is.",
                corpus,
                list(scored.values()),
            ),
            alt=f"{title}; then {', '.join(preset.name for preset in shown[1:4])}",
            numbers=_numbers(found, corpus, model),
        )
    )
    failed = [(preset.name, one) for preset, one in found.items() if isinstance(one, str)]
    if failed:
        with st.expander(f"{len(failed)} could not be scored here, and why"):
            st.table(pd.DataFrame(failed, columns=["method", "why"]).map(escape), hide_index=True)


def _numbers(found: dict[Preset, Found], corpus: Corpus, model: str) -> pd.DataFrame:
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
