"""Methods: chosen, explained, scored and set against what is published."""

import base64
import json
import re
import threading
import time
from urllib.parse import parse_qsl

import numpy as np
import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.testing.v1.element_tree import ElementTree

from components.cached import shared_queue
from components.methods import every as method_every
from components.methods import scores as method_scores
from components.methods import times as method_times
from components.methods import two_models
from core.encoders.bundled_encoders import BUNDLED
from core.evaluation.gains import gain
from core.evaluation.scoring import score
from core.literature.presets import PRESETS, comparable
from core.literature.published_times import TIMED, TIMES
from core.pipeline.engine import Engine
from core.progress import Step
from core.recipe import Recipe
from core.settings import Settings
from tests.core.helpers import tiny
from tests.core.helpers.texts import many
from tests.pages.conftest import TUNED
from tests.pages.reading import (
    captions,
    charts,
    errors,
    figures,
    headings,
    htmls,
    markdown,
    pairs_of,
    plain,
    press,
    shown,
    table_of,
    told,
)

RECIPES = TUNED


def decoded(values: list | dict) -> list[float]:
    """The numbers of a figure, which may be sent as typed arrays."""
    if isinstance(values, dict):
        return np.frombuffer(base64.b64decode(values["bdata"]), values["dtype"]).tolist()
    return values


NAMES = {preset.name: preset for preset in PRESETS}


@pytest.fixture
def dogs(corpora) -> str:
    """A corpus of a dozen pairs, by its name."""
    corpora(dogs=pairs_of(many(24)))
    return "dogs"


def test_one_arrives_with_a_scored_example(visit):
    at = visit("methods")
    assert errors(at) == []
    assert not at.warning
    assert "## SIF (2017)" in markdown(at)
    assert next(metric.value for metric in at.metric).count(" ± ") == 1
    assert [metric.value for metric in at.metric][1] == "68.5"
    figure, gains = figures(at)
    assert json.loads(figure)["data"]
    assert [trace["name"] for trace in json.loads(gains)["data"][:2]] == [
        "MiniLM-L6-mlm",
        "all-MiniLM-L6-v2",
    ]
    assert any(re.search(r"MiniLM-L6-mlm: \d+ of \d+ methods gain", line) for line in headings(at))
    assert any(
        line.startswith("SIF: ") and "published Pearson × 100 = 68.5 on STS avg." in line
        for line in headings(at)
    )
    assert "SIF: layers=static;tokens=content;weight=sif(punctuation=unknown);post=ccr" in captions(at)
    assert "sif(a=0.001, punctuation=unknown" in htmls(at)
    assert "storm" in htmls(at)
    assert [code.value for code in at.code] == [
        "layers=static;tokens=content;weight=sif(punctuation=unknown);post=ccr"
    ]
    assert "Another corpus: the demonstration here, STS avg. there." in markdown(at)
    assert len(charts(at)[0].alt) > 20


def test_a_link_opens_what_papers_print_for_the_method(visit):
    closed = visit("methods")
    at = visit("methods", **{"all.published": "true"})
    assert errors(at) == []
    (table,) = (one for one in at.dataframe if "published" in one.value and "where" in one.value)
    assert "68.50" in shown(table)["published"].tolist()
    assert len(closed.dataframe) == len(at.dataframe) - 1
    best, first = (one.proto for one in at.get("page_link") if " in Table " in one.proto.label)
    assert [plain(best.label), plain(first.label)] == [
        "68.50 in Table I of Wang et al. 2020",
        "56.2 in Table I of Wang et al. 2020",
    ]
    said = dict(parse_qsl(first.query_string))
    assert {"papers.row": "SIF", "papers.column": "STS12"}.items() <= said.items()
    assert "all.published" not in said


def test_one_who_arrives_first_has_the_shown_method_scored_alone(visit, monkeypatch, tmp_path):
    """On a cold server the corpus is being read just then: other work that reads it still asks."""
    monkeypatch.setenv("STRATA_CACHE", str(tmp_path))
    at = visit("methods", patient=False)
    reading = [job.what for job in shared_queue().active() if job.seconds]
    begun = [what for what in reading if what.startswith(("Scoring", "Comparing"))]
    assert begun == ["Scoring SIF"]
    labels = [button.label for button in at.button]
    assert {"Score every method here", "Measure inference time here"} <= {*labels}


