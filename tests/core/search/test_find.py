"""The search for a recipe: what it proposes, that it finds what is planted, and that it is honest."""

import json
import math
import os
import re
import shutil
import sys
import time
from dataclasses import replace
from functools import partial

import numpy as np
import optuna
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeRegressor

from core.cli.find import _lines
from core.corpora.corpus import Corpus
from core.errors import CorpusError, RecipeError, StrataError
from core.evaluation.statistics import draw, spearman
from core.evaluation.sts import evaluate, resampled
from core.evaluation.tasks.task import TaskResult
from core.exports.kinds import refuse
from core.pipeline.engine import Engine
from core.recipe import POOL, Recipe
from core.recipe.plainest import plainest
from core.search import option_times, study
from core.search.aims import part
from core.search.budget import Budget
from core.search.find import find, is_kept
from core.search.found import PLAIN_MEAN, Found, Outcome
from core.search.halving import Halving
from core.search.importance import called, effects, kinds, main_effects, matters
from core.search.journal import Journal
from core.search.measured import Trial, best_first, front
from core.search.optimism import optimism
from core.search.option_times import OptionTimes
from core.search.question import Question
from core.search.space import Space
from core.search.study import SEEN
from core.search.trials import done
from core.search.trials import run as trials_of
from core.settings import Settings
from tests.core.search.texts import many

CHEAP = ("layers", "tokens", "pool")


@pytest.fixture(scope="module")
def planted(bert, tmp_path_factory):
    """An engine, and pairs whose gold is their similarity under one recipe."""
    engine = Engine(Settings(cache=tmp_path_factory.mktemp("planted")))
    texts = many(160)
    pairs = texts[:80], texts[80:]
    split = ["dev", "test"] * 40
    blank = Corpus.of_pairs("planted", *pairs, [float(i) for i in range(80)], split=split)
    optimum = Recipe.parse(f"{bert};layers=1;tokens=content;pool=max")
    gold, _ = engine.similarities(optimum, blank)
    gold = 5 * (gold - gold.min()) / np.ptp(gold)
    return engine, Corpus.of_pairs("planted", *pairs, gold.tolist(), split=split), optimum


def space_of(bert, **more) -> Space:
    return Space(Recipe.parse(bert), depth=2, heads=2, reference=False, **more)


def test_the_planted_optimum_is_found(planted, bert):
    engine, corpus, optimum = planted
    parted = part(corpus)
    assert parted.notes == ()
    question, budget = Question(space_of(bert, stages=CHEAP), (parted,)), Budget(trials=120)
    assert not is_kept(engine, question, budget)
    found = find(engine, question, budget)
    assert found.dev == pytest.approx(100)
    assert found.test.value == pytest.approx(100), "the choice is the optimum, or one that is the same"
    assert found.metric == "Spearman × 100"
    assert found.baseline.gain.shown
    assert found.baseline.gain.value == pytest.approx(100 - found.baseline.test)
    assert found.preset.gain.value >= 0
    assert len(found.trials) == 120
    test = parted.test.corpus
    ours, theirs = (engine.similarities(each, test)[0] for each in (Recipe.parse(found.recipe), optimum))
    assert spearman(ours, theirs) == pytest.approx(1), "written otherwise, the same order"
    first, *others = found.ranked
    assert (first.recipe, first.dev) == (found.recipe, found.dev)
    assert not first.behind.known
    assert all(each.behind.value == pytest.approx(100 - each.dev) for each in others)
    assert all(each.milliseconds > 0 and each.dimensions > 0 for each in found.ranked)
    assert max(found.matters, key=found.matters.get) == "pool", "max pooling is what was planted"
    assert 0.5 < sum(found.matters.values()) <= 1

    class Never(Engine):
        def embed(self, *given, **named):
            raise AssertionError("it is read, and nothing is done again")

    assert is_kept(engine, question, budget)
    again = find(Never(engine.settings), question, budget)
    assert again == found
    assert Found.of_data(json.loads(json.dumps(found.as_data()))) == found


