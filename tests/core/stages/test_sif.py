"""SIF and uSIF beside forms written from their papers and from what their authors' programs do."""

import re

import numpy as np
import pytest
import wordfreq

from core.corpora.corpus import Corpus
from core.recipe import Recipe
from tests.core.helpers.texts import many

ENGLISH = wordfreq.get_frequency_dict("en", wordlist="best")
TEXTS = [*many(40), "the dog , the cat and a qwzzk !", "dogs ?", "so . so ."]


@pytest.fixture(scope="module")
def vectors_of_words(tmp_path_factory):
    """A file of word vectors that has every word of the texts, punctuation and an unknown word included."""
    generator = np.random.default_rng(7)
    words = sorted({word for text in TEXTS for word in split(text)})
    rows = {word: np.round(generator.normal(size=10), 4) for word in words}
    path = tmp_path_factory.mktemp("sif") / "words.txt"
    lines = (f"{word} {' '.join(map(str, row.tolist()))}" for word, row in rows.items())
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path, rows


def split(text):
    return re.findall(r"\w+|[^\w\s]", text.lower())


def arora(rows, a, punctuation):
    """Equation of Algorithm 1: the sum of a / (a + p(w)) v_w over the number of words of the sentence."""
    out = []
    for text in TEXTS:
        words = [w for w in split(text) if punctuation != "none" or w[0].isalnum()]
        share = {w: ENGLISH.get(w, max(ENGLISH.values()) if frequent(w, punctuation) else 0) for w in words}
        out.append(sum(a / (a + share[w]) * rows[w] for w in words) / len(words))
    return np.array(out)


def frequent(word, punctuation):
    return punctuation == "frequent" and not word[0].isalnum()


def without_first(x, texts):
    """What Algorithm 1 takes away: the first singular vector of the matrix of sentence vectors."""
    _, _, right = np.linalg.svd(x[texts.positions])
    return x - np.outer(x @ right[0], right[0])


@pytest.mark.parametrize("punctuation", ["frequent", "unknown", "none"])
def test_sif_divides_by_the_number_of_words(punctuation, shared_engine, vectors_of_words):
    path, rows = vectors_of_words
    texts = Corpus.of_texts("t", TEXTS)
    recipe = Recipe.parse(
        f"source=vectors(path={path});tokens=content;weight=sif(punctuation={punctuation})"
    )
    expected = arora(rows, 1e-3, punctuation)[[TEXTS.index(text) for text in texts.sentences]]
    np.testing.assert_allclose(shared_engine.embed(recipe, texts).vectors, expected, atol=1e-6)
    found = shared_engine.embed(recipe.replace(post="ccr"), texts).vectors
    np.testing.assert_allclose(found, without_first(expected, texts), atol=1e-5)


def test_over_weights_is_the_weighted_mean(shared_engine, vectors_of_words):
    path, _ = vectors_of_words
    texts = Corpus.of_texts("t", TEXTS)
    recipe = Recipe.parse(f"source=vectors(path={path});weight=sif")
    over = recipe.replace(weight="sif(over=weights)")
    by_words, by_weights = (shared_engine.embed(each, texts).vectors for each in (recipe, over))
    for text, plain, mean in zip(texts.sentences, by_words, by_weights, strict=True):
        words = split(text)
        p = [ENGLISH.get(w, max(ENGLISH.values()) if not w[0].isalnum() else 0) for w in words]
        weights = 1e-3 / (1e-3 + np.array(p))
        np.testing.assert_allclose(mean, plain * len(words) / weights.sum(), atol=1e-6)
    assert recipe.replace(weight="sif(over=words)") == recipe


