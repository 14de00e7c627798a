"""The stories of the guide: each step opens a page that answers it."""

from urllib.parse import parse_qsl

import pytest

from components import stories
from components.link import arriving
from core.recipe import WEIGHT, Recipe
from tests.pages.reading import errors, figures, headings

STEPS = [step for story in stories.STORIES for step in story.steps]


def test_the_head_that_a_step_tells_of_is_the_one_of_its_recipe():
    (step,) = (step for step in STEPS if "head" in step.settings)
    ditto = WEIGHT.arguments(Recipe.parse(step.settings["b"]).weight)
    assert step.settings["head"] == f"{ditto['layer']}-{ditto['head']}"


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.page)
def test_a_step_opens_its_page_with_figures_and_no_complaint(visit, step):
    at = visit(step.page, **step.settings)
    assert errors(at) == []
    assert not at.warning
    assert figures(at)
    assert headings(at)


def test_the_guide_links_every_step(visit):
    at = visit("scores", b="none")
    at.button(key="guide").click().run()
    linked = [
        (link.proto.label, dict(parse_qsl(link.proto.query_string, True))) for link in at.get("page_link")
    ]
    marks = [said.pop(arriving.MARK) for _, said in linked if arriving.MARK in said]
    assert len(set(marks)) == len(marks) >= len(STEPS), "each is followed once"
    for step in STEPS:
        assert (step.page.title(), step.settings) in linked
    assert all(story.question in "".join(box.value for box in at.markdown) for story in stories.STORIES)
