"""Word vectors of a file as a source: known, unknown and frequent words in the engine."""

from pathlib import Path

import numpy as np
import pytest
import wordfreq

from core.corpora.corpus import Corpus
from core.errors import ModelError, RecipeError
from core.pipeline.engine import Engine
from core.recipe import SOURCE, Recipe
from core.recipe.grammar import quote
from core.recipe.options import Choice
from tests.core.helpers.texts import many

VECTORS = {
    "the": [1, 0, 0],
    "of": [0.5, 0.5, 0],
    "dog": [0, 2, 0],
    "cat": [0, 1, 3],
    "park": [-4, 1, 0.25],
    "dogs": [7, 7, 7],
}


def write(path: Path, vectors: dict[str, list[float]]) -> Path:
    path.write_text("".join(f"{word} {' '.join(map(str, row))}\n" for word, row in vectors.items()))
    return path


@pytest.fixture
def small(tmp_path) -> Path:
    """A file of six words in three dimensions."""
    return write(tmp_path / "small.txt", VECTORS)


def recipe_of(path: Path, more: str = "", **arguments: object) -> Recipe:
    given = "".join(f",{name}={value}" for name, value in arguments.items())
    return Recipe.parse(f"source=vectors(path={path}{given});{more}")


def mean(*words: str) -> np.ndarray:
    return np.mean([VECTORS[word] for word in words], axis=0)


# -- looking words up --------------------------------------------------------------------------------


def test_the_mean_is_that_of_a_lookup_by_hand(engine, small):
    texts = ["The dog of the park", "CAT", "dogs dog", "the the cat"]
    embedded = engine.embed(recipe_of(small), Corpus.of_texts("t", texts))
    expected = [
        mean("the", "dog", "of", "the", "park"),
        mean("cat"),
        mean("dogs", "dog"),
        mean("the", "the", "cat"),
    ]
    np.testing.assert_allclose(embedded.vectors, expected, rtol=1e-6)
    assert (embedded.notes, embedded.pass_seconds) == ((), 0)
    assert embedded.source.name == "small.txt"
    assert engine.store.entries() == []


def test_every_sentence_of_a_corpus_is_looked_up_word_by_word(shared_engine, scored, vectors_file):
    table = {}
    for line in vectors_file.read_text().splitlines():
        word, *numbers = line.split(" ")
        table[word] = np.array(numbers, float)
    found = shared_engine.embed(recipe_of(vectors_file), scored).vectors
    for sentence, vector in zip(scored.sentences, found, strict=True):
        words = "".join(c for c in sentence.lower() if c not in ".,!?").split()
        np.testing.assert_allclose(vector, np.mean([table[w] for w in words], axis=0), atol=1e-6)


def test_unknown_words_are_left_out_and_counted(engine, small):
    texts = ["the dog barks, the cat sleeps!", "dog", "a cat"]  # barks , sleeps ! a
    embedded = engine.embed(recipe_of(small), Corpus.of_texts("t", texts))
    expected = [mean("the", "dog", "the", "cat"), mean("dog"), mean("cat")]
    np.testing.assert_allclose(embedded.vectors, expected, rtol=1e-6)
    assert embedded.notes == ("small.txt does not have 5 of 11 words; they are left out.",)


def test_a_sentence_without_a_known_word_is_zero_with_cosine_0_and_a_note(engine, small):
    corpus = Corpus.of_pairs("p", ["the dog", "quick brown foxes", ""], ["dog", "the dog", "!?"], [5, 1, 2])
    similarities, embedded = engine.similarities(recipe_of(small), corpus)
    zero = corpus.rows_of(["quick brown foxes", "", "!?"])
    assert not embedded.vectors[zero].any()
    assert embedded.vectors[corpus.rows_of(["the dog", "dog"])].any(axis=1).all()
    assert similarities.tolist() == pytest.approx([2 / np.sqrt(5), 0, 0])
    assert embedded.notes == (
        "small.txt does not have 5 of 8 words; they are left out; in 3 sentences no word is known.",
    )


