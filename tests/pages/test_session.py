"""What a visit leaves in its session, and the tables behind a page's figures."""

from collections.abc import Iterator, Mapping

import numpy as np
import pandas as pd
import pytest
import streamlit as st

from components import figure_frame, page_list
from tests.pages.conftest import TUNED

RECIPES = TUNED


PAGES = ("compare", "scores", "layers", "heads", "masking", "mixing", "geometry", "tokens", "methods")
LARGE = 200_000
"""Bytes of arrays and tables that a value of a session must stay below: it is kept for every visitor."""


@pytest.fixture
def drawn(monkeypatch) -> list[figure_frame.Framed]:
    """The figures that pages draw, in their order."""
    frames: list[figure_frame.Framed] = []
    show = figure_frame.show
    monkeypatch.setattr(figure_frame, "show", lambda framed: frames.append(framed) or show(framed))
    return frames


def contents(value: object) -> Iterator[object]:
    """A value with everything that it holds."""
    seen: dict[int, object] = {}
    pending = [value]
    while pending:
        item = pending.pop()
        if id(item) in seen:
            continue
        seen[id(item)] = item
        yield item
        if isinstance(item, Mapping):
            pending += [*item.keys(), *item.values()]
        elif isinstance(item, list | tuple | set):
            pending += item
        elif not callable(item):
            pending += vars(item).values() if hasattr(item, "__dict__") else []


def data_bytes(value: object) -> int:
    """The bytes of all arrays and tables that a value holds."""
    items = list(contents(value))
    arrays = sum(item.nbytes for item in items if isinstance(item, np.ndarray))
    return arrays + sum(int(i.memory_usage().sum()) for i in items if isinstance(i, pd.DataFrame))


def test_figures_arrays_and_tables_are_counted(drawn):
    values = np.zeros(30_000)
    assert data_bytes({"a": [pd.DataFrame({"x": values})]}) > LARGE
    figure = figure_frame.go.Figure(figure_frame.go.Scatter(y=values))
    assert data_bytes([figure_frame.Framed("a", "", figure, (), "", pd.DataFrame)]) > LARGE


@pytest.mark.parametrize("page", PAGES)
def test_a_visit_leaves_nothing_large_and_every_figure_has_its_table(visit, page, drawn):
    at = visit(page, split="dev", steps="true")
    assert not at.exception
    assert drawn
    for framed in drawn:
        assert len(figure_frame.csv(framed).splitlines()) > len(framed.caption) + 1, framed.key
    assert [key for key, value in at.session_state.to_dict().items() if data_bytes(value) > LARGE] == []


def test_pages_are_made_once_and_a_runs_mark_stays_with_it(visit, monkeypatch):
    """A page that another visitor's run has marked as its own could be run by this one."""
    visit("scores")
    made = []
    monkeypatch.setattr(st, "Page", lambda *given, **named: made.append(given))
    at = visit("compare")
    assert not at.exception
    assert made == []
    assert not any(page._can_be_called for page in page_list._made())
    first, second = page_list.pages(), page_list.pages()
    assert [page.url_path for page in first] == [page.url_path for page in second]
    assert not any(one is other for one, other in zip(first, second, strict=True))
