"""The bar's CSS: sticky and low, cells by their state, and what small windows leave out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import streamlit as st

from components import state, theme
from components.bar.rows import SHOWN, WIDTHS, reason

ROOMY = 1400
"""Pixels of a window from which on the bar has room for how many pairs the corpus has."""

NARROW = 900
"""Pixels of window width under which a row shows its name and score alone."""

_GRID = " ".join(f"minmax(0, {width}fr)" for width in WIDTHS)
"""The columns of heads and rows."""

_TINT = "light-dark(#fdebd0, rgba(240,168,48,.22))"
"""The ground of a cell that differs from A."""


def show(
    differing: Sequence[str], plain: dict[str, Sequence[str]], unused: Mapping[str, str], opened: str
) -> None:
    """Write the style of this run.

    ``differing`` are the stages at which B differs from A, ``plain`` those at their default by side,
    ``unused`` the cells that the page does not use, with the reason, ``opened`` the cell or side that is
    being edited.
    """
    look = theme.of(state.theme_name())
    grey = [f"cell-{side}-{stage}" for side, stages in plain.items() for stage in stages]
    struck = [
        f"cell-{side}-{stage}" for side in state.SIDES for stage in SHOWN if reason(unused, side, stage)
    ]
    rules = [
        _base(look),
        _rule(grey, f"color: {_both('faint')};"),
        _rule([f"cell-b-{stage}" for stage in differing], f"background: {_TINT}; color: {_both('text')};"),
        _rule(struck, "text-decoration: line-through; opacity: .55;"),
        _rule(
            [f"cell-{opened.replace('.', '-')}"] if opened else [],
            f"box-shadow: inset 0 0 0 2px {_both('a')};",
        ),
        *(f".st-key-text-{side} {{ display: none; }}" for side in state.SIDES if side != opened),
    ]
    st.html(f"<style>{''.join(rules)}</style>")


def _both(part: str, alpha: str = "") -> str:
    """A colour of the themes that follows the browser at once when it goes from light to dark."""
    return f"light-dark({getattr(theme.LIGHT, part)}{alpha}, {getattr(theme.DARK, part)}{alpha})"


def _readable(side: str) -> str:
    """The colour of a side's small text, likewise."""
    light, dark = (look.readable(getattr(look, side)) for look in (theme.LIGHT, theme.DARK))
    return f"light-dark({light}, {dark})"


def _rule(keys: Iterable[str], body: str) -> str:
    selectors = ", ".join(f".st-key-bar .st-key-{key} button" for key in keys)
    return f"{selectors} {{ {body} }}" if selectors else ""


def _base(look: theme.Theme) -> str:
    return f"""
    .stMainBlockContainer {{ padding: .4rem 1.4rem 2rem; }}
    [data-testid="stHeader"] {{ background: transparent; height: 1.8rem; min-height: 0; }}
    .stApp [data-testid="stHeader"], .stApp [data-testid="stHeader"] * {{ pointer-events: none; }}
    .stApp [data-testid="stHeader"] :is(button, a), .stApp [data-testid="stHeader"] :is(button, a) * {{
      pointer-events: auto; }}
    [data-testid="stLayoutWrapper"]:has(> .st-key-bar) {{
      position: sticky; top: 0; z-index: 99; background: {look.paper}; background: {_both("paper")};
      border-bottom: 1px solid {_both("grid")}; padding-bottom: .2rem; }}
    .st-key-bar {{ gap: 0; }}
    .st-key-heads .stHtml, .st-key-row-a, .st-key-row-b {{
      display: grid; grid-template-columns: {_GRID}; column-gap: .5rem; align-items: center; }}
    .st-key-row-a, .st-key-row-b {{ justify-items: start; }}
    .st-key-row-a > *, .st-key-row-b > * {{ min-width: 0; max-width: 100%; width: auto; overflow: hidden; }}
    .st-key-bar p {{ font-size: .875rem; line-height: 1.2; white-space: nowrap; overflow: hidden;
      text-overflow: ellipsis; }}
    .st-key-bar button {{ min-height: 1.75rem; height: 1.75rem; padding: 0 .35rem; max-width: 100%;
      justify-content: flex-start; overflow: hidden; }}
    .st-key-brand p {{ font-size: .8rem; line-height: 1.25; color: {_both("faint")}; }}
    .st-key-brand strong {{ font-size: 1.05rem; color: {_both("text")}; }}
    .st-key-top {{ padding-right: 1.3rem; }}
    .st-key-pages a {{ padding: .15rem .2rem; }}
    .st-key-deck-count {{ padding-top: .6rem; }}
    .st-key-deck-count a {{ padding: .15rem .3rem; }}
    .st-key-pages a p, .st-key-deck-count a p {{ font-size: .85rem; }}
    .st-key-actions {{ gap: .4rem; }}
    .st-key-actions .st-key-corpus-menu {{ min-width: 6.5rem; flex-shrink: 1; }}
    [data-testid="stLayoutWrapper"]:has(> .st-key-corpus-bound),
    [data-testid="stLayoutWrapper"]:has(> .st-key-deck-bound) {{ display: none; }}
    .st-key-bar .st-key-heads p {{ font-size: .75rem; color: {_both("faint")}; padding-left: .35rem;
      margin: 0; }}
    .st-key-present [data-testid="stTooltipIcon"] {{ display: none; }}
    .st-key-bar .st-key-cell-a, .st-key-bar .st-key-cell-b {{ min-width: 0; flex-shrink: 1; }}
    .st-key-bar .st-key-cell-a *, .st-key-bar .st-key-cell-b * {{ max-width: 100%; }}
    .st-key-row-a .st-key-cell-a p, .st-key-score-a p {{ color: {_readable("a")}; }}
    .st-key-row-b .st-key-cell-b p, .st-key-score-b p {{ color: {_readable("b")}; }}
    .st-key-bar [class*="st-key-score-"] p {{ font-size: 1rem; margin: 0; padding-left: .35rem; }}
    .st-key-editor {{ background: {_both("grid", "55")}; border-radius: .5rem; padding: .5rem .8rem; }}
    .st-key-editor [data-testid="stCaptionContainer"] p {{ white-space: normal; }}
    .st-key-editor button {{ height: auto; }}
    .st-key-sheet {{ display: none; }}
    @media (max-width: {ROOMY}px) {{
      .st-key-corpus-menu p > span {{ position: absolute; clip-path: inset(50%); }} }}
    @media (max-width: {NARROW}px) {{
      .st-key-top, .st-key-actions {{ flex-wrap: wrap; justify-content: flex-start; }}
      .st-key-top > :has(> .st-key-pages), .st-key-top > :has(> .st-key-actions) {{ flex: 1 1 100%; }}
      .st-key-sheet {{ display: flex; }}
      .st-key-row-a, .st-key-row-b {{ grid-template-columns: minmax(0, 1fr) auto; }}
      .st-key-heads, .st-key-row-a > [class*="st-key-cell-a-"], .st-key-row-b > [class*="st-key-cell-b-"] {{
        display: none; }}
    }}"""
