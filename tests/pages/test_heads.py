"""Heads: a sentence's heads, the search of the best one, and what nobody should write."""

import json
import re

import pytest

from core.analysis.heads import head_search as heads_module
from core.analysis.heads.head_similarities import SETTINGS
from core.encoders.output import Output
from core.pipeline.engine import Engine
from tests.core.helpers import tiny
from tests.core.helpers.texts import many
from tests.pages.conftest import TUNED
from tests.pages.reading import (
    captions,
    cells,
    charts,
    errors,
    figures,
    headings,
    htmls,
    markdown,
    pairs_of,
    press,
    table_of,
    told,
)

RECIPES = TUNED


@pytest.fixture(scope="module")
def decoder(tmp_path_factory) -> str:
    return f"source={tiny.build('gpt2', tmp_path_factory.mktemp('models') / 'gpt2')};layers=last"


@pytest.fixture
def dogs(corpora) -> str:
    """A corpus of forty pairs without splits, by its name."""
    corpora(dogs=pairs_of(many(80)))
    return "dogs"


def traces(at, number: int) -> list[dict]:
    return json.loads(figures(at)[number])["data"]


def test_one_arrives_with_heads_scores_and_correlations(visit):
    at = visit("heads")
    assert errors(at) == []
    assert not at.warning
    assert len(figures(at)) == 5
    assert len(traces(at, 0)[1]["customdata"]) == 72
    assert at.selectbox(key="head").value == "5-4"
    found = headings(at)
    assert any(line.startswith("L5-H4 (index 4, 3): ") for line in found)
    assert any(
        line.startswith("Largest shares of the sentence vector under Ditto with L5-H4: “") for line in found
    )
    assert any("scores highest of 72 heads on demo dev: Spearman × 100 = " in line for line in found)
    assert any(line.startswith("Chosen on dev, L") and "rank " in line for line in found)
    assert any("diagonal against tf-idf: Spearman from " in line for line in found)
    assert htmls(at).count("outline:2px") == 5
    assert "no head is published for all-MiniLM-L6-v2" in captions(at)
    lines = captions(at).splitlines()
    assert any("demo test · 865 pairs · " in line and " · fingerprint " in line for line in lines)
    assert "uniform weights" in markdown(at)
    assert "attention is not explanation" in markdown(at)
    assert all(len(chart.alt) > 20 for chart in charts(at))


def test_another_head_is_chosen_and_linked(visit, small):
    at = visit("heads", a=small)
    before = figures(at)[1]
    at.selectbox(key="head").set_value("3-4").run()
    assert errors(at) == []
    assert figures(at)[1] != before
    assert "L3-H4 (index 2, 3)" in markdown(at)
    other = visit("heads", a=small, head="3-4", sentence="Two <b>dogs</b> **ran**.")
    assert not other.warning
    assert "L3-H4 (index 2, 3)" in markdown(other)
    assert "<b>" not in htmls(other)


def test_the_token_that_is_looked_at_is_said_and_linked(visit, small):
    at = visit("heads", a=small, sentence="the dog ran and the dog sat", token="dog (2)")
    assert errors(at) == []
    assert at.selectbox(key="token").value == "dog (2)"
    assert "and the row of “dog (2)”, which looks most at" in captions(at)
    at.selectbox(key="token").set_value("sat").run()
    assert "and the row of “sat”, which looks most at" in captions(at)


def test_a_click_on_a_tile_chooses_its_head(visit, small):
    from components.heads import page as heads

    at = visit("heads", a=small)
    assert charts(at)[0].ways
    assert traces(at, 0)[1]["customdata"][6] == "2-3"
    chosen = {}
    original = heads.selection.take
    heads.selection.take = lambda name, value: chosen.update({name: value})
    try:
        heads.take([{"customdata": "2-3"}])
        assert chosen == {"head": "2-3"}
        heads.take([{"customdata": ["3-1"]}])
        assert chosen == {"head": "3-1"}
        heads.take([])
        heads.take([{"point_index": 4}])
        assert chosen == {"head": "3-1"}
    finally:
        heads.selection.take = original


@pytest.mark.parametrize("head", ["12-3", "<script>", ""])
def test_a_head_that_the_model_lacks_is_told(visit, small, head):
    at = visit("heads", a=small, head=head)
    assert errors(at) == []
    assert ("3 layers × 4 heads" in told(at)) == bool(head)
    assert len(figures(at)) == 5


def test_recipe_as_own_head_is_where_one_begins(visit, small):
    at = visit("heads", a=f"{small};weight=ditto(layer=2,head=3)")
    assert at.selectbox(key="head").value == "2-3"


def test_the_layers_of_the_search_are_chosen(visit, small):
    at = visit("heads", a=small)
    before = traces(at, 3)[0]["z"]
    at.button_group(key="heads.layers").set_value("static").run()
    assert errors(at) == []
    assert traces(at, 3)[0]["z"] != before
    assert "layers=static;weight=ditto(layer=…,head=…)" in captions(at)


