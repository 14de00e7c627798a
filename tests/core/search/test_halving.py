"""Successive halving: fixed nested subsamples, and recipes that are given up before they read all."""

import json
import math
import threading
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.corpora.corpus import Corpus
from core.errors import RecipeError
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.search import halving
from core.search.aims import part
from core.search.budget import Budget
from core.search.find import find
from core.search.found import Found
from core.search.halving import Halving, Rung, shares, some_texts
from core.search.journal import Entry
from core.search.measured import Measured, Trial, best_first, on_same_rows
from core.search.question import Question
from core.search.space import Space
from core.search.study import SEEN, looked_at
from core.search.trials import done, measured_on_dev
from core.search.trials import run as trials_of
from core.settings import Settings
from tests.core.search.texts import many

STAGES = ("layers", "tokens", "pool")
OPTIMUM = "layers=1;tokens=content;pool=max"


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Rungs for a dev of 60 rows: 7 and 20 of them."""
    monkeypatch.setattr(halving, "FEWEST_ROWS", 5)


@pytest.fixture(scope="module")
def planted(bert, tmp_path_factory):
    """An engine, and the two parts of pairs whose gold is their similarity under one recipe."""
    engine = Engine(Settings(cache=tmp_path_factory.mktemp("halving")))
    texts = many(240)
    split, subset = ["dev", "test"] * 60, ["a", "a", "b", "b"] * 30
    blank = Corpus.of_pairs("p", texts[:120], texts[120:], [*map(float, range(120))], split=split)
    gold, _ = engine.similarities(Recipe.parse(f"{bert};{OPTIMUM}"), blank)
    gold = 5 * (gold - gold.min()) / np.ptp(gold)
    corpus = Corpus.of_pairs("p", texts[:120], texts[120:], gold.tolist(), split=split, subset=subset)
    return engine, part(corpus)


def question(parted, bert, **more) -> Question:
    space = Space(Recipe.parse(bert), depth=2, heads=2, reference=False, stages=STAGES)
    return Question(space, (parted,), **more)


def test_subsamples_are_nested_alike_in_any_order_and_of_every_subset(planted):
    _, parted = planted
    aim = parted.dev
    pairs = [
        {frozenset((c.sentences[a], c.sentences[b])) for a, b in zip(c.first, c.second, strict=True)}
        for c in (aim.sampled(share).corpus for share in (1 / 9, 1 / 3, 1))
    ]
    assert [len(each) for each in pairs] == [6, 20, 60]
    assert pairs[0] < pairs[1] < pairs[2]
    assert aim.sampled(1 / 9).corpus.subset.count("a") == 3
    c = aim.corpus
    second, first = ([c.sentences[i] for i in side[::-1]] for side in (c.first, c.second))
    turned = Corpus.of_pairs(
        "p", first, second, c.gold[::-1].tolist(), split=c.split[::-1], subset=c.subset[::-1]
    )
    again = replace(aim, corpus=turned).sampled(1 / 9).corpus
    assert {*again.sentences} == {*aim.sampled(1 / 9).corpus.sentences}
    labelled = Corpus.of_labelled("l", many(90), ["x"] * 81 + ["y"] * 9)
    assert replace(aim, corpus=labelled).sampled(1 / 9).corpus.labels.count("y") == 1
    assert shares([aim]) == pytest.approx([1 / 9, 1 / 3])
    assert shares([aim, aim.sampled(1 / 6)]) == (), "the smallest corpus says how small a part may be"


def test_the_best_third_of_those_on_the_same_rows_goes_on(engine):
    rung = Rung(Measured(engine, []))
    scores = [5, 4, 6, 5.5, 7, 6.5, 1, 6.9, 2, 3, 3, 6.95, 6.8]
    went_on = [score for number, score in enumerate(scores) if rung.keeps(str(number), score)]
    assert went_on == [5, 6, 7, 6.95], "a third of them, and whatever is better than all"
    assert rung.keeps("4", 7.1), "the same recipe again counts once"
    assert len(rung.scores) == len(scores)
    for number in range(100):
        rung.keeps(f"low {number}", number / 100)
    assert rung.keeps("better than the latest", 1.0), "however good the first ones were"
    assert not rung.keeps("as low", 0.5)


def test_from_the_smallest_rung_a_quarter_goes_on_and_from_a_larger_one_a_third(planted):
    engine, parted = planted
    halving = Halving(engine, Measured(engine, [parted.dev]), (1 / 9, 1 / 3), None)
    scores = np.random.default_rng(0).normal(size=600).tolist()
    shares_of = [sum(rung.keeps(str(score), score) for score in scores) / 600 for rung in halving.rungs]
    assert 0.2 < shares_of[0] < 1 / 4 < shares_of[1] < 1 / 3


def test_of_ever_better_recipes_a_third_goes_on_and_every_new_best(engine):
    rung = Rung(Measured(engine, []))
    random = np.random.default_rng(0)
    went_on = [rung.keeps(str(number), number / 50 + random.normal()) for number in range(300)]
    assert 80 <= sum(went_on) <= 130, "each is likely better than most before it"
    assert rung.keeps("the best so far", 99.0)
    rung.keeps("next", 98.0)
    rung.forget("next")
    assert "next" not in rung.scores


def test_what_is_given_up_reads_no_more_than_its_rows_and_is_ranked_nowhere(planted, bert, tmp_path):
    engine, parted = planted
    read: dict[str, set[int]] = {}

    class Watched(Engine):
        def embed(self, recipe, corpus, *rest):
            read.setdefault(str(recipe), set()).add(corpus.rows)
            return super().embed(recipe, corpus, *rest)

    watched = Watched(replace(engine.settings, cache=tmp_path))
    asked = question(parted, bert)
    found = find(watched, asked, Budget(trials=120))
    assert found.rungs == (6, 20)
    assert found.rows[0] == 60
    published = {trial.recipe for trial in found.published.values()}
    given_up = [trial for trial in found.given_up if trial.recipe not in published]
    assert len(given_up) > 30
    whole = {trial.recipe for trial in found.scored}
    for trial in given_up:
        if trial.recipe in whole:  # proposed again when others were worse
            continue
        proposals = [each for each in found.trials if each.recipe == trial.recipe]
        assert max(read[trial.recipe]) == max(each.given_up for each in proposals)
        assert math.isnan(trial.dev)
    assert not {trial.recipe for trial in found.ranked} - whole
    assert all(max(read[text]) >= 60 for text in whole)
    assert found.dev == pytest.approx(100), "the planted optimum is found"
    assert found.unscored == sum(bool(trial.problem) for trial in found.trials)
    for trial in found.scored[:3]:
        assert trial.dev == pytest.approx(parted.dev.measure(engine, Recipe.parse(trial.recipe)).value)
    judged = [trial for trial in given_up if all(map(math.isfinite, trial.rungs))]  # by every rung
    some = next(trial for trial in judged if trial.given_up == 20)
    for share, score in zip(asked.shares, some.rungs, strict=True):
        there = parted.dev.sampled(share).measure(engine, Recipe.parse(some.recipe))
        assert score == pytest.approx(there.value, abs=1e-3)
    assert max(found.matters, key=lambda stage: found.matters[stage]) == "pool"
    assert (
        Found.of_data(json.loads(json.dumps(found.as_data()))).given_up[0].rungs == found.given_up[0].rungs
    )


def test_it_goes_on_with_the_scores_of_its_rungs(planted, bert):
    engine, parted = planted
    asked = question(parted, bert, seed=1)
    first = trials_of(engine, asked, Budget(trials=20))
    halved = Halving(engine, measured_on_dev(engine, asked), asked.shares, None)
    halved.restore(first)
    judged = {trial.recipe for trial in first if trial.rungs and math.isfinite(trial.rungs[0])}
    assert set(halved.rungs[0].scores) == judged
    assert len(judged) > 10
    again = trials_of(engine, asked, Budget(trials=30))
    assert str(again[:20]) == str(first)
    assert done(engine, asked) == 30
    whole = question(parted, bert, seed=1, halving=False)
    assert not any(trial.rungs for trial in trials_of(engine, whole, Budget(trials=10)))
    assert question(parted, bert, seed=1, cost="dimensions").shares == (), "a front holds low scores too"


def test_scores_of_different_rows_are_never_compared():
    low = Trial("pool=max", math.nan, rungs=(90.0,), given_up=20)
    best = Trial("pool=cls", 60.0, each=(60.0,), rungs=(95.0, 70.0))
    unjudged = Trial("pool=sum", 50.0, each=(50.0,), rungs=(math.nan, 50.0))
    assert [trial.recipe for trial in best_first([low, best, unjudged])] == ["pool=cls", "pool=sum"]
    assert [(t.recipe, score) for t, score in on_same_rows([low, best, unjudged])] == [
        ("pool=max", 90.0),
        ("pool=cls", 95.0),
    ]
    plain = Trial("pool=mean", 40.0, each=(40.0,))
    assert on_same_rows([plain]) == [(plain, 40.0)]


def test_a_part_that_is_too_small_to_learn_from_judges_nobody(planted, bert):
    engine, parted = planted
    whitened = Recipe.parse(f"{bert};post=whiten(k=16)")
    asked = question(parted, bert)
    halved = Halving(engine, measured_on_dev(engine, asked), asked.shares, None)
    trial, judged = halved.trial(whitened, lambda step: None)
    assert math.isnan(trial.rungs[0])
    assert judged == [(20, trial.rungs[1])]
    assert math.isfinite(trial.dev)
    with pytest.raises(RecipeError):
        halved.trial(Recipe.parse(f"{bert};layers=9"), lambda step: None)
    assert len(halved.rungs[1].scores) == 1, "a recipe that cannot be followed counts nowhere"


def test_the_pass_over_a_part_is_cut_from_the_whole(planted, bert, tmp_path):
    engine, parted = planted
    engine = Engine(replace(engine.settings, cache=tmp_path))
    recipe, whole, some = Recipe.parse(bert), parted.dev.corpus, parted.dev.sampled(1 / 3).corpus
    source, passes = engine.source(recipe), engine.passes
    passes.cut(source, whole, some)
    assert not engine.is_read(recipe, some), "nothing is read for it"
    vectors = engine.embed(recipe, whole).vectors[whole.rows_of(some.sentences)]
    passes.cut(source, whole, some)
    assert engine.is_read(recipe, some)
    embedded = engine.embed(recipe, some)
    assert embedded.pass_seconds == 0
    assert np.array_equal(embedded.vectors, vectors)
    few = some_texts(whole, 10)
    assert len(few.sentences) == 10
    assert {*few.sentences} < {*some_texts(whole, 20).sentences}
    assert some_texts(whole, 1000) is whole


def test_two_same_searches_join(planted, bert, tmp_path):
    """Two visitors, or processes: one tries, the other one waits and takes what was tried."""
    engine, parted = planted
    asked, told, tried = question(parted, bert, seed=2), [], []
    engines = [Engine(replace(engine.settings, cache=tmp_path)) for _ in range(2)]
    begun, waited = threading.Event(), threading.Event()

    def slowly(step):
        begun.set()
        waited.wait(10)

    def watch(step):
        told.append(step.what)
        if "Waiting" in step.what:
            waited.set()

    def search(number, trials, progress):
        tried.append((number, trials_of(engines[number], asked, Budget(trials=trials), progress)))

    first = threading.Thread(target=search, args=(0, 25, slowly))
    first.start()
    begun.wait()
    search(1, 30, watch)
    first.join()
    by_number = dict(tried)
    assert [len(by_number[number]) for number in (0, 1)] == [25, 30]
    assert str(by_number[1][:25]) == str(by_number[0]), "what one tried the other one takes"
    assert any("Waiting for other work that runs the same search on p" in what for what in told)
    (path,) = Path(tmp_path / "searches").iterdir()
    assert path.read_bytes().count(b"\n") == 30


def test_published_methods_are_halved_among_themselves(planted, bert):
    engine, parted = planted
    asked, failed = question(parted, bert), []
    texts = ["layers=last", "layers=0;pool=max", "layers=2;pool=max", "layers=1;pool=cls"]
    texts += ["layers=2;pool=cls", "layers=0;pool=lasttoken"]
    recipes = {text: Recipe.parse(f"{bert};{text}") for text in [*texts, "layers=9", OPTIMUM]}
    halved = Halving(engine, measured_on_dev(engine, asked), asked.shares, None)
    steps = []
    found = halved.best(recipes, {"layers=last"}, steps.append, lambda: failed.append(1))
    told = [step for step in steps if step.what == "Scoring published methods on dev"]
    assert told
    assert all(step.done < step.total for step in told)
    assert found.keys() == recipes.keys() - {"layers=9"}
    assert len(failed) == 1
    assert found[OPTIMUM].dev == pytest.approx(100)
    assert math.isfinite(found["layers=last"].dev), "what others are compared with is kept"
    ended = Counter(trial.given_up for trial in found.values())
    assert ended.keys() == {0, 6, 20}
    assert ended[6] + ended[20] >= 4


@pytest.mark.parametrize("pool", ["dct(k=3)", "vlawe(k=3)"])
def test_what_is_too_wide_is_refused_before_it_learns(planted, bert, pool, monkeypatch):
    engine, parted = planted
    recipe, aim = Recipe.parse(f"{bert};pool={pool}"), parted.dev
    dim = engine.embed(Recipe.parse(bert), aim.corpus).vectors.shape[1]
    assert Measured(engine, [aim], 3 * dim).trial(recipe).dimensions == 3 * dim
    monkeypatch.setattr(Engine, "embed", lambda *given: pytest.fail("it is read"))
    with pytest.raises(RecipeError, match=f"have {3 * dim} dimensions; allowed are {2 * dim}"):
        Measured(engine, [aim], 2 * dim).trial(recipe)


def test_no_weight_is_proposed_where_the_pooling_looks_at_none():
    space = Space(Recipe(), depth=6, heads=12, stages=("weight", "pool"))
    for pool, weight in (("cls", "uniform"), ("mean", "norm")):
        answers = {"pool": pool, "weight": "norm"}

        class Answers:
            def suggest_categorical(self, name, choices, answers=answers):
                return answers[name]

        assert space.propose(Answers()).spelled()["weight"] == weight


def test_the_sampler_looks_at_the_best_and_at_some_of_the_others(planted, bert):
    _, parted = planted
    asked, nothing = question(parted, bert), math.nan
    whole = [Trial(f"whole {i}", float(i), each=(float(i),), rungs=(50.0, 50.0)) for i in range(30)]
    ended = [Trial(f"ended {i}", nothing, rungs=(99.0,), given_up=6) for i in range(300)]
    refused = [Trial(f"refused {i}", nothing, "no") for i in range(70)]
    kept = [Entry(trial, {}, {}, 0.1) for trial in [*ended, *whole, *refused]]
    seen = looked_at(asked, kept)
    assert len(seen) == SEEN
    assert [each for each in kept if each in seen] == seen, "in the order tried"
    assert {trial.recipe for trial in whole} < {each.trial.recipe for each in seen}
    assert sum(each.trial.problem == "no" for each in seen) < 40
    assert looked_at(asked, kept[:SEEN]) == kept[:SEEN]
    assert len(looked_at(question(parted, bert, cost="dimensions"), kept)) == 400


def test_what_would_take_long_goes_no_further(planted, bert, monkeypatch):
    engine, parted = planted
    asked = question(parted, bert)
    halved = Halving(engine, measured_on_dev(engine, asked), asked.shares, None)
    monkeypatch.setattr(halving, "LONG", 0.0)
    monkeypatch.setattr(halving, "PATIENCE", 2)
    assert halved.trial(Recipe.parse(f"{bert};{OPTIMUM}"), lambda step: None)[0].dev == pytest.approx(100)
    halved._seconds = [1e-9] * 3
    halved.rungs[0].scores.clear()
    slow = halved.trial(Recipe.parse(f"{bert};layers=1;pool=clsmean"), lambda step: None)[0]
    assert slow.given_up == 6
    assert "The next part of dev would take about" in slow.problem
