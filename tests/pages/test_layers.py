"""Layers: the map, the curves, scores by layer, words, and SBERT-WK's weights."""

import json
import re
import threading

import pytest
import streamlit as st

from components import selection
from components.job import waiting
from components.layers import score_curve, scoring
from components.layers.weights import WkSettings
from core.errors import RecipeError
from core.pipeline.engine import Engine
from core.recipe import Recipe
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
    pairs_of,
    plain,
    press,
    table_of,
    told,
)

RECIPES = TUNED


@pytest.fixture
def visit(visit):
    """As always, but for recipe B, which is off where a test chooses A alone: it would be read as well."""

    def opened(page: str, **query):
        return visit(page, **({"b": "none"} if "a" in query else {}) | query)

    return opened


@pytest.fixture(scope="module")
def narrow(tmp_path_factory) -> str:
    """A tiny model whose static rows are of another width."""
    return str(tiny.build("electra", tmp_path_factory.mktemp("models") / "electra"))


@pytest.fixture
def dogs(corpora) -> str:
    """A corpus of two dozen pairs, by its name."""
    corpora(dogs=pairs_of(many(48)))
    return "dogs"


def keys(at) -> list[str]:
    """The figures on the page, by name."""
    return [chart.key for chart in charts(at)]


def drawn(at, key: str) -> dict:
    return json.loads(figures(at)[keys(at).index(key)])


ALL = ["evolution", "hops", "layer.curve", "layer.grid", "words", "alphas"]


def maps(at):
    """The cells of each panel of the evolution map, all on one scale; values may lie over them."""
    traces = drawn(at, "evolution")["data"]
    assert {trace["type"] for trace in traces} == {"heatmap"}
    return [trace for trace in traces if trace.get("coloraxis") == "coloraxis"]


def test_one_arrives_with_everything_drawn(visit):
    at = visit("layers")
    assert errors(at) == []
    assert not at.warning
    assert keys(at) == ALL
    assert len(maps(at)) == 1
    assert "Cosine, drawn × 100 in the cells" in captions(at)
    assert headings(at)[0].startswith("Words change most from layer ")
    highest = r"Highest Spearman × 100 by layer: A [\d.]+ ± [\d.]+ \(.+\), B [\d.]+ ± [\d.]+ \(.+\); "
    assert any(re.match(highest, line) for line in headings(at))
    assert "demo test" in captions(at)
    assert "without special tokens" in captions(at)
    assert all(len(chart.alt) > 15 for chart in charts(at))
    assert any("residual connection" in box.value for box in at.markdown)
    assert "<u>the</u>" in htmls(at)
    assert "storm" in htmls(at)


def test_map_and_hops_follow_the_view(visit):
    at = visit("layers")
    seen = {headings(at)[0]}
    for view in ("sentence", "token"):
        at.button_group(key="view").set_value(view).run()
        assert errors(at) == []
        assert keys(at) == ALL
        seen.add(headings(at)[0])
    assert len(seen) == 3
    assert headings(at)[0].startswith("“storm” changes most")
    at.button_group(key="token").set_value("bridge").run()
    assert headings(at)[0].startswith("“bridge” changes most")
    assert any(line.startswith("Largest weight α in “bridge”: layer ") for line in headings(at))


def test_hops_are_shown_along_the_layers_too(visit):
    at = visit("layers")
    before = drawn(at, "hops")["layout"]["xaxis"]["ticktext"]
    at.button_group(key="hops.view").set_value("layer by layer").run()
    assert errors(at) == []
    assert drawn(at, "hops")["layout"]["xaxis"]["ticktext"] == [f"{i}–{i + 1}" for i in range(len(before))]


def test_a_link_brings_view_sentence_and_token(visit):
    at = visit("layers", view="token", sentence="A <b>dog</b> barks.", token="dog")
    assert errors(at) == []
    assert headings(at)[0].startswith("“dog” changes most")
    assert "<b>dog" not in htmls(at)


@pytest.mark.parametrize("query", [{"view": "nonsense"}, {"token": "no such token"}])
def test_nonsense_in_a_link_shows_the_example(visit, query):
    at = visit("layers", **query)
    assert errors(at) == []
    assert keys(at) == ALL


