"""The parts of the page Heads about a corpus: the search of the best head, and its words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import streamlit as st

from components import figure_frame, state, theme
from components.errors import tried
from components.figure_frame import Framed
from components.figures.heads import HeadGrid, grids
from components.heads import worth as head_worth
from components.heads.page import take
from components.heads.worth import Plan
from components.jobs import asked, done
from components.progress import LONG, duration, pending, working
from components.text import escape
from core.analysis.head_correlations import WEIGHTS, HeadCorrelations, correlations
from core.analysis.head_similarities import SETTINGS, with_head
from core.analysis.heads import HeadScores, base_of, published_head, search
from core.corpus import Corpus
from core.embed import Road
from core.passes import Source
from core.progress import Progress
from core.recipe import Recipe

BEST, PUBLISHED = "★", "†"


def plan(road: Road, recipe: Recipe, corpus: Corpus) -> Plan:
    """The controls of the search; a corpus with a dev split begins with choosing on it."""
    st.markdown("##### Which head weighs tokens best?")
    left, middle, right = st.columns([3, 2, 2], vertical_alignment="bottom")
    with left:
        layers = st.segmented_control(
            "Layers",
            SETTINGS,
            default="0+last",
            required=True,
            key="heads.layers",
            help="0+last is what the paper calls first-last; first is layer 1 here.",
        )
    whole = road.corpus(corpus.name, "all")
    splits = [*whole.splits, "all"] if whole.splits else ["all"]
    own = corpus.splits[0] if len(corpus.splits) == 1 and corpus.splits[0] in splits else "all"
    start = next((name for name in ("dev", "validation") if name in splits), own)
    with middle:
        chosen = st.selectbox(
            "Choose the head on",
            splits,
            index=splits.index(start),
            key=f"heads.split/{corpus.name}",
            help="The best head is picked on this split, and shown on the one that the sidebar names.",
        )
    with right:
        post = bool(recipe.post) and st.toggle(
            "With A's post-processing",
            key="heads.post",
            help="Learnt anew for each head.",
        )
    choose_on = corpus if chosen == own else road.corpus(corpus.name, str(chosen))
    return Plan(base_of(recipe, post=post), str(layers or "0+last"), choose_on, corpus, whole.splits)


def show(road: Road, planned: Plan, source: Source, chosen: tuple[int, int]) -> None:
    """Scores of all heads, what they are worth, and how heads go with word weights."""
    recipes = [with_head(planned.base, planned.layers, 1, 1)]
    seconds = sum(sum(pending(road, recipes, corpus).values()) for corpus in planned.corpora)
    place, model = source.location, source.name
    heads = place.depth * place.heads
    if seconds >= LONG:
        what = f"{planned.base} {[corpus.fingerprint for corpus in planned.corpora]}"
        about = (
            f"Reading {sum(len(corpus.sentences) for corpus in planned.corpora):,} sentences takes about "
            f"{duration(seconds)}, once; then all {heads} heads take seconds."
        )
        if not asked("heads.search", what, f"Search all {heads} heads", about):
            return
    with working("heads.found") as progress:
        found = tried(lambda: _search(road, planned, progress))
        words = tried(lambda: correlations(road, planned.base, planned.show_on, progress))
    if seconds >= LONG:
        done()
    published = published_head(model, place.depth, place.heads)
    if isinstance(found, str):
        st.warning(f"No search here. {escape(found)}", icon=":material/block:")
    else:
        head_worth.show(road, planned, found[planned.layers], published)
        _settings(road, planned)
        _scores(planned, found, chosen, published, model)
    if isinstance(words, str):
        st.warning(f"No correlation here. {escape(words)}", icon=":material/block:")
    else:
        _correlations(planned, words, chosen, published, model)


def _search(
    road: Road, planned: Plan, progress: Progress, settings: Sequence[str] | None = None
) -> dict[str, list[HeadScores]]:
    """By choice of layers: scores on the pairs a head is chosen on, then on those it is shown on."""
    names = settings or [planned.layers]
    found = [search(road, planned.base, corpus, names, progress) for corpus in planned.corpora]
    return {name: [one[name] for one in found] for name in names}


def _scores(
    planned: Plan,
    found: dict[str, list[HeadScores]],
    chosen: tuple[int, int],
    published: tuple[int, int] | None,
    model: str,
) -> None:
    look, scores = theme.of(state.theme_name()), found[planned.layers]
    best, heads = scores[0].best, scores[0].scores.size
    on = planned.choose_on
    where = f"{on.name} {on.taken}"
    title = f"No head has a score on {where}"
    if best:
        title = f"L{best[0]}-H{best[1]} is best of {heads} on {where}: {scores[0].of(*best):.1f}"
    signs = {head: sign for head, sign in ((published, PUBLISHED), (best, BEST)) if head}
    panels = [
        HeadGrid(one.scores, f"{corpus.taken}, {len(corpus):,} pairs", ".1f", signs)
        for one, corpus in zip(scores, planned.corpora, strict=True)
    ]
    numbers = _places(scores[0].scores.shape)
    for one, corpus in zip(scores, planned.corpora, strict=True):
        numbers[f"Spearman × 100, {corpus.taken}"] = one.scores.ravel()
    legend = f"{BEST} best on {on.taken}"
    legend += f", {PUBLISHED} published" if published else f"; no head is published for {model}"
    figure_frame.show(
        Framed(
            key="heads.scores",
            title=title,
            figure=grids(panels, chosen, "Spearman × 100", look),
            caption=(
                f"{legend}; framed: the head above. Click a cell to choose it.",
                *_caption(planned, model),
            ),
            alt=title,
            numbers=numbers,
            on_select=take,
        )
    )


def _correlations(
    planned: Plan,
    words: dict[str, HeadCorrelations],
    chosen: tuple[int, int],
    published: tuple[int, int] | None,
    model: str,
) -> None:
    look = theme.of(state.theme_name())
    weight = st.segmented_control(
        "Word weight",
        WEIGHTS,
        default=WEIGHTS[0],
        required=True,
        key="heads.weight",
        help="Is a head's diagonal high where a word is rare in the corpus?",
    )
    one = words[weight or WEIGHTS[0]]
    grid = one.spearman
    title = f"No diagonal varies with {weight}"
    if np.isfinite(grid).any():
        layer, head = np.unravel_index(int(np.nanargmax(grid)), grid.shape)
        title = f"L{layer + 1}-H{head + 1} goes most with {weight}: Spearman {grid[layer, head]:.2f}"
    signs = {published: PUBLISHED} if published else {}
    numbers = _places(grid.shape)
    for name, other in words.items():
        numbers[f"{name}, Pearson"] = other.pearson.ravel()
        numbers[f"{name}, Spearman"] = other.spearman.ravel()
    corpus, spelled = planned.show_on, planned.base.spelled()
    figure_frame.show(
        Framed(
            key="heads.words",
            title=title,
            figure=grids(
                [
                    HeadGrid(one.spearman, f"Spearman with {weight}", ".2f", signs),
                    HeadGrid(one.pearson, f"Pearson with {weight}", ".2f", signs),
                ],
                chosen,
                "correlation",
                look,
                signed=True,
            ),
            caption=(
                f"The diagonal of each head against {weight}, over all {one.tokens:,} tokens that are "
                f"neither special nor the template's, of {one.texts:,} different texts, each once; "
                "documents are counted as often as they stand in the corpus.",
                f"source={spelled['source']};template={spelled['template']} · {model} · "
                f"{corpus.name} {corpus.taken} · fingerprint {corpus.fingerprint}",
            ),
            alt=title,
            numbers=numbers,
            on_select=take,
        )
    )


def _settings(road: Road, planned: Plan) -> None:
    """The best head under each choice of layers, when it is asked for."""
    box = st.expander("Under the other layers", key="heads.settings", on_change="rerun")
    if not box.open:
        return
    with box, working("heads.every") as progress:
        found = tried(lambda: _search(road, planned, progress, SETTINGS))
        if isinstance(found, str):
            st.warning(escape(found), icon=":material/block:")
            return
        rows = []
        for name, scores in found.items():
            best = scores[0].best
            row: dict[str, object] = {
                "layers": name,
                f"best on {planned.choose_on.taken}": f"L{best[0]}-H{best[1]}" if best else "none",
            }
            for one, corpus in zip(scores, planned.corpora, strict=True):
                row[f"{corpus.taken}"] = one.of(*best) if best else np.nan
                row[f"{corpus.taken}: middle head"] = one.median
                row[f"{corpus.taken}: uniform"] = one.uniform
            if best and not planned.same:
                row[f"rank on {planned.show_on.taken}"] = scores[1].rank(*best)
            rows.append(row)
        table = pd.DataFrame(rows)
        st.dataframe(table.style.format(precision=2), hide_index=True)
        st.caption("Spearman × 100; the head is chosen anew for each row.")


def _places(shape: tuple[int, ...]) -> pd.DataFrame:
    """A row for each head, counted from 1."""
    layers, heads = (grid.ravel() + 1 for grid in np.indices(shape))
    return pd.DataFrame({"layer": layers, "head": heads})


def _caption(planned: Plan, model: str) -> tuple[str, ...]:
    recipe = planned.base.replace(layers=planned.layers)
    on = "; ".join(
        f"{corpus.taken}: {len(corpus):,} pairs, fingerprint {corpus.fingerprint}"
        for corpus in planned.corpora
    )
    return (
        f"{recipe.label()};weight=ditto(layer=…,head=…)",
        f"{model} · {planned.show_on.name}, {planned.show_on.origin} · {on}",
    )
