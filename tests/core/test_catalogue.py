"""Corpora by name: built in, of a data folder, of the hub, and paths."""

import json

import pytest

from core.catalogue import HUB, Catalogue, demo
from core.corpus import Corpus
from core.errors import CorpusError
from core.evaluation.sts import check_scorable

COMMIT = "fedcba9876543210fedcba9876543210fedcba98"


@pytest.fixture
def data(tmp_path):
    """A data folder with scored pairs and texts."""
    for part in ("sts", "corpus"):
        (tmp_path / "data" / part).mkdir(parents=True)
    rows = "split\tsubset\tsentence1\tsentence2\tscore\ntest\ts\ta\tb\t1\ndev\ts\tc\td\t2\n"
    (tmp_path / "data" / "sts" / "STS99.tsv").write_text(rows)
    (tmp_path / "data" / "corpus" / "words.txt").write_text("a text of some length\n" * 2)
    return tmp_path / "data"


@pytest.fixture
def hub_cache(tmp_path, monkeypatch):
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    return tmp_path / "hub"


def place(cache, name):
    """The folder that a download of a data set of the hub leaves its files in."""
    entry = cache / f"datasets--mteb--{name}"
    (entry / "snapshots" / COMMIT).mkdir(parents=True)
    (entry / "refs").mkdir()
    (entry / "refs" / "main").write_text(COMMIT)
    return entry / "snapshots" / COMMIT


def test_the_demonstration_corpus_can_be_scored_and_learnt_from():
    corpus = demo()
    check_scorable(corpus)
    assert {"test"} <= set(corpus.splits)
    assert len(set(corpus.subset)) > 1
    assert len(corpus.sentences) > 30
    assert 0 <= corpus.gold.min() < corpus.gold.max() <= 5
    assert "demonstration" in corpus.notes[0]


def test_names_come_from_the_folder(data):
    catalogue = Catalogue(data)
    listed = {entry.name: entry.kind for entry in catalogue.listed()}
    assert next(iter(listed)) == "demo"
    assert (listed["STS99"], listed["words"]) == ("pairs", "texts")
    assert set(HUB) < set(listed)
    assert catalogue.load("STS99").splits == ("test", "dev")
    assert catalogue.load("words").repeats.tolist() == [2]


def test_a_path_is_a_name_unless_paths_are_not_taken(data):
    path = str(data / "sts" / "STS99.tsv")
    assert len(Catalogue().load(path)) == 2
    with pytest.raises(CorpusError, match="no corpus") as caught:
        Catalogue(paths=False).load(path)
    assert "path of a file" not in str(caught.value)


def test_an_unknown_name_is_answered_with_what_there_is(data):
    with pytest.raises(
        CorpusError, match=r"no corpus 'STS98'\. Did you mean 'STS99'\?.* demo, words, STS99, sts12"
    ):
        Catalogue(data).load("STS98")


def test_a_file_that_changed_is_read_again(data, road):
    path = data / "sts" / "STS99.tsv"
    before = road.corpus(str(path), "all")
    assert road.corpus(str(path), "all") is before
    path.write_text(path.read_text() + "dev\ts\te\tf\t3\n")
    assert len(road.corpus(str(path), "all")) == 3


def test_a_benchmark_of_the_hub_is_read_from_the_cache_of_this_machine(hub_cache):
    folder = place(hub_cache, "stsbenchmark-sts")
    for split, score in (("train", 1.0), ("validation", 2.0), ("test", 3.5)):
        rows = [
            {"split": split, "sentence1": f"{split} a{i}", "sentence2": "b", "score": score}
            for i in range(2)
        ]
        (folder / f"{split}.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\n")
    (folder / "README.md").write_text("# STS benchmark\n")

    corpus = Catalogue().load("stsb")

    assert isinstance(corpus, Corpus)
    assert set(corpus.splits) == {"train", "dev", "test"}
    assert corpus.take(None).gold.tolist() == [3.5, 3.5]
    assert corpus.take("dev").gold.tolist() == [2.0, 2.0]
    assert corpus.origin == f"hub: mteb/stsbenchmark-sts@{COMMIT[:12]}"


def test_a_download_without_data_is_not_taken_for_a_benchmark(hub_cache):
    folder = place(hub_cache, "sts12-sts")
    (folder / "README.md").write_text("# STS12\n")
    with pytest.raises(CorpusError, match="sts12: .*is not on this machine"):
        Catalogue().load("sts12")


def test_damaged_files_of_a_benchmark_are_named(hub_cache):
    folder = place(hub_cache, "sts12-sts")
    (folder / "test.parquet").write_bytes(b"PAR1 and no more")
    with pytest.raises(CorpusError, match=f"'mteb/sts12-sts' in .*{COMMIT} cannot be read"):
        Catalogue().load("sts12")


def test_a_benchmark_out_of_reach_says_what_works(hub_cache, data):
    with pytest.raises(
        CorpusError, match="is not on this machine.*without network: demo, words, STS99, or the path"
    ):
        Catalogue(data).load("sts13")


def test_a_file_that_was_brought_is_found_by_name_and_not_listed(tmp_path):
    catalogue = Catalogue(uploads=tmp_path / "uploads", paths=False)
    content = b"sentence1,sentence2,score\na,b,1\nc,d,2\n"
    name = catalogue.bring("../../my pairs?.csv", content)
    assert name == catalogue.bring("../../my pairs?.csv", content)
    assert len(catalogue.load(name)) == 2
    assert name not in [entry.name for entry in catalogue.listed()]
    with pytest.raises(CorpusError):
        catalogue.bring("picture.tsv", b"\x89PNG\r\n")
    assert [p.parent for p in tmp_path.rglob("*.csv")] == [tmp_path / "uploads"]
    assert len(list((tmp_path / "uploads").iterdir())) == 1