def test_the_table_holds_every_method_and_the_score_that_is_known(visit):
    at = visit("methods")
    table, told_of = at.dataframe[0].value.set_index("method"), captions(at)
    assert list(table.index) == list(NAMES)
    gains = {*comparable.comparable(Recipe())}
    known = {*table.index[table["here"].notna()]}
    assert {"SIF", "[CLS]"} <= known <= gains | {"SIF", "Last layer, mean"}
    assert len(known) > 60, "what came with the installation"
    said = re.search(r"The table has scores of (\d+) methods, without intervals", told_of)
    assert int(said[1]) == len(known) - 1, "SIF, which is shown, has its interval"
    assert "are still to be scored" not in told_of
    assert "A figure stands here once two or more are scored with their intervals." in told_of
    base, engine = Recipe.parse(TUNED["a"]), Engine(Settings())
    recipe, plain_one = NAMES["[CLS]"].apply(base), comparable.plain_mean(base)
    expected = gain(engine, plain_one, recipe, engine.corpus("demo", "test"))
    assert table.loc["[CLS]", "here"] == expected.spearman
    plain_score = score(engine, plain_one, engine.corpus("demo", "test"), "all").score.spearman
    assert table.loc["Last layer, mean", "here"] == pytest.approx(plain_score, abs=1e-9)
    assert table.loc["SIF", "on"] == "STS avg."
    assert table.loc["UAE-Large", "needs"] == "network"


def menu(at):
    """The menu of methods."""
    return next(box for box in at.selectbox if box.label == "Method")


def test_a_method_is_searched_by_all_its_names_and_linked_by_any(visit):
    at = visit("methods", method="All-but-the-top")
    assert told(at) == ""
    assert "## ABTT (2018)" in markdown(at)
    assert menu(at).options[menu(at).index] == "ABTT · all-but-the-top, abtt-2"
    menu(at).set_value("Avg.").run()
    assert at.query_params["method"] == "Avg."


def test_a_family_shows_its_methods_alone(visit):
    at = visit("methods", family="Layers")
    assert errors(at) == []
    shown = list(at.dataframe[0].value["method"])
    assert shown == [preset.name for preset in PRESETS if preset.family == "Layers"]
    assert "## SIF (2017)" in markdown(at)


def test_a_method_of_another_family_chooses_that_one(visit):
    at = visit("methods", family="Layers")
    menu(at).set_value("uSIF").run()
    assert errors(at) == []
    family = NAMES["uSIF"].family
    assert at.button_group(key="family").value == family
    assert list(at.dataframe[0].value["method"]) == [one.name for one in PRESETS if one.family == family]
    at.button_group(key="family").set_value(None).run()
    menu(at).set_value("idf").run()
    assert at.button_group(key="family").value is None, "all of them are shown"


def test_a_link_to_a_method_of_another_family_says_which_the_table_has(visit):
    at = visit("methods", family="Layers", method="uSIF")
    assert errors(at) == []
    said = "uSIF is of the family Weights; the table has the chosen one, Layers."
    assert said in captions(at)
    assert list(at.dataframe[0].value["method"]) == [one.name for one in PRESETS if one.family == "Layers"]
    at.button_group(key="family").set_value("Weights").run()
    assert "is of the family" not in captions(at)
    assert at.text_input(key="method").value == "uSIF"


def test_a_family_that_is_clicked_has_a_method_of_its_own_shown(visit):
    at = visit("methods")
    at.button_group(key="family").set_value("Layers").run()
    assert errors(at) == []
    first = next(preset for preset in PRESETS if preset.family == "Layers" and not preset.needs)
    assert at.text_input(key="method").value == first.name
    assert f"## {first.name} (" in markdown(at)
    last = next(preset for preset in PRESETS[::-1] if preset.family == "Layers" and not preset.needs)
    menu(at).set_value(last.name).run()
    at.button_group(key="family").set_value(None).run()
    assert at.text_input(key="method").value == last.name
    at.button_group(key="family").set_value("Layers").run()
    assert at.text_input(key="method").value == last.name


