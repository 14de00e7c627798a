"""The page Find: a search is asked for, drawn, and every recipe of it can be taken."""

import json
import re
from dataclasses import replace

import pytest

from benchmarks.arrival import SEARCHED
from components import cached
from components.figures.labels import clauses
from components.find import headline, proxies, ranking, search, stages
from components.findings_row import LONGEST
from components.wording import duration_range
from core.cli.find import _lines
from core.evaluation.difference import NO_DIFFERENCE, Difference
from core.recipe import Recipe
from core.search.aims import part
from core.search.budget import Budget
from core.search.find import find
from core.search.found import Compared, Found, Outcome, Ranked
from core.search.importance import Effect
from core.search.measured import Trial
from core.search.question import Question
from tests.pages.reading import captions, errors, figures, headings, plain, told

FEW = "source=untuned;layers=last"


def found(low: float, high: float) -> Found:
    other = Compared("plain mean", "layers=last", 57.0, Difference((low + high) / 2, low, high))
    return Found(
        metric="Spearman × 100",
        recipe="pool=cls",
        dev=61.0,
        optimism=0.5,
        test=Outcome(60.0, 55.0, 65.0, 50),
        tests={"demo test": Outcome(60.0, 55.0, 65.0, 50)},
        baseline=other,
        preset=None,
        trials=(
            Trial("pool=max", 50.0, "", 96, (50.0,), rungs=(40.0,)),
            Trial("", float("nan"), "no"),
            Trial("pool=cls", 61.0, "", 384, (61.0,), rungs=(70.0,)),
            Trial("pool=sum", float("nan"), "", 384, rungs=(65.0,), given_up=17),
        ),
        ranked=(
            Ranked("pool=cls", 61.0, 55.0, 66.0, NO_DIFFERENCE, 384, 2.5),
            Ranked("pool=max", 50.0, 44.0, 55.0, Difference(11.0, -1.0, 20.0), 96, 1.5),
        ),
        matters={"pool": 0.8, "layers": 0.2},
        effects=(Effect("pool", "cls", 1, 61.0, 61.0), Effect("pool", "max", 1, 50.0, 50.0)),
        rows=(50, 50),
        rungs=(17,),
        notes=(),
    )


def test_the_headline_says_the_gain_on_test_or_that_none_is_shown():
    assert (
        "= 60.0 on demo test: the recipe chosen on dev, 3.0 above plain mean (difference 95 %: 1.0 to 5.0)"
        in (headline.finding(found(1, 5), "demo"))
    )
    assert "3.0 below plain mean" in headline.finding(found(-5, -1), "demo")
    assert "no difference shown from plain mean: +1.0, 95 %: −1.0 to 3.0" in headline.finding(
        found(-1, 3), "demo"
    )


def test_what_is_luck_is_a_part_of_the_score_or_may_be_all_of_it():
    some = found(1, 5)
    (line,) = headline.said(some)
    assert line.endswith("; about 0.5 of it is the luck of choosing the best of so many.")
    assert "  dev 61.00, of which 0.50 points are owed to choosing the best of" in _lines(some, "demo")[2]
    lucky = replace(some, dev=19.6, optimism=21.9)
    (line,) = headline.said(lucky)
    assert line.endswith("; choosing the best of so many gains about 21.9, so all of it may be luck.")
    assert "which may all be owed to choosing the best of" in _lines(lucky, "demo")[2]


def test_no_difference_is_shown_from_any_or_from_some_of_the_next():
    first, second = found(1, 5).ranked
    apart = replace(second, behind=Difference(11.0, 1.0, 20.0))
    assert ranking.finding([first, second, second], "score").endswith("the best one and any of the next 2")
    assert ranking.finding([first, second, apart], "score").endswith("the best one and 1 of the next 2")


def alike() -> Found:
    """The choice in three words, of which one was proposed and one is no recipe of the space."""
    one, texts = found(1, 5), ("pool=cls;post=normalize", "pool=cls;similarity=dot")
    more = tuple(Trial(text, 61.0, "", 384, (61.0,), rungs=(70.0,)) for text in texts)
    return replace(one, trials=(*one.trials, *more), alike=dict.fromkeys(texts, one.recipe))


