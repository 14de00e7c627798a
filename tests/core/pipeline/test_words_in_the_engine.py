"""SIF, uSIF and the most frequent tokens in the engine, against counts made by hand."""

from collections import Counter

import numpy as np
import pytest
import wordfreq

from core.corpora.corpus import Corpus
from core.encoders.tokenizer import Tokenizer
from core.errors import RecipeError
from core.pipeline.engine import Engine
from core.pipeline.token_weights import TokenWeights
from core.recipe import Recipe
from core.stages.token_selection import FREQUENT, is_punctuation
from tests.core.helpers.texts import many

MARKS = {"[CLS]", "[SEP]", ".", ",", "!", "?"}

TARGET = ["the dogs ran , the man", "a man plays", "a man plays", "the rain ."]
REFERENCE = ["the dogs sat on the mat", "the dogs sat on the mat", "a cat ran , a cat", "man . rain ."]


def english(word: str) -> float:
    """wordfreq's share of a word; what is no word counts like the most frequent one."""
    shares = wordfreq.get_frequency_dict("en", wordlist="best")
    return max(shares.values()) if word in MARKS or not word else shares[word]


def counted(texts: list[str]) -> tuple[Counter, int]:
    """Words of texts written with spaces between words, special tokens as "", and how many in all."""
    counts = Counter(word for text in texts for word in ["", *text.split(), ""])
    return counts, sum(counts.values())


def words_of(shown: TokenWeights) -> list[str]:
    """The word that each token of one text belongs to, put together from its pieces."""
    pieces: dict[int, str] = {}
    for text, number in zip(shown.surface_forms, shown.words, strict=True):
        pieces[number] = pieces.get(number, "") + text.removeprefix("##")
    pieces[-1] = ""
    return [pieces[number] for number in shown.words]


def weights(engine: Engine, recipe: str, texts: list[str]) -> dict[tuple[str, str], float]:
    """Each token, and its word, with its weight as a multiple of the first token's, [CLS]."""
    found = {}
    for shown in engine.token_weights(Recipe.parse(recipe), Corpus.of_texts("t", texts)):
        for token, word, share in zip(shown.surface_forms, words_of(shown), shown.shares, strict=True):
            ratio = share / shown.shares[0]
            assert found.setdefault((token, word), ratio) == pytest.approx(ratio, rel=1e-9)
    return found


def agree(found: dict[tuple[str, str], float], weigh) -> None:
    assert len(found) > 5
    assert found == pytest.approx({pair: weigh(pair[1]) / weigh("") for pair in found}, rel=1e-9)


@pytest.fixture
def reference(tmp_path) -> str:
    path = tmp_path / "reference.txt"
    path.write_text("\n".join(REFERENCE) + "\n")
    return f"reference={path}"


# -- SIF ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("a", [1e-3, 1e-5, 0.2])
def test_sif_weighs_by_the_share_of_the_whole_word_in_english(a, shared_engine, bert):
    texts = ["The dogs, sleeping in the park!", "A white man plays.", "guitar"]
    found = weights(shared_engine, f"{bert};weight=sif(a={a})", texts)
    assert {("dog", "dogs"), ("##s", "dogs"), ("sleep", "sleeping"), ("##ing", "sleeping")} <= set(found)
    agree(found, lambda word: a / (a + english(word)))
    assert found["##s", "dogs"] == found["dog", "dogs"]
    assert found[",", ","] == found["[SEP]", ""] == pytest.approx(found["the", "the"]) == pytest.approx(1)
    assert found["guitar", "guitar"] > found["dog", "dogs"] > found["in", "in"] > 1


def test_sif_of_the_target_counts_its_words_repeats_included(shared_engine, bert):
    counts, total = counted(TARGET)
    assert (counts["dogs"], counts["man"], counts[""], total) == (1, 3, 8, 23)
    found = weights(shared_engine, f"{bert};weight=sif(a=0.1,fit=target)", TARGET)
    agree(found, lambda word: 0.1 / (0.1 + counts[word] / total))


def test_sif_of_the_reference_counts_its_words_repeats_included(engine, bert, reference):
    counts, total = counted(REFERENCE)
    assert (counts["dogs"], counts[""], counts["guitar"], total) == (2, 8, 0, 30)
    texts = ["the dogs ran , the man", "a guitar plays", "rain ."]
    found = weights(engine, f"{bert};weight=sif(a=0.1,fit=reference);{reference}", texts)
    agree(found, lambda word: 0.1 / (0.1 + counts[word] / total))
    assert found["guitar", "guitar"] == pytest.approx(0.1 / 0.1 * (0.1 + 8 / 30) / 0.1)  # never seen there


