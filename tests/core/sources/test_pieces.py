"""Of a reference every token counts: texts longer than a model takes are read in pieces."""

from collections import Counter

import numpy as np
import pytest

from core.corpora.corpus import Corpus
from core.recipe import Recipe
from core.sources.pieces import cut, may_be_too_long

WORDS = "the dogs ran in the park and a man sat on a mat".split()
LONG = " ".join(WORDS[i % len(WORDS)] for i in range(250))
TEXTS = [LONG, "A dog runs in the park.", LONG, "x" * 150]


@pytest.fixture
def reference(tmp_path):
    path = tmp_path / "long.txt"
    path.write_text("\n".join(TEXTS) + "\n", "utf-8")
    return path


@pytest.mark.parametrize("limit", [1, 2, 5, 40, 1000])
def test_pieces_are_short_enough_and_nothing_is_lost(limit):
    texts = ["", "one", LONG, " ".join("abc" * 7), "y" * 33]
    pieces = cut(texts, lambda some: np.array([len(text) > limit for text in some], bool))
    assert max(len(piece) for parts in pieces for piece in parts) <= limit
    assert ["".join(parts).replace(" ", "") for parts in pieces] == [
        text.replace(" ", "") for text in texts
    ]
    if limit == 40:
        assert " ".join(pieces[2]) == LONG  # cut where words end


def test_only_long_texts_are_looked_at():
    assert may_be_too_long(["a" * 13, "a" * 14, "é" * 7], 16) == [1, 2]


def test_the_reference_of_a_model_is_cut_and_counted_whole(engine, bert, reference):
    recipe = Recipe.parse(f'{bert};weight=idf(fit=reference);reference="{reference}"')
    found, source = engine.references.of(recipe), engine.source(recipe)
    tokens = engine.passes.tokens(source, found.sentences)
    assert not tokens.truncated.any()
    assert found.positions.size > len(TEXTS)
    assert any("cut into" in note for note in found.notes)
    kept = " ".join(found.sentences[i] for i in found.positions)
    pieces_of_x = [piece for piece in kept.split() if set(piece) == {"x"}]
    assert "".join(pieces_of_x) == TEXTS[3]
    assert Counter(kept.split()) == Counter(" ".join(TEXTS[:3]).split()) + Counter(pieces_of_x)
    whole = engine.corpus(str(reference), "all")
    assert engine.passes.tokens(source, whole.sentences).truncated.sum() == 1  # of the different texts


def test_every_token_is_a_context_of_averaged_vectors(engine, bert, reference):
    model = bert.removeprefix("source=")
    recipe = Recipe.parse(f'source=averaged(model="{model}");reference="{reference}"')
    source = engine.source(recipe)
    _, counts = engine.passes._tables._averages(source, lambda _: None)
    tokens = engine.passes.tokens(engine.source(Recipe.parse(bert)), source.learnt_from.sentences)
    repeats = source.learnt_from.repeats[tokens.order][tokens.sentence]
    assert counts.sum() == repeats.sum() > 500 + 2 * len(TEXTS)


def test_short_texts_files_of_vectors_and_missing_models_leave_the_reference_as_it_is(
    engine, bert, reference, vectors_file, texts_file
):
    short = engine.corpus(str(texts_file), "all")
    assert engine.references.of(Recipe.parse(f'{bert};reference="{texts_file}"')) is short
    whole = engine.corpus(str(reference), "all")
    for source in (f"vectors(path={vectors_file})", "doc2vec", "no/such-model-here"):
        assert engine.references.of(Recipe.parse(f'source={source};reference="{reference}"')) is whole


def test_cuts_are_kept(engine, settings, bert, reference, monkeypatch):
    recipe = Recipe.parse(f'{bert};reference="{reference}"')
    first = engine.references.of(recipe)
    monkeypatch.setattr("core.sources.passes.cut", lambda *_: pytest.fail("cut again"))
    assert type(engine)(settings).references.of(recipe).fingerprint == first.fingerprint
    assert isinstance(first, Corpus)


def test_a_reference_that_is_not_cut_is_not_cut_to_say_how_long_work_takes(
    engine, bert, reference, texts_file, monkeypatch
):
    recipe = Recipe.parse(
        f'{bert};weight=idf(fit=reference);post=whiten(fit=reference);reference="{reference}"'
    )
    corpus = Corpus.of_texts("pasted", ["One dog runs.", "Two dogs sit."])
    assert engine.references.at_hand(recipe.replace(weight="uniform", post="none"))
    assert engine.references.at_hand(recipe.replace(reference=f'"{texts_file}"')), "it has no long texts"
    with monkeypatch.context() as patched:
        patched.setattr("core.sources.passes.cut", lambda *_: pytest.fail("cut"))
        assert not engine.references.at_hand(recipe)
        assert engine.references.as_given(recipe) is engine.corpus(str(reference), "all")
        before = engine.pending_seconds(recipe, corpus)
    engine.references.of(recipe)
    assert engine.references.at_hand(recipe)
    after = engine.pending_seconds(recipe, corpus)  # of a text whose rest counts now, twice as long
    assert 0 < before < after < 2 * before
