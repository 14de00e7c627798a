"""What the best of many heads is worth, in words, and the head as a recipe."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import streamlit as st

from components import job, take, works
from components.errors import tried
from components.heads.search_plan import SearchPlan
from components.text import escape
from components.wording import UNIT, value, with_interval
from core.analysis.heads.head_search import HeadEvaluation, HeadScores, evaluate_head
from core.analysis.heads.head_similarities import with_head
from core.evaluation.difference import Difference
from core.evaluation.wording import between, fixed, signed
from core.pipeline.engine import Engine


def show(
    engine: Engine, plan: SearchPlan, scores: Sequence[HeadScores], published: tuple[int, int] | None
) -> None:
    """The best head where it is shown, what a reader may conclude, and the head as a recipe.

    ``scores`` are those on the pairs a head is chosen on, then those on the pairs it is shown on.
    """
    best = scores[0].best
    if best is None:
        st.warning(
            "All similarities are equal under every head, so no head can be chosen.",
            icon=":material/warning:",
        )
        return
    recipe = with_head(plan.base, plan.layers, *best)
    uniform = plan.base.replace(layers=plan.layers)
    work = works.recipe_work(
        "head-verdict",
        "Scoring the best head with its interval",
        engine,
        recipe,
        plan.show_on,
        partial(evaluate_head, engine, plan.base, plan.layers, best, plan.show_on),
        kept=lambda _: all(
            works.has_stored_similarities(engine, one, plan.show_on) for one in (recipe, uniform)
        ),
    )
    judged = tried(lambda: job.show(work))
    if judged is None:
        return
    if isinstance(judged, str):
        st.warning(escape(judged), icon=":material/block:")
        return
    st.markdown(f"## {escape(headline(plan, scores, best, judged))}")
    for line in worth(plan, scores, best, judged):
        st.markdown(escape(line))
    if published:
        st.markdown(escape(of_published(plan, scores[-1], published)))
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.code(str(recipe), language=None, width="content")
        take.buttons(recipe, f"Ditto with L{best[0]}-H{best[1]}", "heads.take")


def of_published(plan: SearchPlan, scores: HeadScores, head: tuple[int, int]) -> str:
    """The head that a paper names for the model, on the pairs it is shown on."""
    name, on, value = f"L{head[0]}-H{head[1]}", plan.show_on.split_name, scores.of(*head)
    if not np.isfinite(value):
        return f"Published for this model: {name}, which has no score on {on}."
    rank = f"rank {scores.rank(*head)} of {scores.scores.size}"
    return f"Published for this model: {name}, here {rank} on {on}: {fixed(value)}."


def headline(
    plan: SearchPlan, scores: Sequence[HeadScores], best: tuple[int, int], judged: HeadEvaluation
) -> str:
    """The best head where it is shown, with its interval and its rank."""
    name, on = f"L{best[0]}-H{best[1]}", plan.show_on.split_name
    scored = f"{name} scores {UNIT} = {value(judged.score)}"
    end = "" if judged.difference.shown else "; no difference from uniform weights shown"
    if plan.same:
        return f"{scored} on the pairs it was chosen on{end}"
    rank = f"rank {scores[1].rank(*best)} of {scores[1].scores.size} heads"
    return f"Chosen on {plan.choose_on.split_name}, {scored} on {on}: {rank}{end}"


def worth(
    plan: SearchPlan, scores: Sequence[HeadScores], best: tuple[int, int], judged: HeadEvaluation
) -> list[str]:
    """What a reader may conclude: how the choice carries over, and against uniform weights."""
    chosen, shown = scores[0], scores[-1]
    lines = [against_uniform(judged.difference, shown.uniform)]
    if plan.same:
        lines.append(
            f"The best of {chosen.scores.size} heads is chosen on the very pairs it is shown on, so its "
            "score flatters it: expect less on other pairs. "
            + (
                "Choose it on another split to see how it carries over."
                if len(plan.splits) > 1
                else "This corpus has no other split to check it on."
            )
        )
        return lines
    other = shown.best
    lead = [one.of(*best) - one.median for one in (chosen, shown)]
    if np.isfinite(lead).all():
        lines.append(
            f"It differs from the median head by {signed(lead[0])} on {plan.choose_on.split_name}, where "
            f"it was chosen, and by {signed(lead[1])} on {plan.show_on.split_name}: a lucky choice loses "
            "its lead there."
        )
    if other and other != best:
        lines.append(
            f"The best head on {plan.show_on.split_name} is L{other[0]}-H{other[1]} with "
            f"{fixed(shown.of(*other))}; whoever reports it has chosen on the pairs that are reported."
        )
    if plan.overlaps:
        lines.append(
            f"Take care: {plan.choose_on.split_name} and {plan.show_on.split_name} have pairs in "
            "common, so this is no independent check."
        )
    return lines


def against_uniform(difference: Difference, uniform: float) -> str:
    """Ditto with the head against all tokens weighted the same, on the pairs it is shown on."""
    if not np.isfinite(difference.value):
        return "Against uniform weights nothing can be said: one side has no score."
    where = f"uniform weights score {fixed(uniform)} there"
    if not difference.known:
        return f"No difference from uniform weights shown: too few pairs for an interval; {where}."
    if not difference.shown:
        return f"No difference from uniform weights shown: {with_interval(difference)}; {where}."
    how = "Better" if difference.value > 0 else "Worse"
    bounds = between(difference.low, difference.high)
    return f"{how} than uniform weights by {difference.amount} ({bounds}); {where}."
