"""Tables as files: what spreadsheets, LaTeX and Markdown would run or read otherwise is plain text."""

import csv
import io

import numpy as np
import pandas as pd
import pytest

from components.deck.document import Table
from components.exports import latex, tables


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


def test_letters_and_signs_in_latex_are_what_pdflatex_sets():
    text = latex.table(
        ["Σ of β, w ≤ 0.5 and idfᵀ"], pd.DataFrame({"▁cat": ["Stankevičius → x₁ ± 2"]})
    ).decode()
    assert text.isascii()
    assert (
        r"\ensuremath{\Sigma} of \ensuremath{\beta}, w \ensuremath{\leq} 0.5 and idf\textsuperscript{T}."
        in text
    )
    assert r"\_cat \\" in text
    assert r"Stankevi\v{c}ius {\textrightarrow} x\ensuremath{_1} \ensuremath{\pm} 2 \\" in text


def test_latex_that_pdflatex_cannot_set_says_which_compiler_can():
    _, first, second, *_ = latex.table(["中文"], pd.DataFrame({"x": [1]})).decode().splitlines()
    assert first.startswith("% pdfLaTeX cannot set 中 文: compile with LuaLaTeX or XeLaTeX")
    assert second == r"\begin{table}"


@pytest.mark.parametrize(
    ("title", "label"),
    [
        ("A and B: r = 0.5", "a-and-b-r-0-5"),
        ("Stankevičius", "stankevicius"),
        ("中文", "numbers"),
        ("", "numbers"),
    ],
)
def test_a_table_of_latex_has_a_label_of_plain_letters(title, label):
    text = latex.table([title], pd.DataFrame({"x": [1]})).decode()
    assert rf"\label{{tab:{label}}}" in text


@pytest.mark.parametrize(("rows", "longest"), [(40, False), (41, True)])
def test_a_long_table_of_latex_goes_on_over_pages_and_says_its_packages(rows, longest):
    first, *lines = latex.table(["t"], pd.DataFrame({"x": range(rows)})).decode().splitlines()
    assert first == rf"% \usepackage{{booktabs{', longtable' * longest}}}"
    assert (r"\begin{longtable}{r}" in lines) == longest
    assert (r"\begin{tabular}{r}" in lines) != longest
    assert len([line for line in lines if line.endswith(r" \\") and line[0].isdigit()]) == rows


def test_a_row_of_latex_may_begin_with_a_bracket():
    """After a line break ``[`` begins its argument."""
    text = latex.table(["t"], pd.DataFrame({"token": ["[CLS]", "a"]})).decode()
    assert "{[}CLS] \\\\\n" in text


def test_a_recipe_breaks_between_its_stages_in_latex():
    text = latex.table(["A: pool=mean;post=zscore; B"], pd.DataFrame({"x": [1]})).decode()
    assert r"pool=mean;\allowbreak{}post=zscore; B" in text


def test_columns_of_sentences_break_their_lines_in_latex():
    frame = pd.DataFrame({"sentence": ["The river rose " * 5], "token": ["cat"], "x": [0.5]})
    assert r"\begin{tabular}{p{0.91\linewidth}lr}" in latex.table(["t"], frame).decode()
    frame["other"] = frame["sentence"]
    assert r"\begin{tabular}{p{0.46\linewidth}lrp{0.46\linewidth}}" in latex.table(["t"], frame).decode()


@pytest.mark.parametrize(
    ("column", "read"),
    [
        ([1.025e-16, 0.0963, -1e-17], ["0", "0.0963", "0"]),
        ([5.96e-08, 1.0, -0.0], ["0", "1", "0"]),
        ([4.213e-06, 0.3461], ["4.213e-06", "0.3461"]),
        ([5.96e-08, 3e-08], ["5.96e-08", "3e-08"]),
        ([1e-17, -2e-16, None], ["0", "0", ""]),
        ([1e-17, float("nan"), float("inf")], ["0", "", ""]),
        ([10**400, 1e-05, "a", True], [str(10**400), "1e-05", "a", "True"]),
    ],
)
def test_numbers_that_are_zero_but_for_rounding_read_0_within_their_column(column, read):
    assert tables.as_read(column) == read
    assert [row[0] for row in Table(("x",), tuple((cell,) for cell in column)).as_read()] == read


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_tables_to_read_say_0_and_csv_holds_the_number(dtype):
    numbers = pd.DataFrame({"x": np.array([1.025e-16, 0.5], dtype)})
    assert "| 0 |" in tables.markdown(["t"], numbers).decode()
    assert "\n0 \\\\\n" in latex.table(["t"], numbers).decode()
    assert tables.tabbed(numbers) == "x\n0\n0.5"
    assert cells(tables.csv([], numbers))[1][0].endswith("e-16")