def test_the_best_head_is_taken_as_a_recipe(visit, small):
    for side in ("a", "b"):
        at = visit("heads", a=small)
        recipe = at.code[0].value
        assert "weight=ditto(layer=" in recipe or recipe.endswith("layers=0+last;weight=ditto")
        label = next(b.label for b in at.button if b.label.endswith(f"recipe {side.upper()}"))
        press(at, label)
        assert errors(at) == []
        assert at.text_input(key=side).value == recipe


def test_all_choices_of_layers_stand_in_a_table_when_asked(visit, small):
    at = visit("heads", a=small)
    assert not any("layers" in one.value for one in at.dataframe)
    at.session_state["heads.settings"] = True
    at.run()
    assert errors(at) == []
    table = next(one.value for one in at.dataframe if "layers" in one.value)
    assert list(table["layers"]) == list(SETTINGS)
    assert table["rank on test"].between(1, 12).all()
    assert (table["dev"] >= table["dev: middle head"]).all()


def test_another_split_to_choose_on(visit, small):
    at = visit("heads", a=small)
    at.selectbox(key="heads.split").set_value("test").run()
    assert errors(at) == []
    assert "chosen on the very pairs it is shown on" in markdown(at)
    assert "Choose it on another split" in markdown(at)
    assert len(traces(at, 3)) == 2, "one panel"
    at.selectbox(key="heads.split").set_value("all").run()
    assert "pairs in common" in markdown(at)


def test_a_corpus_without_splits_says_that_the_choice_flatters(visit, small, dogs):
    at = visit("heads", a=small, corpus=dogs)
    assert errors(at) == []
    assert "The best of 12 heads is chosen on the very pairs it is shown on" in markdown(at)
    assert "no other split" in markdown(at)


def test_a_corpus_without_gold_has_correlations_all_the_same(visit, small, corpora):
    corpora(flat=table_of([(text, f"so {text}", 3) for text in many(8)]))
    at = visit("heads", a=small, corpus="flat")
    assert errors(at) == []
    assert "No search here." in told(at)
    assert "no correlation exists" in told(at)
    assert len(figures(at)) == 4
    assert any("diagonal against tf-idf: Spearman from " in line for line in headings(at))


def test_a_search_that_cannot_be_made_says_why(visit, small):
    at = visit("heads", a=f"{small};post=zscore(fit=reference)")
    assert errors(at) == []
    assert "No search here." not in told(at)
    at.toggle(key="heads.post").set_value(True).run()
    assert errors(at) == []
    assert "search without post-processing" in told(at)
    assert len(figures(at)) == 4


def test_post_processing_is_learnt_for_each_head(visit, small):
    at = visit("heads", a=f"{small};post=zscore")
    assert "post=zscore" not in at.code[0].value
    assert struck(at, "a") == NOT_USED
    at.toggle(key="heads.post").set_value(True).run()
    assert errors(at) == []
    assert struck(at, "a") == NOT_USED - {"post"}
    link = {"heads.post": "true"}
    assert struck(visit("heads", a=f"{small};post=zscore", **link), "a") == NOT_USED - {"post"}
    assert "post=zscore" in at.code[0].value


def test_equal_similarities_give_no_best_head(visit, small, corpora):
    corpora(same=table_of([("a dog", "a dog", i % 5) for i in range(6)]))
    at = visit("heads", a=small, corpus="same")
    assert errors(at) == []
    assert "no head can be chosen" in told(at)


# -- recipe A or B


NOT_USED = {"layers", "weight", "pool", "mix", "post", "similarity"}
"""The stages of the recipe whose heads are drawn that the page does not take."""


def struck(at, side: str) -> set[str]:
    """The cells of a side that are struck through."""
    return {stage for stage, cell in cells(at, side).items() if "unused" in cell["look"].split()}


def test_the_heads_of_recipe_b_are_drawn_when_they_are_chosen(visit, small, dogs):
    at = visit("heads", a="layers=last", b=f"{small};post=zscore", corpus=dogs)
    assert at.button_group(key="heads.side").value == "A"
    assert len(traces(at, 0)[1]["customdata"]) == 72
    assert "A: source=bundled" in captions(at)
    assert "unused" in cells(at, "b")["source"]["look"]
    assert struck(at, "a") == NOT_USED
    at.button_group(key="heads.side").set_value("B").run()
    assert errors(at) == []
    assert len(traces(at, 0)[1]["customdata"]) == 12, "the small model has three layers of four heads"
    assert f"B: {small.partition(';')[0]}" in captions(at)
    assert "A: source=" not in captions(at)
    assert any("of 12 heads on dogs" in line for line in headings(at)), "the search is B's model's too"
    assert at.toggle(key="heads.post").label == "With B's post-processing"
    assert "unused" in cells(at, "a")["source"]["look"]
    assert struck(at, "b") == NOT_USED
    other = visit("heads", a="layers=last", b=small, corpus=dogs, **{"heads.side": "B"})
    assert not other.warning
    assert len(traces(other, 0)[1]["customdata"]) == 12


