"""Words behind tokens and their shares: counted by hand, and English as wordfreq gives it."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
import wordfreq
from tokenizers import Tokenizer as Backend

from core.encoders.tokenizer import Tokenizer
from core.errors import RecipeError
from core.tokens.words import TokenWords, WordShares, usif_a, words_of
from tests.core.helpers.handmade import tokens_of
from tests.core.helpers.tiny import LIMIT

SENTENCES = ("[CLS] the Dog ##s ran , the [SEP]", "[CLS] dog ##s , dog [SEP]", "[CLS] ##s [MASK] [SEP]")


def read(tokens, asked=None) -> TokenWords:
    """Words of handmade tokens, decoded as WordPiece does; ``asked`` collects what was decoded."""

    def decode(ids):
        if asked is not None:
            asked.append(tuple(ids))
        return " ".join(tokens.vocabulary[i] for i in ids)

    return words_of(tokens, decode)


def by_token(tokens, words: TokenWords) -> list[str]:
    """The word of each token, text by text in the order of the list."""
    return [
        words.surface_forms[words.of[i]]
        for t in range(tokens.sentences)
        for i in range(len(tokens))[tokens.span(t)]
    ]


# -- words -----------------------------------------------------------------------------------------


def test_pieces_share_their_word_and_specials_are_words_of_their_own():
    tokens = tokens_of(*SENTENCES)
    words = read(tokens)
    assert by_token(tokens, words) == [
        *("", "the", "dogs", "dogs", "ran", ",", "the", ""),
        *("", "dogs", "dogs", ",", "dog", ""),
        *("", "##s", "", ""),
    ]
    assert sorted(words.surface_forms) == sorted({"", "the", "dogs", "ran", ",", "dog", "##s"})
    assert words.begins.tolist() == [True] * 3 + [False] + [True] * 6 + [False] + [True] * 7


def test_each_sequence_of_ids_is_decoded_once():
    tokens, asked = tokens_of(*SENTENCES * 5), []
    read(tokens, asked)
    assert len(asked) == len(set(asked)) == 11  # nine ids, and two sequences of two


def test_the_end_of_a_text_ends_a_word():
    tokens = replace(tokens_of("a b", "##c d"), words=np.array([0, 0, 0, 1], np.int32))
    assert by_token(tokens, read(tokens)) == ["a", "b", "##c", "d"]
    joined = replace(tokens, continues=np.array([False, True, True, False]))
    assert by_token(joined, read(joined)) == ["a b", "a b", "##c", "d"]


def test_one_number_for_a_whole_text_does_not_make_it_one_word():
    """Tokenizers of Llama's kind; their pieces say where words begin."""
    tokens = replace(tokens_of("▁so ▁dog ##s"), words=np.zeros(3, np.int32))
    assert by_token(tokens, read(tokens)) == ["▁so", "▁dogs", "▁dogs"]


def test_a_mask_token_of_a_prompt_joins_nothing():
    tokens = tokens_of("the [MASK] ##s")
    assert by_token(tokens, read(tokens)) == ["the", "", "##s"]


def test_no_tokens_have_no_words():
    tokens = tokens_of("", "")
    words = read(tokens)
    assert len(words.of) == len(words.begins) == 0
    assert len(WordShares.english().p(words)) == 0


@pytest.mark.parametrize("family", ["bert", "roberta", "gpt2", "xlnet", "llama"])
def test_words_of_real_tokenizers(family, model):
    folder = model(family)
    backend = Backend.from_file(str(folder / "tokenizer.json"))
    texts = ["A dogs running, man", "the  dog's", "", "a" * 99]
    tokens = Tokenizer(folder, LIMIT)(texts).tokens
    words = words_of(tokens, lambda ids: backend.decode(ids, skip_special_tokens=False))
    for i, text in enumerate(texts):
        span = tokens.span(i)
        own = [
            words.surface_forms[w]
            for w, begins, special in zip(
                words.of[span], words.begins[span], tokens.special[span], strict=True
            )
            if begins and not special
        ]
        if tokens.truncated[tokens.place[i]]:
            assert len(own) == 1
            assert text.startswith(own[0])
        else:
            assert "".join(own) == text.lower().replace(" ", "")
        assert {words.surface_forms[w] for w in words.of[span][tokens.special[span]]} <= {""}
    assert {"a", "the"} <= set(words.surface_forms)
    assert {"dogs", "running"} <= set(words.surface_forms)


# -- shares in a corpus ------------------------------------------------------------------------------


