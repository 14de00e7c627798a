"""Corpus files of every kind of damage: no row is lost without a word, and no traceback is shown."""

import gzip
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from core.corpora.brought import Draft
from core.corpora.listing import kind_of
from core.corpora.table_files import read_table
from core.corpora.tables import read_corpus
from core.errors import CorpusError, ScaleError
from tests.core.helpers.lines import LINES, TOLD

HEADER = "sentence1\tsentence2\tscore\n"
GOOD = "A dog ran.\tA dog was running.\t4.5\n"


def write(folder: Path, content: str | bytes, name: str = "pairs.tsv") -> Path:
    path = folder / name
    data = content.encode() if isinstance(content, str) else content
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return path


@pytest.mark.parametrize(
    ("bad", "note"),
    [
        ("\tb\t1\n", "1 of 5 rows has an empty sentence (line 3): left out."),
        ("a\t   \t1\n", "1 of 5 rows has an empty sentence (line 3): left out."),
        ("a\tb\t\n", "1 of 5 rows has no score (line 3): left out."),
        ("a\tb\n", "1 of 5 rows has no score (line 3): left out."),
        ("a\tb\thigh\n", "1 of 5 rows has a score that is not a number (line 3): left out."),
        ("a\tb\tnan\n", "1 of 5 rows has a score that is not a number (line 3): left out."),
        ("a\tb\tinf\n", "1 of 5 rows has a score that is not a number (line 3): left out."),
        ("a\tb\t5.01\n", "1 of 5 rows has a score outside 0 to 5 (line 3): left out."),
        ("a\tb\t-1\n", "1 of 5 rows has a score outside 0 to 5 (line 3): left out."),
    ],
)
def test_a_bad_row_is_left_out_and_named(tmp_path, bad, note):
    rows = [GOOD, bad, "c\td\t0\n", "e\tf\t1\n", "NA\tnull\t2\n"]
    corpus = read_corpus(write(tmp_path, HEADER + "".join(rows)))
    assert corpus.notes == (note,)
    assert corpus.gold.tolist() == [4.5, 0, 1, 2]
    assert {"NA", "null"} <= set(corpus.sentences)  # words, not missing values


@pytest.mark.parametrize("name", ["p.TSV", "p.tsv.GZ", "p.CSV.gz", "P.PARQUET"])
def test_an_ending_in_capitals_says_the_same(tmp_path, name):
    path = tmp_path / name
    if "PARQUET" in name:
        pd.DataFrame({"sentence1": ["a"], "sentence2": ["b"], "score": [1.0]}).to_parquet(path)
    else:
        comma = "," if "CSV" in name else "\t"
        data = f"sentence1{comma}sentence2{comma}score\na{comma}b{comma}1\n".encode()
        path.write_bytes(gzip.compress(data) if name.lower().endswith(".gz") else data)
    assert read_corpus(path).sentences == ("a", "b")


def test_texts_in_a_packed_file_whose_ending_is_in_capitals(tmp_path):
    path = tmp_path / "R.TXT.GZ"
    path.write_bytes(gzip.compress(b"a text of some length\n"))
    assert read_corpus(path).sentences == ("a text of some length",)


def test_line_numbers_stop_at_five_and_repeats_are_kept(tmp_path):
    corpus = read_corpus(write(tmp_path, HEADER + GOOD * 8 + "a\tb\t9\n" * 7))
    assert corpus.notes == (
        "7 of 15 rows have a score outside 0 to 5 (lines 10, 11, 12, 13, 14, …): left out.",
        "7 of 15 rows repeat an earlier pair (lines 3, 4, 5, 6, 7, …): kept.",
    )
    assert len(corpus) == 8
    assert corpus.repeats.tolist() == [8, 8]


def test_a_table_that_is_mostly_bad_is_refused(tmp_path):
    rows = GOOD + "a\tb\t50\n" + "a\tc\t\n"
    with pytest.raises(
        ScaleError, match=r"2 of 3 rows cannot be used.*line 4.*line 3.*are its scores from 0 to 5\?"
    ):
        read_corpus(write(tmp_path, HEADER + rows))
    assert len(read_corpus(write(tmp_path, HEADER + "a\tb\t50\n" + "a\tc\t9\n"), scale=(0, 100))) == 2


PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x01\x00"


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.tsv", HEADER, "the table has no rows"),
        ("a.tsv", "", "not a .tsv table"),
        ("a.tsv", "one\ttwo\nx\ty\n", "no column sentence1, sentence2, score.*Found: one, two"),
        ("a.tsv", "sentence1\tsentence2\nx\ty\n", "no column score;"),
        (
            "a.tsv",
            "c\td\tgold\nx\ty\t1\n",
            r"Found: c, d, gold\. Say .* which column is sentence1 \(also text1,",
        ),
        (
            "a.tsv",
            HEADER + 'a\t"open\t1\nb\tc\t2\nd\tclosed"\t3\n' + GOOD * 3,
            "near line 2 a double quote is opened",
        ),
        ("a.tsv", HEADER + "a\tb\t1\textra\tcells\n" + GOOD, "more cells than the header has names"),
        (
            "a.csv",
            "sentence1,sentence2,score\nx,y,1,0.5\nz,w,2,0.5\n",
            "more cells than the header has names",
        ),
        ("a.tsv", HEADER + GOOD + "a\tb\t1\t2\n", "not a .tsv table: .*line 3"),
        ("a.tsv", (HEADER + "caf\xe9\tb\t1\n").encode("latin-1"), "not UTF-8 text"),
        ("a.tsv", PNG, "not UTF-8 text"),
        ("a.csv", PNG, "not UTF-8 text"),
        ("a.parquet", PNG, "not a .parquet table"),
        ("a.parquet", b"", "not a .parquet table"),
        ("a.txt", "short\n\n", "no line of 10 characters or more"),
        ("a.txt", b"\xff\xfe\x00 sixteen bits", "cannot be read as UTF-8"),
        ("a.png", PNG, "is no corpus file; allowed endings: .*tsv.gz"),
        ("a", PNG, "is no corpus file"),
    ],
)
def test_a_file_that_is_no_corpus_is_refused_in_words(tmp_path, name, content, said):
    with pytest.raises(CorpusError, match=said):
        read_corpus(write(tmp_path, content, name))


@pytest.mark.parametrize("name", ["a.tsv.gz", "a.csv.gz", "a.txt.gz"])
@pytest.mark.parametrize("cut", [True, False])
def test_a_damaged_archive_is_refused(tmp_path, name, cut):
    path = write(tmp_path, HEADER + GOOD * 1000, name)
    path.write_bytes(path.read_bytes()[:-20] if cut else b"plain text, not compressed at all")
    with pytest.raises(CorpusError, match="not a |cannot be read"):
        read_corpus(path)


@pytest.mark.parametrize("name", ["no.tsv", "no.txt", "no.parquet"])
def test_a_missing_file_is_named(tmp_path, name):
    with pytest.raises(CorpusError, match="There is no file"):
        read_corpus(tmp_path / name)


FRAME = pd.DataFrame(
    {
        "genre": ["x", "x", "y"],
        "Sentence1": ['He said "no", twice', "two\twords", "c"],
        "text2": ["b", "d", "ß 🎸"],
        "similarity": [1.5, 0.0, 5.0],
        "split": ["train", "test", "test"],
    }
)


@pytest.mark.parametrize("header", ["a,b,gold", "Sentence_1,Sentence_2,Score", "text_a,text_b,gold_score"])
def test_the_command_line_knows_the_columns_that_the_page_knows(tmp_path, header):
    table = f"{header}\nIt rains.,Rain falls.,4\nA dog.,A cat.,1\n"
    corpus = read_corpus(write(tmp_path, table, "a.csv"))
    assert corpus.gold.tolist() == [4, 1]
    assert list(Draft.read("a.csv", table.encode()).guess().values()) == header.split(",")


@pytest.mark.parametrize("name", ["a.csv", "a.csv.gz", "a.parquet"])
def test_every_format_and_other_column_names_are_read(tmp_path, name):
    path = tmp_path / name
    FRAME.to_parquet(path) if name.endswith("parquet") else FRAME.to_csv(path, index=False)
    corpus = read_corpus(path)
    assert [corpus.sentences[i] for i in corpus.first] == FRAME["Sentence1"].tolist()
    assert [corpus.sentences[i] for i in corpus.second] == FRAME["text2"].tolist()
    assert corpus.gold.tolist() == [1.5, 0.0, 5.0]
    assert (corpus.subset, corpus.split) == (("x", "x", "y"), ("train", "test", "test"))
    assert (corpus.name, corpus.origin, corpus.notes) == ("a", f"file {name}", ())