def test_another_method_is_chosen_and_linked(visit):
    at = visit("methods")
    menu(at).set_value("SBERT-WK").run()
    assert errors(at) == []
    assert "SBERT-WK: layers=wk;weight=variance" in captions(at)
    other = visit("methods", method="SBERT-WK", sentence="Rain fell on the <b>roof</b>.")
    assert "## SBERT-WK (2020)" in markdown(other)
    assert not other.warning
    assert "roof" in htmls(other)
    assert "<b>roof" not in htmls(other)


def say_late(at, state: WidgetState, monkeypatch) -> None:
    """A run in which the browser says also what a control says that it still shows."""
    told = at._tree.get_widget_states()
    kept = [one for one in told.widgets if one.id != state.id]
    with monkeypatch.context() as late:
        late.setattr(ElementTree, "get_widget_states", lambda _: WidgetStates(widgets=[*kept, state]))
        at.run()


def test_what_the_browser_says_of_the_table_and_the_menu_before_is_no_choice(visit, monkeypatch):
    """A run that waits for a score ends, and the next request is of a page on which both still stand."""
    at = visit("methods")
    row = list(NAMES).index("SIF")
    clicked = json.dumps({"selection": {"rows": [], "columns": [], "cells": [[row, "method"]]}})
    table = WidgetState(id=at.dataframe[0].proto.id, string_value=clicked)
    menu(at).set_value("L1 + L2 + L12")
    chosen = menu(at)._widget_state
    at.run()
    say_late(at, table, monkeypatch)
    assert at.text_input(key="method").value == menu(at).value == "L1 + L2 + L12"
    at.text_input(key="method").set_value("[CLS]").run()
    say_late(at, chosen, monkeypatch)
    assert at.text_input(key="method").value == menu(at).value == "[CLS]"


@pytest.mark.parametrize("name", ["nonsense", "<script>alert(1)</script>", "**x**"])
def test_a_method_that_is_not_there_is_said_and_the_example_shown(visit, name):
    at = visit("methods", method=name)
    assert errors(at) == []
    assert "The link names a method" in told(at)
    assert "showing SIF" in told(at)
    assert figures(at)


@pytest.mark.parametrize(
    "name",
    [
        "SimCSE, unsupervised",
        "GloVe avg.",
        "BERT + Avg., layer 10",
    ],
)
def test_a_method_that_needs_more_says_so_and_tries_when_asked(visit, name):
    at = visit("methods", method=name)
    assert errors(at) == []
    assert f"Not scored yet: it needs {NAMES[name].needs}" in told(at)
    press(at, "Try it now")
    assert errors(at) == []
    assert "No score here." in told(at)
    assert not [one for one in at.metric if " ± " in one.value]
    press(at, "Try again")
    assert "No score here." in told(at)


def test_an_extra_that_is_missing_is_named(visit, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "zuko", None)
    at = visit("methods", method="BERT-flow")
    assert "it needs extra: zuko" in told(at)
    press(at, "Try it now")
    if any(button.label == "Start" for button in at.button):
        press(at, "Start")
    assert errors(at) == []
    assert "zuko" in told(at)


def test_too_few_sentences_are_a_reason_and_no_error(visit, dogs):
    at = visit("methods", method="BERT-whitening", corpus=dogs)
    assert errors(at) == []
    assert "different sentences" in told(at)
    assert headings(at)


def test_weights_learnt_from_the_corpus_are_shown_as_of_the_reference(visit):
    at = visit("methods", method="idf")
    assert "learnt from the reference demo" in captions(at)
    assert "learnt from the reference" not in captions(visit("methods", method="Ditto"))


def test_a_pooling_that_weighs_no_tokens_says_so(visit):
    at = visit("methods", method="[CLS]")
    assert "none: pool=cls" in markdown(at)
    assert "of the weight" not in htmls(at), "nor does a token have a share"


@pytest.mark.parametrize("text", ["", "  \0 "])
def test_no_sentence_is_asked_for(visit, text):
    at = visit("methods")
    at.text_input(key="sentence").set_value(text).run()
    assert errors(at) == []
    assert "Write a sentence" in told(at)


@pytest.mark.parametrize("side", ["a", "b"])
def test_a_method_is_taken_as_a_recipe(visit, side):
    at = visit("methods", method="z-score")
    press(at, f"Take as recipe {side.upper()}")
    assert errors(at) == []
    assert at.text_input(key=side).value == "post=zscore"
    assert at.query_params[side] in ("post=zscore", ["post=zscore"])