def test_a_search_goes_on_where_it_was_stopped(planted, bert):
    engine, corpus, _ = planted
    question = Question(space_of(bert, stages=CHEAP), (part(corpus),), seed=3)
    first = trials_of(engine, question, Budget(trials=15))
    asked = []

    class Counting(Engine):
        def embed(self, recipe, *rest):
            asked.append(str(recipe))
            return super().embed(recipe, *rest)

    again = trials_of(Counting(engine.settings), question, Budget(trials=22))
    assert [str(trial) for trial in again[:15]] == [str(trial) for trial in first]
    assert len(again) == 22
    assert 0 < len(set(asked)) <= 7
    assert done(engine, question) == 22
    assert str(trials_of(engine, question, Budget(trials=10))) == str(first[:10])


def test_a_search_that_is_killed_goes_on(planted, bert, tmp_path):
    """A proposal that was asked for and never told is no trial."""
    engine, corpus, _ = planted
    question = Question(space_of(bert, stages=("pool",)), (part(corpus),), seed=4)

    class Killed(Engine):
        def embed(self, recipe, *rest):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        trials_of(Killed(engine.settings), question, Budget(trials=5))
    trials = trials_of(engine, question, Budget(trials=5))
    assert len(trials) == 5
    assert all(trial.recipe for trial in trials)


def test_searches_not_gone_on_with_for_longest_make_room_for_the_one_that_runs(tmp_path, monkeypatch):
    monkeypatch.setattr("core.search.journal.SEARCHES_BYTES", 250)
    for number, name in enumerate(("own", "oldest", "older", "newest")):
        (tmp_path / f"{name}.jsonl").write_bytes(bytes(100))
        os.utime(tmp_path / f"{name}.jsonl", (number, number))
    Journal(tmp_path / "own.jsonl").make_room()
    assert {path.stem for path in tmp_path.iterdir()} == {"own", "newest"}
    Journal(tmp_path / "new" / "first.jsonl").make_room()


def test_a_line_that_was_cut_is_written_over(planted, bert, tmp_path):
    """Killed in the middle of a line: what is whole goes on, and the next trial follows it."""
    engine, corpus, _ = planted
    engine = Engine(replace(engine.settings, cache=tmp_path))
    question = Question(space_of(bert, stages=("pool",)), (part(corpus),), seed=6)
    first = trials_of(engine, question, Budget(trials=4))
    (path,) = (tmp_path / "searches").iterdir()
    path.write_bytes(path.read_bytes()[:-30])
    assert done(engine, question) == 3
    again = trials_of(engine, question, Budget(trials=6))
    assert str(again[:3]) == str(first[:3])
    assert done(engine, question) == 6
    assert path.read_bytes().count(b"\n") == 6


def test_the_same_seed_proposes_the_same(planted, bert, tmp_path):
    engine, corpus, _ = planted
    other = Engine(replace(engine.settings, cache=tmp_path))
    question = Question(space_of(bert, stages=CHEAP), (part(corpus),), seed=5)
    one, two = (trials_of(each, question, Budget(trials=12)) for each in (engine, other))
    assert [trial.recipe for trial in one] == [trial.recipe for trial in two]


@pytest.mark.parametrize("seen", [SEEN, 24])
def test_a_stopped_search_tries_the_same(planted, bert, tmp_path, monkeypatch, seen):
    """Past the first proposals, which are drawn at random, and where the sampler sees some trials alone."""
    engine, corpus, _ = planted
    monkeypatch.setattr(study, "SEEN", seen)
    monkeypatch.setattr(option_times, "SLOW", math.inf)  # which options are slow is the clock's word
    question = Question(space_of(bert, stages=CHEAP), (part(corpus),), seed=8)
    whole, stopped = (Engine(replace(engine.settings, cache=tmp_path / name)) for name in "ab")
    right = trials_of(whole, question, Budget(trials=45))
    for count in (7, 21, 33, 34):
        trials_of(stopped, question, Budget(trials=count))
        stopped = Engine(stopped.settings)
    again = trials_of(stopped, question, Budget(trials=45))
    assert [(each.recipe, str(each.dev)) for each in again] == [
        (each.recipe, str(each.dev)) for each in right
    ]
    assert len({each.recipe for each in right}) > 20


