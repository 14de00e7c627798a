"""Scores of methods on the page Methods: computed here, and as papers print them."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import pandas as pd
import streamlit as st

from components import figure_frame, state, theme
from components.errors import tried
from components.figure_frame import Framed
from components.figures.methods import Row, scores_and_published
from components.progress import may_run, working
from components.text import escape
from components.wording import value
from core.corpus import Corpus
from core.differences import why_different
from core.embed import Road
from core.evaluation.scoring import Scored, score
from core.evaluation.sts import Score
from core.presets import Preset
from core.published import AVERAGE, SEVEN, Published
from core.recipe import Recipe

Found = Scored | str | None
"""A score, why there is none, or None when nothing was tried."""

AGGREGATE = "all"
"""One correlation over all pairs: what most of the published figures are."""

_KEPT = "methods.scores"
_TRY = "methods.try"


def kept(recipe: Recipe, corpus: Corpus) -> Found:
    """What was found in this visit."""
    return st.session_state.setdefault(_KEPT, {}).get(_key(recipe, corpus))


def keep(recipe: Recipe, corpus: Corpus, found: Scored | str) -> None:
    """Remember a score, or why there is none, for this visit."""
    st.session_state.setdefault(_KEPT, {})[_key(recipe, corpus)] = found


def _key(recipe: Recipe, corpus: Corpus) -> tuple[str, str]:
    return str(recipe), corpus.fingerprint


def task_of(corpus: Corpus) -> str:
    """The task that papers report on this corpus; empty when they report on no such part of it."""
    if corpus.taken not in ("test", "all"):
        return ""
    name = re.sub(r"[^a-z0-9]", "", corpus.name.lower().removesuffix(".raw"))
    known = {re.sub(r"[^a-z0-9]", "", task.lower()): task for task in (*SEVEN, "STR")}
    return known.get({"sick": "sickr"}.get(name, name), "")


def best_match(preset: Preset, corpus: Corpus, model: str) -> Published | None:
    """The published figure most like a score here: the same corpus, else an average; least differs."""
    for task in (task_of(corpus), AVERAGE):
        same = [one for one in preset.scores if one.corpus == task]
        if same:
            return min(same, key=lambda one: len(_reasons(preset, one, corpus, model)))
    return preset.scores[0] if preset.scores else None


def _reasons(preset: Preset, one: Published, corpus: Corpus, model: str) -> tuple[str, ...]:
    return why_different(preset, one, model, corpus.origin, AGGREGATE)


def find(road: Road, preset: Preset, recipe: Recipe, corpus: Corpus) -> Found:
    """The score of the chosen method; what it needs and what takes long is asked for before."""
    found = kept(recipe, corpus)
    if found is None and preset.needs and st.session_state.get(_TRY) != preset.name:
        st.info(f"Not scored yet: it needs {escape(preset.needs)}.", icon=":material/deployed_code:")
        st.button("Try it now", key="method.try", on_click=_try, args=(preset.name,), type="primary")
        return None
    if found is None and may_run(road, [recipe], corpus):
        with working("method") as progress:
            found = tried(lambda: score(road, recipe, corpus, AGGREGATE, progress))
        keep(recipe, corpus, found)
    if isinstance(found, str):
        st.warning(f"No score here. {escape(found)}", icon=":material/block:")
        if preset.needs:
            st.button("Try again", key="method.again", on_click=_forget, args=(recipe, corpus))
    return found


def _try(name: str) -> None:
    st.session_state[_TRY] = name


def _forget(recipe: Recipe, corpus: Corpus) -> None:
    st.session_state.get(_KEPT, {}).pop(_key(recipe, corpus), None)


def numbers(preset: Preset, found: Found, corpus: Corpus, model: str) -> None:
    """The score here beside the published figure most like it."""
    match = best_match(preset, corpus, model)
    with st.container(horizontal=True, gap="small"):
        if isinstance(found, Scored):
            st.metric(
                f":blue[**here**], {escape(corpus.name)}",
                value(found.score),
                delta=f"{len(corpus):,} pairs · {found.about['model']}",
                delta_color="off",
                delta_arrow="off",
                width="content",
            )
        if match:
            st.metric(
                f"published, {escape(match.corpus)}",
                f"{match.value:.1f}",
                delta=f"{match.model} · {match.metric}",
                delta_color="off",
                delta_arrow="off",
                width="content",
                help=escape(match.where),
            )


def against_published(preset: Preset, found: Found, recipe: Recipe, corpus: Corpus, model: str) -> None:
    """Every figure that papers print for the method, and the score here, as a figure and a table."""
    if not isinstance(found, Scored) and not preset.scores:
        return
    look, task = theme.of(state.theme_name()), task_of(corpus)
    here = found.score if isinstance(found, Scored) else None
    label = task or corpus.name
    others = sorted({one.corpus for one in preset.scores} - {label}, key=_order)
    rows = [
        Row(
            f"{name} (here: {corpus.name})" if name == label and name != corpus.name else name,
            here if name == label else None,
            tuple(one for one in preset.scores if one.corpus == name),
        )
        for name in [label, *others]
    ]
    title = finding(preset, here, best_match(preset, corpus, model), corpus)
    figure_frame.show(
        Framed(
            key="published",
            title=title,
            figure=scores_and_published(rows, look),
            caption=caption(f"{preset.name}: {recipe.label()}", corpus, [found]),
            alt=title,
            numbers=published_table(preset, here, task),
        )
    )
    if preset.scores:
        with st.expander(f"All {len(preset.scores)} published figures of this method"):
            number = st.column_config.NumberColumn(format="%.2f")
            st.dataframe(
                published_table(preset, here, task),
                hide_index=True,
                column_config={
                    "published": number,
                    "here": number,
                    "here − published": st.column_config.NumberColumn(format="%+.2f"),
                },
            )
    why(preset, corpus, model)


def _order(name: str) -> int:
    return (*SEVEN, "STR", AVERAGE).index(name)


def finding(preset: Preset, here: Score | None, match: Published | None, corpus: Corpus) -> str:
    """What the figure says, in one sentence."""
    printed = (
        f"published {match.value:.1f} on {match.corpus}" if match else "nothing published to set it against"
    )
    if here is None or not np.isfinite(here.spearman):
        return f"{preset.name}: {printed}"
    return f"{preset.name}: {value(here)} on {corpus.name} here, {printed}"


def published_table(preset: Preset, here: Score | None, task: str) -> pd.DataFrame:
    """One row for each published figure; those of the present corpus first, with the difference."""
    rows = []
    for one in sorted(preset.scores, key=lambda one: one.corpus != task):
        own = here.spearman if here is not None and one.corpus == task else None
        rows.append(
            {
                "corpus": one.corpus,
                "published": one.value,
                "here": own,
                "here − published": None if own is None else own - one.value,
                "metric": one.metric,
                "aggregate": one.aggregate,
                "model": one.model,
                "where": one.where,
            }
        )
    return pd.DataFrame(rows)


def why(preset: Preset, corpus: Corpus, model: str) -> None:
    """Why the score here and the published figure most like it may differ."""
    match = best_match(preset, corpus, model)
    if match is None:
        return
    reasons = [one for one in _reasons(preset, match, corpus, model) if one not in preset.differs]
    if reasons:
        st.markdown(
            f"Why {match.value:.1f} ({escape(match.where)}) need not be reached here:\n"
            + "\n".join(f"- {escape(reason)}" for reason in reasons)
        )


def caption(first: str, corpus: Corpus, found: Sequence[Found]) -> tuple[str, ...]:
    """What was scored, with which models, on what."""
    models = dict.fromkeys(
        f"{one.about['model']} ({one.about['revision']})" for one in found if isinstance(one, Scored)
    )
    made = (
        f"{' and '.join(models)} · "
        if 0 < len(models) < 3
        else f"{len(models)} sources · "
        if models
        else ""
    )
    return (
        first,
        f"{made}{corpus.name} {corpus.taken} · {len(corpus):,} pairs · one correlation over all pairs · "
        f"{corpus.origin} · fingerprint {corpus.fingerprint}",
    )
