"""The door: page setup and navigation. `streamlit run app.py`."""

from pathlib import Path

import streamlit as st

from components import plotly_library
from components.streamlit_inside import connections

st.set_page_config(
    page_icon=str(Path(__file__).parent / "components" / "icon.png"),
    layout="wide",
    menu_items={"About": "Sentence Strata: how token vectors become a sentence vector, layer by layer."},
)
plotly_library.load_early()
connections.begin_with_a_run()

# ruff: noqa: E402  (what follows takes seconds in a new process, while the browser loads Plotly)
from components import (
    address,
    dialogs,
    ending,
    figure_frame,
    findings_row,
    held,
    in_browser,
    job,
    later,
    link,
    page_style,
    present,
)
from components.bar import score, top
from components.deck import pinning
from components.streamlit_inside import callbacks, log, sending, succession, values
from core.storage.glance import glance

pages = [
    st.Page(
        "pages/compare.py",
        title="Compare",
        default=True,
        url_path="arrival",  # it stands at /, and /compare would be refused to the page below
        help="How close sentences are under two recipes, side by side.",
    ),
    st.Page(
        "pages/scores.py",
        title="Scores",
        help="How well two recipes follow human similarity scores, with intervals.",
    ),
    st.Page(
        "pages/tasks.py",
        title="Tasks",
        help="Recipes against tasks: similarity, clustering, classification, probing.",
    ),
    st.Page(
        "pages/layers.py",
        title="Layers",
        help="How words change from layer to layer, and what each layer scores.",
    ),
    st.Page(
        "pages/heads.py",
        title="Heads",
        help="What each attention head looks at, and how its diagonal does as a token weight.",
    ),
    st.Page(
        "pages/masking.py",
        title="Masking",
        help="How far hiding one word moves what a model makes of another.",
    ),
    st.Page(
        "pages/mixing.py",
        title="Mixing",
        help="How much of a token's average over its contexts helps, layer by layer.",
    ),
    st.Page(
        "pages/geometry.py",
        title="Geometry",
        help="How sentence vectors lie in their space: alignment, uniformity, isotropy, whitening.",
    ),
    st.Page(
        "pages/tokens.py",
        title="Tokens",
        help="What token and sentence vectors lie near each other for: meaning, or frequency and form.",
    ),
    st.Page(
        "pages/find.py",
        title="Find",
        help="The best recipe for a model and a corpus: chosen on dev, reported on test.",
    ),
    st.Page(
        "pages/methods.py",
        title="Methods",
        help="Published methods as recipes: what they do, and what they score here and there.",
    ),
    st.Page(
        "pages/papers.py",
        title="Papers",
        help="The tables that papers print, cell by cell, beside what runs here.",
    ),
]
st.html(f"<style>{page_style.STYLE}</style>")
in_browser.watch()
top.register(pages)
log.leave_out_gone_parts()
log.shorten_garbage()
callbacks.run_to_their_end()
sending.first_screens_first()
succession.lose_nothing()
values.look_up_one()
held.hear()
dialogs.page_begins()
by_name = st.Page("pages/compare.py", title="Compare", url_path="compare")
"""The page that one arrives on, for who writes its name into the address."""
deck = st.Page(
    "pages/deck.py",
    title="Deck",
    help="Figures of all pages in an order, with words, to present and to take along.",
)
page = st.navigation([*pages, deck, by_name], position="hidden")
link.arrive(page.url_path)
with glance(), figure_frame.collected() as frames:
    with (
        held.told(),
        st.container(key=present.PAGE),
        score.after_page(),
        job.asked_for(),
        link.followed(page.title),
    ):
        with ending.caught() as end, later.drawn():
            page.run()
        findings_row.show(frames.drawn)
        pinning.finish(page.url_path, frames)
    if not end.early:
        present.show(frames.drawn)
link.keep()
address.say_again()
