"""Files that visitors bring: within a budget, under names that are safe, and never a bomb."""

import gzip
import os
from pathlib import Path

import pytest

from core.corpora.catalogue import Catalogue
from core.corpora.uploads import Uploads, is_brought
from core.errors import CorpusError
from core.pipeline.engine import Engine
from core.settings import GIGABYTE, Settings
from core.storage.glance import glance
from core.trust import Trust


def table(number: int, rows: int = 20) -> bytes:
    """A table of pairs that differs from others by its number."""
    lines = [f"dog {number} {i}\tcat {i}\t{i % 5}" for i in range(rows)]
    return "\n".join(["sentence1\tsentence2\tscore", *lines]).encode()


@pytest.fixture
def uploads(tmp_path) -> Uploads:
    """Room for three of these tables."""
    alone = Uploads(tmp_path / "alone", GIGABYTE, 5_000)
    alone.bring("pairs.tsv", table(1))
    return Uploads(tmp_path / "uploads", 3 * alone.size() + 200, 5_000)


def aged(uploads: Uploads) -> None:
    """Let the files there are be an hour older."""
    for path in uploads.corpora().values():
        stat = path.stat()
        os.utime(path, (stat.st_atime - 3600, stat.st_mtime - 3600))


def test_the_files_not_used_for_longest_go(uploads):
    catalogue = Catalogue(uploads=uploads, trust=Trust(folders=()))
    names = []
    for number in range(3):
        names.append(uploads.bring("pairs.tsv", table(number)))
        aged(uploads)
    before = catalogue.stamp(names[0])  # used again, and not read anew for that
    names.append(uploads.bring("pairs.tsv", table(3)))
    assert set(uploads.corpora()) == {names[0], names[2], names[3]}
    assert catalogue.stamp(names[0]) == before
    assert uploads.size() <= uploads.budget_bytes
    with pytest.raises(CorpusError, match="There is no corpus"):
        catalogue.load(names[1])


def test_a_file_of_another_user_that_must_stay_costs_nobody_theirs(uploads, monkeypatch):
    for number in range(3):
        uploads.bring("pairs.tsv", table(number))
        aged(uploads)
    unlink = Path.unlink

    def refused(self, missing_ok=False):
        if self.suffix == ".parquet" and self.name[0] != ".":
            raise PermissionError(1, "Operation not permitted")
        unlink(self, missing_ok)

    monkeypatch.setattr(Path, "unlink", refused)
    assert uploads.bring("pairs.tsv", table(3)) in uploads.corpora()
    assert uploads.clear() == 0


def test_a_name_says_that_a_table_was_brought(uploads):
    assert is_brought(uploads.bring("Our pairs & more.tsv", table(1)))
    assert not any(map(is_brought, ("demo", "sts-b", "stsb-test", "dogs-e66923d", "hub:a/b-e66923db")))


def test_bringing_a_file_again_counts_as_use(uploads):
    names = []
    for number in range(3):
        names.append(uploads.bring("pairs.tsv", table(number)))
        aged(uploads)
    assert uploads.bring("pairs.tsv", table(0)) == names[0]
    uploads.bring("pairs.tsv", table(3))
    assert names[0] in uploads.corpora()
    assert names[1] not in uploads.corpora()


def test_a_file_that_is_too_large_is_refused_and_takes_no_place(uploads):
    name = uploads.bring("pairs.tsv", table(1))
    with pytest.raises(CorpusError, match=r"The file has 0\.0 MB; allowed is 0\.0 MB"):
        uploads.bring("large.tsv", table(2, rows=1000))
    assert set(uploads.corpora()) == {name}


def test_a_file_larger_than_the_budget_is_refused(tmp_path):
    small = Uploads(tmp_path / "uploads", 10, 5_000)
    with pytest.raises(CorpusError, match="allowed is"):
        small.bring("pairs.tsv", table(1))


@pytest.mark.parametrize("members", [1, 3])
def test_a_compressed_bomb_is_refused_before_it_is_unpacked(tmp_path, members):
    bomb = gzip.compress(b"sentence1\tsentence2\tscore\n" + b"a\tb\t1\n" * 10_000_000, 9) * members
    uploads = Uploads(tmp_path / "uploads", GIGABYTE, 1_000_000)
    assert len(bomb) < uploads.file_bytes
    with pytest.raises(CorpusError, match=r"unpacks to more than 10\.0 MB"):
        uploads.bring("bomb.tsv.gz", bomb)
    assert uploads.corpora() == {}