def test_recipes_of_the_same_score_are_one_of_so_many_and_told():
    assert [trial.recipe for trial in alike().scored] == ["pool=cls", "pool=max"]
    first, second = headline.said(alike())
    assert first.startswith("On dev the choice scores 61.0, the best of 2 recipes; about")
    assert second == "2 more score the same as one of these on every resample of dev."
    assert "  of the same score as another one on every resample of dev: 2" in _lines(alike(), "demo")


def test_a_recipe_is_shown_with_those_of_the_same_score(visit, monkeypatch):
    monkeypatch.setattr(search, "find", lambda *_: alike())
    at = visit("find", a=FEW, b="none", **{"find.budget": "50", "find.reference": "false"})
    at = next(each for each in at.button if each.label == "Search").click().run()
    assert errors(at) == []
    same = "The same score on every resample of dev: "
    assert f"{same}first+last, [CLS], normalize; first+last, [CLS], dot." in captions(at)
    at.selectbox(key="find.recipe").select("pool=cls;similarity=dot").run()
    assert any("61.0 on dev, place 1 of 2, 384 dimensions" in text.value for text in at.markdown)
    assert f"{same}first+last, [CLS]; first+last, [CLS], normalize." in captions(at)
    at.selectbox(key="find.recipe").select("pool=max").run()
    assert same not in captions(at)


def test_the_recipe_that_is_looked_at_is_the_choice_until_one_is_chosen(visit, monkeypatch):
    """A larger search has another winner, which the address then says nothing of."""
    small, others = found(1, 5), ("pool=max;post=centre", "pool=max;post=zscore")
    better = tuple(Trial(text, 70.0 + n, "", 384, (70.0 + n,), (90.0,)) for n, text in enumerate(others))
    large = replace(small, recipe=others[1], dev=71.0, trials=(*small.trials, *better))
    monkeypatch.setattr(search, "find", lambda *given: large if given[2].trials == 200 else small)
    at = visit("find", a=FEW, b="none", **{"find.budget": "50", "find.reference": "false"})

    def looked_at(budget: str) -> str:
        at.segmented_control(key="find.budget").set_value(budget).run()
        for button in [each for each in at.button if each.label == "Search"]:
            button.click().run()
        assert errors(at) == []
        return at.selectbox(key="find.recipe").value

    for _ in range(2):
        assert looked_at("50") == "pool=cls"
        assert looked_at("200") == others[1]
        assert "find.recipe" not in at.query_params
    at.selectbox(key="find.recipe").select("pool=max").run()
    assert [looked_at("50"), looked_at("200")] == ["pool=max", "pool=max"]
    assert at.query_params["find.recipe"] == "pool=max"


def test_a_link_to_a_recipe_that_says_more_than_it_does_finds_what_it_does(visit, monkeypatch):
    """Searches tried these until they left out what changes nothing."""
    some = found(1, 5)
    trials = (*some.trials, replace(some.trials[0], recipe=f"{FEW};pool=clshead"))
    monkeypatch.setattr(search, "find", lambda *_: replace(some, trials=trials))
    monkeypatch.setattr(search, "is_kept", lambda *_: True)
    old = f"{FEW.replace('last', '6')};tokens=noseparator;weight=idf;pool=clshead"
    at = visit("find", a=FEW, b="none", **{"find.budget": "50", "find.recipe": old})
    assert errors(at) == []
    assert at.selectbox(key="find.recipe").value == f"{FEW};pool=clshead"
    assert not any("cannot follow" in each.value for each in at.warning)


def test_the_headline_says_when_the_choice_is_a_published_method():
    own = replace(found(1, 5), recipe="layers=last;pool=max;post=centre+whiten(k=7)")
    assert "60.0 on demo test: the recipe chosen on dev, 3.0 above" in headline.finding(own, "demo")
    theirs = replace(own, recipe="layers=last;pool=cls")
    assert ": the recipe chosen on dev, the published [CLS], 3.0 above" in headline.finding(theirs, "demo")


