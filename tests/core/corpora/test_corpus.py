"""Sentences once, pairs as positions, and a fingerprint of everything a score depends on."""

import numpy as np
import pytest

from core.corpora.cleaning import clean_lines
from core.corpora.corpus import Corpus
from core.corpora.given import numbers, texts_of
from core.errors import CorpusError


def corpus(**changes) -> Corpus:
    columns = {
        "sentence1": ["a", "b", "a"],
        "sentence2": ["b", "c", "c"],
        "gold": [1.0, 2.0, 3.0],
        "subset": ["x", "x", "y"],
        "split": ["test", "dev", "test"],
    }
    return Corpus.of_pairs("n", **(columns | changes))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"sentence1": ["a", "b"]}, "n: sentence1 has 2 rows; there are 3 scores or labels"),
        ({"sentence2": [], "gold": [1.0, 2.0]}, "n: sentence1 has 3 rows; there are 2 scores or labels"),
        ({"sentence2": []}, "n: sentence2 has 0 rows"),
        ({"split": ["test"]}, "n: split has 1 row"),
        ({"gold": [1.0, float("nan"), 2.0]}, "the gold score of pair 2 is nan; allowed are numbers from"),
        ({"gold": [1.0, 2.0, float("-inf")]}, "the gold score of pair 3 is -inf"),
        ({"gold": [1e200, 2.0, 3.0]}, r"the gold score of pair 1 is 1e\+200.* Leave that pair out"),
        ({"gold": [10**400, 2.0, 3.0]}, "n: a gold score is no number"),
    ],
)
def test_columns_of_other_lengths_and_scores_that_are_no_numbers_are_refused(changes, said):
    with pytest.raises(CorpusError, match=said):
        corpus(**changes)


def test_gold_scores_are_one_number_a_pair():
    with pytest.raises(CorpusError, match="n: gold scores have 2 dimensions; allowed is one number a pair"):
        numbers("n", np.zeros((3, 2)))


def test_labelled_texts_of_another_number_than_labels_are_refused():
    for texts in ({"text1": ["a"]}, {"text1": ["a", "b"], "text2": ["c"]}):
        with pytest.raises(CorpusError, match="has 1 row; there are 2 scores or labels"):
            Corpus.of_labelled("n", labels=["x", "y"], **texts)


def test_sentences_are_kept_once_and_counted():
    made = corpus()
    assert made.sentences == ("a", "b", "c")
    assert made.repeats.tolist() == [2, 2, 2]
    assert made.positions.tolist() == [0, 0, 1, 1, 2, 2]
    assert [
        (made.sentences[i], made.sentences[j]) for i, j in zip(made.first, made.second, strict=True)
    ] == [
        ("a", "b"),
        ("b", "c"),
        ("a", "c"),
    ]
    texts = Corpus.of_texts("n", ["b", "a", "b"])
    assert (texts.sentences, texts.repeats.tolist(), len(texts)) == (("b", "a"), [2, 1], 0)
    assert texts.rows_of(["a", "b", "b"]).tolist() == [1, 0, 0]


@pytest.mark.parametrize(
    "changes",
    [
        {"sentence1": ["a", "b", "A"]},
        {"sentence1": ["b", "b", "a"], "sentence2": ["a", "c", "c"]},  # same sentences, other pairs
        {"gold": [1.0, 2.0, 3.1]},
        {"gold": [2.0, 1.0, 3.0]},
        {"subset": ["x", "y", "y"]},
    ],
)
def test_the_fingerprint_changes_with_all_that_a_score_depends_on(changes):
    assert corpus(**changes).fingerprint != corpus().fingerprint


def test_the_fingerprint_is_that_of_the_content_alone():
    assert corpus(origin="elsewhere", notes=["n"]).fingerprint == corpus().fingerprint
    once, twice = Corpus.of_texts("n", ["a", "b"]), Corpus.of_texts("n", ["a", "b", "b"])
    assert once.text_digest == twice.text_digest  # one pass serves both,
    assert once.fingerprint != twice.fingerprint  # but statistics count repeats
    assert Corpus.of_texts("n", ["ab", "c"]).text_digest != Corpus.of_texts("n", ["a", "bc"]).text_digest