@given(st.integers(0, 10**6))
@hypothesis_settings(max_examples=60, deadline=None)
def test_every_proposal_is_a_recipe(seed):
    """Answers of any kind: every option of the registry comes up."""
    random = np.random.default_rng(seed)

    class Answers:
        def suggest_categorical(self, name, choices):
            return choices[random.integers(len(choices))]

        def suggest_int(self, name, low, high, *, log=False):
            return int(random.integers(low, high + 1))

    space = Space(Recipe(), depth=6, heads=12)
    recipe = space.propose(Answers())
    assert Recipe.parse(str(recipe)) == recipe
    assert recipe.source == space.base.source
    assert recipe.template == space.base.template


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("post=normalize+normalize", "post=normalize"),
        ("post=zscore+zscore", "post=zscore"),
        ("post=zscore+zscore(fit=reference)", "post=zscore+zscore(fit=reference)"),
        ("post=abtt+abtt", "post=abtt+abtt"),
        ("layers=wk(window=21)", "layers=wk(window=2)"),
        ("layers=wk(window=17,start=1)", "layers=wk(window=5,start=1)"),
        ("layers=wk(window=3,start=9)", "layers=wk(window=3,start=9)"),
        ("layers=6", "layers=last"),
        ("layers=1+6", ""),
        ("layers=0+1+2+3+4+5+6", "layers=all"),
        ("layers=0+6", "layers=0+6"),
        ("layers=9", "layers=9"),
        ("mix=averaged(w=0,least=9)", ""),
        ("tokens=noseparator;weight=idf;pool=cls", "pool=cls"),
        ("tokens=content;weight=idf;pool=max", "tokens=content;pool=max"),
        ("tokens=content;weight=idf;pool=clsmean", "tokens=content;weight=idf;pool=clsmean"),
    ],
)
def test_recipes_that_cannot_differ_are_written_alike(written, plain):
    assert plainest(Recipe.parse(written), 6) == Recipe.parse(plain)


def test_a_proposal_is_written_plainly():
    class Repeats:
        """Answers that take one step twice, and the widest window."""

        def suggest_categorical(self, name, choices):
            return next((one for one in ("wk", "normalize") if one in choices), choices[0])

        def suggest_int(self, name, low, high, *, log=False):
            return low

    proposed = Space(Recipe.parse(""), depth=6, heads=12, stages=("layers", "post")).propose(Repeats())
    assert proposed.post == Recipe.parse("post=normalize").post
    assert str(proposed) == "layers=wk(window=1,start=0,omega=0);post=normalize"


def test_a_new_option_is_searched_by_itself():
    space = partial(Space, Recipe(), depth=6, heads=12)
    assert "halves" not in space().offered("pool")

    @POOL.option(name="halves")
    def halves(batch):
        """Half of the mean."""

    try:
        assert "halves" in space().offered("pool")
    finally:
        POOL.forget("halves")


def test_what_is_narrowed_is_not_proposed():
    space = Space(Recipe(), depth=6, heads=12, reference=False)
    sampler = optuna.samplers.RandomSampler(seed=0)
    study = optuna.create_study(sampler=sampler)
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    recipes = [space.propose(study.ask()) for _ in range(150)]
    assert not any(recipe.needs_reference() for recipe in recipes)
    assert not any(choice.name == "flow" for recipe in recipes for choice in recipe.post)
    assert not any(recipe.tokens.name == "mask" for recipe in recipes), "there is no template"


def test_what_is_narrowed_is_no_candidate_either(planted, bert):
    """The published methods keep to the space as the proposals do."""
    engine, corpus, _ = planted
    base, parts = Recipe.parse(f"{bert};layers=1"), [part(corpus)]
    narrow = Question.of(engine, base, parts, ("pool",), reference=False)
    found = find(engine, narrow, Budget(trials=3))
    recipes = [Recipe.parse(trial.recipe) for trial in found.scored]
    assert {recipe.spelled()["layers"] for recipe in recipes} == {"1"}
    assert {recipe.spelled()["post"] for recipe in recipes} == {"none"}
    assert found.baseline.recipe == f"{bert};layers=last", "plain mean is still shown"
    free = Question.of(engine, base, parts, ("layers", "weight"), reference=False)
    scored = [trial.recipe for trial in find(engine, free, Budget(trials=3)).scored]
    assert f"{bert};weight=idf" in scored, "a method of the stages that are searched"
    assert not any(Recipe.parse(text).needs_reference() for text in scored)