def test_the_link_to_each_figure_states_its_number():
    some = found(1, 5)
    where = "17 rows of dev"
    named = "Spearman × 100"
    titles = [
        headline.finding(replace(some, metric=named), "a long name of a corpus"),
        stages.finding({"similarity": 0.614, "pool": 0.2}, where),
        stages.effect_finding(list(some.effects), named, where),
        ranking.finding(some.ranked, named),
    ]
    assert clauses(titles, LONGEST) == [
        "Spearman × 100 = 60.0 on a long name of a corpus test",
        "Stage similarity explains 61 %, pool 20 % of the variance",
        "By pool, the best trial has Spearman × 100 = 61.0 with cls",
        "The best 2 recipes have Spearman × 100 = 61.0 to 50.0 on dev",
    ]


def test_reasons_are_counted_the_commonest_first_and_the_rest_together():
    nan = float("nan")
    reasons = ["too wide", "no\nhead", "too wide", "no head", "too wide", "one", "two"]
    trials = tuple(Trial(str(i), nan, why) for i, why in enumerate(reasons))
    several = replace(found(1, 5), trials=(*found(1, 5).trials[2:], *trials))
    assert several.reasons(2) == [(3, "too wide"), (2, "no head"), (2, "for other reasons")]
    assert [often for often, _ in several.reasons(9)] == [3, 2, 1, 1]
    assert sum(often for often, _ in several.reasons(1)) == several.unscored == 7


def test_reasons_that_differ_in_numbers_alone_are_one_with_their_ends():
    reasons = [f"k={k} of STS12 is more than the {most} columns" for k, most in ((64, 8), (512, 8))]
    reasons += ["k=1,024 of STS12 is more than the 8 columns", "k=9 of STS13 is more than the 8 columns"]
    several = replace(found(1, 5), trials=tuple(Trial(w, float("nan"), w) for w in reasons))
    assert several.reasons(9) == [
        (3, "k=64–1,024 of STS12 is more than the 8 columns"),
        (1, "k=9 of STS13 is more than the 8 columns"),
    ]


def test_what_is_left_out_to_save_time_is_said_apart():
    dear = [Trial(f"pool=gem(p={p})", float("nan"), barred="pool=gem") for p in (2, 4)]
    some = replace(found(1, 5), trials=(*found(1, 5).trials, *dear))
    assert headline.counts(some).endswith("2 left out to save time, 1 could not be scored")
    assert headline.barred(some) == (
        "2 of 6 trials left out to save time, as their option took 5 % of the search's time: pool=gem (2)"
    )
    assert headline.barred(found(1, 5)) == ""


def test_what_is_left_out_stands_under_the_trials_and_behind_the_figures_of_stages(visit, monkeypatch):
    dear = Trial("pool=gem", float("nan"), barred="pool=gem")
    some = replace(found(1, 5), trials=(*found(1, 5).trials, dear))
    monkeypatch.setattr(search, "find", lambda *_: some)
    at = visit("find", a=FEW, b="none", **{"find.budget": "50", "find.reference": "false"})
    (button,) = (each for each in at.button if each.label == "Search")
    at = button.click().run()
    assert errors(at) == []
    line = (
        "1 of 5 trials left out to save time, as their option took 5 % of the search's time: pool=gem (1)"
    )
    assert sum(plain(each.value) == line for each in at.caption) == 1
    assert sum(line in plain(each.value) for each in at.caption) == 3


def test_why_nothing_is_said_of_what_stages_matter():
    assert stages.untold(found(1, 5)) == (
        "What each stage matters takes 30 scored trials to tell; 3 trials have a score on 17 rows of dev."
    )
    same = [Trial("pool=cls", 61.0, rungs=(60.0,))] * 30
    assert "all trials score the same" in stages.untold(replace(found(1, 5), trials=tuple(same)))