def test_methods_run_on_the_model_of_recipe_a(visit, tmp_path_factory):
    """A folder called like an encoder that comes along had that one's scores in its table."""
    folder = tiny.build("bert", tmp_path_factory.mktemp("models") / BUNDLED[0].name)
    own = f"source={folder};layers=last"
    at = visit("methods", a=own, method="z-score")
    assert errors(at) == []
    assert captions(at).count(f"source={folder}") >= 1
    assert Recipe.parse(at.code[0].value) == NAMES["z-score"].apply(Recipe.parse(own))
    here = at.dataframe[0].value.set_index("method")["here"]
    assert list(here.index[here.notna()]) == ["z-score"]


@pytest.mark.parametrize(
    ("query", "what"), [({"a": "pool=mena"}, "Recipe A"), ({"a": "source=no/model"}, "")]
)
def test_recipe_a_that_cannot_be_read_is_told(visit, query, what):
    at = visit("methods", **query)
    assert errors(at)
    assert what in told(at)


def test_a_corpus_without_scores_is_told(visit, corpora):
    corpora(flat=table_of([(f"a {i}", f"b {i}", 3) for i in range(5)]))
    at = visit("methods", corpus="flat")
    assert any("no correlation exists" in error for error in errors(at))


def test_long_work_is_said_beforehand(visit, small, dogs, monkeypatch):
    monkeypatch.setattr(Engine, "pending", lambda *_: {"pass": 120.0})
    at = visit("methods", a=small, b="none", corpus=dogs, method="idf")
    assert "takes 60 seconds to 4 minutes, once" in told(at)
    assert re.search(r"with intervals: \d+ seconds to \d minutes, one by one", captions(at)), "they too"
    assert headings(at), "the rest is there all the same"
    press(at, "Start")
    assert any(" ± " in metric.value for metric in at.metric)


def test_no_interval_is_promised_for_few_pairs(visit, small, corpora, monkeypatch):
    monkeypatch.setattr(method_every, "PRESETS", [NAMES["[CLS]"], NAMES["idf"]])
    corpora(few=table_of([(f"a dog {i}", f"a cat {i}", i) for i in range(3)]))
    at = visit("methods", corpus="few", a=small, b="none")
    assert re.search(r"still to be scored on few: up to 10 seconds", captions(at))
    assert "once two or more are scored." in captions(at)


def test_every_method_is_scored_and_those_that_cannot_say_why(visit, dogs, small, monkeypatch):
    some = [preset for preset in PRESETS if not preset.needs][:40:3]
    needs = next(preset for preset in PRESETS if preset.needs)
    monkeypatch.setattr(method_every, "PRESETS", [*some, needs, NAMES["BERT-whitening"]])
    at = visit("methods", corpus=dogs, a=small, method="z-score")
    assert "still to be scored on dogs" in captions(at)
    press(at, "Score every method here")
    assert errors(at) == []
    assert any(
        re.match(r"Highest of \d+ methods scored here with an interval \(.*\): .*, Spearman × 100 = ", line)
        for line in headings(at)
    )
    assert "Score every method here" not in [button.label for button in at.button]
    drawn = json.loads(figures(at)[-1])
    labels = drawn["layout"]["yaxis"]["ticktext"]
    assert "BERT-whitening" not in labels
    assert len(labels) > 5
    reasons = at.table[0].value
    assert "BERT-whitening" in [plain(name) for name in reasons["method"]]
    assert at.dataframe[0].value.set_index("method").loc[some[0].name, "here"] is not None


def test_scoring_every_method_can_be_stopped_and_goes_on(visit, dogs, small, monkeypatch):
    some = [NAMES[name] for name in ("Last layer, mean", "[CLS]", "Static avg.", "Norm weights")]
    monkeypatch.setattr(method_every, "PRESETS", some)
    score, walked, held = method_scores.score, [], threading.Event()

    def stuck(engine, recipe, corpus, aggregate, progress):
        walked.append(str(recipe))
        is_late = len(walked) > 2
        while is_late and not held.is_set():
            progress(Step("Stuck", 0, 1))
            time.sleep(0.01)
        return score(engine, recipe, corpus, aggregate, progress)

    monkeypatch.setattr(method_scores, "score", stuck)
    at = visit("methods", corpus=dogs, a=small)
    del walked[:]
    at.patient = False
    press(at, "Score every method here")
    while len(walked) < 3 or len(shared_queue().active()) > 2:  # two are scored
        time.sleep(0.01)
    press(at, "Stop")
    at.patient = True
    at.run()
    assert errors(at) == []
    assert "2 of 2 methods scored here" in captions(at)
    assert "2 methods that need nothing else are still to be scored" in captions(at)
    held.set()
    press(at, "Score every method here")
    assert "4 of 4 methods scored here" in captions(at)
    assert [walked.count(recipe) for recipe in walked[:2]] == [1, 1], "what was scored is not scored again"


