"""What a corpus is like, counted by hand, and beside what paper 000 prints of its sets."""

import json
from dataclasses import astuple, replace

import numpy as np
import pytest

from core.corpora.corpus import Corpus
from core.evaluation.set_statistics import SetStatistics, TokenCounts, imbalance, set_statistics
from core.literature.published_sets import published_set, published_sets, set_differences
from core.pipeline.engine import Engine


def test_the_counts_of_labelled_texts_by_hand(engine):
    corpus = Corpus.of_labelled("made", ["A dog ran.", "a dog", "A dog ran."], ["x", "y", "x"])
    found = set_statistics(engine, corpus)
    assert (found.rows, found.sentences, found.classes, found.imbalance) == (3, 2, 2, 2)
    # words: A dog ran. | a dog | A dog ran.; without the full stops 6 of 8 are letters alone
    assert astuple(found.words) == (4, pytest.approx(8 / 3), 75)
    # pieces: a dog ran . | a dog | a dog ran .
    assert astuple(found.pieces) == (4, pytest.approx(10 / 3), pytest.approx(80))


def test_a_pair_is_one_text_and_is_counted_once_for_the_next_engine(engine, monkeypatch):
    corpus = Corpus.of_pairs("made", ["one two", "one"], ["three", "four five six"], [5.0, 1.0])
    found = set_statistics(engine, corpus)
    assert astuple(found.words) == (6, 3.5, 100)
    assert (found.rows, found.classes, found.imbalance) == (2, 0, 1)
    again = Engine(engine.settings)
    monkeypatch.setattr(again.passes, "tokenizer", None)
    assert set_statistics(again, corpus) == found


def test_all_pieces_of_a_text_longer_than_the_model_reads_are_counted(engine):
    corpus = Corpus.of_texts("made", ["rain " * 1000, "dry sun"])
    found = set_statistics(engine, corpus)
    assert astuple(found.pieces) == astuple(found.words) == (3, 501, 100)


def test_continuations_are_not_letters_alone(engine):
    found = set_statistics(engine, Corpus.of_texts("made", ["electroencephalographically"]))
    assert found.pieces.length > 1
    assert found.pieces.alphabetic == pytest.approx(100 / found.pieces.length)
    assert (found.rows, found.words.length) == (1, 1)


@pytest.mark.parametrize(
    ("gold", "scale", "ratio"),
    [
        ([0, 1, 1, 4, 5, 4.5, 2], None, 3 / 3),
        ([1, 2, 3, 4, 4.5, 5], None, 3 / 2),  # from 1 to 5: the bottom is 1 to 2
        ([0, 0.2, 0.9, 1], None, 1),  # one bin is the whole scale
        ([2, 3, 5], (0, 5), float("nan")),
    ],
)
def test_scores_are_compared_at_both_ends_of_their_scale(gold, scale, ratio):
    texts = [str(i) for i in range(len(gold))]
    corpus = replace(Corpus.of_pairs("c", texts, texts, gold), scale=scale)
    assert imbalance(corpus) == pytest.approx(ratio, nan_ok=True)


def test_the_printed_rows_are_found_by_the_names_of_data_folders():
    assert len(published_sets()) == 6 + 6 + 4 + 3 + 2 + 3 + 2 + 3 + 6 + 3
    assert published_set("agnews", "all").printed["words"] == "21062"
    assert published_set("stsb", "test").printed["rows"] == "1379"
    assert published_set("SICK", "test", scored=True).printed["imbalance"] == "3.9"
    assert published_set("SICK", "test").printed["classes"] == "3"
    assert published_set("STR-2022", "all").printed["rows"] == "5500"
    assert published_set("MR", "all").printed["rows"] == "10662"
    assert published_set("SST2", "train+dev+test") is None
    assert published_set("demo", "test") is None


def test_differences_from_print_are_said_and_rounding_is_none():
    published = published_set("CR", "all")
    counts = TokenCounts(5674, 20.1, 83.5), TokenCounts(5221, 21.6, 80.4)
    found = SetStatistics("CR", "all", 3775, 3600, 2, 1.76, *counts)
    assert set_differences(found, published) == []
    other = replace(found, rows=3771, imbalance=1.9, words=TokenCounts(5900, 20.7, 83.5))
    assert set_differences(other, published) == [
        "rows 3,771, printed 3,775",
        "largest by smallest 1.90, printed 1.8",
        "different words 5,900, printed 5,675",
        "words a row 20.7, printed 20",
    ]
    assert "largest by smallest nan" in " ".join(
        set_differences(replace(found, imbalance=np.nan), published)
    )


def test_the_command_line_prints_them(run, tmp_path):
    folder = tmp_path / "classification"
    folder.mkdir()
    (folder / "CR.tsv").write_text("text\tlabel\n" + "a good one\tyes\nbad\tno\n" * 3)
    code, out, err = run("corpora", "CR,demo", "--data", tmp_path, "--quiet")
    assert (code, err) == (0, "")
    assert "not as in Stankevičius & Lukoševičius 2025, Table 3: rows 6, printed 3,775" in out
    answers = json.loads(run("corpora", "CR", "--data", tmp_path, "--quiet", "--json")[1])
    assert answers[0]["rows"] == 6
    assert answers[0]["different texts"] == 2
    assert answers[0]["length, words"] == 2
    assert answers[0]["differences"][0] == "rows 6, printed 3,775"
    code, _, err = run("corpora", "CRR", "--data", tmp_path)
    assert (code, "Did you mean" in err) == (2, True)


def test_the_sets_of_the_data_folder_are_those_of_the_paper(data_folder, shared_engine):
    """Sizes and words of the small sets; what differs is the text that came without a blank line."""
    from core.corpora.catalogue import Catalogue

    catalogue = Catalogue(data_folder)
    for name, split in (("tweet", "all"), ("STS16", "test"), ("CR", "all"), ("TREC", "test")):
        found = set_statistics(shared_engine, catalogue.load(name).take(split))
        left = set_differences(found, published_set(name, split))
        known = {"STS16": ["largest by smallest 0.90, printed 1.2"]}
        assert left == known.get(name, []), name