def test_what_must_export_exports(planted, bert):
    engine, corpus, _ = planted
    stages = ("layers", "weight", "pool", "post", "similarity")
    question = Question.of(
        engine, Recipe.parse(bert), [part(corpus)], stages, reference=False, exports=True
    )
    found = find(engine, question, Budget(trials=25))
    assert found.unscored
    assert len(found.scored) > 5
    for trial in found.scored:
        refuse(Recipe.parse(trial.recipe))


@pytest.mark.parametrize("stages", [("source",), ("pool", "nonsense"), ()])
def test_stages_that_are_not_searched_are_refused(stages):
    with pytest.raises(RecipeError, match="find: "):
        Space(Recipe(), depth=6, heads=12, stages=stages)


def test_a_source_without_layers_keeps_them():
    space = Space(Recipe.parse("source=random;layers=static"), depth=0, heads=0, stages=("layers", "pool"))
    study = optuna.create_study(sampler=optuna.samplers.RandomSampler(seed=0))
    assert {space.propose(study.ask()).spelled()["layers"] for _ in range(20)} == {"static"}


@pytest.mark.parametrize(("trials", "times"), [(3, r"\d times"), (1, "1 time")])
def test_where_no_recipe_can_be_scored_the_reason_is_told(planted, bert, trials, times):
    engine, corpus, _ = planted
    question = Question(space_of(bert, stages=("pool",)), (part(corpus),), width=1)
    with pytest.raises(
        RecipeError, match=rf"none of {trials} recipes.*; {times} because: .*dimensions.*A larger"
    ):
        trials_of(engine, question, Budget(trials=trials))


# -- honesty


def results_of(rows, corpus: Corpus) -> list[list[TaskResult]]:
    """A recipe for each row of similarities, the best first, on one corpus."""
    made = [
        TaskResult(
            "spearman",
            evaluate(row, corpus, intervals=False).spearman,
            partial(resampled, row, corpus, "all"),
            "",
            (),
            len(corpus),
        )
        for row in rows
    ]
    return [[each] for each in sorted(made, key=lambda result: -result.value)]


def test_a_time_that_is_over_before_anything_is_tried_tries_one_recipe(planted, bert, monkeypatch):
    """Reading is no part of it, and something is found whatever it is."""
    engine, corpus, _ = planted
    question = Question.of(engine, Recipe.parse(bert), [part(corpus)], CHEAP, seed=40)
    found = find(engine, question, Budget(seconds=1e-9))
    assert len(found.trials) == 1
    assert math.isfinite(found.trials[0].dev)


def test_a_corpus_and_a_text_ask_what_a_question_and_a_budget_do(planted, monkeypatch):
    engine, corpus, _ = planted
    asked = {}
    monkeypatch.setattr(
        "core.search.find._find",
        lambda engine, question, budget, progress: asked.update(q=question, b=budget),
    )
    find(engine, corpus, "90s")
    usual = Question.of(engine, Recipe(), [part(corpus)])
    assert asked["q"].depends_on(engine) == usual.depends_on(engine)
    assert asked["b"] == Budget(seconds=90.0)


def test_optimism_by_hand():
    """The whole selection made again on each resample, with plain loops."""
    random = np.random.default_rng(0)
    gold = random.normal(size=40)
    corpus = Corpus.of_pairs("g", many(80)[:40], many(80)[40:], (gold - gold.min()).tolist())
    rows = [gold + random.normal(size=40) * 2 for _ in range(5)]
    rows.sort(key=lambda row: -spearman(row, gold))  # of two that are equally best the better one is taken
    full = [100 * spearman(row, corpus.gold) for row in rows]
    total = []
    for counts in draw(np.zeros(40, int)):
        drawn = np.repeat(np.arange(40), counts)
        there = [100 * spearman(row[drawn], corpus.gold[drawn]) for row in rows]
        best = int(np.argmax(there))
        total.append(there[best] - full[best])
    assert optimism(results_of(rows, corpus)) == pytest.approx(np.mean(total), abs=1e-6)
    assert optimism(results_of(rows[:1], corpus)) == 0


def test_no_more_recipes_are_measured_again_than_the_optimism_looks_at(monkeypatch):
    monkeypatch.setattr("core.search.optimism.MOST_ROWS", 0)
    monkeypatch.setattr("core.search.optimism.FEWEST_RECIPES", 2)
    corpus = Corpus.of_pairs("n", many(80)[:40], many(80)[40:], [float(i % 6) for i in range(40)])
    results = results_of(np.random.default_rng(0).normal(size=(5, 40)), corpus)
    every = iter(results)
    assert optimism(every) == optimism(results[:2])
    assert len(list(every)) == 3


