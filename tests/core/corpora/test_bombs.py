"""A small file that is a large table is refused before it is read."""

import gzip
import io
import tracemalloc
import zlib

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.corpora import bombs
from core.errors import CorpusError

MOST = 10_000_000


def parquet(**columns) -> bytes:
    file = io.BytesIO()
    pq.write_table(pa.table(columns), file, store_schema=False)
    return file.getvalue()


def repeated(text: str, rows: int) -> pa.Array:
    return pa.DictionaryArray.from_arrays(pa.array([0] * rows, pa.int32()), pa.array([text]))


def test_one_long_text_in_many_rows_of_parquet_is_refused():
    bomb = parquet(sentence1=repeated("x" * 1000, 20_000))
    assert len(bomb) < 50_000
    with pytest.raises(CorpusError, match=r"unpacks to more than 10\.0 MB. Give a part"):
        bombs.refuse(bomb, ".parquet", MOST)
    bombs.refuse(parquet(sentence1=repeated("x" * 1000, 9_000), score=[1.0] * 9_000), ".parquet", MOST)


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.large_binary(), pa.binary(1000)])
def test_no_batch_of_it_has_a_text_for_each_row_whatever_the_file_calls_its_texts(kind, monkeypatch):
    """As ``large_string``, which pandas writes, or of one length, all were there before any was counted."""
    taken, count = [0], bombs._bytes
    monkeypatch.setattr(bombs, "_bytes", lambda column: taken.append(column.nbytes) or count(column))
    file = io.BytesIO()
    pq.write_table(pa.table({"sentence1": pa.array([b"x" * 1000] * 20_000).cast(kind)}), file)
    with pytest.raises(CorpusError, match=r"unpacks to more than 10\.0 MB. Give a part"):
        bombs.refuse(file.getvalue(), ".parquet", MOST)
    assert max(taken) < 1_000_000


def test_columns_of_kinds_that_arrow_does_not_have_itself_are_named():
    texts = pa.ExtensionArray.from_storage(pa.json_(), pa.array(['"a"', '"b"']))
    file = io.BytesIO()
    pq.write_table(pa.table({"sentence1": texts}), file)
    with pytest.raises(CorpusError, match="'sentence1' holds extension<arrow.json>; save it as text"):
        bombs.refuse(file.getvalue(), ".parquet", MOST)


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".csv.gz", ".parquet"])
def test_more_rows_than_a_table_may_have_are_refused(ending):
    if ending == ".parquet":
        content = parquet(a=pa.array([0] * 2_000_001, pa.int8()))
    else:
        content = b"\n" * 2_000_001
    content = gzip.compress(content, 1) if ending.endswith(".gz") else content
    with pytest.raises(CorpusError, match="more rows than 2,000,000"):
        bombs.refuse(content, ending, MOST)


@pytest.mark.parametrize("ending", [".csv", ".tsv"])
@pytest.mark.parametrize("before", ["", "\n", "\r\r", "a{0}b\n", '"a\n{0}"\n', '"a"{0}b"\n'])
def test_a_row_of_more_columns_than_a_table_may_have_is_refused_wherever_it_stands(ending, before):
    """Three megabytes of commas under a header took minutes: pandas takes them for an index."""
    mark = "," if ending == ".csv" else "\t"
    with pytest.raises(CorpusError, match="more columns than 1,000"):
        bombs.refuse(f"{before.format(mark)}{mark * 1_001}\n1".encode(), ending, MOST)


@pytest.mark.parametrize(
    ("content", "ending"),
    [
        (b'a,b\n"' + b",;" * 2_000 + b'",1\n', ".csv"),
        (b"a\tb\n" + b",;" * 2_000 + b"\t1\n", ".tsv"),
        (b"a, b" * 2_000 + b"\n", ".txt"),
    ],
)
def test_commas_in_a_long_text_are_no_columns(content, ending):
    bombs.refuse(content, ending, MOST)


