"""Every page arrives with a worked example, and answers one change."""

import json
import re
import threading

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from components.cached import shared_engine, shared_queue
from components.compare.examples import MIXED
from core.errors import StrataError
from core.pipeline.engine import Engine
from core.progress import Step
from core.recipe import STAGES, options
from core.sources.forward_passes import ForwardPasses
from core.versions import NONE
from core.work import Work
from tests.pages.conftest import APP
from tests.pages.reading import captions, charts, errors, figures, headings

FIGURES = {"compare": 1, "scores": 2}
ELSEWHERE = {
    "deck",
    "find",
    "geometry",
    "heads",
    "layers",
    "masking",
    "methods",
    "mixing",
    "papers",
    "tasks",
    "tokens",
}
"""Pages that are tested in a file of their own."""


A_FEW = 300
"""Sentences that are read in a second; masking reads one sentence in some hundred forms."""


def test_every_page_is_tested():
    assert {path.stem for path in (APP.parent / "pages").glob("*.py")} == set(FIGURES) | ELSEWHERE


@pytest.mark.parametrize("page", FIGURES)
def test_a_page_arrives_with_its_figures_and_no_complaint(visit, page):
    at = visit(page)
    assert errors(at) == []
    assert not at.warning
    assert len(figures(at)) == FIGURES[page]
    assert "layers=last" in captions(at)


@pytest.mark.parametrize("page", FIGURES)
def test_every_figure_has_a_text_for_those_who_do_not_see_it(visit, page):
    for chart in charts(visit(page)):
        assert len(chart.alt) > 20


@pytest.mark.parametrize("page", FIGURES)
def test_another_recipe_changes_the_answer(visit, page):
    at = visit(page)
    before, drawn = headings(at), figures(at)
    at.text_input(key="a").set_value("layers=3").run()
    assert errors(at) == []
    assert headings(at) != before
    assert figures(at) != drawn
    assert "A: layers=3" in captions(at)


@pytest.mark.parametrize("page", FIGURES)
def test_a_is_shown_alone_when_b_is_none(visit, page):
    at = visit(page, b="none")
    assert errors(at) == []
    assert len(figures(at)) == FIGURES[page]
    assert "\nB:" not in captions(at)


def test_compare_shows_a_b_and_their_difference(visit):
    (figure,) = (json.loads(one) for one in figures(visit()))
    titles = [figure["layout"][axis]["title"]["text"] for axis in ("xaxis", "xaxis2", "xaxis3")]
    assert titles[0] == "A · last layer, mean"
    assert titles[1].startswith("B · last layer, Ditto")
    assert titles[2:] == ["B − A"]
    assert "xaxis4" not in figure["layout"]


def test_compare_draws_no_difference_of_unlike_similarities(visit):
    at = visit(a="similarity=cosine", b="similarity=dot")
    (figure,) = (json.loads(one) for one in figures(at))
    assert figure["layout"]["xaxis2"]["title"]["text"].startswith("B · ")
    assert "xaxis3" not in figure["layout"]
    assert errors(at) == []


def test_compare_of_a_recipe_with_itself_finds_no_change(visit):
    at = visit(a="layers=last", b="layers=last")
    assert headings(at)[0].endswith("A and B put all 66 pairs in the same order")


def test_compare_takes_other_sentences(visit):
    at = visit()
    at.text_area(key="sentences").set_value("A cat sat.\nA dog ran.\nRain fell.").run()
    assert errors(at) == []
    assert "3 sentences · 3 pairs" in captions(at)
    assert "“A " in headings(at)[0]


def test_a_link_brings_recipes_and_sentences(visit):
    at = visit(a="layers=1;pool=max", b="layers=static", sentences="one cat\ntwo dogs\nthree birds")
    assert at.text_input(key="a").value == "layers=1;pool=max"
    assert at.text_input(key="b").value == "layers=static"
    assert "A: layers=1;pool=max" in captions(at)
    assert "3 sentences" in captions(at)


def test_one_arrives_with_the_examples(visit):
    assert visit().text_area(key="sentences").value.split("\n") == list(MIXED)


def test_scores_says_both_scores_and_the_difference(visit):
    at = visit("scores")
    assert [metric.label for metric in at.metric] == [
        ":blue[**A, last layer, mean**]",
        r":orange[**B, last layer, Ditto layer\=5 head\=4, z\-score**]",
    ]
    assert all(metric.delta.startswith("Spearman × 100 · 95 %: ") for metric in at.metric)
    assert all(" ± " in metric.value for metric in at.metric)
    assert " better by " in headings(at)[0] or "No difference shown" in headings(at)[0]


def test_scores_follows_the_aggregate(visit):
    at = visit("scores")
    before = [metric.value for metric in at.metric]
    at.button_group(key="aggregate").set_value("mean").run()
    assert errors(at) == []
    assert [metric.value for metric in at.metric] != before


def test_scores_follows_the_corpus(visit, corpora):
    lines = [f"The dog number {i} runs.\tThe dog number {i * i} sits.\t{i % 5}" for i in range(12)]
    corpora(dogs="\n".join(["sentence1\tsentence2\tscore", *lines]))
    at = visit("scores")
    at.text_input(key="corpus").set_value("dogs").run()
    assert errors(at) == []
    assert "dogs · 12 pairs" in captions(at)