def test_optimism_of_recipes_that_are_all_chance_is_about_what_the_best_seems():
    random = np.random.default_rng(1)
    texts = many(400)
    corpus = Corpus.of_pairs("n", texts[:200], texts[200:], [float(i % 6) for i in range(200)])
    results = results_of([random.normal(size=200) for _ in range(40)], corpus)
    best = results[0][0].value
    assert best > 5, "the best of forty that know nothing seems to know something"
    assert optimism(results) > best / 3


def test_over_several_corpora_the_mean_rank_decides():
    tried = [
        Trial("a", 50.0, each=(99.0, 1.0)),
        Trial("b", 35.0, each=(40.0, 30.0)),
        Trial("c", 34.0, each=(39.0, 29.0)),
        Trial("d", math.nan),
        Trial("b", 35.0, each=(40.0, 30.0)),
    ]
    assert [trial.recipe for trial in best_first(tried)] == ["b", "a", "c"]
    alone = [replace(trial, each=(trial.dev,)) for trial in tried[:3]]
    assert [trial.recipe for trial in best_first(alone)] == ["a", "b", "c"]


def test_the_front_holds_what_no_other_recipe_betters():
    points = {"a": (60.0, 4), "b": (60.0, 2), "c": (50.0, 1), "d": (55.0, 3), "e": (70.0, 9)}
    tried = [Trial(name, dev, "", dim) for name, (dev, dim) in points.items()]
    assert [trial.recipe for trial in front([*tried, Trial("f", math.nan)])] == ["c", "b", "e"]


def test_what_a_stage_matters_is_found_where_it_is_known():
    """Scores that depend on the pooling alone, with a little noise."""
    random = np.random.default_rng(0)
    worth = {"mean": 60, "max": 50, "cls": 20}
    tried = []
    for _ in range(120):
        pool, layers = (random.choice(options) for options in (list(worth), ["last", "1", "2"]))
        tried.append(Trial(f"layers={layers};pool={pool}", worth[pool] + random.normal()))
    shares = matters(tried, ("layers", "pool", "weight"))
    assert shares["pool"] > 0.95
    assert list(shares) == ["pool", "layers"], "no trial differs in its weight"
    found = effects(tried, ("pool",))
    assert [effect.option for effect in found] == ["mean", "max", "cls"]
    assert sum(effect.trials for effect in found) == 120
    assert found[2].median == pytest.approx(20, abs=0.5)
    assert matters(tried[:10], ("pool",)) == {}
    rare = [*tried, Trial("layers=last;pool=dct", 1.0)]
    assert kinds(rare, ("pool",))["pool"][-1] == "others"


def test_shares_of_variance_are_those_of_every_recipe_and_leave_the_rest_to_interactions():
    """A tree's, against its scores of all recipes: the variance of their means by an option."""
    random = np.random.default_rng(1)
    options = [3, 2, 5]
    every = np.array([*np.ndindex(*options)])
    columns = np.concatenate([np.eye(count)[every[:, i]] for i, count in enumerate(options)], axis=1)
    some = random.integers(0, len(every), 60)
    worth = every[:, 0] * 5.0 + (every[:, 1] * every[:, 2]) + random.normal(size=len(every))
    tree = DecisionTreeRegressor(min_samples_leaf=2, random_state=0).fit(columns[some], worth[some])
    scores = tree.predict(columns)
    expected = [
        np.var([scores[every[:, i] == option].mean() for option in range(count)]) / scores.var()
        for i, count in enumerate(options)
    ]
    assert sum(expected) < 0.99
    np.testing.assert_allclose(main_effects(tree.tree_, options), expected, atol=1e-9)

    tried = [
        Trial(f"layers={random.integers(3)};pool={pool}", 60.0 if pool == "mean" else 20.0)
        for pool in random.choice(["mean", "max", "cls", "sum", "clsmean"], 120)
    ]
    assert matters(tried, ("layers", "pool")) == pytest.approx({"pool": 1, "layers": 0}, abs=1e-6)


