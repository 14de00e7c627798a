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
            default=True,
            help="How close sentences are under two recipes, side by side.",
        ),
        st.Page(
            "pages/scores.py",
            title="Scores",
            help="How well two recipes follow human similarity scores, with intervals.",
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
            "pages/methods.py",
            title="Methods",
            help="Published methods as recipes: what they do, and what they score here and there.",
        ),
    ],
    position="top",
)
st.session_state[figure_frame.FRAMES] = []
with st.container(key=present.PAGE):
    page.run()
present.show()
