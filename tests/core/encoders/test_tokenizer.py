"""Tokens of texts: plain text stays plain, nothing depends on the company or on threads."""

import threading

import numpy as np
import pytest

from core.encoders.tokenizer import Tokenizer
from tests.core.helpers import scripts
from tests.core.helpers.texts import ODD, many
from tests.core.helpers.tiny import FAMILIES, LIMIT


@pytest.fixture(scope="module")
def bert_tokenizer(model) -> Tokenizer:
    return Tokenizer(model("bert"), LIMIT)


@pytest.mark.parametrize("family", [f for f in FAMILIES if f != "llama"])
def test_text_that_looks_like_a_special_token_is_plain_text(family, model):
    """Only tokens that the tokenizer adds are special, and their ids stand nowhere else."""
    tokenizer = Tokenizer(model(family), LIMIT)
    empty = tokenizer([""]).tokens
    texts = ["[MASK] [CLS] [SEP] [PAD]", "<mask> <pad>", "<|endoftext|>", "</s> <s>"]
    if family == "xlnet":  # its vocabulary holds <cls> and <sep> as pieces; they stay what they look like
        texts = texts[:1]
    for text in texts:
        tokens = tokenizer([text]).tokens
        assert tokens.special.sum() == len(empty)
        assert not set(tokens.ids[~tokens.special].tolist()) & set(tokens.ids[tokens.special].tolist())
        assert tokenizer.mask_id is None or tokenizer.mask_id not in tokens.ids


def test_the_text_of_a_classification_token_is_not_the_token(model):
    tokenizer = Tokenizer(model("xlnet"), LIMIT)
    tokens = tokenizer(["dog <cls> cat"]).tokens
    assert tokens.cls.tolist() == [len(tokens) - 1]


@pytest.mark.parametrize("family", FAMILIES)
def test_longest_first_and_back_again(family, model):
    texts = [*many(5), *ODD.values()]
    tokenizer = Tokenizer(model(family), LIMIT)
    tokens = tokenizer(texts).tokens
    assert tokenizer.too_long(texts).tolist() == tokens.restore(tokens.truncated).tolist()
    assert (np.diff(tokens.lengths) <= 0).all()
    assert sorted(tokens.order.tolist()) == list(range(len(texts)))
    assert tokens.restore(tokens.order).tolist() == list(range(len(texts)))
    for i, text in enumerate(texts):
        alone = Tokenizer(model(family), LIMIT)([text]).tokens
        span = tokens.span(i)
        for name in ("ids", "special", "words", "continues"):
            assert np.array_equal(getattr(tokens, name)[span], getattr(alone, name)), (text, name)
        assert tokens.cls[tokens.place[i]] == alone.cls[0]
        assert tokens.truncated[tokens.place[i]] == alone.truncated[0] == (text == ODD["very long"])
    assert tokens.lengths.max() == LIMIT


def test_pieces_know_their_word(bert_tokenizer):
    tokens = bert_tokenizer(["Dogs running, man"]).tokens
    assert tokens.surface_forms(slice(0, len(tokens))) == "[CLS] dog ##s run ##n ##ing , man [SEP]".split()
    assert tokens.words.tolist() == [-1, 0, 0, 1, 1, 1, 2, 3, -1]
    assert np.flatnonzero(tokens.continues).tolist() == [2, 4, 5]
    assert np.flatnonzero(tokens.special).tolist() == [0, 8]


@pytest.mark.parametrize("family", ["roberta", "gpt2", "xlnet", "llama"])
def test_pieces_of_byte_and_sentence_piece_models_know_their_word_too(family, model):
    tokens = Tokenizer(model(family), LIMIT)(["a dogs"]).tokens
    surface_forms = tokens.surface_forms(slice(0, len(tokens)))
    starts = [
        t
        for t, c, s in zip(surface_forms, tokens.continues, tokens.special, strict=True)
        if not c and not s
    ]
    assert len(starts) == 2  # as many as there are words


def test_texts_in_many_parts_are_the_same(bert_tokenizer, monkeypatch):
    whole = bert_tokenizer(many(50)).tokens
    steps = []
    monkeypatch.setattr("core.encoders.tokenizer.BATCH", 7)
    parts = bert_tokenizer(many(50), steps.append).tokens
    assert np.array_equal(parts.ids, whole.ids)
    assert np.array_equal(parts.order, whole.order)
    assert [step.done for step in steps] == [7, 14, 21, 28, 35, 42, 49, 50]


def test_no_texts_are_no_tokens(bert_tokenizer):
    tokens = bert_tokenizer([]).tokens
    assert (len(tokens), tokens.sentences, tokens.offsets.tolist()) == (0, 0, [0])


def test_threads_do_not_disturb_each_other(bert_tokenizer):
    texts = [*many(60), "dog " * 500]
    expected, wrong = bert_tokenizer(texts).tokens.ids, []

    def visit():
        for _ in range(20):
            if not np.array_equal(bert_tokenizer(texts).tokens.ids, expected):
                wrong.append(1)

    threads = [threading.Thread(target=visit) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


MEANWHILE = """
import sys, threading, time
from pathlib import Path
from core.encoders.tokenizer import Tokenizer

loaded = []
def load(meanwhile):
    while meanwhile and "transformers" not in sys.modules:
        time.sleep(0)
    loaded.append(Tokenizer(Path(sys.argv[1])))

threads = [threading.Thread(target=load, args=(meanwhile,)) for meanwhile in (False, True, True)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(len(loaded))
"""


def test_threads_that_come_while_transformers_is_imported_wait_for_it(model):
    assert scripts.run(MEANWHILE, model("bert")).split() == ["3"]
