"""What the best of many heads is worth, in words, and the head as a recipe."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import streamlit as st

from components import take
from components.errors import tried
from components.progress import working
from components.text import escape
from components.wording import value
from core.analysis.head_similarities import with_head
from core.analysis.heads import HeadScores, Verdict, verdict
from core.corpus import Corpus
from core.embed import Road
from core.evaluation.sts import Difference
from core.recipe import Recipe


@dataclass(frozen=True, eq=False)
class Plan:
    """What is searched: the recipe and layers, the pairs a head is chosen on, and those it is shown on.

    ``splits`` are all that the corpus has.
    """

    base: Recipe
    layers: str
    choose_on: Corpus
    show_on: Corpus
    splits: tuple[str, ...] = ()

    @property
    def corpora(self) -> list[Corpus]:
        """Both, or one when they are the same."""
        return [self.choose_on] if self.same else [self.choose_on, self.show_on]

    @property
    def same(self) -> bool:
        """Whether the head is shown on the very pairs it is chosen on."""
        return self.choose_on.fingerprint == self.show_on.fingerprint

    @property
    def overlaps(self) -> bool:
        """Whether some of the pairs it is shown on are among those it is chosen on."""
        return bool(set(self.choose_on.splits) & set(self.show_on.splits)) and not self.same


def show(
    road: Road, planned: Plan, scores: Sequence[HeadScores], published: tuple[int, int] | None
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
    with working("heads.verdict") as progress:
        judged = tried(lambda: verdict(road, planned.base, planned.layers, best, planned.show_on, progress))
    if isinstance(judged, str):
        st.warning(escape(judged), icon=":material/block:")
        return
    st.markdown(f"##### {escape(headline(planned, scores, best, judged))}")
    for line in worth(planned, scores, best, judged):
        st.markdown(escape(line))
    if published:
        st.markdown(
            escape(
                f"Published for this model: L{published[0]}-H{published[1]}, here rank "
                f"{scores[-1].rank(*published)} of {scores[-1].scores.size} on {planned.show_on.taken}: "
                f"{scores[-1].of(*published):.1f}."
            )
        )
    recipe = with_head(planned.base, planned.layers, *best)
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.code(str(recipe), language=None, width="content")
        take.buttons(recipe, f"Ditto with L{best[0]}-H{best[1]}", "heads.take")


def headline(planned: Plan, scores: Sequence[HeadScores], best: tuple[int, int], judged: Verdict) -> str:
    """The best head where it is shown, with its interval and its rank."""
    name, on = f"L{best[0]}-H{best[1]}", planned.show_on.taken
    if planned.same:
        return f"{name} scores {value(judged.score)} on the pairs it was chosen on"
    rank = f"rank {scores[1].rank(*best)} of {scores[1].scores.size}"
    return f"Chosen on {planned.choose_on.taken}, {name} scores {value(judged.score)} on {on}: {rank}"


def worth(planned: Plan, scores: Sequence[HeadScores], best: tuple[int, int], judged: Verdict) -> list[str]:
    """What a reader may conclude: how the choice carries over, and against uniform weights."""
    chosen, shown = scores[0], scores[-1]
    lines = [against_uniform(judged.difference, shown.uniform)]
    if planned.same:
        lines.append(
            f"The best of {chosen.scores.size} heads is chosen on the very pairs it is shown on, so its "
            "score flatters it: expect less on other pairs. "
            + (
                "Choose it on another split to see how it carries over."
                if len(planned.splits) > 1
                else "This corpus has no other split to check it on."
            )
        )
        return lines
    other = shown.best
    lead = [one.of(*best) - one.median for one in (chosen, shown)]
    if np.isfinite(lead).all():
        lines.append(
            f"Its lead over the head in the middle is {lead[0]:+.1f} on {planned.choose_on.taken}, where "
            f"it was chosen, and {lead[1]:+.1f} on {planned.show_on.taken}: a choice that owes much to "
            "luck loses its lead."
        )
    if other and other != best:
        lines.append(
            f"Best on {planned.show_on.taken} itself would be L{other[0]}-H{other[1]} with "
            f"{shown.of(*other):.1f}; to report that one would be choosing on what is reported."
        )
    if planned.overlaps:
        lines.append(
            f"Take care: {planned.choose_on.taken} and {planned.show_on.taken} have pairs in common, so "
            "this is no independent check."
        )
    return lines


def against_uniform(difference: Difference, uniform: float) -> str:
    """Ditto with the head against all tokens weighted the same, on the pairs it is shown on."""
    if not np.isfinite([difference.value, difference.low, difference.high]).all():
        return "Against uniform weights nothing can be said: one side has no score."
    bounds = f"95 % between {difference.low:+.1f} and {difference.high:+.1f}"
    where = f"uniform weights score {uniform:.1f} there"
    if not difference.shown:
        return f"No difference from uniform weights shown: {difference.value:+.1f}, {bounds}; {where}."
    how = "Better" if difference.value > 0 else "Worse"
    return f"{how} than uniform weights by {abs(difference.value):.1f} ({bounds}); {where}."
