"""The present view: one figure of the page large, and a way to turn over and to leave."""

from tests.pages.reading import errors, figures


def pager(at):
    return [m.value for m in at.markdown if " / " in m.value and m.value[0].isdigit()]


def press(at, label):
    return next(button for button in at.button if button.label == label).click().run()


def test_a_link_opens_the_first_figure_and_the_pager_turns_over(visit):
    at = visit("scores", present="true")
    assert errors(at) == []
    assert pager(at) == ["1 / 2"]
    first = figures(at)[-1]
    press(at, "Next")
    assert pager(at) == ["2 / 2"]
    assert figures(at)[-1] != first
    press(at, "Leave")
    assert pager(at) == []


def test_a_page_that_ends_early_is_not_hidden(visit):
    at = visit("scores", present="true", a="pool=nonsense")
    assert pager(at) == []
    assert errors(at)


def test_the_ladder_is_drawn_when_it_is_opened(visit):
    closed = figures(visit("scores"))
    opened = figures(visit("scores", steps="true"))
    assert len(opened) == len(closed) + 1
