"""SBERT-WK's layers in the engine: per token, by loops over the states that transformers alone gives."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from core.corpora.corpus import Corpus
from core.errors import RecipeError
from core.pipeline import token_stages
from core.pipeline.engine import Engine
from core.recipe import LAYERS, Recipe
from core.sources.token_states import StreamedPass
from core.stages.layers import resolve
from core.stages.sbert_wk import LEAST_COSINE
from tests.core.helpers.reference import Sentence, one_at_a_time
from tests.core.helpers.texts import many
from tests.core.stages.test_sbert_wk import cosine, paper, shares

TEXTS = ("The white dog is running.", "A girl plays guitar in the rain", "dogs", "", "Two cats, two dogs!")


def released(states: np.ndarray, window: int) -> tuple[np.ndarray, np.ndarray]:
    """The authors' program for one token, by QR, but with no alignment below the least cosine."""
    aligned, novel = [], []
    for k in range(len(states)):
        others = np.concatenate([states[k - window : k], states[k + 1 : k + 1 + window]])
        _, r = np.linalg.qr(np.column_stack([*others, states[k]]))
        mean = np.mean(r[:-1, :-1] / np.linalg.norm(r[:-1, :-1], axis=0), axis=1)
        beta = mean @ r[:-1, -1] / np.linalg.norm(r[:-1, -1])
        aligned.append(1 / (max(beta, LEAST_COSINE) * (len(others) + 1)))
        novel.append(abs(r[-1, -1]) / np.linalg.norm(r[:, -1]))
    return shares(aligned), shares(novel)


FORMS = {"paper": paper, "released": released}


def fused(states: np.ndarray, start: int, window: int, omega: float, form: str) -> np.ndarray:
    """One vector per token from ``states`` [layer, token, dim], one token after the other."""
    out = []
    for token in range(states.shape[1]):
        rows = states[start:, token].astype(np.float64)
        aligned, novel = FORMS[form](rows, window)
        share = 0.5 if form == "released" else omega
        out.append((share * aligned + (1 - share) * novel) @ rows)
    return np.array(out)


def importance(states: np.ndarray, start: int = 0) -> np.ndarray:
    """Per token, the variance of the cosines of its states in adjacent layers."""
    out = []
    for token in range(states.shape[1]):
        rows = states[start:, token].astype(np.float64)
        out.append(np.var([cosine(a, b) for a, b in pairwise(rows)]))
    return np.array(out)


@pytest.fixture(scope="module")
def alone(model) -> list[Sentence]:
    """The states of each text, read alone."""
    return one_at_a_time(model("bert"), TEXTS)


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return Corpus.of_texts("t", TEXTS)


def close(found: np.ndarray, expected: list[np.ndarray]) -> None:
    np.testing.assert_allclose(found, np.array(expected), atol=2e-5)


# -- end to end --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("layers", "start", "window", "omega", "form"),
    [
        ("wk(start=0)", 0, 2, 0.5, "paper"),
        ("wk(start=1)", 1, 2, 0.5, "paper"),
        ("wk(start=2)", 2, 2, 0.5, "paper"),
        ("wk(start=0,window=1)", 0, 1, 0.5, "paper"),
        ("wk(start=0,window=24,omega=1)", 0, 24, 1, "paper"),
        ("wk(start=0,window=1,omega=0)", 0, 1, 0, "paper"),
        ("wk(start=0,omega=0.2)", 0, 2, 0.2, "paper"),
        ("wk(start=0,form=released)", 0, 2, 0.5, "released"),
        ("wk(start=1,window=1,form=released,omega=0.9)", 1, 1, 0.9, "released"),
    ],
)
def test_sbert_wk_equals_loops_over_tokens(
    layers, start, window, omega, form, shared_engine, bert, alone, corpus
):
    recipe = Recipe.parse(f"{bert};layers={layers};weight=variance")
    expected = []
    for sentence in alone:
        weights = importance(sentence.hidden)
        vectors = fused(sentence.hidden, start, window, omega, form)
        expected.append(weights @ vectors / weights.sum())
    close(shared_engine.embed(recipe, corpus).vectors, expected)


@pytest.mark.parametrize("start", [0, 1])
def test_the_weights_of_tokens_are_shares_of_their_variance(start, shared_engine, bert, alone, corpus):
    recipe = Recipe.parse(f"{bert};layers=wk(start=1);weight=variance(start={start})")
    for shown, sentence in zip(shared_engine.token_weights(recipe, corpus), alone, strict=True):
        expected = importance(sentence.hidden, start)
        np.testing.assert_allclose(shown.shares, expected / expected.sum(), atol=1e-5)