@pytest.mark.parametrize("more", ["", "weight=idf", "weight=sif;pool=sum", "pool=max", "post=normalize"])
@pytest.mark.parametrize("texts", [["nothing", "here is known"], [""]])
def test_sentences_without_any_known_word_are_refused(texts, more, engine, small):
    with pytest.raises(
        RecipeError, match="No sentence has any token that source=vectors.* knows.* take another source"
    ):
        engine.embed(recipe_of(small, more), Corpus.of_texts("t", texts))


def test_the_first_rows_are_the_frequent_words_that_drop_leaves_out(engine, small):
    corpus = Corpus.of_texts("t", ["the dog of the park", "the of", "of the cat dog"])
    plain, dropped, more = (
        engine.embed(recipe_of(small, **given), corpus) for given in ({}, {"drop": 2}, {"drop": 3})
    )
    np.testing.assert_allclose(
        dropped.vectors, [mean("dog", "park"), mean("the", "of"), mean("cat", "dog")], rtol=1e-6
    )
    np.testing.assert_allclose(more.vectors, [mean("park"), mean("the", "of"), mean("cat")], rtol=1e-6)
    assert plain.notes == dropped.notes == ()
    assert len({e.source.revision for e in (plain, dropped, more)}) == 3


def test_token_weights_show_the_words_of_the_file(engine, small):
    (shown,) = engine.token_weights(recipe_of(small), Corpus.of_texts("t", ["The quick Dog's park"]))
    assert shown.surface_forms == ("the", "dog", "park")
    assert shown.words == (0, 2, 4)  # quick and 's are words too
    np.testing.assert_allclose(shown.shares, 1 / 3)
    assert not shown.truncated


# -- weights and other stages ------------------------------------------------------------------------


def test_idf_counts_texts_with_a_word(engine, small):
    texts = ["the dog", "the cat", "the dog dog park", "the unknown"]
    vectors = engine.embed(recipe_of(small, "weight=idf"), Corpus.of_texts("t", texts)).vectors
    dog, cat, park = (np.array(VECTORS[w]) for w in ("dog", "cat", "park"))
    log = np.log
    expected = [dog, cat, (2 * log(2) * dog + log(4) * park) / (2 * log(2) + log(4)), VECTORS["the"]]
    np.testing.assert_allclose(vectors, expected, rtol=1e-6)


def test_idf_of_a_reference_counts_its_texts_with_a_word(engine, small, tmp_path):
    path = tmp_path / "reference.txt"
    path.write_text("dogs of dogs\nthe cat sleeps\nthe cat sleeps\nthe the dog\n")
    (shown,) = engine.token_weights(
        recipe_of(small, f"weight=idf(fit=reference);reference={path}"),
        Corpus.of_texts("t", ["the cat dog park"]),
    )
    weights = np.log([4 / 3, 4 / 2, 4 / 1, 4 / 1])  # park, which is in none, as if in one
    np.testing.assert_allclose(shown.shares, weights / weights.sum())
    assert shown.texts_with.tolist() == [3, 2, 1, 1]


def test_sif_weighs_words_by_their_share_of_english(engine, small):
    (shown,) = engine.token_weights(
        recipe_of(small, "weight=sif"), Corpus.of_texts("t", ["The dogs of the park"])
    )
    english = wordfreq.get_frequency_dict("en", wordlist="best")
    weights = np.array([1e-3 / (1e-3 + english[w]) for w in ("the", "dogs", "of", "the", "park")])
    np.testing.assert_allclose(shown.shares, weights / weights.sum(), rtol=1e-9)


def test_sif_of_a_corpus_counts_the_words_the_file_has(engine, small):
    corpus = Corpus.of_texts("t", ["the dog", "the dog", "the unknown cat"])
    vectors = engine.embed(recipe_of(small, "weight=sif(a=0.5,fit=target)"), corpus).vectors
    the, dog, cat = (np.array(VECTORS[w]) for w in ("the", "dog", "cat"))
    w = {count: 0.5 / (0.5 + count / 6) for count in (1, 2, 3)}
    expected = [(w[3] * the + w[2] * dog) / 2, (w[3] * the + w[1] * cat) / 2]
    np.testing.assert_allclose(vectors, expected, rtol=1e-6)


