"""The search for a better recipe on the page Scores."""

import pytest

from components.scores import search
from core.evaluation.sts import Difference, Score
from core.search.find import Compared, Found
from core.search.trials import Trial
from tests.pages.reading import errors, figures, headings, plain

FEW = "source=untuned;layers=last"


def found(low: float, high: float) -> Found:
    score = Score(60.0, 60.0, 55.0, 65.0, 100, "all", {}, "")
    other = Compared("plain mean", "layers=last", 57.0, Difference((low + high) / 2, low, high))
    return Found("pool=max", 61.0, 0.5, score, other, None, (), {"pool=max": 61.0}, (50, 50), ())


def test_the_headline_says_the_gain_on_test_or_that_none_is_shown():
    assert "60.0, 3.0 above plain mean (difference 95 %: 1.0 to 5.0)" in search.finding(found(1, 5), "demo")
    assert "3.0 below plain mean" in search.finding(found(-5, -1), "demo")
    assert "no difference shown from plain mean: +1.0 (95 %: −1.0 to 3.0)" in search.finding(
        found(-1, 3), "demo"
    )


def test_a_search_is_asked_for_and_shows_its_trials(visit, monkeypatch):
    asked = []

    def find(engine, question, test, budget, progress):
        asked.append((question.dev.split_name, test.split_name, budget.trials, question.space.reference))
        trials = (Trial("pool=max", 50.0), Trial("", float("nan"), "no"), Trial("pool=cls", 61.0))
        return Found(
            **vars(found(1, 5)) | {"trials": trials, "scored": {"pool=cls": 61.0, "pool=max": 50.0}}
        )

    monkeypatch.setattr(search, "find", find)
    query = {"search": "true", "search.trials": "50", "search.reference": "false"}
    at = visit("scores", a=FEW, b="none", **query)
    assert asked == [], "nothing is searched before one asks"
    assert len(figures(at)) == 2
    (button,) = (each for each in at.button if each.label == "Search")
    at = button.click().run()
    assert errors(at) == []
    assert asked == [("dev", "test", 50, False)]
    assert any("the recipe chosen on dev has 60.0" in line for line in headings(at))
    assert len(figures(at)) == 3
    at.button(key="search.take.b").click().run()
    assert at.query_params["b"] == "pool=max"


@pytest.mark.parametrize("rows", [12])
def test_a_corpus_that_is_too_small_says_so(visit, corpora, rows):
    lines = [f"The owl {i} sat.\tAn owl {i} slept.\t{i % 5}" for i in range(rows)]
    corpora(owls="\n".join(["sentence1\tsentence2\tscore", *lines]))
    at = visit("scores", corpus="owls", b="none", a="source=random;layers=static", search="true")
    assert any("a search needs 20" in plain(info.value) for info in at.info)
    assert not [each for each in at.button if each.label == "Search"]
