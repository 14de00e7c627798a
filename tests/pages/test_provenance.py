"""Whatever is drawn says of which models, in which state, and of which texts it is."""

import re

import pytest

from components import figure_frame
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.settings import Settings
from tests.core.helpers import tiny
from tests.pages.reading import errors, pairs_of

PAGES = (
    "compare",
    "scores",
    "layers",
    "heads",
    "masking",
    "mixing",
    "geometry",
    "tokens",
    "tasks",
    "methods",
)


@pytest.fixture
def frames(monkeypatch) -> list[figure_frame.Framed]:
    """The figures that pages draw from now on, as their frames have them."""
    drawn: list[figure_frame.Framed] = []
    monkeypatch.setattr(figure_frame.Frames, "add", lambda _, framed: drawn.append(framed))
    return drawn


def revision(text: str) -> str:
    return Engine(Settings.from_environment()).source(Recipe.parse(text)).revision


@pytest.mark.parametrize("page", PAGES)
def test_a_caption_tells_the_models_with_the_states_of_their_files(
    visit, corpora, small, tmp_path, frames, page
):
    other = f"source={tiny.build('roberta', tmp_path / 'roberta')}"
    corpora(dogs=pairs_of([f"{word} {i}" for i in range(40) for word in ("a dog", "the cat")]))
    at = visit(page, corpus="dogs", a=small, b=other)
    assert errors(at) == []
    assert frames
    for framed in {framed.key: framed for framed in frames}.values():  # as they are drawn last
        caption, models = "\n".join(framed.caption), framed.summary.models
        assert revision(small) in caption or revision(other) in caption, framed.key
        if page == "tasks" or ("B" in framed.summary.recipes and len({*models.values()}) > 1):
            assert re.search(
                rf"A[^\n]*: [^\n]*{revision(small)}[^\n]* · B[^\n]*: [^\n]*{revision(other)}", caption
            ), (
                framed.key,
                caption,
            )


def test_a_name_that_a_visitor_gave_stands_in_each_caption(visit, corpora, small, frames):
    corpora(dogs=pairs_of([f"{word} {i}" for i in range(40) for word in ("a dog", "the cat")]))
    for page in ("scores", "geometry"):
        visit(page, corpus="dogs", a=small, b=f"{small};weight=idf", bn="My weights")
        captions = ["\n".join(framed.caption) for framed in frames if "B: " in framed.line]
        frames.clear()
        assert captions
        assert all(f"B, My weights: {small};weight=idf" in caption for caption in captions), captions
        assert all(f"A: {small}" in caption for caption in captions), "which has no other name"