@pytest.mark.parametrize(
    ("stage", "kind", "expected"),
    [
        ("pool", "clsmean", "[CLS] + mean"),
        ("post", "zscore+abtt", "z-score + ABTT"),
        ("post", "none", "none"),
        ("layers", "0+last", "0+last"),
        ("source", "bundled", "bundled"),
        ("weight", "others", "others"),
    ],
)
def test_what_a_recipe_does_is_called_as_on_every_page(stage, kind, expected):
    assert called(stage, kind) == expected


def test_a_dear_pooling_gets_a_share_of_the_time():
    plain, gem = Trial("pool=mean", math.nan, rungs=(50.0,), given_up=9), Trial("pool=gem", 50.0)
    weighed = Trial("layers=wk;pool=max", 50.0)
    recipes = [Recipe.parse(trial.recipe) for trial in (plain, gem, weighed)]
    times = OptionTimes()
    for _ in range(20):
        times.add(plain, 0.05)
    assert not any(map(times.barred, recipes)), "each is tried"
    times.add(gem, 30.0)
    assert times.barred(recipes[1]) == "", "it may have learnt what is kept since"
    times.add(gem, 31.0)
    assert times.barred(recipes[1]) == "pool=gem"
    assert times.barred(recipes[0]) == ""
    for _ in range(1300):
        times.add(plain, 1.0)
    assert times.barred(recipes[1]) == "", "its share has grown"
    for _ in range(2):
        times.add(weighed, 60.0)
    times.add(Trial("layers=wk", 50.0), 60.0)
    assert times.barred(Recipe.parse("layers=wk")) == "layers=wk"
    alone = OptionTimes()
    alone.add(gem, 30.0)
    alone.add(gem, 30.0)
    alone.add(Trial("pool=mean", math.nan), 0.0)
    assert alone.barred(recipes[1]) == "", "nothing is faster"
    wide = OptionTimes()
    for _ in range(9):
        wide.add(plain, 0.05)
    for _ in range(2):
        wide.add(Trial("pool=vlawe", math.nan, "Its vectors have 9,999 dimensions"), 25.0)
    wide.add(Trial("pool=max", math.nan, "It takes a layer that is not there"), 0.001)
    assert wide.barred(Recipe.parse("pool=vlawe")) == "pool=vlawe"
    assert wide.barred(Recipe.parse("pool=max")) == ""


@pytest.mark.parametrize("pool", ["mean", "sum", "max", "cls", "clsmean", "lasttoken", "pmeans", "dct"])
def test_a_pooling_that_does_not_learn_is_never_left_out(pool):
    """What took the time of its recipes is reading, averaging or fitting, or another program."""
    times, other = OptionTimes(), "max" if pool == "mean" else "mean"
    for _ in range(20):
        times.add(Trial(f"pool={other}", 50.0), 0.01)
        times.add(Trial(f"pool={pool}", 50.0), 30.0)
    assert times.barred(Recipe.parse(f"pool={pool}")) == ""
    assert times.barred(Recipe.parse(f"layers=1+2;pool={pool}")) == ""


def test_the_time_of_a_trial_is_not_that_of_other_programs(planted, bert, tmp_path, monkeypatch):
    """A core that others have for a while, here a sleep, says nothing of an option."""
    engine, corpus, _ = planted
    engine, real = Engine(replace(engine.settings, cache=tmp_path)), Halving.trial

    def busy(self, recipe, progress):
        time.sleep(1.0)
        return real(self, recipe, progress)

    monkeypatch.setattr(Halving, "trial", busy)
    question = Question(space_of(bert, stages=("pool",)), (part(corpus),), seed=6)
    trials_of(engine, question, Budget(trials=3))
    (path,) = (tmp_path / "searches").iterdir()
    assert sorted(kept.seconds for kept in Journal(path).read())[1] < 0.9


