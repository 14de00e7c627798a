"""Which tokens of a text stand for what the tokenizer does not know."""

import pytest

from core.analysis import sentence_weights
from core.corpora.corpus import Corpus
from core.recipe import Recipe

CORPUS = Corpus.of_texts("pasted", ["the dog 🎸 plays 你", "the dog plays", "🎸🎸"], origin="pasted")


@pytest.mark.parametrize(("family", "form"), [("bert", "[UNK]"), ("llama", "<unk>")])
@pytest.mark.parametrize("rest", ["", ";tokens=content", ';template="x [X] y"', ";pool=max"])
def test_unknown_tokens_are_those_of_the_tokenizer_s_own_id(shared_engine, model, family, form, rest):
    recipe = Recipe.parse(f"source={model(family)}{rest}")
    found = shared_engine.token_weights(recipe, CORPUS)
    for one in found:
        expected = [i for i, text in enumerate(one.surface_forms) if text == form and one.words[i] >= 0]
        assert list(one.unknown) == expected
    assert [bool(one.unknown) for one in found] == [True, False, True]
    again = sentence_weights.of_sentences(shared_engine, recipe, CORPUS)
    assert [one.unknown for one in again] == [one.unknown for one in found]


@pytest.mark.parametrize("family", ["roberta", "gpt2"])
def test_a_tokenizer_of_bytes_knows_everything(shared_engine, model, family):
    found = shared_engine.token_weights(Recipe.parse(f"source={model(family)}"), CORPUS)
    assert [one.unknown for one in found] == [(), (), ()]


def test_words_of_a_file_are_known_or_left_out(shared_engine, tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("the 1 0\n[UNK] 0 1\ndog 1 1\n", encoding="utf-8")
    found = shared_engine.token_weights(Recipe.parse(f"source=vectors(path={path});layers=static"), CORPUS)
    assert [one.surface_forms for one in found[:2]] == [("the", "dog")] * 2
    assert [one.unknown for one in found] == [(), (), ()]
