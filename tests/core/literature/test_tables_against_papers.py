"""Every cell against the text of its paper: no figure is missing, added or moved.

``STRATA_PAPERS`` names the folder with the texts. A line of a table, less its markup and its spaces, must
be the row's label and its figures; a line that is no row must hold no figure.
"""

import re
from collections import Counter

import numpy as np
import pytest

from core.literature.tables import find_table

MARKUP = re.compile(r"\\(mathbf|mathrm|text|underline|overline)|</?(i|b|u|sub|sup)>|[|${}^%†‡*]|\([↑↓]\)")
CITED = re.compile(r"\([^()]*\d{4}[ab]?\)|\[\d+\]")

REPAIRED = {
    ("003", "II"): {
        # two dashes that were read as figures: the printed average is that of the six others
        "80.6\t01.0\t76.8\t72.2\t04.5": "80.6\t-\t76.8\t72.2\t-",
        # a line that repeats, misread, two figures of the line before it
        "\t\t\t\t\t\t05.2\t\t\t65.1\t": "",
    },
    ("004", "scoreboard"): {"AngIE": "AnglE"},
    ("004", "ablation"): {"AngleE": "AnglE"},
}
"""What the texts have misread, by table."""

RELABELLED = {("001", "p-mean"): "-mean", ("004", "last-avg (second row)"): "last-avg"}
"""Rows of a paper whose label the text has lost in part, or prints twice."""

SPANS = {
    ("000", "1"): (r"\| No\. \| Template", r"3\.2\.3 Averaged BERT"),
    ("000", "5"): (r"Table 5: Performance", r"4\.1\.4 Alignment"),
    ("001", "III"): (r"Model Dim STS12", r"TABLE III:"),
    ("001", "V"): (r"For SBERT-WK, we use the same setting[^\n]*", r"TABLE V:"),
    ("001", "VI"): (r"Surface Syntactic Semantic", r"TABLE VI:"),
    ("001", "VII"): (r"Model Avg\. STS results", r"TABLE VII:"),
    ("001", "VIII"): (r"Model CPU \(ms\)", r"TABLE VIII:"),
    ("002", "1"): (r"Method\tAvg\.", r"\n\n"),
    ("002", "2"): (r"Method\tBERT", r"\n\n"),
    ("002", "3"): (r"Method\tSTS avg\.", r"\n\n"),
    ("002", "4"): (r"Method\tDev", r"\n\n"),
    ("002", "5"): (r"Method\tavg\. Cosine", r"\n[^B\n]"),
    ("002", "6"): (r"Method\tSTS12", r"\Z|\n\n"),
    ("003", "I"): (r"TABLE I:[^\n]*\n", r"\n\nwith both"),
    ("003", "II"): (r"TABLE II:[^\n]*\n", r"TABLE III:"),
    ("003", "IV"): (r"TABLE IV:[^\n]*\n", r"\n\nmodels takes"),
    ("004", "scoreboard"): (r"Model\tSTS12", r"\n\n"),
    ("004", "error rates, SST"): (r"Model\tError rate \(Pos", r"\n\n"),
    ("004", "error rates, IMDB"): (r"Model\tError rate\n", r"\n\n"),
    ("004", "whitening"): (r"\tSTS-B\tSTS-12", r"\n\n"),
    ("004", "classification"): (r"Model\tMR", r"\n\n"),
    ("004", "ablation"): (r"Model\tSpearman’s Correlation", r"\n\n"),
    ("004", "STS-B test"): (r"Model\tSpearman’s\n", r"\n\n"),
}
"""Where a table begins and ends in the text."""


def bare(text):
    """A line less markup, citations and spaces."""
    text = CITED.sub("", MARKUP.sub("", text)).replace("(Ours)", "").replace("idf_t", "idf")
    return re.sub(r"\s", "", text).replace("\\Delta", "Δ").replace("()", "").replace("_", "")


def span(text, begin, end):
    start = re.search(begin, text).end()
    return text[start : start + re.search(end, text[start:]).start()]


def block(text, number):
    """The lines of the table with this number of paper 000, 6 to 19; captions stand over or under it."""
    blocks = re.split(r"\n\| Model[^\n]*\n", text[text.index("Table 6: Spearman") :])[1:]
    assert len(blocks) == 14
    return blocks[number - 6].partition("\n\n")[0]