def test_the_template_is_no_part_of_the_reference(engine, bert, reference):
    plain, prompted = (
        weights(engine, f"{bert};weight=sif(fit=reference);{reference}{template}", ["the dogs ran"])
        for template in ("", ";template=a [X] rain")
    )
    assert set(prompted) - set(plain) == {("a", "a"), ("rain", "rain")}
    assert {pair: prompted[pair] for pair in plain} == pytest.approx(plain)


def test_no_word_of_the_template_outweighs_the_sentences_own(engine, bert):
    """Every text holds it, so it is the most frequent word there is; idf gives it 0."""
    found = weights(engine, f"{bert};weight=sif(fit=target);template=girl [X]", ["the dogs ran", "the man"])
    assert found["girl", "girl"] <= found["dog", "dogs"]


def test_the_sentence_vector_is_the_weighted_sum_over_the_number_of_words(shared_engine, bert):
    recipe = Recipe.parse(f"{bert};layers=2;weight=sif(a=0.01)")
    corpus = Corpus.of_texts("t", many(6))
    found, _ = shared_engine.passes.get(shared_engine.source(recipe), corpus)
    vectors = shared_engine.embed(recipe, corpus).vectors
    summed = shared_engine.embed(recipe.replace(pool="sum"), corpus).vectors
    for i, shown in enumerate(shared_engine.token_weights(recipe, corpus)):
        own = np.array([0.01 / (0.01 + english(word)) for word in words_of(shown)])
        words = len(set(shown.words) - {-1}) + shown.words.count(
            -1
        )  # pieces together, [CLS] and [SEP] apart
        states = found.read(2, found.tokens.span(i))
        np.testing.assert_allclose(shown.shares, own / own.sum(), rtol=1e-9)
        np.testing.assert_allclose(vectors[i], own @ states / words, atol=1e-6)
        np.testing.assert_allclose(summed[i], own @ states, atol=1e-5)


def test_token_weights_tell_tokens_words_shares_and_texts(engine, bert):
    corpus = Corpus.of_texts("t", ["dogs run .", "the rain", "the rain", "rain " * 200])
    first, second, long = engine.token_weights(Recipe.parse(f"{bert};weight=sif"), corpus)
    assert first.surface_forms == ("[CLS]", "dog", "##s", "run", ".", "[SEP]")
    assert first.words == (-1, 0, 0, 1, 2, -1)
    assert first.texts_with.tolist() == [4, 1, 1, 1, 1, 4]
    assert second.surface_forms == ("[CLS]", "the", "rain", "[SEP]")
    assert second.texts_with.tolist() == [4, 2, 3, 4]
    assert [shown.truncated for shown in (first, second, long)] == [False, False, True]
    assert len(long.surface_forms) == 96
    for shown in (first, second, long):
        assert shown.shares.sum() == pytest.approx(1)
    assert first.shares[1] == first.shares[2] > first.shares[4] == pytest.approx(first.shares[0])


# -- uSIF --------------------------------------------------------------------------------------------


def constant(shares: list[float], n: int) -> float:
    """A of uSIF, as its paper writes it."""
    size = len(shares)
    alpha = sum(share > 1 - (1 - 1 / size) ** n for share in shares) / size
    return (1 - alpha) / (alpha * size / 2)


@pytest.mark.parametrize("n", [11, 30])
def test_usif_finds_its_constant_in_english(n, shared_engine, bert):
    a = constant(list(wordfreq.get_frequency_dict("en", wordlist="best").values()), n)
    found = weights(
        shared_engine, f"{bert};weight=usif(n={n})", ["The dogs, sleeping in the park!", "A man"]
    )
    agree(found, lambda word: a / (a / 2 + english(word)))


@pytest.mark.parametrize("fit", ["target", "reference"])
def test_usif_of_a_corpus_finds_its_constant_there(fit, engine, bert, reference):
    counts, total = counted({"target": TARGET, "reference": REFERENCE}[fit])
    a = constant([count / total for count in counts.values()], 1)
    found = weights(engine, f"{bert};weight=usif(n=1,fit={fit});{reference}", TARGET)
    agree(found, lambda word: a / (a / 2 + counts[word] / total))


def test_too_small_a_reference_is_refused_for_usif(engine, bert, reference):
    recipe = Recipe.parse(f"{bert};weight=usif(n=20,fit=reference);{reference}")
    different = len(counted(REFERENCE)[0])
    with pytest.raises(RecipeError, match=f"{different} different words, too few.*fit=wordfreq"):
        engine.embed(recipe, Corpus.of_texts("t", TARGET))


# -- what is kept ------------------------------------------------------------------------------------


