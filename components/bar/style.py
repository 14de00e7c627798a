"""The bar's CSS: sticky and low, cells by their state, and what small windows leave out."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from components import state, theme
from components.bar import cells
from components.bar.rows import WIDTHS
from components.bring_file import FOOT

ROOMY = 1400
"""Pixels of a window from which on the bar has room for how many pairs the corpus has."""

WHOLE = 1270
"""Pixels of a window from which on the pages stand in one line with what is left and right of them."""

NARROW = 900
"""Pixels of window width under which a row shows its name and score alone."""

WITH_EDITOR = 21
"""Height in rem of the bar with the editor of a stage, and some room over a title that a link leads to."""

LOW = 560
"""Pixels of window height under which the bar goes up with the page, of which it would hide a third."""


def _grid(widths: Sequence[float]) -> str:
    return " ".join(f"minmax(0, {width}fr)" for width in widths)


_GRID, _CELLS = _grid(WIDTHS), _grid(cells.WIDTHS)
"""The columns of heads and rows, and of the cells alone: they stand under the same heads."""

_TINT = "light-dark(#fdebd0, rgba(240,168,48,.22))"
"""The ground of a cell that differs from A."""


def show(opened: str) -> None:
    """Write the style of this run; ``opened`` is the cell or side that is being edited."""
    look = theme.of(state.theme_name())
    rules = [
        *(
            _page(look),
            _rows(),
            _top(),
            _names_and_scores(),
            _editor(),
            _dialogs(look),
            _small_windows(),
        ),
        *(f".st-key-text-{side} {{ display: none; }}" for side in state.SIDES if side != opened),
    ]
    if opened:
        rules.append(f".strata-anchor {{ scroll-margin-top: {WITH_EDITOR}rem; }}")
    if opened in state.SIDES:
        rules.append(f".st-key-bar .st-key-cell-{opened} button {{ {_FRAME} }}")
        rules.append(".st-key-editor { border-radius: .5rem .5rem 0 0; }")  # over the text form
    st.html(f"<style>{''.join(rules)}</style>")


def _both(part: str, alpha: str = "") -> str:
    """A colour of the themes that follows the browser at once when it goes from light to dark."""
    return f"light-dark({getattr(theme.LIGHT, part)}{alpha}, {getattr(theme.DARK, part)}{alpha})"


def _readable(side: str) -> str:
    """The colour of a side's small text, likewise."""
    light, dark = (look.readable(getattr(look, side)) for look in (theme.LIGHT, theme.DARK))
    return f"light-dark({light}, {dark})"


_FRAME = f"box-shadow: inset 0 0 0 2px {_both('a')};"
"""What is being edited."""


def _page(look: theme.Theme) -> str:
    """The page around the bar, and where the bar stands; a browser without ``light-dark`` has ``look``.

    A menu hangs outside of the element that says which of both it is: what is chosen in one says it itself.
    """
    return f"""
    .stMainBlockContainer {{ padding: .4rem 1.4rem 2rem; }}
    [data-testid="stHeader"] {{ background: transparent; height: 1.8rem; min-height: 0; }}
    .stApp [data-testid="stHeader"], .stApp [data-testid="stHeader"] * {{ pointer-events: none; }}
    .stApp [data-testid="stHeader"] :is(button, a), .stApp [data-testid="stHeader"] :is(button, a) * {{
      pointer-events: auto; }}
    [data-testid="stStatusWidget"] {{ position: fixed; right: .6rem; bottom: .4rem; padding: 0 .4rem;
      background: {_both("paper")}; border-radius: .5rem; }}
    [data-testid="stLayoutWrapper"]:has(> .st-key-bar) {{
      position: sticky; top: 0; z-index: 99; background: {look.paper}; background: {_both("paper")};
      border-bottom: 1px solid {_both("grid")}; padding-bottom: .2rem; }}
    :is([data-testid="stPopoverBody"], [data-testid="stDialog"]) :is(
      [data-tag], [data-testid="stBaseButton-primary"]) {{ color-scheme: {look.name}; }}
    .st-key-bar {{ gap: 0; }}"""