def test_what_is_left_out_to_save_time_is_not_called_unscored(planted, bert, tmp_path, monkeypatch):
    engine, corpus, _ = planted
    engine = Engine(replace(engine.settings, cache=tmp_path))
    monkeypatch.setattr(
        OptionTimes, "barred", lambda _, recipe: "pool=cls" if recipe.pool.name == "cls" else ""
    )
    question = Question(space_of(bert, stages=("pool",)), (part(corpus),), seed=6)
    found = find(engine, question, Budget(trials=25))
    often = sum(Recipe.parse(trial.recipe).pool.name == "cls" for trial in found.trials)
    assert found.barred == {"pool=cls": often}
    assert found.saved == f"pool=cls ({often})"
    assert found.unscored == sum(bool(trial.problem) for trial in found.trials)
    assert not any("pool=cls" in why for _, why in found.reasons(99))
    assert Found.of_data(found.as_data()).barred == found.barred


def test_a_model_that_vanishes_ends_the_search_and_loses_nothing(planted, model, tmp_path):
    engine, corpus, _ = planted
    engine = Engine(replace(engine.settings, cache=tmp_path / "cache"))
    folder = tmp_path / "model"
    shutil.copytree(model("bert"), folder)
    question = Question.of(
        engine, Recipe.parse(f"source={folder}"), [part(corpus)], ("pool",), reference=False
    )
    first = trials_of(engine, question, Budget(trials=3))
    name = done(engine, question)

    class Gone(Engine):
        def embed(self, recipe, *rest):
            shutil.rmtree(folder, ignore_errors=True)
            return super().embed(recipe, *rest)

    with pytest.raises(StrataError, match="model"):
        trials_of(Gone(engine.settings), question, Budget(trials=40))
    shutil.copytree(model("bert"), folder)
    assert name == 3
    again = trials_of(Engine(engine.settings), question, Budget(trials=5))
    assert str(again[:3]) == str(first)
    assert done(engine, question) == 5, "no trial failed for want of the model"


def test_recipes_that_are_all_alike_are_told_so(engine, bert, tmp_path):
    """A constant objective: every recipe has the same score, and none is better."""
    texts = many(160)
    gold = [float(i % 6) for i in range(80)]
    corpus = Corpus.of_pairs("c", texts[:80], texts[80:], gold, split=["dev", "test"] * 40)
    base = Recipe.parse("source=random(dim=8);layers=static")
    question = Question.of(engine, base, [part(corpus)], ("mix",), reference=False)
    found = find(engine, question, Budget(trials=4))
    assert len({trial.dev for trial in found.scored}) == 1
    assert found.matters == {}
    flat = Corpus.of_pairs("f", texts[:80], texts[80:], [3.0] * 80, split=["dev", "test"] * 40)
    with pytest.raises(CorpusError, match="Every gold score of f is 3"):
        part(flat)
    alike = Question.of(engine, Recipe.parse(f"{bert};layers=0;pool=cls"), [part(corpus)], ("similarity",))
    with pytest.raises(RecipeError, match="because: All similarities are equal under this recipe"):
        trials_of(engine, alike, Budget(trials=2))


def test_without_optuna_a_search_says_what_it_needs(planted, bert, monkeypatch):
    engine, corpus, _ = planted
    question = Question.of(engine, Recipe.parse(bert), [part(corpus)], ("mix",), reference=False)
    monkeypatch.setitem(sys.modules, "optuna", None)
    with pytest.raises(StrataError, match="needs the package optuna: pip install optuna"):
        trials_of(engine, question, Budget(trials=1))


def test_a_corpus_without_splits_is_cut_by_its_texts():
    texts = many(160)
    rows = list(zip(texts[:80], texts[80:], [float(i % 6) for i in range(80)], strict=True))
    corpus = Corpus.of_pairs("c", *zip(*rows, strict=True))
    parted = part(corpus)
    dev, test = parted.dev.corpus, parted.test.corpus
    assert "no dev and test" in parted.notes[0]
    assert len(dev) + len(test) == 80
    other = Corpus.of_pairs("c", *zip(*[(b, a, g) for a, b, g in rows[::-1]], strict=True))
    again = part(other).dev.corpus
    assert {*again.sentences} == {*dev.sentences}, "order of rows and of sides do not matter"


def test_too_few_pairs_are_refused():
    texts = many(60)
    with pytest.raises(CorpusError, match="a search needs 20"):
        part(Corpus.of_pairs("c", texts[:30], texts[30:], [float(i % 6) for i in range(30)]))


# -- budgets and the command


@pytest.mark.parametrize(
    ("text", "budget"), [("60", Budget(60)), ("90s", Budget(None, 90)), ("2m", Budget(None, 120))]
)
def test_budgets(text, budget):
    assert Budget.parse(text) == budget