def test_norm_weighs_words_by_the_length_of_their_vectors(engine, small):
    (shown,) = engine.token_weights(recipe_of(small, "weight=norm"), Corpus.of_texts("t", ["the dog cat"]))
    weights = np.array([1, 2, np.sqrt(10)])
    np.testing.assert_allclose(shown.shares, weights / weights.sum(), rtol=1e-6)


@pytest.mark.parametrize("layers", ["static", "0", "first+last", "all"])
def test_the_one_layer_has_every_name(layers, engine, small):
    corpus = Corpus.of_texts("t", ["the dog"])
    found = engine.embed(recipe_of(small, f"layers={layers}"), corpus).vectors
    np.testing.assert_allclose(found, [mean("the", "dog")])


@pytest.mark.parametrize("tokens", ["all", "content", "sentence", "noseparator"])
def test_no_word_is_special(tokens, engine, small):
    corpus = Corpus.of_texts("t", ["the dog"])
    found = engine.embed(recipe_of(small, f"tokens={tokens}"), corpus).vectors
    np.testing.assert_allclose(found, [mean("the", "dog")])


def test_frequent_words_and_punctuation_may_be_left_out(engine, tmp_path):
    path = write(tmp_path / "v.txt", VECTORS | {",": [9, 9, 9]})
    corpus = Corpus.of_texts("t", ["the dog, the park", "of the"])
    found = engine.embed(recipe_of(path, "tokens=unbiased"), corpus).vectors  # dog is on the list
    np.testing.assert_allclose(found, [mean("park"), mean("of", "the")])


@pytest.mark.parametrize("n", [0, 1, 2, 3, 4, 5, 30_000])
def test_the_words_most_texts_of_the_reference_hold_may_be_left_out(n, engine, small, tmp_path):
    path = tmp_path / "reference.txt"
    path.write_text("the cat of cats\nthe dogs of\nthe dog dog\nthe dogs of\n")
    recipe = recipe_of(small, f"tokens=infrequent(n={n});reference={path}")
    (shown,) = engine.token_weights(recipe, Corpus.of_texts("t", ["the dog of dogs cat park"]))
    most_first = ["the", "of", "dogs", "dog", "cat"]  # in 4, 3, 2, 1 and 1; dog stands before cat
    kept = [word for word, share in zip(shown.surface_forms, shown.shares, strict=True) if share]
    assert kept == [w for w in shown.surface_forms if w not in most_first[:n]]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("layers=3", r"layers: small.txt has one layer only; allowed is static or 0"),
        ("layers=wk(start=1)", r"layers: small.txt has one layer only; allowed is static or 0"),
        ("weight=ditto", "weight=ditto looks at attention.* take another weight, or a model as source"),
        ("weight=variance", "weight=variance looks at a model's layers, and token vectors without context"),
        ("tokens=mask", "tokens=mask needs a template with .MASK."),
        ("tokens=nomask;template=T0", "tokens=nomask needs a template with .MASK. and a model"),
        ("pool=cls", "pool=cls: this model adds no classification token"),
        ("mix=averaged", "mix=averaged needs a model as source; got source=vectors"),
    ],
)
def test_what_a_file_of_words_does_not_have_is_refused(more, message, engine, small):
    with pytest.raises(RecipeError, match=message):
        engine.embed(recipe_of(small, more), Corpus.of_texts("t", ["the dog", "a cat"]))


def test_words_are_looked_up_without_the_template(engine, small):
    corpus = Corpus.of_texts("t", ["the dog", "a cat"])
    recipe = recipe_of(small)
    found = engine.embed(recipe.replace(template="the [X] of the park"), corpus).vectors
    np.testing.assert_array_equal(found, engine.embed(recipe, corpus).vectors)