def test_without_gold_scores_sentences_are_called_so_and_titles_begin_as_sentences(visit, monkeypatch):
    asked, seconds = [], []

    def find(engine, question, budget, progress):
        asked.append((question.unit, question.metric))
        seconds.extend(job.seconds for job in cached.shared_queue().active())
        return replace(found(1, 5), metric="agreement × 100", unit=question.unit)

    monkeypatch.setattr(search, "find", find)
    at = visit("find", a=FEW, b="none", **{"find.by": "agreement", "find.budget": "50"})
    assert errors(at) == []
    (said,) = (text for info in at.info if "50 proposals" in (text := plain(info.value)))
    assert re.search(r"tried on [\d,]+ sentences of .* dev", said)
    assert re.search(r"scored on [\d,]+ sentences of test", said)
    (button,) = (each for each in at.button if each.label == "Search")
    at = button.click().run()
    assert asked == [("sentences", "agreement × 100")]
    assert f"It takes {duration_range(max(seconds))};" in said, "the work is estimated as the question says"
    titles = headings(at)
    assert any("Agreement × 100 on " in line for line in titles)
    assert not any("agreement × 100 on" in line for line in titles)
    assert "50 sentences of dev, 50 of test" in captions(at)


def test_the_numbers_of_costs_are_the_points_that_are_drawn():
    every = [("layers=1", 10.0, 1.0), ("", 5.0, 0.5), ("layers=2", 20.0, 0.9)]
    rows = ranking.costs_table(every, ranking.front(every), "dimensions").to_dict("records")
    assert [(row["recipe"], row["dimensions"], row["dev"], row["front"]) for row in rows] == [
        ("layers=1", 10.0, 1.0, True),
        ("layers=first+last", 5.0, 0.5, True),
        ("layers=2", 20.0, 0.9, False),
    ]


def test_the_default_recipe_is_written_in_the_numbers_as_it_can_be_pasted():
    some = found(1, 5)
    given_up = replace(some.trials[3], recipe="")
    defaults = replace(
        some,
        trials=(*(replace(trial, recipe="") for trial in some.trials[:1]), *some.trials[1:3], given_up),
        ranked=tuple(replace(each, recipe="") for each in some.ranked),
    )
    for numbers in (headline.table(defaults), ranking.table(defaults)):
        assert "" not in numbers["recipe"].tolist()
        assert "layers=first+last" in numbers["recipe"].tolist()


def test_the_numbers_of_the_trials_hold_the_choice_on_test_and_which_trial_a_recipe_is():
    """The title and the figure show both."""
    some = found(1, 5)
    numbers = headline.table(some).set_index("recipe")
    names = [f"test, {some.metric}", "low", "high"]
    assert numbers.loc[some.recipe, names].tolist() == [some.test.value, some.test.low, some.test.high]
    assert numbers.drop(some.recipe)[names].isna().all(axis=None)
    first = {headline.spelled(one.recipe): n for n, one in reversed([*enumerate(some.trials, 1)])}
    published = {headline.spelled(one.recipe) for one in some.published.values()}
    assert numbers["trial"].to_dict() == {
        recipe: 0 if recipe in published else first[recipe] for recipe in numbers.index
    }


def test_recipes_of_several_models_say_theirs():
    found_ = replace(found(1, 5), recipe="source=untuned;layers=last;pool=cls", preset=found(1, 5).baseline)
    title = headline.finding(found_, "demo", models=True)
    assert "the published [CLS] on untuned, 3.0 above plain mean on bundled" in title
    own = replace(found_, recipe="source=untuned;layers=last;pool=max;post=centre")
    assert "the recipe chosen on dev, one on untuned, 3.0" in headline.finding(own, "demo", models=True)
    assert "above plain mean on bundled" in " ".join(headline.said(found_, models=True))


