"""A table without names of columns keeps its first row; one with names has no row more."""

import gzip

import pandas as pd
import pytest

from core.corpora.brought import Draft
from core.corpora.catalogue import Catalogue
from core.corpora.first_line import NO_NAMES, _is_ended, _is_sentence, judge
from core.corpora.readings import LabelledReading, Reading, TextsReading
from core.corpora.tables import read_corpus
from core.corpora.uploads import Uploads
from core.errors import CorpusError
from core.settings import GIGABYTE

PAIRS = [f"A cat {i} sat down.,A dog {i} ran.,{i % 5}" for i in range(6)]
FILMS = [f"The film {i} was long,{'good' if i % 2 else 'bad'}" for i in range(6)]
TEXTS = [f"A text of some words number {i}." for i in range(6)]
PAIR = {"sentence1": "column 1", "sentence2": "column 2", "score": "column 3"}


@pytest.fixture
def uploads(tmp_path) -> Uploads:
    return Uploads(tmp_path / "uploads", GIGABYTE, 1_000_000)


def draft(lines: list[str], names: bool | None = None, name: str = "mine.csv") -> Draft:
    return Draft.read(name, "\n".join(lines).encode(), names=names)


@pytest.mark.parametrize(
    "lines",
    [
        PAIRS,
        ["1,A cat sat.,A dog ran.,0.5", "2,Rain fell.,It rained.,0.7", "3,Snow.,It snowed.,0.1"],
        ["A cat sat;A dog ran;2,5", "Rain fell;It rained;4,5", "Snow;It snowed;1,0"],
        FILMS,
        ["It was good,a", "It was bad,b", "It was great,a"],
        TEXTS,
        [f"{text},{i}x" for i, text in enumerate(TEXTS)],
        ["A cat sat.,A cat sat.,5", *PAIRS],
    ],
)
def test_a_first_line_like_the_others_is_a_row(lines):
    made = draft(lines)
    assert not made.first.names
    assert len(made.table) == len(lines)
    assert made.columns == [f"column {i + 1}" for i in range(len(made.columns))]
    assert made.table.index.tolist() == list(range(1, len(lines) + 1))


@pytest.mark.parametrize(
    ("header", "sure"),
    [
        ("sentence1,sentence2,score", True),
        ("a,b,rating", True),
        ("foo,bar,baz", False),
        ("0,1,2", False),
        ("what they said?,what it means?,alike", False),
        ("A cat.,domain,3.2", False),
        ("item,other,1", False),
        ("item,what it means,2", False),
        ("question,1. sentence,2020", False),
    ],
)
def test_other_first_lines_are_names_and_asked_about_where_none_is_known(header, sure):
    made = draft([header, *PAIRS])
    assert (made.first.names, made.first.sure) == (True, sure)
    assert (len(made.table), made.columns) == (6, header.split(","))


def test_a_number_of_thousands_of_digits_counts_nothing():
    made = draft(["1,2," + "3" * 5000, *PAIRS])
    assert len(made.table) == len(PAIRS) + (not made.first.names)


def test_a_cell_of_dots_is_judged_in_one_pass():
    dots = "a b " + "." * 1_000_000 + "x"  # hours where each dot may be the last one
    for cell in (dots, f"{dots}."):
        judge([cell], pd.DataFrame({"x": [cell, *TEXTS]}))


@pytest.mark.parametrize(
    ("cell", "sentence", "ended"),
    [
        ("It rains.", False, True),
        ("It rains now.", True, True),
        ("It rains now.) ", True, True),
        ("Does it rain?", False, True),
        ("It rains. Now", False, False),
        ("It rains now._", False, False),
        ("It rains\nnow…", True, True),
        ("a . ", False, True),
        ("", False, False),
    ],
)
def test_sentences_have_three_words_and_an_end(cell, sentence, ended):
    assert (_is_sentence(cell), _is_ended(cell)) == (sentence, ended)


def test_a_question_over_a_column_of_sentences_may_be_its_name():
    assert judge(["What did they say?"], pd.DataFrame({"x": TEXTS})).names