def test_models_stand_beside_each_other_on_one_scale(visit, dogs, small, narrow, tmp_path):
    """Of two models in folders of one name, the words of the first were those of the second."""
    alike = tiny.build("bert", tmp_path / "bert", seed=1)
    at = visit("layers", corpus=dogs, a=small, b=f"source={narrow}", beside=str(alike))
    assert errors(at) == []
    assert len(maps(at)) == 3
    assert "Static rows of electra left out" in captions(at)
    names = [f"bert ({Recipe.parse(small).spelled()['source']})", "electra", f"bert ({alike})"]
    assert headings(at)[0].startswith(f"{names[0]}: ")
    grouped = [plain(box.value).strip("*") for box in at.markdown if box.value.startswith("**")]
    assert [name for name in grouped if name in names] == names
    at.button_group(key="view").set_value("token").run()
    assert errors(at) == []
    assert len(maps(at)) == 3


def test_a_token_that_another_model_cuts_otherwise_is_said(visit, dogs, small, tmp_path):
    other = tiny.build("gpt2", tmp_path / "gpt2")
    at = visit("layers", corpus=dogs, a=small, b=f"source={other}", view="token", sentence="the dog ran")
    assert errors(at) == []
    assert "gpt2 cuts this word otherwise" in captions(at)
    assert len(maps(at)) == 1


def test_a_click_chooses_layers_and_they_become_a_recipe(visit, dogs, small):
    at = visit("layers", corpus=dogs, a=f"{small};weight=idf", b="none")
    at.session_state["layers.cell"] = "0+2"
    at.run()
    assert errors(at) == []
    assert any("Layers **0\\+2**" in box.value for box in at.markdown)
    at.button(key="layers.take.b").click().run()
    assert Recipe.parse(at.text_input(key="b").value) == Recipe.parse(f"{small};weight=idf").replace(
        layers="0+2"
    )


def test_chosen_layers_become_those_of_b_whose_other_steps_stay(visit, dogs, small):
    b = f"{small};pool=max;post=zscore"
    at = visit("layers", corpus=dogs, a=small, b=b, **{"layers.cell": "1"})
    assert errors(at) == []
    said = r"Layer \*\*1\*\*: A −?[\d.]+, B −?[\d.]+"
    assert any(re.fullmatch(said, box.value) for box in at.markdown)
    at.button(key="layers.take.b").click().run()
    assert Recipe.parse(at.text_input(key="b").value) == Recipe.parse(b).replace(layers="1")
    assert at.text_input(key="a").value == small
    at.session_state["layers.cell"] = "0+2"
    at.run()
    assert errors(at) == []
    assert any(re.fullmatch(r"Layers \*\*0\\\+2\*\*: A −?[\d.]+", box.value) for box in at.markdown)


def test_layers_that_b_has_not_are_taken_for_a_alone(visit, dogs, small):
    at = visit("layers", corpus=dogs, a="source=bundled;layers=last", b=small, **{"layers.cell": "6"})
    assert errors(at) == []
    assert [one.key for one in at.button if one.key.startswith("layers.take")] == ["layers.take.a"]


def test_clicks_are_read_from_curve_and_grid(monkeypatch, visit, dogs, small):
    shown = {}
    show = score_curve.figure_frame.show
    monkeypatch.setattr(score_curve.figure_frame, "show", lambda f: shown.update({f.key: f}) or show(f))
    deeper = "source=bundled;layers=last"
    at = visit("layers", corpus=dogs, a=small, b=deeper)
    assert errors(at) == []
    kept: dict = {}
    monkeypatch.setattr(st, "session_state", kept)
    monkeypatch.setattr(selection.st, "session_state", kept)
    shown["layer.curve"].on_select([{"x": 2, "y": 50.0}])
    assert kept.items() >= {"layers.cell": "1", "layer": "1"}.items()
    shown["layer.curve"].on_select([{"x": 8.1, "y": 50.0}])
    assert kept["layers.cell"] == "1+3"
    shown["layer.curve"].on_select([{"x": 7.1, "y": 50.0}])
    assert kept["layers.cell"] == "1+3", "recipe A has no layer 6"
    shown["layer.curve"].on_select([{"x": 1.89, "y": 50.0}])
    assert kept["layers.cell"] == "1"
    shown["layer.grid"].on_select([{"x": 4, "y": 0}])
    assert kept["layers.cell"] == "static+3"
    assert "white: first+last" in " ".join(shown["layer.grid"].caption), "files explain the frames too"
    shown["layer.grid"].on_select([])
    assert kept["layers.cell"] == "static+3"


def test_b_has_a_curve_of_its_own_and_what_it_gains_is_said(visit, dogs, small):
    at = visit("layers", corpus=dogs, a=small, b=f"{small};weight=idf".replace("layers=last", "layers=0"))
    assert errors(at) == []
    assert keys(at) == ALL
    colors = {trace["marker"]["color"] for trace in drawn(at, "layer.curve")["data"] if "marker" in trace}
    assert len(colors) == 2
    said = [line for line in headings(at) if line.startswith("Highest Spearman × 100 by layer: A ")]
    assert len(said) == 1
    assert "better by" in said[0] or "no difference shown" in said[0]
    assert "Recipe B with other layers" in captions(at)
    before = drawn(at, "layer.curve")["data"]
    at.text_input(key="b").set_value(f"{small};pool=max").run()
    assert errors(at) == []
    assert drawn(at, "layer.curve")["data"] != before