def test_the_best_are_told_apart_or_not():
    alike = found(1, 5).ranked
    assert "no difference shown between them" in ranking.finding(alike, "S")
    apart = (alike[0], Ranked("x", 50.0, 44.0, 55.0, Difference(11.0, 1.0, 20.0), 9, 1.0))
    assert "the best one is above the next" in ranking.finding(apart, "S")


def test_a_search_is_asked_for_and_shows_its_trials(visit, monkeypatch):
    asked = []

    def find(engine, question, budget, progress):
        asked.append((budget, question.space.reference, question.space.stages, question.width))
        assert question.space.exports
        return found(1, 5)

    monkeypatch.setattr(search, "find", find)
    query = {"find.budget": "50", "find.reference": "false", "find.exports": "true"}
    query |= {"find.dimensions": "256", "find.coordinates.open": "true"}
    at = visit("find", a=FEW, b="none", **query)
    assert errors(at) == []
    assert asked == [], "nothing is searched before one asks"
    assert figures(at) == []
    assert any("50 proposals" in plain(info.value) for info in at.info), "what it does, and costs"
    (button,) = (each for each in at.button if each.label == "Search")
    at = button.click().run()
    assert errors(at) == []
    assert [(budget.trials, *rest) for budget, *rest in asked] == [
        (50, False, ("layers", "tokens", "weight", "pool", "mix", "post", "similarity"), 256)
    ]
    assert any("= 60.0 on demo test: the recipe chosen on dev" in line for line in headings(at))
    assert len(figures(at)) == 6
    assert any("no difference shown between" in line for line in headings(at))
    parallel = next(json.loads(each) for each in figures(at) if "parcoords" in each)
    assert [axis["label"] for axis in parallel["data"][0]["dimensions"]] == ["pool", "layers", "dev"]
    assert at.selectbox(key="find.recipe").value == headline.spelled(found(1, 5).recipe)
    assert any("place 1 of 2" in text.value for text in at.markdown)
    at.selectbox(key="find.recipe").select("pool=max").run()
    assert any("place 2 of 2, 96 dimensions" in text.value for text in at.markdown)
    assert parallel["data"][0]["dimensions"][-1]["ticktext"][0] == "given up at 17"
    assert "4 trials, 1 given up after 17 rows of dev, 1 could not be scored" in captions(at)
    (failed,) = (each for each in at.expander if "could not be scored" in each.label)
    assert (failed.label, failed.proto.expanded) == ("1 of 4 trials could not be scored, and why", False)
    assert failed.table[0].value.to_dict("records") == [{"trials": 1, "why": "no"}]
    assert sum("given up after 17 rows, 65.00 there" in each for each in figures(at)) == 1
    at.button(key="find.take.b").click().run()
    assert at.query_params["b"] == "pool=max"
    assert "downloaded as a sentence-transformers folder at the end of the page Scores" in captions(at)
    at.selectbox(key="find.recipe").select("pool=sum").run()
    assert "No sentence-transformers folder can hold this recipe" in captions(at)
    assert "on which it looks better than it is" not in captions(at), "demo has dev and test"
    assert any("given up after 17 of 50 rows of dev, 65.0 there" in text.value for text in at.markdown)


def test_what_dear_options_take_is_in_the_time_of_a_search_that_tries_them_first(corpora, monkeypatch):
    lines = [f"The owl {i} sat.\tAn owl {i * i % 7} slept.\t{i % 5}" for i in range(90)]
    corpora(owls="\n".join(["sentence1\tsentence2\tscore", *lines]))
    engine, base = cached._engine(), Recipe.parse("source=random(dim=24);layers=static")
    parts = [part(engine.corpus("owls", "all"))]

    def seconds(stage: str, before: int = 0) -> float:
        monkeypatch.setattr(search, "done", lambda *_: before)
        question = Question.of(engine, base, parts, (stage,), reference=False)
        return search._seconds(engine, question, Budget(trials=50))

    assert seconds("pool") == pytest.approx(seconds("similarity") + search.DEAR_SECONDS)
    assert seconds("pool", 30) == pytest.approx(20 * search.TRIAL_SECONDS + search.OTHER_SECONDS)


