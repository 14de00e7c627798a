"""Nearest sentences: by loops, by scikit-learn, in spans, with what a recipe learns from its corpus."""

import numpy as np
import pytest
from sklearn.neighbors import NearestNeighbors

from core import spans
from core.analysis.neighbours import nearest, of_texts
from core.corpora.corpus import Corpus
from core.errors import CorpusError
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.settings import Settings
from tests.core.helpers.texts import many

TEXTS = many(60)
ODD = "The twelve grey dogs number the rain."


@pytest.fixture(scope="module")
def engine(tmp_path_factory, with_lasting_passes) -> Engine:
    cache = with_lasting_passes(tmp_path_factory.mktemp("cache"), ("passes",))
    return Engine(Settings(cache=cache, shipped=None))


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return Corpus.of_texts("sixty", TEXTS)


def rows(seed: int, number: int, dim: int = 6) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(number, dim)).astype(np.float32)


def by_loops(vectors: np.ndarray, query: np.ndarray, skip: int, k: int) -> list[tuple[int, float]]:
    found = []
    for place, row in enumerate(vectors.astype(float)):
        product = sum(a * b for a, b in zip(row, query.astype(float), strict=True))
        lengths = sum(a * a for a in row) ** 0.5 * sum(float(b) * float(b) for b in query) ** 0.5
        if place != skip:
            found.append((place, product / lengths if lengths else 0.0))
    return sorted(found, key=lambda one: (-round(one[1], 9), one[0]))[:k]


@pytest.mark.parametrize("span", [48, 200, 10**6])
@pytest.mark.parametrize("k", [1, 4, 100])
def test_nearest_by_loops_in_spans_of_any_size(span, k, monkeypatch):
    monkeypatch.setattr(spans, "SPAN_BYTES", span)
    vectors, queries, skip = rows(0, 23), rows(1, 3), np.array([-1, 4, 22])
    vectors[7] = 0
    found = nearest(vectors, queries, k, skip)
    for number, query in enumerate(queries):
        wanted = by_loops(vectors, query, skip[number], min(k, 22))
        assert found.places[number].tolist() == [place for place, _ in wanted]
        np.testing.assert_allclose(found.cosines[number], [cosine for _, cosine in wanted], atol=1e-6)


@pytest.mark.parametrize("span", [10_000, 10**8])
def test_twenty_thousand_rows_have_the_neighbours_that_scikit_learn_finds(span, monkeypatch):
    monkeypatch.setattr(spans, "SPAN_BYTES", span * 64)
    vectors, queries = rows(2, 20_000, 16), rows(3, 40, 16)
    library = NearestNeighbors(n_neighbors=10, algorithm="brute", metric="cosine").fit(vectors)
    distances, places = library.kneighbors(queries)
    found = nearest(vectors, queries, 10)
    np.testing.assert_array_equal(found.places, places)
    np.testing.assert_allclose(found.cosines, 1 - distances, atol=1e-5)


def test_equal_rows_come_in_their_order_whatever_the_spans(monkeypatch):
    same = np.repeat(rows(4, 3), 30, axis=0)
    monkeypatch.setattr(spans, "SPAN_BYTES", 8 * 6 * 7)
    assert nearest(same, same[:1], 5).places.tolist() == [[0, 1, 2, 3, 4]]
    assert nearest(same, same[:1], 5, np.array([2])).places.tolist() == [[0, 1, 3, 4, 5]]


@pytest.mark.parametrize(
    "recipe",
    [
        "layers=last",
        "layers=1;weight=idf;post=zscore",
        "post=whiten(k=8)",
        "weight=idf(fit=reference);post=abtt(fit=reference)",
        "template=T0;weight=idf",
        "weight=sif(fit=target);post=abtt(fit=reference)",
    ],
)
def test_a_text_gets_the_vector_that_it_has_in_the_corpus(engine, corpus, recipe):
    """Asked for under another case of its letters, a sentence is its own nearest, with the cosine 1."""
    asked = Recipe.parse(recipe)
    found = of_texts(engine, asked, corpus, [TEXTS[5].upper(), TEXTS[9], ODD], 4)
    assert found.places[0, 0] == 5
    assert found.cosines[0, 0] == pytest.approx(1, abs=1e-4)
    assert 9 not in found.places[1]
    vectors = engine.embed(asked, corpus).vectors
    np.testing.assert_array_equal(
        found.places[1], nearest(vectors, vectors[9:10], 4, np.array([9])).places[0]
    )
    assert found.places.shape == (3, 4)


def test_what_cannot_be_asked_is_refused_in_words(engine, corpus):
    with pytest.raises(CorpusError, match="Text 2 is empty"):
        of_texts(engine, Recipe(), corpus, ["one", "  "])
    with pytest.raises(CorpusError, match="no text"):
        of_texts(engine, Recipe(), corpus, [])
    with pytest.raises(CorpusError, match="no other sentence.*take a larger one"):
        of_texts(engine, Recipe(), Corpus.of_texts("one", ["A dog."]), ["A dog."])
