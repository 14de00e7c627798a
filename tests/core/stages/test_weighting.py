"""idf by hand, and what becomes of weights that are all zero."""

import numpy as np
import pytest

from core.corpora.corpus import Corpus
from core.recipe import WEIGHT, Recipe
from core.stages.weighting import uniform_where_all_zero
from core.tokens import DocumentFrequencies, document_frequencies
from core.tokens.weight_inputs import WeightInputs
from tests.core.helpers.handmade import tokens_of
from tests.core.helpers.texts import many

SENTENCES = ("[CLS] cats sleep [SEP]", "[CLS] cats cats run fast [SEP]", "[CLS] dogs run [SEP]")


def idf(tokens, frequencies) -> dict[str, float]:
    weights = WEIGHT.bind(WEIGHT.parse("idf"))(WeightInputs(tokens, frequencies))
    return {tokens.vocabulary[int(i)]: w for i, w in zip(tokens.ids, weights, strict=True)}


def test_idf_of_three_sentences():
    """Twice in one sentence counts once; what is in every sentence counts nothing."""
    tokens = tokens_of(*SENTENCES)
    log = np.log
    expected = {"[CLS]": 0, "[SEP]": 0, "cats": log(3 / 2), "sleep": log(3), "run": log(3 / 2)}
    expected |= {"fast": log(3), "dogs": log(3)}
    assert idf(tokens, document_frequencies(tokens)) == pytest.approx(expected)


def test_a_sentence_counts_as_often_as_it_occurs():
    tokens = tokens_of(*SENTENCES)
    found = idf(tokens, document_frequencies(tokens, np.array([1, 1, 4])))
    assert found["dogs"] == pytest.approx(np.log(6 / 4))
    assert found["run"] == pytest.approx(np.log(6 / 5))
    assert found["sleep"] == pytest.approx(np.log(6))


def test_a_token_that_the_reference_never_saw_counts_as_seen_once():
    tokens = tokens_of("[CLS] new words [SEP]")
    counts = np.zeros(2)  # [CLS] in eight texts of ten, id 1 in none, the rest beyond its end
    counts[0] = 8
    found = idf(tokens, DocumentFrequencies(10, counts))
    assert found == pytest.approx(
        {"[CLS]": np.log(10 / 8), "new": np.log(10), "words": np.log(10), "[SEP]": np.log(10)}
    )


def test_a_text_whose_weights_are_all_zero_falls_back_to_uniform():
    tokens = tokens_of("[CLS] a b [SEP]", "[CLS] c [SEP]")
    selected = np.array([False, True, True, False] + [True] * 3)
    weights, _ = uniform_where_all_zero(np.array([5.0, 0, 0, 5.0, 0, 2.0, 0]), tokens, selected)
    assert weights.tolist() == [0, 1, 1, 0, 0, 2, 0]


def test_one_sentence_alone_has_idf_zero_and_is_averaged_evenly(shared_engine, bert):
    alone = Corpus.of_texts("alone", ["A girl plays the guitar."])
    vectors = [
        shared_engine.embed(Recipe.parse(f"{bert};weight={w}"), alone).vectors for w in ("idf", "uniform")
    ]
    np.testing.assert_allclose(*vectors, atol=1e-7)


def test_weights_reach_the_sentence_vector_scaled_to_one(shared_engine, bert):
    corpus = Corpus.of_texts("t", many(9))
    weighted = Recipe.parse(f"{bert};layers=2;weight=idf")
    source = shared_engine.passes.source(weighted.source)
    found, _ = shared_engine.passes.get(source, corpus)
    frequencies = document_frequencies(found.tokens)

    vectors = shared_engine.embed(weighted, corpus).vectors

    for i, vector in enumerate(vectors):
        span = found.tokens.span(i)
        weights = np.log(9 / frequencies.counts[found.tokens.ids[span]])
        np.testing.assert_allclose(vector, weights @ found.read(2, span) / weights.sum(), atol=1e-6)
        shown = shared_engine.token_weights(weighted, corpus)[i]
        np.testing.assert_allclose(shown.shares, weights / weights.sum(), atol=1e-12)
        assert shown.texts_with.tolist() == frequencies.counts[found.tokens.ids[span]].tolist()


def test_idf_of_a_reference_is_that_of_its_texts_repeats_counted(shared_engine, bert, tmp_path):
    path = tmp_path / "r.txt"
    path.write_text("the dog sat on\nthe dog sat on\na cat and rain\n")
    recipe = Recipe.parse(f"{bert};weight=idf(fit=reference);reference={path}")
    (shown,) = shared_engine.token_weights(recipe, Corpus.of_texts("t", ["dog rain boy"]))
    seen = dict(zip(shown.surface_forms, shown.texts_with, strict=True))
    assert seen == {"[CLS]": 3, "dog": 2, "rain": 1, "boy": 1, "[SEP]": 3}