def test_a_real_search_of_one_stage_goes_through(visit, corpora):
    lines = [f"The owl {i} sat.\tAn owl {i * i % 7} slept.\t{i % 5}" for i in range(90)]
    corpora(owls="\n".join(["sentence1\tsentence2\tscore", *lines]))
    query = {"find.budget": "50", "find.reference": "false", "find.stages": "similarity"}
    at = visit("find", corpus="owls", a="source=random(dim=24);layers=static", b="none", **query)
    (button,) = (each for each in at.button if each.label == "Search")
    at = button.click().run()
    assert errors(at) == []
    assert len(figures(at)) == 4
    assert "takes 30 scored trials to tell; 5 trials have a score on dev" in told(at)
    assert any(re.match(r"Spearman × 100 = [−\d.]+ on owls test: ", line) for line in headings(at))
    assert "went to one of them by a hash" in captions(at)
    assert "on which it looks better than it is" in captions(at)


@pytest.mark.parametrize("named", [True, False])
def test_the_choice_of_several_models_is_taken_and_the_result_stays(visit, corpora, small, named):
    """Recipe A's model may be a folder, which no menu offers."""
    lines = [f"The crow {i} sat.\tA crow {i * i % 7} slept.\t{i % 5}" for i in range(90)]
    corpora(crows="\n".join(["sentence1\tsentence2\tscore", *lines]))
    query = {"find.budget": "50", "find.reference": "false", "find.stages": "similarity"}
    own = "untuned" if named else Recipe.parse(small).spelled()["source"]
    others = ["bundled"]
    query |= {"find.sources": others, "a": f"source={own};layers=last"}
    at = visit("find", corpus="crows", b="none", **query)
    (button,) = (each for each in at.button if each.label == "Search")
    assert f"with the models {' and '.join(sorted([own, *others]))}" in told(at)
    at = button.click().run()
    assert errors(at) == []
    named = re.compile(r"Spearman × 100 = [−\d.]+ on crows test: ")
    (title,) = (line for line in headings(at) if named.match(line))
    assert " on bundled" in title or f" on {own}" in title
    taken = at.selectbox(key="find.recipe")
    other = next(text for text in taken.options if own not in text)
    at = taken.set_value(other).run()
    at = at.button(key="find.take.a").click().run()
    assert at.session_state["a"] == other
    assert sorted([Recipe.parse(other).spelled()["source"], *at.session_state["find.sources"]]) == sorted(
        [own, *others]
    )
    assert title in headings(at)
    assert not [each for each in at.button if each.label == "Search"]


HAWKS = {"find.budget": "50", "find.reference": "false", "find.stages": "similarity", "b": "none"} | {
    "corpus": "hawks",
    "a": "source=random(dim=24);layers=static",
}


def stopped_after(trials: int, corpora) -> None:
    """Of the search that :data:`HAWKS` asks for, so many trials are kept."""
    lines = [f"The hawk {i} sat.\tA hawk {i * i % 7} slept.\t{i % 5}" for i in range(90)]
    corpora(hawks="\n".join(["sentence1\tsentence2\tscore", *lines]))
    engine = cached._engine()
    parts = [part(engine.corpus("hawks", "all"))]
    question = Question.of(engine, Recipe.parse(HAWKS["a"]), parts, ("similarity",), reference=False)

    def stop(step):
        if step.what.startswith("Trying recipes") and step.done == trials:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        find(engine, question, Budget(trials=50), stop)


def test_one_trial_is_one_in_words(visit, corpora):
    stopped_after(1, corpora)
    at = visit("find", **HAWKS)
    assert "1 trial is there from before." in told(at)
    at = next(each for each in at.button if each.label == "End with this trial").click().run()
    assert "Ended with 1 trial." in captions(at)


