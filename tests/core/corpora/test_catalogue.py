"""Corpora by name: built in, of a data folder, of the hub, and paths."""

import csv
import json
import os
from collections import Counter
from decimal import Decimal
from importlib.resources import files

import pytest

from core.corpora import built_in
from core.corpora.built_in import BUILT_IN, demo, topics
from core.corpora.catalogue import Catalogue
from core.corpora.corpus import Corpus
from core.corpora.hub_sets import HUB
from core.corpora.uploads import Uploads
from core.errors import CorpusError
from core.evaluation.sts import check_scorable
from core.recipe import Recipe
from core.storage.files import replacing
from core.trust import Trust

KINDS = {
    "paraphrase",
    "partial-overlap",
    "same-topic",
    "unrelated",
    "swapped-roles",
    "negation",
    "numbers",
    "polysemy",
    "register",
}
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
    sizes = {split: len(corpus.take(split)) for split in corpus.splits}
    assert sizes == {"train": 352, "dev": 433, "test": 865}
    assert len(corpus.sentences) == 2 * len(corpus) == 3300, "no sentence twice"
    assert set(corpus.take("test").subset) == KINDS
    assert 0 == corpus.gold.min() < corpus.gold.max() == 5
    assert "demonstration" in corpus.notes[0]


def test_the_score_of_the_demonstration_is_the_mean_of_both_scorings():
    with (files("core") / "corpora" / "data" / "demo.tsv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    columns = ["sentence1", "sentence2", "score", "subset", "split", "genre", "score1", "score2"]
    assert list(rows[0]) == columns
    for row in rows:
        assert 2 * Decimal(row["score"]) == Decimal(row["score1"]) + Decimal(row["score2"])
    assert len({row["genre"] for row in rows}) == 10


def test_the_topics_are_a_reference_of_texts(engine):
    corpus = topics()
    assert len(corpus.sentences) == len(corpus.positions) == 1440
    assert (len(corpus), corpus.origin) == (0, "built in")
    recipe = Recipe.parse("source=random;weight=idf(fit=reference);reference=topics")
    assert engine.references.of(recipe).sentences == corpus.sentences
    with pytest.raises(CorpusError, match="The corpus topics has no scored pairs"):
        check_scorable(corpus)


def test_the_topics_have_as_many_texts_of_each_topic_and_register():
    with (files("core") / "corpora" / "data" / "topics.tsv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    cells = Counter((row["topic"], row["register"], row["split"]) for row in rows)
    assert len(cells) == 12 * 3 * 3
    assert {split: {cells[c] for c in cells if c[2] == split} for split in ("train", "dev", "test")} == {
        "train": {24},
        "dev": {6},
        "test": {10},
    }


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_built_in_corpus_is_found_by_name_whatever_a_link_may_open(name):
    catalogue = Catalogue(trust=Trust(folders=(), downloads=False))
    assert catalogue.holds(name)
    assert catalogue.load(name).name == name
    assert catalogue.stamp(name) == (name, ())


@pytest.mark.parametrize("name", ["stsb", "vocabulary"])
def test_a_file_with_the_name_of_a_benchmark_is_read_again_when_it_changes(name, tmp_path):
    (tmp_path / "sts").mkdir()
    path, catalogue = tmp_path / "sts" / f"{name}.tsv", Catalogue(tmp_path)
    assert catalogue.stamp(name) == (name, ())
    stamps = []
    for count in (3, 5):
        rows = "".join(f"a dog {i}\ta cat {i}\t{i % 5}\n" for i in range(count))
        path.write_text(f"sentence1\tsentence2\tscore\n{rows}")
        stamps.append(catalogue.stamp(name))
        assert len(catalogue.load(name)) == count
        assert catalogue.is_here(name)
        assert catalogue.holds(name)
    assert stamps[0] != stamps[1]


@pytest.mark.parametrize(
    ("part", "left"),
    [("corpus", {"pets"}), ("sts", {"words"}), ("downstream", {"pets", "words"}), ("", set())],
)
def test_what_of_a_data_folder_cannot_be_looked_at_is_not_listed(tmp_path, closed, part, left):
    for name in ("sts", "corpus", "downstream/STS/STS12-en-test"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "sts" / "pets.tsv").write_text("sentence1\tsentence2\tscore\na dog\ta cat\t4\n")
    (tmp_path / "corpus" / "words.txt").write_text("a dog\n")
    (tmp_path / "downstream" / "STS" / "STS12-en-test" / "STS.input.a.txt").write_text("a\tb\n")
    closed(tmp_path / part)
    catalogue = Catalogue(tmp_path)
    assert {e.name for e in catalogue.listed() if "data folder" in e.origin} - {"STS12"} == left
    with pytest.raises(CorpusError, match="There is no corpus 'nowhere'"):
        catalogue.load("nowhere")


def test_a_file_replaced_by_one_of_its_length_within_a_tick_of_the_disk_is_read_again(engine, tmp_path):
    path, moment = tmp_path / "pets.tsv", 1_700_000_000_000_000_000
    for pet in ("dog", "cat"):
        with replacing(path) as temporary:
            temporary.write_text(f"sentence1\tsentence2\tscore\na {pet}\ta pet\t4\n")
            os.utime(temporary, ns=(moment, moment))
        assert engine.corpus(str(path)).sentences == (f"a {pet}", "a pet")


def test_the_demonstration_corpus_does_not_lean_on_what_was_read_of_another(monkeypatch):
    read = built_in.read_corpus

    def read_with_cached(*given):
        corpus = read(*given)
        assert corpus.positions.size
        assert corpus.fingerprint
        return corpus

    monkeypatch.setattr(built_in, "read_corpus", read_with_cached)
    assert demo().origin == "built in"


def test_names_come_from_the_folder(data):
    catalogue = Catalogue(data)
    listed = {entry.name: entry.kind for entry in catalogue.listed()}
    assert list(listed.items())[:3] == [("demo", "pairs"), ("topics", "labelled"), ("vocabulary", "texts")]
    assert (listed["STS99"], listed["words"]) == ("pairs", "texts")
    assert set(HUB) < set(listed)
    assert catalogue.load("STS99").splits == ("test", "dev")
    assert catalogue.load("words").repeats.tolist() == [2]


def test_the_vocabulary_is_of_frequent_words_each_once():
    words = Catalogue().load("vocabulary")
    assert words.sentences[0] == "the"
    assert len(words.sentences) == len(set(words.sentences)) > 25_000
    assert set(words.repeats.tolist()) == {1}
    assert words.origin.startswith("wordfreq")


def test_a_path_is_a_name_unless_paths_are_refused(data):
    path = str(data / "sts" / "STS99.tsv")
    corpus = Catalogue().load(path)
    assert (len(corpus), corpus.name, corpus.link) == (2, "STS99", path)
    with pytest.raises(CorpusError, match="no corpus") as caught:
        Catalogue(trust=Trust(folders=())).load(path)
    assert "path of a file" not in str(caught.value)


def test_an_unknown_name_is_answered_with_what_there_is(data):
    with pytest.raises(
        CorpusError,
        match=r"no corpus 'STS98'\. Did you mean 'STS99'\?.* demo, topics, vocabulary, words, STS99, sts12",
    ):
        Catalogue(data).load("STS98")


def test_a_file_that_changed_is_read_again(data, engine):
    path = data / "sts" / "STS99.tsv"
    before = engine.corpus(str(path), "all")
    assert engine.corpus(str(path), "all") is before
    path.write_text(path.read_text() + "dev\ts\te\tf\t3\n")
    assert len(engine.corpus(str(path), "all")) == 3


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


def test_a_scale_that_is_known_stays_with_the_corpus(hub_cache, data, tmp_path):
    folder = place(hub_cache, "sickr-sts")
    (folder / "test.jsonl").write_text('{"sentence1": "a", "sentence2": "b", "score": 4.5}\n')
    path = tmp_path / "ten.tsv"
    path.write_text("sentence1\tsentence2\tscore\n" + "".join(f"a{i}\tb\t{i}\n" for i in range(11)))
    catalogue = Catalogue(data)
    assert catalogue.load("sickr").scale == (1.0, 5.0)
    assert catalogue.load("sickr", (0.0, 5.0)).scale == (0.0, 5.0)
    assert catalogue.load(str(path), (0.0, 10.0)).scale == (0.0, 10.0)
    assert catalogue.load("STS99", (0.0, 10.0)).scale == (0.0, 10.0)
    assert catalogue.load("STS99").scale is None, "nobody has said it"


def test_one_file_under_two_names_has_each_of_them(engine, tmp_path):
    path, other = tmp_path / "alpha.tsv", tmp_path / "beta.tsv"
    path.write_text("sentence1\tsentence2\tscore\na\tb\t1\nc\td\t2\n")
    other.symlink_to(path)
    assert [engine.corpus(str(one), "all").name for one in (path, other, path)] == [
        "alpha",
        "beta",
        "alpha",
    ]


def test_a_download_without_data_is_no_benchmark(hub_cache):
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
        CorpusError,
        match="is not on this machine.*without network: demo, topics, vocabulary, words, STS99, or",
    ):
        Catalogue(data).load("sts13")


def test_a_file_that_was_brought_is_found_by_name_and_not_listed(tmp_path):
    uploads = Uploads(tmp_path / "uploads", 10_000, 1000)
    catalogue = Catalogue(uploads=uploads, trust=Trust(folders=()))
    content = b"sentence1,sentence2,score\na,b,1\nc,d,2\n"
    name = catalogue.uploads.bring("../../my pairs?.csv", content)
    assert name == catalogue.uploads.bring("../../my pairs?.csv", content)
    assert len(catalogue.load(name)) == 2
    assert name not in [entry.name for entry in catalogue.listed()]
    with pytest.raises(CorpusError):
        catalogue.uploads.bring("picture.tsv", b"\x89PNG\r\n")
    assert [p.parent for p in tmp_path.rglob("*.parquet")] == [tmp_path / "uploads"]
    assert len(list((tmp_path / "uploads").iterdir())) == 1


def test_a_benchmark_that_is_here_under_another_name_is_not_offered_twice(data):
    for name in ("STS12", "STS-B", "SICK", "STS-B.raw"):
        (data / "sts" / f"{name}.tsv").write_text("sentence1\tsentence2\tscore\na\tb\t1\nc\td\t2\n")
    catalogue = Catalogue(data, trust=Trust(folders=()))
    offered = [entry.name for entry in catalogue.offered()]
    assert {"STS12", "STS-B", "SICK", "STS-B.raw", "sts13", "sts14", "sts15", "sts16"} <= set(offered)
    assert not {"sts12", "stsb", "sickr"} & set(offered)
    assert all(catalogue.holds(name) for name in ("sts12", "stsb", "sickr")), "links may name them still"


def test_a_benchmark_of_the_hub_is_here_once_it_is_downloaded(hub_cache):
    catalogue = Catalogue()
    assert not catalogue.is_here("sts13")
    (place(hub_cache, "sts13-sts") / "test.jsonl").write_text("{}")
    assert catalogue.is_here("sts13")
    assert catalogue.is_here("demo")
