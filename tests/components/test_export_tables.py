"""Tables as files: what spreadsheets, LaTeX and Markdown would run or read otherwise is plain text."""

import csv
import io
import re
import shutil
import subprocess
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from components.deck import demonstrations, files, paper_files
from components.deck.document import Table
from components.exports import latex, latex_layout, meanings, tables

DECKS = Path(demonstrations.__file__).with_suffix("")

RECIPE = (
    "source=untuned;layers=last;weight=ditto(layer=5,head=4);post=abtt(d=2,fit=reference);reference=topics"
)

needs_pdflatex = pytest.mark.skipif(not shutil.which("pdflatex"), reason="pdflatex is not installed")


def cells(content: bytes) -> list[list[str]]:
    lines = [line for line in content.decode("utf-8-sig").splitlines() if not line.startswith("# ")]
    return list(csv.reader(io.StringIO("\n".join(lines))))


def test_a_column_is_looked_through_once_for_all_its_cells(monkeypatch):
    looked, least = [], tables._least
    monkeypatch.setattr(tables, "_least", lambda numbers: looked.append(1) or least(numbers))
    tables.as_read(["x", "low", "high"], [[0.5] * 9] * 3)
    assert len(looked) == 3


@pytest.mark.parametrize("text", ["=1+1", "+SUM(A1)", "-2+3+cmd|' /C calc'!A0", "@now()", "\t=1", "＝1+1"])
def test_a_spreadsheet_calculates_no_text_of_a_visitor(text):
    (head, row) = cells(tables.csv(["A: =1"], pd.DataFrame({text: [text], "x": [-1.5]})))
    assert head == [f"'{text}", "x"]
    assert row == [f"'{text}", "-1.5"]


def test_a_spreadsheet_that_cuts_a_comment_line_calculates_nothing_of_it():
    line = 'layers=last;template="[X],=1+1, @x;-2+3;, -0.5, -1.5e3;a=b"'
    content = tables.csv([line], pd.DataFrame({"x": [1]})).decode("utf-8-sig")
    comment = content.partition("\n")[0]
    assert comment == "# layers=last;template=\"[X],'=1+1, '@x;'-2+3;, -0.5, -1.5e3;a=b\""


def test_a_carriage_return_in_a_text_ends_no_row():
    numbers = pd.DataFrame({"text": ["a\r=1+1", "b"], "x": [-1.5, 2.0]})
    content = tables.csv([], numbers)
    pd.testing.assert_frame_equal(pd.read_csv(io.BytesIO(content), encoding="utf-8-sig"), numbers)
    assert tables.escape_markdown("a\r# b") == r"a \# b"


@pytest.mark.parametrize("text", ["-", "+", "=", "-5", "+1.5e-3", "a=b", "− 5", "", "@"])
def test_signs_alone_numbers_and_other_words_are_left_as_they_are(text):
    (_, row) = cells(tables.csv([], pd.DataFrame({"token": [text], "x": [1]})))
    assert row == [text, "1"]


def test_a_text_longer_than_a_page_is_cut_in_latex_alone_and_a_comment_says_so():
    long, short = "Wörter über Wörter " * 200, "Ein Satz. " * 20
    numbers = pd.DataFrame({"sentence 1": [short], "sentence 2": [long], "A": [0.5]})
    text = latex.table(["Pairs"], numbers).decode()
    (row,) = (line for line in text.splitlines() if line.startswith("Ein Satz."))
    assert row == f"{short} & {latex.escape(long[:299].rstrip())}{latex.escape('…')} & 0.5 \\\\"
    assert text.splitlines()[1] == "% Texts of more than 300 characters are cut; the CSV has them whole."
    assert long in tables.csv(["Pairs"], numbers).decode("utf-8-sig")
    assert "%" not in latex.table(["Pairs"], numbers.drop(columns="sentence 2")).decode()[1:]


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


