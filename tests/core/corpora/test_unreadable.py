"""What is said of a file that cannot be read: the remedy, and no folder of the server."""

import gzip
import io
import zipfile

import pandas as pd
import pytest

from core.corpora.brought import Draft
from core.corpora.tables import read_corpus
from core.errors import CorpusError

TABLE = "sentence1,sentence2,score\nA café.,A bar.,1\nRain.,Snow.,2\n"
SPREADSHEET = "is not a {} but a spreadsheet or an archive: save it as CSV in UTF-8, or unpack it."


def said(name: str, content: bytes, *, texts: bool = False) -> str:
    with pytest.raises(CorpusError) as caught:
        Draft.read(name, content, texts=texts)
    return str(caught.value)


def parquet() -> bytes:
    file = io.BytesIO()
    pd.DataFrame({"a": ["x"] * 50, "b": ["y"] * 50}).to_parquet(file)
    return file.getvalue()


@pytest.mark.parametrize(
    "content",
    [b"no", b"no" * 50, parquet()[:-30] + parquet()[-8:], parquet()[:40] + b"z" * 27 + parquet()[67:]],
)
def test_a_bad_parquet_file_is_refused_without_a_folder_and_with_one_full_stop(tmp_path, content):
    path = tmp_path / "pairs.parquet"
    path.write_bytes(content)
    with pytest.raises(CorpusError) as caught:
        read_corpus(path)
    for message in (said("pairs.parquet", content), str(caught.value)):
        assert message.startswith("'pairs.parquet' is not a .parquet table: ")
        assert "/" not in message
        assert message.endswith(".")
        assert not message.endswith("..")


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".txt", ".parquet", ".csv.gz"])
def test_a_spreadsheet_of_another_name_is_told_to_be_saved_as_csv(ending):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as book:
        book.writestr("xl/worksheets/sheet1.xml", "<row/>" * 50)
    for content in (file.getvalue(), b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 500):
        content = gzip.compress(content) if ending.endswith(".gz") else content
        message = said(f"pairs{ending}", content, texts=True)
        assert message == f"'pairs{ending}' " + SPREADSHEET.format(
            "text file" if ending == ".txt" else f"{ending} table"
        )


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "latin-1"])
def test_text_of_another_encoding_is_told_to_be_saved_as_utf8(encoding):
    content = TABLE.encode(encoding)
    table = "'pairs.csv' is not UTF-8 text: save it as UTF-8, in a spreadsheet as CSV UTF-8."
    assert said("pairs.csv", content) == table
    text = "'pairs.txt' cannot be read as UTF-8 text: save it as UTF-8."
    assert said("pairs.txt", content, texts=True) == text


def test_a_quote_that_is_opened_and_not_closed_is_said_with_its_line():
    message = said("pairs.csv", ("\n" + TABLE + '"Wind.,Hail.,3\nSun.,Fog.,4\n').encode())
    assert message.startswith("'pairs.csv': near line 5 a double quote is opened and never closed")


def test_a_row_with_more_cells_and_an_empty_file_are_said_in_words():
    message = said("pairs.csv", (TABLE + "Wind, and hail.,Hail.,3\n").encode())
    assert message.startswith("'pairs.csv' is not a .csv table: near line 4 a row has 4 cells, not 3.")
    assert said("pairs.csv", b"") == "'pairs.csv' is not a .csv table: nothing stands in its first line."