def test_inference_time_is_measured_on_a_click(visit, dogs, small, monkeypatch):
    monkeypatch.setattr(method_times, "TIMED", ("Last layer, mean", "DCT", "SIF"))
    at = visit("methods", corpus=dogs, a=small)
    press(at, "Measure inference time here")
    assert errors(at) == []
    table = next(one.value for one in at.dataframe if "published, CPU" in one.value)
    assert list(table["method"]) == ["Last layer, mean", "DCT", "SIF"]
    assert (table["pass to vector, ms"][:2] > 0).all()
    assert table["published, CPU"].tolist() == ["BERT 86.89", "", "SIF 1.56"]
    assert "GTX TITAN X" in captions(at)
    assert "SIF: post=ccr would be learnt from" in captions(at), "too few sentences are a reason"
    assert len(TIMED) == 9
    at.session_state["all.times"] = True
    at.run()
    printed = at.dataframe[-1].value
    assert {"method", "milliseconds", "hardware"} <= set(printed)
    assert len(printed) == len(TIMES)


def test_methods_are_compared_with_plain_mean_on_both_encoders(visit, monkeypatch, corpora):
    corpora(dogs=pairs_of(many(70)))
    chosen = [NAMES[name] for name in ("[CLS]", "z-score", "BERT-whitening", "idf")]
    monkeypatch.setattr(comparable, "PRESETS", chosen)
    at = visit("methods", corpus="dogs", b="none")
    assert not any("methods gain" in line for line in headings(at))
    press(at, "Compare both encoders")
    assert errors(at) == []
    (title,) = (line for line in headings(at) if "methods gain" in line)
    assert re.fullmatch(
        r"MiniLM-L6-mlm: \d of 3 methods gain, \d lose, \d show no difference; "
        r"all-MiniLM-L6-v2: \d of 3 methods gain, \d lose, \d show no difference "
        r"\(Spearman × 100 against plain mean of the last layer\)",
        title,
    )
    drawn = next(json.loads(figure) for figure in figures(at) if "over plain mean" in figure)
    assert [trace["name"] for trace in drawn["data"][:2]] == ["MiniLM-L6-mlm", "all-MiniLM-L6-v2"]
    assert sorted(drawn["layout"]["yaxis"]["ticktext"]) == ["[CLS]", "idf", "z-score"]
    assert "Compare both encoders" not in [button.label for button in at.button]
    engine, base = Engine(), Recipe.parse("source=untuned")
    recipes = {"idf": NAMES["idf"].apply(base)}
    gains = two_models.gains(engine, base.replace(layers="last"), recipes, engine.corpus("dogs"))
    shown = dict(zip(drawn["data"][0]["text"], decoded(drawn["data"][0]["x"]), strict=True))
    assert shown["idf"] == pytest.approx(gains["idf"].difference.value)
    assert "BERT-whitening: post=whiten" in plain(" ".join(text.value for text in at.markdown))
    assert "gains.shown" not in [one.key for one in at.segmented_control]
    monkeypatch.setattr(two_models, "BEST", 1)
    rows, few = rows_of_gains(at), rows_of_gains(at.run())
    assert 1 <= len(few) < 3
    assert f"best 1 on each: {len(few)} of 3 methods" in captions(at)
    assert rows_of_gains(at.segmented_control(key="gains.shown").set_value("all").run()) == rows


def rows_of_gains(at) -> list[str]:
    """The methods in the figure of gains, sorted."""
    drawn = next(json.loads(figure) for figure in figures(at) if "over plain mean" in figure)
    return sorted(drawn["layout"]["yaxis"]["ticktext"])
