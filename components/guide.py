"""The guide: what the dashboard shows, and the words it uses, in a dialog."""

from __future__ import annotations

import streamlit as st

from components import stories
from components.bar.heads import HEADS
from components.cached import shared_metrics
from components.dialogs import dialog
from components.text import escape
from core.recipe import STAGES
from core.status.words import megabytes, places
from core.work import State

WORDS = {
    "A and B": "The two recipes that every page sets beside each other: A in blue, B in orange.",
    "Recipe": "What is done at each stage from a sentence to its vector. Its text form, stage=value joined "
    "by ';', is the same in the bar, in links, in files and on the command line.",
    "Gold score": "How similar people judged the two sentences of a pair to be.",
    "Score": "Spearman's correlation × 100 of similarities with gold scores, with the 95 % interval that "
    "resampling the pairs gives. A difference whose interval holds 0 is told as “no difference shown”. "
    "± is half the width of the interval; where the number is far from its middle, the ends are said.",
    "Difference": "B − A, before rounding: its last digit can differ by one from that of the two printed "
    "numbers.",
    "Target and reference": "A step such as idf or whitening learns either from the corpus that is scored "
    "(target) or from another one (reference). The reference is chosen beside the options that learn from "
    "it, and on Mixing beside the shares of Avg.",
    "dev and test": "Parts of a corpus. What is chosen on dev is reported on test: the best of many tries "
    "looks better than it is on the pairs that it was chosen on.",
    "State": "A token's vector in one layer. Layer 0 is what the first block is given, static the row of "
    "the word embedding, without position.",
    "idf and tf-idf": "idf is the logarithm of the number of texts ÷ the number that has the word: high "
    "for rare words. tf-idf multiplies it by how often the text has the word.",
    "Avg.": "A token's mean vector over all its contexts in the reference: static vectors made from a "
    "contextual model.",
    "Fingerprint": "A short checksum of a corpus or model. Equal fingerprints mean equal content, so that "
    "numbers can be compared.",
}
"""The words of the pages, in the order in which one meets them."""


def button() -> None:
    """The button that opens the guide."""
    if st.button("Guide", icon=":material/help:", type="tertiary", key="guide"):
        _dialog()


@dialog("Guide")
def _dialog() -> None:
    st.markdown(
        "A transformer gives a vector for every token in every layer. Sentence Strata shows how they "
        "become **one** vector for a sentence. Click a cell of recipe A or B in the bar to change a stage: "
        "the scores follow."
    )
    st.page_link(
        "pages/deck.py", label="Five papers in five minutes: a deck for each", icon=":material/school:"
    )
    st.markdown("### Three stories to walk through")
    stories.show()
    st.markdown("### The stages")
    st.markdown(
        "\n".join(
            f"{n}. **{_called(name)}** {one.question}" for n, (name, one) in enumerate(STAGES.items(), 1)
        )
    )
    st.markdown("### The words")
    st.markdown("\n".join(f"- **{word}** {meaning}" for word, meaning in WORDS.items()))
    st.markdown("### This installation")
    st.markdown("\n".join(f"- **{name}** {escape(said)}" for name, said in _installation().items()))


def _called(stage: str) -> str:
    """A stage as the bar calls it, and as a recipe does where that is another word."""
    return f"{HEADS[stage]} ({stage}= in a recipe)" if stage in HEADS else stage


def _installation() -> dict[str, str]:
    """What the server does and holds, without the names of other visitors' work."""
    metrics = shared_metrics()
    server = metrics.server.state()
    running, waiting = server.count(State.RUNNING), server.count(State.QUEUED)
    disk = [f"{held.kind} {megabytes(held.bytes, held.budget_bytes)}" for held in metrics.disk()]
    return {
        "Visitors": f"{server.visitors}",
        "Work": f"{running} running ({places(server)}), {waiting} waiting",
        "Results in memory": megabytes(server.memory_bytes, server.memory_budget_bytes),
        "Disk": ", ".join(disk),
    }
