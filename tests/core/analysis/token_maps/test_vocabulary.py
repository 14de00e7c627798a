"""Tokens, what is known of them and their vectors: by hand, by loops, by transformers alone."""

from collections import Counter, defaultdict

import numpy as np
import pytest
import wordfreq
from transformers import AutoModel, AutoTokenizer

from core.analysis.token_maps.token_frequency import idf, log_count, zipf
from core.analysis.token_maps.vocabulary import averaged_space, choose, nearest, static_space
from core.corpora.corpus import Corpus
from core.errors import RecipeError
from core.recipe import Recipe
from core.sources.random_table import RandomTable
from core.tokens.marks import without_marks
from core.tokens.states import STATIC
from tests.core.helpers.reference import one_at_a_time

TEXTS = ["the dog sat.", "The girl plays guitar, the man sat", "a dog"]
REPEATED = [*TEXTS, TEXTS[0]]


@pytest.fixture
def corpus() -> Corpus:
    """Three different sentences, the first of them twice."""
    return Corpus.of_texts("three", REPEATED)


def recipe(source) -> Recipe:
    return Recipe().replace(source=str(source))


def everything(space, layer=STATIC) -> np.ndarray:
    return space.rows(layer, np.arange(len(space.vocabulary)))


def marked(vocabulary, which: str) -> set[str]:
    return {t for t, on in zip(vocabulary.surface_forms, getattr(vocabulary, which), strict=True) if on}


# -- which tokens


@pytest.mark.parametrize("family", ["bert", "electra", "roberta", "gpt2", "llama", "xlnet"])
def test_static_rows_are_those_of_the_whole_vocabulary(engine, model, family):
    folder = model(family)
    space = static_space(engine, recipe(folder))
    expected = AutoModel.from_pretrained(folder).get_input_embeddings().weight.detach().numpy()
    tokenizer = AutoTokenizer.from_pretrained(folder)
    assert space.layers == (STATIC,)
    assert list(space.vocabulary.surface_forms) == tokenizer.convert_ids_to_tokens(range(len(tokenizer)))
    np.testing.assert_array_equal(everything(space), expected[: len(tokenizer)])
    np.testing.assert_array_equal(space.rows(STATIC, np.array([3, 1])), expected[[3, 1]])


