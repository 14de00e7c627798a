"""The row of a table that is chosen by a click on a cell."""

from components import table_row


def state(*cells):
    return {"selection": {"rows": [], "columns": [], "cells": [*cells]}}


def test_a_cell_chooses_its_row():
    assert table_row.chosen(state((2, "recipe")), 3) == 2
    assert table_row.chosen(state((0, "recipe")), 1) == 0


def test_nothing_is_chosen_of_no_cell_or_of_a_row_that_is_gone():
    assert table_row.chosen(state(), 3) is None
    assert table_row.chosen(state((3, "recipe")), 3) is None


def test_a_table_begins_with_a_row_or_none():
    assert table_row.chosen(table_row.start(1, "recipe"), 2) == 1
    assert table_row.chosen(table_row.start(None, "recipe"), 2) is None
