"""Files of word vectors side by side: L.F.P., and the four kinds of the power means."""

import numpy as np
import pytest

from core.analysis.token_maps.vocabulary import nearest, static_space
from core.corpora.corpus import Corpus
from core.errors import ModelError
from core.recipe import Recipe
from core.settings import Settings
from core.tokens.states import STATIC
from core.trust import Trust

FIRST = {"the": [1.0, 2.0], "dog": [3.0, 4.0], "park": [5.0, 7.0], "unused": [100.0, 100.0]}
SECOND = {"dog": [10.0, 20.0, 30.0], "cat": [1.0, 1.0, 1.0], "the": [4.0, 5.0, 6.0]}


@pytest.fixture
def files(tmp_path):
    paths = []
    for name, vectors in (("first", FIRST), ("second", SECOND)):
        paths.append(tmp_path / f"{name}.txt")
        lines = (f"{word} {' '.join(map(str, row))}" for word, row in vectors.items())
        paths[-1].write_text("\n".join(lines) + "\n", "utf-8")
    return paths


def test_vectors_stand_side_by_side_and_what_one_lacks_is_the_mean_of_its_words(engine, files):
    recipe = Recipe.parse("source=vectors(path={},path2={})".format(*files))
    texts = ["the dog", "cat", "park dog", "the wolf"]
    embedded = engine.embed(recipe, Corpus.of_texts("t", texts))
    used = ["the", "dog", "park", "cat"]
    lacking = [np.mean(list(file.values()), axis=0) for file in (FIRST, SECOND)]
    rows = {
        w: np.concatenate([file.get(w, mean) for file, mean in zip((FIRST, SECOND), lacking, strict=True)])
        for w in used
    }
    expected = [
        (rows["the"] + rows["dog"]) / 2,
        rows["cat"],
        (rows["park"] + rows["dog"]) / 2,
        rows["the"],
    ]
    np.testing.assert_allclose(embedded.vectors, expected, rtol=1e-6)
    assert embedded.source.name == "first.txt+second.txt"
    assert any("4 words of 2 dimensions, 3 words of 3 dimensions" in note for note in embedded.notes)
    assert any("does not have 1 of 7 words" in note for note in embedded.notes)


def test_a_vector_does_not_depend_on_which_others_are_looked_at(engine, files):
    """On maps of a vocabulary; what a file lacks is the mean of all its words."""
    space = static_space(engine, Recipe.parse("source=vectors(path={},path2={})".format(*files)))
    every = space.rows(STATIC, np.arange(5))
    for place in range(5):
        np.testing.assert_array_equal(space.rows(STATIC, np.array([place]))[0], every[place])
    names = space.vocabulary.surface_forms
    mean = np.mean([*SECOND.values()], axis=0)
    np.testing.assert_allclose(every[names.index("park")], [*FIRST["park"], *mean], rtol=1e-6)
    near, cosines = nearest(space, STATIC, names.index("park"))
    units = every / np.linalg.norm(every, axis=1, keepdims=True)
    expected = units @ units[names.index("park")]
    np.testing.assert_allclose(cosines, expected[near], rtol=1e-5)


def test_a_text_has_the_same_vector_in_any_company(engine, files):
    recipe = Recipe.parse("source=vectors(path={},path2={})".format(*files))
    alone, *_ = engine.embed(recipe, Corpus.of_texts("t", ["cat park"])).vectors
    in_company, *_ = engine.embed(recipe, Corpus.of_texts("t", ["cat park", "the dog dog"])).vectors
    np.testing.assert_array_equal(alone, in_company)


def test_one_file_twice_is_each_vector_twice_and_order_counts(engine, files):
    corpus = Corpus.of_texts("t", ["the dog", "dog dog the"])
    one, twice = (
        engine.embed(Recipe.parse(f"source=vectors({paths})"), corpus).vectors
        for paths in (f"path={files[0]}", f"path={files[0]},path2={files[0]}")
    )
    np.testing.assert_allclose(twice, np.hstack([one, one]), rtol=1e-6)
    there, back = (
        engine.embed(Recipe.parse(f"source=vectors(path={a},path2={b})"), corpus).vectors
        for a, b in (files, files[::-1])
    )
    np.testing.assert_allclose(back, np.hstack([there[:, 2:], there[:, :2]]), rtol=1e-6)


def test_the_most_frequent_words_are_those_of_the_first_file(engine, files):
    recipe = Recipe.parse(f"source=vectors(path={files[0]},drop=1,path2={files[1]})")
    without, dog = (
        engine.embed(recipe, Corpus.of_texts("t", [text])).vectors for text in ("the dog", "dog")
    )
    np.testing.assert_allclose(without, dog, rtol=1e-6)


def test_every_file_must_be_there_and_allowed(engine, files, tmp_path):
    with pytest.raises(ModelError, match="nowhere.txt' does not exist"):
        engine.source(Recipe.parse(f"source=vectors(path={files[0]},path2={tmp_path}/nowhere.txt)"))
    page = type(engine)(Settings(cache=tmp_path / "page", trust=Trust(folders=(tmp_path / "other",))))
    with pytest.raises(ModelError, match="may not be opened from here"):
        page.source(Recipe.parse("source=vectors(path={},path2={})".format(*files)))