@pytest.mark.parametrize(
    ("numbers", "read"),
    [
        ([39.66, 43.0, 2.3, 100.0, 0.0], "39.66 43.00 2.30 100.00 0"),
        ([3.5, 3.63, None], "3.50 3.63 "),
        ([100.25, 39.66], "100.25 39.66"),
        ([1379.0, 865.0], "1379 865"),
        ([0.1234, 0.12], "0.1234 0.1200"),
        ([-0.6763, 53.6, 50.01, 9.761], "-0.68 53.60 50.01 9.76"),
        ([-0.0004, 53.6, 3e-05], "0.00 53.60 0.00"),
        ([0.0963, 1.0], "0.096 1.000"),
        ([0.001234, 0.002], "0.001234 0.002000"),
        ([12345.6, 9.76], "12345.60 9.76"),
        ([1e-5, 2.0], "1e-05 2"),
    ],
)
def test_numbers_of_a_column_have_as_many_digits_behind_the_point(numbers, read):
    assert " ".join(tables.as_read(["x"], [numbers])[0]) == read


def test_a_score_and_the_ends_of_its_interval_have_as_many_digits():
    scores = {"spearman": [-0.6763, 53.6], "low": [-21.5, 36.05], "high": [20.1, 67.4]}
    gains = {"gain": [0.5, 1.0], "pairs": [20, 30], "gain, low": [0.25, -1.0], "gain, high": [1.0, 2.0]}
    text = tables.tabbed(pd.DataFrame(scores | gains))
    assert [line.split("\t") for line in text.splitlines()[1:]] == [
        ["-0.68", "-21.50", "20.10", "0.50", "20", "0.25", "1.00"],
        ["53.60", "36.05", "67.40", "1.00", "30", "-1.00", "2.00"],
    ]
    assert tables.quantities(["low", "x", "high", "x, high"]) == [0, 1, 2, 1]


def test_negative_numbers_have_a_minus_in_latex_and_words_their_hyphen():
    frame = pd.DataFrame({"word": ["-pre", "-1"], "x": [-0.6763, 53.6], "n": [-2, 3]})
    text = latex.table(["t"], frame).decode()
    assert r"-pre & $-$0.68 & $-$2 \\" in text
    assert r"-1 & 53.60 & 3 \\" in text
    assert "-0.6763" in tables.csv([], frame).decode("utf-8-sig")


def test_a_row_of_latex_may_begin_with_a_bracket():
    """After a line break ``[`` begins its argument."""
    text = latex.table(["t"], pd.DataFrame({"token": ["[CLS]", "a"]})).decode()
    assert "{[}CLS] \\\\\n" in text


def test_a_recipe_breaks_between_its_stages_in_latex():
    text = latex.table(["A: pool=mean;post=zscore; B"], pd.DataFrame({"x": [1]})).decode()
    assert r"pool=mean;\allowbreak{}post=zscore; B" in text


def test_a_row_of_latex_may_begin_with_a_star():
    """After a line break ``*`` belongs to it."""
    text = latex.table(["t"], pd.DataFrame({"token": ["*", "a"]})).decode()
    assert "{*} \\\\\n" in text


def widths(text: str) -> list[float]:
    return [float(share) for share in re.findall(r"p\{([\d.]+)\\linewidth\}", text)]


def test_columns_of_sentences_break_their_lines_in_latex():
    ragged = r">{\raggedright\arraybackslash}p"
    frame = pd.DataFrame({"sentence": ["The river rose " * 5], "token": ["cat"], "x": [0.5]})
    text = latex.table(["t"], frame).decode()
    assert text.startswith(r"% \usepackage{booktabs, array}")
    assert re.search(r"\\begin\{tabular\}\{" + re.escape(ragged) + r"\{0\.\d\d\\linewidth\}lr\}", text)
    (one,) = widths(text)
    assert one * latex_layout.LINE + latex_layout.width("cat0.5") + 6 * latex_layout.PLAIN.beside < 345
    frame["other"] = frame["sentence"]
    one, other = widths(latex.table(["t"], frame).decode())
    assert one == other < 0.45


def test_what_fits_a_line_is_set_as_it_is():
    frame = pd.DataFrame({"sentence": ["The river rose in the night."], "Spearman × 100": [0.5]})
    text = latex.table(["t"], frame).decode()
    assert r"\begin{tabular}{lr}" in text
    assert not re.search(r"small|footnotesize|shortstack|landscape", text)


def table_of(columns: int, wide: str = "behind, high") -> pd.DataFrame:
    return pd.DataFrame({"word": ["river"]} | {f"{wide} {n}": [n / 7] for n in range(columns)})