def test_a_damaged_gzip_is_refused(uploads):
    with pytest.raises(CorpusError, match="is no gzip file"):
        uploads.bring("pairs.tsv.gz", b"no gzip")
    name = uploads.bring("pairs.tsv.gz", gzip.compress(table(1)))
    assert list(uploads.corpora()) == [name]


@pytest.mark.parametrize(
    "name",
    [
        "../../etc/pairs.tsv",
        "/etc/pairs.tsv",
        ".tsv",
        "....tsv",
        "a\0b\n<b>.tsv",
        "x" * 5000 + ".tsv",
        "C:\\windows\\pairs.tsv",
        "PAIRS.TSV",
        "-rf.tsv",
        "жд🎸.tsv",
        "é" * 200 + ".tsv",
        "\udcff.tsv",
    ],
)
def test_odd_names_stay_in_the_folder_and_are_found(uploads, tmp_path, name):
    found = uploads.bring(name, table(1))
    kept = [path for path in tmp_path.rglob("*.*") if path.is_file() and path.parent.name != "alone"]
    assert [path.parent for path in kept] == [uploads.folder]
    assert list(uploads.corpora()) == [found]
    assert len(found) < 60
    assert not set(found) & set("/\\\0\n<>")
    assert found[0] not in ".-"
    corpus = Catalogue(uploads=uploads).load(found)
    assert len(corpus) == 20
    corpus.origin.encode()
    assert not set(corpus.name) & set("\0\n")


@pytest.mark.parametrize("name", ["", "/", "pairs", "pairs.exe", "pairs.tsv.zip", ".."])
def test_names_of_no_corpus_are_refused(uploads, name):
    with pytest.raises(CorpusError, match="is no corpus file"):
        uploads.bring(name, table(1))


def test_a_folder_that_cannot_be_written_is_said(tmp_path):
    (tmp_path / "uploads").write_text("")
    with pytest.raises(CorpusError, match="cannot be kept: ") as raised:
        Uploads(tmp_path / "uploads", 5_000, 5_000).bring("pairs.tsv", table(1))
    assert str(tmp_path) not in str(raised.value)


def test_the_budget_is_a_setting(tmp_path, monkeypatch):
    monkeypatch.setenv("STRATA_UPLOADS_GB", "0.5")
    engine = Engine(Settings.from_environment(cache=tmp_path))
    assert engine.uploads.budget_bytes == 500_000_000
    assert Settings().uploads_bytes == GIGABYTE


def test_clearing_the_cache_keeps_the_files_of_visitors_and_says_so(run, tmp_path, monkeypatch):
    monkeypatch.setenv("STRATA_CACHE", str(tmp_path))
    engine = Engine(Settings.from_environment())
    name = engine.uploads.bring("pairs.tsv", table(1, rows=2000))
    assert "1 files of visitors" in run("cache")[1]
    code, out, _ = run("cache", "--clear")
    assert code == 0
    assert "MB of visitors' files kept in" in out
    assert "--uploads" in out
    assert len(engine.corpus(name, "all")) == 2000

    code, out, _ = run("cache", "--clear", "--uploads")
    assert code == 0
    assert "kept" not in out
    assert engine.uploads.corpora() == {}
    assert run("cache", "--uploads")[0] == 2


def test_a_read_only_installation_takes_no_file_and_finds_those_that_are_there(tmp_path):
    open_to_all = Engine(Settings(cache=tmp_path))
    name = open_to_all.uploads.bring("pairs.tsv", table(1))
    closed = Engine(Settings(cache=tmp_path, read_only=True))
    with pytest.raises(CorpusError, match="read-only"):
        closed.uploads.bring("pairs.tsv", table(2))
    draft = open_to_all.uploads.draft("pairs.tsv", table(2))
    with pytest.raises(CorpusError, match="read-only"):
        closed.uploads.keep(draft, draft.reading("pairs"))
    assert len(closed.corpus(name)) == 20
    assert len(closed.uploads.corpora()) == 1


def test_a_file_that_is_brought_or_removed_in_a_glance_is_heard_of_in_it(uploads):
    catalogue = Catalogue(uploads=uploads, trust=Trust(folders=()))
    with glance():
        first = uploads.bring("pairs.tsv", table(0))
        assert catalogue.holds(first)
        second = uploads.bring("pairs.tsv", table(1))
        assert catalogue.holds(second)
        before = catalogue.stamp(second)
        uploads.clear()
        assert not catalogue.holds(second)
        assert catalogue.stamp(second) != before