def test_a_split_called_all_can_be_told_from_every_row(tmp_path):
    FRAME.assign(split=["all", "dev", "(all)"]).to_csv(tmp_path / "a.csv", index=False)
    corpus = read_corpus(tmp_path / "a.csv")
    assert corpus.splits == ("((all))", "dev", "(all)")
    assert [len(corpus.take(split)) for split in ("((all))", "all")] == [1, 3]
    FRAME.assign(split="all").to_csv(tmp_path / "b.csv", index=False)
    assert read_corpus(tmp_path / "b.csv").splits == ("all",)


def test_quoted_cells_of_a_tsv_written_by_pandas_come_back(tmp_path):
    frame = FRAME.assign(Sentence1=['"Yes" he said', 'a "b" c', '""'])
    frame.to_csv(tmp_path / "a.tsv.gz", sep="\t", index=False)
    corpus = read_corpus(tmp_path / "a.tsv.gz")
    assert [corpus.sentences[i] for i in corpus.first] == frame["Sentence1"].tolist()


@pytest.mark.parametrize("labels", [["Sentence1"], ["split", "Sentence1"]])
def test_what_pandas_takes_for_labels_of_rows_is_a_column_of_a_parquet_table(tmp_path, labels):
    FRAME.set_index(labels).to_parquet(tmp_path / "a.parquet")
    corpus = read_corpus(tmp_path / "a.parquet")
    assert [corpus.sentences[i] for i in corpus.first] == FRAME["Sentence1"].tolist()
    assert corpus.split == ("train", "test", "test")


def test_a_parquet_table_with_an_index_of_its_own_and_missing_cells(tmp_path):
    """As left by joining filtered tables: labels repeat, and rows are not numbered from 0."""
    frame = pd.concat([FRAME, FRAME.assign(similarity=[np.nan, 2.0, 3.0])]).iloc[1:]
    frame.to_parquet(tmp_path / "a.parquet")
    corpus = read_corpus(tmp_path / "a.parquet")
    assert corpus.gold.tolist() == [0.0, 5.0, 2.0, 3.0]
    assert corpus.notes == (
        "1 of 5 rows has no score (line 4): left out.",
        "2 of 5 rows repeat an earlier pair (lines 5, 6): kept.",
    )


def test_a_missing_cell_of_parquet_is_empty_however_pandas_marks_it(tmp_path):
    """Not a sentence <NA>, nor a class NaT; and brought by a visitor the table is the same corpus."""
    numbers = {"similarity": pd.array([1, None, 5, 2, 3], "Int64")}
    texts = {"Sentence1": pd.array(["a", "b", "c", None, "d"], "string"), "text2": list("vwxyz")}
    pd.DataFrame(texts | numbers).to_parquet(tmp_path / "a.parquet")
    corpus = read_corpus(tmp_path / "a.parquet")
    assert corpus.sentences == ("a", "c", "d", "v", "x", "z")
    assert corpus.notes == (
        "1 of 5 rows has an empty sentence (line 5): left out.",
        "1 of 5 rows has no score (line 3): left out.",
    )
    draft = Draft.read("a.parquet", (tmp_path / "a.parquet").read_bytes())
    brought = draft.corpus(draft.reading("a"))
    assert (brought.sentences, brought.notes) == (corpus.sentences, corpus.notes)

    days = pd.to_datetime(["2020-01-01", None, "2021-01-01"])
    pd.DataFrame({"text": list("abc"), "label": days}).to_parquet(tmp_path / "b.parquet")
    assert read_corpus(tmp_path / "b.parquet").sentences == ("a", "c")


def test_short_lines_of_a_text_file_are_left_out_and_counted(tmp_path):
    line = "A line that is long enough."
    text = f"= Heading =\n{line}\n\n  short  \n{line}\r\nAnother line of text\n"
    corpus = read_corpus(write(tmp_path, text, "words.txt.gz"))
    assert corpus.sentences == ("= Heading =", "A line that is long enough.", "Another line of text")
    assert corpus.repeats.tolist() == [1, 2, 1]
    assert corpus.notes == ("2 of 6 lines are shorter than 10 characters: left out.",)
    assert corpus.name == "words"


def test_line_separators_inside_a_text_do_not_split_it(tmp_path):
    corpus = read_corpus(write(tmp_path, "one\u2028line\x0bof text\nand another one\n", "a.txt"))
    assert len(corpus.sentences) == 2


