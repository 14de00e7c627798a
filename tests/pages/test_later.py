"""A changed recipe has its figures drawn before the bar, which the browser shows already."""

import pytest
from streamlit.runtime.scriptrunner_utils.script_run_context import ScriptRunContext

from components import later
from components.bar.cells import COMPONENT
from components.geometry.isotropy import VIEW
from components.plot import COMPONENT as FIGURE
from tests.pages.reading import cells, click_cell, pairs_of

PAGES = (
    "compare",
    "scores",
    "tasks",
    "layers",
    "heads",
    "masking",
    "mixing",
    "geometry",
    "methods",
    "tokens",
)


@pytest.fixture
def sent(monkeypatch) -> list[tuple[str, tuple[int, ...], str]]:
    """What is sent from now on: kind of element, or its HTML, its place, and the identity of a control."""
    messages: list[tuple[str, tuple[int, ...], str]] = []
    enqueue = ScriptRunContext.enqueue

    def noted(run, message):
        if message.HasField("delta"):
            element = message.delta.new_element
            kind = element.WhichOneof("type") or str(message.delta.WhichOneof("type"))
            name = element.bidi_component.component_name or element.html.body or kind
            identity = getattr(getattr(element, kind, None), "id", "")
            messages.append((name, tuple(message.metadata.delta_path), identity))
        return enqueue(run, message)

    monkeypatch.setattr(ScriptRunContext, "enqueue", noted)
    return messages


@pytest.fixture
def pairs(corpora) -> None:
    """A corpus of a dozen pairs."""
    corpora(dogs=pairs_of([f"dog {i} runs on the {i % 5}th hill" for i in range(24)], lambda i: i % 6))


def first(sent, kind) -> int:
    """The first message that draws an element of a kind."""
    return next(i for i, (one, _, _) in enumerate(sent) if one == kind)


def toggle(at, sent, text) -> None:
    """Have the page drawn with another recipe A, as a click in the bar writes it."""
    sent.clear()
    at.text_input(key="a").set_value(text).run()


@pytest.mark.usefixtures("pairs")
@pytest.mark.parametrize("page", PAGES)
def test_what_waits_has_the_place_that_it_has_where_nothing_waits(visit, small, sent, page, monkeypatch):
    at = visit(page, a=small, b=f"{small};weight=idf", corpus="dogs", edit="a.weight")
    recipe = f"{small};weight=norm"
    for text in (recipe, small, recipe):  # the last is at hand
        toggle(at, sent, text)
    waited, shown = set(sent), cells(at, "a")
    monkeypatch.setattr(later, "note", lambda is_shown: None)
    again = visit(page, a=small, b=f"{small};weight=idf", corpus="dogs", edit="a.weight")
    for text in (recipe, small, recipe):
        toggle(again, sent, text)
    assert waited == set(sent)
    assert shown == cells(again, "a")
    assert shown["weight"]["text"] == "norm"
    assert [each.value for each in at.exception] == []


@pytest.mark.usefixtures("pairs")
@pytest.mark.parametrize("page", ["compare", "scores", "layers", "geometry"])
def test_figures_come_before_the_bar_where_a_recipe_changes(visit, small, sent, page):
    at = visit(page, a=small, b=f"{small};weight=idf", corpus="dogs", edit="a.weight")
    assert first(sent, COMPONENT) < first(sent, FIGURE)  # there is no bar yet
    for weight in ("norm", "idf", "norm"):  # the last is at hand
        toggle(at, sent, f"{small};weight={weight}")
    assert first(sent, FIGURE) < first(sent, COMPONENT)


@pytest.mark.usefixtures("pairs")
def test_what_is_clicked_in_the_bar_is_answered_first(visit, small, sent):
    at = visit("scores", a=small, b=f"{small};weight=idf", corpus="dogs")
    sent.clear()
    click_cell(at, "a", "weight")
    assert first(sent, COMPONENT) < first(sent, FIGURE)
    assert at.button(key="edit.close")


@pytest.mark.usefixtures("pairs")
def test_a_control_of_the_page_has_its_figures_drawn_before_the_bar(visit, small, sent):
    """The bar keeps its place, its controls, and the answer to what is clicked in it next."""
    at = visit("geometry", a=small, b=f"{small};weight=idf", corpus="dogs")
    at.run()
    sent.clear()
    at.run()
    whole = set(sent)
    assert first(sent, COMPONENT) < first(sent, FIGURE), "nothing was changed"
    for view in ("Components", "By layer"):
        sent.clear()
        at.button_group(key=VIEW).set_value(view).run()
        assert first(sent, FIGURE) < first(sent, COMPONENT)
    assert {place for _, place, _ in whole} == {place for _, place, _ in sent}
    sent.clear()
    click_cell(at, "a", "weight")
    assert first(sent, COMPONENT) < first(sent, FIGURE)
    assert at.button(key="edit.close")


@pytest.mark.usefixtures("pairs")
def test_another_page_begins_with_its_bar(visit, small, sent):
    at = visit("scores", a=small, b=f"{small};weight=idf", corpus="dogs")
    sent.clear()
    at.switch_page("pages/geometry.py")
    at.text_input(key="a").set_value(f"{small};weight=norm")
    at.run()
    assert first(sent, COMPONENT) < first(sent, FIGURE)
