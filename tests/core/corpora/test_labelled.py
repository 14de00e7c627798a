"""Labelled corpora: rows of one or two texts, their fingerprints, and files of every kind of damage."""

import gzip
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.corpora.built_in import demo, topics
from core.corpora.catalogue import Catalogue
from core.corpora.corpus import Corpus
from core.corpora.listing import corpora_in, kind_of
from core.corpora.tables import read_corpus
from core.errors import CorpusError

TEXTS = (
    "text\tlabel\tsplit\n"
    + "".join(f"text {i}\t{'ab'[i % 2]}\ttrain\n" for i in range(6))
    + "last\tb\ttest\n"
)
PAIRS = "text1\ttext2\tlabel\na\tb\t1\nb\tc\t0\n"
BOTH = "sentence1\tsentence2\tscore\tlabel\na\tb\t1\tyes\nb\tc\t4\t\n"


def write(folder: Path, content: str, name: str = "t.tsv") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(content.encode()) if name.endswith(".gz") else content.encode())
    return path


@pytest.fixture
def labelled():
    return Corpus.of_labelled("l", list("abca"), ["10", "9", "x", "9"], split=["train", "test"] * 2)


def test_rows_of_texts(labelled):
    assert (labelled.rows, len(labelled), labelled.paired) == (4, 0, False)
    assert (labelled.sentences, labelled.repeats.tolist()) == (("a", "b", "c"), [2, 1, 1])
    assert labelled.classes == ("9", "10", "x")
    assert labelled.take("train").labels == ("10", "x")
    assert labelled.take(None).sentences == ("b", "a")


def test_rows_of_pairs():
    corpus = Corpus.of_labelled("p", ["a", "b"], ["1", "0"], text2=["b", "c"], split=["dev", "test"])
    assert (corpus.rows, corpus.paired, corpus.repeats.tolist()) == (2, True, [1, 2, 1])
    part = corpus.take("test")
    assert (part.sentences, part.labels, part.second.tolist()) == (("b", "c"), ("0",), [1])


def test_rows_are_counted_for_learning_without_another_pass(labelled):
    part = labelled.counted_in(np.array([1, 3]))
    assert part.repeats.tolist() == [1, 1, 0]
    assert part.text_digest == labelled.text_digest
    assert part.texts_fingerprint != labelled.texts_fingerprint
    assert labelled.counted_in(np.array([], int)).positions.tolist() == []


def test_fingerprints_of_pairs_and_texts_are_what_they_were():
    assert demo().fingerprint == "0beb29c4338b8d84"
    assert topics().fingerprint == "1e46cbac950f7e6d"
    assert topics().labelled_fingerprint == "a810735db6fd7997"
    assert demo().labelled_fingerprint == "3548e74378358173"
    plain = Corpus.of_pairs("p", list("ab"), list("cd"), [1.0, 2.0])
    assert replace(plain, labels=("x", "y")).fingerprint == plain.fingerprint
    texts = Corpus.of_texts("t", list("ab"))
    assert Corpus.of_labelled("t", list("ab"), ["x", "y"]).fingerprint == texts.fingerprint


def test_labels_splits_and_sides_are_in_the_other_fingerprint(labelled):
    others = [
        replace(labelled, labels=("10", "9", "x", "10")),
        replace(labelled, split=("train", "test", "test", "train")),
        replace(labelled, first=labelled.first[::-1].copy()),
        replace(labelled, subset=("news", "news", "forum", "forum")),
    ]
    prints = {corpus.labelled_fingerprint for corpus in (labelled, *others)}
    assert len(prints) == 5