def test_word_pieces_say_what_they_are(engine, bert):
    words = static_space(engine, Recipe.parse(bert)).vocabulary
    assert marked(words, "special") == {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"}
    assert {"##ing", "##s", "##a", "##7"} <= marked(words, "subword")
    assert all(text.startswith("##") for text in marked(words, "subword"))
    assert {"#", ".", "$", "~"} <= marked(words, "punctuation")
    assert not {"a", "the", "7"} & marked(words, "punctuation")
    assert marked(words, "upper") == set(), "special tokens are not counted"


def test_bytes_are_read_as_the_letters_they_stand_for(engine, model):
    words = static_space(engine, recipe(model("roberta"))).vocabulary
    assert marked(words, "special") == {"<s>", "<pad>", "</s>", "<unk>", "<mask>"}
    assert marked(words, "upper") == set("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    assert {"!", "."} <= marked(words, "punctuation")
    assert all(text.isascii() for text in marked(words, "punctuation")), "half a character is no sign"
    assert "Ġ" not in marked(words, "subword")
    assert {"a", "B", "Ģ"} <= marked(words, "subword")


def test_pieces_without_the_mark_of_a_word_are_inside_one(engine, model):
    words = static_space(engine, recipe(model("llama"))).vocabulary
    assert "▁dog" not in marked(words, "subword")
    assert {"a", "Z"} <= marked(words, "subword")
    assert "Z" in marked(words, "upper")
    assert "." in marked(words, "punctuation") - marked(words, "subword")


def test_the_bundled_vocabulary_has_thirty_thousand_tokens(shared_engine):
    words = static_space(shared_engine, Recipe()).vocabulary
    assert len(words) == 30_522
    assert {"[unused0]", "[CLS]"} <= marked(words, "special")
    assert "##ing" in marked(words, "subword")


def test_a_random_table_has_rows_for_the_bundled_vocabulary(shared_engine):
    space = static_space(shared_engine, Recipe.parse("source=random(seed=3,dim=8);template=T0"))
    assert len(space.vocabulary) == 30_522
    np.testing.assert_array_equal(everything(space), RandomTable(3, 8, 0.1).rows(30_522))


def test_word_vectors_have_the_words_of_their_file(engine, vectors_file, monkeypatch):
    lines = [line.split(" ") for line in vectors_file.read_text("utf-8").splitlines()]
    space = static_space(engine, Recipe.parse(f"source=vectors(path={vectors_file})"))
    assert list(space.vocabulary.surface_forms) == [line[0] for line in lines]
    np.testing.assert_allclose(
        everything(space), [[float(x) for x in line[1:]] for line in lines], atol=1e-6
    )
    assert not space.vocabulary.subword.any()
    dropped = static_space(engine, Recipe.parse(f"source=vectors(path={vectors_file},drop=3)"))
    assert dropped.vocabulary.surface_forms == space.vocabulary.surface_forms[3:]
    np.testing.assert_array_equal(everything(dropped), everything(space)[3:])
    monkeypatch.setattr("core.analysis.token_maps.vocabulary.MAX_WORDS", 5)
    first = static_space(engine, Recipe.parse(f"source=vectors(path={vectors_file},drop=3)"))
    assert first.vocabulary.surface_forms == space.vocabulary.surface_forms[3:8]


# -- averages


def by_hand(folder, texts) -> tuple[dict[int, np.ndarray], Counter]:
    """Each id's states in every layer, one sentence at a time, averaged over all its occurrences."""
    tokenizer = AutoTokenizer.from_pretrained(folder)
    states, counts = defaultdict(list), Counter()
    for text, sentence in zip(texts, one_at_a_time(folder, texts), strict=True):
        for position, i in enumerate(tokenizer(text)["input_ids"]):
            states[i].append(sentence.hidden[:, position].astype(float))
            counts[i] += 1
    return {i: np.mean(found, axis=0) for i, found in states.items()}, counts


def test_averages_over_three_sentences_by_hand(engine, model, corpus):
    expected, counts = by_hand(model("bert"), REPEATED)
    space = averaged_space(engine, recipe(model("bert")), corpus)
    assert space.layers == (-1, 0, 1, 2, 3)
    assert space.vocabulary.ids.tolist() == sorted(expected)
    np.testing.assert_array_equal(space.times, [counts[i] for i in sorted(expected)])
    for layer in space.layers[1:]:
        made = everything(space, layer)
        np.testing.assert_allclose(made, [expected[i][layer] for i in sorted(expected)], atol=1e-5)
    static = static_space(engine, recipe(model("bert")))
    np.testing.assert_allclose(everything(space), static.rows(STATIC, space.vocabulary.ids), atol=1e-6)


def test_the_template_is_not_read(engine, model, corpus):
    plain = averaged_space(engine, recipe(model("bert")), corpus)
    prompted = averaged_space(engine, recipe(model("bert")).replace(template="T0"), corpus)
    assert prompted.key == plain.key
    np.testing.assert_array_equal(everything(prompted, 2), everything(plain, 2))


def test_averages_over_the_reference_are_those_of_source_averaged(engine, model, texts_file):
    base = Recipe().replace(reference=str(texts_file))
    folder = model("bert")
    mine = averaged_space(engine, base.replace(source=str(folder)))
    theirs = averaged_space(engine, base.replace(source=f"averaged(model={folder})"))
    assert theirs.over.name == mine.over.name
    assert mine.vocabulary.surface_forms == theirs.vocabulary.surface_forms
    for layer in mine.layers:
        np.testing.assert_array_equal(everything(mine, layer), everything(theirs, layer))


def test_static_rows_of_another_width_are_not_like_the_layers(engine, model, corpus):
    space = averaged_space(engine, recipe(model("electra")), corpus)
    assert (space.width(STATIC), space.width(3)) == (16, 32)
    assert space.alike(3) == (0, 1, 2, 3)
    assert space.alike(STATIC) == (STATIC,)
    assert averaged_space(engine, recipe(model("bert")), corpus).alike(3) == (-1, 0, 1, 2, 3)


@pytest.mark.parametrize(
    ("make", "source", "what"),
    [
        (static_space, "doc2vec", "none of tokens"),
        (static_space, "averaged", "averages over contexts"),
        (averaged_space, "doc2vec", "none of tokens"),
        (averaged_space, "random", "no layers and no contexts"),
    ],
)
def test_a_source_without_such_vectors_says_so(engine, make, source, what):
    with pytest.raises(RecipeError, match=what):
        make(engine, Recipe.parse(f"source={source}"))


def test_averages_of_averages_are_refused(engine, corpus):
    with pytest.raises(RecipeError, match="averaged over demo already"):
        averaged_space(engine, Recipe.parse("source=averaged"), corpus)


def test_keys_tell_spaces_apart(engine, model, corpus):
    folder = recipe(model("bert"))
    other = Corpus.of_texts("three", TEXTS)
    keys = {
        static_space(engine, folder).key,
        static_space(engine, recipe(model("electra"))).key,
        averaged_space(engine, folder, corpus).key,
        averaged_space(engine, folder, other).key,
    }
    assert len(keys) == 4


# -- what is asked of them


def test_nearest_by_loops(engine, model, monkeypatch):
    monkeypatch.setattr("core.analysis.token_maps.vocabulary._BLOCK", 7)
    space = static_space(engine, recipe(model("bert")))
    x, place = everything(space).astype(float), space.vocabulary.find("dog")
    cosines = [float(row @ x[place] / np.linalg.norm(row) / np.linalg.norm(x[place])) for row in x]
    expected = sorted((-c, i) for i, c in enumerate(cosines) if i != place)[:5]
    near, found = nearest(space, STATIC, place, 5)
    assert near.tolist() == [i for _, i in expected]
    np.testing.assert_allclose(found, [-c for c, _ in expected], atol=1e-6)
    assert len(nearest(space, STATIC, place, 10_000)[0]) == len(space.vocabulary) - 1


def test_a_token_is_found_by_its_surface_form_else_without_marks_and_case(engine, model):
    words = static_space(engine, recipe(model("bert"))).vocabulary
    assert words.surface_forms[words.find("##ing")] == "##ing"
    assert words.surface_forms[words.find("ING")] == "##ing"
    assert words.surface_forms[words.find(" Dog ")] == "dog"
    assert words.surface_forms[words.find("s")] == "s", "not the piece"
    assert words.find("photosynthesis") is None
    assert words.find("") is None
    assert words.like("guiter")[0] == "guitar"
    assert words.like("##guiter", 1) == ["guitar"]
    marks = static_space(engine, recipe(model("llama"))).vocabulary
    assert marks.surface_forms[marks.find("dog")] == "▁dog"


def test_marks_of_tokenizers_are_removed():
    assert [
        without_marks(t) for t in ("##ing", "Ġdog", "▁dog", "##", "▁", "dog")
    ] == "ing dog dog ## ▁ dog".split()


def test_a_smaller_draw_is_part_of_a_larger():
    small, large = choose(1000, 50), choose(1000, 300)
    assert len(small) == 50
    assert (np.diff(large) > 0).all()
    assert set(small.tolist()) < set(large.tolist())
    np.testing.assert_array_equal(choose(1000, 50), small)
    assert small.mean() > 300, "not the first ones"
    np.testing.assert_array_equal(choose(10, 20), np.arange(10))


def test_the_most_frequent_come_first_and_those_without_frequency_last():
    frequency = np.array([1, np.nan, 5, 3, 5, np.nan])
    assert choose(6, 2, frequency).tolist() == [2, 4]
    assert choose(6, 3, frequency).tolist() == [2, 3, 4]
    assert choose(6, 5, frequency).tolist() == [0, 1, 2, 3, 4]


# -- frequency


def test_zipf_frequencies_are_wordfreqs(engine, bert):
    words = static_space(engine, Recipe.parse(bert)).vocabulary
    found = zipf(words)
    for text, value in zip(words.surface_forms, found.tolist(), strict=True):
        if text.startswith(("##", "[")) or not text.isalnum():
            assert np.isnan(value), text
        else:
            assert value == pytest.approx(wordfreq.zipf_frequency(text, "en", wordlist="best"), abs=0.006)


def test_counts_and_idf_of_a_corpus_by_hand(engine, model, corpus):
    folder = model("bert")
    tokenizer = AutoTokenizer.from_pretrained(folder)
    cut = [tokenizer(text)["input_ids"] for text in REPEATED]
    times = Counter(i for ids in cut for i in ids)
    texts = Counter(i for ids in cut for i in set(ids))
    words = static_space(engine, recipe(folder)).vocabulary
    source = engine.source(recipe(folder).replace(template="T0"))
    counted, rare = log_count(engine, source, words, corpus), idf(engine, source, words, corpus)
    for i, count, weight in zip(words.ids.tolist(), counted.tolist(), rare.tolist(), strict=True):
        if i in times:
            assert count == pytest.approx(np.log10(times[i]))
            assert weight == pytest.approx(np.log(4 / texts[i]), abs=1e-12)
        else:
            assert np.isnan(count)
            assert np.isnan(weight)
    again = log_count(engine, source, words, corpus)
    np.testing.assert_array_equal(counted, again)