@pytest.mark.parametrize("layers", ["0", "wk", "first+last"])
def test_b_that_is_a_but_for_its_layers_has_the_same_curve(visit, dogs, small, layers):
    at = visit(
        "layers", corpus=dogs, a=f"{small};weight=idf", b=f"{small};weight=idf".replace("last", layers)
    )
    assert errors(at) == []
    assert any(" highest: Spearman × 100 = " in line for line in headings(at))
    assert "Recipe B with other layers" not in captions(at)
    assert "B differs from A in its layers alone" in captions(at)


def test_why_b_has_no_curve_is_said_under_that_of_a(visit, dogs, small):
    at = visit("layers", corpus=dogs, a=small, b="source=random")
    assert "B has no curve" in captions(at)
    assert keys(at) == ALL


def test_layers_of_b_that_take_long_are_asked_about(visit, dogs, small, monkeypatch):
    monkeypatch.setattr(scoring, "MOST", 48 * tiny.WIDTH * 2)
    at = visit("layers", corpus=dogs, a=small, b=f"{small};pool=max;post=robust")
    assert errors(at) == []
    assert keys(at) == ALL, "the curve of A needs no question"
    assert "Under recipe B every set of layers is computed by itself: 6 of them" in captions(at)
    assert "Recipe B with other layers" not in captions(at)
    press(at, "Score every layer of B")
    assert errors(at) == []
    assert "Recipe B with other layers" in captions(at)
    again = visit("layers", corpus=dogs, a=small, b=f"{small};pool=max;post=robust")
    assert "Recipe B with other layers" in captions(again), "it was kept"
    swapped = visit("layers", corpus=dogs, a=f"{small};pool=max;post=robust", b="none")
    assert keys(swapped) == [k for k in ALL if k != "layer.grid"], "its pairs are asked about"


def test_layers_chosen_on_another_model_are_forgotten(visit, dogs, small):
    at = visit("layers", corpus=dogs, b="none", **{"layers.cell": "0+6"})
    assert any("Layers **0\\+6**" in box.value for box in at.markdown)
    at.text_input(key="a").set_value(small).run()
    assert errors(at) == []
    assert not any("6" in box.value for box in at.markdown if box.value.startswith("Layer"))


@pytest.mark.parametrize("text", ["layers=wk(start=1)", "layers=99", "weight=idf"])
def test_the_layers_of_recipe_a_do_not_matter(visit, dogs, small, text):
    source = small.partition(";")[0]
    at = visit("layers", corpus=dogs, a=f"{source};{text}")
    assert [e for e in errors(at) if "no layer" not in e] == []
    assert keys(at) == ALL


@pytest.mark.parametrize("stages", ["post=centre", "post=normalize+whiten(k=4)", "pool=max"])
def test_a_recipe_whose_layers_are_computed_one_by_one_is_scored_without_a_question(
    visit, dogs, small, stages
):
    at = visit("layers", corpus=dogs, a=f"{small};{stages}")
    assert errors(at) == []
    assert keys(at) == ALL


def test_the_curve_is_drawn_before_the_pairs_are_scored(visit, dogs, small, monkeypatch):
    drawn, in_time = threading.Event(), []
    draw, score = score_curve.show, scoring.by_layer_and_pair

    def curve(*given):
        draw(*given)
        drawn.set()

    def waits(*given, **more):
        in_time.append(drawn.wait(5))
        return score(*given, **more)

    monkeypatch.setattr(waiting, "PATIENCE", 30)
    monkeypatch.setattr(score_curve, "show", curve)
    monkeypatch.setattr(scoring, "by_layer_and_pair", waits)
    at = visit("layers", corpus=dogs, a=f"{small};post=quantile")
    assert errors(at) == []
    assert keys(at) == ALL
    assert in_time == [True]