def test_tables_are_read_as_what_their_columns_say(tmp_path):
    texts = read_corpus(write(tmp_path, TEXTS), task="clustering")
    assert (texts.rows, texts.classes, texts.splits, texts.task) == (
        7,
        ("a", "b"),
        ("train", "test"),
        "clustering",
    )
    pairs = read_corpus(write(tmp_path, PAIRS, "p.tsv.gz"))
    assert (pairs.paired, pairs.labels) == (True, ("1", "0"))
    both = read_corpus(write(tmp_path, BOTH))
    assert (len(both), both.labels, both.classes) == (2, ("yes", ""), ("yes",))
    comma = read_corpus(write(tmp_path, "category,sentence\nx,one text\ny,another\n", "c.csv"))
    assert (comma.sentences, comma.labels) == (("one text", "another"), ("x", "y"))


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (["Train", "TEST", "Validation"], ("train", "test", "dev")),
        (["training", "val", "dev"], ("train", "val", "dev")),
        (["train ", "testing", ""], ("train", "test", "")),
        (["fold 1", "Fold 2", "train"], ("fold 1", "Fold 2", "train")),
    ],
)
def test_splits_of_other_spellings_are_train_dev_and_test(tmp_path, written, read):
    """Else rows would be cross-validated over train and test together, and no word of it."""
    rows = [f"a text number {i}\tanother\t{i}\t{i % 2}\t{split}" for i, split in enumerate(written)]
    text = "\n".join(["text1\ttext2\tscore\tlabel\tSplit", *rows])
    assert read_corpus(write(tmp_path, text)).split == read
    assert read_corpus(write(tmp_path, text.replace("score", "other"))).split == read


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("a.tsv", TEXTS, "labelled"),
        ("b.tsv.gz", PAIRS, "labelled"),
        ("c.tsv", BOTH, "pairs"),
        ("d.csv", "one,two\n", "pairs"),
        ("e.tsv", "", "pairs"),
        ("f.txt", "a text of some length\n", "texts"),
    ],
)
def test_the_kind_of_a_file_is_in_its_header(tmp_path, name, content, kind):
    assert kind_of(write(tmp_path, content, name)) == kind


def test_the_kind_of_a_parquet_file_is_in_its_schema(tmp_path):
    import pandas as pd

    path = tmp_path / "x.parquet"
    pd.DataFrame({"text": ["a", "b"], "label": [1, 2]}).to_parquet(path)
    assert kind_of(path) == "labelled"
    assert read_corpus(path).labels == ("1", "2")


def test_rows_without_text_or_label_are_left_out_and_counted(tmp_path):
    corpus = read_corpus(write(tmp_path, TEXTS + "\ta\ttest\nno label\t\ttest\n"))
    assert corpus.rows == 7
    assert corpus.notes == (
        "1 of 9 rows has an empty text (line 9): left out.",
        "1 of 9 rows has no label (line 10): left out.",
    )


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("words\tlabel\na\tb\n", "no column text; a table of labelled texts has.*Found: words, label"),
        ("text\tlabel\n", "the table has no rows"),
        ("text\tlabel\na\t\nb\t\nc\tx\n", "2 of 3 rows cannot be used.*no label .lines 2, 3."),
        ("text\tother\na\tb\n", "no column sentence1, sentence2, score.*labelled texts text and label"),
    ],
)
def test_what_is_no_labelled_table_is_refused(tmp_path, content, said):
    with pytest.raises(CorpusError, match=said):
        read_corpus(write(tmp_path, content))


def test_the_folder_says_the_task(tmp_path):
    write(tmp_path, TEXTS, "clustering/news.tsv")
    write(tmp_path, TEXTS, "classification/films.tsv.gz")
    write(tmp_path, TEXTS, "probing/tense.tsv")
    write(tmp_path, "tr\tX\ta b c d e f g h\n", "probing/bigram_shift.txt")
    write(tmp_path, TEXTS, "loose.tsv")
    assert list(corpora_in(tmp_path)) == ["films", "news", "loose", "tense"]
    catalogue = Catalogue(tmp_path)
    listed = {entry.name: (entry.kind, entry.task) for entry in catalogue.listed()}
    assert listed["news"] == ("labelled", "clustering")
    assert listed["films"] == listed["loose"] == ("labelled", "classification")
    assert listed["tense"] == listed["bigram_shift"] == ("labelled", "probing")
    assert [catalogue.load(name).task for name in ("news", "films", "tense", "loose")] == [
        "clustering",
        "classification",
        "probing",
        "",
    ]


def test_topics_are_labelled_and_still_a_reference():
    corpus = topics()
    assert (corpus.rows, len(corpus.classes)) == (1440, 12)
    assert set(corpus.splits) == {"train", "dev", "test"}