def _dialogs(look: theme.Theme) -> str:
    """What keeps a brought table, or why it cannot, stays in sight in a dialog higher than the window."""
    return f"""
    [data-testid="stDialog"] {{ scroll-padding-bottom: 5rem; }}
    [data-testid="stDialog"] > div {{ overflow: clip; }}
    [data-testid="stDialog"] [data-testid="stLayoutWrapper"]:has(> .st-key-{FOOT}) {{
      position: sticky; bottom: -2rem; z-index: 1; color-scheme: {look.name};
      background: {_both("paper")}; border-top: 1px solid {_both("grid")}; padding: .6rem 0; }}"""


def _rows() -> str:
    """Rows of cells under the same heads."""
    return f"""
    .st-key-heads .stHtml, .st-key-row-a, .st-key-row-b {{
      display: grid; grid-template-columns: {_GRID}; column-gap: .5rem; align-items: center; }}
    .st-key-row-a, .st-key-row-b {{ justify-items: start; }}
    .st-key-row-a > *, .st-key-row-b > * {{ min-width: 0; max-width: 100%; width: auto; overflow: hidden; }}
    .st-key-bar p {{ font-size: .875rem; line-height: 1.2; white-space: nowrap; overflow: hidden;
      text-overflow: ellipsis; }}
    .st-key-bar button {{ min-height: 1.75rem; height: 1.75rem; padding: 0 .35rem; max-width: 100%;
      justify-content: flex-start; overflow: hidden; }}
    .st-key-row-a > :has(.cells), .st-key-row-b > :has(.cells) {{
      grid-column: span {len(cells.WIDTHS)}; justify-self: stretch; width: 100%; }}
    .cells {{ display: grid; grid-template-columns: {_CELLS}; column-gap: .5rem; align-items: center; }}
    .cells > div {{ min-width: 0; }}
    .cells button {{ display: inline-flex; align-items: center; background: transparent; border: 0;
      border-radius: .5rem; color: inherit; cursor: pointer; font: inherit; font-size: .875rem; }}
    .cells button:hover {{ color: {_both("a")}; }}
    .cells button:focus-visible {{ outline: 2px solid {_both("a")}; outline-offset: -2px; }}
    .cells span {{ white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }}
    .cells .plain button {{ color: {_both("faint")}; }}
    .cells .differing button {{ background: {_TINT}; color: {_both("text")}; }}
    .cells .unused button {{ text-decoration: line-through; }}
    .cells .unused:not(.differing) button {{ color: {_both("faint")}; }}
    .cells .opened button {{ {_FRAME} }}"""


def _top() -> str:
    """The lines above the rows: name, pages, deck, buttons and the menu of corpora."""
    return f"""
    .st-key-brand p {{ font-size: .8rem; line-height: 1.25; color: {_both("faint")}; }}
    .st-key-brand strong {{ font-size: 1.05rem; color: {_both("text")}; }}
    .st-key-top {{ padding-right: 1.3rem; }}
    .st-key-pages a {{ padding: .15rem .2rem; }}
    .st-key-top a:focus-visible {{ outline: 2px solid {_both("a")}; outline-offset: -2px; }}
    .st-key-deck-count {{ padding-top: .6rem; }}
    .st-key-deck-count a {{ padding: .15rem .3rem; }}
    .st-key-pages a p, .st-key-deck-count a p {{ font-size: .85rem; }}
    .st-key-actions {{ gap: .4rem; }}
    .st-key-present [data-testid="stTooltipIcon"] {{ display: none; }}
    .st-key-corpus-menu p:has(del) {{ color: {_both("faint")}; }}
    .st-key-actions .st-key-corpus-menu {{ min-width: 5.5rem; flex-shrink: 1; }}
    .st-key-corpus-groups .stElementContainer, .st-key-corpus-groups .stRadio {{ width: 100% !important; }}
    .st-key-corpus-groups [data-orientation="vertical"] {{ gap: .1rem; }}
    .st-key-corpus-groups [data-orientation="vertical"] > div {{ position: relative; width: 100%; }}
    .st-key-corpus-groups [data-orientation="vertical"] label {{ width: 100%; padding-right: 8.5rem; }}
    .st-key-corpus-groups [data-testid="stRadioCaption"] {{ position: absolute; right: 0; top: 0;
      max-width: 70%; pointer-events: none; }}
    [data-testid="stLayoutWrapper"]:has(> [class*="-bound"]) {{ display: none; }}"""


