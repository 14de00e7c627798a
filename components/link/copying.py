"""The Link button: the whole address of what is seen, and what its numbers were made with."""

from __future__ import annotations

import html
from collections.abc import Mapping
from urllib.parse import urlencode

import streamlit as st

from components import provenance, state
from components.link import origins, run
from components.link.controls import Said
from components.link.origins import Origins
from components.link.run import Run
from core.corpora.corpus import Corpus
from core.pipeline.engine import Engine
from core.recipe import Recipe

PRODUCT = "Sentence Strata"

DECK = "Deck"
"""The title of the page of the deck, whose link is of no use without it."""

_TABS, _WITH_DECK = "link.tabs", "link.with-deck"


def copy(
    engine: Engine,
    corpus: Corpus | None,
    a: Recipe | None,
    b: Recipe | None,
) -> None:
    """The button. Open, it shows the address with every control of the page, defaults included.

    It is filled when the page is done, which then knows all its controls.
    """
    this = run.current()
    if this is None:
        return
    this.origins = Origins(engine, corpus, a, b)
    name_tab(this)
    this.button = st.popover(
        "Link", icon=":material/link:", type="tertiary", key="link.open", on_change="rerun"
    )


def finish(this: Run, said: Mapping[str, Said]) -> None:
    """Fill the button, if it is open."""
    if this.button is None or not this.button.open or this.origins is None:
        return
    fingerprints, deck = this.origins.fingerprints(), said.get("deck")
    with this.button:
        frame = st.container()
        st.caption(
            "The link sets every control of this page. It also has fingerprints of model and corpus: "
            "opened later, the page says when one of them is another."
        )
        named = bool(deck and deck.written)
        if named and this.page == DECK:
            st.caption("It names your deck: whoever opens the link can change the deck.")
        elif named:
            named = st.checkbox("With your deck: whoever opens the link can then change it", key=_WITH_DECK)
    given = {name: one for name, one in said.items() if named or name != "deck"}
    with frame:
        st.iframe(_copier(address(st.context.url or "", given, fingerprints)), height=172, width=420)


def address(page: str, said: Mapping[str, Said], fingerprints: Mapping[str, str]) -> str:
    """The address of a page with every control, and what its numbers were made with."""
    query = {name: one.written for name, one in said.items() if one.written}
    if fingerprints:
        query[origins.PARAMETER] = (origins.written(fingerprints),)
    return f"{page}?{urlencode(query, doseq=True)}"


def name_tab(this: Run) -> None:
    """Call the browser's tab ``Scores · STS-B test — Sentence Strata``; as before until that is known."""
    tabs: dict[str, str] = st.session_state.setdefault(_TABS, {})
    before = tabs.get(this.page)
    corpus = this.origins.corpus if this.origins else None
    title = f"{this.page} · {provenance.split(corpus)}" if corpus else this.page
    if this.origins is None and before:
        st.set_page_config(page_title=before)
    elif (name := f"{title} — {PRODUCT}") != before or this.origins is None:
        st.set_page_config(page_title=name)
        tabs[this.page] = name


def _copier(link: str) -> str:
    """The address to select, and a button that copies it; it needs no network and no secure connection.

    Esc closes the menu that it stands in, as everywhere else.
    """
    dark = state.theme_name() == "dark"
    text, line, paper = ("#e6e9ef", "#4a5364", "#1a1f29") if dark else ("#1d2430", "#c3c9d4", "#ffffff")
    return f"""<html lang="en"><title>Link of the page</title>
<style>
  body {{ margin: 0; font: 14px sans-serif; color: {text}; }}
  textarea {{ box-sizing: border-box; width: 100%; height: 112px; font: 12px monospace; color: {text};
             background: {paper}; border: 1px solid {line}; border-radius: .5rem; padding: .5rem;
             word-break: break-all; }}
  button {{ font: inherit; margin-top: .4rem; padding: .35rem .9rem; border-radius: .5rem; cursor: pointer;
           border: 1px solid {line}; background: {paper}; color: {text}; }}
</style>
<textarea id="link" readonly aria-label="Link">{html.escape(link)}</textarea>
<button onclick="copy()">Copy link</button> <span id="done" role="status"></span>
<script>
  const link = document.getElementById("link");
  link.onfocus = () => link.select();
  function copy() {{
    link.focus(); link.select();
    document.getElementById("done").textContent =
      document.execCommand("copy") ? "Copied." : "Press Ctrl+C.";
  }}
  addEventListener("keydown", (event) => {{
    if (event.key !== "Escape") return;
    const key = {{ key: "Escape", keyCode: 27, bubbles: true }};
    try {{
      window.parent.focus();
      window.parent.document.body.dispatchEvent(new KeyboardEvent("keydown", key));
    }} catch {{ /* a page of another origin keeps its keys */ }}
  }});
</script>"""
