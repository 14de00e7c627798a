"""Texts become sequences, and sequences batches in an order that follows from the seed."""

import gzip
from itertools import islice

import numpy as np
import pytest
from transformers import AutoTokenizer

from training.sequences import batches, read_sequences


@pytest.fixture(scope="module")
def tokenizer(start):
    return AutoTokenizer.from_pretrained(start)


@pytest.fixture
def path(tmp_path):
    lines = ["the girl plays guitar", "a dog", "", "a cat sat on the mat " * 5, "two man run in the rain"]
    path = tmp_path / "text.txt.gz"
    path.write_bytes(gzip.compress("\n".join(lines).encode()))
    return path


def test_lines_are_sequences_and_long_ones_are_continued(tokenizer, path):
    found = read_sequences([path], tokenizer, 14)
    texts = [tokenizer.decode(found[i]) for i in range(len(found))]
    assert texts[0] == "[CLS] the girl plays guitar [SEP]"
    assert texts[-1] == "[CLS] two man run in the rain [SEP]"
    assert found.lengths.tolist() == [6, 14, 14, 8, 8]
    assert found.tokens == 50


def test_packed_sequences_hold_line_after_line(tokenizer, path):
    found = read_sequences([path], tokenizer, 14, "packed")
    assert found.lengths.tolist()[:-1] == [14] * (len(found) - 1)
    flat = [i for row in range(len(found)) for i in found[row][1:-1]]
    expected = tokenizer("the girl plays guitar [SEP]" + "a cat sat on the mat " * 5)["input_ids"][1:]
    assert flat[: len(expected)] == expected


def test_the_number_of_lines_can_be_bounded(tokenizer, path):
    assert read_sequences([path], tokenizer, 64, lines=2).lengths.tolist() == [6, 32]


LENGTHS = np.random.default_rng(0).integers(3, 40, 1003)


def test_every_epoch_reads_each_sequence_once_but_for_a_batch_that_is_not_full():
    epochs = list(islice(batches(LENGTHS, 10, seed=1), 200))
    first, second = (np.concatenate(epochs[i : i + 100]) for i in (0, 100))
    assert len(set(first.tolist())) == len(set(second.tolist())) == 1000
    assert first.tolist() != second.tolist()


@pytest.mark.parametrize("start", [0, 1, 99, 100, 101, 257])
def test_batches_go_on_from_any_number(start):
    whole = list(islice(batches(LENGTHS, 10, seed=1), 300))
    part = list(islice(batches(LENGTHS, 10, seed=1, start=start), 300 - start))
    assert np.array_equal(whole[start:], part)


def test_batches_hold_little_padding_and_come_in_no_order_of_length():
    rows = list(islice(batches(LENGTHS, 10, seed=1), 100))
    longest = np.array([LENGTHS[row].max() for row in rows])
    assert LENGTHS[np.concatenate(rows)].sum() / (10 * longest.sum()) > 0.9
    assert abs(np.corrcoef(longest, np.arange(100))[0, 1]) < 0.3