def test_a_search_that_was_stopped_is_ended_with_what_it_has_or_gone_on_with(visit, corpora):
    stopped_after(4, corpora)
    at = visit("find", **HAWKS)
    assert errors(at) == []
    assert {"Go on", "End with these 4 trials"} <= {each.label for each in at.button}
    at = at.button(key="find.end").click().run()
    assert errors(at) == []
    assert any(re.match(r"Spearman × 100 = [−\d.]+ on hawks test: ", line) for line in headings(at))
    assert "4 trials" in captions(at)
    assert "Ended with 4 trials." in captions(at)
    at = at.button(key="find.end").click().run()
    assert figures(at) == []
    (button,) = (each for each in at.button if each.label == "Go on")
    at = button.click().run()
    assert any(re.match(r"Spearman × 100 = [−\d.]+ on hawks test: ", line) for line in headings(at))
    assert "5 trials" in captions(at)
    assert "The search proposes 5 different recipes in what is searched; 50 were asked for." in captions(at)
    assert not [each for each in at.button if each.label.startswith(("Go on", "End"))]


def test_one_arrives_on_a_search_that_is_over(visit, corpora, monkeypatch):
    """The question that benchmarks/arrival.py asks is the page's: nothing is asked, all is drawn."""
    lines = [f"The crow {i} sat.\tA crow {i * i % 7} slept.\t{i % 5}" for i in range(90)]
    corpora(crows="\n".join(["sentence1\tsentence2\tscore", *lines]))
    monkeypatch.setattr("core.search.find._searched", lambda *given: found(1, 5))
    engine, base = cached._engine(), FEW
    question = Question.of(engine, Recipe.parse(base), [part(engine.corpus("crows", "all"))])
    find(engine, question, Budget(trials=SEARCHED))
    at = visit("find", corpus="crows", a=base, b="none")
    assert errors(at) == []
    assert not [each for each in at.button if each.label in ("Search", "Go on")]
    assert any("= 60.0 on crows test: the recipe chosen on dev" in line for line in headings(at))


def test_what_proxies_lose_on_benchmarks_is_told_for_the_model_or_for_those_that_come_along():
    assert proxies.measured("untuned").startswith("Measured with source=untuned on ")
    assert proxies.measured("my-model").count("Measured with source=") == 2


def test_without_gold_a_proxy_chooses_and_its_regret_is_shown(visit, corpora, monkeypatch):
    monkeypatch.setattr(proxies, "comparable", lambda base: {"max": base.replace(pool="max")})
    lines = [
        f"The owl {i} sat in a tree.\tAn owl {i * i % 7} slept in the tree.\t{i % 5}" for i in range(90)
    ]
    corpora(owls="\n".join(["sentence1\tsentence2\tscore", *lines]))
    query = {"find.by": "agreement", "find.proxies": "true", "find.stages": "pool,similarity"}
    query |= {"find.budget": "50", "find.reference": "false"}
    at = visit("find", corpus="owls", a="source=random(dim=24);layers=static", b="none", **query)
    assert errors(at) == []
    assert captions(at).count("Measured with source=untuned on ") == 2, "beside the choice, and the figure"
    (button,) = (each for each in at.button if each.label == "Compare with gold")
    at = button.click().run()
    assert errors(at) == []
    (line,) = (line for line in headings(at) if "a blind choice is" in line)
    assert line.startswith("Spearman × 100 on owls test, of 2 recipes: chosen by ")
    (button,) = (each for each in at.button if each.label == "Search")
    at = button.click().run()
    assert errors(at) == []
    assert any(re.match(r"Agreement × 100 = [−\d.]+ on owls test: ", line) for line in headings(at))
    assert "It says nothing of quality" in captions(at)


@pytest.mark.parametrize("rows", [12])
def test_a_corpus_that_is_too_small_says_so(visit, corpora, rows):
    lines = [f"The owl {i} sat.\tAn owl {i} slept.\t{i % 5}" for i in range(rows)]
    corpora(owls="\n".join(["sentence1\tsentence2\tscore", *lines]))
    at = visit("find", corpus="owls", b="none", a="source=random;layers=static")
    assert any("a search needs 20" in line for line in errors(at))
    assert not [each for each in at.button if each.label == "Search"]
