"""The CSS of all pages below the bar: headings, small print on colours, and what narrow windows do."""

from __future__ import annotations

from components import (
    explain,
    figure_frame,
    findings_row,
    held,
    in_browser,
    point_texts,
    present,
    selection,
    theme,
)
from components.bar.style import NARROW

_COLUMNS = (
    f'.st-key-{present.PAGE} [data-testid="stHorizontalBlock"]'
    ':has(> [data-testid="stColumn"]):not(.st-key-bar [data-testid="stHorizontalBlock"])'
)
"""Rows of columns, but those of the bar."""

SCORES = "scores-head"
"""Key of the row of scores and their aggregate: in a narrow window each has a row of its own."""

TASKS = "tasks-choice"
"""Key of the row in which tasks are chosen: in a narrow window its menu has a row of its own."""

_WITH_FIGURE = f"{_COLUMNS}:has(.stPlotlyChart)"

STYLE = f"""
  .stApp h1 {{ font-size: 1.6rem; padding: .3rem 0; }}
  .stApp h2 {{ font-size: 1.25rem; font-weight: 600; padding: .375rem 0 1rem; }}
  .st-key-{explain.KEY} {{ align-items: baseline; }}
  .st-key-{explain.KEY} > :nth-child(2) {{ flex-basis: 0; min-width: 16rem; }}
  .stApp h3 {{ font-size: 1rem; font-weight: 600; padding: .5rem 0; }}
  .st-key-{present.PAGE} {{ gap: .8rem; }}
  .stApp [data-testid="stHorizontalBlock"] {{ overflow: visible; }}
  .stApp [data-testid="stPopoverButton"] * {{ pointer-events: none; }}
  .stApp [data-stale="true"] {{ opacity: 1 !important; transition: none !important; }}
  body [data-tag], body [data-tag] *, body [data-testid="stBaseButton-primary"]:enabled * {{
    color: light-dark(#ffffff, #0b1220); }}
  body [data-testid="stBaseButton-primary"]:disabled * {{
    color: light-dark({theme.LIGHT.faint}, {theme.DARK.faint}); }}
  .stApp [kind="tertiary"]:is(:active, [aria-expanded="true"]) {{
    color: light-dark(#004a75, {theme.DARK.a}); }}
  @media (max-width: {NARROW}px) {{
    {_COLUMNS} {{ flex-wrap: wrap; }}
    {_COLUMNS} > [data-testid="stColumn"] {{ min-width: min(15rem, 100%); }}
    {_WITH_FIGURE} > [data-testid="stColumn"] {{ min-width: 100%; }}
    .st-key-{explain.KEY} > :nth-child(2) {{ order: 1; flex-basis: 100%; }}
    .st-key-{explain.KEY} > :nth-child(3) {{ margin-left: auto; }}
    .st-key-{explain.KEY} {{ row-gap: .2rem; }}
    .st-key-{SCORES} > :first-child {{ min-width: 100%; }}
    .st-key-{TASKS} > [data-testid="stElementContainer"]:has([data-testid="stMultiSelect"]) {{
      min-width: 100%; }}
  }}
  @media (prefers-reduced-motion: reduce) {{
    *, *::before, *::after {{ transition: none !important; animation: none !important; }}
  }}
  .st-key-{selection.ROW} [data-testid="stPageLink"] {{ margin-bottom: .3rem; }}
  {figure_frame.STYLE}
  {findings_row.STYLE}
  {held.STYLE}
  {in_browser.STYLE}
  {point_texts.STYLE}
"""
"""Rows are no boxes to scroll in: the wheel would move a caption by some pixels and not the page.

Figures stand one below the other where the window is narrow; controls take as many rows as they need.

What a run has not drawn again yet does not fade: to prepare that of each element took a tenth of what the
browser works for a change, and what takes long has a panel of its own. Streamlit darkens the name of a menu
that is open, in dark to a contrast of 3.75: it keeps its colour there. A disabled button, which stands on
the page's own ground, has a contrast of 2.8 from Streamlit; a primary one says what goes on, and is read.
"""