def test_more_cells_than_a_table_may_have_are_refused():
    """A thousand columns over rows that are empty filled memory from a file of four megabytes."""
    with pytest.raises(CorpusError, match=r"more cells than 10,000,000.*: 20,001 rows of 501\."):
        bombs.refuse(b"," * 500 + b"\n" * 20_001, ".csv", MOST)
    with pytest.raises(CorpusError, match="more rows than 2,000,000"):
        bombs.refuse(b"a,b" + b"\r" * 2_000_001, ".csv", MOST)


def test_what_quotes_might_hide_counts():
    """A table whose quotes are characters is read as the lines have it."""
    with pytest.raises(CorpusError, match="more columns than 1,000"):
        bombs.refuse(b'"' + b"\t" * 1_001 + b'"\n1', ".tsv", MOST)
    cells = b'""\t' * 200_001
    with pytest.raises(CorpusError, match=r"more cells than 10,000,000, which is the most\. Leave"):
        bombs.refuse(b"a\n" * 20 + (cells + b"\n") * 50, ".tsv", 10 * MOST)


def test_of_a_large_table_no_second_one_is_held():
    content = b"a sentence\tanother one\t3.5\n" * 500_000
    tracemalloc.start()
    bombs.refuse(content, ".tsv", 2 * len(content))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < len(content) / 2


@pytest.mark.parametrize("ending", [".tsv", ".tsv.gz"])
def test_a_line_whose_end_is_cut_by_a_piece_ends_once(ending, monkeypatch):
    monkeypatch.setattr(bombs, "_CHUNK", 2)
    monkeypatch.setattr(bombs, "MOST_ROWS", 20)
    for rows in (20, 21):
        content = b"a\r\n" * rows
        content = gzip.compress(content) if ending.endswith(".gz") else content
        if rows == 20:
            bombs.refuse(content, ending, MOST)
        else:
            with pytest.raises(CorpusError, match="more rows than 20"):
                bombs.refuse(content, ending, MOST)


def test_columns_of_lists_are_named():
    with pytest.raises(CorpusError, match="'sentence1' holds lists or records"):
        bombs.refuse(parquet(sentence1=[["a"], ["b"]]), ".parquet", MOST)


def test_what_is_no_gzip_file_is_said():
    with pytest.raises(CorpusError, match="The file is no gzip file: "):
        bombs.refuse(b"no gzip", ".tsv.gz", MOST)


def test_a_file_that_is_no_parquet_is_left_to_who_reads_it():
    for content in (b"", b"PAR1", b"PAR1" + b"\xff" * 90 + b"PAR1", parquet(a=["é" * 9])[:-9]):
        bombs.refuse(content, ".parquet", MOST)


def test_many_members_of_gzip_are_unpacked_in_one_pass_and_bounded(monkeypatch):
    """Megabytes of members that hold nothing took minutes: each time zlib was given all that follows."""
    given, made = [], zlib.decompressobj

    class Counted:
        def __init__(self, wbits):
            self._member = made(wbits=wbits)

        def __getattr__(self, name):
            return getattr(self._member, name)

        def decompress(self, part, most):
            given.append(len(part))
            return self._member.decompress(part, most)

    texts = [b"x" * size for size in (0, 1, 1_000_000, 3, 0, 40_000)] * 3
    content = b"".join(map(gzip.compress, texts))
    monkeypatch.setattr(zlib, "decompressobj", Counted)
    monkeypatch.setattr(bombs, "_GIVEN", 100)
    assert b"".join(bombs._unpacked(content)) == b"".join(texts)
    assert max(given) <= 100
    monkeypatch.setattr(bombs, "MOST_MEMBERS", 17)
    with pytest.raises(CorpusError, match="more than 17 gzip files"):
        bombs.refuse(content, ".tsv.gz", MOST)


def test_a_table_in_very_many_parts_is_refused():
    """Seven megabytes of 50,000 parts took ten seconds."""
    file = io.BytesIO()
    pq.write_table(pa.table({f"c{i}": [1] * 101 for i in range(200)}), file, row_group_size=1)
    with pytest.raises(CorpusError, match=r"more parts \(row groups × columns\) than 20,000"):
        bombs.refuse(file.getvalue(), ".parquet", MOST)
