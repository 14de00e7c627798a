"""Tables as files: what spreadsheets, LaTeX and Markdown would run or read otherwise is plain text."""

import csv
import io

import pandas as pd
import pytest

from components.exports import tables


def cells(content: bytes) -> list[list[str]]:
    lines = [line for line in content.decode("utf-8-sig").splitlines() if not line.startswith("# ")]
    return list(csv.reader(io.StringIO("\n".join(lines))))


@pytest.mark.parametrize("text", ["=1+1", "+SUM(A1)", "-2+3+cmd|' /C calc'!A0", "@now()", "\t=1"])
def test_a_spreadsheet_calculates_no_text_of_a_visitor(text):
    (head, row) = cells(tables.csv(["A: =1"], pd.DataFrame({text: [text], "x": [-1.5]})))
    assert head == [f"'{text}", "x"]
    assert row == [f"'{text}", "-1.5"]


@pytest.mark.parametrize("text", ["-", "+", "=", "-5", "+1.5e-3", "a=b", "− 5", "", "@"])
def test_signs_alone_numbers_and_other_words_are_left_as_they_are(text):
    (_, row) = cells(tables.csv([], pd.DataFrame({"token": [text], "x": [1]})))
    assert row == [text, "1"]