def test_as_the_program_does_it_without_the_separator(shared_engine, bert, alone, corpus):
    recipe = Recipe.parse(f"{bert};layers=wk(start=0,form=released);weight=variance;tokens=noseparator")
    expected = []
    for sentence in alone:
        weights, vectors = (
            importance(sentence.hidden)[:-1],
            fused(sentence.hidden, 0, 2, 0.5, "released")[:-1],
        )
        expected.append(weights @ vectors / weights.sum())
    close(shared_engine.embed(recipe, corpus).vectors, expected)


@pytest.mark.parametrize("pool", ["mean", "sum", "max", "cls"])
def test_states_are_fused_before_they_are_pooled(pool, shared_engine, bert, alone, corpus):
    pooled = {"mean": np.mean, "sum": np.sum, "max": np.max, "cls": lambda x, axis: x[0]}[pool]
    recipe = Recipe.parse(f"{bert};layers=wk(start=1);pool={pool}")
    expected = [pooled(fused(s.hidden, 1, 2, 0.5, "paper"), axis=0) for s in alone]
    close(shared_engine.embed(recipe, corpus).vectors, expected)


def test_the_norm_is_that_of_the_fused_state(shared_engine, bert, alone, corpus):
    recipe = Recipe.parse(f"{bert};layers=wk(start=1);weight=norm")
    for shown, sentence in zip(shared_engine.token_weights(recipe, corpus), alone, strict=True):
        norms = np.linalg.norm(fused(sentence.hidden, 1, 2, 0.5, "paper"), axis=1)
        np.testing.assert_allclose(shown.shares, norms / norms.sum(), atol=1e-5)


def test_it_is_no_average_and_neither_takes_the_other_from_memory(engine, bert, alone, corpus):
    average, wk = (Recipe.parse(f"{bert};layers={layers}") for layers in ("1+2+3", "wk(start=1)"))
    by_hand = [s.hidden[1:].mean(axis=(0, 1)) for s in alone]
    first = engine.embed(average, corpus).vectors
    fused_vectors = engine.embed(wk, corpus).vectors
    again = engine.embed(average.replace(post="normalize"), corpus).vectors
    close(first, by_hand)
    close(again, [v / np.linalg.norm(v) for v in by_hand])
    assert np.abs(first - fused_vectors).max() > 1e-3
    others = [
        engine.embed(wk.replace(layers=f"wk(start=1,{m})"), corpus).vectors for m in ("omega=0", "window=1")
    ]
    assert np.abs(others[0] - fused_vectors).max() > 1e-3
    assert np.abs(others[1] - fused_vectors).max() > 1e-4


def test_it_is_pooled_once_for_all_its_layers(engine, bert, corpus, monkeypatch):
    groups, pool = [], token_stages.pool_groups

    def noted(weighted, pooling, wanted, *others):
        groups.append(list(wanted))
        return pool(weighted, pooling, wanted, *others)

    monkeypatch.setattr(token_stages, "pool_groups", noted)
    for more in ("", ";pool=max", ";weight=variance"):
        engine.embed(Recipe.parse(f"{bert};layers=wk(start=1){more}"), corpus)
    assert groups == [[(1, 2, 3)]] * 3
    engine.embed(Recipe.parse(f"{bert};layers=wk(start=1);post=normalize"), corpus)
    assert len(groups) == 3


def test_a_pass_too_large_to_keep_gives_the_same(settings, shared_engine, bert, corpus):
    recipe = Recipe.parse(f"{bert};layers=wk(start=1);weight=variance")
    streaming = Engine(replace(settings, budget_bytes=1))
    found, _ = streaming.passes.get(streaming.source(recipe), corpus)
    assert isinstance(found, StreamedPass)
    close(streaming.embed(recipe, corpus).vectors, [*shared_engine.embed(recipe, corpus).vectors])


# -- beside other choices ------------------------------------------------------------------------------


def test_averaged_token_vectors_have_layers_to_fuse(engine, bert, texts_file):
    """Each token's state in a layer is its mean over the reference, and those are fused."""
    corpus = Corpus.of_texts("t", many(4))
    averaged = f"source=averaged(model={bert.removeprefix('source=')});reference={texts_file}"
    recipe = Recipe.parse(f"{averaged};layers=wk(start=0);weight=variance")
    found, _ = engine.passes.get(engine.source(recipe), corpus)
    expected = []
    for text in range(4):
        span = found.tokens.span(text)
        hidden = np.stack([found.read(layer, span) for layer in range(4)])
        weights = importance(hidden)
        expected.append(weights @ fused(hidden, 0, 2, 0.5, "paper") / weights.sum())
    close(engine.embed(recipe, corpus).vectors, expected)
    plain = engine.embed(Recipe.parse(f"{bert};layers=wk(start=0);weight=variance"), corpus).vectors
    assert np.abs(plain - np.array(expected)).max() > 1e-3