@pytest.mark.parametrize(
    ("lines", "names"),
    [
        (["name,2019,2020", "the word,1.5,3", "a word,2.5,1"], True),
        (["the word,2019,2020", "a word,2001,2002", "some word,1999,2003"], False),
        (["the word,2019.5,1", "a word,3,2", "some word,4,5"], False),
        (["the word,1,2", "a word,3,2", "some word,4,5"], False),
        (["item,1,2,3", "the word,3,4,2", "a word,2,2,1"], True),
        (["item,0,1,2", "the word,3,4,2", "a word,2,2,1"], True),
        (["item,1,2,3", "the word,3,4,2", "a word,1,2,3"], False),
        (["item,1,3,2", "the word,3,4,2", "a word,2,2,1"], False),
        (["Snow,5", "It rained.,3", "It snowed.,4"], False),
    ],
)
def test_years_and_a_count_over_other_numbers_are_names(lines, names):
    made = draft(lines)
    assert (made.first.names, len(made.table)) == (names, len(lines) - names)


@pytest.mark.parametrize("line", ["a\tb\t3", "A cat sat down.\tA dog ran.\t0.5", "one text"])
def test_a_table_of_one_line_is_a_row_unless_it_is_said_to_be_names(line, uploads):
    made = draft([line], name="one.tsv")
    assert (made.first.names, made.first.sure, len(made.table)) == (False, False, 1)
    if len(made.columns) == 3:
        corpus = made.corpus(made.reading("one"))
        assert (len(corpus), corpus.notes) == (1, (NO_NAMES,))
    with pytest.raises(CorpusError, match="the table has no rows"):
        draft([line], name="one.tsv", names=True)
    with pytest.raises(CorpusError, match="the table has no rows"):
        draft(["sentence1\tsentence2\tscore"], name="one.tsv")


def test_a_table_without_rows_or_with_empty_cells_is_judged():
    assert judge(["a cat", "4"], pd.DataFrame({"x": [], "y": []})).names
    assert not draft(["A cat.,,3", "A dog.,A fox.,4", "Rain.,,2"]).first.names


def test_the_other_way_is_taken_where_it_is_said():
    assert draft(PAIRS, names=True).columns == PAIRS[0].split(",")
    assert draft(["one,two,three", *PAIRS], names=False).table.iloc[0].tolist() == ["one", "two", "three"]


@pytest.mark.parametrize(
    ("lines", "reading", "rows"),
    [
        (PAIRS, Reading("mine", **PAIR, scale=(0.0, 5.0), names=False), 6),
        (FILMS, LabelledReading("mine", "column 1", "column 2", names=False), 6),
        (TEXTS, TextsReading("mine", "column 1", names=False), 6),
    ],
)
def test_a_link_reads_every_row_and_says_that_the_first_line_is_one(uploads, lines, reading, rows):
    made = draft(lines)
    link = uploads.keep(made, reading)
    corpus = Catalogue(uploads=uploads).load(link)
    assert corpus.notes == (NO_NAMES,)
    assert lines[0].split(",")[0] in corpus.sentences
    assert (corpus.rows or len(corpus.sentences)) == rows
    assert uploads.keep(made, reading) == link


def test_pairs_without_names_tell_their_columns_themselves(uploads):
    corpus = Catalogue(uploads=uploads).load(uploads.bring("mine.csv", "\n".join(PAIRS).encode()))
    assert corpus.gold.tolist() == [0, 1, 2, 3, 4, 0]


def test_lines_are_those_of_the_file_where_the_first_is_a_row():
    lines = ["", *PAIRS[:2], ",A dog.,3", "", PAIRS[3]]
    made = Draft.read("mine.csv.gz", gzip.compress("\n".join(lines).encode()))
    assert made.corpus(made.reading("mine")).notes == (
        NO_NAMES,
        "1 empty line (5): left out.",
        "1 of 4 rows has an empty sentence (line 4): left out.",
    )


def test_links_to_tables_with_names_are_what_they_were(uploads):
    table = b"sentence1,sentence2,score\nA cat.,A dog.,1\nRain.,Snow.,4\n"
    assert uploads.bring("mine.csv", table) == "mine-656bb521"


@pytest.mark.parametrize(("lines", "looks"), [(PAIRS, True), (FILMS, True), (["c,d,e", *PAIRS], False)])
def test_a_table_of_a_folder_without_names_is_told_to_have_them(tmp_path, lines, looks):
    path = tmp_path / "mine.csv"
    path.write_text("\n".join(lines))
    with pytest.raises(CorpusError) as caught:
        read_corpus(path)
    assert ("Its first line looks like a row: put a line before it" in str(caught.value)) == looks
