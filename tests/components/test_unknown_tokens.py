"""Unknown tokens in words: which sentence has how many, and what is read in their place."""

from dataclasses import replace

import pytest

from components.unknown_tokens import of_sentence, of_sentences


@pytest.fixture
def text(weights):
    """``text(2)``: a sentence of six tokens, its special ones apart, of which so many are unknown."""

    def made(unknown: int, form: str = "[UNK]"):
        forms = ["[CLS]", *[form] * unknown, *"abcdef"[unknown:], "[SEP]"]
        one = weights(forms, [1 / 8] * 8, (-1, *range(6), -1))
        return replace(one, unknown=tuple(range(1, 1 + unknown)))

    return made


def test_a_sentence_says_how_many_of_its_own_tokens_are_unknown(text):
    assert of_sentences({"A": [text(0), text(2)]}) == (
        "Sentence 2: 2 of 6 tokens are unknown to the model ([UNK]).",
    )
    assert of_sentence(text(1, "<unk>")) == (
        "This sentence: 1 of 6 tokens is unknown to the model (<unk>).",
    )


def test_nothing_is_said_where_all_is_known(text):
    assert of_sentences({"A": [text(0)], "B": [text(0)]}) == of_sentence(text(0)) == ()


def test_sides_are_named_where_they_differ(text):
    line = "Sentence 1: 2 of 6 tokens are unknown to the model ([UNK])."
    assert of_sentences({"A": [text(2)], "B": [text(2)]}) == (line,)
    assert of_sentences({"A": [text(2)], "B": [text(0)]}) == (f"A: {line}",)


def test_of_many_sentences_three_are_named(text):
    lines = of_sentences({"A": [text(1) for _ in range(12)]})
    assert len(lines) == 4
    assert lines[-1] == "9 further sentences have unknown tokens too."
    assert len(of_sentences({"A": [text(1) for _ in range(4)]})) == 4