def test_a_split_is_chosen_by_name_and_test_by_default():
    assert corpus().take(None).gold.tolist() == [1.0, 3.0]
    assert corpus().take("dev").sentences == ("b", "c")
    assert corpus().take("all").gold.tolist() == [1.0, 2.0, 3.0]
    assert corpus(split=()).take(None).gold.tolist() == [1.0, 2.0, 3.0]
    assert corpus(notes=["kept"]).take("dev").notes == ("kept",)
    with pytest.raises(CorpusError, match="no split 'tset'; allowed: test, dev, all"):
        corpus().take("tset")


@pytest.mark.parametrize(
    ("pasted", "sentences"),
    [
        ("one\ntwo", ["one", "two"]),
        ("one\r\ntwo\rthree\n", ["one", "two", "three"]),
        ("  spaces  \n\n\t\n", ["spaces"]),
        ("", []),
        ("\n \n", []),
        ("twice\ntwice", ["twice", "twice"]),
        ("Ünïcödé – ß\n🧑🏽‍🚀 emoji\nשלום مرحبا", ["Ünïcödé – ß", "🧑🏽‍🚀 emoji", "שלום مرحبا"]),
        ("a\u2028b", ["a\u2028b"]),
        ("nul\0 and\x1b[31m", ["nul  and [31m"]),
        ("\0\0", []),
        ("half \ud83d of one", ["half \N{REPLACEMENT CHARACTER} of one"]),
        ("both \ud83d\ude00 \ud83d\ud83d", ["both 😀 \N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}"]),
        ("[MASK] <b>x</b>", ["[MASK] <b>x</b>"]),
    ],
)
def test_pasted_lines_are_cleaned(pasted, sentences):
    cleaned = clean_lines(pasted)
    assert list(cleaned.sentences) == sentences
    for sentence in cleaned.sentences:
        sentence.encode()  # fit to be written


def test_what_was_changed_is_said():
    assert clean_lines("a\tb\nc\x07\n\n\nd").notes == (
        "Control characters were replaced by spaces in 2 lines.",
        "2 empty lines skipped.",
    )
    assert clean_lines("a\nb\n").notes == ()
    assert clean_lines("a\ud800b\nc\nd\ude00 \x07\n\ud83d\ude00 �").notes == (
        "Control characters were replaced by spaces in 1 line.",
        "Halves of characters were replaced by � in 2 lines.",
    )


def test_positions_of_nothing_are_nothing():
    empty = Corpus.of_texts("n", [])
    assert (empty.sentences, empty.positions.tolist()) == ((), [])
    assert np.array_equal(empty.rows_of([]), [])


def test_a_line_of_characters_that_nobody_sees_is_no_sentence():
    cleaned = clean_lines("One dog.\n\u200b\u200b\n \ufeff\u202e\u00a0\n\u200bTwo dogs.")
    assert cleaned.sentences == ("One dog.", "\u200bTwo dogs.")
    assert cleaned.notes == ("2 empty lines skipped.",)


def test_labels_may_be_numbers_and_missing():
    texts = [f"text {i}" for i in range(6)]
    found = Corpus.of_labelled("n", texts, [0, 1, 0, None, float("nan"), np.int64(10)], split=["a"] * 6)
    assert found.labels == ("0", "1", "0", "", "", "10")
    assert found.classes == ("0", "1", "10")
    assert found.labelled_fingerprint


@pytest.mark.parametrize("bad", [None, float("nan"), 3])
def test_what_is_no_text_is_refused(bad):
    with pytest.raises(CorpusError, match=r"n: got .*; allowed are texts"):
        texts_of(["a", bad], "n")
    with pytest.raises(CorpusError, match="n: got .abc.; allowed is a list of texts"):
        Corpus.of_texts("n", "abc")
    assert texts_of([], "n") == []
    assert Corpus.of_texts("n", ["a\ud800"]).sentences == ("a\N{REPLACEMENT CHARACTER}",)
