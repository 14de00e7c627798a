"""The door: page setup and navigation. `streamlit run app.py`."""

from pathlib import Path

import streamlit as st

from components import figure_frame, present

st.set_page_config(
    page_title="Sentence Strata",
    page_icon=str(Path(__file__).parent / "components" / "icon.png"),
    layout="wide",
    initial_sidebar_state=330,
    menu_items={"About": "Sentence Strata: how token vectors become a sentence vector, layer by layer."},
)

st.html("<style>.stMainBlockContainer { padding: 3.2rem 2.2rem 2rem; }</style>")
page = st.navigation(
    [
        st.Page(
            "pages/compare.py",
            title="Compare",
            icon=":material/compare_arrows:",
            default=True,
            help="How close sentences are under two recipes, side by side.",
        ),
        st.Page(
            "pages/scores.py",
            title="Scores",
            icon=":material/leaderboard:",
            help="How well two recipes follow human similarity scores, with intervals.",
        ),
        st.Page(
            "pages/methods.py",
            title="Methods",
            icon=":material/menu_book:",
            help="Published methods as recipes: what they do, and what they score here and there.",
        ),
    ],
    position="top",
)
st.session_state[figure_frame.FRAMES] = []
with st.container(key=present.PAGE):
    page.run()
present.show()