def test_scores_remembers_what_was_tried_once_each_best_first(visit):
    at = visit("scores", a="layers=0", b="none")
    assert "Tried in this visit: 1 recipe" in headings(at)
    for recipe in ("layers=last", "layers=0", "layers=last"):
        at.text_input(key="a").set_value(recipe).run()
    assert "Tried in this visit: 2 recipes" in headings(at)
    tried = at.dataframe[-1].value
    assert sorted(tried["recipe"]) == ["layers=0", "layers=last"]
    assert tried["Spearman × 100"].is_monotonic_decreasing


def test_scores_of_the_same_recipes_are_the_same_in_another_visit(visit):
    first, second = visit("scores"), visit("scores")
    assert [m.value for m in first.metric] == [m.value for m in second.metric]
    assert headings(first) == headings(second)


def test_one_arrives_on_a_gain_whose_interval_leaves_out_0(visit):
    (finding, *_) = headings(visit("scores"))
    assert re.fullmatch(r"B is better by \d\.\d \(Spearman × 100, 95 %: \d\.\d to \d\.\d\)\.", finding)


@pytest.fixture
def requirements_alone(monkeypatch):
    """An installation of requirements.txt: without the packages that single options need more."""
    more = {option.package for stage in STAGES.values() for option in stage if option.package}
    assert {"gensim", "zuko"} <= more
    find, version = options.find_spec, options.library_version
    monkeypatch.setattr(options, "find_spec", lambda name: None if name in more else find(name))
    monkeypatch.setattr(options, "library_version", lambda name: NONE if name in more else version(name))


@pytest.mark.usefixtures("requirements_alone")
@pytest.mark.parametrize("page", sorted({*FIGURES, *ELSEWHERE} - {"deck"}))
def test_one_arrives_on_a_new_installation_without_reading_a_corpus(visit, page, monkeypatch, tmp_path):
    """What a corpus is read for came with the installation: python -m benchmarks.arrival --ship."""
    monkeypatch.setenv("STRATA_CACHE", str(tmp_path))
    st.cache_resource.clear()
    at = visit(page)
    assert errors(at) == []
    assert figures(at)
    assert not [button.label for button in at.button if button.label == "Start"]
    read = {entry.about["corpus"]: entry.about["sentences"] for entry in shared_engine().store.entries()}
    assert all(sentences < A_FEW for sentences in read.values()), read


@pytest.mark.parametrize("page", sorted({*FIGURES, *ELSEWHERE} - {"deck"}))
def test_what_one_arrives_on_is_there_without_a_model(visit, page, monkeypatch, tmp_path):
    """A model takes seconds to load, from what a browser draws meanwhile as well."""

    def refuse(passes, source):
        raise StrataError("a model is loaded")

    monkeypatch.setattr(ForwardPasses, "encoder", refuse)
    monkeypatch.setenv("STRATA_CACHE", str(tmp_path))
    st.cache_resource.clear()
    at = visit(page)
    assert errors(at) == []
    assert figures(at)


def test_the_door_opens_on_compare():
    at = AppTest.from_file(str(APP), default_timeout=120).run()
    assert any(box.value == "# Compare sentences" for box in at.markdown)


def test_a_recipe_s_own_name_stands_under_figures_and_in_titles_of_panels(visit):
    at = visit("scores", an="Plain mean", bn="Shaped <b>")
    assert errors(at) == []
    assert "MiniLM-L6-mlm · A: Plain mean · B: Shaped <b>" in captions(at)
    assert any("cosine under A, Plain mean" in figure for figure in figures(at))


OWN = ("Weights of the sentence", "Comparing 66 methods")
"""What Methods computes: of the visitor's sentence, and of methods that a test has not stored."""


@pytest.fixture
def long_work(monkeypatch):
    """Work of another visitor that has the only place for long work, where reading a corpus is long."""
    seconds = {True: 60.0, False: 0.5}
    monkeypatch.setattr(
        Engine, "pending", lambda _, recipe, corpus: {"pass": seconds[len(corpus.sentences) > 20]}
    )
    go = threading.Event()

    def compute(progress):
        while not go.wait(0.02):
            progress(Step("Reading", 1, 1000))

    job = shared_queue().submit(Work(("long",), "Long work", compute, 600.0))
    yield
    go.set()
    assert job.wait(30)


@pytest.mark.usefixtures("long_work")
@pytest.mark.parametrize(
    "page", ["scores", "layers", "heads", "mixing", "geometry", "tokens", "methods", "find"]
)
def test_what_comes_along_is_there_beside_long_work(visit, page):
    """Nothing that is drawn on arrival has to be computed, so none of it waits for a place."""
    at = visit(page, patient=False)
    for _ in range(20):
        waiting = [bar.proto.text for bar in at.get("progress")]
        assert not [text for text in waiting if "waits for its turn" in text and not text.startswith(OWN)]
        if not waiting:
            break
        at.run()
