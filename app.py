"""The door: page setup and navigation. `streamlit run app.py`."""

from pathlib import Path

import streamlit as st

from components.scripts import brought
from components.streamlit_inside import connections

st.set_page_config(
    page_icon=str(Path(__file__).parent / "components" / "icon.png"),
    layout="wide",
    menu_items={"About": "Sentence Strata: how token vectors become a sentence vector, layer by layer."},
)
brought.bring()
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
    page_list,
    page_style,
    present,
)
from components.bar import score, top
from components.deck import pinning
from components.streamlit_inside import callbacks, log, sending, succession, values
from core.storage.glance import glance

*pages, deck, by_name = page_list.pages()
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
