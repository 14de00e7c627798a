"""Two columns of one name: nobody can say which is meant."""

import io

import pyarrow as pa
import pytest
from pyarrow import parquet

from core.corpora.brought import Draft
from core.corpora.columns import repeated
from core.corpora.tables import read_corpus
from core.errors import CorpusError

ROWS = "A cat.,A dog.,1,5\nRain.,Snow.,2,4\n"


@pytest.mark.parametrize(
    ("names", "twice"),
    [
        (["score", "a", "score"], "score"),
        (["Score", "score "], "score"),
        (["id", "ID"], ""),
        (["", ""], ""),
        (["score", "score.1"], ""),
    ],
)
def test_a_name_that_two_columns_have_is_found(names, twice):
    assert repeated(names) == twice


@pytest.mark.parametrize("twice", ["score", "rating", "how, alike"])
@pytest.mark.parametrize("before", ["", "\n"])
def test_a_brought_table_with_two_columns_of_one_name_is_refused(twice, before):
    table = f'{before}one,two,"{twice}","{twice}"\n{ROWS}'
    with pytest.raises(CorpusError) as caught:
        Draft.read("my pairs.csv", table.encode())
    assert str(caught.value) == f"'my pairs.csv' has two columns called '{twice}': give each its own name."


def test_a_parquet_table_with_two_columns_of_one_name_is_refused():
    file = io.BytesIO()
    parquet.write_table(pa.table([pa.array(["x"]), pa.array(["y"])], names=["what", "what"]), file)
    with pytest.raises(CorpusError, match="'two.parquet' has two columns called 'what': give each its own"):
        Draft.read("two.parquet", file.getvalue())


def test_a_table_of_a_folder_is_refused_where_its_repeated_name_says_what_a_column_is(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text(f"sentence1,sentence2,score,Score\n{ROWS}")
    with pytest.raises(CorpusError, match="'pairs.csv' has two columns called 'score'"):
        read_corpus(path)
    notes = "".join(f"{line},x,y\n" for line in ROWS.splitlines())
    path.write_text(f"sentence1,sentence2,score,no,note,note\n{notes}")
    assert read_corpus(path).gold.tolist() == [1, 2]


def test_a_first_line_of_texts_that_repeat_is_a_row():
    table = "good,good,fine\nbad,poor,weak\nwell,nice,great\n"
    assert not Draft.read("words.csv", table.encode()).first.names