def test_pairs_of_layers_that_take_long_are_asked_about(visit, dogs, small, monkeypatch):
    monkeypatch.setattr(scoring, "MOST", 48 * tiny.WIDTH * 7)
    at = visit("layers", corpus=dogs, a=f"{small};post=zscore")
    assert errors(at) == []
    assert keys(at) == [k for k in ALL if k != "layer.grid"]
    assert "every set of layers is computed by itself: 16 of them" in captions(at)
    at.session_state["layers.cell"] = "0+2"
    at.run()
    assert any(box.value.endswith("not scored yet") for box in at.markdown)
    press(at, "Score every pair of layers")
    assert errors(at) == []
    assert keys(at) == ALL
    assert not any("not scored yet" in box.value for box in at.markdown)
    again = visit("layers", corpus=dogs, a=f"{small};post=zscore")
    assert keys(again) == ALL, "it was kept"


def test_pairs_that_fail_say_why_beside_the_curve(visit, dogs, small, monkeypatch):
    def fails(*_, **__):
        raise RecipeError("The pairs cannot be scored.")

    monkeypatch.setattr(scoring, "MOST", 48 * tiny.WIDTH * 7)
    monkeypatch.setattr(scoring, "by_layer_and_pair", fails)
    at = visit("layers", corpus=dogs, a=f"{small};post=abtt")
    press(at, "Score every pair of layers")
    assert any("The pairs cannot be scored." in error for error in errors(at))
    assert keys(at) == [k for k in ALL if k != "layer.grid"]


def test_layers_that_take_long_are_asked_about_with_their_pairs(visit, dogs, small, monkeypatch):
    monkeypatch.setattr(scoring, "MOST", 48 * tiny.WIDTH * 2)
    at = visit("layers", corpus=dogs, a=f"{small};post=robust")
    assert keys(at) == [k for k in ALL if not k.startswith("layer.")]
    press(at, "Score every layer and pair")
    assert errors(at) == []
    assert keys(at) == ALL


def test_a_training_for_each_set_of_layers_is_asked_about(visit, dogs, small):
    at = visit("layers", corpus=dogs, a=f"{small};pool=gem")
    assert keys(at) == [k for k in ALL if not k.startswith("layer.")]
    assert "each with a training of gem" in captions(at)


def test_scores_that_fail_say_why_and_the_rest_is_drawn(visit, corpora, small):
    corpora(few=table_of([(f"a dog {i}", f"the cat {i}", i) for i in range(5)]))
    at = visit("layers", corpus="few", a=f"{small};post=whiten", b="none")
    assert any("different sentences" in error for error in errors(at))
    assert {"evolution", "words", "alphas"} <= set(keys(at))


def test_words_follow_their_bound(visit, dogs, small):
    at = visit("layers", corpus=dogs, a=small, **{"all.words": "true"})
    (table,) = (frame.value for frame in at.dataframe)
    assert {"word", "variance", "group", "times", "idf", "function word"} <= set(table.columns)
    bound = next(box for box in at.number_input)
    bound.set_value(int(table["times"].max())).run()
    assert errors(at) == []
    assert "three are needed" in told(at) or len(at.dataframe[0].value) < len(table)


def test_sliders_change_the_weights(visit, dogs, small):
    at = visit("layers", corpus=dogs, a=small)
    before = drawn(at, "alphas")
    at.slider(key="wk.omega").set_value(1.0).run()
    assert errors(at) == []
    assert drawn(at, "alphas") != before
    assert any("omega=1" in code.value for code in at.code)
    at.button_group(key="wk.form").set_value("released").run()
    assert errors(at) == []
    assert at.slider(key="wk.omega").disabled
    at.slider(key="wk.start").set_value(2).run()
    assert "fewer than three layers" in captions(at), "token weights need three layers"
    assert "alphas" in keys(at)
    at.button(key="wk.take.a").click().run()
    assert "form=released" in at.text_input(key="a").value


def test_sbert_wk_is_a_recipe_of_the_source():
    base = Recipe.parse("template=T0;layers=last;post=centre")
    assert str(WkSettings(2, 4, 0.5, "paper").recipe(base)) == "template=T0;layers=wk;weight=variance"
    released = WkSettings(3, 1, 0.9, "released").recipe(base)
    assert released == Recipe.parse(
        "template=T0;layers=wk(window=3,start=1,form=released);tokens=noseparator;weight=variance(start=1)"
    )


# -- bad input


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("dog", 3),
        ("שלום עולם، مرحبا", None),
        ("🎸🧑🏽‍🚀", None),
        ("[SEP] </s> <sep>", None),
        ("a " * 900, 256),
    ],
)
@pytest.mark.parametrize("view", ["sentence", "token"])
def test_any_sentence_is_drawn(visit, text, tokens, view):
    at = visit("layers", view=view, sentence=text)
    assert errors(at) == []
    assert keys(at) == ALL
    if tokens:
        assert len(at.button_group(key="token").options) == tokens
    assert ("is cut behind" in captions(at)) == (tokens == 256)


