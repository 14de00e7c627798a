"""Quotes in a table that tabs part: they enclose cells as spreadsheets write them, or are characters."""

import io

import pandas as pd
import pytest

from core.corpora.brought import Draft
from core.corpora.quotes import enclose
from core.corpora.tables import read_corpus
from core.errors import CorpusError

HEADER = "sentence1\tsentence2\tscore\n"
PLAIN = "A dog ran.\tA dog was running.\t4.5\n"


def firsts(table: str) -> list[str]:
    """The first sentences of a table that tabs part, brought under a name."""
    draft = Draft.read("pasted.tsv", table.encode())
    corpus = draft.corpus(draft.reading("pasted"))
    return [corpus.sentences[i] for i in corpus.first]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_cell_in_quotes_may_hold_line_breaks_tabs_and_doubled_quotes(tmp_path, end, mark):
    """As a spreadsheet puts them on the clipboard, and pandas into a file; rows keep their lines."""
    rows = [
        HEADER.rstrip(),
        '"He said:\nthe cat sleeps."\tThe cat is asleep.\t4,5',
        '"A dog, ""Rex"".\n\nIt ran."\tA dog.\t3,5',
        '"two\twords"\tx\t2,5',
        '"no score"\tx\t',
        "plain\ty\t1,5",
    ]
    table = mark + end.join(rows) + end
    assert firsts(table) == [
        "He said:\nthe cat sleeps.",
        'A dog, "Rex".\n\nIt ran.',
        "two\twords",
        "plain",
    ]
    (tmp_path / "a.tsv").write_bytes(table.encode())
    corpus = read_corpus(tmp_path / "a.tsv")
    assert corpus.gold.tolist() == [4.5, 3.5, 2.5, 1.5]
    assert corpus.notes[0] == "1 of 5 rows has no score (line 8): left out."


def test_what_pandas_writes_comes_back():
    texts = ['"Yes" he said', '""', 'a "b" c', "one\ntwo", "one\ttwo", '"', '"wholly"', "", "one\n\n\ntwo"]
    frame = pd.DataFrame({"sentence1": [f"{text} x" for text in texts], "sentence2": texts, "score": 1.5})
    file = io.StringIO()
    frame.to_csv(file, sep="\t", index=False)
    table = Draft.read("a.tsv", file.getvalue().encode()).table
    assert table[["sentence1", "sentence2"]].to_numpy().tolist() == frame.iloc[:, :2].to_numpy().tolist()


@pytest.mark.parametrize(
    "sentence",
    [
        '"Stop," he said.',
        '"Stop',
        'He said: "Stop',
        'Stop"',
        'five inches (5") wide',
        '"',
        '"Stop" and "go"',
        '""Stop""',
    ],
)
def test_quotes_of_a_table_that_encloses_nothing_are_read_as_they_are(sentence):
    """A sentence wholly in quotes keeps them where another begins with one and does not end with it."""
    wholly = '"The cat sleeps."'
    table = HEADER + f"{sentence}\tb\t1\n" + PLAIN + f'"Open\tc\t2\n{wholly}\td\t3\n'
    assert firsts(table) == [sentence, "A dog ran.", '"Open', wholly]


def test_sentences_in_quotes_alone_are_cells_that_quotes_enclose():
    """As a spreadsheet saves what has a comma; nothing says that these quotes are part of the texts."""
    assert firsts(HEADER + '"Red, blue."\tb\t1\n' + PLAIN) == ["Red, blue.", "A dog ran."]
    assert firsts(HEADER + 'He said "no".\tb\t1\n' + PLAIN) == ['He said "no".', "A dog ran."]


@pytest.mark.parametrize("after", ["", '"a ""b"" c"\tx\t2\n', PLAIN])
@pytest.mark.parametrize("header", [HEADER, '"sentence1"\t"sentence2"\t"score"\n'])
def test_one_cell_that_its_quote_does_not_enclose_is_named_where_others_are_enclosed(header, after):
    table = (header + PLAIN + '"Stop," he said.\tb\t1\n' + after).encode()
    if header == HEADER and '""' not in after:
        assert not enclose(table, "a.tsv")
        return
    with pytest.raises(CorpusError, match="'a.tsv': near line 3 a cell begins with a double quote"):
        enclose(table, "a.tsv")


def test_a_cell_that_is_broken_into_lines_is_not_taken_for_rows_where_another_quote_stands_alone():
    broken, lone = '"line 1\nline 2"\tb\t1\n', '"He said I\tb\t2\n'
    with pytest.raises(CorpusError, match="near line 4 a cell begins with a double quote and does not end"):
        enclose((HEADER + broken + lone).encode(), "a.tsv")
    ends = '"Open\tc\t2\nShut"\tc\t3\n'
    assert not enclose((HEADER + ends + lone).encode(), "a.tsv"), "rows as long as the others"


def test_lines_that_are_rows_as_well_as_one_cell_are_refused():
    """Of one column, nothing tells a cell of two lines from two texts."""
    says = "near line 2 a double quote is opened, and what stands up to the next could be one cell as well"
    with pytest.raises(CorpusError, match=says):
        enclose(b'text\n"One of the texts.\nAnother one."\n', "a.tsv")
