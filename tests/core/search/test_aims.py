"""What recipes are chosen by: dev and test of any task, several corpora, and two objectives."""

from dataclasses import replace

import numpy as np
import pytest

from core.corpora.corpus import Corpus
from core.errors import CorpusError, RecipeError
from core.evaluation.tasks import TASK
from core.evaluation.tasks.running import run_task
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.recipe.options import Choice
from core.search.aims import Aim, part
from core.search.budget import Budget
from core.search.cost import deepest, milliseconds
from core.search.find import find
from core.search.measured import SHARE, Measured
from core.search.question import Question
from core.search.trials import run as trials_of
from tests.core.search.texts import many


def labelled(rows=120, splits=("train", "train", "dev", "test")) -> Corpus:
    texts = many(rows)
    return Corpus.of_labelled(
        "rows",
        texts,
        ["ab"[len(text) % 2] for text in texts],
        split=[splits[i % len(splits)] for i in range(rows)] if splits else (),
    )


def pairs(rows=80, name="pairs") -> Corpus:
    texts = many(2 * rows)
    split = ["dev", "test"] * (rows // 2)
    gold = [float((7 * i) % 6) for i in range(rows)]
    return Corpus.of_pairs(name, texts[:rows], texts[rows:], gold, split=split)


def test_too_few_rows_say_how_many_to_bring():
    with pytest.raises(
        CorpusError, match=r"has 1 row; .* corpus of 60 rows or more, .* dev of 20 and test"
    ):
        part(pairs(2))


@pytest.mark.parametrize("task", ["classification", "clustering(runs=2)"])
def test_dev_and_test_of_a_task_are_what_score_gives_there(task, engine, bert):
    corpus, choice = labelled(), TASK.parse(task)
    parted = part(corpus, choice)
    recipe = Recipe.parse(f"{bert};layers=last;post=zscore")
    for aim in (parted.dev, parted.test):
        theirs = run_task(engine, recipe, corpus, choice, aim.part).result
        ours = aim.measure(engine, recipe)
        assert ours.value == pytest.approx(theirs.value)
        assert ours.n == theirs.n == aim.rows == 30
    assert not {*parted.dev.corpus.split} & {"test"}, "no row of test is near the choice"


def test_labels_without_dev_or_without_splits_are_cut_by_a_hash():
    choice = Choice("classification")
    given = part(labelled(200, ("train", "train", "train", "test")), choice)
    assert "one of 4 training rows is dev" in given.notes[0]
    assert given.test.rows == 50
    assert given.dev.rows + given.dev.corpus.split.count("train") == 150
    free = part(labelled(200, ()), choice)
    assert free.dev.rows + free.test.rows == 200
    assert not {*free.dev.corpus.sentences} & {*free.test.corpus.sentences}
    assert "no dev and test; each row went" in free.notes[0]
    with pytest.raises(CorpusError, match="has no labels"):
        part(pairs(), Choice("clustering"))


def test_several_corpora_and_tasks_are_searched_together(engine, bert):
    parts = [part(pairs()), part(labelled(), TASK.parse("clustering(runs=2)")), part(pairs(60))]
    question = Question.of(engine, Recipe.parse(bert), parts, ("layers", "pool"), reference=False)
    found = find(engine, question, Budget(trials=8))
    assert found.metric == "mean Spearman and accuracy × 100 of 3 corpora"
    assert list(found.tests) == ["pairs test", "rows test, clustering(runs=2)", "pairs test (2)"]
    assert found.test.value == pytest.approx(np.mean([each.value for each in found.tests.values()]))
    assert all(len(trial.each) == 3 for trial in found.scored)
    assert all(trial.dev == pytest.approx(np.mean(trial.each)) for trial in found.scored)
    assert found.baseline is not None
    assert np.isfinite(found.optimism)


def test_results_are_kept_while_there_is_room_and_trials_for_good(engine, bert, monkeypatch):
    measure, asked = Aim.measure, list[str]()

    def measured_and_noted(aim, engine, recipe, *given):
        asked.append(recipe.spelled()["layers"])
        return measure(aim, engine, recipe, *given)

    monkeypatch.setattr(Aim, "measure", measured_and_noted)
    room_for_one = replace(engine.settings, memory_bytes=SHARE * 10_000)
    measured = Measured(Engine(room_for_one), [part(pairs()).dev])
    last, first = (Recipe.parse(f"{bert};layers={name}") for name in ("last", "static"))
    trials = [measured.trial(recipe) for recipe in (last, first, last)]
    assert trials[0] == trials[2]
    assert asked == ["last", "static"]
    assert measured.results(first)[0].value == trials[1].dev
    assert measured.results(last)[0].value == trials[0].dev
    assert asked == ["last", "static", "last"]


@pytest.mark.parametrize("cost", ["dimensions", "milliseconds"])
def test_the_front_of_two_objectives_is_searched_and_goes_on(engine, bert, cost):
    base, parts = Recipe.parse(bert), [part(pairs())]
    question = Question.of(engine, base, parts, ("layers", "pool", "post"), reference=False, cost=cost)
    first = trials_of(engine, question, Budget(trials=6))
    found = find(engine, question, Budget(trials=12))
    assert [trial.recipe for trial in found.trials[:6]] == [trial.recipe for trial in first]
    front = found.front
    assert front[-1].recipe == found.recipe or front[-1].dev == found.dev
    costs = [getattr(trial, cost) for trial in front]
    assert costs == sorted(costs)
    assert all(cost > 0 for cost in costs)
    assert {trial.recipe for trial in front} <= {each.recipe for each in found.ranked}
    alone = Question.of(engine, base, parts, ("layers", "pool", "post"), reference=False)
    assert alone.depends_on(engine) != question.depends_on(engine)


def test_a_cost_that_is_none_and_a_question_of_nothing_are_refused(engine, bert):
    with pytest.raises(RecipeError, match="got the cost 'money'"):
        Question.of(engine, Recipe.parse(bert), [part(pairs())], cost="money")
    with pytest.raises(RecipeError, match="no corpus is given"):
        Question.of(engine, Recipe.parse(bert), [])


def test_a_sentence_costs_what_its_layers_need(engine, bert):
    corpus = part(pairs()).dev.corpus
    source = engine.source(Recipe.parse(bert))
    for text, layer in (
        ("layers=static", 0),
        ("layers=1", 1),
        ("layers=1;weight=ditto(layer=2,head=1)", 2),
        ("layers=0;weight=variance", source.location.depth),
    ):
        assert deepest(Recipe.parse(f"{bert};{text}"), source) == layer
    engine.embed(Recipe.parse(bert), corpus)
    assert 0 < milliseconds(engine, Recipe.parse(f"{bert};layers=1"), corpus) < 1000


def test_several_sources_are_searched_and_the_choice_is_of_any(engine, bert):
    other = "random(dim=12)"
    question = Question.of(
        engine, Recipe.parse(bert), [part(pairs())], ("layers", "pool"), reference=False, sources=[other]
    )
    found = find(engine, question, Budget(trials=24))
    sources = [Recipe.parse(trial.recipe).spelled()["source"] for trial in found.scored]
    assert set(sources) == {
        Recipe.parse(bert).spelled()["source"],
        Recipe.parse(f"source={other}").spelled()["source"],
    }
    assert "source" in {effect.stage for effect in found.effects}
    assert found.published.keys() > {"Static avg., raw rows", f"Static avg., raw rows, source={other}"}
    chosen, plain = Recipe.parse(found.recipe), Recipe.parse(found.baseline.recipe)
    assert plain.source == chosen.source, "what is shown is the recipe's worth, not the model's"
    alone = Question.of(engine, Recipe.parse(bert), [part(pairs())], ("layers", "pool"), reference=False)
    assert alone.depends_on(engine) != question.depends_on(engine)
    assert alone.space.searched == ("layers", "pool")