@pytest.mark.parametrize(
    ("columns", "look", "parts"),
    [(4, "", 1), (8, r"\small", 1), (10, r"\scriptsize", 1), (14, "landscape", 1), (40, "Part 1 of", 5)],
)
def test_a_table_of_many_columns_gets_smaller_then_lies_on_its_side_then_is_parted(columns, look, parts):
    text = latex.table(["t"], table_of(columns)).decode()
    assert look in text
    assert text.count(r"\begin{tabular}") == parts
    assert len(re.findall("(?m)^word", text)) == parts, "each part names its rows"
    labels = re.findall(r"label\{(.*?)\}", text)
    assert labels == ["tab:t", *(f"tab:t-{n}" for n in range(2, parts + 1))]
    for n in range(columns):
        assert len(re.findall(rf"high {n}\b|high\\\\{n}\b", text)) == 1, n


LONG = "The dam above the valley could not withstand another flood, and it had been said often. " * 3


def parts_of(text: str) -> list[list[list[str]]]:
    """The cells of the tables of LaTeX, names of columns first."""
    rows = re.findall(r"\\toprule\n(.*?) \\\\\n\\midrule\n(.*?)\\bottomrule", text, re.DOTALL)
    return [
        [row.removesuffix(r" \\").split(" & ") for row in (names, *body.splitlines())]
        for names, body in rows
    ]


@pytest.mark.parametrize(
    ("places", "keys"),
    [
        ({"first": [1, 1, 2], "second": [2, 3, 3]}, ["first", "second"]),
        ({"pair": [1, 2, 3], "second": [2, 3, 3]}, ["pair"]),
        ({"model": ["a", "a", "b"], "seed": [1, 2, 1]}, ["model", "seed"]),
        ({"long": [LONG, LONG, "A"], "other": [LONG, "A", "A"]}, ["row", "long"]),
        ({"model": ["a", "a", "a"], "seed": [1, 1, 1]}, ["row", "model"]),
    ],
)
def test_each_part_of_a_table_repeats_what_tells_its_rows_apart(places, keys):
    """Rows of one part are found in another: a part with no more than ``first`` could not be joined."""
    more = {"sentence 1": [LONG] * 3, "sentence 2": [LONG] * 3} | {f"x, {n}": [n, 1, 2] for n in range(40)}
    parts = parts_of(latex.table(["t"], pd.DataFrame(places | more)).decode())
    assert len(parts) > 2
    for names, *rows in parts:
        assert names[: len(keys)] == keys
        assert not {*names[len(keys) :]} & {*keys}
        told = [tuple(row[: len(keys)]) for row in rows]
        assert len({*told}) == 3
        assert told == [tuple(row[: len(keys)]) for row in parts[0][1:]]


@needs_pdflatex
@pytest.mark.parametrize("deck", sorted(DECKS.glob("*.json")), ids=lambda path: path.stem)
def test_every_table_of_the_decks_that_come_along_fits_its_page(deck, tmp_path):
    archive = zipfile.ZipFile(io.BytesIO(paper_files.archive(files.read(deck.read_bytes()))))
    texts = [archive.read(name).decode() for name in archive.namelist() if name.endswith(".tex")]
    assert overfull(texts, tmp_path) == []


@needs_pdflatex
def test_wide_tables_fit_their_page(tmp_path):
    sentences = pd.DataFrame(
        {"sentence": ["The river rose in the night. " * 9] * 30, "recipe": [RECIPE] * 30}
    )
    frames = [
        *(table_of(columns) for columns in (8, 14, 40)),
        sentences,
        sentences.assign(**{f"x {n}": n / 7 for n in range(9)}),
        pd.DataFrame({"n": range(50)} | {f"rank, {n}": range(50) for n in range(30)}),
    ]
    assert overfull([latex.table(["t"], frame).decode() for frame in frames], tmp_path) == []


@needs_pdflatex
def test_notes_under_tables_are_set_and_stand_on_their_page(tmp_path):
    told = ["x: 95 % of a_b & {c} \\input{d}; more of #1"] * 9
    frames = [
        pd.DataFrame({"x": range(2)}),
        pd.DataFrame({"x": range(40)}),
        pd.DataFrame({"x": range(90)}),
        table_of(14),
        table_of(40),
    ]
    texts = [latex.table([f"t {n}"], frame, told).decode() for n, frame in enumerate(frames)]
    assert overfull(texts, tmp_path) == []
    assert [text.count("95 \\% of a") for text in texts] == [9] * 5


