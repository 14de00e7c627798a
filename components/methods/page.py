"""The parts of the page Methods: choosing one, and what it is, stage by stage."""

from __future__ import annotations

import html
from collections.abc import Sequence

import pandas as pd
import streamlit as st

from components import selection, state, theme, token_strip
from components.errors import tried
from components.explain import heading
from components.methods.scores import Found, best_match, kept
from components.progress import working
from components.text import escape
from core.corpus import Corpus
from core.embed import Road
from core.errors import shorten
from core.evaluation.scoring import Scored
from core.options import Choice, Stage
from core.presets import FAMILIES, PRESETS, Preset
from core.recipe import POOL, STAGES, WEIGHT, Recipe

WORKED = "SIF"
"""The method one arrives with: it needs nothing, and its weights can be read."""

_METHOD = "method"
_TURN = "methods.turn"


def head() -> None:
    """Title, and how to read the page."""
    heading(
        "Methods",
        "What papers do with token vectors, as recipes that run: what they score here and there.",
        "Each method is a recipe on the **model and reference of recipe A**; some bring a source of their "
        "own. The score is Spearman × 100 over all pairs with a bootstrap interval. **Published figures "
        "are of other models, other texts and often another aggregate or correlation**: they say where a "
        "method stands in its paper, not what it should reach here. The bundled model is tuned for "
        "sentences already: removing directions, whitening or weighting can hardly help it, while plain "
        "BERT, which most papers treat, gains much. Token weights show what enters the sum, not what the "
        "model attends to. Sources stand beside each method.",
    )


def families() -> tuple[Preset, ...]:
    """The methods of the chosen family; all of them when none is chosen."""
    family = st.pills(
        "Family", FAMILIES, key="family", bind="query-params", label_visibility="collapsed", wrap=True
    )
    return tuple(preset for preset in PRESETS if family in (None, preset.family))


def choose() -> Preset:
    """The chosen method, whose name is in the URL."""
    names = [preset.name for preset in PRESETS]
    wanted = st.query_params.get(_METHOD, "")
    chosen = st.selectbox(
        "Method",
        names,
        index=names.index(WORKED),
        key=_METHOD,
        bind="query-params",
        persist_state="session",
        on_change=_turn,
        help="Type to search all of them. The table below is the chosen family's.",
    )
    if wanted and wanted not in names:
        st.warning(
            escape(f"The link names a method {shorten(wanted)} that is not here; showing {chosen}."),
            icon=":material/link_off:",
        )
    return PRESETS[names.index(chosen or WORKED)]


def table(presets: Sequence[Preset], chosen: Preset, base: Recipe, corpus: Corpus, model: str) -> None:
    """The methods of a family with their scores; a click on a row chooses its method."""
    names = [preset.name for preset in presets]
    key = f"methods.table/{len(names)}/{names[0]}/{st.session_state.get(_TURN, 0)}"

    def take() -> None:
        if rows := st.session_state[key]["selection"]["rows"]:
            st.session_state[_METHOD] = names[rows[0]]

    rows = []
    for preset in presets:
        found = kept(preset.apply(base), corpus)
        match = best_match(preset, corpus, model)
        rows.append(
            {
                "method": preset.name,
                "here": found.score.spearman if isinstance(found, Scored) else None,
                "published": match.value if match else None,
                "on": match.corpus if match else "",
                "needs": preset.needs.partition(":")[0],
                "year": preset.year,
            }
        )
    start = {"rows": [names.index(chosen.name)]} if chosen.name in names else {"rows": []}
    st.dataframe(
        pd.DataFrame(rows),
        hide_index=True,
        height=318,
        placeholder="",
        key=key,
        on_select=take,
        selection_mode="single-row",
        selection_default={"selection": start},
        column_config={
            "method": st.column_config.TextColumn(width=186),
            "here": st.column_config.NumberColumn(
                format="%.1f", width=50, help=f"Spearman × 100 on {corpus.name}, if computed in this visit"
            ),
            "published": st.column_config.NumberColumn(
                format="%.1f", width=76, help="The published figure that is most like the score here"
            ),
            "on": st.column_config.TextColumn(width=72, help="What the published figure was measured on"),
            "year": st.column_config.NumberColumn(format="%d", width=52),
        },
        alt=f"{len(names)} methods with their scores here and published",
    )