@pytest.mark.parametrize("weight", ["sif(fit=reference)", "usif(n=1,fit=reference)", "sif(fit=target)"])
def test_another_process_reads_shares_from_the_store(
    weight, engine, settings, bert, reference, monkeypatch
):
    recipe, corpus = Recipe.parse(f"{bert};weight={weight};{reference}"), Corpus.of_texts("t", TARGET)
    first = engine.embed(recipe, corpus).vectors
    monkeypatch.setattr(Tokenizer, "__call__", lambda *_: pytest.fail("cut into tokens again"))
    np.testing.assert_array_equal(Engine(settings).embed(recipe, corpus).vectors, first)


def test_a_reference_that_changed_is_counted_anew(engine, bert, tmp_path):
    path, found = tmp_path / "reference.txt", []
    for texts in (REFERENCE, REFERENCE[:3], [*REFERENCE, REFERENCE[3]]):
        path.write_text("\n".join(texts))
        found.append(weights(engine, f"{bert};weight=sif(fit=reference);reference={path}", ["the man ran"]))
        counts, total = counted(texts)
        agree(found[-1], lambda word, counts=counts, total=total: 1e-3 / (1e-3 + counts[word] / total))
    assert found[0] != found[1] != found[2] != found[0]


# -- the most frequent tokens ------------------------------------------------------------------------


def kept(shown: TokenWeights) -> list[str]:
    return [text for text, share in zip(shown.surface_forms, shown.shares, strict=True) if share]


@pytest.mark.parametrize("n", [0, 1, 2, 3, 4, 5, 7, 30_000])
def test_infrequent_leaves_out_the_ids_that_most_texts_of_the_reference_hold(n, engine, bert, reference):
    found, _ = engine.passes.get(engine.source(Recipe.parse(bert)), Corpus.of_texts("r", REFERENCE))
    holding, repeats = Counter(), Counter(REFERENCE)
    own = ~found.tokens.special
    for i, text in enumerate(dict.fromkeys(REFERENCE)):
        span = found.tokens.span(i)
        holding.update(dict.fromkeys(set(found.tokens.ids[span][own[span]].tolist()), repeats[text]))
    by_number = sorted(holding, key=lambda token: (-holding[token], token))
    most = {found.tokens.vocabulary[token] for token in by_number[:n]}
    assert [holding[token] for token in by_number[:5]] == [2, 2, 2, 2, 2]

    recipe = Recipe.parse(f"{bert};tokens=infrequent(n={n});{reference}")
    texts = ["the dogs ran , man guitar", "a boy sat on a mat .", "white rain"]
    for shown in engine.token_weights(recipe, Corpus.of_texts("t", texts)):
        expected = [
            token
            for token in shown.surface_forms
            if not (token in MARKS or token.startswith("##") or is_punctuation(token) or token in most)
        ]
        assert kept(shown) == expected
        assert set(expected) & {"guitar", "boy", "white"}


def test_a_text_of_which_nothing_is_left_keeps_all_its_tokens(engine, bert, reference):
    recipe = Recipe.parse(f"{bert};tokens=infrequent(n=30000);{reference}")
    texts = ["the dogs ran , man", "guitar .", "", "."]
    for shown in engine.token_weights(recipe, Corpus.of_texts("t", texts)):
        assert kept(shown) == (["guitar"] if "guitar" in shown.surface_forms else [*shown.surface_forms])


def test_what_weighs_and_what_is_left_out_may_be_learnt_from_different_corpora(engine, bert, reference):
    recipe = f"{bert};tokens=infrequent(n=30000);weight=idf(fit=target);{reference}"
    texts = ["guitar boy cat", "boy plays", "guitar"]
    shown = engine.token_weights(Recipe.parse(recipe), Corpus.of_texts("t", texts))[0]
    share = np.log(3 / 2) / (2 * np.log(3 / 2))
    assert dict(zip(shown.surface_forms, shown.shares, strict=True)) == pytest.approx(
        {"[CLS]": 0, "guitar": share, "boy": share, "cat": 0, "[SEP]": 0}
    )


def test_the_36_released_tokens_are_left_out_of_a_real_text(shared_engine):
    assert len(FREQUENT) == 36
    words = sorted(FREQUENT - {"##s"})
    recipe = Recipe.parse("source=random(dim=2);tokens=unbiased")
    corpus = Corpus.of_texts("t", [" ".join([*words[:17], "guitar", *words[17:], "ninjas"])])
    (shown,) = shared_engine.token_weights(recipe, corpus)
    assert set(shown.surface_forms) - {"[CLS]", "[SEP]", "guitar", "ninja"} == FREQUENT
    assert kept(shown) == ["guitar", "ninja"]
