"""Which tokens take part, on sentences made by hand."""

import numpy as np
import pytest

from core.errors import RecipeError
from core.recipe import TOKENS, Recipe
from core.stages.token_selection import FREQUENT, all_where_none_left
from tests.core.helpers.handmade import tokens_of


def kept(option: str, *sentences: str) -> list[str]:
    """The tokens that are left of each sentence."""
    tokens = tokens_of(*sentences)
    selected = all_where_none_left(TOKENS.bind(TOKENS.parse(option))(tokens), tokens)[0]
    spans = [tokens.span(i) for i in range(len(sentences))]
    return [" ".join(np.array(tokens.surface_forms(span))[selected[span]]) for span in spans]


@pytest.mark.parametrize(
    ("sentence", "left"),
    [
        ("[CLS] jump ##ing over fences [SEP]", "jump over fences"),
        ("[CLS] dog ##s bark [SEP]", "bark"),  # dog and ##s are frequent
        ("[CLS] The Man sings [SEP]", "sings"),  # whatever the case
        ("[CLS] wait , what ? ! … – $ 5 [SEP]", "wait what 5"),
        ("[CLS] Ġthe Ġcat ▁runs . [SEP]", "Ġcat ▁runs"),  # word-start marks of BPE and SentencePiece
        ("[CLS] the dog is playing . [SEP]", "[CLS] the dog is playing . [SEP]"),  # nothing left keeps all
        ("[CLS] [SEP]", "[CLS] [SEP]"),
        ("", ""),
    ],
)
def test_unbiased_leaves_what_says_something(sentence, left):
    assert kept("unbiased", sentence) == [left]


def test_a_sentence_keeps_all_whatever_its_neighbours_keep():
    sentences = ["[CLS] a man [SEP]", "[CLS] green ideas sleep [SEP]", "[CLS] , [SEP]"]
    assert kept("unbiased", *sentences) == [sentences[0], "green ideas sleep", sentences[2]]


@pytest.mark.parametrize(
    ("kinds", "left"),
    [
        ("frequent", "Dogs bark ##ing loud !"),
        ("pieces", "The Dogs bark at loud , !"),
        ("punctuation", "The Dogs bark ##ing at loud"),
        ("uppercase", "bark ##ing at loud , !"),
        ("frequent punctuation", "Dogs bark ##ing loud"),
        ("frequent pieces punctuation", "Dogs bark loud"),
        ("uppercase pieces frequent punctuation", "bark loud"),
    ],
)
def test_one_kind_at_a_time_is_left_out(kinds, left):
    sentence = "[CLS] The Dogs bark ##ing at loud , ! [SEP]"
    assert kept(f'without(kinds="{kinds}")', sentence) == [left]
    assert kept("without", sentence) == kept("unbiased", sentence)


@pytest.mark.parametrize("kinds", ["", "verbs", "frequent,pieces"])
def test_a_kind_that_is_none_is_refused(kinds):
    with pytest.raises(RecipeError, match=r"tokens=without\(kinds\): got .*; allowed are frequent, pieces"):
        kept(f'without(kinds="{kinds}")', "a")


def test_content_leaves_out_what_the_tokenizer_added():
    assert kept("content", "[CLS] a man . [SEP]", "[CLS] [SEP]") == ["a man .", "[CLS] [SEP]"]
    assert kept("all", "[CLS] a man . [SEP]") == ["[CLS] a man . [SEP]"]


def test_the_list_of_frequent_tokens_is_the_one_that_was_released():
    assert len(FREQUENT) == 36
    assert {".", "##s", "white", "'", '"', "@"} - FREQUENT == {"@"}


def test_tokens_that_are_left_out_have_no_share(shared_engine, bert, scored):
    recipe = Recipe.parse(f"{bert};tokens=unbiased;weight=idf")
    shown = shared_engine.token_weights(recipe, scored)
    for weights in shown:
        assert weights.shares.sum() == pytest.approx(1)
        for text, share in zip(weights.surface_forms, weights.shares, strict=True):
            if text.startswith("##") or text in FREQUENT | {"[CLS]", "[SEP]"}:
                assert share == 0


def test_frequent_tokens_that_are_named_stay():
    sentence = "the man is with a dog at the park"
    assert kept("unbiased", sentence) == ["park"]
    assert kept('unbiased(keep="man With")', sentence) == ["man with park"]
    with pytest.raises(RecipeError, match=r"keep\): got 'park', which is not left out; the list has"):
        kept("unbiased(keep=park)", sentence)