@pytest.mark.parametrize("text", ["0", "-3", "", "s", "1.5", "5 m", "0s", "99999999", "٣"])
def test_a_budget_of_nothing_or_nonsense_is_refused(text):
    with pytest.raises(RecipeError, match="budget: got"):
        Budget.parse(text)


def test_the_command_prints_what_was_found(planted, bert, run, table, settings):
    arguments = (
        "--corpus",
        table,
        "--recipe",
        bert,
        "--budget",
        "12",
        "--cache",
        settings.cache,
        "--quiet",
    )
    narrow = ("--stages", "layers,pool", "--no-reference")
    code, out, err = run("find", *arguments, *narrow, "--json")
    assert code == 0, err
    found = json.loads(out)
    assert {"recipe", "dev", "test", "low", "high", "trials", "optimism", "baseline"} <= found.keys()
    assert found["trials"] == 12
    assert found["low"] <= found["test"] <= found["high"]
    assert math.isfinite(found["baseline"]["gain"])
    assert "went to one of them by a hash" in err
    code, shown, _ = run("find", *arguments, *narrow)
    assert code == 0
    assert found["recipe"] in shown
    assert f"test {found['test']:.2f}" in shown
    rows = shown.partition("the best on dev")[2].splitlines()
    signs = {row.split()[1] for row in rows if " dim " in row} & {"≈", "<"}
    meant = {"≈": "≈ no difference from the best one is shown", "<": "< below the best one"}
    assert signs
    assert {sign for sign, words in meant.items() if words in shown} == signs


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (("--budget", "0"), "budget: got"),
        (("--stages", "source"), "not searched"),
        (("--dimensions", "0"), "whole number from 1"),
        (("--task", "isotropy"), "a higher value of the task isotropy is no better one"),
        (("--no-gold", "uniformity", "--task", "sts"), "--task is of gold scores or labels"),
        (("--no-gold", "uniformity", "--aggregate", "mean"), "--aggregate is of gold scores"),
        (("--corpus", "nowhere.tsv"), "nowhere.tsv"),
        (("--recipe", "source=./no-such-folder"), "no-such-folder"),
        (("--sources", "random(seed=1,dim=0),bundled"), "source=random(dim): got '0'"),
    ],
)
def test_the_command_refuses_what_is_wrong(run, settings, wrong, said):
    code, out, err = run("find", "--cache", settings.cache, "--quiet", *wrong)
    assert (code, out) == (2, "")
    assert said in err


@pytest.mark.parametrize(
    ("published", "said"),
    [
        ("[CLS]", "against the best published method, [CLS]: it is the choice itself"),
        (PLAIN_MEAN, f"against {PLAIN_MEAN}: it is the choice itself"),
        ("", "against the best published method: none is in the space that is searched"),
    ],
)
def test_the_command_says_why_the_choice_is_compared_with_nothing(published, said):
    trial, other = Trial("pool=cls", 61.0), Trial("pool=max", 50.0)
    found = Found(
        "Spearman",
        "pool=cls",
        61.0,
        0.5,
        Outcome(60.0, 55.0, 65.0, 50),
        {},
        None,
        None,
        (trial, other),
        published={published: trial, "other": other} if published else {},
    )
    assert f"  {said}" in _lines(found, "demo")
    assert found.chosen_names == [published] * bool(published)


def test_the_command_says_why_trials_have_no_score(planted, bert, run, table, settings):
    narrow = ("--stages", "layers,pool", "--no-reference", "--dimensions", "32", "--budget", "40")
    code, shown, err = run(
        "find", "--corpus", table, "--recipe", bert, "--cache", settings.cache, "--quiet", *narrow
    )
    assert code == 0, err
    trials, without = map(
        int, re.search(r"(\d+) trials, of which (\d+) could not be scored", shown).groups()
    )
    assert (trials, without > 0) == (40, True)
    reasons = shown.partition("why trials have no score:\n")[2].splitlines()
    assert sum(int(reason.split(" × ")[0]) for reason in reasons) == without
    assert re.search(r"\d+ × Its vectors have [\d,]+(–[\d,]+)? dimensions; allowed are 32\.", shown)
    assert shown.count("dimensions; allowed are 32") == 1, "one line a kind of reason"