@pytest.mark.parametrize("name", ["a.txt", "a.txt.gz"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_whatever_ends_them_lines_are_lines_and_a_byte_order_mark_is_none(tmp_path, name, end):
    lines = ["\ufeffone line of text", "", "and another one", "a third line"]
    for last in ("", end):
        corpus = read_corpus(write(tmp_path, end.join(lines) + last, name))
        assert corpus.sentences == ("one line of text", "and another one", "a third line")
        assert corpus.notes == ("1 of 4 lines are shorter than 10 characters: left out.",)


def test_a_byte_order_mark_before_a_quote_does_not_hide_what_stands_between_cells(tmp_path):
    content = '\ufeff"sentence1;x","sentence2","score"\n"A dog; a cat.","A cat; it slept.",4\n'
    corpus = Draft.read("a.csv", content.encode())
    assert corpus.columns == ["sentence1;x", "sentence2", "score"]


@pytest.mark.parametrize("header", ["sentence1;sentence2;score", "sentence1;sentence2;score;what, else"])
@pytest.mark.parametrize("between", [";", "\t"])
@pytest.mark.parametrize("packed", [False, True])
def test_what_stands_between_cells_is_what_cuts_the_first_rows_alike(tmp_path, header, between, packed):
    path = tmp_path / ("a.csv.gz" if packed else "a.csv")
    more = ";x, y, z" if "else" in header else ""
    rows = ["A dog, barking, ran.;A dog.;4", '"One, and ""another"".";Two, or three.;1']
    text = "\n\n" + "\n".join([header, *(row + more for row in rows)]) + "\n"
    content = text.replace(";", between).encode()
    path.write_bytes(gzip.compress(content) if packed else content)
    corpus = read_corpus(path)
    assert corpus.sentences == ("A dog, barking, ran.", 'One, and "another".', "A dog.", "Two, or three.")
    assert corpus.gold.tolist() == [4, 1]


@pytest.mark.parametrize("between", [",", ";"])
def test_a_tsv_without_a_tab_is_cut_by_what_cuts_its_rows_alike(tmp_path, between):
    table = tmp_path / "mine.tsv"
    table.write_text(
        between.join(["sentence1", "sentence2", "score"]) + f"\nOne.{between}Two.{between}1\n" * 2
    )
    assert kind_of(table) == "pairs"
    assert read_corpus(table).sentences == ("One.", "Two.")


def test_a_tsv_with_tabs_keeps_the_commas_of_its_texts(tmp_path):
    """Of a file of texts, too, which has no tab: they have commas here and there."""
    table = tmp_path / "mine.tsv"
    table.write_text("sentence1\tsentence2\nOne, two, three.\tFour, five, six.\n")
    assert read_table(table).columns.tolist() == ["sentence1", "sentence2"]
    table.write_text("text\nOne, two, three.\nFour.\n")
    assert read_table(table)["text"].tolist() == ["One, two, three.", "Four."]


def test_rows_without_names_are_cut_at_semicolons_where_they_have_commas():
    made = Draft.read("a.csv", b"A dog, barking.;A dog.;2,5\nOne, two.;Three.;4,5\nFour, five.;Six.;1,0\n")
    assert made.table.shape == (3, 3)
    assert made.corpus(made.reading("a")).gold.tolist() == [2.5, 4.5, 1]


def test_a_csv_with_semicolons_is_read_as_its_first_line_has_it(tmp_path):
    semicolons, commas = tmp_path / "a.csv", tmp_path / "b.csv"
    semicolons.write_text("sentence1;sentence2;score\nA dog, barking.;A dog.;4\nOne.;Two.;1\n")
    commas.write_text("sentence1,sentence2,score\nA dog; barking.,A dog.,4\nOne.,Two.,1\n")
    assert read_corpus(semicolons).sentences[0] == "A dog, barking."
    assert read_corpus(commas).sentences[0] == "A dog; barking."
    assert kind_of(semicolons) == kind_of(commas) == "pairs"


# -- lines ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("name", ["pairs.csv", "pairs.csv.gz"])
def test_lines_are_those_of_the_file(tmp_path, name, end):
    content = end.join(LINES).encode()
    path = tmp_path / name
    path.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    corpus = read_corpus(path)
    assert corpus.notes == TOLD
    assert len(corpus) == 5


def test_lines_of_a_tsv_count_from_its_first(tmp_path):
    path = tmp_path / "pairs.tsv"
    path.write_text("text\tlabel\n\na b\tx\n\tx\nc d\ty\ne f\ty\n\n")
    assert read_corpus(path).notes == (
        "1 empty line (2): left out.",
        "1 of 4 rows has an empty text (line 4): left out.",
    )


def test_a_table_of_empty_lines_has_no_rows(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text("sentence1,sentence2,score\n\n,,\n\n")
    with pytest.raises(CorpusError, match="has no rows"):
        read_corpus(path)