def overfull(texts: list[str], folder: Path) -> list[str]:
    """What pdfLaTeX cannot set of the tables, and the lines and pages that stick out by over 10 points."""
    needed = {text.splitlines()[0].removeprefix("% ") for text in texts}
    head = [r"\documentclass{article}", r"\usepackage[T1]{fontenc}", *needed, r"\begin{document}"]
    (folder / "t.tex").write_text("\n".join([*head, *texts, r"\end{document}"]))
    command = ["pdflatex", "-interaction=nonstopmode", "t.tex"]
    for _ in range(2):  # longtable knows its columns from the run before
        subprocess.run(command, cwd=folder, capture_output=True, check=False)
    log = (folder / "t.log").read_text(errors="replace")
    wide = re.findall(r"(?:Overfull .hbox \(|Float too large for page by )([\d.]+)pt.*", log)
    return [*re.findall("(?m)^!.*", log), *(points for points in wide if float(points) > 10)]


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
    assert tables.as_read(["x"], [column]) == [read]
    assert [row[0] for row in Table(("x",), tuple((cell,) for cell in column)).as_read()] == read


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_tables_to_read_say_0_and_csv_holds_the_number(dtype):
    numbers = pd.DataFrame({"x": np.array([1.025e-16, 0.5], dtype)})
    assert "| 0 |" in tables.markdown(["t"], numbers).decode()
    assert "\n0 \\\\\n" in latex.table(["t"], numbers).decode()
    assert tables.tabbed(numbers) == "x\n0\n0.5"
    assert cells(tables.csv([], numbers))[1][0].endswith("e-16")


CHANGE = "change: rank A less rank B, in places; above 0: closer under B"


def test_columns_are_explained_in_every_file_of_a_figure():
    numbers = pd.DataFrame({"change": [2], "spearman": [46.0], "low": [40.0], "high": [50.0], "other": [1]})
    told = meanings.lines("compare", list(numbers.columns))
    assert told == [
        CHANGE,
        "spearman: Spearman's rank correlation with the gold scores × 100",
        "low, high: ends of the 95 % interval of spearman",
    ]
    lines = tables.csv(["title"], numbers, told).decode("utf-8-sig").splitlines()
    assert lines[:4] == ["# title", *(f"# {line}" for line in told)]
    assert lines[4] == "change,spearman,low,high,other"
    assert f"\n* {CHANGE}\n" in tables.markdown(["title"], numbers, told).decode()
    text = latex.table(["title"], numbers, told).decode()
    body, note = text.split(r"\end{tabular}")
    assert note.startswith("\n\\par\\medskip{\\footnotesize\\raggedright " + CHANGE + ". spearman: ")
    assert CHANGE not in body
    assert "Jaccard" not in text


def test_the_same_name_means_what_its_figure_says():
    assert meanings.lines("tasks.ablation", ["change"])[0].startswith(
        "change: the mean of this recipe less"
    )
    assert meanings.lines("", ["change", "low"]) == []
    (impact,) = meanings.lines("importance", ["impact"])
    assert impact.endswith("the mean over all, itself with 0"), "it was called that over the others"


def test_columns_that_are_explained_are_columns_of_the_decks_that_come_along():
    """A column that is renamed would lose its words without a word."""
    figures = [
        figure
        for path in DECKS.glob("*.json")
        for figure in files.read(path.read_bytes(), checked=False).figures.values()
        if figure.numbers
    ]
    columns = {figure.key: set[str]() for figure in figures}
    for figure in figures:
        columns[figure.key].update(figure.numbers.columns)
    for key, names in meanings._OF_TABLES.items():
        assert set(names) <= columns.get(key, set(names)), key


def test_the_tables_of_a_deck_are_explained():
    archive = zipfile.ZipFile(
        io.BytesIO(paper_files.archive(files.read((DECKS / "004.json").read_bytes())))
    )
    (name,) = (
        name for name in archive.namelist() if name.startswith("tables/strata_002") and "csv" in name
    )
    assert f"# {CHANGE}" in archive.read(name).decode("utf-8-sig").splitlines()
