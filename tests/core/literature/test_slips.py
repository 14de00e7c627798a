"""What does not add up in print: computed where it can be, and nothing told of what does add up."""

import pytest

from core.evaluation.scoring import score
from core.literature.tables import find_table, tables
from core.literature.tables.same_systems import SAME_CELLS, SAME_ROWS
from core.literature.tables.slips import is_mean_of_row, mean_of_row, slips, slips_of, task
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.settings import Settings


def told(kind, paper=None, table=None):
    return [
        slip
        for slip in slips()
        if slip.kind == kind and paper in (None, slip.paper) and table in (None, slip.table)
    ]


def test_the_averages_that_are_no_means_are_these_three():
    assert [(slip.paper, slip.table, slip.row) for slip in told("average")] == [
        ("003", "I", "S3E (GloVe)"),
        ("003", "I", "S3E (FastText)"),
        ("004", "scoreboard", "SBERT"),
    ]
    glove, fasttext, sbert = told("average")
    assert "69.59" in glove.told and "70.26" in glove.told
    assert "72.64" in fasttext.told and "73.30" in fasttext.told
    assert "74.89" in sbert.told and "74.86" in sbert.told


def test_a_mean_by_hand():
    table = find_table("003", "I")
    mean, rounding = mean_of_row(table, "S3E (GloVe)")
    assert mean == pytest.approx((59.5 + 62.4 + 68.5 + 72.3 + 70.9 + 75.5 + 82.7) / 7)
    assert rounding == pytest.approx(0.05 + 0.005)
    assert not is_mean_of_row(table, "S3E (GloVe)")
    assert is_mean_of_row(table, "S3E (L.F.P.)")
    assert is_mean_of_row(table, "SIF")  # of the six figures that are there
    assert mean_of_row(find_table("000", "6"), "avg.") is None  # Avg. is a model there
    assert mean_of_row(find_table("001", "VII"), "SBERT-WK") is None


def test_the_means_over_single_tasks_are_those_of_the_tables_of_means():
    assert told("mean of tables") == []


def test_systems_with_two_figures_are_of_the_papers_of_one_group():
    found = {(slip.paper, slip.table, slip.row): slip.told for slip in told("two tables")}
    assert set(found) == {
        ("001", "III", "Skip-Thought"),
        ("001", "V", "Avg. GloVe embeddings"),
        ("001", "V", "p-mean"),
    }
    assert "MPQA 73.2 and 89.1" in found["001", "V", "p-mean"]
    assert all(" in Wang et al. 2020, Table I" in words for words in found.values())
    assert not any("paper 0" in slip.told for slip in slips()), "readers know papers by their authors"


def test_every_pair_of_rows_and_cells_exists_and_shares_columns():
    for row, other in SAME_ROWS:
        here = {task(cell.column) for cell in find_table(*row[:2]).of_row(*row[2:])}
        there = {task(cell.column) for cell in find_table(*other[:2]).of_row(*other[2:])}
        assert here & there - {"Dim"}, (row, other)
    for row, column, other, other_column in SAME_CELLS:
        assert find_table(*row[:2]).value(row.label, column, row.group)
        assert find_table(*other[:2]).value(other.label, other_column, other.group)


def test_a_bold_figure_that_is_beaten_is_told():
    (slip,) = told("emphasis")
    assert (slip.row, slip.column) == ("AnglE-LLaMA2-7B", "SICK-R")
    assert slip.told == "80.94 is bold; AnglE-BERT has 81.23."


def test_a_time_that_adds_a_gpu_and_a_cpu_is_told():
    (slip,) = told("sum")
    assert (slip.paper, slip.table, slip.row, slip.column) == ("003", "IV", "SBERT-WK", "GPU")
    assert all(figure in slip.told for figure in ("42.79", "32.19", "10.60"))


def test_a_slip_stands_at_a_table_and_a_row_that_exist():
    for slip in slips():
        table = find_table(slip.paper, slip.table)
        assert slip in slips_of(table)
        if slip.row:
            assert slip.row in {label for _, label in table.rows}
        if slip.column:
            assert slip.column in table.columns
        assert slip.told.endswith(".")
    assert sum(len(slips_of(table)) for table in tables()) == len(slips())


@pytest.fixture(scope="module")
def engine(data_folder, lasting_cache) -> Engine:
    """An engine that reads WikiText-2 once for all tables."""
    return Engine(Settings(data=data_folder, cache=lasting_cache))


@pytest.mark.data
@pytest.mark.parametrize("number", [7, 10, 11])
def test_random_embeddings_tell_which_idf_is_which(number, engine):
    """The target's idf gives what is printed as idf^W; it needs no model to see that."""
    table = find_table("000", str(number))
    name = table.title.rpartition(": ")[2]
    corpus = engine.corpus(name)
    scored = {
        fit: score(
            engine,
            Recipe.parse(f"source=random;tokens=content;weight=idf(fit={fit});reference=wikitext-2"),
            corpus,
        ).score.spearman
        for fit in ("target", "reference")
    }
    printed = {"target": table.value("idf^W", "RE"), "reference": table.value("idf^T", "RE")}
    for fit, other in (("target", "reference"), ("reference", "target")):
        assert abs(scored[fit] - printed[fit]) < abs(scored[fit] - printed[other])