def test_a_corpus_is_counted_as_it_stands():
    tokens = tokens_of(*SENTENCES)
    words = read(tokens)
    shares = WordShares.of_corpus(words)
    counts = Counter({"": 7, "the": 2, "dogs": 2, ",": 2, "ran": 1, "dog": 1, "##s": 1})
    for word, count in counts.items():
        assert shares.share_of(word) == pytest.approx(count / 16)
    assert shares.share_of("cat") == 0
    assert sorted(shares.vocabulary) == pytest.approx(sorted(c / 16 for c in counts.values()))
    assert shares.p(words).tolist() == pytest.approx(
        [counts[words.surface_forms[w]] / 16 for w in words.of]
    )


def test_repeats_count():
    tokens = tokens_of("a b", "c c c")
    repeats = np.array([5, 2])[tokens.order][tokens.sentence]
    shares = WordShares.of_corpus(read(tokens), repeats)
    assert [shares.share_of(word) for word in "abc"] == pytest.approx([5 / 16, 5 / 16, 6 / 16])


def test_words_of_another_corpus_are_found_by_their_surface_forms():
    shares = WordShares.of_corpus(read(tokens_of("[CLS] dog ##s ran")))
    tokens = tokens_of("ran cat [SEP] Dogs")
    assert shares.p(read(tokens)).tolist() == pytest.approx([1 / 3, 0, 1 / 3, 1 / 3])


def test_an_empty_corpus_knows_no_word():
    shares = WordShares.of_corpus(read(tokens_of("")))
    assert len(shares.vocabulary) == 0
    assert shares.share_of("the") == 0
    with pytest.raises(RecipeError, match="has 0 different words"):
        usif_a(shares)


# -- shares in English -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "word",
    ["the", "dog", "it's", "don’t", "naïve", "well-known", "mr.", "2015", "7", "123", "3.5", "3rd", "'s"],
)
def test_english_is_wordfreqs(word):
    expected = wordfreq.word_frequency(word, "en")
    assert expected > 0
    assert WordShares.english().share_of(word) == pytest.approx(expected, rel=0.006)  # it rounds


def test_what_is_no_word_counts_like_the_most_frequent_one():
    shares = WordShares.english()
    for mark in ("", ",", ".", "...", "``", "–", "$"):
        assert shares.share_of(mark) == pytest.approx(shares.share_of("the"))
    assert shares.share_of("the") == pytest.approx(shares.vocabulary.max())
    tokens = tokens_of("[CLS] the dog , [SEP]")
    p = shares.p(read(tokens))
    weights = 1e-3 / (1e-3 + p)
    assert p[0] == p[4] == pytest.approx(p[1])
    assert weights.argmax() == 2


@pytest.mark.parametrize("word", ["zzqqxv", "well-zzqqxv", "vqxz's"])
def test_a_word_that_is_not_in_the_list_has_share_0(word):
    assert WordShares.english().share_of(word) == 0


def test_numbers_do_not_get_the_share_of_all_numbers_of_their_length():
    share_of = WordShares.english().share_of
    assert share_of("00") < share_of("10") < share_of("7")
    assert share_of("0000") < share_of("2015") < share_of("in")
    assert share_of("000") == pytest.approx(share_of("007")) == pytest.approx(share_of("100") * 0.009 / 0.3)


def test_english_is_read_once():
    assert WordShares.english() is WordShares.english()
    vocabulary = WordShares.english().vocabulary
    assert len(vocabulary) == len(wordfreq.get_frequency_dict("en"))
    assert vocabulary.sum() == pytest.approx(1, abs=0.05)


# -- uSIF ---------------------------------------------------------------------------------------------


def literal_a(shares: list[float], n: int) -> float:
    """As Ethayarajh's text says it, one word at a time."""
    size = len(shares)
    never_met = 1.0
    for _ in range(n):
        never_met *= 1 - 1 / size
    frequent = 0
    for share in shares:
        if share > 1 - never_met:
            frequent += 1
    alpha = frequent / size
    return (1 - alpha) / (alpha * (0.5 * size))


@pytest.mark.parametrize("n", [1, 5, 11, 30])
def test_the_constant_of_usif(n):
    zipf = 1 / np.arange(1, 2001)
    shares = WordShares(lambda _: 0.0, zipf / zipf.sum())
    assert usif_a(shares, n) == pytest.approx(literal_a(shares.vocabulary.tolist(), n))
    english = WordShares.english()
    assert usif_a(english, n) == pytest.approx(literal_a(english.vocabulary.tolist(), n))


def test_the_constant_of_usif_by_hand():
    shares = WordShares(lambda _: 0.0, np.array([0.85, 0.05, 0.05, 0.05]))
    assert usif_a(shares, n=2) == pytest.approx((1 - 1 / 4) / (1 / 4 * 4 / 2))  # 1 - (3/4)² = 0.44


def test_too_few_words_for_usif_are_refused():
    tokens = tokens_of("the dog ran in the park")
    with pytest.raises(RecipeError, match="weight=usif.*5 different words.*fit=wordfreq"):
        usif_a(WordShares.of_corpus(read(tokens)))