def test_usif_is_as_its_program_has_it(shared_engine, vectors_of_words):
    """The mean of a / (a/2 + p) v over the words; punctuation is left out, what is unknown counts as rare.

    The program divides each dimension by its norm over the words of the sentence first; that is left out.

    Five directions are taken away, one after another, by the share of their squared singular value.
    """
    path, rows = vectors_of_words
    texts = Corpus.of_texts("t", TEXTS)
    size = len(ENGLISH)
    alpha = sum(p > 1 - (1 - 1 / size) ** 11 for p in ENGLISH.values()) / size
    a = (1 - alpha) / (alpha * 0.5 * size)
    expected = []
    for text in texts.sentences:
        words = [w for w in split(text) if re.match(".*[A-Za-z0-9].*", w)]
        weights = [a / (0.5 * a + ENGLISH.get(w, min(ENGLISH.values()))) for w in words]
        expected.append(np.mean([w * rows[word] for w, word in zip(weights, words, strict=True)], axis=0))
    expected = np.array(expected)
    recipe = Recipe.parse(
        f"source=vectors(path={path});tokens=content;weight=usif(punctuation=none,unknown=rarest)"
    )
    np.testing.assert_allclose(shared_engine.embed(recipe, texts).vectors, expected, atol=1e-5)
    _, values, right = np.linalg.svd(expected[texts.positions])
    shares = values[:5] ** 2 / (values[:5] ** 2).sum()
    for share, direction in zip(shares, right, strict=False):
        expected = expected - share * np.outer(expected @ direction, direction)
    found = shared_engine.embed(recipe.replace(post="pccr"), texts).vectors
    np.testing.assert_allclose(found, expected, atol=1e-5)


def test_a_text_of_punctuation_alone_counts_all_its_tokens(shared_engine, vectors_of_words):
    path, rows = vectors_of_words
    recipe = Recipe.parse(f"source=vectors(path={path});weight=sif(punctuation=none)")
    embedded = shared_engine.embed(recipe, Corpus.of_texts("t", [". !", "dogs"]))
    np.testing.assert_allclose(embedded.vectors[0], (rows["."] + rows["!"]) / 2, atol=1e-6)
    assert any("no weight above 0" in note for note in embedded.notes)


def test_kept_results_of_the_first_edition_are_not_found():
    kept, now = (
        Recipe.parse(f"{text};similarity=dot") for text in ("weight=idf;post=zscore", "weight=sif(a=0.01)")
    )
    assert kept.keyed() == kept.spelled()
    assert now.keyed() == now.spelled() | {"weight": "sif(a=0.01)@3"}


PIECES = ["Unfathomably, zebras outmanoeuvred the wolves.", "the wolves slept", "Zebras' stripes", "..."]
"""Words that the bundled tokenizer has in one piece and in several."""


def words_by_spans(tokenizer, text):
    """The ids of a text by word: its pieces that lie within one run of letters of it, or in one mark."""
    encoding = tokenizer.encode(text, add_special_tokens=False)
    runs = [match.span() for match in re.finditer(r"\w+|[^\w\s]", text)]
    for start, stop in runs:
        within = zip(encoding.ids, encoding.offsets, strict=True)
        yield text[start:stop].lower(), [i for i, (low, high) in within if start <= low and high <= stop]


def test_sif_of_pieces_divides_by_the_number_of_words(shared_engine):
    """Beside a form written from the paper: pieces take their word's p, and |s| counts the words."""
    recipe = Recipe.parse("layers=static;tokens=content;weight=sif(punctuation=unknown)")
    encoder = shared_engine.passes.encoder(shared_engine.source(recipe))
    texts = Corpus.of_texts("t", PIECES)
    expected, in_pieces = [], 0
    for text in texts.sentences:
        words = list(words_by_spans(encoder.tokenizer.backend(), text))
        weights = [1e-3 / (1e-3 + ENGLISH.get(word, 0)) for word, _ in words]
        rows = [encoder.static_rows(np.array(ids)).sum(axis=0) for _, ids in words]
        expected.append(np.tensordot(weights, rows, axes=1) / len(words))
        in_pieces += sum(len(ids) > 1 for _, ids in words)
    assert in_pieces >= 3
    found = {
        over: shared_engine.embed(recipe.replace(weight=f"sif({over}punctuation=unknown)"), texts).vectors
        for over in ("", "over=tokens,")
    }
    np.testing.assert_allclose(found[""], expected, atol=1e-6)
    lengths = [
        len(encoder.tokenizer.backend().encode(t, add_special_tokens=False)) for t in texts.sentences
    ]
    counts = [len(split(text)) for text in texts.sentences]
    np.testing.assert_allclose(
        found["over=tokens,"], expected * np.divide(counts, lengths)[:, None], atol=1e-6
    )
