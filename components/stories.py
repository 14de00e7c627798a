"""Worked stories: where to look, in which order, to see what the papers found; each step is a link."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import streamlit as st

from components import link
from components.state import DEFAULTS, NO_RECIPE

PLAIN, SHAPED = DEFAULTS["a"], DEFAULTS["b"]
SCALED = PLAIN + ";post=zscore(fit=reference);reference=topics"
TUNED = "source=bundled;layers=last"


@dataclass(frozen=True)
class Step:
    """A page under some recipes, and what to look at there."""

    page: str
    look: str
    settings: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Story:
    """A question, where it comes from, and the steps to its answer."""

    question: str
    source: str
    steps: tuple[Step, ...]


STORIES = (
    Story(
        "Why is every cosine so high?",
        "Lu (2023)",
        (
            Step(
                "compare",
                "Matrix A: under the last layer of the model that is not tuned, unrelated sentences are "
                "close too. Matrix B: each dimension is centred and scaled to the same variance, and the "
                "colours spread.",
                {"a": PLAIN, "b": SCALED, "shown": "matrices", "pair": ""},
            ),
            Step(
                "geometry",
                "Uniformity: the lower it is, the more evenly vectors fill their space. Compare the "
                "dots of A and B, and the curve of whitening below.",
                {"a": PLAIN, "b": SCALED},
            ),
        ),
    ),
    Story(
        "Which layer, which word?",
        "Wang & Kuo (2020), Chen et al. (2023)",
        (
            Step(
                "layers",
                "The scores by layer: is the last one the best here, and does a pair of layers beat each "
                "of the two? The titles answer with intervals.",
                {"a": PLAIN, "b": NO_RECIPE},
            ),
            Step(
                "heads",
                "How much each word looks at itself, head by head; the framed head is the one that recipe "
                "B weighs words by (Ditto). Below, the head that scores best: what it gains over uniform "
                "weights, with its interval.",
                {"a": PLAIN, "b": SHAPED, "head": "5-4", "heads.side": "A"},
            ),
        ),
    ),
    Story(
        "What does tuning replace?",
        "Stankevičius & Lukoševičius (2025), Wang et al. (2020)",
        (
            Step(
                "scores",
                "A is the model that is not tuned, B the tuned one, both with the plain mean of the last "
                "layer.",
                {"a": PLAIN, "b": TUNED},
            ),
            Step(
                "methods",
                "The last figure: what every method gains over plain mean, on both models.",
                {"a": PLAIN, "b": NO_RECIPE},
            ),
        ),
    ),
)


def show() -> None:
    """Every story with its links."""
    for story in STORIES:
        st.markdown(f"**{story.question}** :gray[{story.source}]")
        for step in story.steps:
            there, look = st.columns([1, 5], gap="small")
            there.page_link(
                f"pages/{step.page}.py",
                label=step.page.title(),
                icon=":material/arrow_forward:",
                query_params=link.setting(step.settings),
            )
            look.markdown(step.look)
