"""What is made of the sentences that one arrives with comes along: the same as what is computed."""

from dataclasses import astuple, replace

import numpy as np
import pytest

from core.analysis import sentence_weights
from core.analysis.heads import attention
from core.analysis.masking.plan import plan_masking
from core.corpora.corpus import Corpus
from core.errors import StrataError
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.sources.forward_passes import ForwardPasses
from tests.core.helpers.texts import many

TEXT = "The dogs were playing guitars."
CORPUS = Corpus.of_texts("pasted", many(3), origin="pasted")


def weights(engine, recipe):
    return [astuple(each) for each in sentence_weights.of_sentences(engine, recipe, CORPUS)]


def heads(engine, recipe):
    found = attention.attention(engine, recipe, TEXT)
    return [found.surface_forms, found.own, found.weights]


def plan(engine, recipe):
    made = plan_masking(engine, engine.source(recipe), TEXT)
    return [made.ids, made.types, made.unit, made.surface_forms, made.units, made.counted, made.mask_id]


def same(one, other) -> bool:
    np.testing.assert_equal(one, other)
    return True


@pytest.mark.parametrize("made", [weights, heads, plan])
def test_an_engine_that_ships_keeps_it_and_others_need_no_model(made, settings, bert, monkeypatch):
    recipe = Recipe.parse(f"{bert};weight=idf(fit=reference)")
    visited, shipping = Engine(settings), Engine(replace(settings, ships=True))
    expected = made(visited, recipe)
    assert same(made(shipping, recipe), expected)

    def refuse(passes, source):
        raise StrataError("a model is loaded")

    monkeypatch.setattr(ForwardPasses, "encoder", refuse)
    assert same(made(Engine(settings), recipe), expected)


@pytest.mark.parametrize("made", [weights, heads, plan])
def test_a_visit_keeps_none_of_it(made, settings, bert):
    recipe, engine = Recipe.parse(bert), Engine(settings)
    made(engine, recipe)
    assert not sentence_weights.come_along(engine, recipe, CORPUS)
    assert not attention.comes_along(engine, recipe, TEXT)
    assert not list(settings.cache.glob("tables/masking-plan*"))


def test_weights_are_those_of_the_engine(engine, bert):
    recipe = Recipe.parse(f"{bert};weight=sif")
    computed = engine.token_weights(recipe, CORPUS)
    assert same(weights(engine, recipe), [astuple(each) for each in computed])