def test_both_halves_of_a_mixture_are_fused(engine, bert, texts_file):
    corpus = Corpus.of_texts("t", many(4))
    stage_choices = f"layers=wk(start=1);reference={texts_file}"
    model = engine.embed(Recipe.parse(f"{bert};{stage_choices}"), corpus).vectors
    source = f"source=averaged(model={bert.removeprefix('source=')})"
    averaged = engine.embed(Recipe.parse(f"{source};{stage_choices}"), corpus).vectors
    mixed = engine.embed(Recipe.parse(f"{bert};{stage_choices};mix=averaged(w=0.3)"), corpus).vectors
    np.testing.assert_allclose(mixed, 0.7 * model + 0.3 * averaged, atol=1e-5)


def test_every_step_of_it_runs_in_the_engine(shared_engine, bert, scored):
    recipe = Recipe.parse(f"{bert};layers=wk(start=1);weight=idf;post=zscore")
    steps = recipe.stepwise()
    assert [name for name, _ in steps] == ["layers=wk(start=1)", "weight=idf", "post=zscore"]
    assert steps[-1][1] == recipe
    vectors = [shared_engine.embed(step, scored).vectors for _, step in steps]
    mean, deviation = (f(vectors[1][scored.positions], axis=0) for f in (np.mean, np.std))
    np.testing.assert_allclose(vectors[2], (vectors[1] - mean) / deviation, atol=1e-4)
    assert np.abs(vectors[0] - vectors[1]).max() > 1e-3


def test_idf_weighs_fused_states(shared_engine, bert, alone, corpus):
    recipe = Recipe.parse(f"{bert};layers=wk(start=1);weight=idf")
    shares = [shown.shares for shown in shared_engine.token_weights(recipe, corpus)]
    assert np.ptp(shares[0]) > 0
    expected = [s @ fused(a.hidden, 1, 2, 0.5, "paper") for s, a in zip(shares, alone, strict=True)]
    close(shared_engine.embed(recipe, corpus).vectors, expected)


def test_a_recipe_with_it_is_its_text():
    for text in ("layers=wk", "layers=wk(window=3,start=1,omega=0.25,form=released)"):
        assert str(Recipe.parse(text)) == text
    assert str(Recipe.parse("layers=wk( start = 4 , omega=0.50, form=paper)")) == "layers=wk"


# -- refusals ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "layers", ["wk+last", "0+wk(start=1)", "static+wk(start=1)", "wk(start=1)+wk(start=2)"]
)
def test_it_stands_alone(layers, engine, bert, corpus):
    with pytest.raises(RecipeError, match="layers=wk weighs layers itself and stands alone"):
        engine.embed(Recipe.parse(f"{bert};layers={layers}"), corpus)
    assert engine.store.entries() == []


@pytest.mark.parametrize("start", [3, 4, 1000])
def test_a_start_that_leaves_fewer_than_two_layers_is_refused(start, engine, bert, corpus):
    """The default, 4, is meant for deeper models than this one."""
    message = rf"layers=wk\(start\): got {start}, which leaves fewer than two .* allowed is 0 to 2\."
    with pytest.raises(RecipeError, match=message):
        engine.embed(Recipe.parse(f"{bert};layers=wk(start={start})"), corpus)
    assert engine.store.entries() == []


@pytest.mark.parametrize("source", ["random(dim=4)", "doc2vec(epochs=1)"])
def test_a_table_has_no_layers_to_fuse(source, engine, corpus):
    with pytest.raises(
        RecipeError, match=f"layers: {source[:6]}.* has one layer only; allowed is static or 0"
    ):
        engine.embed(Recipe.parse(f"source={source};layers=wk(start=0)"), corpus)


def test_word_vectors_of_a_file_have_no_layers_to_fuse(engine, vectors_file, corpus):
    with pytest.raises(RecipeError, match=r"layers: words\.txt has one layer only"):
        engine.embed(Recipe.parse(f"source=vectors(path={vectors_file});layers=wk"), corpus)


@pytest.mark.parametrize("start", [2, 3, 9])
def test_a_start_that_leaves_no_variance_is_refused(start, shared_engine, bert, corpus):
    """Three layers have two cosines, the fewest that can differ."""
    message = (
        rf"weight=variance\(start\): got {start}, which leaves fewer than three .* allowed is 0 to 1\."
    )
    for layers in ("last", "wk(start=2)"):
        with pytest.raises(RecipeError, match=message):
            shared_engine.embed(
                Recipe.parse(f"{bert};layers={layers};weight=variance(start={start})"), corpus
            )


def test_the_range_of_layers_is_from_start_to_the_last():
    offered = tuple(range(-1, 13))
    fusion = resolve(LAYERS.parse("wk"), offered, "m")
    assert (fusion.layers, fusion.linear) == (tuple(range(4, 13)), False)
    assert resolve(LAYERS.parse("wk(start=11)"), offered, "m").layers == (11, 12)
    with pytest.raises(RecipeError, match="allowed is 0 to 11"):
        resolve(LAYERS.parse("wk(start=12)"), offered, "m")