def test_a_recipe_b_without_heads_leaves_the_choice(visit, small):
    at = visit("heads", a=small, b="source=random", **{"heads.side": "B"})
    assert any("Recipe B" in error and "no attention heads" in error for error in errors(at))
    at.button_group(key="heads.side").set_value("A").run()
    assert errors(at) == []
    assert len(figures(at)) == 5


def test_without_b_there_is_nothing_to_choose(visit, small):
    at = visit("heads", a=small, b="none")
    assert all(group.key != "heads.side" for group in at.button_group)
    assert "unused" not in cells(at, "a")["source"]["look"]


# -- sentences


@pytest.mark.parametrize("text", ["", "  \0 "])
def test_no_sentence_is_asked_for_and_the_search_stands(visit, small, text):
    at = visit("heads", a=small)
    at.text_input(key="sentence").set_value(text).run()
    assert errors(at) == []
    assert "Write a sentence" in told(at)
    assert len(figures(at)) == 2


ODD = ("a", "🎸🧑🏽‍🚀", "שלום עולם، مرحبا", "[MASK] [SEP] </s>", "layer head token dog", "<b>&amp;</b> $x$")


@pytest.mark.parametrize(
    ("model", "text"), [*(("small", text) for text in ODD), ("decoder", ODD[0]), ("decoder", ODD[2])]
)
def test_odd_sentences_are_drawn(visit, request, dogs, model, text):
    at = visit("heads", a=request.getfixturevalue(model), sentence=text, corpus=dogs)
    assert errors(at) == []
    assert not at.warning
    assert len(figures(at)) == 5


def test_a_sentence_that_the_model_cuts_says_where(visit, small):
    at = visit("heads", a=small, sentence="dog cat " * 100)
    assert errors(at) == []
    assert "longer than 96 tokens" in told(at)
    assert "after “cat”" in told(at) or "after “dog”" in told(at)


def test_a_long_sentence_is_drawn_in_blocks_and_says_so(visit):
    at = visit("heads", sentence="river bank " * 180)
    assert errors(at) == []
    assert "Each cell is the largest attention of " in captions(at)
    assert max(len(figure) for figure in figures(at)[:3]) < 2_000_000
    one = json.loads(figures(at)[1])
    rows = one["data"][0]["z"]["shape"].split(", ")[0]
    assert all(shape["x1"] <= int(rows) for shape in one["layout"]["shapes"])


# -- models


@pytest.mark.parametrize("source", ["random", "averaged"])
def test_a_source_without_heads_is_told(visit, source):
    at = visit("heads", a=f"source={source};layers=last")
    assert any("have no attention heads" in error for error in errors(at))


def test_a_model_that_does_not_give_its_attention_is_told(visit, small, dogs, monkeypatch):
    monkeypatch.setattr(Output, "every_attention", lambda _: None)
    at = visit("heads", a=f"{small};template=T1", corpus=dogs)
    assert any("does not give its attention" in error for error in errors(at))
    assert "No search here." in told(at)
    assert "No correlation here." in told(at)


@pytest.mark.parametrize("text", ["pool=mena", "none", "source=nobody/no-such-model"])
def test_recipe_a_that_cannot_be_read_is_told(visit, text):
    at = visit("heads", a=text)
    assert errors(at)
    assert "Recipe A" in told(at)


def test_a_layer_that_the_model_lacks_does_not_matter_here(visit, small):
    at = visit("heads", a=small.replace("layers=last", "layers=99"))
    assert errors(at) == []
    assert len(figures(at)) == 5


# -- long work


def test_long_work_is_asked_for_and_can_be_stopped(visit, small, dogs, monkeypatch):
    monkeypatch.setattr(Engine, "pending", lambda *_: {"pass": 120.0})
    at = visit("heads", a=f"{small};template=T0", corpus=dogs)  # not read by a test before
    assert len(figures(at)) == 3
    assert "then all 12 heads take seconds" in captions(at)
    press(at, "Search all 12 heads")
    assert errors(at) == []
    assert len(figures(at)) == 5


def test_a_search_is_instant_in_another_visit(visit, small, dogs, monkeypatch):
    before = visit("heads", a=small, corpus=dogs)
    monkeypatch.setattr(heads_module, "_score", lambda *_: pytest.fail("searched again"))
    again = visit("heads", a=small, corpus=dogs)
    assert figures(again)[3] == figures(before)[3]


def test_heads_are_correlated_with_what_the_reference_says_too(visit):
    at = visit("heads", **{"heads.weight": "tf-idf of gensim"})
    assert errors(at) == []
    assert any("diagonal against tf-idf of gensim: Spearman from " in line for line in headings(at))
    assert re.search(
        r"each once; learnt from demo\S*, [\d,]+ different texts: logarithms to base 2", captions(at)
    )
    at = visit(
        "heads", a="source=untuned;layers=last;reference=./none.txt", **{"heads.weight": "tf-idf of gensim"}
    )
    assert any("No correlation here" in line for line in told(at).splitlines()), "and the others stand"
