"""What is one recipe in other words is tried once, or told as the same."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from core.cli.find import _lines
from core.corpora.built_in import DEMO
from core.corpora.corpus import Corpus
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.search.aims import part
from core.search.alike import alike
from core.search.budget import Budget
from core.search.find import find
from core.search.found import PLAIN_MEAN
from core.search.measured import Measured
from core.search.question import Question
from core.search.space import Space
from core.settings import Settings
from tests.core.helpers.tiny import DEPTH
from tests.core.search.texts import many


@pytest.fixture(scope="module")
def pairs(bert, tmp_path_factory):
    """An engine, and pairs whose gold is their similarity under plain mean pooling."""
    engine = Engine(Settings(cache=tmp_path_factory.mktemp("alike")))
    texts, split = many(240), ["dev", "test"] * 60
    sides = texts[:120], texts[120:]
    blank = Corpus.of_pairs("p", *sides, [float(i) for i in range(120)], split=split)
    gold, _ = engine.similarities(Recipe.parse(f"{bert};layers=last"), blank)
    gold = 5 * (gold - gold.min()) / np.ptp(gold)
    return engine, part(Corpus.of_pairs("p", *sides, gold.tolist(), split=split))


@pytest.fixture(scope="module")
def found(pairs, bert):
    """A search of all stages, in which a reference would say no more."""
    engine, parted = pairs
    base = Recipe.parse(f"{bert};layers=last")
    return find(engine, Question.of(engine, base, [parted], reference=False), Budget(trials=80))


def test_as_many_recipes_are_tried_as_were_asked_for_and_none_twice(found):
    proposed = [trial.recipe for trial in found.trials if trial.recipe]
    assert len(found.trials) == 80
    assert len(set(proposed)) == len(proposed) > 70


def test_of_any_two_recipes_that_are_shown_the_vectors_or_how_they_are_compared_differ(pairs, found):
    """By the vectors themselves, on other sentences than the search has seen."""
    engine, _ = pairs
    corpus = Corpus.of_texts("some of demo", engine.corpus(DEMO).sentences[:120])
    shown = [Recipe.parse(trial.recipe) for trial in found.scored]
    vectors = [engine.embed(recipe, corpus).vectors for recipe in shown]
    assert len(shown) > 30
    for (one, u), (other, v) in combinations(zip(shown, vectors, strict=True), 2):
        if one.similarity == other.similarity:
            assert not np.array_equal(u, v), f"{one} is {other}"


def test_what_is_told_as_the_same_scores_the_same_and_is_shown_once(pairs, bert):
    engine, parted = pairs
    base = Recipe.parse(f"{bert};layers=last")
    question = Question.of(engine, base, [parted], ("tokens", "post", "similarity"), reference=False)
    found = find(engine, question, Budget(trials=60))
    assert found.alike
    scores = {trial.recipe: trial.dev for trial in found.trials} | {
        trial.recipe: trial.dev for trial in found.published.values()
    }
    shown = {trial.recipe for trial in found.scored}
    published = {trial.recipe for trial in found.published.values()}
    for other, standing in found.alike.items():
        assert scores[other] == pytest.approx(scores[standing], abs=1e-3)
        assert other not in shown
        assert standing in shown
        assert standing in published or len(standing) <= len(other)
    assert {each.recipe for each in found.ranked} <= shown
    assert not any(each.behind.low == each.behind.high == 0 for each in found.ranked)
    said = f"of the same score as another one on every resample of dev: {len(found.alike)}"
    assert f"  {said}" in _lines(found, "p")


def test_recipes_of_one_order_of_pairs_are_one_in_the_shortest_words(pairs, bert):
    engine, parted = pairs
    on_dev = Measured(engine, [parted.dev])
    texts = ["post=normalize", "", "post=centre;similarity=euclidean", "similarity=euclidean", "pool=max"]
    plain, normalized, centred, near, _ = recipes = [
        str(Recipe.parse(f"{bert};{text}")) for text in (texts[1], texts[0], *texts[2:])
    ]
    trials = [on_dev.trial(Recipe.parse(text)) for text in recipes]
    assert alike(on_dev, trials, set()) == {normalized: plain, centred: near}
    assert alike(on_dev, trials[::-1], {normalized}) == {plain: normalized, centred: near}
    narrow = [trials[0], replace(trials[1], dimensions=2)]
    assert alike(on_dev, narrow, set(), "dimensions") == {plain: normalized}, "where a cost is kept low"


def test_a_choice_that_is_plain_mean_pooling_is_not_compared_with_it(pairs, bert):
    """Layer 3 is the last of three, whichever of the names is held."""
    engine, parted = pairs
    base = Recipe.parse(f"{bert};layers={DEPTH}")
    found = find(engine, Question.of(engine, base, [parted], ("post",), reference=False), Budget(trials=5))
    assert found.dev == pytest.approx(100)
    assert found.recipe == f"{bert};layers=last"
    assert found.baseline is None
    assert f"  against {PLAIN_MEAN}: it is the choice itself" in _lines(found, "p")


def test_a_search_ends_where_no_other_recipe_is_proposed_and_says_so(pairs, bert):
    engine, parted = pairs
    base = Recipe.parse(f"{bert};layers=last")
    question = Question.of(engine, base, [parted], ("similarity",), reference=False)
    found = find(engine, question, Budget(trials=50))
    assert len(found.trials) == 5
    said = "The search proposes 5 different recipes in what is searched; 50 were asked for."
    assert said in found.notes
    assert not any("different recipes" in note for note in find(engine, question, Budget(trials=5)).notes)


def test_a_stage_that_is_held_is_the_same_in_other_words():
    space = Space(Recipe.parse("layers=6;tokens=content"), depth=6, heads=12, stages=("pool",))
    assert space.holds(Recipe.parse("layers=last;pool=cls"))
    assert not space.holds(Recipe.parse("layers=last;pool=max")), "it is of all tokens"
    assert not space.holds(Recipe.parse("layers=5;pool=cls"))
    assert str(space.plainest(Recipe.parse("layers=6;tokens=content;pool=cls"))) == "layers=last;pool=cls"
