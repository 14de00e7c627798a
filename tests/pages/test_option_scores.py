"""What each option of a stage scores, in the strip that edits the stage."""

import re
import threading

import pytest

from components.bar import option_scores
from components.bar.alternatives import READ, in_place
from components.bar.control import Control
from components.cached import shared_engine, shared_queue
from core.evaluation.scoring import score
from core.evaluation.wording import fixed
from core.progress import Step
from core.recipe import STAGES, Recipe
from core.work import Job, State
from tests.pages.conftest import SECONDS
from tests.pages.reading import captions, errors

COMING = "Each option is being scored on demo test …"

SHOWN = [name for name in STAGES if STAGES[name] not in READ and name != "mix"]
"""Stages of whose options several have scores on a tiny model."""


@pytest.fixture
def at_once(monkeypatch) -> None:
    """The strip does not wait a second before it begins."""
    monkeypatch.setattr(option_scores, "TICK", -1.0)


def said(at) -> list[str]:
    assert errors(at) == []
    return [text for text in captions(at).splitlines() if text.startswith("Here (")]


def scored(at) -> str:
    """The strip's line, once its work is done."""
    for _ in range(4):
        if lines := said(at):
            return lines[0]
        at = drawn_anew(at)
    raise AssertionError("no scores came")


def drawn_anew(at):
    """The page once no work is left; the strip asks for its own when it is drawn."""
    for job in shared_queue().active():
        assert job.wait(SECONDS), f"{job.what} does not end"
    return at.run()


@pytest.mark.parametrize("stage", SHOWN)
def test_each_option_has_the_score_of_its_recipe_the_best_first(visit, small, at_once, stage):
    at = visit("deck", a=small, b="none", edit=f"a.{stage}")  # the bar is the same on every page
    assert captions(at).splitlines().count(COMING) == 1
    line = scored(at)
    assert COMING not in captions(at)
    found = re.findall(r"([^·*]+?): (−?\d+\.\d)( \(now\))?\**(?: · |$)", line.partition("): ")[2])
    values = [float(value.replace("−", "-")) for _, value, _ in found]
    assert len(found) == line.count("·") + 1
    assert len(found) > 1
    assert values == sorted(values, reverse=True)
    engine, recipe = shared_engine(), Recipe.parse(small)
    recipes = in_place(Control("a", STAGES[stage], recipe), engine)
    corpus = engine.corpus("demo", "test")
    for name, value, now in found:
        one = recipes[name.strip().strip("*").strip()]
        assert fixed(score(engine, one, corpus).score.spearman) == value
        assert bool(now) == (one == recipe)


def test_the_line_stays_while_options_of_the_stage_are_chosen(visit, small, at_once):
    at = visit("deck", a=small, b="none", edit="a.pool")
    before = scored(at)
    at.text_input(key="a").set_value(f"{small};pool=max").run()
    (after,) = said(at)
    assert after.replace(" (now)", "") == before.replace(" (now)", "")
    assert "mean: " in before.partition(" (now)")[0].split("·")[-1]
    assert "max: " in after.partition(" (now)")[0].split("·")[-1]
    at.text_input(key="a").set_value(f"{small};pool=pmeans(p=2)").run()
    (other,) = said(at)
    assert other.startswith("Here (demo test), each alone at its usual arguments (now: p-means p=2): ")
    assert other.partition("): ")[2] == before.partition("): ")[2].replace(" (now)", "")


def test_nothing_is_read_for_it_where_a_visitor_is_asked_first(visit, small, corpora, at_once):
    corpora(
        own="sentence1\tsentence2\tscore\n" + "".join(f"cat {i}\tdog {i}\t{i % 5}\n" for i in range(20))
    )
    at = visit("compare", a=small, b="none", corpus="own", edit="a.pool")
    engine, recipe = shared_engine(), Recipe.parse(small)
    corpus = engine.corpus("own")
    for _ in range(3):
        assert said(drawn_anew(at)) == []
    assert not engine.is_read(recipe, corpus)
    score(engine, recipe, corpus)
    assert scored(at), "once it is read the options are scored"


def test_they_end_when_the_strip_is_closed_and_begin_anew_when_it_is_opened(
    visit, small, at_once, monkeypatch
):
    compute, go_on = option_scores.option_scores, threading.Event()

    def slowly(engine, recipes, corpus, progress, **named):
        while not go_on.wait(0.01):
            progress(Step("Scoring options", 0, 1))
        return compute(engine, recipes, corpus, progress, **named)

    monkeypatch.setattr(option_scores, "option_scores", slowly)
    at = visit("deck", patient=False, a=small, b="none", edit="a.similarity")
    (going,) = [job for job in shared_queue().active() if job.what.startswith("Scores of the options")]
    at.run()
    assert not going.stopping, "it is open still"
    next(button for button in at.button if button.label == "Close").click().run()
    assert going.wait(SECONDS)
    assert going.state is State.STOPPED
    go_on.set()
    assert scored(visit("deck", a=small, b="none", edit="a.similarity"))


@pytest.mark.parametrize("stage", ["source", "template", "reference"])
def test_stages_that_say_what_is_read_have_no_scores(visit, small, at_once, stage):
    at = visit("deck", a=small, b="none", edit=f"a.{stage}")
    assert said(at) == []
    assert not [job for job in shared_queue().active() if job.what.startswith("Scores of the options")]


def test_it_gives_way_to_what_a_page_waits_for(visit, small):
    visit("scores", a=small, b="none")
    control = Control("a", STAGES["pool"], Recipe.parse(small))
    engine = shared_engine()
    recipes = in_place(control, engine)
    work = option_scores._work(control, engine, recipes, engine.corpus("demo", "test"))
    assert Job(work).is_background