def card(preset: Preset) -> None:
    """What a method is, and where it comes from."""
    st.markdown(f"#### {escape(preset.name)} ({preset.year})")
    st.markdown(escape(preset.explanation))
    st.caption(f":material/menu_book: {escape(preset.published)}")
    if preset.differs:
        st.caption(f":material/alt_route: Here and there: {escape(' '.join(preset.differs))}")
    if preset.needs:
        st.caption(f":material/deployed_code: Needs {escape(preset.needs)}")


def spelled(recipe: Recipe) -> None:
    """The recipe, stage by stage, and its one line."""
    st.markdown("##### The recipe, stage by stage")
    st.html(stages_html(recipe))
    st.code(str(recipe) or "layers=first+last", language=None, wrap_lines=True)


def stages_html(recipe: Recipe) -> str:
    """A table of stage, value and what the value does; what is at its default is dimmed."""
    default = Recipe()
    rows = []
    for name, stage in STAGES.items():
        value = getattr(recipe, name)
        choices = value if stage.many else (value,)
        dim = "opacity:.55;" if value == getattr(default, name) else "font-weight:600;"
        values = "<br>".join(html.escape(_written(stage, choice)) for choice in choices)
        words = "<br>".join(html.escape(stage.find(choice).explanation) for choice in choices)
        rows.append(
            f'<tr style="{dim}"><td style="padding:.15rem 1rem .15rem 0" title="'
            f'{html.escape(stage.question)}">{name}</td>'
            f'<td style="padding:.15rem 1rem .15rem 0;overflow-wrap:anywhere"><code>'
            f'{values or html.escape(str(stage.empty))}</code></td><td style="font-weight:400">'
            f"{words or 'Nothing.'}</td></tr>"
        )
    return (
        '<table style="border-collapse:collapse;width:100%;line-height:1.35">'
        f"<caption style='display:none'>The recipe's stages</caption>{''.join(rows)}</table>"
    )


def _written(stage: Stage, choice: Choice) -> str:
    """A choice with all its arguments, those at their default as well."""
    option = stage.find(choice)
    if option is stage.bare:
        return str(choice.arguments[0][1])
    given = ", ".join(f"{name}={value}" for name, value in stage.arguments(choice).items())
    return f"{choice.name}({given})" if given else choice.name


def weights(road: Road, preset: Preset, recipe: Recipe, found: Found) -> None:
    """The tokens of a sentence that the visitor writes, tinted by their weight."""
    st.markdown("##### Its token weights")
    sentence = selection.sentence()
    if sentence is None:
        return
    if preset.needs and not isinstance(found, Scored):
        st.caption("They are shown once what the method needs is here.")
        return
    corpus, walked = Corpus.of_texts("pasted", [sentence], origin="pasted"), recipe.on_reference()
    with working("weights") as progress:
        made = tried(lambda: road.token_weights(walked, corpus, progress))
    if isinstance(made, str):
        st.caption(f":material/info: {escape(made)}")
        return
    text_of = recipe.spelled()
    weighted = POOL.find(recipe.pool).traits.get("weighted")
    uses = (
        text_of["weight"]
        if weighted
        else f"none: pool={text_of['pool']} weighs tokens by itself, if at all"
    )
    st.markdown(f"weights {escape(uses)} · tokens {escape(text_of['tokens'])}")
    st.html("".join(token_strip.strip(one, theme.of(state.theme_name()).a, 1) for one in made))
    if WEIGHT.arguments(recipe.weight).get("fit") == "target":
        st.caption(
            "One sentence says nothing of how frequent its words are: the weights are shown as learnt "
            f"from the reference {escape(text_of['reference'])}; a score learns them from its corpus."
        )


def _turn() -> None:
    """Another choice than by the table: the table is drawn anew, with the right row chosen."""
    st.session_state[_TURN] = st.session_state.get(_TURN, 0) + 1
