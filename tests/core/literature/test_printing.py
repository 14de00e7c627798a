"""Tables as lines of text, and the presets of a paper."""

import pytest

from core.literature.presets import PRESETS
from core.literature.presets.of_paper import figures, presets_of
from core.literature.published import row
from core.literature.tables import PAPERS, find_table, paper, tables
from core.literature.tables.printing import as_lines, as_text


def line(text, begins):
    (found,) = [each for each in text.splitlines() if each.startswith(begins)]
    return found


def test_a_table_is_printed_as_a_grid():
    text = as_text(find_table("003", "I"))
    head, columns = text.splitlines()[0], line(text, "     ")
    assert head == "Wang et al. 2020, Table I: Similarity: 11 systems on seven tasks (Pearson × 100)"
    assert columns.split() == ["Dim", "STS12", "STS13", "STS14", "STS15", "STS16", "STSB", "SICK-R", "Avg."]
    sif = line(text, "SIF")
    assert sif.split() == ["SIF", "300", "56.2", "56.6", "68.5", "71.7", "-", "72.0", "86.0", "68.50"]
    assert len(sif) == len(columns)
    assert "Non-parameterized models" in text.splitlines()
    assert "mean of the row is 70.26" in text.partition("Does not add up:")[2]


def test_emphasis_and_notes_are_printed():
    text = as_text(find_table("004", "whitening"))
    assert "71.43*" in line(text, "BERT_base-whitening-256 (target) ")
    assert "* bold in print." in text
    assert "BERT_base-whitening (NLI), SICK-R: printed with ↓." in text


def test_figures_without_a_column_stand_under_the_grid():
    text = as_text(find_table("000", "4"))
    assert text.count("the text has lost") + text.count("lost the order") >= 2
    assert "67.1 78.3 75.3 76.8 74.1 67.6 73.1 77.9" in text
    assert "?" not in text


@pytest.mark.parametrize("table", tables(), ids=lambda table: f"{table.paper.number} {table.name}")
def test_every_table_prints_every_figure(table):
    words = as_text(table).replace("*", "").replace("_", "").replace(";", "").split()
    for cell in table.cells:
        assert cell.printed in words
    lines = as_lines(table).splitlines()
    assert len(lines) == len(table.cells) + 1
    assert lines[0].split("\t")[0] == "paper"


def test_the_presets_of_a_paper_are_those_that_cite_it():
    for known in PAPERS:
        found = {described.preset for described in presets_of(known)}
        for preset in PRESETS:
            cites = known.citation in preset.published
            scores = any(score.where.startswith(known.citation) for score in preset.scores)
            assert (preset in found) == (cites or scores)
        assert found


def test_a_preset_has_the_scores_of_the_paper_alone():
    by_name = {described.preset.name: described for described in presets_of(paper("002"))}
    scores = by_name["Ditto"].scores
    assert list(scores) == [("Chen et al. 2023, Table 6", "bert-base-uncased")]
    assert figures(scores["Chen et al. 2023, Table 6", "bert-base-uncased"]).endswith("STS avg. 64.77")


def test_a_row_over_several_tables_is_one():
    by_name = {described.preset.name: described for described in presets_of(paper("000"))}
    (first, second) = by_name["idf"].scores
    assert first[0] == "Stankevičius & Lukoševičius 2025, Tables 6 to 13 (idf^W)"
    assert second[0] == "Stankevičius & Lukoševičius 2025, Table 4 (idf^W; eight tasks, with STR)"


def test_figures_have_as_many_decimals_as_one_needs():
    table = find_table("003", "I")
    assert figures(row(table, "SIF", "GloVe", "there")[:2]) == "STS12 56.2, STS13 56.6"
    ditto = row(find_table("002", "6"), "BERT static avg.", "BERT", "there")
    assert figures(ditto[2:4]) == "STS14 50.60, STS15 65.08"