def compare(table, lines):
    """Each line is the next row of the table, or holds no figure; at the end no row is left."""
    rows = list(table.rows)
    for line in lines:
        if not rows:
            assert not re.search(r"\d\.\d", line), line
            continue
        group, row = rows[0]
        label = RELABELLED.get((table.paper.number, row), row)
        if table.paper.number == "000":
            label = re.sub(r"^\S.* (?=\+ )", "", label)
        cells = table.of_row(row, group)
        printed = [cell.printed for cell in cells]
        if bare(line) == bare(label + "".join(printed)):
            rows.pop(0)
            marks = re.findall(r"<b>|<u>|\\underline|\\overline", line)
            assert len(marks) == sum(bool(cell.emphasis) for cell in cells), line
        else:
            assert not re.search(r"\d\.\d", line), (line, label, printed)
    assert not rows


@pytest.mark.parametrize(("number", "name"), SPANS)
def test_a_table_is_that_of_the_text(number, name, paper_texts):
    lines = span(paper_texts[number], *SPANS[number, name])
    for misread, meant in REPAIRED.get((number, name), {}).items():
        assert misread in lines
        lines = lines.replace(misread, meant)
    if (number, name) == ("000", "1"):  # a template stands between the label and the figures
        lines = re.sub(r"\| (T\d) \|.*?((\| \d\d\.\d )+\|)", r"\1 \2", lines)
    if (number, name) == ("004", "ablation"):
        lines = lines.replace("\n- w/o", "\nw/o")
    compare(find_table(number, name), lines.splitlines())


@pytest.mark.parametrize("number", range(6, 20))
def test_a_table_of_one_task_is_that_of_the_text(number, paper_texts):
    compare(find_table("000", str(number)), block(paper_texts["000"], number).splitlines())


KINDS = {
    "Avg. Spearman correlation (%) of STS tasks": range(6, 14),
    "Avg. accuracy (%) of clustering tasks": range(14, 20),
    "Avg. accuracy (%) of classification tasks": range(0),
}


def test_table_4_has_the_figures_of_the_text_each_in_the_place_of_its_mean(paper_texts):
    """The text has Table 4 as one line without its grid: the means over Tables 6 to 19 say the places."""
    (line,) = (line for line in paper_texts["000"].splitlines() if "BERT + Avg.Model" in line)
    table = find_table("000", "4")
    begins = [line.index(group) for group in KINDS]
    for (group, numbers), start, end in zip(KINDS.items(), begins, [*begins[1:], None], strict=True):
        cells = [cell for cell in table.cells if cell.group == group]
        printed = Counter(cell.printed for cell in cells)
        assert Counter(re.findall(r"\d\d\.\d", line[start:end])) == printed
        for cell in cells:
            if numbers and cell.row[:6] != "SimCSE":
                values = [find_table("000", str(n)).value(cell.row, cell.column) for n in numbers]
                assert cell.value == pytest.approx(np.mean(values), abs=0.1), cell
    for pieces in ("75.169.580.579.9", "80.1 79.9 80.1 79.877.276.374.270.3", "78.776.8"):
        assert pieces in line


def test_the_places_in_table_4_that_no_mean_shows_are_told_in_words(paper_texts):
    table, group = find_table("000", "4"), "Avg. accuracy (%) of classification tasks"
    told = {
        "T0": "80.5 classification accuracy",
        "T4": "55.0 clustering accuracy, and 79.9 classification",
        "BERT": "only BERT (79.9%)",
        "BERT + Avg.": "and BERT + Avg. (79.7%)",
        "B2S": "B2S accuracy of 76.9 versus 77.3",
        "Avg.": "B2S accuracy of 76.9 versus 77.3",
    }
    for column, words in told.items():
        assert words in paper_texts["000"]
        assert table.get("avg.", column, group).printed in words


def test_the_figures_that_section_4_2_tells_are_in_its_text(paper_texts):
    text = span(paper_texts["000"], r"4\.2 Using Prompts", r"4\.3 BERT \+ Avg\. Model")
    for row, words in {
        "T0 avg.": r"{} average Spearman correlation, {} clustering accuracy, and {} classification",
        "T4 avg.": r"T4 template reaches {}, {}, and {},",
        "BERT avg.": r"text obtains just {}, {}, and {}, respectively",
        "T4 avg. no [MASK]": r"from averaging yields {}, {}, and {}; non-templated",
    }.items():
        cells = find_table("000", "Section 4.2").of_row(row)
        assert words.format(*(cell.printed for cell in cells)) in text