def test_steps_learn_from_words_of_a_reference(engine, vectors_file, texts_file):
    recipe = recipe_of(vectors_file, f"reference={texts_file}")
    reference, target = (
        engine.corpus(str(texts_file), "all"),
        Corpus.of_texts("t", [*many(3), "xyz", "zyx"]),
    )
    theirs, plain = (engine.embed(recipe, c).vectors.astype(np.float64) for c in (reference, target))
    embedded = engine.embed(recipe.replace(post="zscore(fit=reference)"), target)
    np.testing.assert_allclose(
        embedded.vectors, (plain - theirs.mean(axis=0)) / theirs.std(axis=0), atol=1e-4
    )
    assert embedded.notes == (  # "so", which every text of the reference begins with, is not the target's
        "words.txt does not have 5 of 23 words; they are left out; in 2 sentences no word is known.",
    )


# -- the path ----------------------------------------------------------------------------------------


def test_a_missing_path_is_refused_when_the_recipe_is_read():
    for text in ("source=vectors", "source=vectors(drop=3)", "source=vectors()"):
        with pytest.raises(RecipeError, match=r"source=vectors\(path\) is missing; it takes path: text"):
            Recipe.parse(text)
    for text in ("source=vectors(path=)", 'source=vectors(path="")'):
        with pytest.raises(RecipeError, match=r"source=vectors\(path\): got ''; allowed is path: text"):
            Recipe.parse(text)


def test_a_path_where_no_file_of_words_is_is_explained(engine, tmp_path):
    (tmp_path / "broken.txt").write_text("no vectors here\nat all\n")
    for name, message in {
        "nowhere.txt": "nowhere.txt' does not exist; word vectors are one file",
        "": "is a folder; word vectors are one file",
        "broken.txt": "broken.txt",
    }.items():
        with pytest.raises(ModelError, match=message):
            engine.embed(recipe_of(tmp_path / name), Corpus.of_texts("t", ["the dog"]))


@pytest.mark.parametrize(
    "name",
    [
        "two words.txt",
        "a;b.txt",
        "a(b).txt",
        "a)b.txt",
        "a,b=c+d.txt",
        'a"b.txt',
        "a\\b.txt",
        "naïve 日本.txt",
        " a.txt",
    ],
)
def test_a_path_may_hold_any_character(name, engine, tmp_path):
    path = write(tmp_path / name, VECTORS)
    corpus = Corpus.of_texts("t", ["the dog"])
    made = Recipe(source=Choice("vectors", (("path", str(path)), ("drop", 1))))
    typed = Recipe.parse(f"source=vectors(path={quote(str(path))}, drop=1);layers=static")
    for recipe in (made, typed):
        assert Recipe.parse(str(recipe)) == recipe
        assert SOURCE.bind(recipe.source)().paths == (str(path),)
        np.testing.assert_allclose(engine.embed(recipe, corpus).vectors, [mean("dog")])
    assert made.source == typed.source


def test_a_file_that_changed_is_read_again(engine, settings, small):
    corpus = Corpus.of_texts("t", ["the dog", "cat", "park"])
    recipe = recipe_of(small)
    before = engine.embed(recipe, corpus)
    write(small, {"the": [1, 1, 1], "dog": [3, 3, 3]})
    for again in (engine, Engine(settings)):
        after = again.embed(recipe, corpus)
        np.testing.assert_array_equal(after.vectors, [[2, 2, 2], [0, 0, 0], [0, 0, 0]])
        assert after.source.revision != before.source.revision
        assert after.notes == (
            "small.txt does not have 2 of 4 words; they are left out; in 2 sentences no word is known.",
        )


def test_a_copy_of_a_file_is_the_same_file(engine, small, tmp_path):
    copy = write(tmp_path / "copy.txt", VECTORS)
    corpus = Corpus.of_texts("t", ["the dog"])
    found = [engine.embed(recipe_of(path), corpus) for path in (small, copy)]
    assert found[0].source.revision == found[1].source.revision
    np.testing.assert_array_equal(found[0].vectors, found[1].vectors)


def test_nothing_is_waited_for(engine, small):
    assert engine.pending_seconds(recipe_of(small), Corpus.of_texts("t", ["the dog"])) == 0