@pytest.mark.parametrize("text", ["", "  \0 "])
def test_no_sentence_is_asked_for(visit, text):
    at = visit("layers")
    at.text_input(key="sentence").set_value(text).run()
    assert errors(at) == []
    assert "Write a sentence" in told(at)


def test_a_sentence_of_no_known_token_says_so(visit):
    at = visit("layers", view="sentence", sentence="\u200b\u200b")
    assert any("No token of this sentence" in error for error in errors(at))
    assert "layer.grid" in keys(at)


def test_a_sentence_that_is_written_is_mapped(visit, dogs, small):
    at = visit("layers", corpus=dogs, a=small, b="none")
    assert at.segmented_control(key="view").value == "corpus"
    at.text_input(key="sentence").set_value("A dog ran home.").run()
    assert at.segmented_control(key="view").value == "sentence"
    at.segmented_control(key="view").set_value("token").run()
    at.text_input(key="sentence").set_value("A dog ran away.").run()
    assert at.segmented_control(key="view").value == "token", "which shows the sentence already"


def test_b_takes_the_place_of_a_recipe_without_layers_at_a_click(visit, dogs, small):
    at = visit("layers", corpus=dogs, a="source=random", b="source=random(seed=3)")
    assert not [one for one in at.button if one.key == "layers.swap"], "B has none either"
    at = visit("layers", corpus=dogs, a="source=random", b=small)
    assert any(one.startswith("**Recipe A.**") for one in errors(at))
    at.button(key="layers.swap").click().run()
    assert [at.text_input(key=side).value for side in "ab"] == [small, "source=random"]
    assert not any(one.startswith("**Recipe A.**") for one in errors(at))
    assert charts(at)


@pytest.mark.parametrize("text", ["source=random", "source=random(seed=3);layers=0"])
def test_a_source_without_layers_says_so(visit, text):
    at = visit("layers", a=text)
    assert any("no layers to compare; take a model" in error for error in errors(at))
    assert keys(at) == []


def test_a_model_beside_it_without_layers_is_left_out(visit, dogs, small):
    at = visit("layers", corpus=dogs, a=small, b="source=random")
    assert any(one.startswith("**Recipe B.**") and "no layers to compare" in one for one in errors(at))
    assert keys(at) == ALL


@pytest.mark.parametrize("text", ["pool=mena", "none"])
def test_recipe_a_that_cannot_be_read_is_told(visit, text):
    at = visit("layers", a=text)
    assert errors(at)
    assert "Recipe A cannot be read" in told(at)
    assert keys(at) == []


def test_a_model_that_is_not_here(visit):
    at = visit("layers", a="source=nobody/no-such-model")
    assert any("nobody/no-such-model" in error for error in errors(at))
    assert keys(at) == []


def test_a_corpus_without_scores_is_told_and_the_rest_drawn(visit, corpora, small):
    corpora(flat=table_of([(f"a dog {i}", f"the cat {i}", 3) for i in range(5)]))
    at = visit("layers", corpus="flat", a=small)
    assert errors(at) == []
    assert "No scores by layer." in told(at)
    assert "no correlation exists" in told(at)
    assert keys(at) == [k for k in ALL if not k.startswith("layer.")]


def test_long_work_is_said_beforehand_and_the_sentence_shown(visit, dogs, small, monkeypatch):
    monkeypatch.setattr(Engine, "pending", lambda *_: {"pass": 120.0})
    at = visit("layers", corpus="dogs", a=f"{small};template=T0", b="none")  # not read by a test before
    assert "takes 60 seconds to 4 minutes, once" in told(at)
    assert keys(at) == ["evolution", "hops", "alphas"]
    assert headings(at)[0].startswith("The sentence's words change")
    press(at, "Start")
    assert keys(at) == ALL


def test_what_was_computed_is_there_in_another_visit(visit, monkeypatch):
    first = visit("layers")
    from core.analysis.layers import layer_scores as engine
    from core.analysis.layers import trajectories

    monkeypatch.setattr(trajectories, "_read", None)
    monkeypatch.setattr(engine, "similarities", None)
    second = visit("layers")
    assert errors(second) == []
    assert headings(second) == headings(first)
    assert [plain(box.value) for box in second.caption] == [plain(box.value) for box in first.caption]


def test_the_second_of_two_alike_tokens_is_named_as_the_second(visit):
    at = visit(
        "layers", b="none", sentence="The old bank near the river bank.", view="token", token="bank (2)"
    )
    assert errors(at) == []
    assert sum("“bank (2)”" in line for line in headings(at)) == 2, "the map and the weights"
