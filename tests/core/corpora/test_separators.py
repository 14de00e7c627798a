"""Cells of a table's first rows are counted as the csv module counts them, and none is kept."""

import csv
import io
import random
from itertools import islice

import pytest

from core.corpora import separators

PARTS = ("a", '"', '""', ",", ";", "\t", "\n", "\r\n", "\r", "x y", '"a,b"')


def by_csv(text: str, separator: str) -> list[int]:
    rows = filter(None, csv.reader(io.StringIO(text, newline=""), delimiter=separator))
    return [len(row) for row in islice(rows, separators.ROWS_CUT)]


def test_cells_are_those_of_the_csv_module():
    chance = random.Random(0)
    for _ in range(2000):
        text = "".join(chance.choice(PARTS) for _ in range(chance.randint(0, 60)))
        for separator in separators.SEPARATORS:
            found = separators._Rows.of(text.encode(), separator)
            assert found.cells == by_csv(text, separator), (text, separator)


@pytest.mark.parametrize("part", [1, 1000, 10**9])
def test_no_more_is_read_than_the_first_rows(part, monkeypatch):
    monkeypatch.setattr(separators, "_FIRST", 100)
    table = b"a;b,c\n" * 10_000
    parts = iter([table[at : at + part] for at in range(0, len(table), part)])
    assert separators.cut(parts, tabbed=False) == separators.Cut(";", 2)
    left = sum(map(len, parts))
    assert left > len(table) - 2000 or part > len(table)


def test_a_mark_of_byte_order_is_no_part_of_the_first_cell():
    assert separators.cut([b'\xef\xbb\xbf"a,b";c\n'], tabbed=False) == separators.Cut(";", 2)
