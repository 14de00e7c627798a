"""The tables of the papers: read, found, and unchanged since they were proof-read."""

import hashlib
import re
from importlib.resources import files
from pathlib import Path

import pytest

from core.errors import StrataError
from core.literature.tables import PAPERS, find_table, paper, tables
from core.literature.tables.catalogue import CLUSTERING, SIMILARITY, TABLES
from core.literature.tables.table import DIMENSIONS, FIELDS

DATA = Path(str(files("core") / "literature" / "tables" / "data"))
SUMS = Path(__file__).with_name("tables.sha256")

PRINTED = {
    "000": {"1": 15, "4": 158, "5": 128, **{str(n): 238 for n in range(6, 20)}, "Section 4.2": 12},
    "001": {"III": 95, "V": 125, "VI": 130, "VII": 6, "VIII": 10},
    "002": {"1": 16, "2": 9, "3": 9, "4": 16, "5": 6, "6": 128},
    "003": {"I": 85, "II": 130, "IV": 7},
    "004": {
        **{"scoreboard": 144, "whitening": 119, "classification": 64, "ablation": 10, "STS-B test": 3},
        **{"error rates, SST": 16, "error rates, IMDB": 14},
    },
}
"""How many results each table prints."""

ALL = [table for number in PRINTED for table in tables(number)]


def name(table):
    return f"{table.paper.number} {table.name}"


def test_the_files_are_those_that_were_proof_read():
    sums = dict(reversed(line.split()) for line in SUMS.read_text("utf-8").splitlines())
    found = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in DATA.glob("*.tsv")}
    assert found == sums


def test_every_file_is_in_the_catalogue_and_says_so_itself():
    assert sorted(f"{listed.file}.tsv" for listed in TABLES) == sorted(p.name for p in DATA.glob("*.tsv"))
    for listed in TABLES:
        head, *lines = (DATA / f"{listed.file}.tsv").read_text("utf-8").splitlines()
        assert tuple(head.split("\t")) == FIELDS
        assert {tuple(line.split("\t")[:2]) for line in lines} == {(listed.paper, listed.name)}
        assert {len(line.split("\t")) for line in lines} == {len(FIELDS)}


def test_every_table_holds_as_many_results_as_it_prints():
    found = {number: {table.name: table.results for table in tables(number)} for number in PRINTED}
    assert found == PRINTED
    assert sum(table.results for table in tables()) == 4775 + 12  # tables, and Section 4.2 in words


@pytest.mark.parametrize("table", ALL, ids=name)
def test_a_cell_has_one_place_and_a_unit(table):
    places = [(cell.group, cell.row, cell.column) for cell in table.cells]
    assert len(set(places)) == len(places)
    for cell in table.cells:
        assert cell.row and cell.column
        assert cell.emphasis in ("", "bold", "underlined")
        assert re.fullmatch(r"-|\d+\.\d+|\d{3,4}(-\d{4})?", cell.printed)
        if cell.is_result:
            limit = {"ms": 200, "cosine": 1}.get(cell.unit, 100)
            assert 0 <= cell.value <= limit
        else:
            assert cell.printed == "-" or cell.unit == DIMENSIONS
    units = {cell.unit for cell in table.cells if cell.is_result}
    known = {"Spearman × 100", "Pearson × 100", "accuracy (%)", "error rate (%)", "ms", "cosine"}
    assert units <= known


def test_the_tables_of_one_task_each_have_all_their_rows_and_columns():
    for number in range(6, 20):
        table = find_table("000", str(number))
        assert table.columns == ("T0", "T4", "BERT", "BERT + Avg.", "Avg.", "B2S", "B2S-100", "RE")
        assert len(table.rows) == 35
        assert {cell.column for cell in table.cells if cell.row.startswith("[MASK]")} == {"T0", "T4"}
        assert table.title.endswith((*SIMILARITY, *CLUSTERING)[number - 6])


def test_figures_that_are_known_by_heart_stand_where_they_belong():
    assert find_table("000", "11").value("avg.", "BERT") == 59.0
    assert find_table("000", "12").value("avg. + whiten^W", "RE") == 58.4
    group = "Learning-free methods"
    assert find_table("002", "6").value("BERT first-last Ditto", "Avg.", group) == 64.77
    assert find_table("003", "I").get("S3E (GloVe)", "Avg.", "Non-parameterized models").printed == "69.59"
    best = find_table("004", "whitening").get(
        "BERT_base-whitening-256 (target)", "STS-B", "Our implementation (base)"
    )
    assert (best.printed, best.emphasis) == ("71.43", "bold")


def test_a_dash_and_a_range_are_no_results():
    table = find_table("003", "I")
    group = "Non-parameterized models"
    assert table.value("SIF", "STS16", group) is None
    assert table.get("SIF", "STS16", group).printed == "-"
    assert table.get("S3E (GloVe)", "Dim", group).printed == "355-1575"
    assert not any(cell.is_result for cell in table.cells if cell.column == "Dim")


def test_where_a_column_is_lost_the_figures_stand_in_no_column():
    table = find_table("000", "4")
    lost = [cell for cell in table.cells if not cell.is_placed]
    assert [cell.row for cell in lost] == ["idf^W"] * 8 + ["idf^T"] * 8
    assert all("lost" in cell.note for cell in lost)
    assert not any(column.startswith("?") for column in table.columns)


@pytest.mark.parametrize("asked", ["III", "iii", "3", "Table III", " 3 "])
def test_a_table_is_found_by_either_number(asked):
    assert find_table("1", asked) is find_table("001", "III")
    assert find_table("001", asked).label == "Table III"


def test_what_is_not_there_is_refused_with_what_is():
    with pytest.raises(StrataError, match="got '7'; allowed is 000"):
        paper("7")
    with pytest.raises(StrataError, match="got '9'; allowed is III; V"):
        find_table("001", "9")
    with pytest.raises(StrataError, match="has no such row. Did you mean 'avg.'. Its rows are "):
        find_table("000", "6").value("avg", "BERT")
    with pytest.raises(StrataError, match="no cell in row '\\[MASK\\]', column 'BERT'; its columns are T0"):
        find_table("000", "6").value("[MASK]", "BERT")
    with pytest.raises(StrataError, match="under several headings: Avg"):
        find_table("000", "4").value("avg.", "BERT")
    assert [known.number for known in PAPERS] == sorted(PRINTED)
