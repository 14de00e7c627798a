"""A method's recipe, stage by stage, on the page Methods."""

from __future__ import annotations

import html

import streamlit as st

from core.recipe import REFERENCE, STAGES, Recipe
from core.recipe.options import Choice
from core.recipe.stage import Stage

_DIM = "opacity:.66;"


def show(recipe: Recipe) -> None:
    """The recipe, stage by stage, and its one line."""
    st.markdown("## The recipe, stage by stage")
    st.html(stages_html(recipe))
    st.code(str(recipe) or "layers=first+last", language=None, wrap_lines=True)


def stages_html(recipe: Recipe) -> str:
    """A table of stage, value and what the value does; what is at its default is dimmed."""
    default = Recipe()
    rows = []
    for name, stage in STAGES.items():
        value = getattr(recipe, name)
        choices = value if stage.many else (value,)
        dim = _DIM if value == getattr(default, name) else "font-weight:600;"
        values = "<br>".join(html.escape(_spelled(stage, choice)) for choice in choices)
        words = "<br>".join(html.escape(stage.find(choice).explanation) for choice in choices)
        if stage is REFERENCE and not recipe.needs_reference():
            dim, values, words = _DIM, "none", "Nothing in this recipe learns from one."
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


def _spelled(stage: Stage, choice: Choice) -> str:
    """A choice with all its arguments, also those at their default."""
    option = stage.find(choice)
    if option is stage.bare:
        return str(choice.arguments[0][1])
    given = ", ".join(f"{name}={value}" for name, value in stage.arguments(choice).items())
    return f"{choice.name}({given})" if given else choice.name