def _names_and_scores() -> str:
    """The heads of the columns, and the names and scores of the rows."""
    return f"""
    .st-key-bar .st-key-heads p {{ font-size: .75rem; color: {_both("faint")}; padding-left: .35rem;
      margin: 0; }}
    .st-key-bar .st-key-heads p.narrow {{ display: none; }}
    .st-key-bar .st-key-cell-a, .st-key-bar .st-key-cell-b {{ min-width: 0; flex-shrink: 1; }}
    .st-key-bar .st-key-cell-a *, .st-key-bar .st-key-cell-b * {{ max-width: 100%; }}
    .st-key-bar .st-key-cell-a p, .st-key-bar .st-key-cell-b p {{ font-size: .75rem; line-height: 1.08;
      white-space: normal; text-align: left; overflow-wrap: anywhere; display: -webkit-box;
      -webkit-box-orient: vertical; -webkit-line-clamp: 2; }}
    .st-key-row-a .st-key-cell-a p, .st-key-score-a p {{ color: {_readable("a")}; }}
    .st-key-row-b .st-key-cell-b p, .st-key-score-b p {{ color: {_readable("b")}; }}
    .st-key-bar [class*="st-key-score-"] p {{ font-size: 1rem; margin: 0; padding-left: .35rem; }}"""


def _editor() -> str:
    """What is opened under a row."""
    return f"""
    .st-key-editor {{ position: relative; background: {_both("grid", "55")}; border-radius: .5rem;
      padding: .5rem .8rem; }}
    .st-key-text-a, .st-key-text-b {{ background: {_both("grid", "55")}; padding: 0 .8rem .7rem;
      border-radius: 0 0 .5rem .5rem; }}
    .st-key-editor [data-testid="stHorizontalBlock"] {{ row-gap: .3rem; }}
    .st-key-editor [data-testid="stCaptionContainer"] p {{ white-space: normal; }}
    .st-key-bar .st-key-editor {{ margin: 0; }}
    .st-key-editor button {{ height: auto; }}
    .st-key-editor button[data-variant="pills"][aria-pressed]::before {{
      content: ""; flex: none; width: .85em; height: .85em; margin-right: .3rem; border-radius: .15rem;
      border: 1px solid currentColor; font-size: .8rem; line-height: .8em; text-align: center; }}
    .st-key-editor button[data-variant="pills"][aria-pressed="true"]::before {{ content: "✓"; }}
    .st-key-edit-close {{ position: absolute; left: 7.7rem; top: .15rem; width: auto; }}"""


def _small_windows() -> str:
    """What small windows leave out."""
    return f"""
    .st-key-sheet {{ display: none; }}
    @media (max-width: {ROOMY}px) {{
      .st-key-corpus-menu button span:has(> [data-testid="stIconMaterial"]):not(:only-child) {{
        display: none; }}
      .st-key-corpus-menu p > span {{ position: absolute; clip-path: inset(50%); }} }}
    @media (max-height: {LOW}px) {{
      [data-testid="stLayoutWrapper"]:has(> .st-key-bar) {{ position: static; }} }}
    @media (max-width: {WHOLE - 1}px) {{
      .st-key-top {{ flex-wrap: wrap; row-gap: .2rem; }}
      .st-key-top > :has(> .st-key-pages) {{ flex: 1 1 100%; order: 1; }}
      .st-key-heads {{ padding-top: .3rem; }} }}
    @media (max-width: {NARROW}px) {{
      .st-key-top, .st-key-actions, .st-key-pages {{ flex-wrap: wrap; justify-content: flex-start; }}
      .st-key-pages {{ row-gap: .35rem; }}
      .st-key-sheet {{ display: flex; }}
      .st-key-row-a, .st-key-row-b {{ grid-template-columns: minmax(0, 1fr) auto; }}
      .st-key-row-a > :has(.cells), .st-key-row-b > :has(.cells) {{ display: none; }}
      .st-key-heads .stHtml {{ display: block; }}
      .st-key-bar .st-key-heads p {{ display: none; }}
      .st-key-bar .st-key-heads p.narrow {{ display: block; }}
    }}"""
