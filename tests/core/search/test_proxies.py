"""Choosing without gold scores: what each proxy measures, and how well it would have chosen."""

import json
import re

import numpy as np
import pytest

from core.corpora.corpus import Corpus
from core.errors import CorpusError, RecipeError
from core.recipe import Recipe
from core.search.aims import part
from core.search.budget import Budget
from core.search.find import find
from core.search.proxies import MOST, PROXIES, find_proxy, halves, parted_by, regrets
from core.search.question import Question
from core.search.trials import run as run_search
from tests.core.search.texts import many


def long_texts(number=120) -> list[str]:
    return [f"{text} number {i} by the river" for i, text in enumerate(many(number))]


def scored(rows=60) -> Corpus:
    texts = long_texts(2 * rows)
    gold = [float((7 * i) % 6) for i in range(rows)]
    return Corpus.of_pairs("g", texts[:rows], texts[rows:], gold, split=["dev", "test"] * (rows // 2))


def test_sentences_are_cut_in_their_middle_and_short_ones_left_out():
    corpus = Corpus.of_texts("t", [*long_texts(50), "too short", "a b c d e"])
    cut = halves(corpus)
    assert cut.rows == 50
    first, second = (cut.sentences[int(side[0])] for side in (cut.first, cut.second))
    assert f"{first} {second}" == corpus.sentences[0]
    assert abs(len(first.split()) - len(second.split())) <= 1
    with pytest.raises(CorpusError, match="2 sentences of few have 6 words or more"):
        halves(Corpus.of_texts("few", [*long_texts(2), "too short"]))
    many_rows = halves(Corpus.of_texts("m", [f"one two three four five six {i}" for i in range(2 * MOST)]))
    assert many_rows.rows == MOST


def test_halves_that_find_each_other_agree():
    random = np.random.default_rng(0)
    u = random.normal(size=(40, 8)).astype(np.float32)
    value, resample = find_proxy("agreement").measure(u, u * 3)
    assert value == pytest.approx(100)
    assert resample() == pytest.approx(100)
    noise = random.normal(size=(40, 8)).astype(np.float32)
    expected = np.mean(np.sum([1 / (1 + k) for k in range(40)]) / 40)
    assert find_proxy("agreement").measure(u, noise)[0] == pytest.approx(100 * expected, abs=6)
    same = np.ones((40, 8), np.float32)
    assert find_proxy("agreement").measure(same, same)[0] < 6, "all alike: nothing is found"


def test_an_even_cloud_is_more_uniform_and_isotropic_than_a_narrow_one():
    random = np.random.default_rng(0)
    even = random.normal(size=(200, 8)).astype(np.float32)
    narrow = even * np.array([1, *[0.01] * 7], np.float32) + 5
    for name in ("uniformity", "isoscore"):
        values = [find_proxy(name).measure(cloud[:100], cloud[100:])[0] for cloud in (even, narrow)]
        assert values[0] > values[1], name


def test_a_proxy_that_is_none_is_refused():
    with pytest.raises(RecipeError, match="no proxy 'agrement'. Did you mean 'agreement'"):
        find_proxy("agrement")


def test_a_search_without_gold_chooses_by_the_proxy(engine, bert):
    texts = Corpus.of_texts("news", long_texts(100))
    parted = parted_by(texts, "agreement")
    ends = [{each for each in aim.corpus.sentences if "river" in each} for aim in (parted.dev, parted.test)]
    assert [len(each) for each in ends] == [50, 50]
    assert not ends[0] & ends[1], "a sentence is in one of them"
    question = Question.of(engine, Recipe.parse(bert), [parted], ("layers", "pool"), reference=False)
    found = find(engine, question, Budget(trials=6))
    assert found.metric == "agreement × 100"
    assert "It says nothing of quality" in found.notes[0]
    assert found.dev == max(trial.dev for trial in found.scored)
    by_uniformity = Question.of(
        engine, Recipe.parse(bert), [parted_by(texts, "uniformity")], ("pool",), reference=False
    )
    other = find(engine, by_uniformity, Budget(trials=4))
    assert np.isnan(other.optimism)
    assert np.isnan(other.test.low)


def test_the_regret_is_what_the_best_recipe_has_above_the_choice(engine, bert):
    gold = part(scored()).test
    recipes = [
        Recipe.parse(f"{bert};{text}") for text in ("layers=last", "layers=1", "pool=max", "pool=cls")
    ]
    unfit = Recipe.parse(f"{bert};layers=99")
    found = regrets(engine, [*recipes, unfit], gold)
    assert [each.proxy for each in found] == list(PROXIES)
    scores = {str(recipe): gold.measure(engine, recipe).value for recipe in recipes}
    for each in found:
        assert each.recipes == 4
        assert each.score == pytest.approx(scores[each.recipe])
        assert each.regret == pytest.approx(max(scores.values()) - scores[each.recipe])
        assert each.at_random == pytest.approx(max(scores.values()) - np.mean(list(scores.values())))
        assert -1 <= each.agrees <= 1
    with pytest.raises(RecipeError, match="0 recipes have a score"):
        regrets(engine, [unfit], gold)


def test_the_command_chooses_without_gold_and_tells_what_that_is_worth(
    run, bert, tmp_path, settings, monkeypatch
):
    few = lambda base: {"max": base.replace(pool="max"), "first": base.replace(layers="1")}  # noqa: E731
    monkeypatch.setattr("core.cli.find.comparable", few)
    texts = tmp_path / "news.txt"
    texts.write_text("\n".join(long_texts(90)), "utf-8")
    arguments = ("--corpus", texts, "--recipe", bert, "--no-gold", "agreement", "--budget", "4")
    narrow = ("--stages", "layers,similarity", "--no-reference", "--cache", settings.cache, "--quiet")
    code, out, err = run("find", *arguments, *narrow, "--json")
    assert code == 0, err
    answer = json.loads(out)
    assert answer["metric"] == "agreement × 100"
    assert "similarity=" not in answer["recipe"], "the proxy does not see it"
    assert [each["proxy"] for each in answer["regrets"]] == list(PROXIES)
    assert "says nothing of quality" in err
    code, out, _ = run("find", *arguments, *narrow)
    assert "by uniformity:" in out
    other = [str(each).replace("agreement", "uniformity") for each in arguments]
    code, out, _ = run("find", *other, *narrow)
    assert (code, "nan" in out) == (0, False)
    assert re.search(r"test -?[0-9.]+; \d+ sentences", out)
    assert ", the best of" in out


def test_the_search_says_what_its_best_is(engine, bert):
    corpus, steps = Corpus.of_texts("news", long_texts(90)), []
    question = Question.of(
        engine, Recipe.parse(bert), [parted_by(corpus, "agreement")], ("pool",), reference=False
    )
    run_search(engine, question, Budget(trials=3), lambda step: steps.append(str(step)))
    assert any("best agreement × 100 on dev" in step for step in steps)
    gold = Question.of(engine, Recipe.parse(bert), [part(scored())], ("pool",), reference=False)
    assert (gold.metric, gold.unit) == ("Spearman × 100", "rows")
