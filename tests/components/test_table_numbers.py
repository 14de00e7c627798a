"""Numbers of tables are written as in sentences."""

import pandas as pd

from components.table_numbers import MOST, written


def test_numbers_have_a_minus_and_all_their_decimals_and_none_is_empty():
    table = pd.DataFrame({"cosine": [-0.5, None, 0.25], "name": ["a", "b", None]})
    shown = written(table, {"cosine": 3, "not there": 1})
    assert shown.data is table, "sorted, they are numbers"
    cells = shown._translate(False, False)["body"]
    assert [row[1]["display_value"] for row in cells] == ["−0.500", "", "0.250"]
    assert [row[2]["display_value"] for row in cells] == ["a", "b", ""]


def test_a_long_table_is_rounded():
    table = pd.DataFrame({"cosine": [-0.12345] * (MOST + 1)})
    assert written(table, {"cosine": 3})["cosine"].unique().tolist() == [-0.123]


def test_text_among_numbers_stays_as_it_is():
    table = pd.DataFrame({"score": [-0.5, -1, "no score"]}, dtype=object)
    cells = written(table, {"score": 1})._translate(False, False)["body"]
    assert [row[1]["display_value"] for row in cells] == ["−0.5", "−1.0", "no score"]
    long = pd.concat([table] * MOST)
    assert written(long, {"score": 1}).equals(long)


def test_counts_stay_whole_where_a_row_has_none():
    """Beside a row without one they are floats, which pandas writes with six decimals."""
    table = pd.DataFrame([{"n": 3, "r": 0.5}, {"r": -0.25}, {"n": 1_200, "r": 0.1}])
    cells = written(table, {"r": 2})._translate(False, False)["body"]
    assert [row[1]["display_value"] for row in cells] == ["3", "", "1200"]
